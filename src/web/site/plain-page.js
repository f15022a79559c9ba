// For pages that don't ask the solver: they only register the service worker, and load no word list.
void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
