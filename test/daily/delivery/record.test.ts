import { expect, test } from 'vitest';
import { pinOf, recordOf } from '../../../src/daily/day-thread.ts';
import type { Delivery } from '../../../src/store/tables/deliveries.ts';
import { PUZZLE } from '../../reply/setting.ts';
import { beforeOpening, CHANNEL, HOUR, MINUTE, OPENING } from '../ground.ts';

function delivery(posted: unknown): Delivery {
  return {
    ...CHANNEL,
    date: '2026-11-20' as const,
    step: 'opening',
    state: 'sent',
    dueAt: 0,
    nextAt: 0,
    priority: 0,
    attempts: 1,
    owner: null,
    outcomeUnknown: false,
    posted,
    reason: null,
    doneAt: 0,
    detail: undefined,
  };
}

test.each<[string, unknown, object]>([
  ['text', 'no JSON', {}],
  ['a message id of a wrong type', { message: 7, thread: 't1' }, { thread: 't1' }],
  ['a puzzle of another version', { message: 'm1', puzzle: { sides: 4 } }, { message: 'm1' }],
  [
    'a puzzle whose sides make no board',
    { message: 'm1', puzzle: { date: '2026-11-20', source: 'house', sides: ['a'] } },
    { message: 'm1' },
  ],
  ['a step that there is no longer', { message: 'm1', merged: ['rhyme'] }, { message: 'm1' }],
])('of a record with %s the rest is read, with one warning', (_, posted, expected) => {
  const warnings: object[] = [];
  expect(recordOf(delivery(posted), { warn: (fields) => warnings.push(fields) })).toEqual(expected);
  expect(warnings).toEqual([expect.objectContaining({ ...CHANNEL, step: 'opening' })]);
});

test.each([[undefined], [null], [{}]])(
  'a row on which nothing was noted (%j) is read without a warning',
  (posted) => {
    expect(recordOf(delivery(posted), { warn: () => expect.unreachable() })).toEqual({});
  },
);

test('an opening whose record makes no sense fails neither the planner nor the next day', async () => {
  const ground = await beforeOpening();
  const opening = { ...CHANNEL, date: '2026-11-20' as const, step: 'opening', dueAt: OPENING };
  await ground.store.allDeliveries.plan([opening]);
  const { deliveries } = ground.store.tenant(CHANNEL.tenant);
  const claim = { owner: 'another version', now: OPENING, until: OPENING + MINUTE };
  const claimed = await deliveries.claim(CHANNEL.channel, '2026-11-20', 'opening', claim);
  await deliveries.markSent(claimed!.lease, 'no record', OPENING);
  await ground.until(OPENING + 25 * HOUR, 10 * MINUTE);
  expect(ground.platform.messages.map(({ reply }) => reply.title)[0]).toContain('Saturday, November 21');
});

test('a pin of a board typed by hand does not say who typed it', () => {
  const { typedBy: _, ...puzzle } = { ...PUZZLE, source: 'hand' as const, typedBy: '5' };
  expect(pinOf({ ...puzzle, typedBy: '5' }).whole).toStrictEqual(puzzle);
});

test('a pin of any other board has its sides alone, which its source keeps', () => {
  const { date, board } = PUZZLE;
  expect(pinOf({ ...PUZZLE, source: 'house' })).toStrictEqual({ date, source: 'house', sides: board.sides });
});
