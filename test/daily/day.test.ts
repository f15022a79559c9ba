import { describe, expect, test } from 'vitest';
import type { DayTools } from '../../src/daily/delivery/day-attempt.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { plainText } from '../../src/reply/model/text.ts';
import { hintNumber } from '../../src/reply/replies/hint-steps.ts';
import { beforeOpening, HOUR, MINUTE, makeGround, NEW_YORK, subscribe } from './ground.ts';

test('a day: opening, steps in its thread, and a closing when the next one opens', async () => {
  // One after the other: messages of two threads come in any order.
  const ground = await beforeOpening({}, { concurrency: 1 });
  await ground.until(NEW_YORK(20, 7, 59), 10 * MINUTE);
  expect(ground.platform.messages).toEqual([]);
  await ground.at(NEW_YORK(20, 8));
  expect(ground.platform.messages.map(({ reply, thread }) => [reply.title, thread])).toEqual([
    ['Friday, November 20 · par 4', undefined],
    [`${hintNumber('start')}: start letters`, 'tm1'],
  ]);
  await ground.until(NEW_YORK(21, 8), HOUR);
  expect(ground.platform.messages.slice(2).map(({ reply, thread }) => [reply.title, thread])).toEqual([
    [`${hintNumber('count')}: words needed`, 'tm1'],
    ['The solution', 'tm1'],
    ['Saturday, November 21 · par 4', undefined],
    [`${hintNumber('start')}: start letters`, 'tm5'],
    ['That was the board of Friday, November 20, 2026', 'tm1'],
  ]);
  expect(ground.platform.threads.get('tm1')?.archived).toBe(true);
  // The message in the channel no longer invites anybody to a day that is over.
  const [yesterday] = ground.platform.messages;
  expect(plainText(yesterday!.reply)).toContain('The day of this board is over.');
  expect(plainText(yesterday!.reply)).not.toMatch(/On until|Thread:/);
  expect(await ground.rows('2026-11-20')).toEqual({
    opening: 'sent',
    start: 'sent',
    count: 'sent',
    solution: 'sent',
    closing: 'sent',
  });
});

test('a thread that can’t be archived is closed all the same, once', async () => {
  const ground = await beforeOpening();
  ground.platform.archive = async () => {
    throw new PostFailure('refused', 'no right to archive');
  };
  await ground.until(NEW_YORK(21, 8), HOUR);
  expect(await ground.rows('2026-11-20')).toMatchObject({ closing: 'sent' });
  const closings = ground.platform.messages.filter(({ reply }) =>
    reply.title.startsWith('That was the board'),
  );
  expect(closings).toHaveLength(1);
});

test('after a downtime the missed steps come as one message, in order', async () => {
  const ground = await beforeOpening({
    steps: [
      { step: 'start', at: '09:00' },
      { step: 'count', at: '12:00' },
      { step: 'solution', at: '20:00' },
    ],
  });
  await ground.at(NEW_YORK(20, 8));
  await ground.restart();
  await ground.at(NEW_YORK(20, 21));
  expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
    'Friday, November 20 · par 4',
    'Start letters, words needed and the solution',
  ]);
  expect(await ground.rows('2026-11-20')).toEqual({
    opening: 'sent',
    start: 'sent',
    count: 'skipped: posted in one message with start',
    solution: 'skipped: posted in one message with start',
  });
});

test('an opening that can no longer be changed does not stop the closing', async () => {
  const ground = await beforeOpening();
  await ground.at(NEW_YORK(20, 8));
  const id = ground.platform.messages.splice(0, 1)[0]!.id;
  await ground.at(NEW_YORK(21, 8));
  expect(ground.platform.messages.some((message) => message.id === id)).toBe(false);
  expect((await ground.rows('2026-11-20')).closing).toBe('sent');
});

