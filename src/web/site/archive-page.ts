import { counted } from '../../core/text.ts';
import { titleOf } from '../../reply/replies/praise.ts';
import { announce, announceError, element, find, shape } from '../board/dom.js';
import { ask, cacheFiles } from './ask.ts';
import { type Day, exportFile, importFile, MAX_FILE_LENGTH, readDays, streakOf } from './storage.ts';

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
/** How many months are shown at once, the latest first: one row on a wide screen. */
const MONTHS_SHOWN = 3;
/** How dark a solved day is, in per cent: its points above `POINTS_WITHOUT_TONE` within `TONES`, or 100 from `BEST_POINTS` on. */
const POINTS_WITHOUT_TONE = 22;
const TONES = { least: 22, most: 52 } as const;
const BEST_POINTS = 90;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** This browser's results, and its streak. @param boardDays the days that had a board, the newest first */
function showOwnResults(boardDays: string[]) {
  const days = readDays();
  for (const place of document.querySelectorAll('[data-day]')) {
    const played = days.get(place.getAttribute('data-day') ?? '');
    if (played === undefined) continue;
    const cell = find(place.closest('li') ?? place, 'a', HTMLAnchorElement);
    if (played.isSolved) showSolved(place, cell, played);
    else {
      cell.className = 'is-begun';
      place.replaceChildren('begun');
    }
  }
  const streak = streakOf(boardDays);
  find(document, '#streak', HTMLElement).textContent =
    streak === 0
      ? 'Solve today’s board to begin a streak.'
      : `Your streak: ${counted(streak, 'day')} in a row.`;
}

function showSolved(place: Element, cell: HTMLAnchorElement, { isLate, points, words, path = '' }: Day) {
  const isBest = Number(points) >= BEST_POINTS;
  const above = Number(points ?? 0) - POINTS_WITHOUT_TONE;
  const tone = isBest ? 100 : Math.min(TONES.most, Math.max(TONES.least, above));
  cell.className = isBest ? 'is-solved is-best' : 'is-solved';
  cell.style.setProperty('--tone', `${tone}%`);
  if (points !== undefined) cell.title = titleOf(points);
  const title = points === undefined ? '' : `, ${titleOf(points)}`;
  const more = element('span', { class: 'unseen' }, isLate ? `${title}, after its day` : title);
  const drawn = shape('svg', { viewBox: '0 0 100 100', 'aria-hidden': 'true' });
  drawn.append(shape('polyline', { points: path }));
  const unit = element('span', { class: 'unit' }, words === 1 ? ' word' : ' words');
  place.replaceChildren(drawn, String(words), unit, more);
}

/** A month as a calendar. @param days those with a board, the oldest first and without gaps */
function monthOf(days: string[], today: string | undefined) {
  const [first = ''] = days;
  const name = new Date(first).toLocaleDateString('en-US', MONTH);
  // Empty cells before the first day that has a board, which need not be the 1st.
  const before = new Date(first).getUTCDay();
  const heads = WEEKDAYS.map((weekday) => element('li', { 'aria-hidden': 'true' }, weekday.slice(0, 1)));
  const gaps = Array.from({ length: before }, () => element('li', { 'aria-hidden': 'true' }));
  const cells = days.map((day) => {
    const weekday = WEEKDAYS[new Date(day).getUTCDay()];
    return element(
      'li',
      {},
      element(
        'a',
        { href: `./?day=${day}`, ...(day === today && { 'aria-current': 'date' }) },
        element('span', { class: 'unseen' }, `${weekday}, `),
        element('span', { class: 'date' }, String(Number(day.slice(8)))),
        element('span', { 'data-day': day }),
      ),
    );
  });
  return element('section', {}, element('h2', {}, name), element('ol', {}, ...heads, ...gaps, ...cells));
}

find(document, '#save', HTMLButtonElement).addEventListener('click', () => {
  // Not revoked, since Safari reads it later.
  const href = URL.createObjectURL(new Blob([exportFile()], { type: 'application/json' }));
  element('a', { href, download: 'letterboxed.json' }).click();
});

const archive = ask('archive');

const told = find(document, '#told', HTMLElement);
const chosen = find(document, '#read', HTMLInputElement);
chosen.addEventListener('change', async () => {
  told.textContent = '';
  try {
    const text = (await chosen.files?.[0]?.slice(0, MAX_FILE_LENGTH).text()) ?? '';
    const boardDays = await archive;
    const { days, games } = importFile(text, boardDays);
    showOwnResults(boardDays);
    announce('');
    told.textContent = `Read: ${counted(days, 'day')} and ${counted(games, 'game')}. What you had here is still here.`;
  } catch (error) {
    announceError(error);
  }
  // Reset, so that the same file can be chosen again.
  chosen.value = '';
});
try {
  const boardDays = await archive;
  const months = Map.groupBy(boardDays.toReversed(), (day) => day.slice(0, 7));
  const shown = [...months.values()].reverse().map((days) => monthOf(days, boardDays[0]));
  find(document, '#months', HTMLElement).append(...shown.slice(0, MONTHS_SHOWN));
  find(document, '#earlier', HTMLElement).append(...shown.slice(MONTHS_SHOWN));
  showOwnResults(boardDays);
  // A day may be solved in another tab, or on a page from which Back leads to this one as it was left.
  document.addEventListener('visibilitychange', () => showOwnResults(boardDays));
} catch (error) {
  announceError(error);
}
void cacheFiles();
