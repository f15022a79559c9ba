import { describe, expect, test } from 'vitest';
import { DAY, SECOND } from '../../../src/core/clock.ts';
import { postKey, recordedPuzzle, recordOf } from '../../../src/daily/day-thread.ts';
import { dayPostOf } from '../../../src/daily/delivery/messages.ts';
import { type DeliveryQueueMaker, groupsOf } from '../../../src/daily/queue.ts';
import type { DailySettings } from '../../../src/daily/settings/settings.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { plainText } from '../../../src/reply/model/text.ts';
import { hintNumber } from '../../../src/reply/replies/hint-steps.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Delivery } from '../../../src/store/tables/deliveries.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { PUZZLE } from '../../reply/setting.ts';
import { FALLBACK, type Fault, fakePuzzleService } from '../fakes.ts';
import {
  beforeOpening,
  CHANNEL,
  DATE,
  HOUR,
  MINUTE,
  makeGround,
  makeStore,
  OPENING,
  openingOf,
  quiet,
  subscribe,
} from '../ground.ts';

test('a step that kept failing until its puzzle was over is not posted any more', async () => {
  const ground = await beforeOpening();
  for (const hours of [0, 4]) await ground.at(OPENING + hours * HOUR);
  expect(ground.platform.messages).toHaveLength(3);
  ground.platform.fault = () => 'later';
  await ground.at(OPENING + 12 * HOUR);
  ground.platform.fault = () => undefined;
  // The next puzzle comes out at three in the morning.
  await ground.at(OPENING + 19 * HOUR + MINUTE);
  expect((await ground.rows('2026-11-20')).solution).toMatch(/^given-up: its puzzle was over/);
  expect(ground.platform.messages).toHaveLength(3);
});

/** A store as a process sees it that ends at the first call of a method. Counts the calls. */
function crashingStore(store: Store, method: 'skip' | 'makeDueAgain') {
  const calls = { count: 0 };
  const crashing: Store = {
    ...store,
    tenant(tenant) {
      const data = store.tenant(tenant);
      const call = (...row: never) =>
        calls.count++ === 0
          ? Promise.reject(new Error('the process ends here'))
          : (data.deliveries[method] as (...row: never) => Promise<boolean>)(...row);
      return { ...data, deliveries: replaceMethods(data.deliveries, { [method]: call }) };
    },
  };
  return { crashing, calls };
}

test('a step that is part of an earlier message is not posted again after a crash', async () => {
  const store = await makeStore();
  const { crashing, calls } = crashingStore(store, 'skip');
  const ground = await makeGround(OPENING - HOUR, { store: crashing });
  await subscribe(store, {}, { at: OPENING - HOUR });
  // Both steps are due by now. The message is written down, but not yet that the second step is in it.
  await ground.at(OPENING + 5 * HOUR);
  expect(calls.count).toBe(1);
  await ground.until(OPENING + 6 * HOUR, 10 * MINUTE);
  expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
    'Friday, November 20 · par 4',
    'Start letters and words needed',
  ]);
  expect((await ground.rows('2026-11-20')).count).toMatch(/^skipped: /);
});

test('a step that failed before a pause waits until the pause is over', async () => {
  const ground = await beforeOpening();
  await ground.at(OPENING);
  ground.platform.fault = () => 'later';
  await ground.at(OPENING + 4 * HOUR);
  ground.platform.fault = () => undefined;
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  const until = OPENING + 6 * HOUR;
  await subscriptions.setState(CHANNEL.channel, { state: 'paused', until });
  await ground.at(OPENING + 5 * HOUR);
  expect(ground.platform.messages).toHaveLength(2);
  await ground.at(until);
  expect(ground.platform.messages).toHaveLength(3);
});

type Steps = DailySettings['steps'];
const STEPS: Steps = [
  { step: 'start', at: '08:00' },
  { step: 'count', at: '12:00' },
  { step: 'hardest', at: '12:30' },
];
const NOON = OPENING + 4 * HOUR;
const AFTER_GAP = NOON + 45 * MINUTE;
const COUNT = `${hintNumber('count')}: words needed`;
const HARDEST = `${hintNumber('hardest')}: hardest letters`;

