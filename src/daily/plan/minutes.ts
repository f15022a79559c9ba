import { schedule } from 'node-cron';
import { type Clock, MINUTE } from '../../core/clock.ts';

/** Milliseconds between two looks at the clock. */
const LOOK_EVERY = 5_000;

/**
 * Calls once in each minute of a clock. node-cron does so a second after the minute began, but it sets one timer for
 * the whole time until then, which a clock that is set back makes hours or days long. So the clock is looked
 * at every few seconds, too: a minute that the cron missed is called then, however far the clock was set.
 */
export class Minutes {
  readonly #clock: Clock;
  readonly #call: () => Promise<unknown>;
  readonly #stops: (() => void)[] = [];
  #lastMinute: number | undefined;
  /** By `performance.now()`. */
  #lastCall = 0;
  #isCalling = false;

  /** @param call never rejects */
  constructor(clock: Clock, call: () => Promise<unknown>) {
    this.#clock = clock;
    this.#call = call;
  }

  /** Calls at once, and then every minute. */
  async start(): Promise<void> {
    await this.#look();
    const task = schedule('1 * * * * *', () => this.#look(), {
      // It has no daylight saving.
      timezone: 'UTC',
      noOverlap: true,
      // Set forward by days, the clock would make it write thousands of lines.
      suppressMissedWarning: true,
    });
    const timer = setInterval(() => void this.#look(), LOOK_EVERY);
    this.#stops.push(
      () => void task.destroy(),
      () => clearInterval(timer),
    );
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #look(): Promise<void> {
    const minute = Math.floor(this.#clock.now() / MINUTE);
    const isNew = minute !== this.#lastMinute || performance.now() - this.#lastCall >= MINUTE;
    if (!isNew || this.#isCalling) return;
    this.#lastMinute = minute;
    this.#lastCall = performance.now();
    this.#isCalling = true;
    try {
      await this.#call();
    } finally {
      this.#isCalling = false;
    }
  }
}
