/** Runs child processes that are killed, and counts what stands on the platform afterwards. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { nextReminder } from '../../src/daily/reminders.ts';
import type { ClockTime } from '../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { personChannel, REMINDER_STEP } from '../../src/store/tables/reminders.ts';
import type { ChildTask } from './child.ts';
import type { PlatformModule, ServedPlatform, Tally } from './platforms/platform.ts';

export const DISCORD = fileURLToPath(new URL('./platforms/discord.ts', import.meta.url));
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

export interface KillGround {
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

export async function makeKillGround(module = DISCORD): Promise<KillGround> {
  const { serve } = (await import(module)) as PlatformModule;
  const platform = await serve();
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-kill-'));
  let started = 0;
  return {
    platform,
    folder,
    store: () => openStore({ dataDir: folder }),
    child(task) {
      const whole: ChildTask = {
        owner: `child-${++started}`,
        store: { dataDir: folder },
        platform: module,
        config: platform.config,
        lease: 60_000,
        ...task,
      };
      return startChild(whole);
    },
    async close() {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    },
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
export async function addReaders(
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
