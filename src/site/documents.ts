import { document, RULES } from '../pages/html.ts';

const STATUS = '<p id="status" class="trouble" role="status"></p>';
const NO_SCRIPT = '<noscript><p>To play here, JavaScript has to be on.</p></noscript>';

/** The pages of the site, which their scripts fill in. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'index.html': document(
    'Letter Boxed',
    '<script type="module" src="board-page.js"></script>',
    `<div id="board">${NO_SCRIPT}</div>
    ${STATUS}
    <p class="rules">${RULES}</p>
    <p><a href="./">Today’s board</a> · <a href="archive.html">Past boards</a></p>`,
    { root: '.', above: '<p id="par"></p>' },
  ),
  'archive.html': document(
    'Past boards',
    '<script type="module" src="archive-page.js"></script>',
    `${NO_SCRIPT}
    <p id="streak" data-days=""></p>
    <ul class="days"></ul>
    ${STATUS}
    <p id="note" class="rules"></p>
    <p class="turns"></p>
    <p><a href="./">Today’s board</a></p>`,
    { root: '.' },
  ),
};
