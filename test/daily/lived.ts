/** A channel that is lived in: commands, plays and the daily thread on a fake platform, with a clock that a test moves. */

import { onTestFinished } from 'vitest';
import { Daily } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { dayReviews, playerHandlers } from '../../src/players/reviews.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { FakePlatform, type Shown } from './fakes.ts';
import { CHANNEL } from './ground.ts';

export interface Lived extends TestApp {
  readonly platform: FakePlatform;
  /** Sets the clock, ticks and delivers what is ready. */
  at(moment: number): Promise<void>;
  /** Another process on the same store and platform. */
  restart(): Promise<void>;
  /** What somebody types; `boss` manages every channel. */
  ask(line: string, who?: string, channel?: string): Promise<Reply>;
  /** The messages in a channel that open a day, the last one last. */
  openings(channel?: string): Shown[];
  /** What the last of them says, and each message in its thread. */
  opening(channel?: string): string;
  thread(): string[];
}

export const read = (reply: Reply) => plainText(reply, { reveal: true });

export async function live(now: number, options: TestAppOptions = {}): Promise<Lived> {
  const platform = new FakePlatform('web');
  const made = await makeTestApp({ words: WORDS, house, posterOf: () => platform, ...options });
  const { app, store, clock } = made;
  clock.time = now;
  let started = 0;
  const make = () =>
    new Daily({
      store,
      puzzles: app.puzzles,
      answerSteps: answerSteps(app),
      posters: [platform],
      log: app.log,
      clock,
      random: () => 0.5,
      owner: `process ${++started}`,
      source: options.source ?? 'house',
      reviews: dayReviews(app),
      handlers: playerHandlers(app),
      concurrency: 1,
    });
  let daily = make();
  onTestFinished(async () => {
    await daily.stop();
    await made.close();
  });
  const lived: Lived = {
    ...made,
    platform,
    async at(moment) {
      clock.time = moment;
      await daily.tick();
      await daily.runDue();
    },
    async restart() {
      await daily.stop();
      daily = make();
    },
    ask(line, who = 'boss', channel = CHANNEL.channel) {
      return say(app, line, someone({ id: who, mayManage: who === 'boss' }, { channel }));
    },
    openings: (channel = CHANNEL.channel) =>
      platform.in({ ...CHANNEL, channel }).filter(({ threadName }) => threadName !== undefined),
    opening: (channel) => read(lived.openings(channel).at(-1)!.reply),
    thread() {
      const thread = `t${lived.openings().at(-1)!.id}`;
      return platform
        .in(CHANNEL)
        .flatMap(({ reply, ...one }) => (one.thread === thread ? [read(reply)] : []));
    },
  };
  return lived;
}
