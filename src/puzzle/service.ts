import type { ChannelRef } from '../core/channel-ref.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { dateAt, spanOf } from './calendar.ts';
import { type Closed, makePuzzleFetcher, type PuzzleLog } from './fetcher.ts';
import { judgeBoard } from './judge.ts';
import { learnFrom } from './learn.ts';
import type { Newspaper } from './newspaper/client.ts';
import { noPuzzle, switchedOff } from './no-puzzle.ts';
import { readDate, stillToCome } from './read-date.ts';
import type { PuzzleRepository } from './repository.ts';
import { isSameBoard } from './same-board.ts';
import {
  DAILY_SOURCES,
  type DailySource,
  type Puzzle,
  type PuzzleDate,
  type PuzzleService,
} from './types.ts';

/** What a place wants: its source, and what it gets when the newspaper can't be reached. */
export interface ChannelSource {
  readonly source: DailySource;
  readonly otherwise: 'house' | 'nothing';
}

export interface PuzzleServiceOptions {
  /** The operator's word, `PUZZLE_SOURCE`: anything but `newspaper` means that no request is ever sent. */
  readonly source: DailySource;
  readonly sourceFor: (asker: ChannelRef) => Promise<ChannelSource>;
  readonly newspaper: Newspaper;
  readonly shelf: PuzzleRepository;
  readonly lexicon: Lexicon;
  readonly log: PuzzleLog;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** `LEARN_WORDS`: keep and use what dictionaries teach. */
  readonly learn: boolean;
  /** Told once when a fetched board differs from one typed by hand, which stays in use for its place. */
  readonly onDisagreement?: (asker: ChannelRef, typed: Puzzle, fetched: Puzzle) => Promise<void>;
  /** The house's board of a date: `housePuzzle` with the solver's generator. */
  readonly house: (date: PuzzleDate) => Puzzle;
}

export function makePuzzleService(options: PuzzleServiceOptions): PuzzleService {
  const { shelf, lexicon, log, now, learn, house } = options;
  const newsstand = makePuzzleFetcher({
    ...options,
    onFetched: async (puzzle) => {
      if (learn) await learnFrom(puzzle, lexicon, shelf, log);
    },
  });

  async function puzzleOf(date: PuzzleDate, asker: ChannelRef): Promise<Puzzle> {
    const today = refuseComing(date);
    const [{ source, otherwise }, typed] = await Promise.all([
      placeSource(asker),
      shelf.handBoard(asker, date),
    ]);
    if (source !== 'newspaper') {
      if (typed !== undefined) return typed;
      if (source === 'house') return houseOf(date);
      throw switchedOff(date);
    }
    const bought = await newsstand.buy(date);
    if ('puzzle' in bought) return typed === undefined ? bought.puzzle : compare(asker, typed, bought.puzzle);
    return typed ?? (await instead(date, today, otherwise, bought.closed));
  }

  /** The stricter of what the operator allows and what the place wants. */
  async function placeSource(asker: ChannelRef): Promise<ChannelSource> {
    const place = await options.sourceFor(asker);
    return { ...place, source: allowed(place.source) };
  }

  function allowed(source: DailySource): DailySource {
    const strictest = Math.max(DAILY_SOURCES.indexOf(options.source), DAILY_SOURCES.indexOf(source));
    return DAILY_SOURCES[strictest]!;
  }

  /** A typed board that the newspaper confirms gives way to it, dictionary and all; otherwise it stays. */
  async function compare(asker: ChannelRef, typed: Puzzle, fetched: Puzzle): Promise<Puzzle> {
    if (isSameBoard(typed.board, fetched.board)) return fetched;
    if (await shelf.claimReport(asker, typed.date)) {
      log.warn({ date: typed.date, ...asker }, 'the fetched board disagrees with the one typed by hand');
      await options.onDisagreement?.(asker, typed, fetched);
    }
    return typed;
  }

  /** Of past days, a house board stands in only if it did so on the day. */
  async function instead(
    date: PuzzleDate,
    today: PuzzleDate,
    otherwise: ChannelSource['otherwise'],
    closed: Closed,
  ): Promise<Puzzle> {
    if (otherwise === 'house') {
      const kept = date === today ? await houseOf(date) : await shelf.puzzle(date, 'house');
      if (kept !== undefined) return kept;
    }
    throw noPuzzle(date, today, closed, now());
  }

  /** Kept once made, so that a later version of the generator never changes a day that was played. */
  async function houseOf(date: PuzzleDate): Promise<Puzzle> {
    const kept = await shelf.puzzle(date, 'house');
    if (kept !== undefined) return kept;
    const puzzle = house(date);
    await shelf.keepPuzzle(puzzle);
    return puzzle;
  }

  async function setByHand(puzzle: Puzzle, asker: ChannelRef): Promise<{ disagrees?: Puzzle }> {
    refuseComing(puzzle.date);
    if (puzzle.source !== 'hand') throw new Error(`setByHand was given a ${puzzle.source} puzzle`);
    await shelf.keepHandBoard(asker, puzzle);
    const fetched = await shelf.puzzle(puzzle.date, 'newspaper');
    if (fetched === undefined || isSameBoard(fetched.board, puzzle.board)) return {};
    // Whoever typed it is told by the answer to their command, so nobody needs to be told again.
    await shelf.claimReport(asker, puzzle.date);
    return { disagrees: fetched };
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
    puzzleOf,
    setByHand,
    judge: (puzzle) =>
      judgeBoard(puzzle, lexicon, async (letters) => (learn ? shelf.verdicts(letters) : new Map())),
  };
}
