export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Durations are in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The newspaper's date, YYYY-MM-DD: it changes at 03:00 America/New_York, whatever the host's clock says. */
export type PuzzleDate = `${number}-${number}-${number}`;

/** A date as calendars in a time zone show it, from `dateThere`: often another than the puzzle's that is on. */
export type LocalDate = string & { readonly kind: 'local' };

/** A smaller difference is a clock that is being adjusted slowly. */
const CLOCK_JUMP_MS = 5 * SECOND;

/** Notices that a wall clock was set, by comparing it with a monotonic one. A sleep counts too, if that one stops in it. */
export class ClockJumps {
  readonly #clock: Clock;
  readonly #elapsed: Clock;
  #offset: number;

  /** @param elapsed a clock that nobody can set, such as `performance` */
  constructor(clock: Clock, elapsed: Clock) {
    this.#clock = clock;
    this.#elapsed = elapsed;
    this.#offset = clock.now() - elapsed.now();
  }

  /** Milliseconds by which the clock was set ahead since the last call, negative if it was set back, 0 if it was not set. */
  take(): number {
    const offset = this.#clock.now() - this.#elapsed.now();
    const jump = offset - this.#offset;
    this.#offset = offset;
    return Math.abs(jump) < CLOCK_JUMP_MS ? 0 : jump;
  }
}

/** A clock that goes on with another one, but is not set back with it: what expires in memory would stay longer by as much. */
export function forwardOnly(clock: Clock): Clock {
  let last = clock.now();
  let now = last;
  return {
    now() {
      const next = clock.now();
      now += Math.max(0, next - last);
      last = next;
      return now;
    },
  };
}

/** How long to wait between attempts at something that failed. */
export interface Backoff {
  /** Milliseconds after the first failure in a row, the second, and so on. The last pause repeats. */
  readonly pauses: readonly number[];
  /** Each pause is lengthened at random by up to this share, so that callers that failed together do not retry together. */
  readonly jitter: number;
}

/**
 * Pauses that double each time up to the longest.
 *
 * @example doubling(5_000, 60_000) // [5000, 10000, 20000, 40000, 60000]
 */
export function doubling(first: number, longest: number): number[] {
  const pauses: number[] = [];
  for (let pause = first; pause < longest; pause *= 2) pauses.push(pause);
  return [...pauses, longest];
}

interface Failure {
  /** Failures in a row so far; 1 after the first. */
  readonly failures: number;
  /** Returns a number between 0 and 1, such as `Math.random`. */
  readonly random: () => number;
  /** The least pause that the other side asked for, in milliseconds. */
  readonly retryAfter?: number;
}

/**
 * Whole milliseconds to wait before the next attempt: never less than the other side asked for.
 *
 * @example pauseAfter({ failures: 1, random: Math.random }, { pauses: doubling(5_000, 60_000), jitter: 0.3 }) // 5000 to 6500
 */
export function pauseAfter(
  { failures, random, retryAfter = 0 }: Failure,
  { pauses, jitter }: Backoff,
): number {
  const index = Math.min(Math.max(failures, 1), pauses.length) - 1;
  const pause = Math.max(pauses[index] ?? 0, retryAfter);
  // Rounded: 900,000 × 1.1 is a little more than 990,000 in binary.
  return Math.max(Math.ceil(pause), Math.round(pause * (1 + jitter * random())));
}

/** Steps in which `timeoutAwake` counts. */
const STEPS = 10;

/**
 * Aborts a request after a time, of which a standstill of the process uses up a tenth at most: a timer that is late fires only
 * once. With `AbortSignal.timeout`, a standstill could abort a request whose answer is still to be read, and nobody would know
 * whether its post was made.
 */
export function timeoutAwake(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const wait = (left: number): void => {
    if (left === 0) controller.abort();
    else setTimeout(wait, milliseconds / STEPS, left - 1).unref();
  };
  wait(STEPS);
  return controller.signal;
}

export function blockThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const TYPED_TIME =
  /^(?:(half|quarter)(?: (past|to))? )?(\d{1,2})(?:[:.h](\d{2}))?h? *(a\.?m|p\.?m|uhr|o['’]?clock)?\.?(?: (?:in )?(?:the )?(morning|afternoon|evening|night))?$/;

/**
 * The time of day that a text names, as people write it: `08:00`, `8`, `8pm`, `half past 7`, `9 in the evening`, `noon`.
 *
 * @example findClockTime('8:30 pm') // '20:30'
 */
export function findClockTime(text: string): `${number}:${number}` | undefined {
  const said = text.trim().toLowerCase();
  if (said === 'noon' || said === 'midnight') return said === 'noon' ? '12:00' : '00:00';
  // Such as "8 Uhr 30", "8 30 pm", "830pm" and "0830".
  const plain = said.replace(/ uhr (?=\d\d$)|(?<=^\d{1,2}) ?(?=\d\d ?[ap]m$)|(?<=^\d\d)(?=\d\d$)/, ':');
  const [, part, way, hours, typedMinutes = 0, meridiem = '', dayPart = 'morning'] =
    TYPED_TIME.exec(plain) ?? [];
  // Nobody says "half to 7" or "quarter 7".
  if (hours === undefined || (part === 'half' && way === 'to') || (part === 'quarter' && !way))
    return undefined;
  const typed = Number(hours);
  let minutes = Number(typedMinutes);
  if (part === 'half') minutes = 30;
  else if (part === 'quarter') minutes = way === 'to' ? 45 : 15;
  const hasMeridiem = /^[ap]/.test(meridiem);
  if (minutes > 59 || typed > 23 || (hasMeridiem && (typed < 1 || typed > 12))) return undefined;
  // "2 in the night" is before noon, "11 in the night" after it.
  const isNight = dayPart === 'night';
  const isAfterNoon = hasMeridiem
    ? meridiem.startsWith('p')
    : dayPart !== 'morning' && typed < 12 && (!isNight || typed > 5);
  const isTwelveHour = hasMeridiem || isAfterNoon || (isNight && typed === 12);
  const named = isTwelveHour ? (typed % 12) + (isAfterNoon ? 12 : 0) : typed;
  // Such as 6:45 for "quarter to 7".
  const hour = way === 'to' ? (named + 23) % 24 : named;
  return `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}` as `${number}:${number}`;
}
