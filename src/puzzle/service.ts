import type { ChannelRef } from '../core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../core/clock.ts';
import { KeyedQueue } from '../core/concurrency.ts';
import { UserError, unlessMistake } from '../core/errors.ts';
import { longDate } from '../core/text.ts';
import { gradeOfBoard } from '../solver/difficulty.ts';
import type { Board } from '../solver/types.ts';
import { addDays, dateAt, isBeforeEnd, notOutYetError } from './calendar.ts';
import { PuzzleFetcher, type PuzzleFetcherOptions, type Unavailable } from './fetcher.ts';
import {
  type BoardToJudge,
  boardKey,
  type ChannelSource,
  DAILY_SOURCES,
  type DailySource,
  dayAmong,
  dayGameKey,
  isSameBoard,
  KEPT_SOURCES,
  type Puzzle,
  type WordSource,
  wordSourceOf,
} from './types.ts';

export interface PuzzleServiceOptions extends PuzzleFetcherOptions {
  /** The operator's `PUZZLE_SOURCE`: with anything but `newspaper`, no request is ever sent. */
  readonly source: DailySource;
  readonly days: ChannelDays;
  /** Called once when a fetched board differs from one typed by hand, which stays in use in its channel. */
  readonly onDisagreement?: (asker: ChannelRef, typed: Puzzle, fetched: Puzzle) => Promise<void>;
  /** The house's board of a date: `housePuzzle` with the solver's generator. */
  readonly house: (date: PuzzleDate) => Puzzle | Promise<Puzzle>;
}

export interface ChannelDays {
  of(date: PuzzleDate, asker: ChannelRef): Promise<ChannelDay>;
  /** The puzzles of the threads that are open in any channel of the asker's tenant. */
  openPuzzles(asker: ChannelRef): Promise<readonly Puzzle[]>;
  /** The days before a date on which the asker's channel had a thread. */
  openedBefore(date: PuzzleDate, asker: ChannelRef): Promise<PuzzleDate[]>;
}

/** What decides which puzzle a channel has on a day. */
interface ChannelDay {
  /** The puzzle that its thread was opened with, which stays its puzzle whatever the sources have by now. */
  readonly opened?: Puzzle | undefined;
  readonly typed?: Puzzle | undefined;
  readonly wanted: ChannelSource;
  /** The key of the board that people solved there on the day, if any. */
  readonly played?: () => Promise<string | undefined>;
}

/**
 * The most letters of the newspaper's boards. For more, the verdicts (which words its past dictionaries accepted or rejected)
 * would be most of the word list.
 */
const MAX_VERDICT_LETTERS = 12;

/** The puzzles for commands and for the daily thread. Decides which source a channel's puzzle of a day comes from. */
export class DayPuzzleService {
  readonly #options: PuzzleServiceOptions;
  readonly #fetcher: PuzzleFetcher;
  readonly #making = new KeyedQueue();

  constructor(options: PuzzleServiceOptions) {
    this.#options = options;
    this.#fetcher = new PuzzleFetcher(options);
  }

