import { describe, expect, test } from 'vitest';
import { FairLock, inBackground, KeyedQueue } from '../../src/core/concurrency.ts';

/** Work that records when it begins, and ends on request. */
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
  const turns = new FairLock();
  const order: string[] = [];
  const take = (name: string) => turns.acquire().then(() => order.push(name));
  await take('person 1');
  const waiting = [take('person 2'), take('person 3'), inBackground(() => take('own'))];
  for (let given = 0; given < 3; given++) {
    turns.release();
    await settle();
  }
  expect(order).toEqual(['person 1', 'own', 'person 2', 'person 3']);
  await Promise.all(waiting);
});

describe('turns', () => {
  test('begin work of one key when what came before has ended or failed, and of other keys at once', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new KeyedQueue();
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

  test('join what is under way, its failure too, and begin again after it', async () => {
    const { begun, work, end, fail } = makeWork();
    const turns = new KeyedQueue();
    const joined = [turns.join('one', work('a')), turns.join('one', work('b'))];
    fail('a');
    expect((await Promise.allSettled(joined)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    end('c');
    expect(await turns.join('one', work('c'))).toBe('c done');
    expect(begun).toEqual(['a', 'c']);
  });
});