describe('a thread that is opened late', () => {
  test('by switching it on in the evening: the hints so far at once, the solution four hours later', async () => {
    const ground = await makeGround(NEW_YORK(20, 19, 39));
    await subscribe(ground.store, {}, { at: NEW_YORK(20, 19, 39) });
    await ground.at(NEW_YORK(20, 19, 39));
    const [opening, hints, ...others] = ground.platform.messages;
    const clock = (moment: number) => new Date(moment - 5 * HOUR).toISOString().slice(11, 16);
    expect(plainText(opening!.reply, { moment: clock })).toContain(
      'Thread: start letters and words needed; the solution at 23:39.',
    );
    expect(hints!.reply.title).toBe('Start letters and words needed');
    expect(plainText(hints!.reply, { moment: clock })).toContain('The solution at 23:39');
    expect(others).toEqual([]);
    expect(await ground.nextPost()).toMatchObject({
      at: NEW_YORK(20, 23, 39),
      date: '2026-11-20' as const,
      step: 'solution',
    });
    await ground.until(NEW_YORK(20, 23, 38), 10 * MINUTE);
    expect(ground.platform.messages).toHaveLength(2);
    await ground.at(NEW_YORK(20, 23, 39));
    expect(ground.platform.messages.at(-1)!.reply.title).toBe('The solution');
  });

  test('after a downtime: the solution does not come together with the board', async () => {
    const ground = await beforeOpening();
    await ground.at(NEW_YORK(20, 7));
    await ground.restart();
    await ground.at(NEW_YORK(20, 21));
    expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
      'Friday, November 20 · par 4',
      'Start letters and words needed',
    ]);
    await ground.restart();
    await ground.until(NEW_YORK(21, 1), 10 * MINUTE);
    expect(await ground.rows('2026-11-20')).toEqual({
      opening: 'sent',
      start: 'sent',
      count: 'skipped: posted in one message with start',
      solution: 'sent',
    });
  });

  test('is not late where it was switched off and on again: what was announced stays', async () => {
    const ground = await beforeOpening();
    await ground.at(NEW_YORK(20, 8));
    await subscribe(ground.store, {}, { at: NEW_YORK(20, 19, 39) });
    await ground.until(NEW_YORK(20, 20), 7 * MINUTE);
    expect((await ground.rows('2026-11-20')).solution).toBe('sent');
  });

  test('in the last hours of its puzzle has its solution when the puzzle is over', async () => {
    const ground = await makeGround(NEW_YORK(20, 23));
    const steps = [{ step: 'solution', at: '23:30' }] as const;
    await subscribe(ground.store, { steps }, { at: NEW_YORK(20, 23) });
    await ground.until(NEW_YORK(21, 2, 59), 9 * MINUTE);
    expect(await ground.rows('2026-11-20')).toEqual({ opening: 'sent' });
    await ground.at(NEW_YORK(21, 3));
    expect((await ground.rows('2026-11-20')).solution).toBe('sent');
  });

  test('waits no longer than on other days', async () => {
    const ground = await makeGround(NEW_YORK(20, 11));
    const steps = [{ step: 'solution', at: '12:00' }] as const;
    await subscribe(ground.store, { opening: '11:00', steps });
    await ground.at(NEW_YORK(20, 12, 30));
    await ground.at(NEW_YORK(20, 13, 30));
    expect((await ground.rows('2026-11-20')).solution).toBe('sent');
  });
});

test('after a downtime of days, each missed step has its reason, and a later restart plans nothing more', async () => {
  const ground = await makeGround(NEW_YORK(16, 6));
  await subscribe(ground.store, {}, { at: NEW_YORK(16, 5) });
  await ground.until(NEW_YORK(16, 21), HOUR);
  await ground.restart();
  await ground.at(NEW_YORK(20, 9));
  const over = 'skipped: its puzzle was over before it could be posted';
  for (const day of [17, 18, 19]) {
    const missed = { opening: over, start: over, count: over, solution: over };
    expect(await ground.rows(`2026-11-${day}`)).toEqual(missed);
  }
  expect(await ground.rows('2026-11-16')).toMatchObject({
    opening: 'sent',
    solution: 'sent',
    closing: 'sent',
  });
  expect(await ground.rows('2026-11-15')).toEqual({});
  const planned = ground.platform.messages.length;
  await ground.restart();
  await ground.at(NEW_YORK(20, 9, 5));
  expect(ground.platform.messages).toHaveLength(planned);
});

