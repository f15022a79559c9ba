/** Runs child processes that are killed, and counts what stands on the platform afterwards. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { personChannel, REMINDER_STEP } from '../../src/core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { postKey } from '../../src/daily/day-thread.ts';
import { DAY_STEPS } from '../../src/daily/plan/schedule.ts';
import { nextReminder } from '../../src/daily/reminders.ts';
import type { ClockTime } from '../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { THREAD_STEPS } from '../../src/reply/replies/thread-steps.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { random } from '../solver/random-boards.ts';
import type { ChildTask } from './child.ts';
import type { Mischief, PlatformModule, ServedPlatform, Tally } from './platforms/platform.ts';

export const DISCORD = fileURLToPath(new URL('./platforms/discord.ts', import.meta.url));
export const SLACK = fileURLToPath(new URL('./platforms/slack.ts', import.meta.url));
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

interface KillGround {
  readonly platform: ServedPlatform;
  readonly folder: string;
  store(): Promise<Store>;
  /** Starts a child; `line` resolves with what it prints first, `ended` when it is gone. */
  child(task: Partial<ChildTask>): Child;
  close(): Promise<void>;
}

export interface Child {
  readonly process: ChildProcess;
  /** The moment that it has begun last; 0 before the first. */
  moment(): number;
  readonly line: Promise<string>;
  /** Resolves when all its moments are over, or it has ended. */
  readonly over: Promise<void>;
  readonly ended: Promise<{
    readonly signal: NodeJS.Signals | null;
    readonly code: number | null;
    readonly output: string;
  }>;
}

