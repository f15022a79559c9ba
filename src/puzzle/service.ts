import type { ChannelRef } from '../core/channel-ref.ts';
import { type Backoff, MINUTE, type PuzzleDate, pauseAfter } from '../core/clock.ts';
import { KeyedQueue } from '../core/concurrency.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { longDate } from '../core/text.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../store/tables/puzzles.ts';
import { addDays, dateAt, isBeforeEnd, notOutYetError, spanOf } from './calendar.ts';
import { learnFrom, wordSourceOf } from './judge.ts';
import { type Newspaper, type NewspaperAnswer, NewspaperError, type Trouble } from './newspaper.ts';
import type { FetchKey, FetchLog, PuzzleRepository } from './repository.ts';
import {
  type ChannelSource,
  DAILY_SOURCES,
  type DailySource,
  isSameBoard,
  KEPT_SOURCES,
  type Puzzle,
  type PuzzleService,
} from './types.ts';

export interface PuzzleServiceOptions {
  readonly newspaper: Newspaper;
  readonly repository: PuzzleRepository;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /**
   * Past days fetched in one day, for everybody together and for one tenant: enough for curious readers, too few to copy the
   * archive, and never all for one tenant.
   */
  readonly limits: { readonly pastDays: number; readonly pastDaysPerTenant: number };
  /** The operator's `PUZZLE_SOURCE`: with anything but `newspaper`, no request is ever sent. */
  readonly source: DailySource;
  readonly sourceFor: (asker: ChannelRef) => Promise<ChannelSource>;
  /** Called after each round of asking the newspaper, for metrics. */
  readonly onFetched?: (outcome: string, requests: number) => void;
  readonly lexicon: Lexicon;
  /** Called once when a fetched board differs from one typed by hand, which stays in use in its channel. */
  readonly onDisagreement?: (asker: ChannelRef, typed: Puzzle, fetched: Puzzle) => Promise<void>;
  /** The house's board of a date: `housePuzzle` with the solver's generator. */
  readonly house: (date: PuzzleDate) => Puzzle | Promise<Puzzle>;
}

/** The most letters of the newspaper's boards. For more, the verdicts would be most of the word list. */
const MAX_VERDICT_LETTERS = 12;

/** Decides which source a channel's puzzle of a day comes from. */
export function makePuzzleService(options: PuzzleServiceOptions): PuzzleService {
  const { repository, log, now } = options;
  const fetch = puzzleFetcher(options);
  const making = new KeyedQueue();

  function allowed(source: DailySource): DailySource {
    const strictest = Math.max(DAILY_SOURCES.indexOf(options.source), DAILY_SOURCES.indexOf(source));
    return DAILY_SOURCES[strictest]!;
  }

  /** Stored once made, so that a later version of the generator never changes a day that was played. */
  function keptHouse(date: PuzzleDate): Promise<Puzzle> {
    // When a day begins, all channels ask for its board before the first one is stored, and making it takes a moment.
    return making.join(date, async () => {
      const kept = await repository.puzzle(date, 'house');
      if (kept !== undefined) return kept;
      const puzzle = await options.house(date);
      await repository.keepPuzzle(puzzle);
      return puzzle;
    });
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

  /** A typed board that the newspaper confirms is replaced by the newspaper's, which has a dictionary; any other one stays. */
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
    if (date > today) throw notOutYetError(date, today);
    return today;
  }

  /**
   * The boards that anybody in a tenant may be playing today: the asker's own is requested if needed, the others are only
   * looked up.
   */
  async function boardsOf(date: PuzzleDate, asker: ChannelRef): Promise<Puzzle[]> {
    const [own, kept, typed] = await Promise.all([
      service.puzzleOf(date, asker).catch((error: unknown) => {
        if (error instanceof UserError) return undefined;
        throw error;
      }),
      Promise.all(KEPT_SOURCES.map((source) => repository.puzzle(date, source))),
      repository.handBoards(asker.tenant, date),
    ]);
    return [own, ...kept, ...typed].filter((puzzle) => puzzle !== undefined);
  }

  const service: PuzzleService = {
    allowed,

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
        throw switchedOffError(date);
      }
      const fetched = await fetch.get(date, asker.tenant);
      if ('puzzle' in fetched)
        return typed === undefined ? fetched.puzzle : compare(asker, typed, fetched.puzzle);
      if (typed !== undefined) return typed;
      if (otherwise === 'house') {
        // A past day's board is taken only if it was used on the day itself.
        const kept = date === today ? await keptHouse(date) : await repository.puzzle(date, 'house');
        if (kept !== undefined) return { ...kept, isFallback: true };
      }
      throw noPuzzleError(date, today, fetched.unavailable, now());
    },

    async dayOf(board, asker) {
      const today = dateAt(now());
      const isToday = (await boardsOf(today, asker)).some((puzzle) => isSameBoard(puzzle.board, board));
      return isToday ? today : undefined;
    },

    async askAgain(date) {
      if (options.source === 'newspaper') await fetch.again(date);
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
      return { newspaper: fetched };
    },

    wordSource: (puzzle) =>
      wordSourceOf(puzzle, async (letters) =>
        new Set(letters).size <= MAX_VERDICT_LETTERS ? repository.verdicts(letters, puzzle.date) : new Map(),
      ),
  };
  return service;
}

