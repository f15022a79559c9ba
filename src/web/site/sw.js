/** Caches the files of the site for offline use. `scripts/site.ts` writes the line with SITE before this. */

/**
 * @typedef {object} WorkerEvent
 * @property {Request} request
 * @property {(done: Promise<unknown>) => void} waitUntil
 * @property {(answer: Promise<Response>) => void} respondWith
 */

const scope = /** @type {any} */ (globalThis);
/** @type {{ version: string, files: string[] }} */
const { version, files } = scope.SITE;
/** A host may have this site in other folders, too. */
const OWN = `letterboxed ${scope.registration.scope} `;
const CACHE = OWN + version;

scope.addEventListener('install', (/** @type {WorkerEvent} */ event) => event.waitUntil(fill()));
scope.addEventListener('activate', (/** @type {WorkerEvent} */ event) => event.waitUntil(forgetOthers()));
scope.addEventListener('fetch', (/** @type {WorkerEvent} */ event) =>
  event.respondWith(answer(event.request)),
);

async function fill() {
  const cache = await caches.open(CACHE);
  // The browser's own cache may have files of an older version.
  await cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })));
}

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  // Browsers take no redirected answer for a page, and some hosts redirect archive.html to archive.
  return kept?.redirected ? new Response(kept.body, kept) : (kept ?? fetch(request));
}
