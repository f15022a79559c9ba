/** The daily thread with failing requests, a newspaper that can't be reached, and settings that change in the middle of a day. */

import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { reactivate, reactivateOnRequest } from '../../src/daily/suspension.ts';
import { hintNumber } from '../../src/reply/replies/hint-steps.ts';
import type { Reason } from '../../src/store/schema.ts';
import { someone } from '../fakes/app.ts';
import { FALLBACK, type Fault, fakePuzzleService } from './fakes.ts';
import {
  beforeOpening,
  CHANNEL,
  HOUR,
  MINUTE,
  makeGround,
  NEW_YORK,
  OPENING,
  openingOf,
  quiet,
  subscribe,
} from './ground.ts';

async function opened(options: Parameters<typeof makeGround>[1] = {}) {
  const ground = await beforeOpening({}, options);
  await ground.at(NEW_YORK(20, 7));
  return ground;
}

/** The given faults for the first requests, then none. */
function first(...faults: (Fault | undefined)[]) {
  return () => faults.shift();
}

describe('a request that goes wrong', () => {
  test.each<[string, Fault]>([
    ['is refused for now', 'later'],
    ['is lost on its way', 'lost'],
    ['is carried out, and its answer lost', 'lost-after'],
  ])('%s: posted once all the same', async (_, fault) => {
    const ground = await opened();
    ground.platform.fault = first(fault, fault, undefined, fault);
    await ground.until(OPENING + 30 * MINUTE);
    // Its board is read from the store, which has no par here.
    const titles = ground.platform.messages.map(({ reply }) => reply.title.replace(/ · par \d/, ''));
    expect(titles).toEqual(['Friday, November 20', `${hintNumber('start')}: start letters`]);
    expect(ground.platform.threads.size).toBe(1);
  });

  test('is one that looks for missed steps: they come in one message all the same', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    await ground.restart();
    ground.platform.fault = first('later');
    await ground.at(NEW_YORK(20, 21));
    ground.platform.fault = first();
    await ground.until(NEW_YORK(20, 21, 2));
    expect(await ground.rows('2026-11-20')).toMatchObject({
      count: 'sent',
      solution: 'skipped: posted in one message with count',
    });
  });

  test('a fault before anything was sent leaves no doubt that nothing was posted', async () => {
    const puzzles = fakePuzzleService();
    let isBroken = true;
    const ground = await opened({
      puzzles: {
        ...puzzles,
        puzzleOf: async (...asked) => {
          if (isBroken) throw new TypeError('a fault');
          return puzzles.puzzleOf(...asked);
        },
      },
    });
    await ground.at(OPENING);
    expect(await openingOf(ground)).toMatchObject({ state: 'due', outcomeUnknown: false });
    isBroken = false;
    await ground.until(OPENING + 5 * MINUTE);
    expect((await ground.rows('2026-11-20')).opening).toBe('sent');
  });

  test('pauses grow, and in the end it is given up with the last reason', async () => {
    const ground = await opened();
    ground.platform.fault = () => 'later';
    await ground.until(NEW_YORK(21, 3, 30), 15 * MINUTE);
    expect(ground.platform.requests).toBeLessThan(170);
    expect(await ground.rows('2026-11-20')).toEqual({
      opening: 'given-up: its puzzle was over before it could be posted: the platform asks to wait',
      start: expect.stringContaining('skipped: '),
      count: expect.stringContaining('skipped: '),
      solution: expect.stringContaining('skipped: '),
    });
    ground.platform.fault = () => undefined;
    await ground.at(NEW_YORK(21, 8));
    expect(ground.platform.messages.map(({ reply }) => reply.title)[0]).toContain(
      'Saturday, November 21 · par 4',
    );
  });

  test('a message that the platform calls invalid is given up at once; the next day is posted', async () => {
    const ground = await opened();
    ground.platform.fault = first('invalid');
    await ground.until(NEW_YORK(21, 8), 30 * MINUTE);
    expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says invalid');
    expect(ground.platform.messages).toHaveLength(2);
  });
});

