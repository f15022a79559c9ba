import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { DownloadFailed, DownloadPending, lazyDownload } from '../../../src/web/site/download.ts';

afterEach(() => vi.unstubAllGlobals());

/** What asking throws. */
function thrownBy(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return error;
  }
}

test('a file that did not arrive is requested again, and one that did is not', async () => {
  const answers = [new Response(null, { status: 503 }), new Response(gzipSync('words'))];
  const fetched = vi.fn(async () => answers.shift()!);
  vi.stubGlobal('fetch', fetched);
  const file = lazyDownload('words.bin', (bytes) => new TextDecoder().decode(bytes));
  const first = thrownBy(file) as DownloadPending;
  expect(first).toBeInstanceOf(DownloadPending);
  // Everybody who asks meanwhile waits for the same request.
  expect((thrownBy(file) as DownloadPending).until).toBe(first.until);
  await expect(first.until).rejects.toThrow(DownloadFailed);
  await (thrownBy(file) as DownloadPending).until;
  expect([file(), file()]).toEqual(['words', 'words']);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('a new version deletes the files of earlier ones, and nothing of others at the same origin', async () => {
  const listeners = new Map<string, (event: { waitUntil(done: Promise<unknown>): void }) => void>();
  const here = 'letterboxed https://you.example.org/boards/';
  const others = ['letterboxed https://you.example.org/boards/new/ 1', 'of-others'];
  const names = new Set([`${here} 1`, `${here} 2`, ...others]);
  vi.stubGlobal('registration', { scope: 'https://you.example.org/boards/' });
  vi.stubGlobal('SITE', { version: '2', files: [] });
  vi.stubGlobal('addEventListener', listeners.set.bind(listeners));
  vi.stubGlobal('caches', {
    keys: async () => [...names],
    delete: async (name: string) => names.delete(name),
  });
  vi.stubGlobal('clients', { claim: async () => {} });
  await import('../../../src/web/site/sw.js');
  await new Promise((resolve) => listeners.get('activate')!({ waitUntil: resolve }));
  expect([...names]).toEqual([`${here} 2`, ...others]);
});

test('the worker is asked about the day of the board that is shown, whatever day it is by now', async () => {
  const questions: unknown[] = [];
  let fail: (() => void) | undefined;
  let isBroken = false;
  class Worker {
    addEventListener(_: 'error', listener: () => void) {
      fail = listener;
    }
    postMessage({ asked }: { asked: unknown }, [port]: [MessagePort]) {
      questions.push(asked);
      if (!isBroken) port.postMessage({ answer: 'an answer' });
    }
  }
  vi.stubGlobal('Worker', Worker);
  vi.stubGlobal('location', { search: '?board=abc-def' });
  vi.stubGlobal('HTMLElement', Object);
  const status = { textContent: 'One moment …' };
  vi.stubGlobal('document', { querySelector: () => status });
  vi.useFakeTimers();
  const { ask } = await import('../../../src/web/site/ask.ts');
  await Promise.all([ask('play', {}, '2026-11-20'), ask('board')]);
  expect(questions).toEqual([{ board: 'abc-def', day: '2026-11-20' }, { board: 'abc-def' }]);
  // It does not say later that an answer takes a while which is there.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(status.textContent).toBe('');
  // Nor that it waits for a worker that did not load.
  isBroken = true;
  fail?.();
  await expect(ask('play')).rejects.toThrow('Reload it');
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(status.textContent).toBe('');
});
