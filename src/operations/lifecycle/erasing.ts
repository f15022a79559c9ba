import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { uptime } from 'node:os';
import * as v from 'valibot';
import { type Clock, ClockJumps, DAY, HOUR, MINUTE, SECOND } from '../../core/clock.ts';
import { type Log, logFault } from '../../core/log.ts';
import { counted } from '../../core/text.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';

/** How long the data of a server or workspace is kept after the bot's removal from it. */
const KEPT_AFTER_REMOVAL = 7 * DAY;
/** Days for which deliveries are kept: plans look back less far, and older ones are not posted any more. */
const DELIVERIES_KEPT_DAYS = 60;
/** The key of how long the clock has run evenly. Processes that end every day would never see a whole day of it. */
const STEADY_KEY = 'clock steady';

/** Milliseconds for which the clock ran evenly in earlier processes. */
export async function steadyBefore({ actions }: Store): Promise<number> {
  return Number(await actions.get(STEADY_KEY, 0)) || 0;
}

/**
 * Erases what is old enough: the data of tenants that removed the bot at least a week ago, and rows that have expired. Now,
 * then every hour, until the returned function is called; never by a clock that can't be trusted.
 */
export function eraseHourly(store: Store, log: Log, watch: ClockWatch): () => void {
  const erase = async () => {
    try {
      const steady = String(Math.floor(watch.steadyFor()));
      await store.actions.put(STEADY_KEY, steady, Number.MAX_SAFE_INTEGER);
      const now = watch.erasingTime();
      if (now !== undefined) await eraseOld(store, log, Math.floor(now));
    } catch (error) {
      logFault(log, error, {}, 'erasing old data failed; the next attempt is in an hour');
    }
  };
  void erase();
  const timer = setInterval(erase, HOUR);
  return () => clearInterval(timer);
}

async function eraseOld(store: Store, log: Log, now: number): Promise<void> {
  const erased = await store.allTenants.eraseRemoved(now - KEPT_AFTER_REMOVAL);
  for (const tenant of erased) log.info({ tenant }, 'erased the data of a tenant that removed the bot');
  await store.allTenants.deleteExpired(now, addDays(dateAt(now), -DELIVERIES_KEPT_DAYS));
}

/** Two clocks agree if they differ by at most this much. */
const TOLERANCE_MS = 5 * MINUTE;
/** How long the clock has to run evenly before anything is erased by it. */
const STEADY_MS = DAY;

/** Unlike `performance.now`, it goes on while the machine sleeps: a laptop that wakes up has a clock that nobody has set. */
const sinceBoot: Clock = { now: () => uptime() * SECOND };

interface WatchOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly elapsed?: Clock;
  /** Milliseconds for which the clock ran evenly in earlier processes, as `steadyFor` told. */
  readonly steadyBefore?: number;
}