/** @param server a PostgreSQL, which gets a new database; by default, the store is a file */
async function makeKillGround(module = DISCORD, server?: string): Promise<KillGround> {
  const { serve } = (await import(module)) as PlatformModule;
  const platform = await serve();
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-kill-'));
  const database = server === undefined ? undefined : await newDatabase(server);
  const store = database === undefined ? { dataDir: folder } : { databaseUrl: database.url };
  let started = 0;
  return {
    platform,
    folder,
    store: () => openStore({ ...store, onTrouble: () => {} }),
    child(task) {
      const whole: ChildTask = {
        owner: `child-${++started}`,
        store,
        platform: module,
        config: platform.config,
        lease: 60_000,
        ...task,
      };
      return startChild(whole);
    },
    async close() {
      await platform.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function newDatabase(server: string) {
  const name = `kill_${Math.random().toString(36).slice(2)}`;
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await ask(`create database ${name}`);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: () => ask(`drop database ${name} with (force)`),
  };
}

export function startChild(task: ChildTask): Child {
  const child = spawn(process.execPath, [CHILD], {
    env: {
      ...process.env,
      CHILD_TASK: JSON.stringify(task),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  const ended: Child['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, output }));
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

/** Channels of one tenant each, with settings by their number. */
export async function fillChannels(
  store: Store,
  count: number,
  at: number,
  settings: (index: number) => Partial<DailySettings> = () => ({}),
): Promise<string[]> {
  const channels: string[] = [];
  for (let index = 0; index < count; index++) {
    const tenant = `web:t${index}`;
    const stored = { ...DEFAULT_SETTINGS, ...settings(index) };
    await store.tenant(tenant).subscriptions.save('c', stored, { version: 0, by: 'manager', at });
    channels.push(`${tenant} c`);
  }
  return channels;
}

/** Stands for the person of each channel who is reminded; the modules of the platforms know who it is there. */
const READER = 'reader';

/** One person of each channel is reminded each day. */
async function addReaders(
  store: Store,
  channels: readonly string[],
  setAt: number,
  atOf: (index: number) => ClockTime,
): Promise<void> {
  for (const [index, name] of channels.entries()) {
    const [tenant = '', channel = ''] = name.split(' ');
    const { zone } = DEFAULT_SETTINGS;
    const at = atOf(index);
    const nextAt = nextReminder(at, zone, setAt);
    await store.tenant(tenant).reminders.set({ person: READER, channel, at, zone, setAt, nextAt });
  }
}

export interface Verdict {
  readonly openings: number;
  readonly closings: number;
  readonly reminders: number;
  readonly messages: number;
  readonly doubled: number;
  readonly missing: number;
  readonly threadsWrong: number;
  readonly unfinished: number;
  /** Steps with neither a message nor a reason. */
  readonly unexplained: number;
}

/** Compares what stands on the platform with what the rows say. */
export async function judge(
  store: Store,
  tally: Tally,
  channels: readonly string[],
  date: PuzzleDate,
  steps: readonly string[],
): Promise<Verdict> {
  const { postKey } = await import('../../src/daily/day-thread.ts');
  const verdict = {
    openings: 0,
    closings: 0,
    reminders: 0,
    messages: 0,
    doubled: 0,
    missing: 0,
    threadsWrong: 0,
    unfinished: 0,
    unexplained: 0,
  };
  for (const name of channels) {
    const [tenant = '', channel = ''] = name.split(' ');
    const messages = tally.messages.get(name) ?? new Map<string, number>();
    for (const count of messages.values()) {
      verdict.messages += count;
      if (count > 1) verdict.doubled++;
    }
    const { deliveries } = store.tenant(tenant);
    const toReader = personChannel(READER);
    const rows = [...(await deliveries.ofDay(channel, date)), ...(await deliveries.ofDay(toReader, date))];
    const isOpened = rows.find(({ step }) => step === 'opening')?.state === 'sent';
    for (const step of steps) {
      const row = rows.find((one) => one.step === step);
      const where = step === REMINDER_STEP ? toReader : channel;
      const count = messages.get(postKey({ tenant, channel: where, date, step })) ?? 0;
      if (step === 'opening') verdict.openings += count;
      if (step === 'closing') verdict.closings += count;
      if (step === REMINDER_STEP) verdict.reminders += count;
      // A day that was never opened, as its opening's reason tells, has nothing to close.
      if (step === 'closing' && row === undefined && !isOpened) continue;
      if (row === undefined || ((row.state === 'given-up' || row.state === 'skipped') && !row.reason))
        verdict.unexplained++;
      if (row?.state === 'due' || row?.state === 'sending') verdict.unfinished++;
      if (row?.state === 'sent' && count !== 1) verdict.missing++;
      if (row?.state === 'skipped' && count !== 0) verdict.doubled++;
    }
    if (isOpened && !tally.threads.has(name)) verdict.threadsWrong++;
  }
  return verdict;
}

/** The two kill tests: at every await of the posting path, and at random through a day of many channels. */
const TICK = 5 * MINUTE;
export const DATE = '2026-11-20';
/** Real milliseconds: long enough to strike after a request, while its outcome is being stored or a later one sent. */
const LONGEST_DELAY = 30;
/** A process lives through no more of the day than with this many kills. */
const LEAST_KILLS = 6;
const STEPS = ['opening', 'start', 'count', 'solution'];
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);
/** A channel's whole day, with the next opening that closes it. */
const DAY = [at(20, 8), at(20, 12), at(20, 20), at(21, 8)];

export interface AwaitReport {
  readonly points: number;
  readonly killed: number;
  /** Where a kill left something doubled or missing. */
  readonly wrong: readonly string[];
}

/** Kills a process at its first, second, … await, and lets another finish the day. `every`: only each nth. */
export async function killAtEveryAwait(
  every = 1,
  module = DISCORD,
  from = 1,
  server?: string,
): Promise<AwaitReport> {
  const wrong: string[] = [];
  let killed = 0;
  for (let killAt = from; ; killAt += every) {
    const ground = await makeKillGround(module, server);
    try {
      const store = await ground.store();
      const channels = await fillChannels(store, 1, at(20, 6));
      await store.close();
      const first = await ground.child({ moments: DAY, killAt }).ended;
      if (first.signal !== 'SIGKILL')
        return { points: Number(/points (\d+)/.exec(first.output)?.[1]), killed, wrong };
      killed++;
      // Each time again, for what failed the first time: on a busy machine an answer may be lost to a time limit.
      const late = DAY.flatMap((moment) => [3, 10, 20].map((minutes) => moment + minutes * MINUTE));
      await ground.child({ moments: late }).ended;
      const after = await ground.store();
      const tally = await ground.platform.tally();
      const verdict = await judge(after, tally, channels, DATE, STEPS);
      const rows = await after.tenant('web:t0').deliveries.ofDay('c', DATE);
      const closing = tally.messages
        .get(channels[0]!)
        ?.get(postKey({ tenant: 'web:t0', channel: 'c', date: DATE, step: 'closing' }));
      await after.close();
      const posted = rows.filter(({ state, reason }) => state === 'sent' || reason?.code === 'merged').length;
      if (
        !isRight(verdict) ||
        verdict.openings !== 1 ||
        tally.threads.get(channels[0]!) !== 2 ||
        posted !== 5 ||
        closing !== 1
      ) {
        wrong.push(
          `${killAt} ${first.output.trim()}: ${JSON.stringify({ ...verdict, posted, closing })} ${JSON.stringify(rows.map(({ step, state, reason }) => [step, state, reason]))}`,
        );
      }
    } finally {
      await ground.close();
    }
  }
}

export function isRight({ doubled, missing, threadsWrong, unfinished, unexplained }: Verdict): boolean {
  return doubled + missing + threadsWrong + unfinished + unexplained === 0;
}

export interface DayReport extends Verdict {
  readonly channels: number;
  readonly kills: number;
  readonly requests: number;
  readonly mischief: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly seed: number;
}

/**
 * A day of many channels with its reminders, and the next morning, which closes it, on a platform that misbehaves,
 * while the delivering process is killed again and again: in the middle of requests and at any other time.
 */
export async function killThroughDay(options: {
  readonly channels: number;
  readonly kills: number;
  readonly seed: number;
  readonly module?: string;
  readonly server?: string | undefined;
}): Promise<DayReport> {
  const { kills, seed, module = DISCORD, server } = options;
  const next = random(seed);
  // A generator of its own: the number of requests depends on the kills.
  const nextMischief = random(seed + 1);
  const ground = await makeKillGround(module, server);
  const began = Date.now();
  try {
    const store = await ground.store();
    const channels = await fillChannels(store, options.channels, at(20, 6), (index) => timesFor(index, next));
    await addReaders(store, channels, at(20, 6), () => clockTime(12 * 60 + Math.floor(next() * 9 * 60)));
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
    const watched = await ground.store();
    const tally = await ground.platform.tally();
    const verdict = await judge(watched, tally, channels, DATE, STEPS_OF_ALL);
    await watched.close();
    return {
      ...verdict,
      channels: channels.length,
      kills: killed,
      requests: tally.requests,
      mischief,
      seconds: Math.round((Date.now() - began) / 1000),
      seed,
    };
  } finally {
    await ground.close();
  }
}

const STEPS_OF_ALL = [...DAY_STEPS, REMINDER_STEP];

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
