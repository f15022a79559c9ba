import type { SSEStreamingApi } from 'hono/streaming';
import type { Log } from '../../core/log.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { ChatRoom, RoomEvent, WebPerson } from './chat-room.ts';
import { viewOf } from './view.ts';

/** Often enough that no proxy takes the connection for an idle one, in milliseconds. */
const HEARTBEAT = 20_000;

export interface EventStreamOptions {
  readonly room: ChatRoom;
  readonly dispatcher: Dispatcher;
  readonly now: () => number;
  readonly log: Log;
}

/** Server-sent events for one open page: first all that its person may see, then every change. */
export class EventStream {
  readonly #person: WebPerson;
  readonly #options: EventStreamOptions;
  readonly #ended = Promise.withResolvers<void>();
  #stream: SSEStreamingApi | undefined;
  /** Views are made one after the other, so that messages arrive in order. */
  #last: Promise<void> = Promise.resolve();

  constructor(person: WebPerson, options: EventStreamOptions) {
    this.#person = person;
    this.#options = options;
  }

  /** Resolves when the page is gone or the stream is closed. */
  async run(stream: SSEStreamingApi): Promise<void> {
    const { room } = this.#options;
    this.#stream = stream;
    stream.onAbort(() => this.close());
    const visible = room.visibleTo(this.#person.id);
    this.#enqueue(() => this.#sendState(visible));
    const stopListening = room.listen(this.#person.id, (event) =>
      this.#enqueue(() => this.#sendEvent(event)),
    );
    const heartbeat = setInterval(() => void stream.write(': heartbeat\n\n'), HEARTBEAT).unref();
    await this.#ended.promise;
    clearInterval(heartbeat);
    stopListening();
  }

  clockMoved(): void {
    this.#enqueue(() => this.#send('clock', { now: this.#options.now() }));
  }

  close(): void {
    this.#ended.resolve();
  }

  async #sendState({ messages, threads }: ReturnType<ChatRoom['visibleTo']>): Promise<void> {
    const { dispatcher, now } = this.#options;
    const views = await Promise.all(messages.map((message) => viewOf(message, this.#person.id, dispatcher)));
    await this.#send('state', { now: now(), messages: views, threads });
  }

  async #sendEvent(event: RoomEvent): Promise<void> {
    if (event.kind === 'thread') await this.#send('thread', event.thread);
    else await this.#send(event.kind, await viewOf(event.message, this.#person.id, this.#options.dispatcher));
  }

  #enqueue(send: () => Promise<void>): void {
    this.#last = this.#last.then(send).catch((error: unknown) => {
      this.#options.log.error({ err: error, door: 'web' }, 'an event stream of the chat page failed');
      // The page connects again by itself, and then gets the whole state.
      this.close();
    });
  }

  async #send(event: string, data: unknown): Promise<void> {
    await this.#stream?.writeSSE({ event, data: JSON.stringify(data) });
  }
}
