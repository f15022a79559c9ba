import { setTimeout as sleep } from 'node:timers/promises';
import type { Door } from '../../chat/door.ts';
import { type Backoff, doubling, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

const FIRST_RETRY_MS = 15_000;
/** Somebody has to change something first, such as a token. */
const MAX_RETRY_MS = 10 * MINUTE;
/** For any other failure, such as of DNS: the door opens within a minute of its end. */
const MAX_OUTAGE_RETRY_MS = 40 * SECOND;
/** Milliseconds: a platform that takes longer to answer does not delay the rest of the bot. */
const OPEN_TIMEOUT_MS = 20_000;
/** Milliseconds that a stop waits for doors that are still opening. */
const STOP_TIMEOUT_MS = 2_000;

interface KeepOpenOptions {
  readonly log: Log;
  /** The log line for a door that could not be opened. */
  readonly explain: (door: Door, error: unknown) => string;
  readonly firstWait?: number;
  readonly openTimeout?: number;
}

/**
 * Opens doors side by side. A door that fails is logged and tried again later, with growing pauses.
 *
 * @throws StartError with every reason, when all doors fail during the start.
 */
export async function keepOpen(doors: readonly Door[], options: KeepOpenOptions): Promise<OpenDoors> {
  const kept = new OpenDoors(options);
  await kept.open(doors);
  return kept;
}

/** The doors of a process, open or being retried. */
class OpenDoors {
  readonly #options: KeepOpenOptions;
  readonly #openTimeout: number;
  readonly #backoff: Backoff;
  readonly #open = new Set<Door>();
  readonly #attempts = new Set<Promise<void>>();
  /** The last error of each door that could not be opened, and how many attempts failed in a row. */
  readonly #failures = new Map<Door, { error: unknown; count: number }>();
  readonly #timers = new Map<Door, NodeJS.Timeout>();
  /** Failures are collected during the start; afterwards each of them schedules another attempt. */
  #isStarting = true;
  #isStopping = false;

  constructor(options: KeepOpenOptions) {
    const { firstWait = FIRST_RETRY_MS, openTimeout = OPEN_TIMEOUT_MS } = options;
    this.#options = options;
    this.#openTimeout = openTimeout;
    this.#backoff = { pauses: doubling(firstWait, MAX_RETRY_MS), jitter: 0 };
  }

  isOpen(door: Door): boolean {
    return this.#open.has(door);
  }

  async open(doors: readonly Door[]): Promise<void> {
    const { log, explain } = this.#options;
    const opening = Promise.all(doors.map((door) => this.#attempt(door)));
    await Promise.race([opening, sleep(this.#openTimeout, undefined, { ref: false })]);
    const failed = [...this.#failures];
    if (failed.length > 0 && failed.length === doors.length) {
      const reasons = failed.map(([door, { error }]) => explain(door, error));
      throw new StartError(reasons.join('\n'), { cause: failed[0]![1].error });
    }
    this.#isStarting = false;
    for (const [door] of failed) this.#retryLater(door);
    for (const door of doors) {
      if (this.#open.has(door) || this.#timers.has(door)) continue;
      log.warn({ door: door.name }, `${door.name}: still opening`);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all([...this.#open].map((door) => door.stop()));
    const wait = Math.min(this.#openTimeout, STOP_TIMEOUT_MS);
    await Promise.race([Promise.all(this.#attempts), sleep(wait, undefined, { ref: false })]);
  }

  #attempt(door: Door): Promise<void> {
    const attempt = this.#start(door).finally(() => this.#attempts.delete(attempt));
    this.#attempts.add(attempt);
    return attempt;
  }

  async #start(door: Door): Promise<void> {
    try {
      await door.start();
    } catch (error) {
      this.#failures.set(door, { error, count: (this.#failures.get(door)?.count ?? 0) + 1 });
      if (!this.#isStarting) this.#retryLater(door);
      return;
    }
    if (this.#isStopping) return door.stop();
    this.#open.add(door);
    this.#options.log.info({ door: door.name, isOpen: true }, `${door.name}: open`);
  }

  #retryLater(door: Door): void {
    const failure = this.#failures.get(door);
    if (this.#isStopping || failure === undefined) return;
    const { log, explain } = this.#options;
    const { error, count } = failure;
    const pause = pauseAfter({ failures: count, random: Math.random }, this.#backoff);
    const wait = error instanceof StartError ? pause : Math.min(pause, MAX_OUTAGE_RETRY_MS);
    const line = `${explain(door, error)} Next try in ${Math.round(wait / 1000)} s.`;
    // One error for a failure that stays: it is tried again often.
    log[count === 1 ? 'error' : 'info']({ door: door.name, err: error }, line);
    const timer = setTimeout(() => void this.#attempt(door), wait);
    this.#timers.set(door, timer);
  }
}
