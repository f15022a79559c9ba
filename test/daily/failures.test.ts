/** What a misbehaving platform, a newspaper that can't be reached and people who change their mind come to. */
import { describe, expect, test } from 'vitest';
import { reactivate } from '../../src/daily/suspension.ts';
import { fakeBook } from './book.ts';
import type { Fault } from './fake-poster.ts';
import { HOUR, MINUTE, makeGround, SPOT, subscribe } from './ground.ts';

const NEW_YORK = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);
const OPENING = NEW_YORK(20, 8);

async function opened(options: Parameters<typeof makeGround>[1] = {}) {
  const ground = await makeGround(NEW_YORK(20, 7), options);
  await subscribe(ground.store, {}, { at: NEW_YORK(20, 6) });
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
    ['is acted upon, and its answer lost', 'lost-after'],
  ])('%s: posted once all the same', async (_, fault) => {
    const ground = await opened();
    ground.platform.fault = first(fault, fault, undefined, fault);
    await ground.until(OPENING + 30 * MINUTE);
    expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
      'Letter Boxed, Friday 20 November 2026',
      'Hint 1 of 7 for Friday 20 November 2026: start letters',
    ]);
    expect(ground.platform.threads.size).toBe(1);
  });

  test("the platform's own pause is kept", async () => {
    const ground = await opened();
    ground.platform.fault = first('later');
    await ground.at(OPENING);
    const row = await ground.store.tenant(SPOT.tenant).deliveries.get(SPOT.channel, '2026-11-20', 'opening');
    expect(row?.state).toBe('due');
    expect(row!.nextAt - OPENING).toBeGreaterThanOrEqual(10_000);
    expect(row!.nextAt - OPENING).toBeLessThan(14_000);
  });

  test('pauses grow, and in the end it is given up with the last reason', async () => {
    const ground = await opened();
    ground.platform.fault = () => 'later';
    await ground.until(NEW_YORK(21, 3, 30), 5 * MINUTE);
    expect(ground.platform.requests).toBeLessThan(170);
    expect(await ground.rows('2026-11-20')).toEqual({
      opening: 'given-up: its puzzle was over before it could be posted: the platform asks to wait',
      start: expect.stringContaining('skipped: '),
      count: expect.stringContaining('skipped: '),
      solution: expect.stringContaining('skipped: '),
    });
    ground.platform.fault = () => undefined;
    await ground.at(NEW_YORK(21, 8));
    expect(ground.platform.messages.map(({ reply }) => reply.title)[0]).toContain('Saturday 21 November');
  });

  test('a message the platform will never take is given up at once, and the next day comes', async () => {
    const ground = await opened();
    ground.platform.fault = first('invalid');
    await ground.until(NEW_YORK(21, 8), 10 * MINUTE);
    expect((await ground.rows('2026-11-20')).opening).toBe('given-up: the platform says invalid');
    expect(ground.platform.messages).toHaveLength(2);
  });
});

describe('a place that refuses', () => {
  test('is told once, left alone, and asked once an hour whether it has what it lacked', async () => {
    const ground = await opened();
    let lacks = true;
    let asked = 0;
    ground.platform.lacking = () => {
      asked++;
      return lacks ? [{ what: 'Send Messages', how: 'Allow it for the bot in this channel.' }] : [];
    };
    await ground.until(NEW_YORK(20, 14));
    expect(ground.platform.requests).toBe(0);
    expect(asked).toBeLessThan(10);
    expect(ground.platform.told).toHaveLength(1);
    expect(ground.platform.told[0]).toMatchObject({ person: 'manager', reply: { audience: 'asker' } });
    expect(JSON.stringify(ground.platform.told[0]!.reply)).toContain('Allow it for the bot');
    expect((await ground.store.tenant(SPOT.tenant).subscriptions.get(SPOT.channel))?.state).toBe('suspended');
    lacks = false;
    await ground.until(NEW_YORK(20, 15, 5));
    expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
      'Letter Boxed, Friday 20 November 2026',
      'Friday 20 November 2026: start letters and words needed',
    ]);
    expect(ground.platform.told).toHaveLength(1);
  });

  test('without a list of what is missing it sleeps until someone comes by', async () => {
    const ground = await opened();
    ground.platform.fault = first('refused');
    await ground.until(NEW_YORK(21, 9), 10 * MINUTE);
    expect(ground.platform.requests).toBe(1);
    expect(ground.platform.told).toHaveLength(1);
    expect(await reactivate(ground.store, SPOT, ground.clock.moment, '2026-11-21')).toBe(true);
    await ground.at(NEW_YORK(21, 9, 1));
    expect(ground.platform.messages[0]?.reply.title).toContain('Saturday 21 November');
    expect((await ground.rows('2026-11-20')).start).toBe('skipped: the place could not be posted to');
  });

  test('it is told once however often someone comes by, and again once it has had a post', async () => {
    const ground = await opened();
    ground.platform.fault = () => 'refused';
    await ground.at(OPENING);
    const comeBy = async (moment: number) => {
      await reactivate(ground.store, SPOT, moment, '2026-11-20');
      await ground.at(moment);
    };
    for (let minute = 1; minute <= 5; minute++) await comeBy(OPENING + minute * MINUTE);
    expect(ground.platform.requests).toBe(6);
    expect(ground.platform.told).toHaveLength(1);
    ground.platform.fault = () => undefined;
    await comeBy(NEW_YORK(20, 9));
    expect(ground.platform.messages).not.toEqual([]);
    ground.platform.fault = () => 'refused';
    await ground.at(NEW_YORK(20, 12));
    expect(ground.platform.told).toHaveLength(2);
  });

  test('a permission lost in the middle of the day stops the rest of it, and brings it back', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    ground.platform.fault = first('refused');
    await ground.at(NEW_YORK(20, 12));
    expect((await ground.rows('2026-11-20')).count).toBe('given-up: the platform says refused');
    await ground.daily.reactivate(SPOT);
    await ground.at(NEW_YORK(20, 13));
    expect((await ground.rows('2026-11-20')).count).toBe('sent');
  });

  test('a server the bot was removed from is left alone for good', async () => {
    const ground = await opened();
    ground.platform.fault = first('removed');
    await ground.until(NEW_YORK(22, 9), HOUR);
    expect(ground.platform.requests).toBe(1);
    expect(ground.platform.told).toEqual([]);
    expect(await ground.store.allTenants.subscriptions()).toEqual([]);
  });
});

