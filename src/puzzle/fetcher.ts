import { hash } from 'node:crypto';
import { type Backoff, MINUTE, type PuzzleDate, pauseAfter } from '../core/clock.ts';
import { KeyedQueue } from '../core/concurrency.ts';
import type { Log } from '../core/log.ts';
import { gradeOfBoard } from '../solver/difficulty.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../store/tables/puzzles.ts';
import { addDays, dateAt, spanOf } from './calendar.ts';
import { learnFrom, withoutCutDictionary } from './judge.ts';
import { type Newspaper, type NewspaperAnswer, NewspaperError, type Trouble } from './newspaper.ts';
import type { FetchKey, FetchLog, PuzzleRepository } from './repository.ts';
import { isSameBoard, type Puzzle } from './types.ts';

export interface PuzzleFetcherOptions {
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
  /** Called after each round of asking the newspaper, for metrics. */
  readonly onFetched?: (outcome: string, requests: number) => void;
  readonly lexicon: Lexicon;
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
export interface Unavailable {
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
export class PuzzleFetcher {
  readonly #options: PuzzleFetcherOptions;
  readonly #fetching = new KeyedQueue();

  constructor(options: PuzzleFetcherOptions) {
    this.#options = options;
  }

  /**
   * The stored copy, or one that is fetched now if no pause forbids it. The date must be out. A past day counts for the
   * tenant.
   */
  get(date: PuzzleDate, tenant: string): Promise<Fetched> {
    return this.#fetching.join(date, () => this.#fetchAlone(date, tenant));
  }

  /** Ends the pause after a failure, unless the last request was just now or the newspaper itself asked to wait. */
  allowRetry(date: PuzzleDate): Promise<void> {
    return this.#fetching.join(`again ${date}`, () => this.#endPause(date));
  }

  async #fetchAlone(date: PuzzleDate, tenant: string): Promise<Fetched> {
    const { repository, now } = this.#options;
    const stored = await repository.puzzle(date, 'newspaper');
    if (stored !== undefined) return { puzzle: stored };
    const moment = now();
    const today = dateAt(moment);
    const site = await repository.fetchLog('site');
    if (site !== undefined && isHolding(site, moment)) return { unavailable: unavailableBy(site) };
    const claim = await repository.claimFetch(date, moment, moment + FETCH_CLAIM_MS, Number.MAX_SAFE_INTEGER);
    if (claim === undefined) return this.#waitForOther(date);
    const refusal = date < today ? await this.#takeAllowance(today, tenant, moment) : undefined;
    if (refusal !== undefined) {
      // Gives the claim back, as if it had not been taken.
      await repository.noteFetch({ ...claim, tries: claim.tries - 1, nextAllowed: moment });
      return { unavailable: { reason: refusal, until: spanOf(today).to } };
    }
    return this.#fetchNow(date, claim, date === today);
  }

  /** The limit that is reached, if any; otherwise counts this request. */
  async #takeAllowance(
    today: PuzzleDate,
    tenant: string,
    moment: number,
  ): Promise<'share' | 'enough' | undefined> {
    const { repository, limits } = this.#options;
    const { pastDays, pastDaysPerTenant } = limits;
    const take = async (key: FetchKey, most: number) =>
      most > 0 && (await repository.claimFetch(key, moment, moment, most)) !== undefined;
    if (!(await take(`past:${today}:${digestOf(tenant)}`, pastDaysPerTenant))) return 'share';
    return (await take(`past:${today}`, pastDays)) ? undefined : 'enough';
  }

