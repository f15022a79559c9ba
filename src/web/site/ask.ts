import { announce, Unreachable, working } from '../board/dom.js';
import type { Site } from './site.ts';

/** A worker of the browser, which answers what other pages ask a server. */
const worker = new Worker('worker.js', { type: 'module' });
/** Rejected if the worker does not load: what waits for it, or is asked later, fails. */
const failure = new Promise<never>((_, reject) => {
  worker.addEventListener('error', () => reject(new Unreachable('This page did not load whole. Reload it.')));
});
// Callers of `ask` receive the rejection.
failure.catch(() => undefined);

/**
 * Asks what a method of Site answers. A refusal is thrown as an error with a sentence for people.
 *
 * @param day of the board that the page shows: by now, today may be another day
 */
export function ask<What extends keyof Site>(
  what: What,
  fields: object = {},
  day?: string,
): Promise<Awaited<ReturnType<Site[What]>>> {
  const pageQuery = Object.fromEntries(new URLSearchParams(location.search));
  const { port1: answers, port2: port } = new MessageChannel();
  worker.postMessage({ what, asked: day === undefined ? pageQuery : { ...pageQuery, day }, fields }, [port]);
  const answered = new Promise<Awaited<ReturnType<Site[What]>>>((resolve, reject) => {
    answers.onmessage = ({ data: { answer, trouble, mayAskAgain } }) => {
      answers.close();
      if (trouble !== undefined) return reject(mayAskAgain ? new Unreachable(trouble) : new Error(trouble));
      // What is asked in the background clears no message.
      if (!['ready', 'board', 'draw'].includes(what)) announce('');
      resolve(answer);
    };
  });
  const answer = Promise.race([failure, answered]);
  // Words and hints may wait for the word list.
  return what === 'play' || what === 'help' ? working(answer) : answer;
}

/** Makes the site work offline. Files are cached only after the word list has arrived, which people wait for. */
export async function cacheFiles() {
  await ask('ready').catch(() => undefined);
  // Without a cache in the browser, the site still works online.
  await navigator.serviceWorker?.register('sw.js').catch(() => undefined);
}
