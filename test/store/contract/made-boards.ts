import { describe, expect, test } from 'vitest';
import { MAX_MADE_BOARDS, type StoredMadeBoard } from '../../../src/store/tables/made-boards.ts';
import type { Ground } from './ground.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const TEA: StoredMadeBoard = {
  channel: 'c1',
  board: 'imn lru oz',
  sides: 'oz-lru-imn',
  name: 'Tea',
  note: null,
  appraisal: { par: 4, fewest: 2 },
  madeBy: 'p1',
  madeAt: AT,
  closedAt: null,
  expiresAt: AT + 60,
  posted: undefined,
  thread: null,
};
const { channel, board } = TEA;
const RESULT = { channel, board, person: 'p1', words: 3, letters: 12, hints: 1, solvedAt: AT };

export function madeBoardContract({ store, door }: Ground): void {
  const fresh = () => store().tenant(`${door()}:1`);

  describe('boards that people make', () => {
    test('are in a channel once, until their time', async () => {
      const { madeBoards } = fresh();
      const added = await Promise.all([madeBoards.add(TEA), madeBoards.add({ ...TEA, name: 'Coffee' })]);
      expect(added.toSorted()).toEqual([false, true]);
      expect(await madeBoards.add({ ...TEA, channel: 'c2' })).toBe(true);
      expect(await madeBoards.get('c2', board, AT + 59)).toEqual({ ...TEA, channel: 'c2' });
      expect(await madeBoards.get('c2', board, AT + 60)).toBeUndefined();
      await madeBoards.record(RESULT);
      expect(await madeBoards.add({ ...TEA, madeAt: AT + 60, expiresAt: AT + 120 })).toBe(true);
      expect(await madeBoards.results(channel, board)).toEqual([]);
    });

    test('are listed from the newest on, with those who solved them and are not hidden', async () => {
      const { madeBoards, people } = fresh();
      await madeBoards.add(TEA);
      await madeBoards.add({ ...TEA, board: 'newer', madeAt: AT + 1 });
      await madeBoards.add({ ...TEA, channel: 'c2', board: 'elsewhere' });
      for (const person of ['p1', 'p2', 'p3']) await madeBoards.record({ ...RESULT, person });
      await people.choose('p2', { hidden: true });
      const listed = await madeBoards.ofChannel(channel, AT + 2);
      expect(listed.map((one) => [one.board, one.solvers])).toEqual([
        ['newer', 0],
        [board, 2],
      ]);
    });

    test('of too many in a channel, the oldest are deleted', async () => {
      const { madeBoards } = fresh();
      await madeBoards.add({ ...TEA, channel: 'c2' });
      await madeBoards.add({ ...TEA, madeAt: AT - 1 });
      await madeBoards.record(RESULT);
      for (let number = 0; number <= MAX_MADE_BOARDS; number++)
        await madeBoards.add({ ...TEA, board: `b${number}`, madeAt: AT + number });
      const listed = await madeBoards.ofChannel(channel, AT + 1);
      expect(listed).toHaveLength(MAX_MADE_BOARDS);
      expect(listed.at(-1)?.board).toBe('b1');
      expect(await madeBoards.resultOf(channel, board, RESULT.person)).toBeUndefined();
      expect(await madeBoards.get('c2', board, AT)).toBeDefined();
    });

    test('are found by their thread', async () => {
      const { madeBoards } = fresh();
      await madeBoards.add(TEA);
      await madeBoards.recordPosted(channel, board, { message: 'm1', thread: 't1' }, 't1');
      expect(await madeBoards.ofThread(channel, 't1', AT)).toMatchObject({
        posted: { message: 'm1', thread: 't1' },
      });
      expect(await madeBoards.ofThread('c2', 't1', AT)).toBeUndefined();
    });

    test('are closed once, and removed with their results', async () => {
      const { madeBoards, finds } = fresh();
      await madeBoards.add(TEA);
      await madeBoards.record(RESULT);
      await finds.add({ person: 'p1', channel, board, solution: 'a b', foundAt: AT });
      expect(await madeBoards.close(channel, board, AT + 1)).toBe(true);
      expect(await madeBoards.close(channel, board, AT + 2)).toBe(false);
      expect(await madeBoards.get(channel, board, AT)).toMatchObject({ closedAt: AT + 1 });
      expect(await madeBoards.remove(channel, board)).toBe(true);
      expect(await madeBoards.remove(channel, board)).toBe(false);
      expect(await finds.ofBoard(channel, board)).toEqual([]);
      expect(await madeBoards.resultOf(channel, board, 'p1')).toBeUndefined();
    });

    test('keep the best result of each person, the best first', async () => {
      const { madeBoards, people } = fresh();
      // By time, hints, letters and words, each before those that are better only in what counts less.
      const ranked = [
        { words: 2, letters: 20, hints: 5, solvedAt: AT + 5 },
        { words: 3, letters: 9, hints: 5, solvedAt: AT + 5 },
        { words: 3, letters: 12, hints: 0, solvedAt: AT + 5 },
        { words: 3, letters: 12, hints: 1, solvedAt: AT },
        { words: 3, letters: 12, hints: 1, solvedAt: AT + 1 },
        { words: 1, letters: 9, hints: 0, solvedAt: AT, afterSolution: true as const },
      ].map((one, at) => ({ ...RESULT, person: `p${9 - at}`, ...one }));
      for (const result of ranked.toReversed()) {
        expect(await madeBoards.record(result)).toBe(true);
        expect(await madeBoards.record({ ...result, person: 'p1' })).toBe(true);
      }
      for (const result of ranked) expect(await madeBoards.record({ ...result, person: 'p1' })).toBe(false);
      await people.choose('p1', { hidden: true });
      const rankedPeople = async () =>
        (await madeBoards.results(channel, board)).map(({ person }) => person).join(' ');
      expect(await rankedPeople()).toBe('p9 p8 p7 p6 p5 p4');
      for (const person of ['p1', 'p9']) await people.choose(person, { calm: true });
      expect(await madeBoards.calmSolvers(channel, board)).toEqual(['p9']);
      expect(await rankedPeople()).toBe('p8 p7 p6 p5 p4');
      expect(await madeBoards.resultOf(channel, board, 'p1')).toEqual({ ...ranked[0], person: 'p1' });
    });

    test('are swept with their results when their time is over', async () => {
      const { madeBoards } = fresh();
      await madeBoards.add({ ...TEA, expiresAt: AT });
      await madeBoards.add({ ...TEA, channel: 'c2' });
      await madeBoards.record(RESULT);
      await madeBoards.record({ ...RESULT, channel: 'c2' });
      await store().allTenants.deleteExpired(AT, '1999-01-01');
      expect(await madeBoards.get(channel, board, 0)).toBeUndefined();
      expect(await madeBoards.resultOf(channel, board, 'p1')).toBeUndefined();
      expect(await madeBoards.resultOf('c2', board, 'p1')).toBeDefined();
    });
  });
}