/** A day on which each claim is of the named steps: a queue of one process claims all that are due, pg-boss one by one. */
async function begunDay(steps: Steps, restoredUntil: number | null = null) {
  let named: readonly string[] = [];
  const queue: DeliveryQueueMaker = ({ store, now, owner, lease, deliver }) => ({
    async start() {},
    async stop() {},
    notify() {},
    async runDue() {
      const { deliveries } = store.tenant(CHANNEL.tenant);
      const claim = { owner, now: now(), until: now() + lease };
      const claimed = await Promise.all(
        named.map((step) => deliveries.claim(CHANNEL.channel, DATE, step, claim)),
      );
      for (const group of groupsOf(claimed.filter((one) => one !== undefined))) await deliver('web', group);
    },
  });
  const store = await makeStore();
  const ground = await makeGround(OPENING - HOUR, {
    queue,
    store: { ...store, restoredUntil: async () => restoredUntil },
  });
  await subscribe(ground.store, { steps }, { at: OPENING - HOUR });
  const claim = async (moment: number, ...names: string[]) => {
    named = names;
    await ground.at(moment);
  };
  for (const step of ['opening', 'start']) await claim(OPENING, step);
  const titles = () => ground.platform.messages.slice(2).map(({ reply }) => reply.title);
  return { ...ground, claim, titles };
}

