import { describe, expect, test } from 'vitest';
import { DAY_KIND } from '../../src/core/channel-ref.ts';
import { DAY } from '../../src/core/clock.ts';
import {
  dayOf,
  dayThread,
  endsOf,
  postKey,
  recordedPuzzle,
  recordOf,
  storedChannelDays,
} from '../../src/daily/day-thread.ts';
import { dayPostOf } from '../../src/daily/delivery/messages.ts';
import type { DayStep } from '../../src/daily/plan/schedule.ts';
import { missedSteps } from '../../src/daily/plan/todo.ts';
import { recordVerdict, reviveSteps } from '../../src/daily/verdicts.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { endStep } from '../fakes/day-thread.ts';
import { house, OTHER_SIDES } from '../fakes/small-board.ts';
import { PUZZLE } from '../reply/setting.ts';
import {
  beforeOpening,
  CHANNEL,
  DATE,
  HandClock,
  HOUR,
  makeStore,
  NEW_YORK,
  OPENING,
  openingOf,
  quiet,
} from './ground.ts';
import { live, read } from './script.ts';

test('the record of a typed board has all but who typed it, that of another one its sides, since its source keeps the rest', () => {
  const { typedBy: _, ...puzzle } = { ...PUZZLE, source: 'hand' as const, typedBy: '5' };
  expect(recordedPuzzle({ ...puzzle, typedBy: '5' }).whole).toStrictEqual(puzzle);
  const { date, board } = PUZZLE;
  const recorded = { date, source: 'house', sides: board.sides };
  expect(recordedPuzzle({ ...PUZZLE, source: 'house' })).toStrictEqual(recorded);
});

test('a day’s post in another tenant, channel, day or step has another key', () => {
  const post = { ...CHANNEL, date: DATE, step: 'opening' };
  const others = [
    { tenant: 'web:other' },
    { channel: 'other' },
    { date: addDays(DATE, 1) },
    { step: 'count' },
  ];
  const keys = [{}, ...others].map((other) => postKey({ ...post, ...other }));
  expect(new Set(keys).size).toBe(5);
});

test('the board of an opening whose answer was lost is its day’s board', async () => {
  const ground = await beforeOpening();
  const { store, platform } = ground;
  platform.fault = () => 'lost-after';
  await ground.at(OPENING);
  expect(await openingOf(ground)).toMatchObject({ begun: true, openedAt: null });
  const { opened } = await storedChannelDays({ store, log: quiet }).of(DATE, CHANNEL);
  expect(opened).toMatchObject({ date: DATE });
});

test('a day that the next one has followed is not told anew, though its last message is still to come', async () => {
  const ground = await beforeOpening();
  const { store, platform } = ground;
  const told = (now: number) =>
    dayPostOf({ store, log: quiet }, { ...CHANNEL, date: DATE, now }, async () => ({}));
  await ground.at(OPENING);
  expect(await told(OPENING)).toBeDefined();
  platform.post = () => Promise.reject(new PostFailure('later', 'the platform asks to wait'));
  await ground.at(OPENING + DAY);
  expect((await openingOf(ground)).state).not.toBe('sent');
  expect(await told(OPENING + DAY)).toBeUndefined();
});

test('a step whose end can’t be read counts as given up, and the others are kept', async () => {
  const ground = await beforeOpening();
  await ground.at(OPENING);
  const start = { state: 'sent', at: 1 } as const;
  const record = { message: '1', ends: { start, count: { state: 'of another version' } } };
  const row = { ...(await openingOf(ground)), record };
  const ends = { start, count: { state: 'given-up', at: 0 } };
  expect(recordOf(row, quiet)).toEqual({ message: '1', ends });
});

test('of what a clock that was ahead has noted, only what was left out for sure is not so', async () => {
  const ground = await beforeOpening();
  await ground.at(OPENING - HOUR);
  const ends = {
    start: { state: 'sent', at: OPENING + DAY },
    count: { state: 'given-up', at: OPENING + DAY, unknown: true },
    solution: { state: 'skipped', at: OPENING + DAY },
  } as const;
  await ground.at(OPENING);
  const day = dayOf(await openingOf(ground), { ends }, OPENING);
  expect(Object.keys(day.ends)).toEqual(['start', 'count']);
});

