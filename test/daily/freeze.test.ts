/** A process that stands still for a while, at any await of a channel's day, and what another one posts meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import type { Daily } from '../../src/daily/daily.ts';
import { LEASE_MS } from '../../src/daily/delivery/deliver.ts';
import { closeServer, listening, portOf } from '../fakes/loopback.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { DAY, HandClock, NEW_YORK, subscribe, testDaily } from './ground.ts';
import { type Hook, hookedPoster, hookedStore } from './hooks.ts';
import { DISCORD, judgeWholeDay, SLACK } from './kill.ts';
import type { Place, PlatformModule, ServedPlatform } from './platforms/platform.ts';

/** Milliseconds. The other process takes over as soon as it can, and so long before the end of a long standstill. */
const TAKEN_AFTER = LEASE_MS + 1_000;

interface FreezeOptions {
  readonly module: string;
  /** How long the first process stands still. */
  readonly milliseconds: number;
  /** Only at each nth await, beginning with one. */
  readonly every?: number;
  readonly from?: number;
  /** Only at awaits with such names; at all by default. */
  readonly only?: RegExp;
  /**
   * The first process goes on while the other one is in the middle of a delivery: it waits before this request, from 1, until
   * the first one has ended its own, or waits for it.
   */
  readonly holdAt?: number;
}

async function freezeAtEveryAwait(options: FreezeOptions) {
  const { module, every = 1, from = 1 } = options;
  const { serve, makePoster } = (await import(module)) as PlatformModule;
  const wrong: string[] = [];
  const clock = new HandClock(0);
  // Each day is in another channel of it.
  const platform = await serve({ clock });
  try {
    for (let [point, frozen] = [from, 0]; ; point += every, frozen++) {
      const day = { ...options, point, place: platform.places[frozen]!, clock, platform, makePoster };
      const { points, frozenAt, found } = await freezeInDay(day);
      if (frozenAt === undefined) return { points, frozen, wrong };
      wrong.push(...found.map((one) => `${point} ${frozenAt}: ${one}`));
    }
  } finally {
    await platform.close();
  }
}

interface FrozenDay extends FreezeOptions {
  readonly point: number;
  readonly place: Place;
  readonly clock: HandClock;
  readonly platform: ServedPlatform;
  readonly makePoster: PlatformModule['makePoster'];
}

