import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Clock } from '../../core/clock.ts';
import {
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PostSearch,
  type PrivatePost,
  type Standing,
  type ThreadPost,
} from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { ChatRoom } from './chat-room.ts';

const GONE: Reply = {
  title: 'The day’s thread is gone after a restart',
  blocks: [
    {
      kind: 'text',
      lines: [
        'This chat keeps its messages only while the bot runs. What was still to come in that thread is left out; the next board opens another one.',
        ['Until then, for you alone: ', { command: 'hint' }, '.'],
      ],
    },
  ],
  audience: 'everyone',
};

/** More than a week of posts; nobody asks for older ones. */
const POSTS_KEPT = 100;

/**
 * Posts the daily thread into the local chat: one channel in memory, where the only possible failure is a
 * thread that a restart has ended.
 */
export class WebPoster implements Poster {
  readonly door = 'web';
  readonly isPrivateInChannel = true;
  readonly #room: ChatRoom;
  readonly #clock: Clock;
  readonly #posted = new LRUCache<string, Posted>({ max: POSTS_KEPT });
  /** No thread was opened since the start, and no notice posted about the lost one. */
  #mayNotify = true;

  constructor(room: ChatRoom, clock: Clock) {
    this.#room = room;
    this.#clock = clock;
  }

  open({ reply, threadName, ...post }: OpeningPost): Promise<Posted> {
    return this.#once(post, () => {
      this.#mayNotify = false;
      const message = this.#add(reply);
      return { message, thread: this.#room.openThread(message, threadName).id };
    });
  }

  linkTo(_: ChannelRef, { thread }: Posted): string | undefined {
    return thread && `#${thread}`;
  }

  post({ reply, thread, ...post }: ThreadPost): Promise<Posted> {
    return this.#once(post, () => {
      const id = thread.thread;
      if (id === undefined || this.#room.thread(id) === undefined) {
        this.#notifyOnce();
        // That ends this day's thread, not the subscription: the next board opens another.
        throw new PostFailure('invalid', 'the thread is gone');
      }
      return { message: this.#add(reply, { thread: id }), thread: id };
    });
  }

  postPrivately({ reply, person, ...post }: PrivatePost): Promise<Posted> {
    return this.#once(post, () => ({ message: this.#add(reply, { only: person }) }));
  }

  async find({ keys }: PostSearch): Promise<Map<string, Posted>> {
    return new Map(
      keys.flatMap((key) => {
        const known = this.#posted.get(key);
        return known === undefined ? [] : [[key, known] as const];
      }),
    );
  }

  async archive(_: ChannelRef, { thread }: Posted): Promise<void> {
    if (thread !== undefined) this.#room.closeThread(thread);
  }

  async edit(_: ChannelRef, { message }: Posted, reply: Reply): Promise<void> {
    if (message === undefined || !this.#room.change(message, reply))
      throw new PostFailure('invalid', 'the message is gone');
  }

  async missingRequirements(): Promise<[]> {
    return [];
  }

  async standingOf(): Promise<Standing> {
    return 'member';
  }

  async notify(_: ChannelRef, person: string, reply: Reply): Promise<boolean> {
    this.#add(reply, { only: person });
    return true;
  }

  async #once({ key, note }: Pick<Post, 'key' | 'note'>, post: () => Posted): Promise<Posted> {
    const done = this.#posted.get(key) ?? post();
    this.#posted.set(key, done);
    await note(done);
    return done;
  }

  #add(reply: Reply, more: { thread?: string; only?: string } = {}): string {
    return this.#room.add({ at: this.#clock.now(), reply, ...more }).id;
  }

  /** To the whole channel: the person who moves the clock sees why nothing is posted. */
  #notifyOnce(): void {
    if (this.#mayNotify) this.#add(GONE);
    this.#mayNotify = false;
  }
}
