import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections of a server so that somebody who opens thousands of them keeps nobody else out. When
 * there are too many, the one is closed that has been waiting longest for its client: for the rest of a request,
 * or for the next one. Connections whose request is being answered are left alone.
 */
export class Connections {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Those that wait for their client, the longest first. */
  readonly #waiting = new Set<Socket>();

  constructor(server: Server, max: number) {
    this.#max = max;
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#answer(request, response),
    );
  }

  #add(socket: Socket): void {
    this.#open.add(socket);
    this.#waiting.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#waiting.delete(socket);
    });
    if (this.#open.size <= this.#max) return;
    const [longest = socket] = this.#waiting;
    this.#open.delete(longest);
    this.#waiting.delete(longest);
    longest.destroy();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // A body that comes slowly keeps its place in the queue.
    if (length === '0' && encoding === undefined) this.#waiting.delete(socket);
    else request.once('end', () => this.#waiting.delete(socket));
    response.once('close', () => {
      if (this.#open.has(socket)) this.#waiting.add(socket);
    });
  }
}
