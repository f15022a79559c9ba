/** What a message announces is what is then posted. */

import { expect, onTestFinished, test } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { Daily } from '../../src/daily/daily.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { dayReviews, playerHandlers } from '../../src/players/reviews.ts';
import { type Newspaper, NewspaperError } from '../../src/puzzle/newspaper.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { FakePlatform, type Shown } from './fakes.ts';
import { CHANNEL, NEW_YORK } from './ground.ts';

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

test('an open thread finishes though weekends are switched off', async () => {
  const here = await live(NEW_YORK(21, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(21, 8));
  await here.ask('daily weekends:off');
  expect(here.opening()).toMatch(/words needed at .*17:00 UTC; the solution at/);
  await here.at(NEW_YORK(21, 12));
  await here.at(NEW_YORK(21, 20));
  expect(here.thread()).toHaveLength(3);
  await here.at(NEW_YORK(22, 9));
  expect(here.openings()).toHaveLength(1);
});

test.each([
  [
    'off and on again after the last step',
    [
      ['daily off', 20, 11],
      ['daily on', 20, 21],
    ],
  ],
  [
    'off today and on tomorrow',
    [
      ['daily off', 20, 11],
      ['daily on', 21, 7],
    ],
  ],
  [
    'a zone in which the day is over',
    [
      ['daily zone:Tokyo', 20, 9],
      ['daily zone:Los_Angeles', 21, 4],
    ],
  ],
] as const)('an opening lists no hint that will never come: %s', async (_, changes) => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  for (const [line, day, hour] of changes) {
    here.clock.time = NEW_YORK(day, hour);
    await here.ask(line);
  }
  const opening = read(here.openings()[0]!.reply);
  expect(opening).toContain('Thread: start letters');
  expect(opening).not.toMatch(/words needed|the solution/);
  const before = here.platform.messages.filter(({ thread }) => thread !== undefined).length;
  await here.at(NEW_YORK(21, 7, 30));
  expect(here.platform.messages.filter(({ thread }) => thread !== undefined)).toHaveLength(before);
});

test('a step that was posted and then moved is not announced again', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on lengths:13:00');
  for (const hour of [8, 12]) await here.at(NEW_YORK(20, hour));
  await here.ask('daily count:15:00');
  await here.at(NEW_YORK(20, 13));
  for (const text of [here.opening(), ...here.thread()]) expect(text).not.toContain('20:00 UTC');
  expect(here.thread().at(-1)).toMatch(/The solution at .*01:00 UTC/);
});

test('a pause that ends by itself leaves no message that says less than what comes', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  await here.ask('daily pause until:"5 hours"');
  expect(here.opening()).toMatch(/words needed at .*18:00 UTC; the solution at .*01:00 UTC/);
  await here.at(NEW_YORK(20, 12));
  expect(here.thread()).toHaveLength(1);
  await here.at(NEW_YORK(20, 13));
  expect(here.thread().at(-1)).toMatch(/The solution at .*01:00 UTC/);
  await here.at(NEW_YORK(20, 20));
  expect(here.thread()).toHaveLength(3);
});

/** A newspaper that can't be reached, and when it was asked. */
function closed(now: () => number): { readonly newspaper: Newspaper; readonly asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    newspaper: {
      async ask() {
        asked.push(now());
        return { ok: false, error: new NewspaperError('unreachable', 'nobody answers'), requests: 1 };
      },
    },
  };
}

test('without a board, what comes next is the opening, once there is one', async () => {
  const { newspaper } = closed(() => 0);
  const here = await live(NEW_YORK(20, 7), { source: 'newspaper', newspaper });
  await here.ask('daily on otherwise:nothing');
  await here.at(NEW_YORK(20, 8));
  expect(read(await here.ask('daily show'))).toContain('Next: the opening, as soon as there is a board');
});

test('an opening that waits for its board when the thread is paused is what comes next', async () => {
  const { newspaper } = closed(() => 0);
  const here = await live(NEW_YORK(20, 7), { source: 'newspaper', newspaper });
  await here.ask('daily on count:8:30');
  await here.at(NEW_YORK(20, 8));
  await here.ask('daily pause until:"2 hours"');
  expect(read(await here.ask('daily show'))).toMatch(/Next, the opening: .*15:00 UTC/);
  await here.at(NEW_YORK(20, 9, 58));
  expect(here.openings()).toHaveLength(0);
  await here.at(NEW_YORK(20, 10));
  expect(here.openings()).toHaveLength(1);
});

