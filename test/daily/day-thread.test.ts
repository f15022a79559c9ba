import { expect, test } from 'vitest';
import { reviveSteps } from '../../src/chat/terminal/daily.ts';
import { DAY } from '../../src/core/clock.ts';
import { dayOf, dayThread, recordedPuzzle, recordOf } from '../../src/daily/day-thread.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { endStep } from '../fakes/day-thread.ts';
import { PUZZLE } from '../reply/setting.ts';
import {
  beforeOpening,
  CHANNEL,
  DATE,
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

test('of two messages that are due again and may be there, one is looked for at a time, and only its steps are named', async () => {
  const store = await makeStore();
  const { deliveries } = store.tenant(CHANNEL.tenant);
  const reason = { code: 'invalid', message: 'no answer' } as const;
  const end = { state: 'given-up', reason, unknown: true } as const;
  const key = { ...CHANNEL, date: DATE };
  await endStep(store, { ...key, step: 'count' }, OPENING, end);
  for (const step of ['lengths', 'solution'] as const)
    await endStep(store, { ...key, step }, OPENING, { ...end, with: 'lengths' });
  const day = async () => (await deliveries.day(CHANNEL.channel, DATE))!;
  const revive = async () => reviveSteps(deliveries, await day(), () => true, OPENING);
  expect(await revive()).toEqual(['count']);
  expect(recordOf(await day(), quiet)).toMatchObject({
    posting: ['count'],
    ends: { lengths: end, solution: end },
  });
  expect(await revive()).toEqual([]);
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

test('a thread has its hunt’s card though the board was solved before it was opened', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on steps:none');
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 8));
  await here.at(NEW_YORK(20, 8, 1));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 1 of 3')]);
});

test('a change that moves a step beyond the end of its board says so', async () => {
  const here = await opened('count:off solution:22:00');
  here.clock.time = NEW_YORK(20, 21, 30);
  const answer = read(await here.ask('daily opening:22:30'));
  expect(answer).toContain('The solution will come 19 hours after the board is over: 2026-11-22 03:00 UTC.');
  await here.at(NEW_YORK(20, 22));
  expect(here.thread()).toHaveLength(1);
  // There, every board is over in the afternoon.
  expect(read(await here.ask('daily zone:Tokyo opening:08:00'))).not.toContain('after the board is over');
});
