import { randomUUID } from 'node:crypto';
import type { Reply } from '../../reply/model/types.ts';

/** Older messages make room for new ones. */
const MOST_KEPT = 500;

/** A message in the channel or in one of its threads. */
export interface Message {
  readonly id: string;
  readonly at: number;
  /** Undefined in the channel itself. */
  readonly thread?: string;
  reply: Reply;
  /** How often: browsers ask for a picture again only under another address. */
  changes?: number;
  /** Who asked for it, and what they typed or pressed; undefined for what the bot posts by itself. */
  readonly asker?: { readonly id: string; readonly name: string; readonly asked: string };
  /** The only person who may see it; undefined when everyone may. */
  readonly only?: string;
}

export interface Thread {
  readonly id: string;
  readonly title: string;
  /** The message in the channel that it hangs on. */
  readonly opener: string;
  closed: boolean;
}

export type RoomEvent =
  | { readonly kind: 'message' | 'change'; readonly message: Message }
  | { readonly kind: 'thread'; readonly thread: Thread };
export type Listener = (event: RoomEvent) => void;

/** All that was said in the one channel of the local chat, in memory, and who is told of more. */
export class Room {
  readonly #messages = new Map<string, Message>();
  readonly #threads = new Map<string, Thread>();
  readonly #listeners = new Set<{ person: string; tell: Listener }>();
  /**
   * Part of every id: a store or a browser's cache that outlives this process must not take a thread or a
   * picture of the next one for its own.
   */
  readonly #run = randomUUID().slice(0, 8);
  #last = 0;

  add(message: Omit<Message, 'id'>): Message {
    const added: Message = { ...message, id: this.#newId() };
    this.#messages.set(added.id, added);
    this.#makeRoom();
    this.#tell({ kind: 'message', message: added }, added.only);
    return added;
  }

  change(id: string, reply: Reply): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return false;
    message.reply = reply;
    message.changes = (message.changes ?? 0) + 1;
    this.#tell({ kind: 'change', message }, message.only);
    return true;
  }

  openThread(opener: string, title: string): Thread {
    const thread: Thread = { id: this.#newId(), title, opener, closed: false };
    this.#threads.set(thread.id, thread);
    this.#tell({ kind: 'thread', thread });
    return thread;
  }

  closeThread(id: string): void {
    const thread = this.#threads.get(id);
    if (thread === undefined) return;
    thread.closed = true;
    this.#tell({ kind: 'thread', thread });
  }

  thread(id: string): Thread | undefined {
    return this.#threads.get(id);
  }

  /** What this person may see of it: undefined when it is gone, or somebody else's. */
  message(id: string, person: string): Message | undefined {
    const message = this.#messages.get(id);
    return message !== undefined && isFor(message, person) ? message : undefined;
  }

  seenBy(person: string): { messages: Message[]; threads: Thread[] } {
    const messages = [...this.#messages.values()].filter((message) => isFor(message, person));
    return { messages, threads: [...this.#threads.values()] };
  }

  /** Told of everything this person may see from now on, until the function returned is called. */
  listen(person: string, tell: Listener): () => void {
    const listener = { person, tell };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #newId(): string {
    return `${this.#run}-${++this.#last}`;
  }

  #tell(event: RoomEvent, only?: string): void {
    for (const { person, tell } of this.#listeners) {
      if (only === undefined || only === person) tell(event);
    }
  }

  #makeRoom(): void {
    while (this.#messages.size > MOST_KEPT) {
      const [oldest] = this.#messages.keys();
      this.#messages.delete(oldest!);
      for (const thread of this.#threads.values()) {
        if (thread.opener === oldest) this.#threads.delete(thread.id);
      }
    }
  }
}

function isFor({ only }: Message, person: string): boolean {
  return only === undefined || only === person;
}