describe('a channel that refuses posts', () => {
  test('is suspended with one notice, and asked once an hour whether all requirements are met', async () => {
    const ground = await opened();
    let isMissing = true;
    let asked = 0;
    ground.platform.missing = () => {
      asked++;
      return isMissing ? [{ what: 'Send Messages', how: 'Allow it for the bot in this channel.' }] : [];
    };
    await ground.until(NEW_YORK(20, 14), 10 * MINUTE);
    expect(ground.platform.requests).toBe(0);
    expect(asked).toBeLessThan(10);
    expect(ground.platform.notices).toHaveLength(1);
    expect(ground.platform.notices[0]).toMatchObject({ person: 'manager', reply: { audience: 'asker' } });
    expect(JSON.stringify(ground.platform.notices[0]!.reply)).toContain('Allow it for the bot');
    expect((await ground.store.tenant(CHANNEL.tenant).subscriptions.get(CHANNEL.channel))?.state).toBe(
      'suspended',
    );
    isMissing = false;
    await ground.until(NEW_YORK(20, 15, 5), 5 * MINUTE);
    expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
      'Friday, November 20 · par 4',
      'Start letters and words needed',
    ]);
    expect(ground.platform.notices).toHaveLength(1);
  });

  test.each(['off', 'paused'] as const)('stays %s if people say so meanwhile', async (state) => {
    const ground = await opened();
    const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
    ground.platform.pause = async () => void (await subscriptions.setState(CHANNEL.channel, { state }));
    ground.platform.fault = first('refused');
    await ground.at(OPENING);
    expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says refused');
    expect(await subscriptions.get(CHANNEL.channel)).toMatchObject({ state });
    expect(ground.platform.notices).toEqual([]);
  });

  test('without a list of requirements it stays suspended until someone runs a command there', async () => {
    const ground = await opened();
    ground.platform.fault = first('refused');
    await ground.until(NEW_YORK(21, 9), 30 * MINUTE);
    expect(ground.platform.requests).toBe(1);
    expect(ground.platform.notices).toHaveLength(1);
    expect(await ground.nextPost()).toBeUndefined();
    expect(await reactivate(ground.store, CHANNEL, ground.clock.moment)).toBe(true);
    await ground.at(NEW_YORK(21, 9, 1));
    expect(ground.platform.messages[0]?.reply.title).toContain('Saturday, November 21 · par 4');
    expect((await ground.rows('2026-11-20')).start).toBe('skipped: the place could not be posted to');
  });

  test('sends one notice however often it is reactivated, and another one only after a post succeeded', async () => {
    const ground = await opened();
    ground.platform.fault = () => 'refused';
    await ground.at(OPENING);
    const runCommand = async (moment: number) => {
      await reactivate(ground.store, CHANNEL, moment);
      await ground.at(moment);
    };
    for (let minute = 1; minute <= 5; minute++) await runCommand(OPENING + minute * MINUTE);
    expect(ground.platform.requests).toBe(6);
    expect(ground.platform.notices).toHaveLength(1);
    ground.platform.fault = () => undefined;
    await runCommand(NEW_YORK(20, 9));
    expect(ground.platform.messages).not.toEqual([]);
    ground.platform.fault = () => 'refused';
    await ground.at(NEW_YORK(20, 12));
    expect(ground.platform.notices).toHaveLength(2);
  });

  test('a step given up for a lost permission is posted after the channel is reactivated', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    ground.platform.fault = first('refused');
    await ground.at(NEW_YORK(20, 12));
    expect((await ground.rows('2026-11-20')).count).toBe('given-up: the platform says refused');
    await ground.reactivate(CHANNEL);
    await ground.at(NEW_YORK(20, 13));
    expect((await ground.rows('2026-11-20')).count).toBe('sent');
  });

  test('closes the thread before once it is reactivated, if its opening was refused in between', async () => {
    const ground = await opened();
    await ground.until(NEW_YORK(20, 21), HOUR);
    ground.platform.fault = () => 'refused';
    await ground.until(NEW_YORK(21, 9), HOUR / 2);
    expect((await ground.rows('2026-11-20')).closing).toBe('given-up: the platform says refused');
    ground.platform.fault = () => undefined;
    await ground.reactivate(CHANNEL);
    await ground.at(NEW_YORK(21, 9, 30));
    expect(await ground.rows('2026-11-21')).toMatchObject({ opening: 'sent' });
    expect(await ground.rows('2026-11-20')).toMatchObject({ closing: 'sent' });
  });

  test('closes the thread before once it is reactivated, if only that was refused', async () => {
    const ground = await opened();
    await ground.until(NEW_YORK(21, 7), HOUR);
    ground.platform.fault = first(undefined, undefined, 'refused', 'refused');
    await ground.at(NEW_YORK(21, 8));
    expect((await ground.rows('2026-11-21')).opening).toBe('sent');
    expect((await ground.rows('2026-11-20')).closing).toBe('given-up: the platform says refused');
    await ground.reactivate(CHANNEL);
    await ground.at(NEW_YORK(21, 9));
    expect((await ground.rows('2026-11-20')).closing).toBe('sent');
  });

  test('goes on if only the thread before refuses its last message, again after it was reactivated', async () => {
    const ground = await beforeOpening({ steps: [{ step: 'count', at: '12:00' }] });
    await ground.until(NEW_YORK(21, 7), HOUR);
    ground.platform.fault = first(undefined, undefined, 'refused', 'refused');
    await ground.at(NEW_YORK(21, 8));
    expect((await ground.rows('2026-11-20')).closing).toBe('given-up: the platform says refused');
    ground.platform.fault = () => 'refused';
    await ground.reactivate(CHANNEL);
    await ground.at(NEW_YORK(21, 9));
    expect((await ground.rows('2026-11-20')).closing).toBe('given-up: the platform says refused');
    ground.platform.fault = () => undefined;
    await ground.at(NEW_YORK(21, 13));
    expect(await ground.rows('2026-11-21')).toMatchObject({ opening: 'sent', count: 'sent' });
  });

  test('what was skipped stays skipped when the channel is reactivated', async () => {
    const ground = await opened();
    await ground.at(NEW_YORK(20, 13));
    const before = await ground.rows('2026-11-20');
    expect(Object.values(before)).toContainEqual(expect.stringContaining('skipped: '));
    const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
    await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason: { code: 'switched-off' } });
    await ground.reactivate(CHANNEL);
    expect(await ground.rows('2026-11-20')).toEqual(before);
  });

  // An operator may have started the bot with the token of another application or workspace for a day.
  test('a server in which the bot is not counts as removed only once its door says so', async () => {
    const ground = await opened();
    ground.platform.fault = () => 'removed';
    await ground.until(NEW_YORK(20, 9), HOUR);
    expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says removed');
    expect(ground.platform.requests).toBe(1);
    ground.platform.fault = () => undefined;
    await ground.until(NEW_YORK(21, 9), HOUR);
    expect((await ground.rows('2026-11-21')).opening).toBe('sent');
    expect(ground.platform.notices).toEqual([]);
    expect(await ground.store.allTenants.eraseRemoved(NEW_YORK(29, 9))).toEqual([]);
  });
});

