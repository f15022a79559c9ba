import * as v from 'valibot';
import type { ChannelRef, DoorName } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Reply } from '../reply/model/types.ts';
import type { ThreadStep } from '../reply/replies/thread-steps.ts';

/**
 * What a person says about a post whose outcome is unknown and can't be looked up: post it again, or it is there. Until they
 * answer, it is left out rather than posted twice.
 */
export const VERDICTS = ['repeat', 'there'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One message to post, once. */
export interface Post {
  readonly channel: ChannelRef;
  /**
   * The delivery's key as at most 25 plain characters, the same at every attempt. Doors put it where the
   * platform lets them find the message again. The key reveals nothing about the puzzle.
   */
  readonly key: string;
  /**
   * The keys of other deliveries that this message contains. Doors put them beside `key`, so that a search for any of the keys
   * finds the message.
   */
  readonly mergedKeys?: readonly string[];
  readonly reply: Reply;
  /** The record of earlier attempts; undefined at the first one. */
  readonly posted: Posted | undefined;
  /** Suppresses the push notification, where the platform can do that. */
  readonly quiet?: boolean;
  /** Folds hidden blocks in place instead of hiding them, where the platform can do that. */
  readonly fold?: boolean;
  /** Set when an earlier attempt got no answer, or the store may lack it: look for the post before sending again. */
  readonly outcomeUnknown: boolean;
  /**
   * The post that the person who manages the channel is asked about if the bot can't look it up; null if nobody is asked. See
   * `src/daily/verdicts.ts`.
   */
  readonly question: { readonly date: PuzzleDate; readonly step: 'opening' | ThreadStep | 'closing' } | null;
  readonly verdict: Verdict | undefined;
  /** No attempt was made before this moment. */
  readonly since: number;
  readonly checkLease: CheckLease;
  /**
   * Stores what was just posted. Throws when another process has taken the delivery: `remove` then deletes the post, unless
   * the other process has found and kept it.
   */
  readonly recordSent: (posted: Posted, remove: () => Promise<void>) => Promise<StoredPost>;
  /** Stores an earlier attempt's post, or a part added to that post. Throws when another process has taken the delivery. */
  readonly record: (posted: Posted) => Promise<StoredPost>;
}

/**
 * Awaited directly before each request that posts something, including repeated requests. Rejects when another process may
 * have taken the delivery: then nothing may be sent.
 */
export type CheckLease = () => Promise<void>;

export interface OpeningPost extends Post {
  readonly threadName: string;
  readonly ping: string | null;
  /** The last opening in this channel, at most a few days ago. A door need not check the requirements again then. */
  readonly recentOpening?: Posted | undefined;
}

/** What a message was posted with besides its reply, which a change of it takes away unless it is given again. */
export interface Given extends Pick<Post, 'fold'>, Partial<Pick<OpeningPost, 'ping'>> {
  /** The message is found by them. */
  readonly keys?: readonly string[];
}

/** A message in a thread; in the channel itself if `thread` is undefined, which a forum refuses. */
export interface ThreadPost extends Post {
  readonly thread: Posted | undefined;
}

/** A message to one person, in their conversation with the bot. */
export interface PrivatePost extends Post {
  readonly person: string;
}

export const postedSchema = v.object({
  message: v.exactOptional(v.string()),
  thread: v.exactOptional(v.string()),
  /** Anything else that the door needs later, such as the kind of channel. */
  kind: v.exactOptional(v.string()),
});

/** The platform's ids of what was posted: of a message, and of the thread it opened. */
export type Posted = Readonly<v.InferOutput<typeof postedSchema>>;

declare const isStored: unique symbol;
/**
 * Posted ids that are stored in the row of their delivery. Only `recordSent` and `record` make them, so a poster can't
 * forget to store.
 */
export type StoredPost = Posted & { readonly [isStored]: true };

/** The parts of a post that a request makes itself, once, without a delivery that another process could take. */
export const UNLEASED: Pick<
  Post,
  'posted' | 'outcomeUnknown' | 'question' | 'verdict' | 'checkLease' | 'recordSent' | 'record'
> = {
  question: null,
  verdict: undefined,
  posted: undefined,
  outcomeUnknown: false,
  checkLease: async () => {},
  recordSent: async (posted) => posted as StoredPost,
  record: async (posted) => posted as StoredPost,
};

/** The id of the thread in requests; on some platforms, the id of its first message. */
export function threadId({ thread, message }: Posted): string | undefined {
  return thread ?? message;
}

export function threadIdIn(record: unknown): string | undefined {
  const { success, output } = v.safeParse(postedSchema, record);
  return success ? threadId(output) : undefined;
}

/** `in-threads`: they may write in its threads alone. `silent`: not even there. `gone`: they left or were banned. */
export type Membership = 'member' | 'in-threads' | 'silent' | 'gone';

/**
 * Posts for the daily thread and for games at one door: each method posts or changes one message. They throw `PostFailure`
 * for everything that can go wrong, and post nothing twice for one key.
 */
export interface Poster {
  readonly door: DoorName;
  /** The message in the channel, and the thread under it (on a forum: a new post). */
  open(post: OpeningPost): Promise<StoredPost>;
  post(post: ThreadPost): Promise<StoredPost>;
  /** The address of a thread, where the platform has one. */
  linkTo?(channel: ChannelRef, thread: Posted): string | undefined;
  archive(channel: ChannelRef, thread: Posted): Promise<void>;
  /** Changes a message of ours in place. */
  edit(channel: ChannelRef, message: Posted, reply: Reply, given?: Given): Promise<void>;
  /**
   * What is missing to post here; asked when settings are made or shown, after a post was refused, and now and then while the
   * channel is suspended.
   *
   * @param lacked the names of requirements that the channel is suspended for: each of them is looked at, too, and one
   * about which the platform says nothing counts as missing. Otherwise, posting would be tried, and refused, every hour.
   */
  missingRequirements(
    channel: ChannelRef,
    lacked?: readonly string[],
  ): Promise<readonly MissingRequirement[]>;
  /** What keeps the mention of a role from notifying anybody in this channel; undefined if nothing does. */
  mentionNeeds?(channel: ChannelRef, role: string): Promise<MissingRequirement | undefined>;
  /**
   * A private message to a person, once for each key. It throws a `PostFailure`: `refused` if the person is gone or takes no
   * messages from the bot.
   */
  postPrivately(post: PrivatePost): Promise<StoredPost>;
  /**
   * Whether private messages are shown in the channel itself, as in the local chat. Their buttons then act in that channel, and
   * not in a private conversation, which has none of its settings.
   */
  readonly isPrivateInChannel?: boolean;
  /** What a person may do in a channel now, without a request from them. Undefined if the platform does not say. */
  membershipOf(channel: ChannelRef, person: string): Promise<Membership | undefined>;
  /** A request that changes nothing, and that resolves if the platform can be reached. */
  reach?(): Promise<void>;
  /** A private message to a person, perhaps twice. */
  notify(channel: ChannelRef, person: string, reply: Reply): Promise<void>;
}

/**
 * How a post failed. `later`: nothing was posted, try again (not before `retryAfter` milliseconds);
 * `unknown`: it may have been posted; `refused`: the channel refuses until someone changes something there;
 * `removed`: the bot is not in this tenant, perhaps only because its token is of another application or workspace; `closed`:
 * people have removed or locked the thread or message that it belongs to; `invalid`: the platform will never take this message.
 */
export type PostFailureKind = 'later' | 'unknown' | 'refused' | 'removed' | 'closed' | 'invalid';

export class PostFailure extends Error {
  override readonly name = 'PostFailure';
  readonly kind: PostFailureKind;
  readonly retryAfter: number | undefined;
  readonly missingRequirements: readonly MissingRequirement[];
  /** Whether the bot itself failed, and not the platform or the network. Its cause is then logged with its stack. */
  readonly isFault: boolean;

  /** @param message for logs and for the person who manages the channel: without secrets and tokens */
  constructor(
    kind: PostFailureKind,
    message: string,
    more: {
      retryAfter?: number;
      missingRequirements?: readonly MissingRequirement[];
      isFault?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.retryAfter = more.retryAfter;
    this.missingRequirements = more.missingRequirements ?? [];
    this.isFault = more.isFault ?? false;
  }

  /** Whether the same request may succeed at another time. */
  get mayPass(): boolean {
    return this.kind === 'later' || this.kind === 'unknown';
  }
}

/** Something that the bot needs in a channel and does not have. */
export interface MissingRequirement {
  /** A name such as `Send Messages in Threads` or `a channel that is not archived`. */
  readonly what: string;
  /** A sentence that says how to give it to the bot. */
  readonly how: string;
}
