import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_BYTES_BEING_READ, readBody } from '../../src/http/body.ts';
import { fileRoutes } from '../../src/http/files.ts';
import { legalRoutes } from '../../src/http/legal.ts';
import { makeRouter, type Router } from '../../src/http/router.ts';
import { HTTP_LIMITS, HttpServer } from '../../src/http/server.ts';
import { healthRoutes } from '../../src/operations/observability/health.ts';
import { Metrics } from '../../src/operations/observability/metrics.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';
import { makeVitals } from '../fakes/vitals.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Longer than a test may take: they would close a connection, too. */
const PATIENT = { headersTimeout: 600_000, requestTimeout: 600_000 };

/** Some routes on a port of their own, which is returned. */
async function serve(
  add: (router: Router) => void,
  limits: Partial<typeof HTTP_LIMITS> = {},
): Promise<number> {
  const router = makeRouter({ debug() {}, info() {}, warn() {}, error() {} });
  add(router);
  const server = new HttpServer({ router, host: '127.0.0.1', port: 0, limits });
  await server.start();
  ends.push(() => server.stop());
  return server.port;
}

/** Opens connections that send these bytes, the beginning of a request or many, and no more. */
async function hold(port: number, count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map(async (socket) => {
      await once(socket, 'connect');
      await new Promise((resolve) => void socket.write(bytes, resolve));
    }),
  );
  return sockets;
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('connections that are held', () => {
  const health = (port: number) =>
    fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => 'no answer',
    );

  /** The health pages as the bot serves them. */
  function openHealth(maxConnections: number): Promise<number> {
    const vitals = makeVitals({ lastTick: () => performance.now(), elapsed: () => performance.now() });
    const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: Date.now });
    return serve((router) => router.route('/', healthRoutes(vitals, metrics)), {
      ...PATIENT,
      maxConnections,
    });
  }

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
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const slow = (router: Router) =>
      router.get('/slow', async (context) => {
        asked.resolve();
        await answer.promise;
        return context.text('done');
      });
    const port = await serve(slow, { ...PATIENT, maxConnections: 10 });
    const response = fetch(`http://127.0.0.1:${port}/slow`);
    await asked.promise;
    const first = await hold(port, 9, HALF_HEADERS);
    const closed = Promise.all(first.map((socket) => once(socket, 'close')));
    const second = await hold(port, 9, HALF_HEADERS);
    await closed;
    expect(second.every((socket) => !socket.destroyed)).toBe(true);
    answer.resolve();
    expect(await (await response).text()).toBe('done');
  });

  it('closes a connection whose answer takes too long, if all others are being answered, too', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    const slow = (router: Router) =>
      router
        .get('/slow', async (context) => {
          asked++;
          await answer.promise;
          return context.text('done');
        })
        .get('/healthz', (context) => context.text('ok'));
    const isRefused = await serve(slow, { ...PATIENT, maxConnections: 10 });
    const isServed = await serve(slow, { ...PATIENT, maxConnections: 10, answerTimeout: -1 });
    for (const port of [isRefused, isServed]) await hold(port, 10, get('/slow'));
    await expect.poll(() => asked).toBe(20);
    expect([await health(isRefused), await health(isServed)]).toEqual(['no answer', 200]);
    answer.resolve();
  });

  it('answers while others hold its connections with answers that they do not read', async () => {
    const large = 'x'.repeat(8_000_000);
    const add = (router: Router) => {
      router.get('/large', (context) => context.text(large));
      router.get('/healthz', (context) => context.text('ok'));
    };
    const port = await serve(add, { maxConnections: 5 });
    const sockets = await hold(port, 5, get('/large'));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    expect(await health(port)).toBe(200);
  });

  it('counts no connection whose client left while it was answered', async () => {
    const answer = Promise.withResolvers<void>();
    let answering = 0;
    let left = 0;
    const slow = (router: Router) =>
      router.get('/slow', async (context) => {
        answering++;
        context.env.incoming!.socket.once('close', () => left++);
        await answer.promise;
        return context.text('done');
      });
    const port = await serve(slow, { ...PATIENT, maxConnections: 5 });
    for (let client = 1; client <= 40; client++) {
      const [socket] = await hold(port, 1, get('/slow'));
      await expect.poll(() => answering, { interval: 2 }).toBe(client);
      socket!.destroy();
      await expect.poll(() => left, { interval: 2 }).toBe(client);
    }
    answer.resolve();
    const held = await hold(port, 30, HALF_HEADERS);
    await expect.poll(() => held.filter(({ closed }) => !closed).length).toBe(5);
  });

  it('closes a connection that holds back the rest of its second request while the first is answered', async () => {
    const answer = Promise.withResolvers<void>();
    let asked = 0;
    const slow = (router: Router) =>
      router.all('/slow', async (context) => {
        asked++;
        if (context.req.method === 'POST') await context.req.text();
        else await answer.promise;
        return context.text('done');
      });
    const port = await serve(slow, { ...PATIENT, maxConnections: 2 });
    const sockets = await hold(port, 2, get('/slow') + HALF_BODY.replace('/say', '/slow'));
    await expect.poll(() => asked).toBe(4);
    const answered = Promise.all(sockets.map((socket) => once(socket, 'data')));
    answer.resolve();
    await answered;
    const [oldest] = sockets;
    const closed = once(oldest!, 'close');
    await hold(port, 1, HALF_HEADERS);
    await closed;
  });

  it('closes no connection whose second request is still being answered', async () => {
    const answer = Promise.withResolvers<void>();
    let asked = 0;
    const add = (router: Router) => {
      router.get('/quick', (context) => context.text('first'));
      router.get('/slow', async (context) => {
        asked++;
        await answer.promise;
        return context.text('second');
      });
    };
    const port = await serve(add, { ...PATIENT, maxConnections: 1 });
    const [socket] = await hold(port, 1, get('/quick') + get('/slow'));
    let text = '';
    socket!.on('data', (chunk) => {
      text += chunk;
    });
    await expect.poll(() => [asked, text.includes('first')]).toEqual([1, true]);
    const [other] = await hold(port, 1, HALF_HEADERS);
    await expect.poll(() => other!.closed).toBe(true);
    answer.resolve();
    await expect.poll(() => text).toContain('second');
  });
});

