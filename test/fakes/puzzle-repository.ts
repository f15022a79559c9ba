import type { ChannelRef } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { FetchKey, FetchLog, PuzzleRepository } from '../../src/puzzle/repository.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { CLOCK_DIFFERENCE } from '../../src/store/tables/puzzles.ts';

/** The repository in memory. Copies go in and out as text, as they would with a real store. */
export interface MemoryRepository extends PuzzleRepository {
  readonly logs: ReadonlyMap<FetchKey, FetchLog>;
  readonly kept: readonly Puzzle[];
}

export function memoryRepository(): MemoryRepository {
  const puzzles = new Map<string, string>();
  const typed = new Map<string, string>();
  const reported = new Set<string>();
  const logs = new Map<FetchKey, FetchLog>();
  const verdicts = new Map<string, { date: string; accepted: boolean }>();
  const parse = (text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as Puzzle));
  const typedKey = ({ tenant, channel }: ChannelRef, date: string) => JSON.stringify([tenant, channel, date]);
  return {
    logs,
    get kept() {
      return Array.from(puzzles.values(), (text) => JSON.parse(text) as Puzzle);
    },
    puzzle: async (date, source) => parse(puzzles.get(`${date} ${source}`)),
    async keepPuzzle(puzzle) {
      const key = `${puzzle.date} ${puzzle.source}`;
      if (!puzzles.has(key)) puzzles.set(key, JSON.stringify(puzzle));
    },
    days: async (source) =>
      [...puzzles.keys()]
        .map((key) => key.split(' '))
        .filter(([, kept]) => kept === source)
        .map(([date]) => ({ date: date as PuzzleDate, at: 0 }))
        .sort((a, b) => (a.date < b.date ? -1 : 1)),
    handBoard: async (asker, date) => parse(typed.get(typedKey(asker, date))),
    async keepHandBoard(asker, puzzle) {
      typed.set(typedKey(asker, puzzle.date), JSON.stringify(puzzle));
      reported.delete(typedKey(asker, puzzle.date));
    },
    async claimReport(asker, date) {
      const key = typedKey(asker, date);
      return typed.has(key) && !reported.has(key) && reported.add(key) !== undefined;
    },
    fetchLog: async (key) => logs.get(key),
    async claimFetch(key, now, until, most) {
      const before = logs.get(key);
      const isHolding =
        before !== undefined && before.nextAllowed > now && before.lastAttempt <= now + CLOCK_DIFFERENCE;
      if (isHolding || (before !== undefined && before.tries >= most)) return undefined;
      const tries = (before?.tries ?? 0) + 1;
      const log: FetchLog = { key, tries, lastAttempt: now, outcome: 'asking', nextAllowed: until };
      logs.set(key, log);
      return log;
    },
    async noteFetch(log) {
      logs.set(log.key, log);
    },
    async verdicts(letters) {
      const fits = ([word]: readonly [string, unknown]) =>
        Array.from(word).every((letter) => letters.includes(letter));
      return new Map([...verdicts].filter(fits).map(([word, { accepted }]) => [word, accepted]));
    },
    async keepVerdicts(date, learned) {
      for (const [word, accepted] of learned) {
        if ((verdicts.get(word)?.date ?? '') <= date) verdicts.set(word, { date, accepted });
      }
    },
    async eraseVerdicts() {
      verdicts.clear();
    },
  };
}
