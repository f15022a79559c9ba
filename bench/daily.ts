/** The daily thread at scale: how long planning takes, how fast posts go out, what they cost in memory. */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { DiscordDoor } from '../src/chat/discord/door.ts';
import { HOUR } from '../src/core/clock.ts';
import { Daily } from '../src/daily/daily.ts';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import { makeDispatcher } from '../src/dispatch/dispatcher.ts';
import type { Post, Poster } from '../src/dispatch/poster.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { FakePlatform, fakePuzzleService, fakeSteps } from '../test/daily/fakes.ts';
import { ZONES } from '../test/daily/years.ts';
import { makeTestApp } from '../test/fakes/app.ts';
import { startFakeDiscord } from '../test/fakes/discord/index.ts';
import { LIMITS } from '../test/fakes/discord/rate-limits.ts';
import { sending } from '../test/fakes/poster.ts';
import { heading, row } from './table.ts';

const CHANNELS = 10_000;
const CHANNELS_AT_LIMIT = 300;
const CHANNELS_OF_SIZE = 200;
const DAYS_OF_SIZE = 10;
const OPENING = Date.UTC(2026, 10, 20, 13);
const log = { debug() {}, info() {}, warn() {}, error: console.error };

export async function run(): Promise<void> {
  heading('daily thread', 'measured');
  await manyChannels();
  await databaseSize();
  await atRateLimit();
}

/** All due in one minute, on a platform that answers at once: this measures our own work. */
async function manyChannels(): Promise<void> {
  await withStore(async (store) => {
    await fill(store, CHANNELS, (index) => `web:${index}`);
    const clock = { moment: OPENING - 60_000, now: () => clock.moment };
    const keys = new Map<string, number>();
    const daily = daily10k(store, countingPoster(keys), clock);
    const cold = await timed(() => daily.tick());
    row(`${CHANNELS} channels, first tick`, `${cold} ms`);
    clock.moment += 30_000;
    row('a tick at which nothing is due', `${await timed(() => daily.tick())} ms`);
    clock.moment = OPENING;
    row(
      'the tick at which all openings are due: planned and written',
      `${await timed(() => daily.tick())} ms`,
    );
    const memory: number[] = [];
    const watch = setInterval(() => memory.push(process.memoryUsage().heapUsed), 250);
    const began = performance.now();
    await daily.runDue();
    const seconds = (performance.now() - began) / 1000;
    clearInterval(watch);
    const posts = [...keys.values()].reduce((sum, count) => sum + count, 0);
    row(
      'delivered on SQLite, each write on the disk before the next step',
      `${posts} posts in ${seconds.toFixed(1)} s: ${Math.round(posts / seconds)} a second`,
    );
    row('twice', String(posts - keys.size));
    const quarter = Math.max(1, Math.floor(memory.length / 4));
    const quarters = [0, 1, 2, 3].map((at) => least(memory.slice(at * quarter, (at + 1) * quarter)));
    row('heap in use after collections, in each quarter of that time', `${quarters.join(', ')} MB`);
    await daily.stop();
  });
  await withStore(async (store) => {
    await fill(
      store,
      CHANNELS,
      (index) => `web:${index}`,
      (index) => ({
        zone: ZONES[index % ZONES.length]!,
        opening: `${String(index % 24).padStart(2, '0')}:${index % 2 ? '30' : '00'}` as `${number}:${number}`,
      }),
    );
    const clock = { now: () => OPENING };
    const daily = daily10k(store, new FakePlatform(), clock);
    row(
      `${CHANNELS} channels of ${ZONES.length} zones and 48 opening times, first tick`,
      `${await timed(() => daily.tick())} ms`,
    );
    await daily.stop();
  });
}

