/** From now on, the site needs no network. Where browsers keep no files, it still plays with one. */
export function keepFiles() {
  navigator.serviceWorker?.register('sw.js').catch(() => undefined);
}
