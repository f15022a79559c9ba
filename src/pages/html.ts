import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { counted } from '../core/text.ts';
import { escapeHtml, type HttpContext } from '../http/router.ts';
import type { Board } from '../solver/types.ts';

/** What a preview of a link shows. */
export interface Preview {
  readonly address: string;
  readonly picture: string;
  readonly alt: string;
}

export interface BoardDocument {
  readonly title: string;
  readonly par?: number;
  /** A sentence below the board. */
  readonly about?: string;
  readonly description: string;
  readonly board: Board;
  /** What the script needs to draw it, as JSON. */
  readonly view: object;
  /** A day whose result the browser keeps. */
  readonly day?: string;
  /** Somebody's own game, which the server keeps; otherwise the browser does. */
  readonly isPersonal: boolean;
  /** Left out of pages that are one person's. */
  readonly preview?: Preview;
}

export const RULES =
  'Connect all the letters in as few words as you can. Each word begins with the last letter of the word before, and two letters of the same side never follow each other.';

/** Of a page that is one folder below the root of the pages. */
export function boardDocument(page: BoardDocument): string {
  const { title, par, about, board, view, day, isPersonal, preview } = page;
  const kind = isPersonal ? 'own' : 'visitor';
  const kept = day === undefined ? '' : ` data-day="${day}"`;
  return document(
    title,
    `${head(page, preview)}
  <script type="module" src="../pages/browser/play.js"></script>`,
    `<div id="board" data-kind="${kind}"${kept} data-board="${escapeHtml(JSON.stringify(view))}">
      <noscript><p>To play here, JavaScript has to be on. The sides are ${escapeHtml(sidesOf(board))}.</p></noscript>
    </div>
    <p id="status" class="trouble" role="status"></p>
    ${about === undefined ? '' : `<p>${escapeHtml(about)}</p>`}
    <p class="rules">${RULES}</p>${isPersonal ? '' : '\n    <p><a href="../archive">Past boards</a></p>'}`,
    { above: par === undefined ? '' : `<p>Par ${counted(par, 'word')}</p>` },
  );
}

export interface ArchiveDocument {
  /** Newest first. */
  readonly days: readonly { readonly date: string; readonly name: string }[];
  readonly note?: string;
  /** Other pages of the list. */
  readonly links: readonly { readonly label: string; readonly page: number }[];
  /** The newest days that had a board, today first: the streak goes by them. */
  readonly known: readonly string[];
}

/** The list of past days, at the root of the pages: the browser adds what it knows of each. */
export function archiveDocument({ days, note, links, known }: ArchiveDocument): string {
  const items = days.map(
    ({ date, name }) =>
      `<li><a href="day/${date}">${escapeHtml(name)}</a> <span data-day="${date}">not played</span></li>`,
  );
  const turns = links.map(({ label, page }) => `<a href="archive?page=${page}">${label}</a>`);
  return document(
    'Past boards',
    '<script type="module" src="pages/browser/archive.js"></script>',
    `<p data-days="${known.join(' ')}"></p>
    ${days.length === 0 ? '<p>There are no past boards yet.</p>' : `<ul class="days">\n      ${items.join('\n      ')}\n    </ul>`}
    ${note === undefined ? '' : `<p class="rules">${escapeHtml(note)}</p>`}
    <p class="turns">${turns.join(' ')}</p>
    <p><a href="day/${known[0] ?? 'today'}">Today’s board</a></p>`,
    { root: '.' },
  );
}

/** A page that says one thing, and leads on to the boards there are. @param root of the pages, seen from this one */
export function messageDocument(title: string, message: string, root: string): string {
  return document(
    title,
    '',
    `<p>${escapeHtml(message)}</p>
    <p><a href="${root}/archive">Past boards</a></p>`,
    { root },
  );
}

/** Where a personal link arrives: its script exchanges what is in the fragment of the address. */
export function arrivalDocument(title: string, message: string): string {
  return document(
    title,
    '<script type="module" src="../pages/browser/arrive.js"></script>',
    `<p id="status" class="trouble" role="status">${escapeHtml(message)}</p>`,
  );
}

/** @param root of the pages, seen from this one */
export function document(
  title: string,
  extra: string,
  body: string,
  { root = '..', above = '', icon = 'data:,' } = {},
): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)} · Letter Boxed</title>
  <link rel="icon" href="${icon}">
  <link rel="stylesheet" href="${root}/pages/browser/theme.css">
  <link rel="stylesheet" href="${root}/pages/browser/board.css">
  <link rel="stylesheet" href="${root}/pages/browser/page.css">
  ${extra}
</head>
<body>
  <main>
    <div class="day"><h1>${escapeHtml(title)}</h1>${above}</div>
    ${body}
  </main>
</body>
</html>
`;
}

function head({ title, description }: BoardDocument, preview: Preview | undefined): string {
  if (preview === undefined) return '<meta name="robots" content="noindex">';
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Letter Boxed',
    'og:title': title,
    'og:description': description,
    'og:url': preview.address,
    'og:image': preview.picture,
    'og:image:width': '800',
    'og:image:height': '800',
    'og:image:alt': preview.alt,
  };
  return [
    `<meta name="description" content="${escapeHtml(description)}">`,
    '<meta name="twitter:card" content="summary">',
    ...Object.entries(properties).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
    ),
  ].join('\n  ');
}

function sidesOf({ sides }: Board): string {
  return sides.map((side) => side.toUpperCase()).join(', ');
}

/**
 * What a page with a board loads. The files of all pages have the addresses that they have below `src/`, so
 * that the imports between them are the same for the browser and for the compiler.
 */
export const BOARD_FILES = [
  'theme.css',
  'board.css',
  'board.js',
  'element.js',
  'game.js',
  'stroke.js',
  'unsent.js',
].map((name) => `pages/browser/${name}`);

const SOURCE = new URL('../', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/** @param file its path below `src/`; never one that a request has named. */
export async function sendFile(context: HttpContext, file: string): Promise<Response> {
  const type = `${TYPES[extname(file)]}; charset=utf-8`;
  return context.body(await readFile(new URL(file, SOURCE)), 200, { 'content-type': type });
}
