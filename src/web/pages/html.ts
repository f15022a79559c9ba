import { counted } from '../../core/text.ts';
import { filesIn } from '../../http/files.ts';
import { escapeHtml, LOGO } from '../../http/pages.ts';
import { boxMarkup, lettersMarkup } from '../board/lines.js';
import type { BoardView } from '../board/view.ts';

export interface BoardDocument {
  readonly title: string;
  readonly par?: number;
  /** A sentence below the board. */
  readonly about: string;
  /** The script's data for drawing it. */
  readonly view: BoardView;
}

/** Pages load only files of their own server. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** @param framedBy origins whose pages may frame a page */
export function contentSecurityPolicy(framedBy: readonly string[] = []): string {
  return `${CONTENT_SECURITY_POLICY}; frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`;
}

export const GAME = 'Letter Boxed';
/** The style sheets of a page. */
export const STYLES = ['board/font', 'board/theme', 'board/board', 'board/ending', 'pages/page'].map(
  (name) => `web/${name}.css`,
);
export const RULES =
  'Connect all the letters in as few words as you can: par is a good number of words. Each word begins with the last letter of the word before, and two letters of the same side never follow each other.';

const NEEDS_SCRIPT = 'To play here, JavaScript has to be on.';
const PLAY_SCRIPT = '<script type="module" src="../web/pages/play.js"></script>';

/** The page of somebody's own board, one folder below the root of the pages. */
export function boardDocument({ title, par, about, view }: BoardDocument): string {
  const sides = view.sides.map(({ spots }) => spots.map(({ letter }) => letter.toUpperCase()).join(''));
  return document(title, {
    head: `<meta name="robots" content="noindex">\n  ${PLAY_SCRIPT}`,
    besideTitle: parPill(par),
    body: `<div id="board" data-board="${escapeHtml(JSON.stringify(view))}">
      ${placeholderBoard(view)}
      <noscript><p>${NEEDS_SCRIPT} The sides are ${sides.join(', ')}.</p></noscript>
    </div>
    <div id="race"></div>
    <p id="status" class="trouble" role="status"></p>
    <p class="rules">${escapeHtml(about)}</p>
    <p class="rules">${RULES}</p>`,
  });
}

/** The way to the site from a page one folder below it. */
export const TO_SITE = '<p><a class="button" href="../">Today’s board</a></p>';

/** A page with one message, one folder below the root. @param more HTML */
export function messageDocument(title: string, message: string, more = ''): string {
  return document(title, { body: `<p>${escapeHtml(message)}</p>\n    ${more}` });
}

/**
 * The page for a personal link: its script exchanges the token in the fragment of the address, which the server does not see.
 *
 * @param message what the script says if there is no token
 * @param more HTML
 */
export function arrivalDocument(title: string, message: string, more = ''): string {
  const body = `<p id="status" role="status" data-trouble="${escapeHtml(message)}"></p>
    <noscript><p>${NEEDS_SCRIPT}</p></noscript>
    ${more}`;
  return document(title, { head: PLAY_SCRIPT, body });
}

/** A script fills it in where the par is not known yet. */
export function parPill(par?: number): string {
  return `<p id="par" class="pill">${parText(par)}</p>`;
}

export function parText(par: number | undefined): string {
  return par === undefined ? '' : `Par ${counted(par, 'word')}`;
}

/** A board as it is first painted, until a script replaces it without moving anything. */
export function placeholderBoard(view: BoardView): string {
  const buttons = ['Enter', 'Back', 'Restart', 'Hint'].map(
    (label) => `<button type="button" disabled${label === 'Enter' ? ' class="enter"' : ''}>${label}</button>`,
  );
  return `<div class="board is-waiting" aria-hidden="true"><div class="table"><div class="top"><p class="word w0"></p></div>
      <div class="box">${placeholderBox(view)}</div>
      <div class="below"><p class="said"></p><div class="buttons">${buttons.join('')}</div></div><div class="side"></div></div></div>`;
}

export function placeholderBox(view: BoardView): string {
  return `<svg viewBox="0 0 ${view.size} ${view.size}" aria-hidden="true">${boxMarkup(view)}${lettersMarkup(view)}</svg>`;
}

export interface DocumentParts {
  readonly head?: string;
  readonly body: string;
  readonly besideTitle?: string;
  /** The root of the pages, as a relative address. */
  readonly root?: string;
  readonly icon?: string;
  /** The title of the browser's tab, if it is not the heading with the name of the game. */
  readonly tab?: string;
  /** The tabs at the top, and the links at the end. */
  readonly tabs?: string;
  readonly footer?: string;
}

/** The page of an Activity, at the root of its own host. Its script asks Discord who the person is, then loads the board. */
export function activityDocument(application: string): string {
  return document(GAME, {
    head: '<script type="module" src="web/pages/activity.js"></script>',
    body: `<div id="board" data-application="${application}"></div>
    <div id="players"></div>
    <div id="race"></div>
    <p id="friend" class="buttons"></p>
    <p id="status" class="trouble" role="status"></p>
    <p class="rules">${RULES}</p>`,
    root: '.',
    besideTitle: parPill(),
    tab: GAME,
  });
}

export function document(
  title: string,
  {
    head = '',
    body,
    besideTitle = '',
    root = '..',
    icon = 'data:,',
    tabs = '',
    footer = '',
    tab = `${title} · ${GAME}`,
  }: DocumentParts,
): string {
  const name = `${LOGO}<span>${GAME}</span>`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="theme-color" content="#f6f3ec" media="(prefers-color-scheme: light)">
  <meta name="theme-color" content="#1b1c20" media="(prefers-color-scheme: dark)">
  <title>${escapeHtml(tab)}</title>
  <link rel="icon" href="${icon}">
  ${STYLES.map((file) => `<link rel="stylesheet" href="${root}/${file}">`).join('\n  ')}
  ${head}
</head>
<body>
  <header class="masthead">${tabs === '' ? `<p class="wordmark">${name}</p>` : `<a class="wordmark" href="${root}/">${name}</a>\n    ${tabs}`}</header>
  <main>
    <div class="day"><h1>${escapeHtml(title)}</h1>${besideTitle}</div>
    ${body}
  </main>${footer}
</body>
</html>
`;
}

/** The folder that the addresses of our scripts and styles are relative to. */
export const SOURCE = new URL('../../', import.meta.url);

/**
 * The scripts and styles in folders of `src/web/`. Their addresses are their paths below `src/`, so that imports between
 * them are the same for the browser and for the compiler.
 */
export function webFiles(...folders: readonly string[]): string[] {
  const paths = folders.map((folder) => `web/${folder}/`);
  return paths
    .flatMap((path) => filesIn(new URL(path, SOURCE)).map((name) => path + name))
    .filter((name) => /\.(css|js)$/.test(name));
}
