import type { Board } from '../solver/types.ts';

/** What a preview of a link shows. */
export interface Preview {
  readonly address: string;
  readonly picture: string;
  readonly alt: string;
}

export interface BoardDocument {
  readonly title: string;
  /** One sentence each, below the title. */
  readonly about: readonly string[];
  readonly description: string;
  readonly board: Board;
  /** What the script needs to draw it, as JSON. */
  readonly view: object;
  /** Somebody's own game, which the server keeps; otherwise the browser does. */
  readonly isPersonal: boolean;
  /** Left out of pages that are one person's. */
  readonly preview?: Preview;
}

const RULES =
  'Connect all the letters in as few words as you can. Each word begins with the last letter of the word before, and two letters of the same side never follow each other.';

/** Of a page that is one folder below the root of the pages. */
export function boardDocument(page: BoardDocument): string {
  const { title, about, board, view, isPersonal, preview } = page;
  const kind = isPersonal ? 'own' : 'visitor';
  return document(
    title,
    `${head(page, preview)}
  <script type="module" src="../pages/browser/play.js"></script>`,
    `${about.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n    ')}
    <div id="board" data-kind="${kind}" data-board="${escapeHtml(JSON.stringify(view))}">
      <noscript><p>To play here, JavaScript has to be on. The sides are ${escapeHtml(sidesOf(board))}.</p></noscript>
    </div>
    <p id="status" class="trouble" role="status"></p>
    <p class="rules">${RULES}</p>`,
  );
}

/** A page that says one thing. */
export function messageDocument(title: string, message: string): string {
  return document(title, '', `<p>${escapeHtml(message)}</p>`);
}

/** Where a personal link arrives: its script exchanges what is in the fragment of the address. */
export function arrivalDocument(title: string, message: string): string {
  return document(
    title,
    '<script type="module" src="../pages/browser/arrive.js"></script>',
    `<p id="status" class="trouble" role="status">${escapeHtml(message)}</p>`,
  );
}

function document(title: string, extra: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)} · Letter Boxed</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="../pages/browser/theme.css">
  <link rel="stylesheet" href="../pages/browser/board.css">
  <link rel="stylesheet" href="../pages/browser/page.css">
  ${extra}
</head>
<body>
  <header><p>Letter Boxed</p></header>
  <main>
    <h1>${escapeHtml(title)}</h1>
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

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
