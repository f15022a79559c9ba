import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { FairTurns, Followers, inBackground, Turns } from '../../src/core/turns.ts';

/** Work that writes down when it begins, and ends when it is told to. */
function makeWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const work = (name: string) => () => {
    begun.push(name);
    return ends.get(name)!.promise;
  };
  for (const name of ['a', 'b', 'c', 'd']) ends.set(name, Promise.withResolvers());
  const end = (name: string) => ends.get(name)!.resolve(`${name} done`);
  const fail = (name: string) => ends.get(name)!.reject(new Error(`${name} failed`));
  return { begun, work, end, fail };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('fair turns go to people and to the bot’s own work in turn, and on while only one side waits', async () => {
  const turns = new FairTurns();
  const order: string[] = [];
  const take = (name: string) => turns.take().then(() => order.push(name));
  await take('person 1');
  const waiting = [take('person 2'), take('person 3'), inBackground(() => take('own'))];
  for (let given = 0; given < 3; given++) {
    turns.give();
    await settle();
  }
  expect(order).toEqual(['person 1', 'own', 'person 2', 'person 3']);
  await Promise.all(waiting);
});

describe('turns', () => {
  test('begin work of one key when what came before has ended or failed, and of other keys at once', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new Turns();
    const first = turns.run('one', work('a'));
    const second = turns.run('one', work('b'));
    const third = turns.run('one', work('c'));
    const other = turns.run('two', work('d'));
    await settle();
    expect(begun).toEqual(['a', 'd']);
    fail('a');
    await expect(first).rejects.toThrow('a failed');
    await settle();
    expect(begun).toEqual(['a', 'd', 'b']);
    for (const name of ['b', 'c', 'd']) end(name);
    expect(await Promise.all([second, third, other])).toEqual(['b done', 'c done', 'd done']);
  });

  test('are refused with a sentence for people when too many wait for one key', async () => {
    const { begun, work, end } = makeWork();
    const turns = new Turns(2);
    const done = [turns.run('one', work('a')), turns.run('one', work('b'))];
    await expect(turns.run('one', work('c'))).rejects.toMatchObject({ code: 'game.waiting' });
    for (const name of ['a', 'b', 'd']) end(name);
    await Promise.all(done);
    expect(await turns.run('one', work('d'))).toBe('d done');
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  test('join what is under way, its failure too, and begin again after it', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new Turns();
    const joined = [turns.join('one', work('a')), turns.join('one', work('b'))];
    fail('a');
    expect((await Promise.allSettled(joined)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    end('c');
    expect(await turns.join('one', work('c'))).toBe('c done');
    expect(begun).toEqual(['a', 'c']);
  });
});

const second = () => vi.advanceTimersByTimeAsync(1_000);

describe('what follows a change elsewhere', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows many changes once, and one that comes meanwhile once more', async () => {
    const followers = new Followers();
    let { promise, resolve } = Promise.withResolvers<boolean>();
    const show = vi.fn(() => promise);
    followers.follow('a', { lasts: MINUTE, show });
    for (let change = 0; change < 5; change++) followers.changed('a');
    followers.changed('b');
    expect(show).not.toHaveBeenCalled();
    await second();
    expect(show).toHaveBeenCalledTimes(1);
    followers.changed('a');
    await second();
    expect(show).toHaveBeenCalledTimes(1);
    resolve(true);
    ({ promise, resolve } = Promise.withResolvers<boolean>());
    await second();
    expect(show).toHaveBeenCalledTimes(2);
    resolve(true);
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(show).toHaveBeenCalledTimes(2);
  });

  it('tries again while something else is under way there', async () => {
    const followers = new Followers();
    const show = vi.fn(async () => show.mock.calls.length > 2);
    followers.follow('a', { lasts: MINUTE, show });
    followers.changed('a');
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(show).toHaveBeenCalledTimes(3);
  });

  it('is left out once it fails, once another follows, and after a stop', async () => {
    const followers = new Followers();
    const failing = vi.fn(async () => {
      throw new Error('gone');
    });
    followers.follow('a', { lasts: MINUTE, show: failing });
    followers.changed('a');
    await second();
    followers.changed('a');
    await second();
    expect(failing).toHaveBeenCalledTimes(1);

    const [older, newer] = [vi.fn(async () => true), vi.fn(async () => true)];
    followers.follow('a', { lasts: MINUTE, show: older });
    followers.changed('a');
    followers.follow('a', { lasts: MINUTE, show: newer });
    followers.changed('a');
    await second();
    expect([older, newer].map((show) => show.mock.calls.length)).toEqual([0, 1]);

    followers.changed('a');
    followers.stop();
    await second();
    expect(newer).toHaveBeenCalledTimes(1);
  });
});
