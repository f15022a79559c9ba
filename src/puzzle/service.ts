import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { dateAt, isBeforeEnd, spanOf } from './calendar.ts';
import { type PastDayLimits, PuzzleFetcher, type PuzzleLog, type Unavailable } from './fetcher.ts';
import { learnFrom, wordSourceOf } from './judge.ts';
import type { Newspaper } from './newspaper/client.ts';
import { noPuzzle, switchedOff } from './no-puzzle.ts';
import { readDate, stillToCome } from './read-date.ts';
import type { PuzzleRepository } from './repository.ts';
import { DAILY_SOURCES, type DailySource, isSameBoard, type Puzzle, type PuzzleService } from './types.ts';

/** What a channel's settings ask for: its source, and what it gets when the newspaper can't be reached. */
export interface ChannelSource {
  readonly source: DailySource;
  readonly otherwise: 'house' | 'nothing';
}

export interface PuzzleServiceOptions {
  /** The operator's `PUZZLE_SOURCE`: with anything but `newspaper`, no request is ever sent. */
  readonly source: DailySource;
  readonly sourceFor: (asker: ChannelRef) => Promise<ChannelSource>;
  readonly newspaper: Newspaper;
  readonly repository: PuzzleRepository;
  readonly lexicon: Lexicon;
  readonly log: PuzzleLog;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly limits: PastDayLimits;
  /** `LEARN_WORDS`: keep and use what dictionaries teach. */
  readonly learn: boolean;
  /** Called once when a fetched board differs from one typed by hand, which stays in use in its channel. */
  readonly onDisagreement?: (asker: ChannelRef, typed: Puzzle, fetched: Puzzle) => Promise<void>;
  /** The house's board of a date: `housePuzzle` with the solver's generator. */
  readonly house: (date: PuzzleDate) => Puzzle | Promise<Puzzle>;
}

/** Of the newspaper's boards. For more letters, the verdicts would be most of the word list. */
const MOST_LETTERS = 12;

export function makePuzzleService(options: PuzzleServiceOptions): PuzzleService {
  const { repository, learn } = options;
  const sources = new PuzzleSources(options);
  // A plain object: those who change one method of it copy the others.
  return {
    allowed: (source) => sources.allowed(source),
    dateAt,
    spanOf,
    readDate,
    puzzleOf: (date, asker) => sources.puzzleOf(date, asker),
    houseOf: (date) => sources.houseOf(date),
    houseDays: () => sources.houseDays(),
    daysOf: (asker) => sources.daysOf(asker),
    setByHand: (puzzle, asker) => sources.setByHand(puzzle, asker),
    wordSource: (puzzle) =>
      wordSourceOf(puzzle, async (letters) =>
        learn && new Set(letters).size <= MOST_LETTERS ? repository.verdicts(letters) : new Map(),
      ),
  };
}

/** Decides which source a channel's puzzle of a day comes from. */
class PuzzleSources {
  readonly #options: PuzzleServiceOptions;
  readonly #repository: PuzzleRepository;
  readonly #fetcher: PuzzleFetcher;