test('a thread that a clock a day ahead closed is open once that clock is right, and gets no second last message', async () => {
  const ground = await beforeOpening();
  const { store, clock, platform } = ground;
  const thread = () => dayThread({ store, log: quiet, clock }, CHANNEL, DATE);
  for (const ahead of [0, DAY, DAY + 1]) await ground.at(OPENING + HOUR + ahead);
  expect(await thread()).toBeUndefined();
  await ground.at(OPENING + HOUR);
  expect(await thread()).toBeDefined();
  expect(await openingOf(ground)).toMatchObject({ state: 'due' });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'off' });
  const before = platform.messages.length;
  for (const later of [HOUR, DAY, DAY + 2 * HOUR]) await ground.at(OPENING + HOUR + later);
  expect(platform.messages).toHaveLength(before);
  expect(await thread()).toBeUndefined();
  expect(await openingOf(ground)).toMatchObject({ state: 'sent' });
});

test('a day whose puzzle can not be read from its row is closed all the same', async () => {
  const ground = await beforeOpening();
  const { store, platform } = ground;
  await ground.at(OPENING);
  for (const step of ['start', 'count', 'solution'] as const)
    await endStep(store, { ...CHANNEL, date: DATE, step }, OPENING, { state: 'sent' });
  const { deliveries } = store.tenant(CHANNEL.tenant);
  const row = (await deliveries.day(CHANNEL.channel, DATE))!;
  const { puzzle: _, ...record } = recordOf(row, quiet);
  await deliveries.reviseDay(row, record, { now: OPENING });
  await ground.at(OPENING + DAY);
  expect(await openingOf(ground)).toMatchObject({ state: 'sent' });
  expect(platform.messages.length).toBeGreaterThan(2);
});

