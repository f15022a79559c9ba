import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { dateAt, isBeforeEnd, readDate, spanOf, stillToCome } from './calendar.ts';
import { noPuzzle, PuzzleFetcher, type PuzzleFetcherOptions, switchedOff } from './fetcher.ts';
import { learnFrom, wordSourceOf } from './judge.ts';
import {
  type ChannelSource,
  DAILY_SOURCES,
  type DailySource,
  isSameBoard,
  type Puzzle,
  type PuzzleService,
} from './types.ts';

export interface PuzzleServiceOptions extends Omit<PuzzleFetcherOptions, 'onFetched'> {
  /** The operator's `PUZZLE_SOURCE`: with anything but `newspaper`, no request is ever sent. */
  readonly source: DailySource;
  readonly sourceFor: (asker: ChannelRef) => Promise<ChannelSource>;
  readonly lexicon: Lexicon;
  /** `LEARN_WORDS`: keep and use what dictionaries teach. */
  readonly learn: boolean;
  /** Called once when a fetched board differs from one typed by hand, which stays in use in its channel. */
  readonly onDisagreement?: (asker: ChannelRef, typed: Puzzle, fetched: Puzzle) => Promise<void>;
  /** The house's board of a date: `housePuzzle` with the solver's generator. */
  readonly house: (date: PuzzleDate) => Puzzle | Promise<Puzzle>;
}

/** Of the newspaper's boards. For more letters, the verdicts would be most of the word list. */
const MOST_LETTERS = 12;

/** Decides which source a channel's puzzle of a day comes from. */
export function makePuzzleService(options: PuzzleServiceOptions): PuzzleService {
  const { repository, lexicon, log, learn, now } = options;
  const fetcher = new PuzzleFetcher({
    ...options,
    onFetched: async (puzzle) => {
      if (learn) await learnFrom(puzzle, lexicon, repository, log);
    },
  });

  function allowed(source: DailySource): DailySource {
    const strictest = Math.max(DAILY_SOURCES.indexOf(options.source), DAILY_SOURCES.indexOf(source));
    return DAILY_SOURCES[strictest]!;
  }

  /** Kept once made, so that a later version of the generator never changes a day that was played. */
  async function keptHouse(date: PuzzleDate): Promise<Puzzle> {
    const kept = await repository.puzzle(date, 'house');
    if (kept !== undefined) return kept;
    const puzzle = await options.house(date);
    await repository.keepPuzzle(puzzle);
    return puzzle;
  }

  /** Past days that had a house board while they were on, newest first. */
  async function houseDays(): Promise<PuzzleDate[]> {
    const today = dateAt(now());
    const days = await repository.days('house');
    return days
      .filter(({ date, at }) => date < today && isBeforeEnd(date, at))
      .map(({ date }) => date)
      .reverse();
  }

  /** A typed board that the newspaper confirms is replaced by the newspaper's, which has a dictionary; otherwise it stays. */
  async function compare(asker: ChannelRef, typed: Puzzle, fetched: Puzzle): Promise<Puzzle> {
    if (isSameBoard(typed.board, fetched.board)) return fetched;
    if (await repository.claimReport(asker, typed.date)) {
      log.warn({ date: typed.date, ...asker }, 'the fetched board disagrees with the one typed by hand');
      await options.onDisagreement?.(asker, typed, fetched);
    }
    return typed;
  }

  function refuseComing(date: PuzzleDate): PuzzleDate {
    const today = dateAt(now());
    if (date > today) throw stillToCome(date, today);
    return today;
  }

  return {
    allowed,
    dateAt,
    spanOf,
    readDate,

    async puzzleOf(date, asker, day) {
      const today = refuseComing(date);
      const { wanted, typed } = day ?? {
        wanted: await options.sourceFor(asker),
        typed: await repository.handBoard(asker, date),
      };
      const { otherwise } = wanted;
      const source = allowed(wanted.source);
      if (source !== 'newspaper') {
        if (typed !== undefined) return typed;
        if (source === 'house') return keptHouse(date);
        throw switchedOff(date);
      }
      const fetched = await fetcher.fetch(date, asker.tenant);
      if ('puzzle' in fetched)
        return typed === undefined ? fetched.puzzle : compare(asker, typed, fetched.puzzle);
      if (typed !== undefined) return typed;
      if (otherwise === 'house') {
        // Of a past day only if it was used on the day itself.
        const kept = date === today ? await keptHouse(date) : await repository.puzzle(date, 'house');
        if (kept !== undefined) return { ...kept, standsIn: true };
      }
      throw noPuzzle(date, today, fetched.unavailable, now());
    },

    async makeToday() {
      if (options.source === 'house') await keptHouse(dateAt(now()));
    },

    async daysOf(asker) {
      const { source } = await options.sourceFor(asker);
      return allowed(source) === 'house' ? houseDays() : [];
    },

    async setByHand(puzzle, asker) {
      refuseComing(puzzle.date);
      if (puzzle.source !== 'hand') throw new Error(`setByHand was given a ${puzzle.source} puzzle`);
      await repository.keepHandBoard(asker, puzzle);
      const fetched = await repository.puzzle(puzzle.date, 'newspaper');
      if (fetched === undefined || isSameBoard(fetched.board, puzzle.board)) return {};
      // The answer to the command says so already: no private message need follow.
      await repository.claimReport(asker, puzzle.date);
      return { disagrees: fetched };
    },

    wordSource: (puzzle) =>
      wordSourceOf(puzzle, async (letters) =>
        learn && new Set(letters).size <= MOST_LETTERS
          ? repository.verdicts(letters, puzzle.date)
          : new Map(),
      ),
  };
}
