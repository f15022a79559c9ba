import { type ChannelRef, channelKey, type DoorName } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { AnswerSteps } from '../../src/daily/delivery/messages.ts';
import {
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PrivatePost,
  type StoredPost,
  type ThreadPost,
} from '../../src/dispatch/poster.ts';
import { type Newspaper, NewspaperError } from '../../src/puzzle/newspaper.ts';
import type { PuzzleService } from '../../src/puzzle/service.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { threadStepsReply } from '../../src/reply/replies/thread-steps.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { PlayableWord } from '../../src/solver/types.ts';
import { WORDS as SMALL_WORDS } from '../fakes/small-board.ts';
import { BOARD, WORDS } from '../reply/setting.ts';

/** A message on the fake platform. */
export interface Shown {
  readonly id: string;
  readonly at: number;
  readonly channel: ChannelRef;
  readonly key: string;
  readonly mergedKeys: readonly string[];
  readonly reply: Reply;
  readonly quiet: boolean | undefined;
  readonly fold: boolean | undefined;
  /** Set for a message in a thread. */
  readonly thread?: string;
  readonly threadName?: string;
  readonly ping?: string | null;
  /** Set for a private message. */
  readonly person?: string;
}

/** What somebody who watches the platform sees the bot do. */
export type Seen =
  | { readonly what: 'look' }
  | { readonly what: 'message' | 'deletion'; readonly shown: Shown }
  | { readonly what: 'notice'; readonly person: string }
  | { readonly what: 'archive'; readonly channel: ChannelRef; readonly thread: string };

/** What goes wrong with one request: before the platform acts, or after it, when only the answer is lost. */
export type Fault = 'later' | 'lost' | 'lost-after' | 'refused' | 'removed' | 'invalid';

/**
 * A platform and its poster in one: it keeps messages, and tests choose what goes wrong with each request. Like
 * a real poster it looks for the key before it sends again; the platform itself accepts duplicates.
 */
export class FakePlatform implements Poster {
  readonly door: DoorName;
  readonly messages: Shown[] = [];
  readonly threads = new Map<string, { readonly channel: ChannelRef; archived: boolean }>();
  readonly notices: { channel: ChannelRef; person: string; reply: Reply }[] = [];
  /** What goes wrong with the next requests. */
  fault: (request: {
    readonly what: 'message' | 'thread' | 'look';
    readonly channel: ChannelRef;
  }) => Fault | undefined = () => undefined;
  missing: (channel: ChannelRef) => readonly MissingRequirement[] | Promise<readonly MissingRequirement[]> =
    () => [];
  requests = 0;
  /** When a message is posted: a search finds none of before its moment. */
  now: () => number = () => 0;
  /** Called with what anybody could see of the bot there: a search, a message, one that is deleted, a notice, a closed thread. */
  watch: (seen: Seen) => void = () => {};
  #sent = 0;
  /** Requests that take a moment, so that others come in between. */
  pause: () => Promise<void> = async () => {};
  /** Between the check of the lease for a message and its request, and between the request and its answer. */
  beforeSending: () => Promise<void> = async () => {};
  afterSending: () => Promise<void> = async () => {};

  constructor(door: DoorName = 'web') {
    this.door = door;
  }

