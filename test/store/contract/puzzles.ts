import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import { makePuzzleRepository, typedPuzzle } from '../../../src/puzzle/repository.ts';
import type { Puzzle } from '../../../src/puzzle/types.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { FetchEntry } from '../../../src/store/tables/puzzles.ts';
import type { Ground } from './ground.ts';

export function puzzleContract({ store, door }: Ground): void {
  describe('puzzles', () => {
    const puzzle = {
      sides: ['abc', 'def', 'ghi', 'jkl'],
      editor: 'Zoë “Z” \u0000 🧩',
      dictionary: [{ word: 'x' }],
    };

    test('come back as they went in, and the first copy stays', async () => {
      const { puzzles } = store();
      await puzzles.keep({ date: '2026-11-20' as const, source: 'newspaper', puzzle, at: 1 });
      await puzzles.keep({ date: '2026-11-20' as const, source: 'newspaper', puzzle: { sides: [] }, at: 2 });
      expect(await puzzles.get('2026-11-20', 'newspaper')).toEqual(puzzle);
      expect(await puzzles.get('2026-11-20', 'house')).toBeUndefined();
      expect(await puzzles.get('2026-11-21', 'newspaper')).toBeUndefined();
    });

    test('are read again after a minute', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const { puzzles } = store();
      const day = { date: '2026-11-22', source: 'newspaper' } as const;
      await puzzles.keep({ ...day, puzzle, at: 1 });
      const get = () => puzzles.get(day.date, day.source);
      expect(await get()).toEqual(puzzle);
      await puzzles.replace({ ...day, puzzle: { sides: [] }, at: 2 });
      vi.advanceTimersByTime(2 * MINUTE);
      expect(await get()).toEqual({ sides: [] });
    });

    test('the dates of a source come in order, each with the moment its first copy was kept', async () => {
      const { puzzles } = store();
      for (const date of ['2025-02-03', '2025-01-31', '2025-02-10'] as const) {
        await puzzles.keep({ date, source: 'latest', puzzle: { date }, at: 1 });
      }
      await puzzles.keep({ date: '2025-02-05' as const, source: 'other', puzzle: {}, at: 1 });
      await puzzles.keep({ date: '2025-02-03' as const, source: 'latest', puzzle: {}, at: 9 });
      await puzzles.keep({ date: '2025-02-04' as const, source: 'latest', puzzle: {}, at: 7 });
      expect(await puzzles.kept('latest')).toEqual([
        { date: '2025-01-31' as const, at: 1 },
        { date: '2025-02-03' as const, at: 1 },
        { date: '2025-02-04' as const, at: 7 },
        { date: '2025-02-10' as const, at: 1 },
      ]);
    });
  });

  describe('fetches', () => {
    const MOST = Number.MAX_SAFE_INTEGER;
    const START = Date.UTC(2026, 10, 20);

    test('a claim is the only one until its time, then the next counts one try more', async () => {
      const { fetches } = store();
      const first: FetchEntry = {
        key: 'once',
        tries: 1,
        lastAttempt: START,
        outcome: 'asking',
        nextAllowed: START + 60,
      };
      expect(await fetches.claim('once', START, START + 60, MOST)).toEqual(first);
      expect(await fetches.claim('once', START + 59, START + 100, MOST)).toBeUndefined();
      expect(await fetches.get('once')).toEqual(first);
      const second = { ...first, tries: 2, lastAttempt: START + 60, nextAllowed: START + 120 };
      expect(await fetches.claim('once', START + 60, START + 120, MOST)).toEqual(second);
    });

    test('of many claims at once exactly one is granted', async () => {
      const { fetches } = store();
      const claims = await Promise.all(
        Array.from({ length: 20 }, () => fetches.claim('crowd', START, START + 60, MOST)),
      );
      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    });

    test('no more tries than the most', async () => {
      const { fetches } = store();
      expect(await fetches.claim('few', START, START, 2)).toMatchObject({ tries: 1 });
      expect(await fetches.claim('few', START, START, 2)).toMatchObject({ tries: 2 });
      expect(await fetches.claim('few', START, START, 2)).toBeUndefined();
      // Recorded by a clock that was hours ahead.
      const ahead = START + 6 * HOUR;
      expect(await fetches.claim('ahead', ahead, ahead + HOUR, MOST)).toMatchObject({ tries: 1 });
      expect(await fetches.claim('ahead', START, START + HOUR, MOST)).toMatchObject({ tries: 2 });
      expect(await fetches.claim('ahead', START, START + HOUR, MOST)).toBeUndefined();
    });

    test('a noted entry is stored as it is, and prevents claims', async () => {
      const { fetches } = store();
      const entry = { key: 'noted', tries: 7, lastAttempt: START, outcome: 'good', nextAllowed: START + 900 };
      await fetches.note(entry);
      expect(await fetches.get('noted')).toEqual(entry);
      expect(await fetches.claim('noted', START + 899, START + 999, MOST)).toBeUndefined();
      await fetches.note({ ...entry, outcome: 'timeout' });
      expect(await fetches.get('noted')).toEqual({ ...entry, outcome: 'timeout' });
      expect(await fetches.get('never')).toBeUndefined();
    });
  });

  describe('verdicts', () => {
    test('are found by their letters; the later day wins, and rejects no word of its own board', async () => {
      const { verdicts } = store();
      await verdicts.keep('2026-01-02', new Map([['cab', true], ['back', false], ['zebra', true]])); // biome-ignore format: one line reads better
      await verdicts.keep('2026-01-01', new Map([['cab', false], ['abba', true]])); // biome-ignore format: the same
      expect(await verdicts.madeOf('abc')).toEqual(new Map([['cab', true], ['abba', true]])); // biome-ignore format: the same
      await verdicts.keep('2026-01-03', new Map([['cab', false]]));
      expect(await verdicts.madeOf('kcba', '2026-01-03')).toEqual(new Map([['abba', true], ['back', false]])); // biome-ignore format: the same
      expect(await verdicts.madeOf('kcba')).toEqual(new Map([['cab', false], ['abba', true], ['back', false]])); // biome-ignore format: the same
    });

    test('thousands at once, all or nothing', async () => {
      const { verdicts } = store();
      const words = Array.from(
        { length: 3000 },
        (_, index) =>
          `thousands${index.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 26)))}`,
      );
      const kept = async () => {
        const known = await verdicts.madeOf('abcdefghijklmnopqrstuvwxyz');
        return words.filter((word) => known.has(word)).length;
      };
      await expect(
        verdicts.keep(
          '2026-01-01',
          new Map([...words.map((word) => [word, true] as const), ['naïve', true]]),
        ),
      ).rejects.toThrow('naïve');
      expect(await kept()).toBe(0);
      await verdicts.keep('2026-01-01', new Map(words.map((word) => [word, true])));
      expect(await kept()).toBe(3000);
    });

    test('two processes that store the same words at once both succeed', async () => {
      const { verdicts } = store();
      const words = ['dog', 'god', 'odd', 'good', 'dodo'];
      await Promise.all([
        verdicts.keep('2026-02-01', new Map(words.map((word) => [word, true]))),
        verdicts.keep('2026-02-02', new Map(words.toReversed().map((word) => [word, false]))),
      ]);
      expect([...(await verdicts.madeOf('dog')).values()]).toEqual(words.map(() => false));
    });
  });

  describe('the puzzle repository', () => {
    const warnings: object[] = [];
    const log = { warn: (fields: object) => warnings.push(fields) };
    const repository = () => makePuzzleRepository(store(), () => 1_000, log);
    const board = makeBoard(['abc', 'def', 'ghi', 'jkl']);
    const handBoard = async ({ tenant, channel }: ChannelRef, date: Puzzle['date']) => {
      const { board: typed } = await store().tenant(tenant).channelDay(channel, date);
      return typed && typedPuzzle(typed, log, tenant);
    };

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
      await store().allPeople.erase(asker.tenant, 'p1');
      const { typedBy: _, ...rest } = puzzle;
      const { boards } = store().tenant(asker.tenant);
      expect(JSON.stringify(await boards.ofDates(['2024-05-03']))).not.toContain('p1');
      expect(await handBoard(asker, '2024-05-03')).toEqual(rest);
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
      expect(await handBoard(asker, '2024-05-08')).toBeUndefined();
      expect(warnings).toEqual([expect.objectContaining({ ...asker, date: '2024-05-08' })]);
    });
  });
}
