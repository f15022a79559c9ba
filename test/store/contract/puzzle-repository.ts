import { describe, expect, test } from 'vitest';
import { makePuzzleRepository } from '../../../src/puzzle/repository.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Ground } from './ground.ts';

export function puzzleRepositoryContract({ store, door }: Ground): void {
  describe('the puzzle repository', () => {
    const warnings: object[] = [];
    const log = { warn: (fields: object) => warnings.push(fields) };
    const repository = () => makePuzzleRepository(store(), () => 1_000, log);
    const board = makeBoard(['abc', 'def', 'ghi', 'jkl']);

    test('puzzles of the newspaper and the house come back whole', async () => {
      const puzzle: Puzzle = {
        date: '2024-05-01' as const,
        source: 'newspaper',
        board,
        par: 4,
        dictionary: [{ word: 'adage', obscure: true }],
      };
      await repository().keepPuzzle(puzzle);
      expect(await repository().puzzle('2024-05-01', 'newspaper')).toEqual(puzzle);
      expect(await repository().puzzle('2024-05-01', 'house')).toBeUndefined();
    });

    test('a typed board belongs to one channel; a disagreement with it is reported once for each typing', async () => {
      const asker = { tenant: `${door()}:1`, channel: 'c1' };
      const puzzle: Puzzle = {
        date: '2024-05-02' as const,
        source: 'hand',
        board,
        typedBy: 'p1',
        typedAt: 5,
      };
      expect(await repository().claimReport(asker, '2024-05-02')).toBe(false);
      await repository().keepHandBoard(asker, puzzle);
      expect(await repository().handBoard(asker, '2024-05-02')).toEqual(puzzle);
      expect(await repository().handBoard({ ...asker, channel: 'c2' }, '2024-05-02')).toBeUndefined();
      expect(await repository().claimReport(asker, '2024-05-02')).toBe(true);
      expect(await repository().claimReport(asker, '2024-05-02')).toBe(false);
      await repository().keepHandBoard(asker, { ...puzzle, typedBy: 'p2' });
      expect(await repository().handBoard(asker, '2024-05-02')).toMatchObject({ typedBy: 'p2' });
      expect(await repository().claimReport(asker, '2024-05-02')).toBe(true);
    });

    test('a typed board is kept without its author after the author was erased', async () => {
      const asker = { tenant: `${door()}:1`, channel: 'c1' };
      const puzzle: Puzzle = {
        date: '2024-05-03' as const,
        source: 'hand',
        board,
        typedBy: 'p1',
        typedAt: 5,
      };
      await repository().keepHandBoard(asker, puzzle);
      await store().tenant(asker.tenant).people.erase('p1');
      const { typedBy: _, ...rest } = puzzle;
      expect(await repository().handBoard(asker, '2024-05-03')).toEqual(rest);
    });

    test('a stored puzzle that makes no sense counts as absent, with a warning, until it is replaced', async () => {
      const { puzzles } = store();
      const unreadable = [
        { date: '2024-05-05' as const, source: 'newspaper', board: { sides: ['a'] } },
        { date: '2024-05-06' as const, source: 'newspaper', board: { sides: 'abc' } },
        { date: '2024-05-07' as const, source: 'newspaper' },
      ] as const;
      for (const puzzle of unreadable) {
        const { date } = puzzle;
        await puzzles.keep({ date, source: 'newspaper', puzzle, at: 1 });
        warnings.length = 0;
        expect(await repository().puzzle(date, 'newspaper')).toBeUndefined();
        expect(warnings).toEqual([expect.objectContaining({ date, source: 'newspaper' })]);
        await repository().keepPuzzle({ date, source: 'newspaper', board });
        expect(await repository().puzzle(date, 'newspaper')).toEqual({ date, source: 'newspaper', board });
      }
    });

    test('a typed board that makes no sense counts as absent, with a warning', async () => {
      const asker = { tenant: `${door()}:1`, channel: 'c1' };
      const typed = {
        channel: 'c1',
        date: '2024-05-08' as const,
        puzzle: ['no puzzle'],
        typedBy: 'p1',
        typedAt: 5,
      };
      await store().tenant(asker.tenant).boards.put(typed);
      warnings.length = 0;
      expect(await repository().handBoard(asker, '2024-05-08')).toBeUndefined();
      expect(warnings).toEqual([expect.objectContaining({ ...asker, date: '2024-05-08' })]);
    });

    test('fetch logs and verdicts come back as they were written', async () => {
      const entry = await repository().claimFetch('past:2024-05-04', 1, 2, 3);
      expect(entry).toMatchObject({ key: 'past:2024-05-04', tries: 1 });
      await repository().noteFetch({ ...entry!, outcome: 'timeout' });
      expect(await repository().fetchLog('past:2024-05-04')).toMatchObject({ outcome: 'timeout' });
      await repository().keepVerdicts('2024-05-04', new Map([['vex', true]]));
      expect(await repository().verdicts('vex')).toEqual(new Map([['vex', true]]));
      await repository().eraseVerdicts();
      expect(await repository().verdicts('vex')).toEqual(new Map());
    });
  });
}