describe('verdicts on posts of unknown outcome', () => {
  /** A post whose outcome is unknown. */
  async function givenUp(step: DayStep) {
    const store = await makeStore();
    const key = { ...CHANNEL, date: DATE, step };
    const reason = { code: 'invalid', message: 'no answer' } as const;
    await endStep(store, key, OPENING, { state: 'given-up', reason, unknown: true });
    const app = { store, clock: new HandClock(OPENING), log: quiet };
    const day = async () => (await store.tenant(CHANNEL.tenant).deliveries.day(CHANNEL.channel, DATE))!;
    const ends = async () => endsOf(await day());
    const verdict = async () => recordOf(await day(), quiet).verdict;
    return { key, app, day, ends, verdict };
  }

  test('a step that somebody has seen in the thread is not missed', async () => {
    const { key, app, ends } = await givenUp('count');
    expect(missedSteps({ ends: await ends() })).toEqual(['count']);
    expect(await recordVerdict(app, 'there', key)).toBe('Good: it stays as it is.');
    expect(missedSteps({ ends: await ends() })).toEqual([]);
    expect(await ends()).toMatchObject({ count: { state: 'sent' } });
  });

  test('both steps of a message that somebody has seen count as sent', async () => {
    const { key, app, ends } = await givenUp('count');
    const end = { state: 'given-up', unknown: true, with: 'count' } as const;
    const reason = { code: 'invalid', message: 'no answer' } as const;
    for (const step of ['count', 'lengths'] as const)
      await endStep(app.store, { ...key, step }, OPENING, { ...end, reason });
    await recordVerdict(app, 'there', key);
    expect(await ends()).toMatchObject({ count: { state: 'sent' }, lengths: { state: 'sent' } });
  });

  test('a verdict while something of the day is being posted is recorded after that', async () => {
    const { key, app, day, ends } = await givenUp('count');
    const { deliveries } = app.store.tenant(CHANNEL.tenant);
    await deliveries.wakeBefore(CHANNEL.channel, addDays(DATE, 1), OPENING);
    const claim = { owner: 'test', now: OPENING, until: OPENING + 1 };
    const lease = (await deliveries.claim({ ...key, kind: DAY_KIND }, claim))!;
    const said = recordVerdict(app, 'repeat', key);
    await day();
    await deliveries.settle(lease, { state: 'waiting', record: lease.record }, OPENING);
    expect(await said).toMatch(/^It comes within/);
    expect((await ends()).count).toBeUndefined();
  });

  test('a verdict that is not needed any more changes nothing', async () => {
    const { key, app, day } = await givenUp('count');
    await recordVerdict(app, 'there', key);
    const before = await day();
    expect(await recordVerdict(app, 'repeat', key)).toMatch(/^Nothing is left to post/);
    expect(await day()).toEqual(before);
  });

  test.each([
    ['repeat', /^It comes within/, undefined],
    ['there', /^Good: it stays as it is/, { state: 'sent' }],
  ] as const)(
    'while a later message is in doubt, %s on an earlier one leaves it so',
    async (said, answer, end) => {
      const { key, app, day, ends, verdict } = await givenUp('count');
      const { deliveries } = app.store.tenant(CHANNEL.tenant);
      await deliveries.wakeBefore(CHANNEL.channel, addDays(DATE, 1), OPENING);
      const claim = { owner: 'test', now: OPENING, until: OPENING + 1 };
      const lease = (await deliveries.claim({ ...key, kind: DAY_KIND }, claim))!;
      const record = { ...recordOf(await day(), quiet), posting: ['solution'] };
      await deliveries.settle(
        lease,
        { state: 'due', nextAt: OPENING, failures: 1, begun: true, record },
        OPENING,
      );
      expect(await recordVerdict(app, said, key)).toMatch(answer);
      expect((await ends()).count).toEqual(end && expect.objectContaining(end));
      expect(await day()).toMatchObject({ state: 'due', begun: true, record: { posting: ['solution'] } });
      expect(await verdict()).toBeUndefined();
    },
  );

  test('a verdict stays while the channel is paused', async () => {
    const ground = await beforeOpening();
    const { store, clock } = ground;
    await ground.at(OPENING);
    const key = { ...CHANNEL, date: DATE, step: 'count' } as const;
    const reason = { code: 'invalid', message: 'no answer' } as const;
    await endStep(store, key, OPENING, { state: 'given-up', reason, unknown: true });
    const { subscriptions, deliveries } = store.tenant(CHANNEL.tenant);
    await subscriptions.setState(CHANNEL.channel, { state: 'paused' });
    await recordVerdict({ store, clock, log: quiet }, 'repeat', key);
    await ground.at(OPENING + HOUR);
    const row = (await deliveries.day(CHANNEL.channel, DATE))!;
    expect(recordOf(row, quiet)).toMatchObject({ posting: ['count'], verdict: 'repeat' });
    expect(row).toMatchObject({
      begun: true,
      state: 'due',
      claims: expect.toSatisfy((claims) => claims > 1),
    });
  });

  test('of two messages that are chosen, one is looked for at a time, and only its steps are named', async () => {
    const { key, app, day } = await givenUp('count');
    const end = {
      state: 'given-up',
      reason: { code: 'invalid', message: 'no answer' },
      unknown: true,
    } as const;
    for (const step of ['lengths', 'solution'] as const)
      await endStep(app.store, { ...key, step }, OPENING, { ...end, with: 'lengths' });
    const { deliveries } = app.store.tenant(CHANNEL.tenant);
    const revive = async () => reviveSteps(deliveries, await day(), () => true, { now: OPENING, log: quiet });
    expect(await revive()).toEqual(['count']);
    expect(recordOf(await day(), quiet)).toMatchObject({
      posting: ['count'],
      ends: { lengths: end, solution: end },
    });
    expect(await revive()).toEqual([]);
  });

  test.each(['opening', 'count'] as const)(
    'of two presses at once on the %s, the first one counts alone',
    async (step) => {
      const { key, app, day, verdict } = await givenUp(step);
      const answers = await Promise.all([
        recordVerdict(app, 'repeat', key),
        recordVerdict(app, 'there', key),
      ]);
      expect(answers).toEqual([
        expect.stringMatching(/^It comes within/),
        expect.stringMatching(/^Nothing is left/),
      ]);
      expect(await verdict()).toBe('repeat');
      expect(await day()).toMatchObject({ state: 'due', begun: true });
    },
  );
});

/** What messages of the daily thread say of what comes, and what changes them. When they come is in days.txt. */
/** A channel whose day was opened at eight. */
async function opened(more = '') {
  const here = await live(NEW_YORK(20, 7));
  await here.ask(`daily on ${more}`);
  await here.at(NEW_YORK(20, 8));
  return here;
}

test('the message of a day that is over invites nobody, and what follows the thread tells what comes next', async () => {
  const here = await opened('lengths:13:00');
  await here.at(NEW_YORK(20, 12));
  await here.ask('daily count:15:00');
  await here.at(NEW_YORK(20, 13));
  for (const text of [here.opening(), ...here.thread()]) expect(text).not.toContain('20:00 UTC');
  expect(here.thread().at(-1)).toMatch(/The solution at .*01:00 UTC/);
  await here.at(NEW_YORK(21, 8));
  const [yesterday] = here.openings();
  expect(read(yesterday!.reply)).toContain('The day of this board is over.');
  expect(read(yesterday!.reply)).toContain('[Solution]');
  expect(read(yesterday!.reply)).not.toMatch(/On until|Thread:/);
});