  constructor(options: PuzzleServiceOptions) {
    const { repository, lexicon, log, learn } = options;
    this.#options = options;
    this.#repository = repository;
    this.#fetcher = new PuzzleFetcher({
      ...options,
      onFetched: async (puzzle) => {
        if (learn) await learnFrom(puzzle, lexicon, repository, log);
      },
    });
  }

  async puzzleOf(date: PuzzleDate, asker: ChannelRef): Promise<Puzzle> {
    const today = this.#refuseComing(date);
    const [{ source, otherwise }, typed] = await Promise.all([
      this.#sourceOf(asker),
      this.#repository.handBoard(asker, date),
    ]);
    if (source !== 'newspaper') {
      if (typed !== undefined) return typed;
      if (source === 'house') return this.#houseOf(date);
      throw switchedOff(date);
    }
    const fetched = await this.#fetcher.fetch(date, asker.tenant);
    if ('puzzle' in fetched)
      return typed === undefined ? fetched.puzzle : this.#compare(asker, typed, fetched.puzzle);
    return typed ?? (await this.#houseInstead(date, today, otherwise, fetched.unavailable));
  }

  async houseOf(date: PuzzleDate): Promise<Puzzle | undefined> {
    const today = this.#refuseComing(date);
    if (date === today && this.#options.source !== 'off') return this.#houseOf(date);
    // Anybody may ask for any day: none is made and stored for that.
    return this.#repository.puzzle(date, 'house');
  }

  async houseDays(): Promise<PuzzleDate[]> {
    const today = dateAt(this.#options.now());
    const days = await this.#repository.days('house');
    return days
      .filter(({ date, at }) => date < today && isBeforeEnd(date, at))
      .map(({ date }) => date)
      .reverse();
  }

  async daysOf(asker: ChannelRef): Promise<PuzzleDate[]> {
    const { source } = await this.#sourceOf(asker);
    return source === 'house' ? this.houseDays() : [];
  }

  /** The stricter of what the operator allows and what the channel's settings ask for. */
  async #sourceOf(asker: ChannelRef): Promise<ChannelSource> {
    const wanted = await this.#options.sourceFor(asker);
    return { ...wanted, source: this.allowed(wanted.source) };
  }

  allowed(source: DailySource): DailySource {
    const strictest = Math.max(DAILY_SOURCES.indexOf(this.#options.source), DAILY_SOURCES.indexOf(source));
    return DAILY_SOURCES[strictest]!;
  }

  /** A typed board that the newspaper confirms is replaced by the newspaper's, which has a dictionary; otherwise it stays. */
  async #compare(asker: ChannelRef, typed: Puzzle, fetched: Puzzle): Promise<Puzzle> {
    if (isSameBoard(typed.board, fetched.board)) return fetched;
    if (await this.#repository.claimReport(asker, typed.date)) {
      this.#options.log.warn(
        { date: typed.date, ...asker },
        'the fetched board disagrees with the one typed by hand',
      );
      await this.#options.onDisagreement?.(asker, typed, fetched);
    }
    return typed;
  }

  /** The house's board; for a past day only if it was used on the day itself. */
  async #houseInstead(
    date: PuzzleDate,
    today: PuzzleDate,
    otherwise: ChannelSource['otherwise'],
    unavailable: Unavailable,
  ): Promise<Puzzle> {
    if (otherwise === 'house') {
      const kept = date === today ? await this.#houseOf(date) : await this.#repository.puzzle(date, 'house');
      if (kept !== undefined) return kept;
    }
    throw noPuzzle(date, today, unavailable, this.#options.now());
  }

  /** Kept once made, so that a later version of the generator never changes a day that was played. */
  async #houseOf(date: PuzzleDate): Promise<Puzzle> {
    const kept = await this.#repository.puzzle(date, 'house');
    if (kept !== undefined) return kept;
    const puzzle = await this.#options.house(date);
    await this.#repository.keepPuzzle(puzzle);
    return puzzle;
  }

  async setByHand(puzzle: Puzzle, asker: ChannelRef): Promise<{ disagrees?: Puzzle }> {
    this.#refuseComing(puzzle.date);
    if (puzzle.source !== 'hand') throw new Error(`setByHand was given a ${puzzle.source} puzzle`);
    await this.#repository.keepHandBoard(asker, puzzle);
    const fetched = await this.#repository.puzzle(puzzle.date, 'newspaper');
    if (fetched === undefined || isSameBoard(fetched.board, puzzle.board)) return {};
    // The answer to the command says so already: no private message need follow.
    await this.#repository.claimReport(asker, puzzle.date);
    return { disagrees: fetched };
  }

  #refuseComing(date: PuzzleDate): PuzzleDate {
    const today = dateAt(this.#options.now());
    if (date > today) throw stillToCome(date, today);
    return today;
  }
}
