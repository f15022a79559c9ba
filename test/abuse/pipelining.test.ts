import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { fileRoutes } from '../../src/http/files.ts';
import { legalRoutes, makeRouter } from '../../src/http/router.ts';
import { HTTP_LIMITS, HttpServer } from '../../src/http/server.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Larger than what the system takes for a client that reads nothing. */
const FILE_SIZE = 8_000_000;

/** The pages and a file of the bot on a port of their own. `asked` counts the requests that reach the router. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const words = Buffer.alloc(FILE_SIZE, 'words');
  writeFileSync(join(folder, 'words.bin'), words);
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  const counts = { asked: 0 };
  router.use((_, next) => {
    counts.asked++;
    return next();
  });
  router.get('/healthz', (context) => context.text('ok'));
  router.route('/', legalRoutes({}));
  router.route('/', fileRoutes(pathToFileURL(`${folder}/`), ['words.bin']));
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0 });
  await server.start();
  ends.push(() => server.stop());
  return { base: `http://127.0.0.1:${server.port}`, port: server.port, counts, words };
}

/** Opens connections that send all these requests at once and read nothing. */
async function pipeline(port: number, connections: number, count: number, path: string): Promise<Socket[]> {
  const requests = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count);
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    return socket.pause();
  });
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => void socket.write(requests, () => resolve(undefined)))),
  );
  return sockets;
}

it.each([
  [10, 200, '/words.bin'],
  [5, 1400, '/terms'],
])('%i connections that pipeline %i requests for %s cost a few answers', async (connections, count, path) => {
  const { base, port, counts } = await open();
  const before = process.memoryUsage().arrayBuffers;
  const sockets = await pipeline(port, connections, count, path);
  const closed = sockets.map((socket) => socket.closed || once(socket.resume(), 'close'));
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  expect(counts.asked).toBeLessThanOrEqual(connections * HTTP_LIMITS.maxUnanswered + 1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FILE_SIZE / 2);
  await Promise.all(closed);
});

it('sends a file without a copy for each client that does not read it', async () => {
  const { base, port, counts } = await open();
  const before = process.memoryUsage().arrayBuffers;
  await pipeline(port, 10, HTTP_LIMITS.maxUnanswered, '/words.bin');
  await expect.poll(() => counts.asked).toBe(10 * HTTP_LIMITS.maxUnanswered);
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FILE_SIZE / 2);
});

it('sends a file whole, with its length', async () => {
  const { base, words } = await open();
  const answer = await fetch(`${base}/words.bin`);
  expect(answer.headers.get('content-length')).toBe(String(FILE_SIZE));
  expect(Buffer.from(await answer.arrayBuffer()).equals(words)).toBe(true);
  const head = await fetch(`${base}/words.bin`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(FILE_SIZE)]);
});

it('answers requests in order as long as few of them wait', async () => {
  const { port } = await open();
  const [socket] = await pipeline(port, 1, HTTP_LIMITS.maxUnanswered, '/healthz');
  let answers = '';
  socket!.setEncoding('utf8').on('data', (chunk: string) => {
    answers += chunk;
  });
  socket!.resume();
  // Again on the same connection: what was answered counts no more.
  const isAnswered = (times: number) => answers.split('\r\n\r\nok').length - 1 === times;
  await expect.poll(() => isAnswered(HTTP_LIMITS.maxUnanswered)).toBe(true);
  socket!.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => isAnswered(HTTP_LIMITS.maxUnanswered + 1)).toBe(true);
});