/**
 * Milliseconds that a claim lasts, which is longer than any round of requests; after that, another process may ask in place
 * of one that died.
 */
const FETCH_CLAIM_MS = MINUTE;
/** Milliseconds between looks for a puzzle that another process is fetching, and their number. */
const POLL_INTERVAL_MS = 500;
const MAX_POLLS = 40;
/** Every quarter of an hour until the next puzzle, after the first failures. */
const BACKOFF: Backoff = { pauses: [0.5, 1, 2, 5, 15].map((minutes) => minutes * MINUTE), jitter: 0.2 };

/** Milliseconds between two requests for one board, even if somebody asks again. */
const MIN_FETCH_PAUSE_MS = 5 * MINUTE;

/** Why there is no puzzle: the newspaper's trouble, another process that is still asking, or a limit of past days. */
interface Unavailable {
  readonly reason: Trouble | 'asking' | 'enough' | 'share';
  /** When asking again makes sense. */
  readonly until: number;
}
type Fetched = { readonly puzzle: Puzzle } | { readonly unavailable: Unavailable };

/**
 * Fetches the newspaper's puzzles for the whole installation: each day's puzzle is fetched with success at most
 * once, for all channels and all processes, and after a failure no request is sent before its pause is over, unless somebody
 * asks again.
 */
function puzzleFetcher(options: PuzzleServiceOptions) {
  const { repository, log, now } = options;
  const fetching = new KeyedQueue();

  async function fetchAlone(date: PuzzleDate, tenant: string): Promise<Fetched> {
    const stored = await repository.puzzle(date, 'newspaper');
    if (stored !== undefined) return { puzzle: stored };
    const moment = now();
    const today = dateAt(moment);
    const site = await repository.fetchLog('site');
    if (site !== undefined && isHolding(site, moment)) return { unavailable: unavailableBy(site) };
    const claim = await repository.claimFetch(date, moment, moment + FETCH_CLAIM_MS, Number.MAX_SAFE_INTEGER);
    if (claim === undefined) return waitForOther(date);
    const refusal = date < today ? await takeAllowance(today, tenant, moment) : undefined;
    if (refusal !== undefined) {
      await repository.noteFetch({ ...claim, tries: claim.tries - 1, nextAllowed: moment });
      return { unavailable: { reason: refusal, until: spanOf(today).to } };
    }
    return fetchNow(date, claim, date === today);
  }

  /** The limit that is reached, if any; otherwise counts this request. */
  async function takeAllowance(
    today: PuzzleDate,
    tenant: string,
    moment: number,
  ): Promise<'share' | 'enough' | undefined> {
    const { pastDays, pastDaysPerTenant } = options.limits;
    const take = async (key: FetchKey, most: number) =>
      most > 0 && (await repository.claimFetch(key, moment, moment, most)) !== undefined;
    if (!(await take(`past:${today}:${await digestOf(tenant)}`, pastDaysPerTenant))) return 'share';
    return (await take(`past:${today}`, pastDays)) ? undefined : 'enough';
  }

  /** Waits while another process has the claim. Also called during the pause after a failure. */
  async function waitForOther(date: PuzzleDate): Promise<Fetched> {
    for (let look = 0; ; look++) {
      const puzzle = await repository.puzzle(date, 'newspaper');
      if (puzzle !== undefined) return { puzzle };
      const other = await repository.fetchLog(date);
      if (other === undefined) return { unavailable: { reason: 'asking', until: now() } };
      if (other.outcome !== 'asking' || other.nextAllowed <= now() || look === MAX_POLLS) {
        return { unavailable: unavailableBy(other) };
      }
      await options.sleep(POLL_INTERVAL_MS);
    }
  }

  async function fetchNow(date: PuzzleDate, claim: FetchLog, isToday: boolean): Promise<Fetched> {
    const asked = await options.newspaper.ask(date, { isToday, again: claim.tries === 1 });
    options.onFetched?.(asked.ok ? 'good' : asked.error.trouble, asked.requests);
    const answer = await refuseStale(asked);
    if (!answer.ok) return { unavailable: await noteFailure(date, claim, answer, isToday) };
    const { puzzle, dropped, way, requests } = answer;
    await repository.keepPuzzle(puzzle);
    await repository.noteFetch({
      ...claim,
      outcome: 'good',
      nextAllowed: now() + FETCH_CLAIM_MS,
    });
    const words = puzzle.dictionary?.length ?? 0;
    log.info({ date, way, requests, words, dropped }, 'fetched the puzzle');
    if (words === 0) log.warn({ date, field: 'dictionary' }, 'the puzzle came without its dictionary');
    await learnFrom(puzzle, options.lexicon, repository, log);
    return { puzzle };
  }

  /** A new date over the old sides is the newspaper's mistake: no two days in a row share a board. */
  async function refuseStale(answer: NewspaperAnswer): Promise<NewspaperAnswer> {
    if (!answer.ok) return answer;
    const before = await repository.puzzle(addDays(answer.puzzle.date, -1), 'newspaper');
    if (before === undefined || !isSameBoard(before.board, answer.puzzle.board)) return answer;
    const error = new NewspaperError('wrong-day', "sides are the day before's", { field: 'sides' });
    return { ok: false, error, requests: answer.requests };
  }

  async function noteFailure(
    date: PuzzleDate,
    claim: FetchLog,
    { error, requests }: NewspaperAnswer & { ok: false },
    isToday: boolean,
  ): Promise<Unavailable> {
    const moment = now();
    const { trouble, field, status, wait } = error;
    const pause = pauseAfter({ failures: claim.tries, retryAfter: wait, random: options.random }, BACKOFF);
    const retry = Math.ceil(moment + pause);
    // A missing past day will not turn up in a quarter of an hour.
    const isGone = !isToday && trouble === 'missing';
    const until = isGone ? Math.max(retry, spanOf(dateAt(moment)).to) : retry;
    const entry: FetchLog = { ...claim, outcome: trouble, nextAllowed: until };
    await repository.noteFetch(entry);
    if (wait !== undefined) await repository.noteFetch({ ...entry, key: 'site', nextAllowed: retry });
    log.warn(
      { date, trouble, field, status, requests, tries: claim.tries, next: new Date(until).toISOString() },
      `no puzzle from the newspaper: ${error.message}`,
    );
    return unavailableBy(entry);
  }

  /** Ends the pause after a failure, unless the last request was just now or the newspaper itself asked to wait. */
  async function endPause(date: PuzzleDate): Promise<void> {
    const moment = now();
    const last = await repository.fetchLog(date);
    if (last === undefined || last.outcome === 'asking' || last.outcome === 'good') return;
    if (last.lastAttempt <= moment - MIN_FETCH_PAUSE_MS)
      await repository.noteFetch({ ...last, nextAllowed: Math.min(last.nextAllowed, moment) });
  }

  return {
    /**
     * The stored copy, or one that is fetched now if no pause forbids it. The date must be out. A past day counts for the
     * tenant.
     */
    get: (date: PuzzleDate, tenant: string) => fetching.join(date, () => fetchAlone(date, tenant)),

    again: (date: PuzzleDate) => fetching.join(`again ${date}`, () => endPause(date)),
  };
}

