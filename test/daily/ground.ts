import { onTestFinished } from 'vitest';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { Daily, type DailyOptions } from '../../src/daily/daily.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import type { Store } from '../../src/store/store.ts';
import type { Delivery } from '../../src/store/tables/deliveries.ts';
import { dayOf } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { random } from '../solver/random-boards.ts';
import { FakePlatform, fakePuzzleService, fakeSteps } from './fakes.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const CHANNEL: ChannelRef = { tenant: 'web:local', channel: 'general' };
/** 08:00 in New York, when the day of November 20 opens in a channel that chose nothing. */
export const OPENING = Date.UTC(2026, 10, 20, 13);
export const NEW_YORK = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);
export const DATE: PuzzleDate = '2026-11-20';
/** A channel's whole day, with the next opening that closes it. */
export const DAY = [OPENING, NEW_YORK(20, 12), NEW_YORK(20, 20), NEW_YORK(21, 8)];
export const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A clock that stands still until it is set. */
export class HandClock {
  time: number;
  constructor(time: number) {
    this.time = time;
  }
  now(): number {
    return this.time;
  }
}

export async function makeStore(): Promise<Store> {
  const store = await openNewStore(makeFolder());
  onTestFinished(() => store.close());
  return store;
}

export async function subscribe(
  store: Store,
  change: Partial<DailySettings> = {},
  { channel = CHANNEL, at = 0, by = 'manager' } = {},
): Promise<void> {
  const { subscriptions } = store.tenant(channel.tenant);
  const version = (await subscriptions.get(channel.channel))?.version ?? 0;
  const stored = { ...DEFAULT_SETTINGS, ...change };
  await subscriptions.save(channel.channel, stored, { version, by, at, since: at });
}

/** The daily thread on made-up boards, as a process that logs nothing. */
export function testDaily(
  options: Pick<DailyOptions, 'store' | 'posters' | 'clock'> & Partial<DailyOptions>,
): Daily {
  return new Daily({
    puzzles: fakePuzzleService(),
    answerSteps: fakeSteps(),
    log: quiet,
    random: () => 0.5,
    owner: 'test',
    ...options,
  });
}

export interface Ground {
  readonly store: Store;
  readonly clock: Pick<HandClock, 'time' | 'now'>;
  readonly platform: FakePlatform;
  readonly daily: Daily;
  /** Sets the clock, ticks and delivers what is ready. */
  at(moment: number): Promise<void>;
  /** Minute by minute from now on, as the cron does. */
  until(moment: number, step?: number): Promise<void>;
  /** Another process on the same store and platform. */
  restart(): Promise<void>;
  rows(date: PuzzleDate, channel?: ChannelRef): Promise<Record<string, string>>;
}

/** A channel that is subscribed, an hour before its opening. */
export async function beforeOpening(
  settings: Partial<DailySettings> = {},
  options: GroundOptions = {},
): Promise<Ground> {
  const ground = await makeGround(OPENING - HOUR, options);
  await subscribe(ground.store, settings, { at: OPENING - 2 * HOUR });
  return ground;
}

/** The row of its day. */
export async function openingOf({ store }: Pick<Ground, 'store'>): Promise<Delivery> {
  return (await store.tenant(CHANNEL.tenant).deliveries.day(CHANNEL.channel, DATE))!;
}

interface GroundOptions extends Omit<Partial<DailyOptions>, 'clock'> {
  readonly clock?: Pick<HandClock, 'time' | 'now'>;
  readonly platform?: FakePlatform;
}

export async function makeGround(now: number, options: GroundOptions = {}): Promise<Ground> {
  const { store = await makeStore(), clock = new HandClock(now), platform = new FakePlatform() } = options;
  let started = 0;
  const make = () => {
    const parts = { posters: [platform], random: random(1), owner: `test-${++started}` };
    return testDaily({ ...parts, ...options, store, clock });
  };
  let daily = make();
  const ground: Ground = {
    store,
    clock,
    platform,
    get daily() {
      return daily;
    },
    async at(moment) {
      clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
    async until(moment, step = MINUTE) {
      while (clock.time < moment) await ground.at(Math.min(moment, clock.time + step));
    },
    async restart() {
      await daily.stop();
      daily = make();
    },
    rows: (date, channel = CHANNEL) => dayOf(store, channel, date),
  };
  return ground;
}
