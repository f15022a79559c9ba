import { capitalized } from '../../core/text.ts';
import { type Option, offeredOptions } from '../../dispatch/contract.ts';
import { escapeHtml } from '../../http/pages.ts';
import {
  CONTENT_SECURITY_POLICY,
  document,
  GAME,
  parPill,
  placeholderBoard,
  placeholderBox,
  RULES,
} from '../pages/html.ts';
import { drawTyped, QUESTIONS, type Question } from './questions.ts';

/**
 * The manifest that lets browsers install the site as an app. Without an `id`, its `start_url` serves as one: an `id` is read from the
 * root of the host, where a folder may have another app.
 */
export const MANIFEST = {
  name: GAME,
  description: 'A board a day, any other board, and a solver, also without a network.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f6f3ec',
  theme_color: '#f6f3ec',
  icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
};

/** Systems cut a maskable icon into their own shape. */
function icon(pixels: number, purpose: 'any' | 'maskable') {
  const name = purpose === 'any' ? 'icon' : purpose;
  return { src: `${name}-${pixels}.png`, sizes: `${pixels}x${pixels}`, type: 'image/png', purpose };
}

/** The picture of links to the site. The bot, which knows its own address, gives each day its own picture instead. */
export const CARD = {
  name: 'card.png',
  width: 600,
  height: 315,
  alt: 'A square with three letters on each side, and two words drawn across it.',
};

/** The style sheet that only the site has. */
export const SITE_STYLE = 'web/site/site.css';

/**
 * Plain servers send no header with the policy. The preview of a link is the same for all boards, since static files can't
 * depend on the address, so it gives nothing away.
 */
const HEAD = `<link rel="stylesheet" href="./${SITE_STYLE}">
  <meta http-equiv="content-security-policy" content="${CONTENT_SECURITY_POLICY}">
  <meta name="description" content="${MANIFEST.description}">
  <meta property="og:type" content="website">
  <meta property="og:site_name" content="${MANIFEST.name}">
  <meta property="og:description" content="${MANIFEST.description}">
  <meta property="og:image" content="${CARD.name}">
  <meta property="og:image:alt" content="${CARD.alt}">
  <meta name="twitter:card" content="summary_large_image">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="apple-touch-icon" href="icon-192.png">`;
const STATUS = '<p id="status" class="trouble" role="status"></p>';
const NO_SCRIPT = '<noscript><p>To play here, JavaScript has to be on.</p></noscript>';
const TABS: Readonly<Record<string, string>> = {
  'index.html': 'Today',
  'archive.html': 'Past',
  'tools.html': 'Tools',
};
const FOOTER = `
  <footer><a href="rules.html">How to play</a> <a href="privacy.html">Privacy</a></footer>`;

/** The board on which *How to play* shows two words. */
const EXAMPLE = {
  view: drawTyped('ozu nri lfa mbt').view,
  words: [
    [7, 0, 4, 2, 9],
    [9, 0, 11, 5, 0, 3],
  ],
};

/** An empty box, until the day's letters arrive. */
const EMPTY = drawTyped('');

/** The pages of the site, which their scripts fill in. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'index.html': page(
    'Today’s board',
    `<div id="board">${placeholderBoard(EMPTY.view)}
    <noscript><p>To play today’s board, JavaScript has to be on. This is another one, to print.</p><div class="box">${placeholderBox(EXAMPLE.view)}</div></noscript></div>
    ${STATUS}
    <p class="rules">${RULES}</p>
    <p class="rules"><button id="print" type="button">Print this board</button></p>
    <p id="printed" aria-hidden="true"></p>`,
    {
      here: 'index.html',
      script: 'board-page',
      besideTitle: parPill(),
      tabTitle: `${GAME}: a word game every day`,
    },
  ),
  'archive.html': page(
    'Past boards',
    `${NO_SCRIPT}
    <p id="streak"></p>
    <div class="months" id="months"></div>
    <details><summary>Earlier months</summary><div class="months" id="earlier"></div></details>
    <h2>Your games and results</h2>
    <p>They are in this browser alone. To have them elsewhere, too, save them to a file, and read it there.</p>
    <p class="fields"><button id="save">Save to a file</button>
    <label><span>Read a file</span><input id="read" type="file" accept=".json,application/json"></label></p>
    <p id="told" role="status"></p>
    ${STATUS}`,
    { here: 'archive.html', script: 'archive-page' },
  ),
  'tools.html': toolsPage(),
  '404.html': page('There is nothing here', '<p><a class="button" href="./">Play today’s board</a></p>', {
    script: null,
  }),
  'rules.html': page(
    'How to play',
    `<p>${RULES}</p>
    <div class="box" role="img" aria-label="The word FORUM, and MOTION from its last letter on, go from side to side of a board." data-how="${escapeHtml(JSON.stringify(EXAMPLE))}">${placeholderBox(EXAMPLE.view)}</div>
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

/**
 * A page that works at any address, such as a host's page for unknown ones.
 *
 * @param path of the site, such as `/games/`
 */