describe('a step is posted together with another one', () => {
  const LATE: Steps = STEPS.map((time) => (time.step === 'hardest' ? { ...time, at: '02:30' } : time));

  test.each([
    [
      'until it is too late for the other one',
      -1,
      'Words needed and hardest letters',
      'skipped: posted in one message',
    ],
    ['no longer from then on', 0, HARDEST, 'due'],
  ])('%s', async (_, more, title, state) => {
    const { claim, titles, rows } = await begunDay(LATE);
    // The words needed are due since noon, and their puzzle is over after 19 hours; the hardest letter has a bit longer.
    await claim(NOON);
    await claim(OPENING + 19 * HOUR + more, 'hardest');
    expect(titles()).toEqual([title]);
    expect((await rows(DATE)).count).toContain(state);
  });

  test('only if the settings still ask for it, also where both were claimed together', async () => {
    const { claim, titles, rows, store } = await begunDay(STEPS);
    await claim(NOON + HOUR);
    await subscribe(store, { steps: STEPS.slice(0, 2) }, { at: OPENING - HOUR });
    await claim(NOON + HOUR, 'count', 'hardest');
    expect(titles()).toEqual([COUNT]);
    await claim(NOON + HOUR, 'hardest');
    expect((await rows(DATE)).hardest).toBe('skipped: the settings no longer ask for it');
  });

  test.each(['count first', 'hardest first', 'together'])(
    'never if one of them may have been posted already: %s',
    async (order) => {
      const { claim, titles, rows, platform } = await begunDay(STEPS);
      platform.fault = ({ what }) => (what === 'message' ? 'lost-after' : undefined);
      await claim(NOON, 'count');
      platform.fault = () => undefined;
      expect((await rows(DATE)).count).toContain('due');
      const claims = order === 'together' ? [['count', 'hardest']] : [['count'], ['hardest']].toSorted();
      if (order === 'hardest first') claims.reverse();
      for (const names of [...claims, ['hardest'], ['count']]) await claim(NOON + HOUR, ...names);
      expect(titles()).toEqual([COUNT, HARDEST]);
      expect(await rows(DATE)).toMatchObject({ count: 'sent', hardest: 'sent' });
    },
  );

  test('and one whose outcome is unknown is looked for after an attempt at another one that was claimed with it', async () => {
    const { claim, titles, rows, platform } = await begunDay(STEPS);
    platform.fault = ({ what }) => (what === 'look' ? 'later' : undefined);
    await claim(NOON + 30 * MINUTE, 'count');
    // The words needed wait for their next attempt, so they are not in this message.
    platform.fault = ({ what }) => (what === 'message' ? 'lost-after' : undefined);
    await claim(NOON + 30 * MINUTE, 'hardest');
    platform.fault = () => undefined;
    // Soon enough that there is no gap, after which every post is looked for.
    await claim(NOON + 32 * MINUTE, 'count', 'hardest');
    await claim(NOON + 32 * MINUTE, 'hardest');
    expect(titles()).toEqual([HARDEST, COUNT]);
    expect(await rows(DATE)).toMatchObject({ count: 'sent', hardest: 'sent' });
  });

  test.each([
    ['is not in a message with a later one', NOON + MINUTE, [HARDEST]],
    ['is not sent again', NOON + HOUR, []],
  ])('one of before a restore, where the bot may not read, %s', async (_, restoredUntil, posted) => {
    const { claim, titles, platform } = await begunDay(STEPS, restoredUntil);
    platform.isUnreadable = true;
    await claim(NOON + HOUR, 'hardest', 'count');
    expect(titles()).toEqual(posted);
  });

  test('but not if it is in the thread already', async () => {
    const { claim, titles, rows, platform } = await begunDay(STEPS);
    const [, start] = platform.messages;
    platform.messages.push({ ...start!, id: 'm9', key: postKey({ ...CHANNEL, date: DATE, step: 'count' }) });
    await claim(NOON + HOUR, 'hardest');
    expect(titles().slice(1)).toEqual([HARDEST]);
    await claim(NOON + HOUR, 'count');
    expect(titles()).toHaveLength(2);
    expect((await rows(DATE)).count).toBe('sent');
  });

  const NOT_WANTED = 'skipped: the settings no longer ask for it';

  test.each([
    ['the first', ['count'], [HARDEST], { count: NOT_WANTED, hardest: 'sent' }],
    ['another', ['hardest'], [COUNT], { count: 'sent', hardest: NOT_WANTED }],
    ['any', ['count', 'hardest'], [], { count: NOT_WANTED, hardest: NOT_WANTED }],
  ])(
    'but without %s that the settings no longer ask for, though their message failed',
    async (_, off, posted, ended) => {
      const { claim, titles, rows, store, platform } = await begunDay(STEPS);
      platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
      await claim(NOON + 40 * MINUTE, 'count', 'hardest');
      platform.fault = () => undefined;
      const steps = STEPS.filter(({ step }) => !off.includes(step));
      await subscribe(store, { steps }, { at: OPENING - HOUR });
      for (const step of ['count', 'hardest']) await claim(NOON + HOUR, step);
      expect(titles()).toEqual(posted);
      expect(await rows(DATE)).toMatchObject(ended);
    },
  );

  test('with those that are left, in one message, without one that the settings no longer ask for', async () => {
    const steps: Steps = [...STEPS, { step: 'lengths', at: '12:45' }];
    const { claim, titles, rows, store, platform } = await begunDay(steps);
    platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
    await claim(NOON + 50 * MINUTE, 'count', 'hardest', 'lengths');
    platform.fault = () => undefined;
    await subscribe(store, { steps: steps.filter(({ step }) => step !== 'hardest') }, { at: OPENING - HOUR });
    for (const step of ['count', 'hardest', 'lengths']) await claim(NOON + HOUR, step);
    expect(titles()).toEqual(['Words needed and word lengths']);
    expect(await rows(DATE)).toMatchObject({
      count: 'sent',
      hardest: NOT_WANTED,
      lengths: 'skipped: posted in one message with count',
    });
  });

  test('also with one that the settings no longer ask for, if their message may have been sent', async () => {
    const { claim, titles, rows, store, platform } = await begunDay(STEPS);
    platform.fault = ({ what }) => (what === 'message' ? 'lost-after' : undefined);
    await claim(NOON + 40 * MINUTE, 'count', 'hardest');
    platform.fault = () => undefined;
    await subscribe(store, { steps: STEPS.filter(({ step }) => step !== 'count') }, { at: OPENING - HOUR });
    for (const step of ['count', 'hardest']) await claim(NOON + HOUR, step);
    expect(titles()).toEqual(['Words needed and hardest letters']);
    expect(await rows(DATE)).toMatchObject({
      count: 'sent',
      hardest: 'skipped: posted in one message with count',
    });
  });

  test('but not if its own message has others, which would be lost', async () => {
    const { claim, titles, platform } = await begunDay([...STEPS, { step: 'lengths', at: '12:45' }]);
    platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
    await claim(NOON + 40 * MINUTE, 'count', 'hardest');
    platform.fault = () => undefined;
    for (const step of ['lengths', 'count']) await claim(NOON + HOUR, step);
    expect(titles()).toEqual([`${hintNumber('lengths')}: word lengths`, 'Words needed and hardest letters']);
  });
});

