// A page without questions needs no worker, and no words before the service worker caches them.
void navigator.serviceWorker?.register('sw.js').catch(() => undefined);
