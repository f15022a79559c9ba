import { readDays, streakLine } from './kept.js';

/** The list of past days: what this browser knows of each, and the streak. */
const days = readDays();
for (const place of document.querySelectorAll('[data-day]')) {
  const played = days.get(place.getAttribute('data-day') ?? '');
  if (played === undefined) continue;
  const words = `${played.words} ${played.words === 1 ? 'word' : 'words'}`;
  place.textContent = played.isSolved ? `${words}${played.isLate ? ', after its day' : ''}` : 'begun';
}

const streak = document.querySelector('[data-days]');
if (streak !== null) streak.textContent = streakLine((streak.getAttribute('data-days') ?? '').split(' '));