test('a step of a message that is no longer posted as a whole is not lost in a crash', async () => {
  const store = await makeStore();
  const { crashing, calls } = crashingStore(store, 'makeDueAgain');
  const ground = await makeGround(OPENING - HOUR, { store: crashing });
  await subscribe(store, { steps: STEPS }, { at: OPENING - HOUR });
  await ground.at(OPENING);
  ground.platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
  await ground.at(NOON + 40 * MINUTE);
  ground.platform.fault = () => undefined;
  await subscribe(store, { steps: STEPS.filter(({ step }) => step !== 'count') }, { at: OPENING - HOUR });
  await ground.until(NOON + 2 * HOUR, 10 * MINUTE);
  expect(calls.count).toBeGreaterThan(1);
  expect(ground.platform.messages.slice(2).map(({ reply }) => reply.title)).toEqual([HARDEST]);
  expect(await ground.rows(DATE)).toMatchObject({
    count: 'skipped: the settings no longer ask for it',
    hardest: 'sent',
  });
});

test('steps of one message that never came are all missed, as the last message of the thread says', async () => {
  const ground = await beforeOpening({ steps: STEPS });
  await ground.at(OPENING);
  ground.platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
  await ground.until(OPENING + 20 * HOUR, 45 * MINUTE);
  expect(await ground.rows(DATE)).toMatchObject({
    count: expect.stringMatching(/^given-up/),
    hardest: 'skipped: posted in one message with count',
  });
  ground.platform.fault = () => undefined;
  await ground.at(OPENING + 24 * HOUR);
  const closing = ground.platform.messages.find(({ reply }) => reply.title.startsWith('That was'));
  expect(plainText(closing!.reply)).toContain('did not come in time: words needed and hardest letters.');
});

test('steps that share a message which has failed so far are announced as still to come', async () => {
  const { claim, rows, store, platform } = await begunDay(STEPS);
  platform.fault = ({ what }) => (what === 'message' ? 'later' : undefined);
  await claim(NOON + HOUR, 'count', 'hardest');
  expect((await rows(DATE)).hardest).toBe('skipped: posted in one message with count');
  const day = { ...CHANNEL, date: DATE, now: NOON + HOUR };
  const post = await dayPostOf({ store, log: quiet }, day, async () => ({}));
  expect(plainText(post!.reply)).toContain('Thread: start letters, words needed and hardest letters.');
});

test('steps that came in one message are not missed', async () => {
  const ground = await beforeOpening({ steps: STEPS });
  for (const moment of [OPENING, NOON + HOUR, OPENING + 24 * HOUR]) await ground.at(moment);
  const closing = ground.platform.messages.find(({ reply }) => reply.title.startsWith('That was'));
  expect(plainText(closing!.reply)).not.toContain('in time');
});

test.each([
  // The hardest letter was due in the gap, too, and is looked for when it is posted.
  ['is looked for once, by its own attempt', STEPS, 'count', ['look']],
  ['is not looked for by the attempt at a later one', STEPS.slice(0, 2), 'lengths', ['message']],
])('after a gap, a step whose outcome is unknown %s', async (_, steps, claimed, expected) => {
  const { claim, platform } = await begunDay([...steps, { step: 'lengths', at: '12:50' }]);
  platform.fault = ({ what }) => (what === 'message' ? 'lost-after' : undefined);
  await claim(NOON, 'count');
  // A gap that ends before the last step is due.
  for (let moment = AFTER_GAP; moment < NOON + HOUR; moment += 3 * MINUTE) await claim(moment);
  const requests: string[] = [];
  platform.fault = ({ what }) => {
    requests.push(what);
    return undefined;
  };
  await claim(NOON + HOUR, claimed);
  expect(requests).toEqual(expected);
});

/** The board that a day is opened with, the wait for it, and when a post that failed is tried again. */
/** A day whose first requests at its opening meet these faults. */
async function opened(faults: (Fault | undefined)[], options: Parameters<typeof beforeOpening>[1] = {}) {
  const ground = await beforeOpening({}, options);
  ground.platform.fault = () => faults.shift();
  await ground.at(OPENING);
  return ground;
}