describe('requests that are sent at once', () => {
  /** Larger than what the system takes for a client that reads nothing. */
  const FILE_SIZE = 8_000_000;

  /** The pages and a file of the bot. `asked` counts the requests that reach the router. */
  async function openPages() {
    const folder = makeFolder();
    const words = Buffer.alloc(FILE_SIZE, 'words');
    writeFileSync(join(folder, 'words.bin'), words);
    const counts = { asked: 0 };
    const port = await serve((router) => {
      router.use((_, next) => {
        counts.asked++;
        return next();
      });
      router.get('/healthz', (context) => context.text('ok'));
      router.route('/', legalRoutes({}));
      router.route('/', fileRoutes(pathToFileURL(`${folder}/`), ['words.bin']));
    });
    return { base: `http://127.0.0.1:${port}`, port, counts, words };
  }

  it.each([
    [10, 200, '/words.bin'],
    [5, 1400, '/terms'],
  ])(
    '%i connections that pipeline %i requests for %s cost a few answers',
    async (connections, count, path) => {
      const { base, port, counts } = await openPages();
      const before = process.memoryUsage().arrayBuffers;
      const sockets = await hold(port, connections, get(path).repeat(count));
      const closed = sockets.map((socket) => socket.closed || once(socket.resume(), 'close'));
      expect((await fetch(`${base}/healthz`)).status).toBe(200);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FILE_SIZE / 2);
      await Promise.all(closed);
      expect(counts.asked).toBeLessThanOrEqual(connections * HTTP_LIMITS.maxUnanswered + 1);
    },
  );

  it('sends a file without a copy for each client that does not read it', async () => {
    const { base, port, counts } = await openPages();
    const before = process.memoryUsage().arrayBuffers;
    await hold(port, 10, get('/words.bin').repeat(HTTP_LIMITS.maxUnanswered));
    await expect.poll(() => counts.asked).toBe(10 * HTTP_LIMITS.maxUnanswered);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FILE_SIZE / 2);
  });

  it('sends a file whole, with its length', async () => {
    const { base, words } = await openPages();
    const answer = await fetch(`${base}/words.bin`);
    expect(answer.headers.get('content-length')).toBe(String(FILE_SIZE));
    expect(Buffer.from(await answer.arrayBuffer()).equals(words)).toBe(true);
    const head = await fetch(`${base}/words.bin`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(FILE_SIZE)]);
  });

  it('answers requests in order as long as few of them wait', async () => {
    const { port } = await openPages();
    const [socket] = await hold(port, 1, get('/healthz').repeat(HTTP_LIMITS.maxUnanswered));
    let answers = '';
    socket!.setEncoding('utf8').on('data', (chunk: string) => {
      answers += chunk;
    });
    socket!.resume();
    // Again on the same connection: what was answered counts no more.
    const isAnswered = (times: number) => answers.split('\r\n\r\nok').length - 1 === times;
    await expect.poll(() => isAnswered(HTTP_LIMITS.maxUnanswered)).toBe(true);
    socket!.write(get('/healthz'));
    await expect.poll(() => isAnswered(HTTP_LIMITS.maxUnanswered + 1)).toBe(true);
  });
});

describe('bodies that are begun and not ended', () => {
  const MOST = 1024 * 1024;
  const head = (length: number) => `POST /signed HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  it('share the memory of a few, and the oldest make room for one that comes whole', async () => {
    const port = await serve(
      (router) =>
        router.post('/signed', async (context) => context.text(`${(await readBody(context, MOST)).length}`)),
      PATIENT,
    );
    const count = (2 * MAX_BYTES_BEING_READ) / MOST;
    const answers = Array<string>(count).fill('');
    const sockets = await hold(port, count, head(MOST) + 'x'.repeat(MOST - 1));
    for (const [at, socket] of sockets.entries())
      socket.on('data', (bytes) => {
        answers[at] = `${answers[at]}${bytes}`;
      });
    const refused = () => answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '));
    await expect.poll(() => refused().length).toBeGreaterThanOrEqual(count / 2);
    const whole = await fetch(`http://127.0.0.1:${port}/signed`, { method: 'POST', body: 'x'.repeat(MOST) });
    expect(await whole.text()).toBe(`${MOST}`);
    // Those that are kept are read to their end as usual.
    for (const socket of sockets) socket.write('x');
    await expect.poll(() => answers.filter((answer) => answer === '')).toEqual([]);
    const read = answers.filter((answer) => answer.endsWith(`\r\n${MOST}`));
    expect(read.length).toBeGreaterThan(count / 4);
    expect(read.length + refused().length).toBe(count);
  });
});
