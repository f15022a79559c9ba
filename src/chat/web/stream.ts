import type { ServerResponse } from 'node:http';
import type { Log } from '../../core/log.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { WebPerson } from './people.ts';
import type { Room, RoomEvent } from './room.ts';
import { viewOf } from './view.ts';

const HEARTBEAT = 20_000;

export interface StreamOptions {
  readonly room: Room;
  readonly dispatcher: Dispatcher;
  readonly now: () => number;
  readonly log: Log;
}

/** Server-sent events for one person: first all they may see, then whatever comes. */
export class Stream {
  readonly #response: ServerResponse;
  readonly #person: WebPerson;
  readonly #options: StreamOptions;
  readonly #stopListening: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  /** Views are made one after the other, so that messages arrive in order. */
  #last: Promise<void> = Promise.resolve();

  constructor(response: ServerResponse, person: WebPerson, options: StreamOptions) {
    this.#response = response;
    this.#person = person;
    this.#options = options;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const seen = options.room.seenBy(person.id);
    this.#queue(() => this.#sendState(seen));
    this.#stopListening = options.room.listen(person.id, (event) =>
      this.#queue(() => this.#sendEvent(event)),
    );
    this.#heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT).unref();
    response.on('close', () => this.close());
  }

  clockMoved(): void {
    this.#queue(async () => this.#send('clock', { now: this.#options.now() }));
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#stopListening();
    this.#response.end();
  }

  async #sendState({ messages, threads }: ReturnType<Room['seenBy']>): Promise<void> {
    const { dispatcher, now } = this.#options;
    const views = await Promise.all(messages.map((message) => viewOf(message, this.#person.id, dispatcher)));
    this.#send('state', { now: now(), messages: views, threads });
  }

  async #sendEvent(event: RoomEvent): Promise<void> {
    if (event.kind === 'thread') this.#send('thread', event.thread);
    else this.#send(event.kind, await viewOf(event.message, this.#person.id, this.#options.dispatcher));
  }

  #queue(send: () => Promise<void>): void {
    this.#last = this.#last.then(send).catch((error: unknown) => {
      this.#options.log.error({ err: error, door: 'web' }, 'a stream of the page failed');
      // Its page connects again by itself, and is then told everything anew.
      this.close();
    });
  }

  #send(event: string, data: unknown): void {
    if (this.#response.writableEnded) return;
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
