/** What goes wrong beside the requests of a day, and how long the bot waits then. What is posted is in days.txt. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { recordOf } from '../../src/daily/day-thread.ts';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import type { Reason } from '../../src/store/schema.ts';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { someone } from '../fakes/app.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { FALLBACK, type Fault, fakePuzzleService } from './fakes.ts';
import {
  beforeOpening,
  CHANNEL,
  HOUR,
  MINUTE,
  makeGround,
  makeStore,
  NEW_YORK,
  OPENING,
  openingOf,
  quiet,
  subscribe,
} from './ground.ts';

test.each(['board', 'door'])('a fault of the %s before anything was sent leaves no doubt', async (part) => {
  let isBroken = true;
  const fail = (): undefined => {
    if (isBroken) throw new TypeError('a fault');
  };
  const puzzles = fakePuzzleService(() => (part === 'board' ? fail() : undefined));
  const ground = await beforeOpening({ steps: [] }, { puzzles });
  ground.platform.missing = () => (part === 'door' ? (fail() ?? []) : []);
  await ground.at(OPENING);
  isBroken = false;
  await ground.until(OPENING + 2 * MINUTE);
  // The message and its thread, without a search.
  expect(ground.platform.requests).toBe(2);
});

test('a message without its thread keeps its board, whatever the source has by then', async () => {
  let source: Puzzle['source'] = 'house';
  const ground = await beforeOpening({}, { puzzles: fakePuzzleService(() => ({ source })) });
  ground.platform.fault = ({ what }) => (what === 'thread' ? 'later' : undefined);
  await ground.at(OPENING);
  source = 'newspaper';
  ground.platform.fault = () => undefined;
  await ground.at(OPENING + MINUTE);
  expect(await openingOf(ground)).toMatchObject({ openedAt: expect.any(Number) });
  expect(recordOf(await openingOf(ground), quiet).puzzle).toMatchObject({ source: 'house' });
});

test('the newspaper is asked once more before its board is given up', async () => {
  let isAllowed = false;
  const puzzles = {
    ...fakePuzzleService(() => (isAllowed ? {} : FALLBACK)),
    async allowRetry() {
      isAllowed = true;
    },
  };
  const ground = await beforeOpening({ steps: [] }, { puzzles });
  await ground.until(OPENING + 35 * MINUTE);
  expect(recordOf(await openingOf(ground), quiet).puzzle).toMatchObject({ source: 'newspaper' });
});

test('a step that was due before the store was restored is looked for, though its day was woken after that', async () => {
  const real = await makeStore();
  let restored: number | null = null;
  const store = { ...real, restoredUntil: async () => restored };
  const steps = [{ step: 'count', at: '12:00' }] as const;
  const { at, platform } = await beforeOpening({ steps }, { store });
  await at(OPENING);
  const seen: string[] = [];
  platform.watch = ({ what }) => void seen.push(what);
  restored = NEW_YORK(20, 12, 5);
  await store.tenant(CHANNEL.tenant).subscriptions.setState(CHANNEL.channel, { state: 'active' });
  await at(NEW_YORK(20, 12, 10));
  expect(seen).toEqual(['look', 'message']);
});

test.each<[what: string, fault: Fault | 'no board', chance: number, seconds: number]>([
  ['is lost', 'lost', 0, 5],
  ['is lost', 'lost', 1, 6.5],
  // It asks for ten seconds.
  ['is refused for now', 'later', 0, 10],
  ['is refused for now', 'later', 1, 13],
  ['has no board yet', 'no board', 0, 120],
  ['has no board yet', 'no board', 1, 150],
])(
  'a post that %s (%s), with chance at %s, is tried again after %s seconds',
  async (_, fault, chance, seconds) => {
    let isFirst = true;
    const puzzles = fakePuzzleService(() => (fault === 'no board' && isFirst ? FALLBACK : {}));
    const ground = await beforeOpening({ steps: [] }, { random: () => chance, puzzles });
    ground.platform.fault = () => (fault !== 'no board' && isFirst ? fault : undefined);
    await ground.at(OPENING);
    isFirst = false;
    await ground.at(OPENING + seconds * SECOND - 1);
    expect(ground.platform.messages).toHaveLength(0);
    await ground.at(OPENING + seconds * SECOND);
    expect(ground.platform.messages).toHaveLength(1);
  },
);

test.each([
  ['subscription', 'settings'],
  ['subscription', 'reason'],
  ['delivery', 'record'],
  ['delivery', 'reason'],
  ['delivery', 'detail'],
])(
  'an odd text in a %s’s %s keeps neither the bot from its start nor another channel from its day',
  async (...odd) => {
    const [table, column] = odd;
    const folder = makeFolder();
    const store = await openNewStore(folder);
    onTestFinished(() => store.close());
    const { at, platform, restart } = await makeGround(OPENING - HOUR, { store });
    const other = { ...CHANNEL, channel: 'other' };
    for (const channel of [other, CHANNEL]) await subscribe(store, {}, { channel, at: OPENING - 2 * HOUR });
    await at(OPENING);
    const database = new DatabaseSync(join(folder, SQLITE_FILE));
    database.exec(`update ${table} set ${column} = 'odd' where channel = 'other'`);
    database.close();
    await restart();
    await at(NEW_YORK(20, 12));
    await at(NEW_YORK(21, 8));
    expect(platform.in(CHANNEL)).toHaveLength(6);
    expect((await store.allTenants.subscriptions()).map(({ channel }) => channel)).toContain('other');
  },
);

test('pauses grow with the failures, and not with the attempts that waited for a board', async () => {
  let isReached = false;
  const puzzles = fakePuzzleService(() => (isReached ? {} : FALLBACK));
  const lines: string[] = [];
  const log = { ...quiet, info: (_: object, message: string) => void lines.push(message) };
  const { at, until, platform } = await beforeOpening({ steps: [] }, { random: () => 0, puzzles, log });
  await until(OPENING + 24 * MINUTE);
  isReached = true;
  platform.fault = () => 'lost';
  await at(OPENING + 26 * MINUTE);
  platform.fault = () => undefined;
  await at(OPENING + 26 * MINUTE + 5 * SECOND - 1);
  expect(platform.messages).toHaveLength(0);
  await at(OPENING + 26 * MINUTE + 5 * SECOND);
  expect(platform.messages).toHaveLength(1);
  platform.requests = 0;
  platform.fault = () => 'later';
  await until(OPENING + 48 * HOUR, 15 * MINUTE);
  expect(platform.requests).toBeLessThan(170);
  // An outage of ten thousand channels would fill the disk.
  expect(lines).toEqual(['a step is left out']);
});

test('what a channel lacks is asked before its first thread and after a long absence, not each day', async () => {
  const { store, platform, at, clock } = await makeGround(NEW_YORK(1, 7));
  await subscribe(store, { steps: [] });
  const asked: number[] = [];
  platform.missing = () => {
    asked.push(clock.time);
    return [];
  };
  const mornings = [1, 2, 3, 20, 21].map((day) => NEW_YORK(day, 8));
  for (const moment of mornings) await at(moment);
  expect(asked).toEqual([mornings[0], mornings[3]]);
});

test('a notice that fails leaves the channel suspended all the same', async () => {
  const { platform, at, store } = await beforeOpening();
  platform.fault = () => 'refused';
  platform.notify = () => Promise.reject(new Error('the platform is away'));
  await at(OPENING);
  expect(await openingOf({ store })).toMatchObject({ state: 'waiting', reason: { code: 'refused' } });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  expect(await subscriptions.get(CHANNEL.channel)).toMatchObject({ state: 'suspended' });
});

test.each(['off', 'paused'] as const)(
  'a channel that refuses a post stays %s if people say so meanwhile',
  async (state) => {
    const { platform, store, at } = await beforeOpening();
    const { subscriptions } = store.tenant(CHANNEL.tenant);
    platform.pause = async () => void (await subscriptions.setState(CHANNEL.channel, { state }));
    platform.fault = () => 'refused';
    await at(OPENING);
    expect(await subscriptions.get(CHANNEL.channel)).toMatchObject({ state });
    expect(platform.notices).toEqual([]);
  },
);

const SUSPENDED: Reason = { code: 'missing-requirements', requirements: ['Send Messages'] };

test('a command in a suspended channel reactivates it, one in a direct conversation does not', async () => {
  const { store } = await makeGround(OPENING);
  await subscribe(store, {}, { at: OPENING });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  const state = async () => (await subscriptions.get(CHANNEL.channel))?.state;
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason: SUSPENDED });
  const reactivate = reactivateOnRequest({ store, log: quiet });
  await reactivate(someone({}, { ...CHANNEL, direct: true }));
  expect(await state()).toBe('suspended');
  await reactivate(someone({}, { ...CHANNEL, direct: false }));
  expect(await state()).toBe('active');
});

test('a channel that stays suspended is asked about once an hour for a week, and then with its days', async () => {
  const { platform, at } = await beforeOpening();
  platform.fault = () => 'refused';
  let asked = 0;
  platform.missing = () => {
    asked++;
    return [{ what: 'View Channel', how: '' }];
  };
  const askedOn = async (day: number) => {
    await at(NEW_YORK(day, 8));
    asked = 0;
    for (let hour = 9; hour <= 32; hour++) await at(NEW_YORK(day, hour));
    return asked;
  };
  expect(await askedOn(20)).toBeGreaterThan(22);
  expect(await askedOn(30)).toBeLessThan(4);
});

test('a platform that says nothing about suspended channels delays no other channel, and is asked once an hour', async () => {
  const { store, platform, daily, clock, at, until } = await makeGround(OPENING - HOUR);
  const others = ['one', 'two'].map((channel) => ({ ...CHANNEL, channel }));
  for (const channel of [CHANNEL, ...others]) await subscribe(store, {}, { at: OPENING - HOUR, channel });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  for (const { channel } of others)
    await subscriptions.setState(channel, { state: 'suspended', reason: SUSPENDED });
  const answer = Promise.withResolvers<{ what: string; how: string }[]>();
  let asked = 0;
  platform.missing = ({ channel }) => {
    if (channel === CHANNEL.channel) return [];
    asked++;
    return answer.promise;
  };
  await daily.start();
  clock.time = OPENING;
  await daily.tick();
  await expect.poll(() => platform.in(CHANNEL)).toHaveLength(2);
  answer.resolve([{ what: 'Send Messages', how: '' }]);
  await daily.runDue();
  await until(OPENING + 59 * MINUTE);
  expect(asked).toBe(4);
  platform.missing = () => [];
  await at(OPENING + HOUR);
  await at(OPENING + HOUR + MINUTE);
  for (const channel of others) expect(platform.in(channel)).toHaveLength(2);
  // A stop waits for what is being asked, after which the store is closed.
  await subscriptions.setState('one', { state: 'suspended', reason: SUSPENDED });
  const last = Promise.withResolvers<[]>();
  platform.missing = () => last.promise;
  clock.time += HOUR;
  await daily.tick();
  let isStopped = false;
  const stopping = daily.stop().then(() => (isStopped = true));
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  last.resolve([]);
  await stopping;
  expect(await subscriptions.get('one')).toMatchObject({ state: 'active' });
});
