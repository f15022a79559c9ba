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
