import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../../src/core/clock.ts';
import { Daily } from '../../../src/daily/daily.ts';
import { answerSteps } from '../../../src/daily/delivery/messages.ts';
import type { DailySettings } from '../../../src/daily/settings/settings.ts';
import { describeReason } from '../../../src/daily/suspension.ts';
import type { SubscriptionState } from '../../../src/store/schema.ts';
import { subscribe } from '../../daily/ground.ts';
import { dayOf } from '../../fakes/day-thread.ts';
import { textOf } from '../../fakes/discord/person.ts';
import type { Channel } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { random } from '../../solver/random-boards.ts';
import { type Started, startDiscord } from './start.ts';

/** A moment of November 2026, in New York time. */
export const newYork = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);

/** The whole daily thread in one channel of the fake Discord. */
export interface Day extends Started {
  readonly daily: Daily;
  readonly ref: ChannelRef;
  /** Moves the clock, and runs the daily thread every quarter of an hour. */
  until(moment: number): Promise<void>;
  /** The state of each step of a date, with its reason if there is one. */
  rows(date: PuzzleDate): Promise<Record<string, string>>;
  reason(): Promise<string | null | undefined>;
  state(): Promise<SubscriptionState | undefined>;
  /** The private messages to the person who set the thread up. */
  notices(): string[];
  /** The channel's messages, and those in all of its threads. */
  posts(): string[];
}

export interface DayOptions {
  /** Makes the channel of the thread; a text channel by default. */
  readonly channel?: (started: Started) => Channel;
  readonly settings?: Partial<DailySettings>;
}

/** @example const day = await startDay(); await day.until(newYork(20, 13)); */
export async function startDay({ channel: make, settings }: DayOptions = {}): Promise<Day> {
  const started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
  const { discord, store, app, clock, door, guild } = started;
  const channel = make?.(started) ?? started.channel;
  const manager = discord.world.addUser('manager');
  const channelRef = { tenant: `discord:${guild.id}`, channel: channel.id };
  clock.time = newYork(20, 7);
  await subscribe(
    store,
    { source: 'house', ...settings },
    { channel: channelRef, at: clock.time, by: manager.id },
  );
  const daily = new Daily({
    store,
    puzzles: app.puzzles,
    answerSteps: answerSteps(app),
    posters: [door.poster],
    log: app.log,
    clock,
    random: random(1),
    owner: 'test',
  });
  const textsIn = (id: string) => discord.world.messagesOf(id).map(textOf);
  return {
    ...started,
    channel,
    daily,
    ref: channelRef,
    async until(moment) {
      while (clock.time < moment) {
        clock.time = Math.min(moment, clock.time + 15 * MINUTE);
        await daily.tick();
        await daily.runDue();
      }
    },
    async rows(date) {
      return dayOf(store, channelRef, date);
    },
    /** Why its day waits. */
    async reason() {
      const row = await store.tenant(channelRef.tenant).deliveries.day(channelRef.channel, '2026-11-20');
      return row?.reason && describeReason(row.reason);
    },
    state: async () => (await store.tenant(channelRef.tenant).subscriptions.get(channelRef.channel))?.state,
    notices: () => textsIn(discord.world.directChannel(manager).id),
    posts() {
      const threads = discord.world.channelsOf(guild.id).filter((one) => one.parent_id === channel.id);
      return [channel, ...threads].flatMap(({ id }) => textsIn(id));
    },
    async close() {
      await daily.stop();
      await started.close();
    },
  };
}
