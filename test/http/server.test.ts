import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HTTP_LIMITS, type HttpServer, makeHttpServer, type Page } from '../../src/http/server.ts';
import {
  healthPages,
  OLDEST_TICK,
  readinessOf,
  type Vitals,
} from '../../src/operations/observability/health.ts';
import { Metrics } from '../../src/operations/observability/metrics.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const NOW = Date.UTC(2026, 10, 20, 12);
let server: HttpServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function open(pages: Record<string, Page>, limits: Partial<typeof HTTP_LIMITS> = {}): Promise<string> {
  server = makeHttpServer({ host: '127.0.0.1', port: 0, pages, log: quiet, limits });
  await server.start();
  return `http://127.0.0.1:${server.port}`;
}

function vitals(change: Partial<Vitals> = {}): Vitals {
  return {
    ping: async () => {},
    doors: () => [['discord', { trouble: () => undefined }]],
    lastTick: () => NOW - 12_000,
    isStopping: () => false,
    now: () => NOW,
    scrub: (text) => text.replaceAll('s3cret', '…'),
    ...change,
  };
}

async function readyz(change: Partial<Vitals> = {}) {
  const base = await open(
    healthPages(vitals(change), new Metrics({ backlog: async () => [], now: () => NOW })),
  );
  const response = await fetch(`${base}/readyz`);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

describe('the health pages', () => {
  it('say that the process is alive, without asking anyone', async () => {
    const base = await open(
      healthPages(
        vitals({ ping: () => Promise.reject(new Error('down')) }),
        new Metrics({ backlog: () => Promise.reject(new Error('down')), now: () => NOW }),
      ),
    );
    const response = await fetch(`${base}/healthz`);
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const metrics = await fetch(`${base}/metrics`);
    expect(metrics.status).toBe(200);
    expect(metrics.headers.get('content-type')).toContain('text/plain');
  });

  it('say that it is ready, and of what that is made', async () => {
    const { status, body } = await readyz();
    expect(status).toBe(200);
    expect(body).toEqual({ ready: true, store: 'ok', doors: { discord: 'ok' }, lastTick: '12 s ago' });
  });

  it('need no tick where the process has none', async () => {
    expect((await readyz({ lastTick: () => undefined })).status).toBe(200);
  });

  it.each<[string, Partial<Vitals>, object]>([
    [
      'the store fails',
      { ping: () => Promise.reject(new Error('postgres://u:s3cret@h')) },
      { store: 'fails' },
    ],
    [
      'a door is in trouble',
      { doors: () => [['slack', { trouble: () => 'lost s3cret' }]] },
      { doors: { slack: 'lost …' } },
    ],
    ['a door is not open yet', { doors: () => [['slack', undefined]] }, { doors: { slack: 'not open yet' } }],
    ['the ticks have stopped', { lastTick: () => NOW - OLDEST_TICK - 1 }, { lastTick: '180 s ago' }],
    ['it is being stopped', { isStopping: () => true }, {}],
  ])('say that it is not ready when %s', async (_, change, expected) => {
    const { status, body, text } = await readyz(change);
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, ...expected });
    expect(text).not.toContain('s3cret');
  });
});

describe('a store that gives no answer', () => {
  it('is waited for no longer than a probe waits', async () => {
    vi.useFakeTimers();
    try {
      const readiness = readinessOf(vitals({ ping: () => new Promise(() => {}) }));
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await readiness).toMatchObject({ ready: false, store: 'gives no answer' });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the server', () => {
  const pages = { '/page': () => ({ status: 200, type: 'text/plain', body: 'hello' }) };

  it('answers what it has, and says kindly what it has not', async () => {
    const base = await open(pages);
    expect(await (await fetch(`${base}/page?x=1`)).text()).toBe('hello');
    expect((await fetch(`${base}/page`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${base}/other`)).status).toBe(404);
    expect((await fetch(`${base}/toString`)).status).toBe(404);
    const posted = await fetch(`${base}/page`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('hands requests to the door whose address they are for', async () => {
    const base = await open(pages);
    server!.mount((request, response) => {
      if (!request.url?.startsWith('/slack/')) return false;
      response.end('slack');
      return true;
    });
    expect(await (await fetch(`${base}/slack/events`, { method: 'POST', body: 'x' })).text()).toBe('slack');
    expect(await (await fetch(`${base}/page`)).text()).toBe('hello');
  });

  it('outlives a page and a door that fail', async () => {
    const base = await open({
      ...pages,
      '/bad': () => {
        throw new Error('s3cret');
      },
    });
    const response = await fetch(`${base}/bad`);
    expect([response.status, await response.text()]).toEqual([500, 'That failed here.\n']);
    expect((await fetch(`${base}/page`)).status).toBe(200);
  });

  it('refuses a body that is announced as too large before it comes', async () => {
    const base = await open(pages);
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1.1 413 .*connection: close/is);
    socket.destroy();
  });

  it('refuses headers without end', async () => {
    const base = await open(pages);
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /page HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1.1 431 /);
    socket.destroy();
  });

  it('lets go of those who send a byte now and then', async () => {
    expect(HTTP_LIMITS.headersTimeout).toBeLessThanOrEqual(HTTP_LIMITS.requestTimeout);
    const base = await open(pages, {
      headersTimeout: 100,
      requestTimeout: 200,
      connectionsCheckingInterval: 20,
    });
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
    socket.on('error', () => {});
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(drip);
    socket.destroy();
  });

  it('finishes what was asked before it ends', async () => {
    let answer: (() => void) | undefined;
    const asked = Promise.withResolvers<void>();
    const base = await open({
      '/slow': () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 200, type: 'text/plain', body: 'done' });
          asked.resolve();
        }),
    });
    const response = fetch(`${base}/slow`);
    await asked.promise;
    const stopped = server!.stop();
    answer!();
    expect(await (await response).text()).toBe('done');
    await stopped;
    server = undefined;
    await expect(fetch(base)).rejects.toThrow();
  });

  it('says which setting to change when its port is taken', async () => {
    const base = await open(pages);
    const port = Number(new URL(base).port);
    const second = makeHttpServer({ host: '127.0.0.1', port, pages, log: quiet });
    await expect(second.start()).rejects.toThrow(
      `HOST 127.0.0.1 and PORT ${port} can't be opened: another program`,
    );
  });
});
