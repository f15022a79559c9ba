import { type Backoff, pauseAfter } from '../core/backoff.ts';
import { addDays, dateAt, spanOf } from './calendar.ts';
import type { Answer, Newspaper } from './newspaper/client.ts';
import { NewspaperError, type Trouble } from './newspaper/errors.ts';
import type { FetchLog, PuzzleRepository } from './repository.ts';
import { isSameBoard } from './same-board.ts';
import type { Puzzle, PuzzleDate } from './types.ts';

/** A claim outlives the longest round; should its process die, the next one may ask after this. */
const CLAIM = 60_000;
/** How often and how many times to look for the puzzle another process is fetching. */
const LOOK = 500;
const LOOKS = 40;
/** Between the clocks of an installation's machines. */
const SKEW = 10 * 60_000;
const MINUTE = 60_000;
/** Every quarter of an hour until the next puzzle, after the first failures. */
const BACKOFF: Backoff = { pauses: [0.5, 1, 2, 5, 15].map((minutes) => minutes * MINUTE), jitter: 0.2 };
/** Past days asked for in one day, by all places together: a reader's curiosity, not an archive's. */
export const PAST_DAYS_A_DAY = 12;

/** The part of the program's log this room uses. */
export interface PuzzleLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface PuzzleFetcherOptions {
  readonly newspaper: Newspaper;
  readonly shelf: PuzzleRepository;
  readonly log: PuzzleLog;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called once with each puzzle that was fetched. */
  readonly onFetched?: (puzzle: Puzzle) => Promise<void>;
}

/** Why there is no puzzle: the newspaper's trouble, another process still asking, or enough past days for today. */
export interface Closed {
  readonly reason: Trouble | 'asking' | 'enough';
  /** When asking again makes sense. */
  readonly until: number;
}
export type Fetched = { readonly puzzle: Puzzle } | { readonly closed: Closed };

export interface PuzzleFetcher {
  /** The stored copy, or one bought now if the time for it has come. The date must be out. */
  buy(date: PuzzleDate): Promise<Fetched>;
}

/**
 * Where the whole installation gets the newspaper: each day's puzzle is fetched with success at most
 * once, for all places and all processes, and after a failure nobody asks again before it is time.
 */
export function makePuzzleFetcher(options: PuzzleFetcherOptions): PuzzleFetcher {
  const { newspaper, shelf, log, now, random, sleep } = options;
  const underWay = new Map<PuzzleDate, Promise<Fetched>>();

  function buy(date: PuzzleDate): Promise<Fetched> {
    const shared = underWay.get(date);
    if (shared !== undefined) return shared;
    const started = buyAlone(date).finally(() => underWay.delete(date));
    underWay.set(date, started);
    return started;
  }

  async function buyAlone(date: PuzzleDate): Promise<Fetched> {
    const stored = await shelf.puzzle(date, 'newspaper');
    if (stored !== undefined) return { puzzle: stored };
    const moment = now();
    const today = dateAt(moment);
    if (date > today) throw new Error(`asked to fetch ${date}, which is still to come`);
    const site = await shelf.fetchLog('site');
    if (site !== undefined && isHolding(site, moment)) return { closed: closedBy(site) };
    const claim = await shelf.claimFetch(date, moment, moment + CLAIM, Number.MAX_SAFE_INTEGER);
    if (claim === undefined) return waitForOther(date);
    if (date < today && !(await takeAllowance(today, moment))) {
      const until = spanOf(today).to;
      await shelf.noteFetch({ ...claim, tries: claim.tries - 1, nextAllowed: moment });
      return { closed: { reason: 'enough', until } };
    }
    return fetchNow(date, claim, date === today);
  }

  async function takeAllowance(today: PuzzleDate, moment: number): Promise<boolean> {
    return (await shelf.claimFetch(`past:${today}`, moment, moment, PAST_DAYS_A_DAY)) !== undefined;
  }

  /** Somebody else has the claim, or a failure's pause is on. */
  async function waitForOther(date: PuzzleDate): Promise<Fetched> {
    for (let look = 0; ; look++) {
      const puzzle = await shelf.puzzle(date, 'newspaper');
      if (puzzle !== undefined) return { puzzle };
      const other = await shelf.fetchLog(date);
      if (other === undefined) return { closed: { reason: 'asking', until: now() } };
      if (other.outcome !== 'asking' || other.nextAllowed <= now() || look === LOOKS) {
        return { closed: closedBy(other) };
      }
      await sleep(LOOK);
    }
  }

  async function fetchNow(date: PuzzleDate, claim: FetchLog, isToday: boolean): Promise<Fetched> {
    const answer = await refuseStale(await newspaper.ask(date, { isToday, again: claim.tries === 1 }));
    if (!answer.ok) return { closed: await noteFailure(date, claim, answer, isToday) };
    const { puzzle, dropped, way, requests } = answer;
    await shelf.keepPuzzle(puzzle);
    await shelf.noteFetch({ ...claim, outcome: 'good', nextAllowed: now() + CLAIM });
    const words = puzzle.dictionary?.length ?? 0;
    log.info({ date, way, requests, words, dropped }, 'fetched the puzzle');
    if (words === 0) log.warn({ date, field: 'dictionary' }, 'the puzzle came without its dictionary');
    await options.onFetched?.(puzzle);
    return { puzzle };
  }

  /** A new date over the old sides is a mix-up at the other end: no two days in a row share a board. */
  async function refuseStale(answer: Answer): Promise<Answer> {
    if (!answer.ok) return answer;
    const before = await shelf.puzzle(addDays(answer.puzzle.date, -1), 'newspaper');
    if (before === undefined || !isSameBoard(before.board, answer.puzzle.board)) return answer;
    const error = new NewspaperError('wrong-day', "sides are the day before's", { field: 'sides' });
    return { ok: false, error, requests: answer.requests };
  }

  async function noteFailure(
    date: PuzzleDate,
    claim: FetchLog,
    { error, requests }: Answer & { ok: false },
    isToday: boolean,
  ): Promise<Closed> {
    const moment = now();
    const { trouble, field, status, wait } = error;
    const pause = pauseAfter({ failures: claim.tries, retryAfter: wait, random }, BACKOFF);
    const retry = Math.ceil(moment + pause);
    // A past day that is not there will not turn up in a quarter of an hour.
    const isGone = !isToday && trouble === 'missing';
    const until = isGone ? Math.max(retry, spanOf(dateAt(moment)).to) : retry;
    const entry: FetchLog = { ...claim, outcome: trouble, nextAllowed: until };
    await shelf.noteFetch(entry);
    if (wait !== undefined) await shelf.noteFetch({ ...entry, key: 'site', nextAllowed: retry });
    log.warn(
      { date, trouble, field, status, requests, tries: claim.tries, next: new Date(until).toISOString() },
      `no puzzle from the newspaper: ${error.message}`,
    );
    return closedBy(entry);
  }

  return { buy };
}

/** A wait that began in the future was noted by a clock gone wrong, and would hold for as long as it was wrong. */
function isHolding({ lastAttempt, nextAllowed }: FetchLog, moment: number): boolean {
  return nextAllowed > moment && lastAttempt <= moment + SKEW;
}

function closedBy({ outcome, nextAllowed }: FetchLog): Closed {
  return { reason: outcome === 'good' ? 'asking' : outcome, until: nextAllowed };
}
