import { describe, expect, test } from 'vitest';
import { makePuzzleRepository } from '../../../src/puzzle/repository.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Ground } from './ground.ts';

export function shelfContract({ store, door }: Ground): void {
  describe('the shelf of the puzzle room', () => {
    const shelf = () => makePuzzleRepository(store(), () => 1_000);
    const board = makeBoard(['abc', 'def', 'ghi', 'jkl']);

    test('puzzles of the newspaper and the house come back whole', async () => {
      const puzzle: Puzzle = {
        date: '2024-05-01',
        source: 'newspaper',
        board,
        par: 4,
        dictionary: [{ word: 'adage', obscure: true }],
      };
      await shelf().keepPuzzle(puzzle);
      expect(await shelf().puzzle('2024-05-01', 'newspaper')).toEqual(puzzle);
      expect(await shelf().puzzle('2024-05-01', 'house')).toBeUndefined();
    });

    test('a typed board belongs to one place; its disagreement is told once for each typing', async () => {
      const asker = { tenant: `${door()}:1`, channel: 'c1' };
      const puzzle: Puzzle = { date: '2024-05-02', source: 'hand', board, typedBy: 'p1', typedAt: 5 };
      expect(await shelf().claimReport(asker, '2024-05-02')).toBe(false);
      await shelf().keepHandBoard(asker, puzzle);
      expect(await shelf().handBoard(asker, '2024-05-02')).toEqual(puzzle);
      expect(await shelf().handBoard({ ...asker, channel: 'c2' }, '2024-05-02')).toBeUndefined();
      expect(await shelf().handBoard({ ...asker, tenant: `${door()}:1` }, '2024-05-02')).toBeUndefined();
      expect(await shelf().claimReport(asker, '2024-05-02')).toBe(true);
      expect(await shelf().claimReport(asker, '2024-05-02')).toBe(false);
      await shelf().keepHandBoard(asker, { ...puzzle, typedBy: 'p2' });
      expect(await shelf().handBoard(asker, '2024-05-02')).toMatchObject({ typedBy: 'p2' });
      expect(await shelf().claimReport(asker, '2024-05-02')).toBe(true);
    });

    test('a typed board outlives the name of who typed it', async () => {
      const asker = { tenant: `${door()}:1`, channel: 'c1' };
      const puzzle: Puzzle = { date: '2024-05-03', source: 'hand', board, typedBy: 'p1', typedAt: 5 };
      await shelf().keepHandBoard(asker, puzzle);
      await store().tenant(asker.tenant).people.erase('p1');
      const { typedBy: _, ...rest } = puzzle;
      expect(await shelf().handBoard(asker, '2024-05-03')).toEqual(rest);
    });

    test('fetches and verdicts pass through', async () => {
      const entry = await shelf().claimFetch('past:2024-05-04', 1, 2, 3);
      expect(entry).toMatchObject({ key: 'past:2024-05-04', tries: 1 });
      await shelf().noteFetch({ ...entry!, outcome: 'timeout' });
      expect(await shelf().fetchLog('past:2024-05-04')).toMatchObject({ outcome: 'timeout' });
      await shelf().keepVerdicts('2024-05-04', new Map([['vex', true]]));
      expect(await shelf().verdicts('vex')).toEqual(new Map([['vex', true]]));
      await shelf().eraseVerdicts();
      expect(await shelf().verdicts('vex')).toEqual(new Map());
    });
  });
}