  /** Waits while another process has the claim. During the pause after a failure nobody has it, and the failure is the answer. */
  async #waitForOther(date: PuzzleDate): Promise<Fetched> {
    const { repository, now } = this.#options;
    for (let look = 0; ; look++) {
      // In this order: a puzzle is kept before its outcome is noted.
      const other = await repository.fetchLog(date);
      const puzzle = await repository.puzzle(date, 'newspaper');
      if (puzzle !== undefined) return { puzzle };
      if (other === undefined) return { unavailable: { reason: 'asking', until: now() } };
      if (other.outcome !== 'asking' || other.nextAllowed <= now() || look === MAX_POLLS) {
        return { unavailable: unavailableBy(other) };
      }
      await this.#options.sleep(POLL_INTERVAL_MS);
    }
  }

  async #fetchNow(date: PuzzleDate, claim: FetchLog, isToday: boolean): Promise<Fetched> {
    const { repository, log, now } = this.#options;
    // Only the first round may ask the service twice: later ones come after a pause.
    const asked = await this.#options.newspaper.ask(date, { isToday, mayRetry: claim.tries === 1 });
    this.#options.onFetched?.(asked.ok ? 'good' : asked.error.trouble, asked.requests);
    const answer = await this.#refuseStale(asked);
    if (!answer.ok) return { unavailable: await this.#noteFailure(date, claim, answer, isToday) };
    const { dropped, unread, way, requests } = answer;
    const { lexicon } = this.#options;
    const whole = withoutCutDictionary(answer.puzzle, lexicon);
    const puzzle = { ...whole, difficulty: gradeOfBoard(whole.board, lexicon) };
    await repository.keepPuzzle(puzzle);
    // Another process may have looked for the puzzle just before it was kept: it must not get a claim and ask again.
    await repository.noteFetch({
      ...claim,
      outcome: 'good',
      nextAllowed: now() + FETCH_CLAIM_MS,
    });
    const words = puzzle.dictionary?.length ?? 0;
    log.info({ date, way, requests, words, dropped }, 'fetched the puzzle');
    const lacked = new Set(words === 0 ? [...unread, 'dictionary'] : unread);
    if (lacked.size > 0)
      log.warn({ date, field: [...lacked].join(', ') }, 'the puzzle came without these, or in another form');
    await learnFrom(puzzle, lexicon, repository, log);
    return { puzzle };
  }

  /** A new date over the old sides is the newspaper's mistake: no two days in a row share a board. */
  async #refuseStale(answer: NewspaperAnswer): Promise<NewspaperAnswer> {
    const { repository } = this.#options;
    if (!answer.ok) return answer;
    const before = await repository.puzzle(addDays(answer.puzzle.date, -1), 'newspaper');
    if (before === undefined || !isSameBoard(before.board, answer.puzzle.board)) return answer;
    const error = new NewspaperError('wrong-day', "sides are the day before's", { field: 'sides' });
    return { ok: false, error, requests: answer.requests };
  }

  async #noteFailure(
    date: PuzzleDate,
    claim: FetchLog,
    { error, requests }: NewspaperAnswer & { ok: false },
    isToday: boolean,
  ): Promise<Unavailable> {
    const { repository, log, now } = this.#options;
    const moment = now();
    const { trouble, field, status, wait } = error;
    const pause = pauseAfter(
      { failures: claim.tries, retryAfter: wait, random: this.#options.random },
      BACKOFF,
    );
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

  async #endPause(date: PuzzleDate): Promise<void> {
    const { repository, now } = this.#options;
    const moment = now();
    const last = await repository.fetchLog(date);
    if (last !== undefined && last.lastAttempt <= moment - MIN_FETCH_PAUSE_MS)
      await repository.noteFetch({ ...last, nextAllowed: moment });
  }
}

/** The tenant of a private conversation contains a person's id, which is not stored here. */
function digestOf(tenant: string): string {
  return hash('sha256', tenant, 'base64url').slice(0, 16);
}

/** A wait that began in the future was recorded by a wrong clock, and would be too long by that clock's error. */
function isHolding({ lastAttempt, nextAllowed }: FetchLog, moment: number): boolean {
  return nextAllowed > moment && lastAttempt <= moment + MAX_CLOCK_DIFFERENCE_MS;
}

/** No puzzle in spite of a good outcome means that the stored copy can't be read: it will be fetched again. */
function unavailableBy({ outcome, nextAllowed }: FetchLog): Unavailable {
  return { reason: outcome === 'good' ? 'asking' : outcome, until: nextAllowed };
}