export function belowAnyFolder(html: string, path: string): string {
  return html.replaceAll(/ (href|src)="(?:\.\/)?(?!data:|\/)/g, (_, name) => ` ${name}="${path}`);
}

function toolsPage(): string {
  const body = `${NO_SCRIPT}
    <div class="tools">
    <div class="shown"><div id="drawn" class="box" role="img" aria-label="${EMPTY.alt}">${placeholderBox(EMPTY.view)}</div>
    <button type="button" id="picture" class="plain" title="You can also paste or drop it">Board from a picture</button></div>
    <div>
    ${questionForms()}
    ${STATUS}
    <section id="answer" aria-label="Answer"></section>
    </div>
    </div>`;
  return page('Tools', body, { here: 'tools.html', script: 'form-page' });
}

interface PageParts {
  /** The file name of this page, if the page is a tab. */
  readonly here?: string;
  /** The name of the page's script, by default one that registers the service worker and draws `data-how`; null for none. */
  readonly script?: string | null;
  readonly besideTitle?: string;
  /** The title of the browser's tab, if it is not the heading. */
  readonly tabTitle?: string;
}

function page(
  title: string,
  body: string,
  { here, script = 'plain-page', besideTitle, tabTitle }: PageParts = {},
) {
  const links = Object.entries(TABS).map(([name, label]) => {
    const address = name === 'index.html' ? './' : name;
    return `<a href="${address}"${name === here ? ' aria-current="page"' : ''}>${label}</a>`;
  });
  return document(title, {
    head: `${HEAD}\n  <meta property="og:title" content="${tabTitle ?? title}">${script === null ? '' : `\n  <script type="module" src="${script}.js"></script>`}`,
    body,
    besideTitle,
    tab: tabTitle,
    root: '.',
    icon: 'icon-192.png',
    tabs: `<nav aria-label="Pages">${links.join('')}</nav>`,
    footer: FOOTER,
  });
}

/** The buttons that choose a question, and a form for each, made from the declaration of its command. */
function questionForms(): string {
  const choices = (questions: readonly Question[]) =>
    questions
      .map(
        ({ command, asks }) =>
          `<label><input type="radio" name="ask" value="${command.name}">${escapeHtml(asks)}</label>`,
      )
      .join('\n      ');
  return `<fieldset class="questions">
      <legend class="unseen">What do you want to know?</legend>
      ${choices(QUESTIONS.filter(({ isMore }) => !isMore))}
      <details><summary>More questions</summary>${choices(QUESTIONS.filter(({ isMore }) => isMore))}</details>
    </fieldset>
    ${QUESTIONS.map(formOf).join('\n    ')}`;
}

function formOf({ command, button }: Question): string {
  // Sides first, so that they are at the same position in each form.
  const options = offeredOptions(command).toSorted((a, b) => Number(isBoard(b)) - Number(isBoard(a)));
  const isFirst = ({ kind, positional, required }: Option) =>
    required === true || kind === 'sides' || (kind === 'words' && positional === true);
  const [first, more] = [options.filter(isFirst), options.filter((option) => !isFirst(option))];
  const rest =
    more.length === 0
      ? ''
      : `<details><summary>More</summary><div class="fields">${more.map((option) => fieldOf(option, escapeHtml(option.description))).join('')}</div></details>`;
  return `<form data-command="${command.name}" hidden>
      <p>${escapeHtml(command.description)}.</p>
      <div class="fields">${first.map((option) => fieldOf(option)).join('')}</div>
      <button class="primary">${button}</button>
      ${rest}
    </form>`;
}

function isBoard({ kind }: Option): boolean {
  return kind === 'sides';
}

function fieldOf(
  option: Option,
  told = `<span>${capitalized(option.name)}</span> <small>${escapeHtml(option.description)}</small>`,
): string {
  const { name, kind } = option;
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
    return `<select name="${name}"><option value="">as usual</option>${items.join('')}</select>`;
  }
  if (kind === 'integer') return `<input type="number" name="${name}" min="${min}" max="${max}">`;
  // No placeholder for words: those of one board don't fit another.
  const shown = kind === 'words' || example === undefined ? '' : ` placeholder="${escapeHtml(example)}"`;
  // A day may be given instead of sides.
  const needed = required && kind !== 'sides' ? ' required' : '';
  return `<input name="${name}"${shown}${needed} autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false">`;
}
