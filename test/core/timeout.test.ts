import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { timeoutAwake } from '../../src/core/clock.ts';

/** Long enough that the answer comes in nine tenths of it on a busy machine. */
const TIMEOUT_MS = 500;
let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(answers: boolean): Promise<string> {
  server = createServer((_, response) => {
    if (answers) response.end('posted');
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the answer to a request is read although the process stood still for longer than its timeout', async () => {
  const url = await serve(true);
  const request = fetch(url, { method: 'POST', signal: timeoutAwake(TIMEOUT_MS) });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * TIMEOUT_MS);
  expect(await (await request).text()).toBe('posted');
});

test('a request without an answer is aborted', async () => {
  const url = await serve(false);
  await expect(fetch(url, { signal: timeoutAwake(TIMEOUT_MS) })).rejects.toThrow('abort');
});