/** The tenant of a private conversation contains a person's id, which is not stored here. */
async function digestOf(tenant: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(tenant));
  return Buffer.from(digest).toString('base64url').slice(0, 16);
}

/** A wait that began in the future was recorded by a wrong clock, and would be too long by that clock's error. */
function isHolding({ lastAttempt, nextAllowed }: FetchLog, moment: number): boolean {
  return nextAllowed > moment && lastAttempt <= moment + MAX_CLOCK_DIFFERENCE_MS;
}

function unavailableBy({ outcome, nextAllowed }: FetchLog): Unavailable {
  return { reason: outcome === 'good' ? 'asking' : outcome, until: nextAllowed };
}

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
export function noPuzzleError(
  date: PuzzleDate,
  today: PuzzleDate,
  { reason, until }: Unavailable,
  now: number,
): UserError {
  if (date !== today) return noPastPuzzleError(date, reason);
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE));
  const when =
    minutes === 1 ? 'a minute' : minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  return new NoPuzzle(
    `puzzle.${reason}`,
    `Today’s board isn’t here yet: ${UNAVAILABLE_TEXTS[reason]}. I’ll try again in about ${when}.`,
    `Until then, ${BY_HAND}. Or add the sides to your command.`,
  );
}

function noPastPuzzleError(date: PuzzleDate, reason: Unavailable['reason']): UserError {
  const why = reason === 'missing' ? 'the newspaper doesn’t have it' : UNAVAILABLE_TEXTS[reason];
  const later =
    reason === 'enough' || reason === 'share' ? 'Try again after 3:00 AM New York time, or add' : 'Add';
  return new UserError(
    `puzzle.${reason}`,
    `I don’t have the board of ${longDate(date)}: ${why}. ${later} its sides to your command, like ozu nri lfa mbt.`,
  );
}

/** The error where there is no source at all: `PUZZLE_SOURCE=off`, or a channel that wants none. */
function switchedOffError(date: PuzzleDate): UserError {
  return new NoPuzzle(
    'puzzle.off',
    `There is no daily board here, so none for ${longDate(date)}.`,
    `Add the sides to your command, or ${BY_HAND}.`,
  );
}