/** What a channel adds to the database in a day, after the first, when all indexes are there. */
async function databaseSize(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL;
  for (const engine of url === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'])
    await withStore(
      async (store, sizeOf) => {
        await fill(store, CHANNELS_OF_SIZE, (index) => `web:${index}`);
        const clock = { moment: OPENING, now: () => clock.moment };
        const daily = daily10k(store, countingPoster(new Map()), clock);
        const sizes: number[] = [];
        for (let day = 0; day <= DAYS_OF_SIZE; day++) {
          for (let hour = 0; hour < 24; hour++, clock.moment += HOUR) {
            await daily.tick();
            await daily.runDue();
          }
          sizes.push(await sizeOf());
        }
        const grown = (sizes.at(-1)! - sizes[0]!) / (CHANNELS_OF_SIZE * DAYS_OF_SIZE);
        row(`bytes that a channel adds in a day, ${engine}`, String(Math.round(grown)));
        await daily.stop();
      },
      engine === 'SQLite' ? undefined : url,
    );
}

/** The real Discord door against the fake, which takes 50 requests a second and limits every channel. */
async function atRateLimit(): Promise<void> {
  const fake = await startFakeDiscord({ memory: 100_000 });
  const { app, close } = await makeTestApp({ clock: { time: 0, now: Date.now } });
  let guild = fake.world.addGuild('Club');
  const channels: string[] = [];
  for (let index = 0; index < CHANNELS_AT_LIMIT; index++) {
    if (index % 20 === 0) guild = fake.world.addGuild(`Club ${index}`);
    channels.push(`${guild.id} ${fake.world.addChannel(guild).id}`);
  }
  try {
    await withStore(async (store) => {
      for (const channelRef of channels) {
        const [id = '', channel = ''] = channelRef.split(' ');
        await subscribe(store, `discord:${id}`, channel);
      }
      const dispatcher = makeDispatcher(app, { commands: [] });
      const { poster } = new DiscordDoor({ app, dispatcher, token: fake.token, apiUrl: fake.url });
      const daily = daily10k(store, poster, { now: () => OPENING });
      await daily.tick();
      fake.forgetRequests();
      const began = performance.now();
      await daily.runDue();
      const seconds = (performance.now() - began) / 1000;
      const taken = fake.requests.filter(({ status }) => status !== 429).length;
      const refused = fake.requests.length - taken;
      const share = taken / seconds / LIMITS.global;
      row(
        `${CHANNELS_AT_LIMIT} channels through the Discord door at ${LIMITS.global} requests a second`,
        `${taken} requests in ${seconds.toFixed(1)} s: ${(taken / seconds).toFixed(1)} a second, ` +
          `${Math.round(share * 100)} % of what is allowed; ${refused} refused with 429`,
      );
      await daily.stop();
    });
  } finally {
    await fake.close();
    await close();
  }
}

function daily10k(store: Store, poster: Poster, clock: { now(): number }) {
  return new Daily({
    store,
    puzzles: fakePuzzleService(),
    answerSteps: fakeSteps(),
    posters: [poster],
    log,
    clock,
    random: Math.random,
    owner: 'bench',
  });
}

async function fill(
  store: Store,
  count: number,
  tenant: (index: number) => string,
  change: (index: number) => object = () => ({}),
): Promise<void> {
  for (let index = 0; index < count; index++) await subscribe(store, tenant(index), 'c', change(index));
}

async function subscribe(store: Store, tenant: string, channel: string, change: object = {}): Promise<void> {
  const at = OPENING - HOUR;
  const settings = { ...DEFAULT_SETTINGS, ...change };
  await store.tenant(tenant).subscriptions.save(channel, settings, { version: 0, by: 'manager', at });
}

/** @param server a PostgreSQL, in which it makes a database */
async function withStore(
  work: (store: Store, sizeOf: () => Promise<number>) => Promise<void>,
  server?: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-bench-'));
  const pool = server === undefined ? undefined : new pg.Pool({ connectionString: server });
  await pool?.query('create database size');
  const databaseUrl = server && Object.assign(new URL(server), { pathname: '/size' }).href;
  const store = await openStore(databaseUrl === undefined ? { dataDir: folder } : { databaseUrl });
  const sizeOf = async () => {
    if (pool !== undefined)
      return Number((await pool.query("select pg_database_size('size') as size")).rows[0].size);
    const database = new DatabaseSync(join(folder, 'letterboxed.db'));
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    return statSync(join(folder, 'letterboxed.db')).size;
  };
  try {
    await work(store, sizeOf);
  } finally {
    await pool?.end();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

/** What is left after a collection: the least that was in use. */
function least(bytes: readonly number[]): number {
  return Math.round(Math.min(...bytes) / 1_000_000);
}

/** Takes every post and keeps only the count; each answer comes a turn later, as over a network. */
function countingPoster(keys: Map<string, number>): Poster {
  let posts = 0n;
  const take = (post: Post) =>
    sending(post, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      keys.set(post.key, (keys.get(post.key) ?? 0) + 1);
      // Ids as long as Discord's.
      const id = String(1191168915405799424n + posts++);
      return { message: id, thread: id };
    });
  return {
    door: 'web',
    open: take,
    post: take,
    postPrivately: take,
    find: async () => new Map(),
    archive: async () => {},
    edit: async () => {},
    missingRequirements: async () => [],
    membershipOf: async () => 'member',
    notify: async () => {},
  };
}
