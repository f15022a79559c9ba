import { howToPlay } from '../board/how.js';

// Draws how to play across each board, with its words.
for (const box of document.querySelectorAll('[data-how]')) {
  const { view, words } = JSON.parse(box.getAttribute('data-how') ?? '');
  box.append(howToPlay(view, words));
}
// For pages that don't ask the solver: they only register the service worker, and load no word list.
void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
