import { ask } from './ask.js';

/** From then on, the site needs no network. Nothing is kept before the word list is there, which people wait for. */
export async function keepFiles() {
  await ask('ready').catch(() => undefined);
  // Where browsers keep no files, the site still plays with a network.
  await navigator.serviceWorker?.register('sw.js').catch(() => undefined);
}