/**
 * Knows whether the clock can be trusted. What is erased by a wrong clock can't be brought back, so whatever erases asks here:
 * the clock must have run evenly for a day, measured by a clock that nobody can set, and an answer from elsewhere must have
 * carried the same time.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #elapsed: Clock;
  readonly #jumps: ClockJumps;
  /** The clock minus the monotonic one, when it began to run evenly. */
  #offset: number;
  #steadySince: number;
  #isConfirmed = false;
  #isStarted = false;
  /** Ends listening to answers. */
  #stopListening: (() => void) | undefined;
  /** Why nothing is erased now, if that was logged. */
  #reason: string | undefined;

  constructor({ clock, log, elapsed = sinceBoot, steadyBefore = 0 }: WatchOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#elapsed = elapsed;
    this.#jumps = new ClockJumps(clock, elapsed);
    this.#offset = clock.now() - elapsed.now();
    this.#steadySince = elapsed.now() - steadyBefore;
  }

  /** Looks at the clock each second, until the returned function is called. */
  start(): () => void {
    const timer = setInterval(() => this.look(), SECOND).unref();
    this.#isStarted = true;
    return () => {
      this.#isStarted = false;
      clearInterval(timer);
      this.#stopListening?.();
    };
  }

  /** Looks at the dates of all answers over the network until one of them confirms the time. */
  #listen(): void {
    if (!this.#isStarted || this.#stopListening !== undefined) return;
    const witness = (message: unknown) => {
      const date = dateOf(message);
      if (date !== undefined) this.witness(date);
    };
    subscribe(ANSWERS, witness);
    this.#stopListening = () => {
      unsubscribe(ANSWERS, witness);
      this.#stopListening = undefined;
    };
  }

  steadyFor(): number {
    this.look();
    return this.#elapsed.now() - this.#steadySince;
  }

  /** Takes the time of another machine's clock. A different time is ignored, since either clock may be wrong. */
  witness(moment: number): void {
    this.look();
    if (Math.abs(moment - this.#clock.now()) > TOLERANCE_MS) return;
    this.#isConfirmed = true;
    this.#stopListening?.();
  }

  /** The moment by which data are old enough to be erased; undefined while the clock can't be trusted. */
  erasingTime(): number | undefined {
    this.look();
    const now = this.#clock.now();
    const steadyFor = this.#elapsed.now() - this.#steadySince;
    let reason: string | undefined;
    if (steadyFor < STEADY_MS) reason = 'the clock has not run evenly for 24 hours yet';
    else if (!this.#isConfirmed) {
      this.#listen();
      reason = 'no answer from elsewhere has shown the same time as this machine’s clock';
    }
    if (reason !== undefined && reason !== this.#reason)
      this.#log.info(
        { steadyHours: Math.floor(steadyFor / HOUR) },
        `nothing old is erased for now: ${reason}`,
      );
    this.#reason = reason;
    return reason === undefined ? now : undefined;
  }

  look(): void {
    const jump = this.#jumps.take();
    if (jump !== 0)
      this.#log.warn(
        { seconds: Math.round(jump / SECOND) },
        `the clock of this machine was set ${howLong(jump)} ${jump > 0 ? 'ahead' : 'back'}: posts come by the new time, and nothing old is erased for 24 hours`,
      );
    // Many steps that are too small for a jump can add up to one.
    const offset = this.#clock.now() - this.#elapsed.now();
    if (jump === 0 && Math.abs(offset - this.#offset) <= TOLERANCE_MS) return;
    this.#offset = offset;
    this.#steadySince = this.#elapsed.now();
    this.#isConfirmed = false;
  }
}

function howLong(jump: number): string {
  const length = Math.abs(jump);
  if (length >= 2 * DAY) return counted(Math.round(length / DAY), 'day');
  if (length >= 2 * HOUR) return counted(Math.round(length / HOUR), 'hour');
  return length >= 2 * MINUTE
    ? counted(Math.round(length / MINUTE), 'minute')
    : counted(Math.round(length / SECOND), 'second');
}

/** Where Node's HTTP client publishes the headers of each answer. */
const ANSWERS = 'undici:request:headers';

const AnswerSchema = v.object({
  request: v.object({ origin: v.union([v.string(), v.instance(URL)]) }),
  response: v.object({ headers: v.array(v.instance(Uint8Array)) }),
});

/** Answers of this very machine carry the same clock. */
const OWN_HOST = /^(localhost|127\..*|\[::1\])$/;

/** The moment at which another machine sent an answer, by its header `date`. */
function dateOf(message: unknown): number | undefined {
  if (!v.is(AnswerSchema, message)) return undefined;
  if (OWN_HOST.test(new URL(message.request.origin).hostname)) return undefined;
  const headers = message.response.headers.map((part) => Buffer.from(part).toString('latin1'));
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'date');
  const date = at < 0 ? Number.NaN : Date.parse(headers[at + 1] ?? '');
  return Number.isNaN(date) ? undefined : date;
}