test('a notice that fails leaves the delivery given up and the channel suspended all the same', async () => {
  const ground = await beforeOpening();
  ground.platform.fault = () => 'refused';
  ground.platform.notify = () => Promise.reject(new Error('the platform is away'));
  await ground.at(OPENING);
  expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says refused');
  const subscription = await ground.store.tenant(CHANNEL.tenant).subscriptions.get(CHANNEL.channel);
  expect(subscription?.state).toBe('suspended');
});

test('a command in a suspended channel reactivates it, one in a direct conversation does not', async () => {
  const { store, clock } = await makeGround(OPENING);
  await subscribe(store, {}, { at: OPENING });
  const { subscriptions } = store.tenant(CHANNEL.tenant);
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason: { code: 'switched-off' } });
  const reactivate = reactivateOnRequest({ store, clock, log: quiet });
  await reactivate(someone({}, { ...CHANNEL, direct: true }));
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('suspended');
  await reactivate(someone({}, { ...CHANNEL, direct: false }));
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('active');
});

test('a suspended channel is looked at within an hour, also by a clock that was set back', async () => {
  const ground = await makeGround(OPENING);
  await subscribe(ground.store, {}, { at: OPENING - 6 * HOUR });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  const reason: Reason = { code: 'missing-requirements', requirements: ['Send Messages'] };
  await subscriptions.setState(CHANNEL.channel, { state: 'suspended', reason });
  const missing = [{ what: 'Send Messages', how: '' }];
  ground.platform.missing = () => missing;
  await ground.at(OPENING);
  missing.length = 0;
  await ground.at(OPENING + MINUTE);
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('suspended');
  await ground.at(OPENING - 5 * HOUR);
  expect((await subscriptions.get(CHANNEL.channel))?.state).toBe('active');
});

test('a platform that says nothing about suspended channels delays no other channel', async () => {
  const ground = await makeGround(OPENING - HOUR);
  const others = ['one', 'two'].map((channel) => ({ ...CHANNEL, channel }));
  for (const channel of [CHANNEL, ...others])
    await subscribe(ground.store, {}, { at: OPENING - HOUR, channel });
  const { subscriptions } = ground.store.tenant(CHANNEL.tenant);
  const reason: Reason = { code: 'missing-requirements', requirements: ['Send Messages'] };
  for (const { channel } of others) await subscriptions.setState(channel, { state: 'suspended', reason });
  const answer = Promise.withResolvers<[]>();
  ground.platform.missing = ({ channel }) => (channel === CHANNEL.channel ? [] : answer.promise);
  await ground.daily.start();
  ground.clock.moment = OPENING;
  await ground.daily.tick();
  await expect.poll(() => ground.platform.in(CHANNEL)).toHaveLength(2);
  answer.resolve([]);
  await ground.daily.runDue();
  await ground.at(OPENING + MINUTE);
  for (const channel of others) expect(ground.platform.in(channel)).toHaveLength(2);
  await ground.daily.stop();
});