test.each([
  [0, 2 * MINUTE],
  [1, 2.5 * MINUTE],
])('with chance at %s, looks for a board again after %i ms', async (chance, pause) => {
  const puzzles = fakePuzzleService(() => FALLBACK);
  const ground = await opened([], { puzzles, random: () => chance });
  const waits = { state: 'due', reason: { code: 'newspaper-late' }, nextAt: OPENING + pause };
  expect(await openingOf(ground)).toMatchObject(waits);
});

test('an opening that may have been posted keeps its board, whatever the sources say by then', async () => {
  let change: Partial<Puzzle> = {};
  const ground = await opened(['lost-after'], { puzzles: fakePuzzleService(() => change) });
  const opening = async () => {
    const row = await openingOf(ground);
    return { state: row.state, board: recordOf(row, { warn: () => expect.unreachable() }).puzzle };
  };
  const { state, board } = await opening();
  expect(state).toBe('due');
  change = { board: makeBoard(['abc', 'def', 'ghi', 'jkl']) };
  await ground.until(OPENING + 5 * MINUTE);
  expect(await opening()).toEqual({ state: 'sent', board });
});

test.each([
  ['a thread that was over nine days ago is left as it is', 10 * DAY, /^skipped: the thread is long over/],
  ['a thread that was over less than nine days ago is closed', 10 * DAY - HOUR, /^sent$/],
])('%s', async (_, after, state) => {
  const ground = await opened([]);
  await ground.store.allDeliveries.plan([{ ...CHANNEL, date: DATE, step: 'closing', dueAt: OPENING + DAY }]);
  ground.clock.moment = OPENING + after;
  await ground.daily.runDue();
  expect((await ground.rows(DATE)).closing).toMatch(state);
});

test.each<[Fault, chance: number, seconds: number]>([
  ['lost', 0, 5],
  ['lost', 1, 6.5],
  // It asks for ten seconds.
  ['later', 0, 10],
  ['later', 1, 13],
])(
  'after a post that is %s, with chance at %s, the pause is %s seconds: not all come back together',
  async (fault, chance, seconds) => {
    const ground = await opened([fault], { random: () => chance });
    expect((await openingOf(ground)).nextAt - OPENING).toBe(seconds * SECOND);
  },
);

test('the pause after a failure does not grow with the attempts that waited for a board', async () => {
  let isReached = false;
  const puzzles = fakePuzzleService(() => (isReached ? {} : FALLBACK));
  const ground = await opened([], { random: () => 0, puzzles });
  await ground.until(OPENING + 24 * MINUTE);
  expect((await openingOf(ground)).attempts).toBeGreaterThan(10);
  isReached = true;
  ground.platform.fault = () => 'lost';
  await ground.at(OPENING + 26 * MINUTE);
  expect((await openingOf(ground)).nextAt - ground.clock.moment).toBe(80 * SECOND);
});

test.each<[Fault, code: string, outcomeUnknown: boolean]>([
  ['later', 'postponed', false],
  ['lost', 'no-answer', true],
])('a post that is %s has the reason code %s', async (fault, code, outcomeUnknown) => {
  const ground = await opened([fault]);
  expect(await openingOf(ground)).toMatchObject({ state: 'due', reason: { code }, outcomeUnknown });
});

test('a post whose outcome was unknown once is looked for again after an attempt that could not look', async () => {
  const ground = await opened(['lost-after', 'later']);
  await ground.until(OPENING + 5 * MINUTE);
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});

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

test('the record of a board typed by hand does not say who typed it', () => {
  const { typedBy: _, ...puzzle } = { ...PUZZLE, source: 'hand' as const, typedBy: '5' };
  expect(recordedPuzzle({ ...puzzle, typedBy: '5' }).whole).toStrictEqual(puzzle);
});

test('the record of any other board has its sides alone, since its source keeps the rest', () => {
  const { date, board } = PUZZLE;
  expect(recordedPuzzle({ ...PUZZLE, source: 'house' })).toStrictEqual({
    date,
    source: 'house',
    sides: board.sides,
  });
});