async function freezeInDay(options: FrozenDay) {
  const { point, milliseconds, holdAt, only = /./, place, clock, platform, makePoster } = options;
  clock.time = NEW_YORK(20, 6);
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-freeze-'));
  const store = await openNewStore(folder);
  let points = 0;
  let frozenAt: string | undefined;
  let others: Promise<void> = Promise.resolve();
  const hold = new Hold(holdAt);
  const thawed = Promise.withResolvers<void>();
  const hook: Hook = async (name) => {
    if (only.test(name)) points++;
    if (points !== point || frozenAt !== undefined) {
      // Its other deliveries stand still as well.
      if (frozenAt !== undefined) await thawed.promise;
      // After it has stored what it posted, it looks whether the other process has posted, too.
      if (frozenAt !== undefined && /^before deliveries\.(get|day)$/.test(name)) hold.release();
      return;
    }
    frozenAt = name;
    const thaw = clock.time + milliseconds;
    clock.time += Math.min(milliseconds, TAKEN_AFTER);
    others = deliver(other);
    await (holdAt === undefined ? others : Promise.race([others, hold.reached]));
    clock.time = thaw;
    thawed.resolve();
  };
  const proxies = [await proxyOf(platform, hook), await proxyOf(platform, (name) => hold.at(name))] as const;
  const [own, others_] = proxies.map(({ config }) => makePoster(config, store));
  const frozen = testDaily({
    store: hookedStore(store, hook),
    posters: [hookedPoster(own!, hook)],
    clock,
    owner: 'frozen',
  });
  const other = testDaily({ store, posters: [others_!], clock, owner: 'other' });
  try {
    await subscribe(store, {}, { channel: place, at: clock.time });
    for (const moment of DAY) {
      clock.time = Math.max(clock.time, moment);
      await deliver(frozen);
      hold.release();
      await others;
      // For what is tried again, by whichever of them: a standstill of minutes ends after these moments of the day.
      for (const minutes of [1, 3, 10]) {
        clock.time += minutes * MINUTE;
        await deliver(frozen);
        await deliver(other);
      }
    }
    return { points, frozenAt, found: await judgeWholeDay(store, platform.tally(), place) };
  } finally {
    await Promise.all(proxies.map(({ close }) => close()));
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

async function deliver(daily: Daily): Promise<void> {
  await daily.tick();
  await daily.runDue();
}

/** Holds the other process before one of its requests, until the first one has gone on. */
class Hold {
  readonly #holdAt: number | undefined;
  readonly #reached = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  #requests = 0;

  constructor(holdAt: number | undefined) {
    this.#holdAt = holdAt;
  }

  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  release(): void {
    this.#released.resolve();
  }

  async at(name: string): Promise<void> {
    if (this.#holdAt === undefined || !name.startsWith('before') || ++this.#requests !== this.#holdAt) return;
    this.#reached.resolve();
    await this.#released.promise;
  }
}

/** The platform as one process sees it: each request waits for the hook, before and after the platform acts. */
async function proxyOf(platform: ServedPlatform, hook: Hook) {
  const config = platform.config as { readonly apiUrl: string };
  const target = new URL(config.apiUrl);
  const forward = async (asked: IncomingMessage, answer: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const name = `${asked.method} ${asked.url}`;
    await hook(`before ${name}`);
    const { method, headers, url: path } = asked;
    const { hostname, port } = target;
    const [response, body] = await new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
      request({ hostname, port, method, path, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve([response, Buffer.concat(chunks)]);
      })
        .on('error', reject)
        .end(Buffer.concat(chunks));
    });
    await hook(`after ${name}`);
    answer.writeHead(response.statusCode ?? 500, response.headers).end(body);
  };
  // Or a request of a busy machine would meet a connection that is just being closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (asked, answer) => void forward(asked, answer));
  const port = String(portOf(await listening(server)));
  return {
    config: { ...config, apiUrl: Object.assign(new URL(target), { port }).href },
    close: () => closeServer(server),
  };
}

const PLATFORMS = { Discord: DISCORD, Slack: SLACK };
const STANDSTILLS = [5 * SECOND, 20 * SECOND, 45 * SECOND, 100 * SECOND, 170 * SECOND, 10 * MINUTE];
/** Requests that post something new. */
const POSTING = /^before POST \S*(\/messages|\/threads|chat\.postMessage)$/;
/** The sample stands still at each third of these requests: it finds what goes wrong at three of them. */
const LONGEST_HOLD = 6;

async function expectNone(options: FreezeOptions) {
  const { frozen, points, wrong } = await freezeAtEveryAwait(options);
  expect(wrong).toEqual([]);
  expect(frozen).toBe(Math.ceil(points / (options.every ?? 1)));
  return frozen;
}

describe.each(Object.entries(PLATFORMS))(
  'on %s, nothing is posted twice, and nothing is missing',
  (_, module) => {
    test('after ten minutes right before each request that posts, while another process delivers', async () => {
      const options = { module, milliseconds: 10 * MINUTE, only: POSTING, every: sample(1, 3) };
      expect(await expectNone(options)).toBeGreaterThanOrEqual(sample(7, 3));
    });

    test.each(STANDSTILLS)('after a standstill of %i ms at every await', onlyLong, async (milliseconds) => {
      const frozen = await expectNone({ module, milliseconds });
      console.info(`frozen at ${frozen} awaits for ${milliseconds} ms`);
      expect(frozen).toBeGreaterThan(80);
    });

    test.each(sample([1, 2, 3, 4, 5, LONGEST_HOLD], [3]))(
      'when it goes on while the other process is before its request %i',
      async (holdAt) => {
        await expectNone({ module, milliseconds: 45 * SECOND, holdAt, only: POSTING, every: sample(1, 3) });
      },
    );
  },
);
