/** The daily thread on a platform that answers at once: how fast posts go out, and what a channel adds to the database. */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { HOUR } from '../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../src/daily/settings/settings.ts';
import type { Post, Poster } from '../src/dispatch/poster.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { OPENING, testDaily } from '../test/daily/ground.ts';
import { sending } from '../test/fakes/poster.ts';
import { heading, row } from './table.ts';

const CHANNELS = 10_000;
const CHANNELS_OF_SIZE = 200;
const DAYS_OF_SIZE = 10;
const log = { debug() {}, info() {}, warn() {}, error: console.error };

export async function run(): Promise<void> {
  heading('daily thread', 'measured');
  await manyChannels();
  const url = process.env.TEST_DATABASE_URL;
  await databaseSize('SQLite');
  if (url !== undefined) await databaseSize('PostgreSQL', url);
}

/** All due in one minute. */
async function manyChannels(): Promise<void> {
  await withStore(async (store) => {
    await fill(store, CHANNELS);
    const poster = new CountingPoster();
    const daily = makeDaily(store, poster, { now: () => OPENING });
    let began = performance.now();
    await daily.tick();
    row('planning them', `${Math.round(performance.now() - began)} ms`);
    began = performance.now();
    await daily.runDue();
    const seconds = (performance.now() - began) / 1000;
    row(
      `${CHANNELS} channels on SQLite, each write on the disk before the next step`,
      `${poster.posts} posts in ${seconds.toFixed(1)} s: ${Math.round(poster.posts / seconds)} a second`,
    );
    await daily.stop();
  });
}

/** What a channel adds to the database in a day, after the first, when all indexes are there. */
async function databaseSize(engine: string, server?: string): Promise<void> {
  await withStore(async (store, sizeOf) => {
    await fill(store, CHANNELS_OF_SIZE);
    const clock = { time: OPENING, now: () => clock.time };
    const daily = makeDaily(store, new CountingPoster(), clock);
    const sizes: number[] = [];
    for (let day = 0; day <= DAYS_OF_SIZE; day++) {
      for (let hour = 0; hour < 24; hour++, clock.time += HOUR) {
        await daily.tick();
        await daily.runDue();
      }
      sizes.push(await sizeOf());
    }
    const grown = (sizes.at(-1)! - sizes[0]!) / (CHANNELS_OF_SIZE * DAYS_OF_SIZE);
    row(`bytes that a channel adds in a day, ${engine}`, Math.round(grown));
    await daily.stop();
  }, server);
}

function makeDaily(store: Store, poster: Poster, clock: { now(): number }) {
  return testDaily({ store, posters: [poster], clock, log, random: Math.random });
}

async function fill(store: Store, count: number): Promise<void> {
  const saved = { version: 0, by: 'manager', at: OPENING - HOUR };
  for (let index = 0; index < count; index++)
    await store.tenant(`web:${index}`).subscriptions.save('c', DEFAULT_SETTINGS, saved);
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

/** Takes every post; each answer comes a turn later, as over a network. */
class CountingPoster implements Poster {
  readonly door = 'web';
  posts = 0;
  readonly open = (post: Post) => this.post(post);
  readonly postPrivately = (post: Post) => this.post(post);
  readonly find = async () => new Map();
  readonly archive = async () => {};
  readonly edit = async () => {};
  readonly missingRequirements = async () => [];
  readonly membershipOf = async () => 'member' as const;
  readonly notify = async () => {};

  post(post: Post) {
    return sending(post, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      // An id as long as Discord's.
      const id = `119116891540${String(this.posts++).padStart(7, '0')}`;
      return { message: id, thread: id };
    });
  }
}
