/** Runs child processes that are killed, and counts what stands on the platform afterwards. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { channelKey, EVERY_DATE, personChannel, REMINDER_KIND } from '../../src/core/channel-ref.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { postKey, recordOf } from '../../src/daily/day-thread.ts';
import { DAY_STEPS } from '../../src/daily/plan/schedule.ts';
import type { ClockTime } from '../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { THREAD_STEPS } from '../../src/reply/replies/thread-steps.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { dayOf, daysOf } from '../fakes/day-thread.ts';
import { random } from '../solver/random-boards.ts';
import { ask } from '../store/real-postgres.ts';
import type { ChildTask } from './child.ts';
import { NEW_YORK as at, DATE, DAY, OPENING, subscribe } from './ground.ts';
import { type Mischief, serve } from './platforms/discord.ts';
import type { Place, PlatformModule, ServedPlatform, Tally } from './platforms/platform.ts';

export const DISCORD = fileURLToPath(new URL('./platforms/discord.ts', import.meta.url));
export const SLACK = fileURLToPath(new URL('./platforms/slack.ts', import.meta.url));
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** A platform and a store, for processes that are killed. The store is a file unless it is given a database. */
function makeKillGround<Served extends ServedPlatform>(
  platform: Served,
  module: string,
  databaseUrl?: string,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-kill-'));
  const store = databaseUrl === undefined ? { dataDir } : { databaseUrl };
  let started = 0;
  return {
    platform,
    store: () => openStore(store),
    child(task: Partial<ChildTask>): Child {
      const owner = `child-${++started}`;
      return startChild({ owner, store, platform: module, config: platform.config, lease: 60_000, ...task });
    },
    async close() {
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Child {
  readonly process: ChildProcess;
  /** The moment that it has begun last; 0 before the first. */
  moment(): number;
  /** What it prints first. */
  readonly line: Promise<string>;
  /** Resolves when all its moments are over, or it has ended. */
  readonly over: Promise<void>;
  readonly ended: Promise<{
    readonly signal: NodeJS.Signals | null;
    readonly output: string;
  }>;
}

function startChild(task: ChildTask): Child {
  const child = spawn(process.execPath, [CHILD], {
    env: { ...process.env, CHILD_TASK: JSON.stringify(task) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  const ended: Child['ended'] = new Promise((resolve) => {
    child.on('close', (_, signal) => resolve({ signal, output }));
  });
  const line = Promise.withResolvers<string>();
  const over = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk: string) => {
    output += chunk;
    if (output.includes('\n')) line.resolve(output.slice(0, output.indexOf('\n')));
    if (/^points \d+\n/m.test(output)) over.resolve();
  });
  void ended.then(() => {
    line.resolve(output);
    over.resolve();
  });
  const moment = () => Number(output.slice(output.lastIndexOf('now ')).match(/\d+/)?.[0] ?? 0);
  return { process: child, line: line.promise, over: over.promise, ended, moment };
}

/** Starts processes whose clocks begin to run at once, shortly before the opening. They are killed after the test. */
export async function startTogether(
  count: number,
  task: Omit<ChildTask, 'owner' | 'runsFrom'>,
): Promise<readonly Child[]> {
  const children = Array.from({ length: count }, (_, index) =>
    startChild({ ...task, owner: `process-${index}`, runsFrom: OPENING - 500 }),
  );
  onTestFinished(() => {
    for (const { process } of children) process.kill('SIGKILL');
  });
  await Promise.all(children.map(({ line }) => line));
  for (const { process } of children) process.stdin!.end('go\n');
  return children;
}

/** Switches the daily thread on in these channels, with settings by their number. */
export async function fillChannels(
  store: Store,
  places: readonly Place[],
  at: number,
  settings: (index: number) => Partial<DailySettings> = () => ({}),
): Promise<void> {
  for (const [index, channel] of places.entries()) await subscribe(store, settings(index), { channel, at });
}

/** One person of each channel is reminded each day. */
async function addReaders(
  store: Store,
  places: readonly Place[],
  setAt: number,
  atOf: () => ClockTime,
): Promise<void> {
  const { zone } = DEFAULT_SETTINGS;
  for (const { tenant, ...place } of places) {
    await store.tenant(tenant).reminders.set({ ...place, at: atOf(), zone, setAt });
  }
}

export interface Verdict {
  /** What is there twice, missing or unfinished, or not there for no reason. */
  readonly wrong: readonly string[];
  /** How many messages there are, by step. */
  readonly posts: Readonly<Record<string, number>>;
}

/** Compares what stands on the platform with what became of each step. */
export async function judge(
  store: Store,
  tally: Tally,
  places: readonly Place[],
  steps: readonly string[],
): Promise<Verdict> {
  const wrong: string[] = [];
  const posts: Record<string, number> = Object.fromEntries(steps.map((step) => [step, 0]));
  const days = await daysOf(store, DATE);
  for (const { person, ...ref } of places) {
    const name = channelKey(ref);
    const messages = tally.messages.get(name) ?? new Map<string, number>();
    for (const [key, count] of messages) if (count > 1) wrong.push(`${name}: ${count} times the key ${key}`);
    const ofReader = { ...ref, channel: personChannel(person) };
    const day = days.get(name) ?? {};
    const { deliveries } = store.tenant(ref.tenant);
    const reminder = await deliveries.get(ofReader.channel, EVERY_DATE, REMINDER_KIND);
    const wasReminded = reminder && recordOf(reminder, { warn() {} }).ends?.[DATE]?.state === 'sent';
    for (const step of steps) {
      const isReminder = step === REMINDER_KIND;
      const became = isReminder ? (wasReminded ? 'posted' : 'not sent') : day[step];
      const count = messages.get(postKey({ ...(isReminder ? ofReader : ref), date: DATE, step })) ?? 0;
      posts[step]! += count;
      // A day that was never opened has nothing to close.
      if (step === 'closing' && became === undefined && day.opening !== 'posted') continue;
      const isRight =
        became === 'posted'
          ? count === 1
          : became?.startsWith('posted with')
            ? count === 0
            : became?.startsWith('left out');
      if (!isRight) wrong.push(`${name}: ${step} is ${became}, with ${count} messages`);
    }
    if (day.opening === 'posted' && !tally.threads.has(name)) wrong.push(`${name}: no thread`);
  }
  return { wrong, posts };
}

/** What is wrong with the day of one channel, with the next opening, after which nothing may have been left out. */
export async function judgeWholeDay(store: Store, tally: Tally, place: Place): Promise<readonly string[]> {
  const { wrong, posts } = await judge(store, tally, [place], [...STEPS, 'closing']);
  const day = await dayOf(store, place, DATE);
  const leftOut = Object.entries(day).filter(([, became]) => !became.startsWith('posted'));
  const threads = tally.threads.get(channelKey(place))?.size;
  return [
    ...wrong,
    ...leftOut.map(([step, became]) => `${step} is ${became}`),
    ...(threads === 2 ? [] : [`${threads} threads`]),
    ...(posts.opening === 1 && posts.closing === 1 ? [] : [JSON.stringify(posts)]),
  ];
}

const TICK = 5 * MINUTE;
/** Real milliseconds: long enough to strike after a request, while its outcome is being stored or a later one sent. */
const LONGEST_DELAY = 30;
/** A process lives through no more of the day than with this many kills. */
const LEAST_KILLS = 6;
const STEPS = ['opening', 'start', 'count', 'solution'];

interface AwaitOptions {
  readonly every?: number;
  readonly from?: number;
  /** Emptied for each kill; by default, the store is a file. */
  readonly databaseUrl?: string | undefined;
}

/** Kills a process at its first, second, … await, and lets another finish the day. `every`: only each nth. */
export async function killAtEveryAwait(module: string, { every = 1, from = 1, databaseUrl }: AwaitOptions) {
  const { serve } = (await import(module)) as PlatformModule;
  const wrong: string[] = [];
  let killed = 0;
  for (let killAt = from; ; killAt += every) {
    if (databaseUrl !== undefined) await ask('drop schema public cascade; create schema public', databaseUrl);
    const ground = makeKillGround(await serve(), module, databaseUrl);
    const place = ground.platform.places[0]!;
    try {
      const store = await ground.store();
      await fillChannels(store, [place], at(20, 6));
      await store.close();
      const { signal, output } = await ground.child({ moments: DAY, killAt }).ended;
      if (signal !== 'SIGKILL') return { points: Number(/points (\d+)/.exec(output)?.[1]), killed, wrong };
      killed++;
      // Each time again, for what failed the first time: on a busy machine an answer may be lost to a time limit.
      const late = DAY.flatMap((moment) => [3, 10, 20].map((minutes) => moment + minutes * MINUTE));
      await ground.child({ moments: late }).ended;
      const after = await ground.store();
      const found = await judgeWholeDay(after, ground.platform.tally(), place);
      await after.close();
      wrong.push(...found.map((one) => `${killAt} ${output.trim().split('\n').at(-1)}: ${one}`));
    } finally {
      await ground.close();
    }
  }
}

/**
 * A day of many channels with its reminders, and the next morning, which closes it, on a platform that misbehaves,
 * while the delivering process is killed again and again: in the middle of requests and at any other time.
 */
export async function killThroughDay(options: {
  channels: number;
  kills: number;
  seed: number;
  databaseUrl?: string | undefined;
}): Promise<Verdict & { readonly mischief: Readonly<Record<string, number>> }> {
  const { kills, seed, databaseUrl } = options;
  const next = random(seed);
  // A generator of its own: the number of requests depends on the kills.
  const nextMischief = random(seed + 1);
  const ground = makeKillGround(await serve(), DISCORD, databaseUrl);
  const places = ground.platform.places.slice(0, options.channels);
  try {
    const store = await ground.store();
    await fillChannels(store, places, at(20, 6), (index) => timesFor(index, next));
    await addReaders(store, places, at(20, 6), () => clockTime(12 * 60 + Math.floor(next() * 9 * 60)));
    await store.close();
    const mischief: Record<string, number> = {};
    const misbehave = () => {
      const kind = chooseMischief(nextMischief);
      mischief[kind] = (mischief[kind] ?? 0) + 1;
      return kind;
    };
    ground.platform.mischief = misbehave;
    let killed = 0;
    // The clock of a process goes on when all that was due is done, so that no day is too short on a slow machine.
    const lease = 5 * MINUTE;
    const requestsALife = (options.channels * STEPS_OF_ALL.length) / Math.max(kills, LEAST_KILLS);
    const day = ticks(at(20, 7, 50), at(20, 23));
    // Until all channels have opened again, and some time for what has to be tried again.
    const end = at(21, 8, 40 + Math.min(options.channels, 200));
    const calm = [20, 40, 60, 120].map((minutes) => end + minutes * MINUTE);
    const moments = [...day, ...ticks(at(21, 7, 50), end), ...calm];
    let now = at(20, 7, 50);
    const startChild = (lingers: boolean) =>
      ground.child({ moments: moments.filter((moment) => moment >= now), lease, lingers });
    while (killed < kills) {
      // It lingers, or a quick one would be through with its day before the kill that was on its way.
      const child = startChild(true);
      // The first kill may strike from the first moment on, and the last one in the next morning.
      const from = moments[Math.floor((day.length * killed) / Math.max(1, kills - 1))]!;
      // Half of the kills strike in the middle of a request, the others a moment after one.
      const inRequest = next() < 0.5;
      const delay = next() * LONGEST_DELAY;
      let left = Math.floor(next() * requestsALife);
      let isStruck = false;
      ground.platform.onRequest = () => {
        if (child.moment() < from || left-- > 0) return;
        ground.platform.onRequest = () => {};
        isStruck = true;
        if (inRequest) child.process.kill('SIGKILL');
        else setTimeout(() => child.process.kill('SIGKILL'), delay);
      };
      await child.over;
      if (!isStruck) {
        child.process.kill('SIGKILL');
        throw new Error(`the day was over after ${killed} of ${kills} kills`);
      }
      const { signal, output } = await child.ended;
      if (signal !== 'SIGKILL') throw new Error(`a process ended by itself: ${output.slice(-200)}`);
      now = Math.max(now, child.moment());
      killed++;
    }
    // The last one is not killed: it lives on to the end, and then the platform makes no more mistakes.
    const last = startChild(false);
    ground.platform.mischief = () => (last.moment() > end ? 'none' : misbehave());
    await last.ended;
    const after = await ground.store();
    const verdict = await judge(after, ground.platform.tally(), places, STEPS_OF_ALL);
    await after.close();
    return { ...verdict, mischief };
  } finally {
    await ground.close();
  }
}

const STEPS_OF_ALL = [...DAY_STEPS, REMINDER_KIND];

/** Openings through the morning and steps through the day, so that there is work at any time. */
function timesFor(index: number, next: () => number): Partial<DailySettings> {
  const opening = 8 * 60 + (index % 200);
  const steps = THREAD_STEPS.map((step, index) => ({
    step,
    at: clockTime(opening + index * 75 + Math.floor(next() * 60)),
  }));
  return { opening: clockTime(opening), steps };
}

function clockTime(minutes: number): ClockTime {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}` as ClockTime;
}

/** Moments to tick at, five minutes apart. */
function ticks(from: number, to: number): number[] {
  const count = Math.floor((to - from) / TICK) + 1;
  return Array.from({ length: Math.max(count, 1) }, (_, index) => from + index * TICK);
}

function chooseMischief(next: () => number): Mischief {
  const chance = next();
  if (chance < 0.84) return 'none';
  return (['late', 'before', 'after', 'busy', 'broken', 'slow', 'twice', 'after'] as const)[
    Math.floor(next() * 8)
  ]!;
}
