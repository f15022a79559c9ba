/** The board in a frame of another page, as docs/hosting.md describes it. */

/** The origin of the page around this one, once it is known to be allowed. @type {string | undefined} */
let around;

/** Throws a sentence for people in a frame of an origin that the operator has not allowed. */
export async function allowFrame() {
  if (window.parent === window) return;
  const response = await fetch('embed.json').catch(() => undefined);
  /** @type {string[]} */
  const allowed = response?.ok ? await response.json() : [];
  // Where browsers don't tell all pages around this one, the nearest is where its address was loaded from.
  const origins = location.ancestorOrigins
    ? [...location.ancestorOrigins]
    : [URL.parse(document.referrer)?.origin ?? ''];
  if (!origins.every((origin) => allowed.includes(origin)))
    throw new Error('This page may not show the board inside of it. Open the board by itself.');
  [around] = origins;
  for (const link of document.links) link.target = '_blank';
}

/** @param {{ day?: string, words: number, hints: number, isRevealed: boolean }} result */
export function tellFrame(result) {
  if (around !== undefined) window.parent.postMessage({ type: 'letterboxed-solved', ...result }, around);
}
