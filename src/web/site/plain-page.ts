import { howToPlay } from '../board/how.js';

// Shows how to play as a loop on each board of the page: `data-how` has the board and the words to draw.
for (const box of document.querySelectorAll('[data-how]')) {
  const { view, words } = JSON.parse(box.getAttribute('data-how') ?? '');
  box.append(howToPlay(view, words));
}
// For pages that don't ask the solver: they only register the service worker, and load no word list.
void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
