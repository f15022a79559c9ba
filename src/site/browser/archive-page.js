import { element, find, tellTrouble } from '../../pages/browser/element.js';
import { ask } from './ask.js';
import { keepFiles } from './keep-files.js';

/** Fills in what the server writes into the page of past days. */
try {
  /** @type {{ days: { date: string, name: string }[], note?: string, links: { label: string, page: number }[], known: string[] }} */
  const { days, note = '', links, known } = await ask('archive');
  find(document, '#streak', HTMLElement).dataset.days = known.join(' ');
  find(document, '.days', HTMLElement).append(
    ...days.map(({ date, name }) =>
      element(
        'li',
        {},
        element('a', { href: `./?day=${date}` }, name),
        ' ',
        element('span', { 'data-day': date }, 'not played'),
      ),
    ),
  );
  find(document, '#note', HTMLElement).textContent = note;
  find(document, '.turns', HTMLElement).append(
    ...links.map(({ label, page }) => element('a', { href: `archive.html?page=${page}` }, label)),
  );
  await import('./archive.js');
} catch (error) {
  tellTrouble(error);
}
void keepFiles();
