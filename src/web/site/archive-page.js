import { counted } from '../../core/text.ts';
import { element, find, tellTrouble } from '../board/dom.js';
import { ask, keepFiles } from './ask.js';
import { addFile, keptAsFile, LONGEST_FILE, readDays, streakLine } from './kept.js';

/** This browser's results of the days, and the streak. */
function showKept() {
  const days = readDays();
  for (const place of document.querySelectorAll('[data-day]')) {
    const played = days.get(place.getAttribute('data-day') ?? '');
    if (played === undefined) continue;
    const words = counted(played.words, 'word');
    place.textContent = played.isSolved ? `${words}${played.isLate ? ', after its day' : ''}` : 'begun';
  }
  const streak = find(document, '#streak', HTMLElement);
  streak.textContent = streakLine((streak.dataset.days ?? '').split(' '));
}

find(document, '#save', HTMLButtonElement).addEventListener('click', () => {
  const href = URL.createObjectURL(new Blob([keptAsFile()], { type: 'application/json' }));
  element('a', { href, download: 'letterboxed.json' }).click();
  URL.revokeObjectURL(href);
});

/** @type {Promise<{ days: { date: string, name: string }[], note?: string, links: { label: string, page: number }[], known: string[] }>} */
const archive = ask('archive');

const told = find(document, '#told', HTMLElement);
const chosen = find(document, '#read', HTMLInputElement);
chosen.addEventListener('change', async () => {
  told.textContent = '';
  try {
    const text = (await chosen.files?.[0]?.slice(0, LONGEST_FILE).text()) ?? '';
    const { known } = await archive;
    const { days, games } = addFile(text, known);
    showKept();
    tellTrouble('');
    told.textContent = `Read: ${counted(days, 'day')} and ${counted(games, 'game')}. What you had here is still here.`;
  } catch (error) {
    tellTrouble(error);
  }
  // The same file may be chosen again.
  chosen.value = '';
});
try {
  const { days, note = '', links, known } = await archive;
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
  showKept();
} catch (error) {
  tellTrouble(error);
}
void keepFiles();
