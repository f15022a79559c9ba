/** A channel that is lived in: commands, plays and the daily thread on a fake platform, with a clock that a test moves. */

import { onTestFinished } from 'vitest';
import { Daily } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { dayReviews, deliveriesOfPlayers } from '../../src/players/reviews.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { FakePlatform, type Shown } from './fakes.ts';
import { CHANNEL } from './ground.ts';

/** The places of a week: a channel at each door, another one beside it, and private messages. */
export const PLACES = {
  web: { ...CHANNEL, direct: false },
  discord: { tenant: 'discord:1', channel: 'c1', direct: false },
  slack: { tenant: 'slack:T1', channel: 'C1', direct: false },
} as const;
export type LivedDoor = keyof typeof PLACES;
const DOORS = Object.keys(PLACES) as LivedDoor[];

/** Where somebody types something. */
export interface Where {
  readonly door?: LivedDoor;
  readonly channel?: string;
  readonly direct?: boolean;
}

export interface Lived extends TestApp {
  /** That of the local chat. */
  readonly platform: FakePlatform;
  readonly platforms: Readonly<Record<LivedDoor, FakePlatform>>;
  /** Sets the clock, ticks and delivers what is ready. */
  at(moment: number): Promise<void>;
  /** Another process on the same store and platforms. */
  restart(): Promise<void>;
  /** What somebody types; `boss` manages every channel. */
  ask(line: string, who?: string, where?: Where): Promise<Reply>;
  /** The messages in a door's channel that open a day, the last one last. */
  openings(door?: LivedDoor): Shown[];
  /** What the last of them says, and each message in its thread. */
  opening(door?: LivedDoor): string;
  thread(door?: LivedDoor): string[];
}

export const read = (reply: Reply) => plainText(reply, { reveal: true });

export async function live(now: number, options: TestAppOptions = {}): Promise<Lived> {
  const platforms = {
    web: new FakePlatform('web'),
    discord: new FakePlatform('discord'),
    slack: new FakePlatform('slack'),
  };
  const made = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => DOORS.map((one) => platforms[one]).find((one) => one.door === door),
    ...options,
  });
  const { app, store, clock } = made;
  clock.time = now;
  let started = 0;
  const make = () =>
    new Daily({
      store,
      puzzles: app.puzzles,
      answerSteps: answerSteps(app),
      posters: Object.values(platforms),
      log: app.log,
      clock,
      random: () => 0.5,
      owner: `process ${++started}`,
      source: options.source ?? 'house',
      reviews: dayReviews(app),
      kinds: deliveriesOfPlayers(app),
      concurrency: 1,
    });
  let daily = make();
  onTestFinished(async () => {
    await daily.stop();
    await made.close();
  });
  const lived: Lived = {
    ...made,
    platform: platforms.web,
    platforms,
    async at(moment) {
      clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
    async restart() {
      await daily.stop();
      daily = make();
    },
    ask(line, who = 'boss', { door = 'web', direct = false, channel } = {}) {
      const place = PLACES[door];
      const tenant = direct && door === 'discord' ? `discord:@${who}` : place.tenant;
      const where = { tenant, channel: channel ?? (direct ? `dm-${who}` : place.channel), direct };
      return say(app, line, { ...someone({ id: who, mayManage: who === 'boss' }, where), door });
    },
    openings: (door = 'web') =>
      platforms[door].in(PLACES[door]).filter(({ threadName }) => threadName !== undefined),
    opening: (door) => read(lived.openings(door).at(-1)!.reply),
    thread(door = 'web') {
      const thread = `t${lived.openings(door).at(-1)!.id}`;
      return platforms[door]
        .in(PLACES[door])
        .filter((message) => message.thread === thread)
        .map(({ reply }) => read(reply));
    },
  };
  return lived;
}