  /** The source that a channel gets: the stricter of what it wants and what the operator allows. */
  allowed(source: DailySource): DailySource {
    // The sources are listed from the most permissive to the strictest.
    const strictest = Math.max(DAILY_SOURCES.indexOf(this.#options.source), DAILY_SOURCES.indexOf(source));
    return DAILY_SOURCES[strictest]!;
  }

  /** The puzzle of a date: typed by hand, stored, fetched, or the house's. Throws UserError when there is none. */
  async puzzleOf(date: PuzzleDate, asker: ChannelRef): Promise<Puzzle> {
    const { opened, typed, wanted, played } = await this.#options.days.of(date, asker);
    if (opened !== undefined) return opened;
    const now = this.#options.now();
    const today = dateAt(now);
    if (date > today) throw notOutYetError(date, now);
    const key = typed === undefined && date < today ? await played?.() : undefined;
    // Threads are forgotten after weeks, and a channel may have changed its source since: the board of its results stays.
    const kept = key === undefined ? [] : await this.#keptOf(date);
    const solved = kept.find(({ board }) => boardKey(board.sides) === key);
    if (solved !== undefined) return solved;
    switch (this.allowed(wanted.source)) {
      case 'newspaper':
        return this.#newspaperPuzzle(date, asker, typed, wanted.otherwise);
      case 'house':
        return typed ?? this.#keptHouse(date);
      case 'off':
        if (typed !== undefined) return typed;
        throw switchedOffError(date);
    }
  }

  /**
   * The day whose board this is, in any order of its sides and letters: one of `boardsOn`, or today's, for which the source is
   * asked if it must be. No other code recognizes a day's board.
   */
  async dayOf(board: Pick<Board, 'sides'>, asker: ChannelRef): Promise<PuzzleDate | undefined> {
    const known = await this.knownDayOf(board, asker);
    if (known !== undefined) return known;
    const own = await unlessMistake(this.puzzleOf(dateAt(this.#options.now()), asker));
    return own !== undefined && isSameBoard(own.board, board) ? own.date : undefined;
  }

  /** The same as far as it is known without a request. */
  async knownDayOf(board: Pick<Board, 'sides'>, asker: ChannelRef): Promise<PuzzleDate | undefined> {
    return dayAmong(await this.boardsOn(asker), board);
  }

  /**
   * The boards that are on in the asker's tenant, each once: those of today, of days whose thread is still open, and of tomorrow
   * where they are known. Asks the newspaper for none of them.
   */
  async boardsOn(asker: ChannelRef): Promise<readonly Puzzle[]> {
    const { now, days, repository } = this.#options;
    const today = dateAt(now());
    const tomorrow = addDays(today, 1);
    const all = await Promise.all([
      unlessMistake(this.#ownToday(today, asker)),
      days.openPuzzles(asker),
      this.#keptOf(today),
      repository.handBoards(asker.tenant, [today, tomorrow]),
      this.#keptOf(tomorrow),
    ]);
    const known = all.flat().filter((puzzle) => puzzle !== undefined);
    return Array.from(Map.groupBy(known, dayGameKey).values(), ([puzzle]) => puzzle!);
  }

  /** Lets the newspaper be asked once more before its board is given up, even right after a failure. */
  async allowRetry(date: PuzzleDate): Promise<void> {
    if (this.#options.source === 'newspaper') await this.#fetcher.allowRetry(date);
  }

  /** Makes the house's board of today where the boards are the house's; elsewhere, nothing. */
  async makeToday(): Promise<Puzzle | undefined> {
    const { source, now } = this.#options;
    return source === 'house' ? this.#keptHouse(dateAt(now())) : undefined;
  }

  /** Past days whose board this asker had, or whose house board was made on the day, newest first. */
  async daysOf(asker: ChannelRef): Promise<PuzzleDate[]> {
    const { days, now } = this.#options;
    const today = dateAt(now());
    const opened = await days.openedBefore(today, asker);
    const { wanted } = await days.of(today, asker);
    const made = this.allowed(wanted.source) === 'house' ? await this.#houseDaysBefore(today) : [];
    return [...new Set([...opened, ...made])].sort().reverse();
  }

  /** Stores a board typed by hand. Returns the newspaper's, if it is known and another one. */
  async setByHand(puzzle: Puzzle & { source: 'hand' }, asker: ChannelRef): Promise<{ newspaper?: Puzzle }> {
    const { repository, now } = this.#options;
    if (puzzle.date > dateAt(now())) throw notOutYetError(puzzle.date, now());
    const difficulty = gradeOfBoard(puzzle.board, this.#options.lexicon);
    await repository.keepHandBoard(asker, { ...puzzle, difficulty });
    const fetched = await repository.puzzle(puzzle.date, 'newspaper');
    if (fetched === undefined || isSameBoard(fetched.board, puzzle.board)) return {};
    // The answer to the command says so already: no private message need follow.
    await repository.claimReport(asker, puzzle.date);
    return { newspaper: fetched };
  }

  /** What judges the words of a day's puzzle, or of any board. */
  async wordSource(puzzle: BoardToJudge & { readonly date?: PuzzleDate }): Promise<WordSource> {
    const { letters } = puzzle.board;
    if (puzzle.dictionary !== undefined || new Set(letters).size > MAX_VERDICT_LETTERS)
      return wordSourceOf(puzzle);
    return wordSourceOf(puzzle, await this.#options.repository.verdicts.madeOf(letters, puzzle.date));
  }

  /** The boards of a date that are stored for everybody. */
  async #keptOf(date: PuzzleDate): Promise<Puzzle[]> {
    const { repository } = this.#options;
    const kept = await Promise.all(KEPT_SOURCES.map((source) => repository.puzzle(date, source)));
    return kept.filter((puzzle) => puzzle !== undefined);
  }

  /** Stored once made, so that a later version of the generator never changes a day that was played. */
  async #keptHouse(date: PuzzleDate): Promise<Puzzle> {
    const { repository, house } = this.#options;
    const kept = await repository.puzzle(date, 'house');
    if (kept !== undefined) return kept;
    // When a day begins, all channels ask for its board before the first one is stored, and making it takes a moment.
    return this.#making.join(date, async () => {
      const puzzle = await house(date);
      await repository.keepPuzzle(puzzle);
      // Another process, perhaps of another version, may have stored its own first.
      return (await repository.puzzle(date, 'house')) ?? puzzle;
    });
  }

  /** Days that had a house board while they were on. */
  async #houseDaysBefore(today: PuzzleDate): Promise<PuzzleDate[]> {
    const days = await this.#options.repository.days('house');
    return days.filter(({ date, at }) => date < today && isBeforeEnd(date, at)).map(({ date }) => date);
  }

  /** The newspaper's puzzle, unless somebody typed another one, or what a channel gets otherwise. */
  async #newspaperPuzzle(
    date: PuzzleDate,
    asker: ChannelRef,
    typed: Puzzle | undefined,
    otherwise: ChannelSource['otherwise'],
  ): Promise<Puzzle> {
    const { repository, now } = this.#options;
    const today = dateAt(now());
    const fetched = await this.#fetcher.get(date, asker.tenant);
    if ('puzzle' in fetched)
      return typed === undefined ? fetched.puzzle : this.#compare(asker, typed, fetched.puzzle);
    if (typed !== undefined) return typed;
    // Tomorrow, the newspaper may be asked for more past days.
    if (otherwise === 'house' && !isLimit(fetched.unavailable.reason)) {
      // None is made for a past day now: it would be a board that nobody had on that day.
      const kept = date === today ? await this.#keptHouse(date) : await repository.puzzle(date, 'house');
      if (kept !== undefined) return { ...kept, isFallback: true };
    }
    throw noPuzzleError(date, fetched.unavailable, now());
  }

  /** A typed board that the newspaper confirms is replaced by the newspaper's, which has a dictionary; any other one stays. */
  async #compare(asker: ChannelRef, typed: Puzzle, fetched: Puzzle): Promise<Puzzle> {
    if (isSameBoard(typed.board, fetched.board)) return fetched;
    const { repository, log, onDisagreement } = this.#options;
    if (await repository.claimReport(asker, typed.date)) {
      log.warn({ date: typed.date, ...asker }, 'the fetched board disagrees with the one typed by hand');
      await onDisagreement?.(asker, typed, fetched);
    }
    return typed;
  }

  /** The board of the asker's channel, as far as that needs no request. */
  async #ownToday(today: PuzzleDate, asker: ChannelRef): Promise<Puzzle | undefined> {
    const { opened, wanted } = await this.#options.days.of(today, asker);
    if (opened !== undefined) return opened;
    return this.allowed(wanted.source) === 'house' ? this.#keptHouse(today) : undefined;
  }
}

/** What fakes of it have, too. */
export type PuzzleService = Pick<DayPuzzleService, keyof DayPuzzleService>;

const BY_HAND = 'someone who manages this channel can type it in: set ozu nri lfa mbt';

const UNAVAILABLE_TEXTS: Readonly<Record<Unavailable['reason'], string>> = {
  missing: 'the newspaper doesn’t have it yet',
  refused: 'the newspaper refuses to give it to me',
  'slow-down': 'the newspaper asked me to wait',
  failing: 'the newspaper has a problem',
  unreachable: 'I can’t reach the newspaper',
  timeout: 'the newspaper takes too long to answer',
  'too-large': 'the newspaper sent something that is not a puzzle',
  redirected: 'the newspaper sent me elsewhere',
  unreadable: 'the newspaper sent something that is not a puzzle',
  invalid: 'the newspaper sent an incomplete puzzle',
  'wrong-day': 'the newspaper sent the puzzle of another day',
  asking: 'I’m asking the newspaper right now',
  enough: 'I’ve asked for enough past days today',
  share: 'this channel has had its share of past days today',
};

/** There is no puzzle, but somebody in the channel can do something about it. */
export class NoPuzzle extends UserError {
  /** The reason, without advice. */
  readonly why: string;

