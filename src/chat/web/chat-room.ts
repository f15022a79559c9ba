import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Clock } from '../../core/clock.ts';
import {
  type Membership,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PrivatePost,
  type StoredPost,
  type ThreadPost,
} from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Thread } from '../../web/chat/views.ts';

/** The one channel of the local chat. */
export const CHANNEL: ChannelRef = { tenant: 'web:local', channel: 'general' };

export interface WebPerson {
  readonly id: string;
  readonly name: string;
  readonly mayManage: boolean;
}

/** Made-up people, so that somebody who tries the bot alone can see what others see. */
export const PEOPLE: readonly WebPerson[] = [
  { id: 'ada', name: 'Ada', mayManage: true },
  { id: 'ben', name: 'Ben', mayManage: false },
  { id: 'cleo', name: 'Cleo', mayManage: false },
];

export interface ChatMessage {
  readonly id: string;
  readonly at: number;
  /** Undefined in the channel itself. */
  readonly thread?: string;
  reply: Reply;
  /** How often it was changed: browsers load a picture again only from another address. */
  changes?: number;
  /** Who asked for it, and what they typed or pressed; undefined for what the bot posts by itself. */
  readonly asker?: { readonly id: string; readonly name: string; readonly asked: string };
  /** The only person who may see it; undefined when everyone may. */
  readonly only?: string;
}

export type RoomEvent =
  | { readonly kind: 'message' | 'change'; readonly message: ChatMessage }
  | { readonly kind: 'thread'; readonly thread: Thread };
export type Listener = (event: RoomEvent) => void;

/** Older messages are dropped, with their threads. */
const MAX_MESSAGES = 500;

/** The messages and threads of the local chat's one channel, in memory, and the listeners for new ones. */
export class ChatRoom {
  readonly #messages = new Map<string, ChatMessage>();
  readonly #threads = new Map<string, Thread>();
  readonly #listeners = new Set<{ person: string; listener: Listener }>();
  /**
   * Part of every id: a store or a browser's cache that outlives this process must not mistake a thread or a
   * picture of the next process for an old one.
   */
  readonly #run = randomUUID().slice(0, 8);
  #last = 0;

  add(message: Omit<ChatMessage, 'id'>): ChatMessage {
    const added: ChatMessage = { ...message, id: this.#newId() };
    this.#messages.set(added.id, added);
    this.#dropOldest();
    this.#emit({ kind: 'message', message: added }, added.only);
    return added;
  }

  /** False when the message is gone. */
  change(id: string, reply: Reply): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return false;
    message.reply = reply;
    message.changes = (message.changes ?? 0) + 1;
    this.#emit({ kind: 'change', message }, message.only);
    return true;
  }

  openThread(openingMessage: string, title: string): Thread {
    const thread: Thread = { id: this.#newId(), title, openingMessage, closed: false };
    this.#threads.set(thread.id, thread);
    this.#emit({ kind: 'thread', thread });
    return thread;
  }

  closeThread(id: string): void {
    const open = this.#threads.get(id);
    if (open === undefined) return;
    const thread = { ...open, closed: true };
    this.#threads.set(id, thread);
    this.#emit({ kind: 'thread', thread });
  }

  thread(id: string): Thread | undefined {
    return this.#threads.get(id);
  }

  /** Undefined when the message is gone, or is another person's alone. */
  message(id: string, person: string): ChatMessage | undefined {
    const message = this.#messages.get(id);
    return message !== undefined && isVisible(message, person) ? message : undefined;
  }

  visibleTo(person: string): { messages: ChatMessage[]; threads: Thread[] } {
    const messages = [...this.#messages.values()].filter((message) => isVisible(message, person));
    return { messages, threads: [...this.#threads.values()] };
  }

  /** Calls the listener for every event that this person may see, until the returned function is called. */
  listen(person: string, listener: Listener): () => void {
    const entry = { person, listener };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  #newId(): string {
    return `${this.#run}-${++this.#last}`;
  }

  #emit(event: RoomEvent, only?: string): void {
    for (const { person, listener } of this.#listeners) {
      if (only === undefined || only === person) listener(event);
    }
  }

  #dropOldest(): void {
    while (this.#messages.size > MAX_MESSAGES) {
      const [oldest] = this.#messages.keys();
      this.#messages.delete(oldest!);
      for (const thread of this.#threads.values()) {
        if (thread.openingMessage === oldest) this.#threads.delete(thread.id);
      }
    }
  }
}

function isVisible({ only }: ChatMessage, person: string): boolean {
  return only === undefined || only === person;
}

/** More than a week of posts; nobody asks for older ones. */
const MAX_POSTS_KEPT = 100;

/**
 * Posts the daily thread into the local chat. Where a thread is gone, as after a restart, its posts go into the channel. A change can
 * fail: its message may be gone, too.
 */
export class WebPoster implements Poster {
  readonly door = 'web';
  readonly isPrivateInChannel = true;
  readonly #room: ChatRoom;
  readonly #clock: Clock;
  /** What was posted, by the keys of the posts. */
  readonly #posted = new LRUCache<string, Posted>({ max: MAX_POSTS_KEPT });

  constructor(room: ChatRoom, clock: Clock) {
    this.#room = room;
    this.#clock = clock;
  }

  open({ reply, threadName, ...post }: OpeningPost): Promise<StoredPost> {
    return this.#postOnce(post, () => {
      const message = this.#add(reply);
      return { message, thread: this.#room.openThread(message, threadName).id };
    });
  }

  linkTo(_: ChannelRef, { thread }: Posted): string | undefined {
    return thread && `#${thread}`;
  }

  post({ reply, thread, ...post }: ThreadPost): Promise<StoredPost> {
    return this.#postOnce(post, () => {
      const id = thread?.thread;
      if (id === undefined || this.#room.thread(id) === undefined) return { message: this.#add(reply) };
      return { message: this.#add(reply, { thread: id }), thread: id };
    });
  }

  postPrivately({ reply, person, ...post }: PrivatePost): Promise<StoredPost> {
    return this.#postOnce(post, () => ({ message: this.#add(reply, { only: person }) }));
  }

  async archive(_: ChannelRef, { thread }: Posted): Promise<void> {
    if (thread !== undefined) this.#room.closeThread(thread);
  }

  async edit(_: ChannelRef, { message }: Posted, reply: Reply): Promise<void> {
    if (message === undefined || !this.#room.change(message, reply))
      throw new PostFailure('closed', 'the message is gone');
  }

  async missingRequirements(): Promise<[]> {
    return [];
  }

  async membershipOf(): Promise<Membership> {
    return 'member';
  }

  async notify(_: ChannelRef, person: string, reply: Reply): Promise<void> {
    this.#add(reply, { only: person });
  }

  async #postOnce(post: Omit<Post, 'reply'>, add: () => Posted): Promise<StoredPost> {
    await post.checkLease();
    // An earlier attempt may have posted, or another one while the lease was checked.
    const posted = this.#posted.get(post.key) ?? add();
    this.#posted.set(post.key, posted);
    // No other process has this room, so nothing has to be removed.
    return post.recordSent(posted, async () => {});
  }

  #add(reply: Reply, more: { thread?: string; only?: string } = {}): string {
    return this.#room.add({ at: this.#clock.now(), reply, ...more }).id;
  }
}