  /** As on Discord, where a channel's first opening checks the requirements before anything is posted. */
  async open(post: OpeningPost): Promise<StoredPost> {
    const missingRequirements = post.recentOpening === undefined ? await this.missing(post.channel) : [];
    if (missingRequirements.length > 0)
      throw new PostFailure('refused', 'lacks rights', { missingRequirements });
    const { message = '' } = await this.#send(post, { threadName: post.threadName, ping: post.ping });
    const thread = await this.#request('thread', post.channel, () => {
      // A thread has its message's id, and starting it twice is harmless, as on Discord.
      const id = `t${message}`;
      if (!this.threads.has(id)) this.threads.set(id, { channel: post.channel, archived: false });
      return id;
    });
    return post.record({ message, thread });
  }

  async post(post: ThreadPost): Promise<StoredPost> {
    if (post.thread === undefined) return this.#send(post, {});
    const { thread } = post.thread;
    if (thread === undefined || !this.threads.has(thread)) throw new Error(`no thread ${thread}`);
    return this.#send(post, { thread });
  }

  postPrivately(post: PrivatePost): Promise<StoredPost> {
    return this.#send(post, { person: post.person });
  }

  /** Set where the bot may not read what is posted. */
  isUnreadable = false;

  async archive(_: ChannelRef, { thread }: Posted): Promise<void> {
    const found = this.threads.get(thread ?? '');
    if (found === undefined) return;
    found.archived = true;
    this.watch({ what: 'archive', channel: found.channel, thread: thread! });
  }

  async edit(_: ChannelRef, { message }: Posted, reply: Reply): Promise<void> {
    const at = this.messages.findIndex(({ id }) => id === message);
    if (at < 0) throw new PostFailure('invalid', 'there is no such message');
    this.messages[at] = { ...this.messages[at]!, reply };
  }

  async missingRequirements(channel: ChannelRef): Promise<readonly MissingRequirement[]> {
    return this.missing(channel);
  }

  async membershipOf() {
    return 'member' as const;
  }

  async notify(channel: ChannelRef, person: string, reply: Reply): Promise<void> {
    this.notices.push({ channel, person, reply });
    this.watch({ what: 'notice', person });
  }

  in(wanted: ChannelRef): Shown[] {
    return this.messages.filter(({ channel }) => channelKey(channel) === channelKey(wanted));
  }

  #since(moment: number, channel: ChannelRef): Shown[] {
    return this.in(channel).filter(({ at }) => this.now() === 0 || at >= moment);
  }

  async #send(post: Post, more: Partial<Shown>): Promise<StoredPost> {
    if (post.posted?.message !== undefined) return post.record(post.posted);
    if (post.outcomeUnknown) {
      // A post that can't be looked for is not sent again, as in the doors.
      if (this.isUnreadable) throw new PostFailure('refused', 'the channel can not be read');
      const found = await this.#request('look', post.channel, () =>
        this.#since(post.since, post.channel).find(({ key, mergedKeys }) =>
          [key, ...mergedKeys].includes(post.key),
        ),
      );
      if (found !== undefined) return post.record({ message: found.id });
    }
    const message = await this.#request('message', post.channel, async () => {
      await post.checkLease();
      await this.beforeSending();
      const id = `m${++this.#sent}`;
      const { channel, key, mergedKeys = [], reply, quiet, fold } = post;
      this.messages.push({ id, at: this.now(), channel, key, mergedKeys, reply, quiet, fold, ...more });
      this.watch({ what: 'message', shown: this.messages.at(-1)! });
      await this.afterSending();
      return id;
    });
    return post.recordSent({ message }, async () => {
      const at = this.messages.findIndex(({ id }) => id === message);
      for (const shown of this.messages.splice(at, 1)) this.watch({ what: 'deletion', shown });
    });
  }

  async #request<T>(
    what: 'message' | 'thread' | 'look',
    channel: ChannelRef,
    act: () => T | Promise<T>,
  ): Promise<T> {
    this.requests++;
    if (what === 'look') this.watch({ what });
    await this.pause();
    const fault = this.fault({ what, channel });
    switch (fault) {
      case undefined:
        break;
      case 'later':
        throw new PostFailure('later', 'the platform asks to wait', { retryAfter: 10_000 });
      case 'lost':
        throw new PostFailure('unknown', 'the connection broke');
      case 'lost-after':
        await act();
        throw new PostFailure('unknown', 'the connection broke');
      default:
        throw new PostFailure(fault, `the platform says ${fault}`);
    }
    return act();
  }
}

/** The house's board in place of the newspaper's, which can't be reached. */
export const FALLBACK = { source: 'house', isFallback: true } as const;

/** A newspaper with one board for all days, which may be out of reach. Its dictionary has the words of the small board. */
export class FakePaper implements Newspaper {
  isDown = false;
  /** When it was asked. */
  readonly asked: number[] = [];
  readonly #puzzle: Pick<Puzzle, 'board' | 'par' | 'official'>;
  readonly #now: () => number;

  constructor(puzzle: Pick<Puzzle, 'board' | 'par' | 'official'>, now: () => number = () => 0) {
    this.#puzzle = puzzle;
    this.#now = now;
  }

  async ask(date: PuzzleDate): ReturnType<Newspaper['ask']> {
    this.asked.push(this.#now());
    if (this.isDown)
      return { ok: false, error: new NewspaperError('unreachable', 'nobody answers'), requests: 1 };
    const dictionary = SMALL_WORDS.map(({ word }) => ({ word, obscure: false }));
    const puzzle = { date, source: 'newspaper', dictionary, ...this.#puzzle } as const;
    return { ok: true, puzzle, dropped: 0, unread: [], way: 'service', requests: 1 };
  }
}

/** Puzzles with one board for all days. `asked` may change it, throw, or let something happen each time. */
export function fakePuzzleService(
  asked: () => Partial<Puzzle> | undefined | Promise<undefined> = () => ({}),
): PuzzleService {
  return {
    allowed: (source) => source,
    puzzleOf: async (date) => ({ date, source: 'newspaper', board: BOARD, par: 4, ...(await asked()) }),
    allowRetry: async () => {},
    makeToday: async () => undefined,
    dayOf: async () => undefined,
    knownDayOf: async () => undefined,
    boardsOn: async () => [],
    daysOf: async () => [],
    wordSource: async () => ({ dictionary: WORDS.map(({ word }) => ({ word, obscure: false })) }),
    setByHand: async () => ({}),
  };
}

/** Answers with the steps of any puzzle as if these words were the game's own list. */
export function fakeSteps(words: readonly PlayableWord[] = WORDS, isListExact = true): AnswerSteps {
  return async (puzzle, steps, audience = 'everyone') =>
    threadStepsReply({ puzzle, steps, search: makeSearch(puzzle.board, words), isListExact, audience });
}