  constructor(code: string, why: string, advice: string) {
    super(code, `${why} ${advice}`);
    this.why = why;
  }
}

/** The error for a puzzle that the newspaper doesn't have now: why, when the bot asks again, and what a person can do. */
export function noPuzzleError(date: PuzzleDate, { reason, until }: Unavailable, now: number): UserError {
  if (date !== dateAt(now)) return noPastPuzzleError(date, reason);
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE));
  const when =
    minutes === 1 ? 'a minute' : minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return new NoPuzzle(
    `puzzle.${reason}`,
    `Today’s board isn’t here yet: ${UNAVAILABLE_TEXTS[reason]}. I’ll try again in about ${when}.`,
    `Until then, ${BY_HAND}. Or add the sides to a command such as play.`,
  );
}

function isLimit(reason: Unavailable['reason']): boolean {
  return reason === 'enough' || reason === 'share';
}

function noPastPuzzleError(date: PuzzleDate, reason: Unavailable['reason']): UserError {
  const why = reason === 'missing' ? 'the newspaper doesn’t have it' : UNAVAILABLE_TEXTS[reason];
  const later = isLimit(reason) ? 'Try again after 3:00 AM New York time, or type' : 'Type';
  return new UserError(
    `puzzle.${reason}`,
    `I don’t have the board of ${longDate(date)}: ${why}. ${later} its sides instead of the date, like play ozu nri lfa mbt.`,
  );
}

/** The error where there is no source at all: `PUZZLE_SOURCE=off`, or a channel that wants none. */
function switchedOffError(date: PuzzleDate): UserError {
  return new NoPuzzle(
    'puzzle.off',
    `There is no daily board here, so none for ${longDate(date)}.`,
    `Add the sides to a command such as play, or ${BY_HAND}.`,
  );
}
