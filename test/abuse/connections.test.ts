import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { makeRouter } from '../../src/http/router.ts';
import { HTTP_LIMITS, HttpServer } from '../../src/http/server.ts';
import { healthRoutes } from '../../src/operations/observability/health.ts';
import { Metrics } from '../../src/operations/observability/metrics.ts';
import { serveWeb } from '../chat/web/serve.ts';
import { sample } from '../fakes/sample.ts';
import { makeVitals } from '../fakes/vitals.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The health pages as the bot serves them, on a port of their own. */
async function openHealth(maxConnections = HTTP_LIMITS.maxConnections): Promise<number> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const router = makeRouter(log);
  const vitals = makeVitals({ lastTick: () => performance.now(), elapsed: () => performance.now() });
  router.route(
    '/',
    healthRoutes(vitals, new Metrics({ backlog: async () => [], counts: async () => [], now: Date.now })),
  );
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits: { maxConnections } });
  await server.start();
  ends.push(() => server.stop());
  return server.port;
}

/** Opens connections that send this beginning of a request and no more. */
async function hold(port: number, count: number, beginning: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(beginning));
    return socket;
  });
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

const health = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 'no answer',
  );

const HALF_HEADERS = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow';
const HALF_BODY = 'POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{';

it.each([
  ['half of their headers', HALF_HEADERS],
  ['nothing at all', ''],
  ['half of a body', HALF_BODY],
])('/healthz goes on answering while thousands of connections send %s', async (_, beginning) => {
  // As many as the attack had, in proportion to the limit.
  const limit = sample(HTTP_LIMITS.maxConnections, 50);
  const port = await openHealth(limit);
  const answers: unknown[] = [];
  for (let wave = 0; wave < 10; wave++) {
    await hold(port, (limit * 3) / 10, beginning);
    answers.push(await health(port));
  }
  expect(answers).toEqual(Array(10).fill(200));
});

it('closes the connection that has waited longest first, and none whose request is being answered', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const router = makeRouter(log);
  const answer = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  router.get('/slow', async (context) => {
    asked.resolve();
    await answer.promise;
    return context.text('done');
  });
  // Nor does a busy machine close any because it is slow.
  const limits = { maxConnections: 10, headersTimeout: 60_000, requestTimeout: 60_000 };
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits });
  await server.start();
  ends.push(() => server.stop());
  const response = fetch(`http://127.0.0.1:${server.port}/slow`);
  await asked.promise;
  const first = await hold(server.port, 9, HALF_HEADERS);
  const closed = Promise.all(first.map((socket) => once(socket, 'close')));
  const second = await hold(server.port, 9, HALF_HEADERS);
  await closed;
  expect(second.every((socket) => !socket.destroyed)).toBe(true);
  answer.resolve();
  expect(await (await response).text()).toBe('done');
});

it('answers while others hold its connections with answers that they do not read', async () => {
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  const large = 'x'.repeat(8_000_000);
  router.get('/large', (context) => context.text(large));
  router.get('/healthz', (context) => context.text('ok'));
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits: { maxConnections: 5 } });
  await server.start();
  ends.push(() => server.stop());
  const sockets = await hold(server.port, 5, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  expect(await health(server.port)).toBe(200);
});

it('counts no connection whose client left while it was answered', async () => {
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  const answer = Promise.withResolvers<void>();
  let answering = 0;
  let left = 0;
  router.get('/slow', async (context) => {
    answering++;
    context.env.incoming!.socket.once('close', () => left++);
    await answer.promise;
    return context.text('done');
  });
  const limits = { maxConnections: 5, headersTimeout: 60_000, requestTimeout: 60_000 };
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits });
  await server.start();
  ends.push(() => server.stop());
  for (let client = 1; client <= 40; client++) {
    const [socket] = await hold(server.port, 1, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answering, { interval: 2 }).toBe(client);
    socket!.destroy();
    await expect.poll(() => left, { interval: 2 }).toBe(client);
  }
  answer.resolve();
  const held = await hold(server.port, 30, HALF_HEADERS);
  await expect.poll(() => held.filter(({ closed }) => !closed).length).toBe(5);
});

it('closes a connection that holds back the rest of its second request while the first is answered', async () => {
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  router.all('/slow', async (context) => {
    asked++;
    if (context.req.method === 'POST') await context.req.text();
    else await answer.promise;
    return context.text('done');
  });
  // Longer than this test may take: they would close it, too.
  const limits = { maxConnections: 2, headersTimeout: 600_000, requestTimeout: 600_000 };
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits });
  await server.start();
  ends.push(() => server.stop());
  const both = `GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${HALF_BODY.replace('/say', '/slow')}`;
  const sockets = await hold(server.port, 2, both);
  await expect.poll(() => asked).toBe(4);
  const answered = Promise.all(sockets.map((socket) => once(socket, 'data')));
  answer.resolve();
  await answered;
  const [oldest] = sockets;
  const closed = once(oldest!, 'close');
  await hold(server.port, 1, HALF_HEADERS);
  await closed;
});

it('closes no connection whose second request is still being answered', async () => {
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  router.get('/quick', (context) => context.text('first'));
  router.get('/slow', async (context) => {
    asked++;
    await answer.promise;
    return context.text('second');
  });
  const limits = { maxConnections: 1, headersTimeout: 60_000, requestTimeout: 60_000 };
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits });
  await server.start();
  ends.push(() => server.stop());
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const [socket] = await hold(server.port, 1, get('/quick') + get('/slow'));
  let text = '';
  socket!.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => [asked, text.includes('first')]).toEqual([1, true]);
  const [other] = await hold(server.port, 1, HALF_HEADERS);
  await expect.poll(() => other!.closed).toBe(true);
  answer.resolve();
  await expect.poll(() => text).toContain('second');
});

it('the local chat answers a person while others hold its connections with slow bodies', async () => {
  const served = await serveWeb();
  ends.push(() => served.close());
  const url = new URL(served.door.url);
  await hold(
    Number(url.port),
    HTTP_LIMITS.maxConnections + 200,
    HALF_BODY.replace('Host: x', `Host: ${url.host}`),
  );
  expect((await fetch(url)).status).toBe(200);
});