test('the newspaper is asked once more right before the house board takes its place', async () => {
  const time = { now: NEW_YORK(20, 7) };
  const { newspaper, asked } = closed(() => time.now);
  const here = await live(time.now, { source: 'newspaper', newspaper });
  await here.ask('daily on');
  for (let minute = 0; here.openings().length === 0; minute++) {
    time.now = NEW_YORK(20, 8, minute);
    await here.at(time.now);
  }
  const opened = (time.now - NEW_YORK(20, 8)) / MINUTE;
  expect(opened).toBeGreaterThanOrEqual(30);
  expect((asked.at(-1)! - NEW_YORK(20, 8)) / MINUTE).toBe(opened);
});

test('after a long absence the last thread is closed without a word, and loses its buttons of the day', async () => {
  const here = await live(NEW_YORK(2, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(2, 8));
  await here.ask('daily pause');
  here.clock.time = NEW_YORK(20, 7);
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  const [first] = here.openings();
  expect(read(first!.reply)).toContain('[Solution]');
  expect(here.platform.threads.get(`t${first!.id}`)).toMatchObject({ archived: true });
  expect(here.platform.messages.filter(({ thread }) => thread === `t${first!.id}`)).toHaveLength(1);
});

test('a thread that is left is closed without a word when the next one would open, once the platform answers', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  // The second day of a pause, in which the thread stays.
  await here.ask('daily pause');
  for (const day of [21, 22]) await here.at(NEW_YORK(day, 9));
  expect(here.opening()).toContain('[Check]');
  const { edit } = here.platform;
  await here.ask('daily off');
  here.platform.edit = () => Promise.reject(new PostFailure('later', 'the platform asks to wait'));
  await here.at(NEW_YORK(22, 10));
  here.platform.edit = edit;
  await here.at(NEW_YORK(22, 11));
  expect(here.opening()).toContain('[Solution]');
  expect(here.thread()).toHaveLength(1);
  expect(here.platform.threads.get(`t${here.openings()[0]!.id}`)).toMatchObject({ archived: true });
});

test('a thread that moves is closed where it was, and says what comes again where it comes back to', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  await here.ask('daily here', 'boss', 'random');
  await here.at(NEW_YORK(20, 9));
  expect(here.opening()).not.toContain('the solution at');
  expect(here.opening('random')).toContain('the solution at');
  await here.ask('daily here');
  expect(here.opening()).toContain('the solution at');
  expect(here.opening('random')).not.toContain('the solution at');
  await here.at(NEW_YORK(21, 8));
  expect(here.openings()).toHaveLength(2);
  expect(here.opening('random')).toContain('[Solution]');
  const closings = here.platform.messages.filter(({ reply }) => reply.title.startsWith('That was'));
  expect(closings.map(({ channel }) => channel.channel)).toEqual(['general']);
});

test.each(['daily off', 'daily pause'])('%s silences the hunt’s card', async (line) => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on steps:none');
  await here.at(NEW_YORK(20, 8));
  await here.ask(line);
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 9));
  expect(here.thread()).toEqual([]);
  await here.ask('daily on');
  await here.ask('play bfjm,mcgkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 10));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 2 of 3')]);
});

test('a late solution leaves itself more than a minute, and a thread says what did not come', async () => {
  const here = await live(NEW_YORK(20, 1));
  // Opens as soon as the board is out; the next one is out a day later.
  await here.ask('daily on opening:03:00 start:03:00 count:off solution:04:00');
  here.clock.time = NEW_YORK(21, 2, 30);
  await here.restart();
  await here.at(NEW_YORK(21, 2, 30));
  expect(here.opening()).toMatch(/the solution at .*07:45 UTC/);
  await here.at(NEW_YORK(21, 3, 0));
  const closing = here.platform.messages
    .map(({ reply }) => read(reply))
    .find((text) => text.startsWith('That was'));
  expect(closing).toContain(
    'This did not come in time: the solution. For the solution: /letterboxed reveal 2026-11-20',
  );
});

test('a board that is typed in too late changes nothing', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.at(NEW_YORK(20, 8));
  const boards = () => here.store.tenant('web:local').boards.state('general');
  const before = await boards();
  expect(read(await here.ask('set bcd fgh jkn lmp'))).toMatch(/^Too late to change the board/);
  expect(await boards()).toEqual(before);
});

test('a thread has its hunt’s card though the board was solved before it was opened', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on steps:none');
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 8));
  await here.at(NEW_YORK(20, 8, 1));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 1 of 3')]);
});

test('a change that moves a step beyond the end of its board says so', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on count:off solution:22:00');
  await here.at(NEW_YORK(20, 8));
  here.clock.time = NEW_YORK(20, 21, 30);
  const answer = read(await here.ask('daily opening:22:30'));
  expect(answer).toContain('The solution will come 19 hours after the board is over: 2026-11-22 03:00 UTC.');
  await here.at(NEW_YORK(20, 22));
  expect(here.thread()).toHaveLength(1);
});
