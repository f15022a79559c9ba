import type { Lack, OpeningPost, Posted, Poster, Spot, ThreadPost } from '../../src/daily/types.ts';
import { PostFailure } from '../../src/daily/types.ts';
import type { Reply } from '../../src/reply/types.ts';

/** A message as it stands on the made-up platform. */
export interface Shown {
  readonly id: string;
  readonly spot: Spot;
  readonly key: string;
  readonly reply: Reply;
  /** Of a message in a thread. */
  readonly thread?: string;
  readonly threadName?: string;
  readonly ping?: string | null;
}

/** What goes wrong with one request: before the platform acts, or after it, when only the answer is lost. */
export type Fault = 'later' | 'lost' | 'lost-after' | 'twice' | 'refused' | 'removed' | 'invalid';

/**
 * A platform with a door in one: it keeps messages, and can be made to misbehave at every request. Like a
 * real door it looks for the key before sending again, and only then; the platform itself takes anything.
 */
export class FakePlatform implements Poster {
  readonly door: string;
  readonly messages: Shown[] = [];
  readonly threads = new Map<string, { readonly spot: Spot; archived: boolean }>();
  readonly told: { spot: Spot; person: string; reply: Reply }[] = [];
  /** What goes wrong with the next requests. */
  fault: (request: {
    readonly what: 'message' | 'thread' | 'look';
    readonly spot: Spot;
  }) => Fault | undefined = () => undefined;
  lacking: (spot: Spot) => readonly Lack[] = () => [];
  requests = 0;
  /** Requests that take a moment, so that others come in between. */
  pause: () => Promise<void> = async () => {};

  constructor(door = 'web') {
    this.door = door;
  }

  async open(post: OpeningPost): Promise<Posted> {
    const message =
      post.posted?.message ?? (await this.#send(post, { threadName: post.threadName, ping: post.ping }));
    if (!(await post.note({ message }))) throw new PostFailure('unknown', 'taken by another process');
    const thread = await this.#request('thread', post.spot, () => {
      // As on Discord: a thread has its message's id, and starting it twice is harmless.
      const id = `t${message}`;
      if (!this.threads.has(id)) this.threads.set(id, { spot: post.spot, archived: false });
      return id;
    });
    await post.note({ message, thread });
    return { message, thread };
  }

  async post(post: ThreadPost): Promise<Posted> {
    const { thread } = post.thread;
    if (thread === undefined || !this.threads.has(thread)) throw new Error(`no thread ${thread}`);
    const message = post.posted?.message ?? (await this.#send(post, { thread }));
    await post.note({ message });
    return { message };
  }

  async archive(_: Spot, { thread }: Posted): Promise<void> {
    const found = this.threads.get(thread ?? '');
    if (found !== undefined) found.archived = true;
  }

  async edit(): Promise<void> {}

  async lacks(spot: Spot): Promise<readonly Lack[]> {
    return this.lacking(spot);
  }

  async tell(spot: Spot, person: string, reply: Reply): Promise<boolean> {
    this.told.push({ spot, person, reply });
    return true;
  }

  in({ tenant, channel }: Spot): Shown[] {
    return this.messages.filter(({ spot }) => spot.tenant === tenant && spot.channel === channel);
  }

  async #send(post: OpeningPost | ThreadPost, more: Partial<Shown>): Promise<string> {
    if (post.outcomeUnknown) {
      const found = await this.#request('look', post.spot, () =>
        this.messages.find(({ key }) => key === post.key),
      );
      if (found !== undefined) return found.id;
    }
    return this.#request('message', post.spot, () => {
      const id = `m${this.messages.length + 1}`;
      this.messages.push({ id, spot: post.spot, key: post.key, reply: post.reply, ...more });
      return id;
    });
  }

  async #request<T>(what: 'message' | 'thread' | 'look', spot: Spot, act: () => T): Promise<T> {
    this.requests++;
    await this.pause();
    const fault = this.fault({ what, spot });
    switch (fault) {
      case undefined:
      case 'twice':
        break;
      case 'later':
        throw new PostFailure('later', 'the platform asks to wait', { retryAfter: 10_000 });
      case 'lost':
        throw new PostFailure('unknown', 'the connection broke');
      case 'lost-after':
        act();
        throw new PostFailure('unknown', 'the connection broke');
      default:
        throw new PostFailure(fault, `the platform says ${fault}`);
    }
    return act();
  }
}
