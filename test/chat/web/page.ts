import type { FormView, Suggestion } from '../../../src/chat/web/request-handlers.ts';
import type { MessageView } from '../../../src/chat/web/view.ts';

interface Answered {
  readonly form?: FormView;
  readonly suggestions?: readonly Suggestion[];
  readonly lines?: readonly unknown[];
  readonly now?: number;
  readonly moved?: boolean;
}

/** What the page does, without a browser: it sends requests, and receives the events of one person. */
export function openPage(url: string, person: string) {
  const post = (path: string, fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ person, ...fields }),
    });
  const ask = async (path: string, fields?: Record<string, unknown>) => {
    const response = await post(path, fields);
    return { ...((await response.json()) as Answered), status: response.status };
  };
  return { post, ask, listen: () => listen(new URL(`/events?person=${person}`, url)) };
}

export interface Told {
  readonly event: string;
  readonly data: MessageView & {
    messages?: MessageView[];
    threads?: { id: string; opener: string }[];
    now?: number;
  };
}

/** Server-sent events, one after the other. */
async function listen(url: URL) {
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal });
  const received: Told[] = [];
  const waiting: (() => void)[] = [];
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split('\n\n');
        text = events.pop()!;
        for (const event of events) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/s.exec(event) ?? [];
          if (name !== undefined) received.push({ event: name, data: JSON.parse(data!) });
        }
        for (const look of waiting.splice(0)) look();
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  })();
  return {
    received,
    /** Resolves with the first that fits, from the beginning on. */
    async first(fits: (told: Told) => boolean): Promise<Told> {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async close() {
      stop.abort();
      await reading;
    },
  };
}