describe("when the newspaper can't be reached", () => {
  test('the opening waits half an hour, then takes the house board, and the thread stays with it', async () => {
    let isReached = false;
    const ground = await opened({ puzzles: fakePuzzleService(() => (isReached ? {} : FALLBACK)) });
    await ground.until(OPENING + 29 * MINUTE);
    expect(ground.platform.messages).toEqual([]);
    await ground.until(OPENING + 40 * MINUTE);
    isReached = true;
    await ground.until(NEW_YORK(20, 20), 30 * MINUTE);
    const texts = ground.platform.messages.map(({ reply }) => JSON.stringify(reply));
    expect(texts).toHaveLength(4);
    expect(texts[0]).toContain('Made by this bot.');
    expect(texts.at(-1)).toContain('Made by this bot.');
  });

  test('if it can be reached in time, its board is opened', async () => {
    let isReached = false;
    const ground = await opened({ puzzles: fakePuzzleService(() => (isReached ? {} : FALLBACK)) });
    await ground.until(OPENING + 5 * MINUTE);
    isReached = true;
    await ground.until(OPENING + 10 * MINUTE);
    expect(JSON.stringify(ground.platform.messages[0]?.reply)).toContain('New York Times');
  });

  test('a house board that replaces no other is opened at once', async () => {
    const ground = await opened({ puzzles: fakePuzzleService(() => ({ source: 'house' })) });
    await ground.at(OPENING);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('without a house board, the person who manages the channel gets one notice, and nothing is posted', async () => {
    const none = async () => {
      throw new UserError('puzzle.unreachable', 'There is no board yet.');
    };
    const ground = await opened({ puzzles: { ...fakePuzzleService(), puzzleOf: none } });
    await ground.until(NEW_YORK(21, 4), 15 * MINUTE);
    expect(ground.platform.messages).toEqual([]);
    expect(ground.platform.notices).toHaveLength(1);
    expect((await ground.rows('2026-11-20')).opening).toContain('There is no board yet');
  });
});

describe('a change of settings', () => {
  test('switching off takes effect at once', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    await ground.store.tenant(CHANNEL.tenant).subscriptions.setState(CHANNEL.channel, { state: 'off' });
    await ground.until(NEW_YORK(21, 9), HOUR);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('a changed time takes effect at once, and steps already posted are not posted again', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    await subscribe(ground.store, { opening: '09:00', zone: 'America/Chicago' }, { at: NEW_YORK(20, 6) });
    await ground.until(NEW_YORK(20, 12), 30 * MINUTE);
    expect(ground.platform.messages).toHaveLength(2);
    await ground.until(NEW_YORK(20, 13), 10 * MINUTE);
    expect(ground.platform.messages.map(({ reply }) => reply.title)[2]).toContain('words needed');
  });

  test('a channel switched on in the afternoon gets the day; one switched on at night begins tomorrow', async () => {
    const ground = await makeGround(NEW_YORK(20, 15));
    await subscribe(ground.store, {}, { at: NEW_YORK(20, 15) });
    await ground.at(NEW_YORK(20, 15, 1));
    expect(ground.platform.messages).toHaveLength(2);
    const late = await makeGround(NEW_YORK(20, 23));
    await subscribe(late.store, {}, { at: NEW_YORK(20, 23) });
    await late.until(NEW_YORK(21, 7), HOUR);
    expect(late.platform.messages).toEqual([]);
    await late.at(NEW_YORK(21, 8));
    expect(late.platform.messages).toHaveLength(2);
  });

  test('of two channels, one that fails does not hold up the other', async () => {
    const ground = await opened();
    const other = { tenant: 'web:other', channel: 'c' };
    await subscribe(ground.store, {}, { channel: other, at: NEW_YORK(20, 6) });
    ground.platform.fault = ({ channel }) => (channel.tenant === CHANNEL.tenant ? 'lost' : undefined);
    await ground.at(OPENING);
    expect(ground.platform.in(other)).toHaveLength(2);
    expect(ground.platform.in(CHANNEL)).toHaveLength(0);
  });
});