test('the messages of a day tell both changes of two people at once, though the older edit comes last', async () => {
  const here = await opened();
  const { edit } = here.platform;
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  here.platform.edit = async (...all) => {
    here.platform.edit = edit;
    begun.resolve();
    await goOn.promise;
    return here.platform.edit(...all);
  };
  const first = here.ask('daily count:15:00');
  await begun.promise;
  await here.ask('daily solution:21:00');
  goOn.resolve();
  await first;
  expect(here.opening()).toMatch(/20:00 UTC.*02:00 UTC/);
});

test('what follows the thread tells new times though the platform does not take those of the first message', async () => {
  const here = await opened();
  const { edit } = here.platform;
  here.platform.edit = () => {
    here.platform.edit = edit;
    return Promise.reject(new PostFailure('later', 'the platform asks to wait'));
  };
  await here.ask('daily count:15:00');
  expect(here.opening()).toContain('17:00 UTC');
  expect(here.thread().at(-1)).toMatch(/Words needed at .*20:00 UTC/);
});

test.each([
  ['the latest message of a thread', NEW_YORK(20, 13)],
  ['yesterday’s thread, while today’s waits for its opening', NEW_YORK(21, 4)],
])('new times are told in %s', async (_, moment) => {
  const here = await opened('solution:07:00');
  await here.at(NEW_YORK(20, 12));
  await here.at(moment);
  await here.ask('daily solution:06:00');
  expect(here.opening()).toContain('11:00 UTC');
  const [first, last] = here.thread();
  expect(first).toMatch(/Words needed at .*17:00 UTC/);
  expect(last).toMatch(/The solution .*11:00 UTC/);
});

test('a board in place of the newspaper’s is labelled so as long as its thread is open, and nowhere else', async () => {
  const here = await live(NEW_YORK(20, 7), { source: 'newspaper' });
  here.paper.isDown = true;
  await here.ask('daily on count:off');
  await here.ask('daily on count:off source:house', 'boss', 'random');
  for (const minute of [0, 30]) await here.at(NEW_YORK(20, 8, minute));
  here.paper.isDown = false;
  await here.ask('play bfjmcg gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 20));
  const label = 'The newspaper couldn’t be reached. Made by this bot.';
  expect(here.opening()).toMatch(new RegExp(`${label}.*1 solved`));
  expect(here.thread().join()).toContain(label);
  expect(read(await here.ask('today', 'ann'))).toContain(label);
  const there = here.platform.in({ ...CHANNEL, channel: 'random' }).map(({ reply }) => read(reply));
  expect(there.join()).toContain('Made by this bot.');
  expect(there.join()).not.toContain(label);
});

test('a channel that waits for its board holds up no other one’s line about who plays', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on');
  await here.ask('daily on source:off', 'boss', 'random');
  await here.at(NEW_YORK(20, 8));
  await here.ask('play bfjmcg gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 8, 1));
  expect(here.opening()).toContain('1 solved');
});

test('a hunt on a board that was replaced before its thread opened has no card there', async () => {
  const board = makeBoard(OTHER_SIDES.split(' '));
  const here = await live(NEW_YORK(20, 7), {
    source: 'newspaper',
    house: (date) => ({ ...house(date), board }),
  });
  here.paper.isDown = true;
  await here.ask('daily on steps:none');
  await here.at(NEW_YORK(20, 8));
  await here.ask('play bfjmcg gkdhlnbp', 'ann');
  here.paper.isDown = false;
  for (const minute of [10, 12]) await here.at(NEW_YORK(20, 8, minute));
  expect(here.opening()).toContain('The New York Times’ board.');
  expect(here.thread()).toEqual([]);
});

test('a thread that is left loses its buttons of the day once the platform answers', async () => {
  const here = await opened();
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
});

test.each(['daily off', 'daily pause'])('%s silences the hunt’s card', async (line) => {
  const here = await opened('steps:none');
  await here.ask(line);
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 9));
  expect(here.thread()).toEqual([]);
  await here.ask('daily on');
  await here.ask('play bfjm,mcgkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 10));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 2 of 3')]);
});

test('a change that moves a step beyond the end of its board says so', async () => {
  const here = await opened('count:off solution:22:00');
  here.clock.time = NEW_YORK(20, 21, 30);
  const answer = read(await here.ask('daily opening:22:30'));
  expect(answer).toContain('the solution at 10:00 PM the next day');
  await here.at(NEW_YORK(20, 22));
  expect(here.thread()).toHaveLength(1);
});