describe('each month is reviewed once', () => {
  /** Which months the closing of which day reviewed. */
  async function reviewing(now: number, settings: object = {}) {
    const reviewed = new Map<string, readonly string[]>();
    const reviews: DayTools['reviews'] = {
      opening: async () => ({}),
      async closing({ date, months }) {
        if (months.length > 0) reviewed.set(date, months);
        return [];
      },
    };
    const ground = await makeGround(now, { reviews });
    await subscribe(ground.store, { steps: [], ...settings });
    return { ground, reviewed };
  }

  test('with the last thread of the month, though a weekend off ends it', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(-2, 6), { weekends: false });
    await ground.until(NEW_YORK(4, 9), 6 * HOUR);
    expect([...reviewed]).toEqual([['2026-10-30', ['2026-10-30']]]);
  });

  test('with the last one only, though the closing before it comes in the new month, too', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(29, 6));
    const { platform, clock } = ground;
    const post = platform.post.bind(platform);
    platform.post = async (message) => {
      const isClosing = message.reply.title.startsWith('That was');
      if (isClosing && clock.now() < NEW_YORK(31, 8)) throw new PostFailure('later', 'busy');
      return post(message);
    };
    await ground.until(NEW_YORK(33, 9), 6 * HOUR);
    expect((await ground.rows('2026-11-29')).closing).toBe('sent');
    expect([...reviewed]).toEqual([['2026-11-30', ['2026-11-30']]]);
  });

  test('never before it is over, though a day is closed while the next one is still being opened', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(20, 6));
    await ground.at(NEW_YORK(20, 8));
    const { platform, daily } = ground;
    const { deliveries } = ground.store.tenant('web:local');
    const open = platform.open.bind(platform);
    platform.open = async (post) => {
      void daily.runDue();
      const closing = async () => (await deliveries.get('general', '2026-11-20', 'closing'))?.state;
      await expect.poll(closing).toBe('sent');
      return open(post);
    };
    await ground.at(NEW_YORK(21, 8));
    expect((await ground.rows('2026-11-21')).opening).toBe('sent');
    expect([...reviewed]).toEqual([]);
  });

  test('and not again where the closing that reviewed it may have been posted', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(29, 6));
    const { platform } = ground;
    const post = platform.post.bind(platform);
    platform.post = async (message) => {
      const { title } = message.reply;
      if (title.startsWith('That was') && title.includes('November 30')) {
        if (message.outcomeUnknown) throw new PostFailure('invalid', 'too much to search');
        throw new PostFailure('unknown', 'no answer');
      }
      return post(message);
    };
    await ground.until(NEW_YORK(33, 9), 6 * HOUR);
    const { deliveries } = ground.store.tenant('web:local');
    const closing = await deliveries.get('general', '2026-11-30', 'closing');
    expect(closing).toMatchObject({ state: 'given-up', outcomeUnknown: true });
    expect([...reviewed]).toEqual([['2026-11-30', ['2026-11-30']]]);
  });

  test('with the first closing after a pause over the end of the month, in which nobody closed its last thread', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(24, 6));
    await ground.until(NEW_YORK(25, 12), 6 * HOUR);
    const { subscriptions } = ground.store.tenant('web:local');
    await subscriptions.setState('general', { state: 'off' });
    await ground.at(NEW_YORK(30, 8));
    await subscribe(ground.store, { steps: [] }, { at: NEW_YORK(40, 6) });
    await subscriptions.setState('general', { state: 'active' });
    await ground.until(NEW_YORK(43, 9), 6 * HOUR);
    expect((await ground.rows('2026-11-25')).closing).toBe('skipped: the daily thread was switched off here');
    expect([...reviewed]).toEqual([['2026-12-10', ['2026-11-25']]]);
  });
});
