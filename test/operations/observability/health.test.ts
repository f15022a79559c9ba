import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { StoreError } from '../../../src/core/errors.ts';
import { makeRouter } from '../../../src/http/router.ts';
import {
  healthRoutes,
  MAX_TICK_AGE_MS,
  noteWorking,
  readinessOf,
  type Vitals,
} from '../../../src/operations/observability/health.ts';
import { Metrics } from '../../../src/operations/observability/metrics.ts';
import { makeVitals } from '../../fakes/vitals.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const NOW = Date.UTC(2026, 10, 20, 12);

function vitals(change: Partial<Vitals> = {}): Vitals {
  return makeVitals({
    doors: () => [['discord', { trouble: () => undefined }]],
    now: () => NOW,
    lastTick: () => NOW - 12_000,
    elapsed: () => NOW,
    scrub: (text) => text.replaceAll('s3cret', '…'),
    ...change,
  });
}

async function readyz(change: Partial<Vitals> = {}) {
  const router = makeRouter(quiet);
  router.route(
    '/',
    healthRoutes(
      vitals(change),
      new Metrics({ backlog: async () => [], counts: async () => [], now: () => NOW }),
    ),
  );
  const response = await router.request('/readyz');
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}

describe('health routes', () => {
  it('report liveness and metrics while the store is down', async () => {
    const down = () => Promise.reject(new Error('down'));
    const router = makeRouter(quiet);
    router.route(
      '/',
      healthRoutes(vitals({ ping: down }), new Metrics({ backlog: down, counts: down, now: () => NOW })),
    );
    const response = await router.request('/healthz');
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const metrics = await router.request('/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.headers.get('content-type')).toContain('text/plain');
  });

  it('say no more than that the process is alive to requests that a proxy forwards to a shared port', async () => {
    const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => NOW });
    const [shared, own] = [makeRouter(quiet), makeRouter(quiet)];
    shared.route('/', healthRoutes(vitals(), metrics, { isShared: true }));
    own.route('/', healthRoutes(vitals(), metrics));
    const ask = async (router: typeof own, path: string, headers = {}) =>
      (await router.request(path, { headers })).status;
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
      const forwarded = { [header]: '203.0.113.5' };
      for (const path of ['/metrics', '/%6detrics', '/readyz']) {
        expect(await ask(shared, path, forwarded), path).toBe(404);
        expect(await ask(shared, path), path).toBe(200);
        expect(await ask(own, path, forwarded), path).toBe(200);
      }
      expect(await ask(shared, '/healthz', forwarded)).toBe(200);
    }
  });

  it('report readiness and its parts', async () => {
    const { status, body } = await readyz();
    expect(status).toBe(200);
    expect(body).toEqual({ ready: true, store: 'ok', doors: { discord: 'ok' }, lastTick: '12 s ago' });
  });

  it('ask the store once in a second, however many probes come', async () => {
    const asked = { pings: 0, backlogs: 0 };
    let elapsed = NOW;
    const ping = async () => void asked.pings++;
    const unclaimed = async () => Array(0 * asked.backlogs++);
    const parts = vitals({ ping, unclaimed, elapsed: () => elapsed });
    const router = makeRouter(quiet);
    router.route(
      '/',
      healthRoutes(parts, new Metrics({ backlog: async () => [], counts: async () => [], now: () => NOW })),
    );
    const probe = async () => (await router.request('/readyz')).status;
    expect(new Set(await Promise.all(Array.from({ length: 50 }, probe)))).toEqual(new Set([200]));
    expect(asked).toEqual({ pings: 1, backlogs: 1 });
    elapsed += 1_000;
    await probe();
    expect(asked).toEqual({ pings: 2, backlogs: 2 });
  });

  it.each([undefined, NOW - MAX_TICK_AGE_MS])(
    'need no tick in a process that does not tick, and one in three minutes (%s)',
    async (tick) => {
      expect((await readyz({ lastTick: () => tick })).status).toBe(200);
    },
  );

  it.each<[string, Partial<Vitals>, object]>([
    [
      'the store fails',
      { ping: () => Promise.reject(new Error('postgres://u:s3cret@h')) },
      { store: 'fails' },
    ],
    [
      'the disk is full',
      { ping: () => Promise.reject(new StoreError('store.full', 'No room left to write /s3cret/db')) },
      { store: 'has no room left' },
    ],
    [
      'a door is in trouble',
      { doors: () => [['slack', { trouble: () => 'lost s3cret' }]] },
      { doors: { slack: 'lost …' } },
    ],
    ['writes failed lately', { storeTrouble: () => 'store.full' }, { store: 'has no room left' }],
    [
      'nobody takes what is due',
      { unclaimed: async () => [{ door: 'discord', waiting: 3, oldestDueAt: NOW - 5 * MINUTE }] },
      { doors: { discord: '3 posts that nobody takes, the oldest due 5 minutes ago' } },
    ],
    [
      'the platform takes no posts',
      { postTrouble: (door) => (door === 'discord' ? 'Discord’s API is out of reach' : undefined) },
      { doors: { discord: 'Discord’s API is out of reach' } },
    ],
    [
      'what is due can not be read',
      { unclaimed: () => Promise.reject(new StoreError('store.locked', 'Something holds a lock')) },
      { store: 'waits for locks' },
    ],
    ['a door is not open yet', { doors: () => [['slack', undefined]] }, { doors: { slack: 'not open yet' } }],
    ['the ticks have stopped', { lastTick: () => NOW - MAX_TICK_AGE_MS - 1 }, { lastTick: '180 s ago' }],
    ['the process is stopping', { isStopping: () => true }, {}],
  ])('answer 503 when %s', async (_, change, expected) => {
    const { status, body, text } = await readyz(change);
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, ...expected });
    expect(text).not.toContain('s3cret');
  });
});

