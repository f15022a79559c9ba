import type { SSEStreamingApi } from 'hono/streaming';
import type { Clock } from '../../core/clock.ts';
import { KeyedQueue } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import { packAction } from '../../reply/model/action.ts';
import type { ChatMessage, ChatRoom, RoomEvent, WebPerson } from './chat-room.ts';
import { type MessageView, viewOf } from './view.ts';

/** Often enough that no proxy takes the connection for an idle one, in milliseconds. */
const HEARTBEAT_MS = 20_000;

export interface EventStreamOptions {
  readonly app: App;
  readonly room: ChatRoom;
  readonly clock: Clock;
}

/** Server-sent events for one open page: first everything that its person may see, then every change. */
export class EventStream {
  readonly #person: WebPerson;
  readonly #options: EventStreamOptions;
  readonly #ended = Promise.withResolvers<void>();
  /** Makes one view after the other, so that messages arrive in order. */
  readonly #turns = new KeyedQueue();
  #stream: SSEStreamingApi | undefined;

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
    const heartbeat = setInterval(() => void stream.write(': heartbeat\n\n'), HEARTBEAT_MS).unref();
    await this.#ended.promise;
    clearInterval(heartbeat);
    stopListening();
  }

  /** Called when somebody has moved the clock: the page shows its time. */
  sendClock(): void {
    this.#enqueue(() => this.#send('clock', { now: this.#options.clock.now() }));
  }

  close(): void {
    this.#ended.resolve();
  }

  async #sendState({ messages, threads }: ReturnType<ChatRoom['visibleTo']>): Promise<void> {
    const views = await Promise.all(messages.map((message) => this.#view(message)));
    await this.#send('state', { now: this.#options.clock.now(), messages: views, threads });
  }

  async #sendEvent(event: RoomEvent): Promise<void> {
    if (event.kind === 'thread') await this.#send('thread', event.thread);
    else await this.#send(event.kind, await this.#view(event.message));
  }

  #view(message: ChatMessage): Promise<MessageView> {
    return viewOf(message, this.#person.id, (action, asker) => packAction(action, this.#options.app, asker));
  }

  #enqueue(send: () => Promise<void>): void {
    this.#turns.run('view', send).catch((error: unknown) => {
      this.#options.app.log.error({ err: error, door: 'web' }, 'an event stream of the chat page failed');
      // The page connects again by itself, and then gets the whole state.
      this.close();
    });
  }

  async #send(event: string, data: unknown): Promise<void> {
    await this.#stream?.writeSSE({ event, data: JSON.stringify(data) });
  }
}
