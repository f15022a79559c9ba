import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { DoorName } from '../core/channel-ref.ts';
import { type Clock, MINUTE, type PuzzleDate, SECOND, timeoutAwake } from '../core/clock.ts';
import { expiring } from '../core/concurrency.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { App } from '../dispatch/contract.ts';
import type { Poster } from '../dispatch/poster.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import { PICTURE_LIMITS } from '../reply/picture/decode.ts';

/** The adapter of one platform: turns events into requests and replies into messages, and posts the daily thread. */
export interface Door {
  readonly name: DoorName;
  /** Resolves when it accepts requests. */
  start(): Promise<void>;
  /** Accepts no new requests, and resolves when those in flight are answered. */
  stop(): Promise<void>;
  /** Posts the daily thread. */
  readonly poster: Poster;
  /** What is wrong at the moment, for the readiness page; undefined when nothing is. */
  trouble(): string | undefined;
}

/** Milliseconds between two log lines about events of the same name. */
const LOG_INTERVAL_MS = 10 * MINUTE;
/** Names are the platform's, and may be anything. */
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 60;

/** @param error what was thrown, if anything was; what the event holds is never logged */
export type DropEvent = (name: unknown, error?: unknown) => void;

/**
 * Logs events of a platform that could not be processed. A platform that changes the shape of an event sends
 * thousands of them: the first of each name is logged, and then one every ten minutes, with the number of all.
 */
export function makeDropEvent(log: Log, door: DoorName): DropEvent {
  const logged = new LRUCache<string, true>({ max: MAX_NAMES, ttl: LOG_INTERVAL_MS });
  let dropped = 0;
  return (name, error) => {
    dropped++;
    const event = String(name).slice(0, MAX_NAME_LENGTH);
    if (logged.has(event)) return;
    logged.set(event, true);
    log.warn(
      { door, event, dropped, err: error },
      'an event of the platform was dropped: it could not be processed',
    );
  };
}

/** Milliseconds that a request waits for the store. Platforms wait three seconds for its acknowledgement. */
const STORE_TIMEOUT_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** Recognizes requests that a platform sends again, to this process or to another one with the same store. */
export class SeenOnce {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #door: DoorName;
  /**
   * The requests that this process has seen, so that it recognizes a repeated one even during an outage of the store. Each
   * has a time of its own, and the default of one millisecond is never used.
   */
  readonly #remembered: LRUCache<string, true>;

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, door: DoorName) {
    this.#app = app;
    this.#door = door;
    this.#remembered = new LRUCache(expiring(MAX_REMEMBERED, 1, app.clock));
  }

  /**
   * Whether a request with this key was seen before. Also false if the store does not answer in time: processing a
   * request twice is better than never.
   *
   * @param expiresAt milliseconds since 1970
   */
  async isRepeat(key: string, expiresAt: number): Promise<boolean> {
    if (this.isRepeatHere(key, expiresAt)) return true;
    const { store, clock, log } = this.#app;
    const now = clock.now();
    /** Resolves to whether the key is marked now, and was not before. */
    const marking = store.events.mark(`${this.#door}:${key}`, now, expiresAt).catch((error: unknown) => {
      log.warn({ door: this.#door, err: error }, 'what a platform sent could not be marked as processed');
      return true;
    });
    const isFirst = await Promise.race([marking, sleep(STORE_TIMEOUT_MS, true, { ref: false })]);
    return !isFirst;
  }

  /** Whether this process has seen a request with this key before. The store is neither asked nor changed. */
  isRepeatHere(key: string, expiresAt: number): boolean {
    if (this.#remembered.has(key)) return true;
    this.#remembered.set(key, true, { ttl: Math.max(1, expiresAt - this.#app.clock.now()) });
    return false;
  }
}

/** For the store's `markPresent`, when the bot is back in a tenant: the thread of yesterday's puzzle may still be open. */
export function sinceYesterday(clock: Clock): { readonly from: PuzzleDate; readonly now: number } {
  const now = Math.floor(clock.now());
  return { from: addDays(dateAt(now), -1), now };
}

const TIMEOUT_MS = 10 * SECOND;

/**
 * The bytes of a picture that somebody has uploaded to a platform, cut where it is too large to be read. Nothing is fetched
 * from elsewhere: neither from another address, nor by way of a redirect.
 *
 * @param address null if there is no picture where one was looked for
 * @param origins the platform's own hosts, such as `https://cdn.discordapp.com`
 */
export async function downloadPicture(
  address: string | null,
  origins: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  if (address === null)
    throw new UserError(
      'picture.none',
      'I see no picture in that message. Choose a message with a screenshot of a board.',
    );
  const url = URL.parse(address);
  if (url === null || !origins.includes(url.origin)) throw new Error('the picture is not on the platform');
  const failed = () => new UserError('picture.fetch', 'I can’t load that picture. Upload it again.');
  let response: Response;
  try {
    response = await fetch(url, { headers, redirect: 'error', signal: timeoutAwake(TIMEOUT_MS) });
  } catch {
    throw failed();
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw failed();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop ends the download.
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      // The reader of the picture refuses more bytes than this as too large.
      if (length > PICTURE_LIMITS.bytes) break;
    }
  } catch {
    throw failed();
  }
  return Buffer.concat(chunks, length);
}