describe("when the newspaper can't be reached", () => {
  test('the opening waits half an hour, then takes the house board, and the thread stays with it', async () => {
    let source: 'house' | 'newspaper' = 'house';
    const book = fakeBook();
    const puzzles: typeof book = {
      ...book,
      puzzleOf: async (...asked) => ({ ...(await book.puzzleOf(...asked)), source }),
    };
    const ground = await opened({ puzzles });
    await ground.until(OPENING + 29 * MINUTE);
    expect(ground.platform.messages).toEqual([]);
    await ground.until(OPENING + 40 * MINUTE);
    source = 'newspaper';
    await ground.until(NEW_YORK(20, 20), 10 * MINUTE);
    const texts = ground.platform.messages.map(({ reply }) => JSON.stringify(reply));
    expect(texts).toHaveLength(4);
    expect(texts[0]).toContain('House board');
    expect(texts.at(-1)).toContain('House board');
  });

  test('if it can be reached in time, its board is opened', async () => {
    let source: 'house' | 'newspaper' = 'house';
    const book = fakeBook();
    const ground = await opened({
      puzzles: { ...book, puzzleOf: async (...asked) => ({ ...(await book.puzzleOf(...asked)), source }) },
    });
    await ground.until(OPENING + 5 * MINUTE);
    source = 'newspaper';
    await ground.until(OPENING + 10 * MINUTE);
    expect(JSON.stringify(ground.platform.messages[0]?.reply)).toContain('New York Times');
  });

  test('where the operator uses the house board anyway, nobody waits', async () => {
    const ground = await opened({ puzzles: fakeBook({ source: 'house' }), source: 'house' });
    await ground.at(OPENING);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('where nothing is to stand in, whoever manages the place is told once, and nobody else anything', async () => {
    const { UserError } = await import('../../src/core/errors.ts');
    const none = async () => {
      throw new UserError('puzzle.unreachable', 'There is no board yet.');
    };
    const ground = await opened({ puzzles: { ...fakeBook(), puzzleOf: none } });
    await ground.until(NEW_YORK(21, 4), 15 * MINUTE);
    expect(ground.platform.messages).toEqual([]);
    expect(ground.platform.told).toHaveLength(1);
    expect((await ground.rows('2026-11-20')).opening).toContain('There is no board yet');
  });
});

describe('people', () => {
  test('switching off takes effect at once', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    await ground.store.tenant(SPOT.tenant).subscriptions.setState(SPOT.channel, { state: 'off' });
    await ground.until(NEW_YORK(21, 9), HOUR);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('a changed time takes effect at once, and what was told is not told again', async () => {
    const ground = await opened();
    await ground.at(OPENING);
    await subscribe(ground.store, { opening: '09:00', zone: 'America/Chicago' }, { at: NEW_YORK(20, 6) });
    await ground.until(NEW_YORK(20, 12), 10 * MINUTE);
    expect(ground.platform.messages).toHaveLength(2);
    await ground.until(NEW_YORK(20, 13));
    expect(ground.platform.messages.map(({ reply }) => reply.title)[2]).toContain('words needed');
  });

  test('a place switched on in the afternoon gets the day; one switched on at night begins tomorrow', async () => {
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

  test('of two places, one that fails does not hold up the other', async () => {
    const ground = await opened();
    const other = { tenant: 'web:other', channel: 'c' };
    await subscribe(ground.store, {}, { spot: other, at: NEW_YORK(20, 6) });
    ground.platform.fault = ({ spot }) => (spot.tenant === SPOT.tenant ? 'lost' : undefined);
    await ground.at(OPENING);
    expect(ground.platform.in(other)).toHaveLength(2);
    expect(ground.platform.in(SPOT)).toHaveLength(0);
  });
});