describe('readiness', () => {
  it('stays for two minutes while the only door connects again, and names that at once', async () => {
    let at = NOW;
    let trouble: string | undefined;
    const lastOk = new Map<string, number>();
    const doors: ReturnType<Vitals['doors']> = [['discord', { trouble: () => trouble }]];
    const ask = () =>
      readinessOf(vitals({ doors: () => doors, elapsed: () => at, lastTick: () => at }), lastOk);
    expect(await ask()).toMatchObject({ ready: true });
    trouble = 'not connected';
    at += 2 * MINUTE - 1;
    expect(await ask()).toMatchObject({ ready: true, doors: { discord: 'not connected' } });
    at += 1;
    expect(await ask()).toMatchObject({ ready: false });
  });

  it('goes by when the door worked, not by when somebody asked', async () => {
    vi.useFakeTimers();
    try {
      let trouble: string | undefined;
      const lastOk = new Map<string, number>();
      const door = { trouble: () => trouble };
      const parts = vitals({ doors: () => [['discord', door]], elapsed: Date.now, lastTick: Date.now });
      onTestFinished(noteWorking(parts, lastOk));
      await vi.advanceTimersByTimeAsync(10 * MINUTE);
      trouble = 'not connected';
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(await readinessOf(parts, lastOk)).toMatchObject({ ready: true });
      await vi.advanceTimersByTimeAsync(MINUTE);
      expect(await readinessOf(parts, lastOk)).toMatchObject({ ready: false });
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends after two minutes without an answer to posts, not four', async () => {
    let at = NOW;
    let postTrouble: string | undefined;
    const lastOk = new Map<string, number>();
    const doors: ReturnType<Vitals['doors']> = [['discord', { trouble: () => undefined }]];
    const failing = { doors: () => doors, postTrouble: () => postTrouble };
    const ask = () => readinessOf(vitals({ ...failing, elapsed: () => at, lastTick: () => at }), lastOk);
    expect(await ask()).toMatchObject({ ready: true });
    at += 2 * MINUTE;
    postTrouble = 'Discord’s API is out of reach';
    expect(await ask()).toMatchObject({ ready: false });
    postTrouble = undefined;
    expect(await ask()).toMatchObject({ ready: true });
  });

  it('stays while one of two doors works, and names what is wrong with the other, also as a metric', async () => {
    const doors: ReturnType<Vitals['doors']> = [
      ['discord', { trouble: () => undefined }],
      ['slack', { trouble: () => 'Slack is silent' }],
    ];
    const { status, body } = await readyz({ doors: () => doors });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ready: true, doors: { discord: 'ok', slack: 'Slack is silent' } });
    const router = makeRouter(quiet);
    const metrics = new Metrics({ backlog: async () => [], counts: async () => [], now: () => NOW });
    router.route(
      '/',
      healthRoutes(vitals({ doors: () => doors, storeTrouble: () => 'store.full' }), metrics),
    );
    const text = await (await router.request('/metrics')).text();
    const parts = [...text.matchAll(/letterboxed_ready\{part="(\w+)"\} (\d)/g)].map(([, part, works]) => [
      part,
      works,
    ]);
    expect(Object.fromEntries(parts)).toEqual({ all: '0', store: '0', discord: '1', slack: '0' });
  });

  it('waits at most two seconds for the store', async () => {
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
