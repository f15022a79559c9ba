/** What the daily thread asks of a door, and what a place has chosen. */
import type { DailySource } from '../puzzle/book.ts';
import type { PuzzleDate } from '../puzzle/types.ts';
import type { Reply } from '../reply/types.ts';
import { HINT_STEPS } from '../solver/hints.ts';

/** `opening` is the message in the channel; everything else stands in its thread. `closing` ends the day before. */
export const THREAD_STEPS = [...HINT_STEPS, 'solution'] as const;
export type ThreadStep = (typeof THREAD_STEPS)[number];
/** Everything that is posted once a day, and so has a row of its own. */
export const DAY_STEPS = ['opening', ...THREAD_STEPS, 'closing'] as const;
export type DayStep = (typeof DAY_STEPS)[number];

/** A clock time in the place's zone, `HH:MM` with `00` to `23` hours. */
export type ClockTime = `${number}:${number}`;

/** What a place gets every day. No person's id stands in here. */
export interface DailySettings {
  /** An IANA name. */
  readonly zone: string;
  readonly opening: ClockTime;
  /** In the order of their times; those at the opening's own time follow it at once. */
  readonly steps: readonly { readonly step: ThreadStep; readonly at: ClockTime }[];
  readonly source: DailySource;
  /** When the newspaper can't be reached. */
  readonly otherwise: 'house' | 'nothing';
  readonly weekends: boolean;
  /** The platform's id of a role or group to mention in the opening. */
  readonly ping: string | null;
  /** The platform's id of a role whose members may manage this place, besides those who may anyway. */
  readonly managers: string | null;
}

/** Something the bot lacks in a place to post there. */
export interface Lack {
  /** Such as `Send Messages in Threads` or `a channel that is not archived`. */
  readonly what: string;
  /** One sentence: how to give it. */
  readonly how: string;
}

/** A channel, or a thread in it, at a door. */
export interface Spot {
  readonly tenant: string;
  readonly channel: string;
}

/** One message to post, once. */
export interface Post {
  readonly spot: Spot;
  /**
   * The delivery's key as at most 25 plain characters, the same at every attempt. Doors put it where the
   * platform lets them find the message again; it tells nothing about the puzzle.
   */
  readonly key: string;
  readonly reply: Reply;
  /** From the second attempt on, what earlier attempts noted. */
  readonly posted: Posted | undefined;
  /** Set when an earlier attempt ended without an answer: look before sending again. */
  readonly outcomeUnknown: boolean;
  /** Writes down what has just been posted; false when the delivery was taken by another process: stop at once. */
  readonly note: (posted: Posted) => Promise<boolean>;
}

export interface OpeningPost extends Post {
  readonly threadName: string;
  /** Role to mention, if any. */
  readonly ping: string | null;
}

export interface ThreadPost extends Post {
  readonly thread: Posted;
}

/** The platform's ids of what was posted: of a message, and of the thread it opened. */
export interface Posted {
  readonly message?: string;
  readonly thread?: string;
  /** For whatever else the door must know again, such as the kind of channel. */
  readonly kind?: string;
}

/**
 * A door's hands for the daily thread and for games: each method posts or changes one message. They throw
 * `PostFailure` for everything that can go wrong, and post nothing twice for one key.
 */
export interface Poster {
  readonly door: string;
  /** The message in the channel, and the thread under it (on a forum: a new post). */
  open(post: OpeningPost): Promise<Posted>;
  /** A message in the thread. */
  post(post: ThreadPost): Promise<Posted>;
  /** Puts a thread to rest where the platform has that; never fails the day. */
  archive(spot: Spot, thread: Posted): Promise<void>;
  /** Changes a message of ours in place. */
  edit(spot: Spot, message: Posted, reply: Reply): Promise<void>;
  /** What is missing to post here; asked when settings are made and before the first post of each day. */
  lacks(spot: Spot): Promise<readonly Lack[]>;
  /** A private word to someone who manages the place; false when it can't be delivered. */
  tell(spot: Spot, person: string, reply: Reply): Promise<boolean>;
}

/**
 * How a post failed. `later`: nothing was posted, try again (not before `retryAfter` milliseconds);
 * `unknown`: it may have been posted; `refused`: this place refuses for good until someone changes something;
 * `removed`: the bot is no longer in this tenant; `invalid`: the platform will never take this message.
 */
export const POST_FAILURES = ['later', 'unknown', 'refused', 'removed', 'invalid'] as const;
export type PostFailureKind = (typeof POST_FAILURES)[number];

export class PostFailure extends Error {
  override readonly name = 'PostFailure';
  readonly kind: PostFailureKind;
  readonly retryAfter: number | undefined;
  readonly lacks: readonly Lack[];

  /** @param message for logs and for whoever manages the place: no secret, no token. */
  constructor(
    kind: PostFailureKind,
    message: string,
    more: { retryAfter?: number; lacks?: readonly Lack[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.retryAfter = more.retryAfter;
    this.lacks = more.lacks ?? [];
  }
}

/** A day's thread of a place, as far as it was posted. */
export interface DayThread {
  readonly date: PuzzleDate;
  readonly opened: Posted;
  readonly openedAt: number;
}
