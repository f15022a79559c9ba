/**
 * A store that is set back, by a restored backup or a failover, beside the fake Discord and the fake Slack: nothing is posted
 * twice.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, type TestOptions, test } from 'vitest';
import { REQUIRED_SCOPE_NAMES } from '../../src/chat/slack/manifest.ts';
import { channelKey } from '../../src/core/channel-ref.ts';
import { DAY } from '../../src/core/clock.ts';
import type { Daily } from '../../src/daily/daily.ts';
import type { DailySettings } from '../../src/daily/settings/settings.ts';
import { openStore, SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { HandClock, HOUR, MINUTE, OPENING, subscribe, testDaily } from '../daily/ground.ts';
import * as discord from '../daily/platforms/discord.ts';
import * as slack from '../daily/platforms/slack.ts';
import { dayOf, loseDeliveries } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { onlyLong } from '../fakes/sample.ts';
import { newYork, PLATFORMS, world } from '../fakes/world.ts';
import {
  ask,
  describeOnPostgres,
  makeDatabase,
  postgresNeeded,
  startServer,
} from '../store/real-postgres.ts';

/** A channel's daily thread on the fake Discord and one on the fake Slack, through the real posters, on a clock that is moved. */
async function bothPlatforms(time: number) {
  const clock = new HandClock(time);
  const modules = [discord, slack];
  const platforms = await Promise.all(modules.map(({ serve }) => serve({ clock })));
  onTestFinished(async () => {
    for (const platform of platforms) await platform.close();
  });
  const places = platforms.map(({ places: [place] }) => place!);
  return {
    clock,
    places,
    daily(store: Store, owner: string): Daily {
      const posters = platforms.map(({ config }, at) => modules[at]!.makePoster(config, store));
      return testDaily({ store, posters, clock, owner });
    },
    /** How many threads and how many messages the channel of each platform has. */
    seen() {
      return platforms.map((platform, at) => {
        const { threads, messages } = platform.tally();
        const name = channelKey(places[at]!);
        const counts = [...(messages.get(name)?.values() ?? [])];
        return [threads.get(name)?.size, counts.reduce((sum, count) => sum + count, 0)];
      });
    },
  };
}

const twice = (counts: readonly number[]) => [counts, counts];

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

async function pass(
  { clock }: Awaited<ReturnType<typeof bothPlatforms>>,
  daily: Daily,
  moments: readonly number[],
): Promise<void> {
  for (const moment of moments) {
    clock.time = moment;
    await daily.tick();
    await daily.runDue();
  }
}

function restoreContract(makeRestorable: () => Promise<Restorable>, options: TestOptions = {}): void {
  test('posts nothing again on Discord and Slack, and goes on with the day', options, async () => {
    const restorable = await makeRestorable();
    const platforms = await bothPlatforms(OPENING - DAY - HOUR);
    const store = await restorable.open();
    for (const channel of platforms.places)
      await subscribe(store, SETTINGS, { channel, at: OPENING - DAY - 2 * HOUR });
    const daily = platforms.daily(store, 'before');
    // A whole day, so that there is a thread to close.
    const yesterday = [0, 4, 12].map((hours) => OPENING - DAY + hours * HOUR);
    await pass(platforms, daily, [...yesterday, OPENING - 30 * MINUTE]);
    await restorable.backup(store);
    await pass(platforms, daily, [OPENING - 28 * MINUTE, OPENING, OPENING + 2 * MINUTE]);
    expect(platforms.seen()).toEqual(twice([2, 7]));
    await daily.stop();
    await store.close();
    await restorable.restore();

    const restored = await restorable.open();
    const after = platforms.daily(restored, 'after');
    await pass(platforms, after, [OPENING + 20 * MINUTE]);
    expect(platforms.seen()).toEqual(twice([2, 7]));
    await pass(platforms, after, [OPENING + 4 * HOUR]);
    expect(platforms.seen()).toEqual(twice([2, 8]));
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
  }, onlyLong);
});

test.each(PLATFORMS)('on %s, a day whose messages were changed to new times is found, too', async (door) => {
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  onTestFinished(() => store.close());
  const scopes = [...REQUIRED_SCOPE_NAMES, 'channels:history'];
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
});

/** More than are made within the minutes after it: until then, a disk that was set back has fewer than it had. */
const LOST_TRANSACTIONS = 1_000;

/** Failures of an operator's machine, once in years. */
const WAYS = [
  // The new processes have not seen what is missing.
  ['a replica became the primary, and the processes were started again', 'promoted', true],
  ['a disk was set back', 'plain', false],
  // Both signs at once: the other timeline, and what the processes remember.
  ['a replica became the primary', 'promoted', false],
] as const;

test.each(WAYS)(
  'posts nothing again on Discord and Slack after %s',
  { ...postgresNeeded, ...onlyLong },
  async (_, how, isStartedAgain) => {
    const server = startServer();
    const platforms = await bothPlatforms(OPENING - 40 * MINUTE);
    const { places, clock } = platforms;
    const open = async () => {
      const store = await openStore({ databaseUrl: server.url });
      onTestFinished(() => store.close());
      return { store, dailies: ['one', 'other'].map((owner) => platforms.daily(store, owner)) };
    };
    let { store, dailies } = await open();
    for (const channel of places) await subscribe(store, {}, { channel, at: OPENING - HOUR });
    const at = async (moment: number) => {
      clock.time = moment;
      for (const daily of dailies) {
        await daily.tick();
        await daily.runDue();
      }
    };
    for (let moment = OPENING - 30 * MINUTE; moment < OPENING; moment += 2 * MINUTE) await at(moment);
    // Its files as a replica or a snapshot of its disk would have them.
    await server.run('copy');
    const transactions = `for lost in 1..${LOST_TRANSACTIONS} loop perform txid_current(); commit; end loop`;
    await ask(`do $$ begin ${transactions}; end $$`, server.url);
    await at(OPENING);
    expect(platforms.seen()).toEqual(twice([1, 2]));
    await server.run('replace', how);
    // The connections are lost, and the next ones lead to the copy.
    const isBack = () =>
      store.ping().then(
        () => true,
        () => false,
      );
    await expect.poll(isBack).toBe(true);
    if (isStartedAgain) ({ store, dailies } = await open());
    await at(OPENING + 2 * MINUTE);
    await at(OPENING + 10 * MINUTE);
    expect(platforms.seen()).toEqual(twice([1, 2]));
    expect(await store.restoredUntil(clock.time)).toBe(OPENING + 2 * MINUTE);
    for (const place of places)
      expect(await dayOf(store, place, '2026-11-20')).toMatchObject({ start: 'posted' });
  },
);
