import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BOT_SCOPES } from '../../src/chat/slack/manifest.ts';
import { DAY } from '../../src/core/clock.ts';
import type { Daily } from '../../src/daily/daily.ts';
import type { DailySettings } from '../../src/daily/settings/settings.ts';
import { openStore, SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { beforeOpening, HOUR, MINUTE, makeGround, OPENING, subscribe } from '../daily/ground.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { newYork, world } from '../fakes/world.ts';
import { makeFolder } from '../store/folders.ts';
import { ask, describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { type BothPlatforms, bothPlatforms } from './both-platforms.ts';

/** Debian keeps them outside of PATH, in a folder for each version. */
function program(name: string): string {
  const folder = '/usr/lib/postgresql';
  const [version] = readdirSync(folder).sort().reverse();
  return join(folder, version ?? '', 'bin', name);
}

/** A store, a backup of it, and the store again as it was when the backup was made. */
interface Restorable {
  open(): Promise<Store>;
  backup(store: Store): Promise<void>;
  restore(): Promise<void>;
}

const SETTINGS: Partial<DailySettings> = {
  zone: 'America/New_York',
  opening: '08:00',
  // The first two are one message.
  steps: [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '08:00' },
    { step: 'lengths', at: '12:00' },
    { step: 'solution', at: '20:00' },
  ],
};

async function start(restorable: Restorable) {
  const platforms = await bothPlatforms(OPENING - DAY - HOUR);
  onTestFinished(() => platforms.close());
  const all = [...platforms.channels, platforms.unreadable];
  const store = await restorable.open();
  for (const channel of all) await subscribe(store, SETTINGS, { channel, at: OPENING - DAY - 2 * HOUR });
  const daily = platforms.daily(store, 'before');
  const seen = () => all.map((channel) => platforms.seen(channel));
  return { platforms, store, daily, seen };
}

async function pass(platforms: BothPlatforms, daily: Daily, moments: readonly number[]): Promise<void> {
  for (const moment of moments) {
    platforms.clock.time = moment;
    await daily.tick();
    await daily.runDue();
  }
}

function restoreContract(makeRestorable: () => Promise<Restorable>): void {
  test('posts nothing again in text channels, forums and Slack, and goes on with the day', async () => {
    const restorable = await makeRestorable();
    const { platforms, store, daily, seen } = await start(restorable);
    // A whole day, so that there is a thread to close.
    const yesterday = [0, 4, 12].map((hours) => OPENING - DAY + hours * HOUR);
    await pass(platforms, daily, [...yesterday, OPENING - 30 * MINUTE]);
    await restorable.backup(store);
    await pass(platforms, daily, [OPENING - 28 * MINUTE, OPENING, OPENING + 2 * MINUTE]);
    const before = seen();
    for (const { openings, steps } of before) expect([openings, steps]).toEqual([2, 5]);
    await daily.stop();
    await store.close();
    await restorable.restore();

    const restored = await restorable.open();
    const after = platforms.daily(restored, 'after');
    await pass(platforms, after, [OPENING + 20 * MINUTE]);
    expect(seen()).toEqual(before);
    await pass(platforms, after, [OPENING + 4 * HOUR]);
    for (const channel of platforms.channels)
      expect(platforms.seen(channel)).toEqual({ openings: 2, steps: 6 });
    // Here nobody can know: the person who set it up is asked, and nothing is posted twice.
    const { tenant, channel } = platforms.unreadable;
    expect(platforms.seen(platforms.unreadable)).toMatchObject({ openings: 2 });
    const opening = await restored.tenant(tenant).deliveries.get(channel, '2026-11-20', 'opening');
    expect(opening?.state).toBe('given-up');
    await after.stop();
    await restored.close();
  });
}

describe('a SQLite file restored as docs/hosting.md says', () => {
  restoreContract(async () => {
    const dataDir = makeFolder();
    const copy = join(makeFolder(), 'backup.db');
    const file = join(dataDir, SQLITE_FILE);
    return {
      open: () => openStore({ dataDir }),
      backup: (store) => store.backup(copy),
      async restore() {
        for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(copy, file);
      },
    };
  });
});

describeOnPostgres('a PostgreSQL database restored from a dump', () => {
  restoreContract(async () => {
    const databaseUrl = await makeDatabase();
    const dump = join(makeFolder(), 'dump.sql');
    return {
      open: () => openStore({ databaseUrl }),
      async backup() {
        execFileSync(program('pg_dump'), ['--file', dump, databaseUrl]);
      },
      async restore() {
        await ask('drop schema public cascade; create schema public', databaseUrl);
        execFileSync(program('psql'), ['--quiet', '--file', dump, databaseUrl], { stdio: 'ignore' });
      },
    };
  });
});

describe('after a downtime that may have been a restore', () => {
  test('missed steps are looked for with one search, and come as one message where they are not there', async () => {
    const ground = await beforeOpening();
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    const looks: string[] = [];
    ground.platform.fault = ({ what }) => {
      looks.push(what);
      return undefined;
    };
    await ground.restart();
    await ground.at(OPENING + 5 * HOUR);
    expect(looks).toEqual(['look', 'message', 'thread', 'look', 'message']);
    expect(await ground.rows('2026-11-20')).toMatchObject({
      opening: 'sent',
      start: 'sent',
      count: 'skipped: posted in one message with start',
    });
  });

  test('it is posted where the bot may not read', async () => {
    const ground = await beforeOpening();
    ground.platform.isUnreadable = true;
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('a post that is postponed after the search is not searched for again', async () => {
    const ground = await beforeOpening({ steps: [] });
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    const asked: string[] = [];
    ground.platform.fault = ({ what }) => (asked.push(what) === 2 ? 'later' : undefined);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    await ground.until(OPENING + HOUR + 2 * MINUTE);
    expect(asked).toEqual(['look', 'message', 'message', 'thread']);
  });

  test('a search that fails is made again before anything is sent', async () => {
    const ground = await beforeOpening();
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    let failures = 0;
    ground.platform.fault = ({ what }) => (what === 'look' && failures++ === 0 ? 'lost' : undefined);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    expect(ground.platform.messages).toEqual([]);
    await ground.until(OPENING + HOUR + 2 * MINUTE);
    expect(ground.platform.messages).toHaveLength(2);
  });
});

/** As PostgreSQL does it under its clients: the same database with the rows of the backup. */
function loseDeliveries(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`delete from delivery; update fingerprint set value = 'copy'`);
  database.close();
}

test('processes that are running when their store is restored look, too', async () => {
  const dataDir = makeFolder();
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  const ground = await makeGround(OPENING - HOUR, { store });
  await subscribe(store, {}, { at: OPENING - 2 * HOUR });
  await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
  const before = await store.restoredUntil(OPENING);
  await ground.until(OPENING + 2 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
  loseDeliveries(dataDir);
  await ground.until(OPENING + 4 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
  expect(await ground.rows('2026-11-20')).toMatchObject({ opening: 'sent', start: 'sent' });
  expect(await store.restoredUntil(OPENING)).not.toBe(before);
});

test.each(['discord', 'slack'] as const)(
  'on %s, a day whose messages were changed to new times is found, too',
  async (door) => {
    const dataDir = makeFolder();
    const store = await openNewStore(dataDir);
    onTestFinished(() => store.close());
    const scopes = [...BOT_SCOPES, 'channels:history'];
    const made = await world({ doors: [door], store, slack: { scopes } });
    const [place] = made.places;
    await made.at(newYork(20, 7));
    await place!.ask('ada', 'daily on');
    // The first two are one message.
    await place!.ask('ada', 'daily times count:08:00');
    await made.at(newYork(20, 8));
    await place!.ask('ada', 'daily times solution:21:00');
    const before = await place!.messages();
    expect(before.map(({ text }) => text).join()).toContain('9:00 PM');
    loseDeliveries(dataDir);
    // Later than Discord itself knows the same message by its nonce.
    await made.at(newYork(20, 8, 30));
    expect(await place!.messages()).toHaveLength(before.length);
    await made.close();
  },
);
