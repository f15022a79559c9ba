/** A made-up platform over HTTP: it takes any message, keeps its key as Slack keeps metadata, and can be looked through. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Post, type Posted, type Poster, PostFailure } from '../../../src/dispatch/poster.ts';
import type { Mischief, ServedPlatform } from './platform.ts';

interface Message {
  readonly id: string;
  readonly channel: string;
  readonly key: string;
  /** Further keys, separated by spaces. */
  readonly also: string | undefined;
}

const SLOW = 40;
/** Milliseconds. No mischief relies on it: on a busy machine an answer may take seconds. */
const TIMEOUT = 60_000;

export async function serve(): Promise<ServedPlatform> {
  const messages: Message[] = [];
  const threads = new Map<string, string>();
  let requests = 0;
  const served = {
    mischief: (): Mischief => 'none',
    onRequest: (_: 'before' | 'after'): void => {},
  };

  const act = (path: string, body: Record<string, string>): unknown => {
    const { channel = '', key = '', also, message = '' } = body;
    if (path === '/look')
      return { id: messages.find((one) => one.key === key || one.also?.includes(key))?.id };
    if (path === '/thread') {
      // As on Discord, where a thread has its message's id: a second start finds the first.
      const id = `t${message}`;
      if (!threads.has(id)) threads.set(id, channel);
      return { id };
    }
    const id = `m${messages.length + 1}`;
    messages.push({ id, channel, key, also });
    return { id };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    requests++;
    const mischief = served.mischief();
    served.onRequest('before');
    if (mischief === 'before') return request.socket.destroy();
    if (mischief === 'busy' || mischief === 'broken') {
      response.writeHead(mischief === 'busy' ? 429 : 500, { 'retry-after': '1' });
      return response.end();
    }
    if (mischief === 'slow') await sleep(SLOW);
    const answer = act(request.url ?? '', JSON.parse(text));
    served.onRequest('after');
    if (mischief === 'after') return request.socket.destroy();
    if (mischief === 'late') {
      // A gateway's error although the request went through.
      response.writeHead(502);
      return response.end();
    }
    response.end(JSON.stringify(answer));
    if (mischief === 'twice') request.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  };
  // Or a request of a busy machine would meet a connection that is just being closed.
  const server = createServer(
    { keepAliveTimeout: 65_000 },
    (request, response) => void handle(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return Object.assign(served, {
    config: { url: `http://127.0.0.1:${port}` },
    tally: () => {
      const byChannel = new Map<string, Map<string, number>>();
      for (const { channel, key } of messages) {
        const keys = byChannel.get(channel) ?? new Map<string, number>();
        byChannel.set(channel, keys.set(key, (keys.get(key) ?? 0) + 1));
      }
      const threadsOf = new Map<string, number>();
      for (const channel of threads.values()) threadsOf.set(channel, (threadsOf.get(channel) ?? 0) + 1);
      return { messages: byChannel, threads: threadsOf, requests };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

export async function makePoster(config: unknown): Promise<Poster> {
  const { url } = config as { url: string };

  /** Sent requests whose answer never came may have been carried out. */
  async function ask(path: string, body: Record<string, string>): Promise<string | undefined> {
    let response: Response;
    try {
      const init = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(TIMEOUT) };
      response = await fetch(url + path, init);
    } catch (error) {
      throw new PostFailure('unknown', 'the connection broke', { cause: error });
    }
    if (response.status === 429) throw new PostFailure('later', 'asked to wait', { retryAfter: 1_000 });
    if (!response.ok) throw new PostFailure('unknown', `the platform answered ${response.status}`);
    return ((await response.json()) as { id?: string }).id;
  }

  async function send(post: Post): Promise<string> {
    const channel = `${post.channel.tenant} ${post.channel.channel}`;
    if (post.outcomeUnknown) {
      const found = await ask('/look', { key: post.key });
      if (found !== undefined) return found;
    }
    return (await ask('/message', { channel, key: post.key, also: (post.also ?? []).join(' ') })) ?? '';
  }

  return {
    door: 'web',
    async open(post): Promise<Posted> {
      const message = post.posted?.message ?? (await send(post));
      if (!(await post.note({ message }))) throw new PostFailure('unknown', 'taken by another process');
      const channel = `${post.channel.tenant} ${post.channel.channel}`;
      const thread = (await ask('/thread', { channel, message })) ?? '';
      return { message, thread };
    },
    async post(post): Promise<Posted> {
      const message = post.posted?.message ?? (await send(post));
      await post.note({ message });
      return { message };
    },
    async postPrivately(post): Promise<Posted> {
      const message = post.posted?.message ?? (await send(post));
      await post.note({ message });
      return { message };
    },
    async find({ keys }) {
      const posts = new Map<string, Posted>();
      for (const key of keys) {
        const message = await ask('/look', { key });
        if (message !== undefined) posts.set(key, { message });
      }
      return posts;
    },
    archive: async () => {},
    edit: async () => {},
    missingRequirements: async () => [],
    standingOf: async () => 'member',
    notify: async () => true,
  };
}
