import { capitalized } from '../../core/text.ts';
import { type Command, type Option, offeredOptions } from '../../dispatch/contract.ts';
import { escapeHtml } from '../../http/router.ts';
import { CONTENT_SECURITY_POLICY, document, RULES } from '../pages/html.ts';
import { QUESTIONS } from './questions.ts';

/** The manifest by which browsers install the site as an app. */
export const MANIFEST = {
  id: './',
  name: 'Letter Boxed',
  description: 'A board a day, any other board, and a solver, also without a network.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f6f4ef',
  theme_color: '#f6f4ef',
  icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
};

/** Systems cut a maskable one into a shape of their own. */
function icon(pixels: number, purpose: 'any' | 'maskable') {
  const name = purpose === 'any' ? 'icon' : purpose;
  return { src: `${name}-${pixels}.png`, sizes: `${pixels}x${pixels}`, type: 'image/png', purpose };
}

/**
 * Plain servers send no header with the policy. A link's preview is the same for all boards: files can't be asked for one,
 * and so it gives nothing away.
 */
const HEAD = `<meta http-equiv="content-security-policy" content="${CONTENT_SECURITY_POLICY}">
  <meta name="description" content="${MANIFEST.description}">
  <meta property="og:type" content="website">
  <meta property="og:site_name" content="${MANIFEST.name}">
  <meta property="og:description" content="${MANIFEST.description}">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="apple-touch-icon" href="icon-192.png">`;
const STATUS = '<p id="status" class="trouble" role="status"></p>';
const NO_SCRIPT = '<noscript><p>To play here, JavaScript has to be on.</p></noscript>';
const LINKS: Readonly<Record<string, string>> = {
  './': 'Today’s board',
  'archive.html': 'Past boards',
  'solver.html': 'Solver',
  'maker.html': 'Make a board',
  'rules.html': 'Rules',
  'privacy.html': 'Privacy',
};

/** The pages of the site, which their scripts fill in. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'index.html': page(
    'Letter Boxed',
    `<div id="board">${NO_SCRIPT}</div>
    ${STATUS}
    <p class="rules">${RULES}</p>`,
    { script: 'board-page', above: '<p id="par"></p>' },
  ),
  'archive.html': page(
    'Past boards',
    `${NO_SCRIPT}
    <p id="streak" data-days=""></p>
    <ul class="days"></ul>
    <p id="note" class="rules"></p>
    <p class="turns"></p>
    <h2>Your games and results</h2>
    <p>They are in this browser alone. To have them elsewhere, too, save them to a file, and read it there.</p>
    <p class="fields"><button id="save">Save to a file</button>
    <label><span>Read a file</span><input id="read" type="file" accept=".json,application/json"></label></p>
    <p id="told" role="status"></p>
    ${STATUS}`,
    { script: 'archive-page' },
  ),
  'solver.html': formPage('Solver', QUESTIONS.solver),
  'maker.html': formPage('Make a board', QUESTIONS.maker),
  'rules.html': page(
    'Rules',
    `<p>${RULES}</p>
    <ul>
      <li>A word has at least three letters. You may use a letter again.</li>
      <li>Draw a line through the letters, tap them, or type. Enter plays the word.</li>
      <li>The fewer words, the better. Par is a good number of words for the board.</li>
      <li>A new board comes at 3:00 AM New York time. Easy boards come on Mondays, hard ones on weekends.</li>
      <li>A board solved on its day counts for your streak. Past boards can be played at any time.</li>
      <li>Hints and solutions are there when you ask for them. The result that you share says what you used.</li>
    </ul>
    <p>The boards are made by this program. It is not connected with The New York Times.</p>`,
  ),
  'privacy.html': page(
    'Privacy',
    `<p>This site has no server that plays along. Your games, results and streak are kept in this browser alone, and
    nothing of them is sent to anyone. There are no cookies, no analytics and no advertising.</p>
    <p>The host of these files may log, as every host does, that a browser asked for them. After your first visit they
    are kept in this browser, and the site works without a network.</p>
    <p>To erase everything, delete the data of this site in the settings of your browser.</p>`,
  ),
};

function formPage(title: string, commands: readonly Command[]): string {
  const body = `${NO_SCRIPT}
    ${formsOf(commands)}
    ${STATUS}
    <section id="answer" aria-label="Answer"></section>`;
  return page(title, body, { script: 'form-page' });
}

function page(title: string, body: string, { script, above = '' }: { script?: string; above?: string } = {}) {
  const links = Object.entries(LINKS).map(([address, name]) => `<a href="${address}">${name}</a>`);
  return document(
    title,
    `${HEAD}\n  <meta property="og:title" content="${title}">\n  <script type="module" src="${script ?? 'plain-page'}.js"></script>`,
    `${body}
    <nav class="turns" aria-label="Pages">${links.join('')}</nav>`,
    { root: '.', above, icon: 'icon-192.png' },
  );
}

/** A form for each of the commands, made from their declarations, and the buttons that choose between them. */
export function formsOf(commands: readonly Command[]): string {
  const choices = commands.map(
    ({ name }) => `<label><input type="radio" name="ask" value="${name}"> ${capitalized(name)}</label>`,
  );
  return `<fieldset class="questions">
      <legend class="unseen">What to do</legend>
      ${choices.join('\n      ')}
    </fieldset>
    ${commands.map(formOf).join('\n    ')}`;
}

function formOf(command: Command): string {
  // In the same place in each form.
  const options = offeredOptions(command).toSorted((a, b) => Number(isBoard(b)) - Number(isBoard(a)));
  const isFirst = ({ positional, required }: Option) => positional === true || required === true;
  const [first, more] = [options.filter(isFirst), options.filter((option) => !isFirst(option))];
  const rest =
    more.length === 0
      ? ''
      : `<details><summary>More options</summary><div class="fields">${more.map(fieldOf).join('')}</div></details>`;
  return `<form data-command="${command.name}" hidden>
      <p>${escapeHtml(command.description)}.</p>
      <div class="fields">${first.map(fieldOf).join('')}</div>
      ${rest}
      <button class="primary">${capitalized(command.name)}</button>
    </form>`;
}

function isBoard({ kind }: Option): boolean {
  return kind === 'sides';
}

function fieldOf(option: Option): string {
  const { name, description, kind } = option;
  const told = `<span>${capitalized(name)}</span> <small>${escapeHtml(description)}</small>`;
  return kind === 'flag'
    ? `<label class="flag"><input type="checkbox" name="${name}" value="yes"> ${told}</label>`
    : `<label>${told} ${controlOf(option)}</label>`;
}

function controlOf({ name, kind, required, choices = [], about = {}, example, min, max }: Option): string {
  if (kind === 'choice') {
    const items = choices.map((choice) => {
      const told = about[choice];
      return `<option value="${choice}">${escapeHtml(told === undefined ? choice : `${choice}: ${told}`)}</option>`;
    });
    return `<select name="${name}"><option value=""></option>${items.join('')}</select>`;
  }
  if (kind === 'whole') return `<input type="number" name="${name}" min="${min}" max="${max}">`;
  // Words that fit one board fit no other.
  const shown = kind === 'words' || example === undefined ? '' : ` placeholder="${escapeHtml(example)}"`;
  // In place of sides, there may be a day.
  const needed = required && kind !== 'sides' ? ' required' : '';
  return `<input name="${name}"${shown}${needed} autocomplete="off" autocapitalize="none" spellcheck="false">`;
}
