import { readDays } from './kept.js';

/** The list of past days: what this browser knows of each, and the streak. */
const days = readDays();
for (const place of document.querySelectorAll('[data-day]')) {
  const played = days.get(place.getAttribute('data-day') ?? '');
  if (played === undefined) continue;
  const words = `${played.words} ${played.words === 1 ? 'word' : 'words'}`;
  place.textContent = played.isSolved ? `${words}${played.isLate ? ', after its day' : ''}` : 'begun';
}

const streak = document.querySelector('[data-days]');
if (streak !== null) {
  const [today, ...past] = (streak.getAttribute('data-days') ?? '').split(' ');
  const isOnTime = (/** @type {string | undefined} */ day) => {
    const played = days.get(day ?? '');
    return played?.isSolved === true && !played.isLate;
  };
  const missed = past.findIndex((day) => !isOnTime(day));
  const length = (missed < 0 ? past.length : missed) + (isOnTime(today) ? 1 : 0);
  streak.textContent = `Your streak in this browser is ${length} ${length === 1 ? 'day' : 'days'}.`;
}
