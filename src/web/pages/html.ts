import { counted } from '../../core/text.ts';
import { escapeHtml } from '../../http/router.ts';
import type { Board } from '../../solver/types.ts';

export interface BoardDocument {
  readonly title: string;
  readonly par?: number;
  /** A sentence below the board. */
  readonly about: string;
  readonly board: Board;
  /** The script's data for drawing it, as JSON. */
  readonly view: object;
}

/** Pages load only files of their own server. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** @param frames whose pages may frame a page: nobody's, unless they are named */
export function contentSecurityPolicy(frames = "'none'"): string {
  return `${CONTENT_SECURITY_POLICY}; frame-ancestors ${frames}`;
}

export const RULES =
  'Connect all the letters in as few words as you can. Each word begins with the last letter of the word before, and two letters of the same side never follow each other.';

/** Somebody's own board, one folder below the root of the pages. */
export function boardDocument({ title, par, about, board, view }: BoardDocument): string {
  return document(
    title,
    `<meta name="robots" content="noindex">
  <script type="module" src="../web/pages/play.js"></script>`,
    `<div id="board" data-board="${escapeHtml(JSON.stringify(view))}">
      <noscript><p>To play here, JavaScript has to be on. The sides are ${escapeHtml(sidesOf(board))}.</p></noscript>
    </div>
    <p id="status" class="trouble" role="status"></p>
    <p>${escapeHtml(about)}</p>
    <p class="rules">${RULES}</p>`,
    { above: par === undefined ? '' : `<p>Par ${counted(par, 'word')}</p>` },
  );
}

/** A page that says one thing, one folder below the root. */
export function messageDocument(title: string, message: string): string {
  return document(title, '', `<p>${escapeHtml(message)}</p>\n    <p><a href="../">Today’s board</a></p>`);
}

/** The page where a personal link arrives: its script exchanges the token in the fragment of the address. */
export function arrivalDocument(title: string, message: string): string {
  return document(
    title,
    '<script type="module" src="../web/pages/play.js"></script>',
    `<p id="status" class="trouble" role="status">${escapeHtml(message)}</p>`,
  );
}

/** The page of an Activity, at the root of its own host. Its script asks Discord who is there, and then for the board. */
export function activityDocument(application: string): string {
  return document(
    'Letter Boxed',
    '<script type="module" src="web/pages/activity.js"></script>',
    `<div id="board" data-application="${application}"></div>
    <div id="company"></div>
    <p id="status" class="trouble" role="status"></p>
    <p class="rules">${RULES}</p>`,
    { root: '.', above: '<p id="par"></p>' },
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
  <link rel="stylesheet" href="${root}/web/board/theme.css">
  <link rel="stylesheet" href="${root}/web/board/board.css">
  <link rel="stylesheet" href="${root}/web/pages/page.css">
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

function sidesOf({ sides }: Board): string {
  return sides.map((side) => side.toUpperCase()).join(', ');
}

/**
 * The files that a page with a board loads. The files of all pages have the addresses that they have below `src/`, so that
 * the imports between them are the same for the browser and for the compiler.
 */
export const BOARD_FILES = ['theme.css', 'board.css', 'board.js', 'dom.js', 'game.js', 'stroke.js'].map(
  (name) => `web/board/${name}`,
);

/** Where those addresses begin. */
export const SOURCE = new URL('../../', import.meta.url);
