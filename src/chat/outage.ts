import type { DoorName } from '../core/channel-ref.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { counted } from '../core/text.ts';
import type { Poster } from '../dispatch/poster.ts';

/** Milliseconds after the last attempt for which its outcome still counts: attempts at posts are at most ten minutes apart. */
const OUTCOME_VALID_MS = 15 * MINUTE;
/** Milliseconds: a shorter loss of a connection is not worth an operator's attention. */
const REPORTED_AFTER_MS = 2 * MINUTE;

interface OutageOptions {
  readonly door: DoorName;
  readonly log: Log;
  /** What is out of reach, as the beginning of a sentence. */
  readonly what: string;
  /** What does not work meanwhile, and what does. */
  readonly effect: string;
}

/** Reports that a platform is out of reach: in one error after two minutes, and in one line once it is back. */
export class Outage {
  readonly #options: OutageOptions;
  #since: number | undefined;
  #failedAt = 0;
  #cause = '';
  #timer: NodeJS.Timeout | undefined;
  #isReported = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /**
   * @param cause a sentence; the last one before the report is in it
   * @param since when the failed call began, by `performance.now`: without an answer, it fails only after a time
   */
  begin(cause: string, since = performance.now()): void {
    this.#cause = cause;
    this.#failedAt = performance.now();
    if (this.#since !== undefined) return;
    this.#since = since;
    const left = since + REPORTED_AFTER_MS - performance.now();
    this.#timer = setTimeout(() => this.#report(), Math.max(0, left)).unref();
  }

  /** When it began, by `performance.now`, also before it is reported; undefined while there is none. */
  get since(): number | undefined {
    return this.#since;
  }

  /** Begins it again, unless it is reported: one of several connections works, so the others are probably only late. */
  restart(): void {
    if (this.#isReported) return;
    this.cancel();
    this.begin(this.#cause);
  }

  /** What it has reported, as long as attempts fail. */
  current(): string | undefined {
    const { what } = this.#options;
    const isCurrent = this.#isReported && performance.now() - this.#failedAt < OUTCOME_VALID_MS;
    return isCurrent ? `${what} has been out of reach for ${this.#howLong()}. ${this.#cause}` : undefined;
  }

  end(): void {
    const { door, log, what } = this.#options;
    if (this.#isReported) log.info({ door, ...this.#took() }, `${what} is back after ${this.#howLong()}.`);
    this.cancel();
  }

  /** Ends it without a line, such as when the bot stops. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#since = undefined;
    this.#isReported = false;
  }

  #report(): void {
    const { door, log, what, effect } = this.#options;
    this.#isReported = true;
    log.error(
      { door, ...this.#took() },
      `${what} has been out of reach for ${this.#howLong()}: ${effect}. ${this.#cause}`,
    );
  }

  #took(): { readonly seconds: number } {
    return { seconds: Math.round((performance.now() - this.#since!) / SECOND) };
  }

  #howLong(): string {
    return counted(Math.round((this.#took().seconds * SECOND) / MINUTE), 'minute');
  }
}

/** Milliseconds between two looks whether a platform can be reached again. */
const LOOK_INTERVAL_MS = 10 * SECOND;
const MAX_PAUSE_MS = 10 * MINUTE;

/**
 * Looks every ten seconds, while posts at a door fail, whether its platform can be reached again: the posts themselves are
 * tried ever more rarely, and would come minutes after the end of an outage. Where the platform answers and posts fail all
 * the same, they are tried again ever more rarely, too.
 *
 * @param retry tries the posts again that wait. Without any, such as after an edit that failed, no post would show that the
 * outage is over: it ends here
 * @returns what ends it
 */
export function watchRecovery(
  poster: Pick<Poster, 'reach'>,
  outage: Pick<Outage, 'since' | 'end'>,
  retry: () => Promise<boolean>,
): () => void {
  let lastSince: number | undefined;
  let pause = 0;
  let nextAt = 0;
  let isLooking = false;
  const look = async () => {
    const { since } = outage;
    if (since === undefined || isLooking || poster.reach === undefined) return;
    if (since !== lastSince) {
      pause = 0;
      nextAt = 0;
    }
    lastSince = since;
    if (performance.now() < nextAt) return;
    isLooking = true;
    try {
      await poster.reach();
      pause = Math.min(Math.max(LOOK_INTERVAL_MS, 2 * pause), MAX_PAUSE_MS);
      nextAt = performance.now() + pause;
      if (!(await retry())) outage.end();
    } catch {
      // Still out of reach, which the outage tells.
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  return () => clearInterval(timer);
}
