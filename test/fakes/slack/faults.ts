import type { SlackAssumption } from '../../../scripts/doctor/slack.ts';
import { Refusal, TooFast } from './access.ts';
import type { Json } from './world.ts';

/**
 * What goes wrong between here and the app. `acted` says whether Slack did what was asked before the answer
 * was lost, which is what makes an outcome unknown.
 */
export type FaultKind =
  /** The connection is cut before the call is read. */
  | { readonly kind: 'drop' }
  /** Done, then the connection is cut without an answer. */
  | { readonly kind: 'lose' }
  /** Done, and half an answer is sent. */
  | { readonly kind: 'half' }
  | { readonly kind: 'hang'; readonly acted?: boolean }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly acted?: boolean;
      readonly retryAfter?: string;
      readonly body?: string;
    }
  | { readonly kind: 'error'; readonly error: string; readonly acted?: boolean }
  | { readonly kind: 'ratelimited'; readonly retryAfter: number };

export interface FaultOptions {
  /** The method, such as `chat.postMessage`; `response` and `upload` for the other addresses. */
  readonly method: string;
  readonly times?: number;
  /** How many calls pass untouched before. */
  readonly after?: number;
}

export class Faults {
  #pending: { fault: FaultKind & FaultOptions; left: number; skip: number }[] = [];

  inject(fault: FaultKind & FaultOptions): void {
    this.#pending.push({ fault, left: fault.times ?? 1, skip: fault.after ?? 0 });
  }

  /** Whether all of them have happened. */
  get isClear(): boolean {
    return this.#pending.length === 0;
  }

  clear(): void {
    this.#pending = [];
  }

  take(method: string): FaultKind | undefined {
    const entry = this.#pending.find(({ fault }) => fault.method === method || fault.method === '*');
    if (entry === undefined) return undefined;
    if (entry.skip > 0) {
      entry.skip -= 1;
      return undefined;
    }
    entry.left -= 1;
    if (entry.left <= 0) this.#pending = this.#pending.filter((other) => other !== entry);
    return entry.fault;
  }
}

export interface PaceOptions {
  /** Milliseconds, only ever rising; real time unless a test says otherwise. */
  readonly elapsed: () => number;
  /** 0 switches it off. Slack says "one message a second a channel", and allows short bursts. */
  readonly postsPerSecond: number;
  readonly burst: number;
}

/** How often things may be done. */
export class Pace {
  readonly #options: PaceOptions;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** A message into a channel. */
  post(channel: string): void {
    const { postsPerSecond, burst } = this.#options;
    if (postsPerSecond > 0) this.take(`post ${channel}`, postsPerSecond, burst);
  }

  take(key: string, perSecond: number, size: number): void {
    const now = this.#options.elapsed();
    const bucket = this.#buckets.get(key) ?? { left: size, at: now };
    bucket.left = Math.min(size, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.left < 1) throw new TooFast(Math.max(1, Math.ceil((1 - bucket.left) / perSecond)));
    bucket.left -= 1;
  }
}

/** How the fake behaves when it has to break an assumption: for which method, and what is different. */
interface Breaking {
  readonly on: string;
  readonly request?: (given: Json) => Json;
  readonly answer?: (body: Json) => Json;
  readonly scopes?: (held: readonly string[]) => readonly string[];
  /** Milliseconds that its clock is ahead. */
  readonly ahead?: number;
}

const BREAKINGS: Readonly<Record<SlackAssumption, Breaking>> = {
  token: { on: 'auth.test', answer: without('team_id') },
  channel: { on: 'chat.postMessage', request: refuse('Trying: this channel') },
  scopes: { on: 'auth.test', scopes: (held) => held.filter((scope) => scope !== 'files:write') },
  clock: { on: 'chat.postMessage', ahead: 600_000 },
  thread: {
    on: 'chat.postMessage',
    answer: (body) => ({ ...body, message: without('thread_ts')(body.message) }),
  },
  metadata: {
    on: 'conversations.history',
    answer: (body) => ({ ...body, messages: body.messages.map(without('metadata')) }),
  },
  replies: {
    on: 'conversations.replies',
    answer: (body) => ({ ...body, messages: body.messages.map(without('metadata')) }),
  },
  names: { on: 'users.info', answer: without('user') },
  slackFile: { on: 'chat.postMessage', request: refuse('slack_file') },
  blocks: { on: 'blocks.validate', request: refuse('static_select') },
  oneApp: {
    on: 'chat.postMessage',
    answer: (body) => ({ ...body, message: { ...body.message, app_id: 'A0OTHER' } }),
  },
};

/** The assumptions that a fake does not keep. */
export class BrokenAssumptions extends Set<SlackAssumption> {
  request(method: string, given: Json): Json {
    return this.#on(method).reduce((read, { request }) => request?.(read) ?? read, given);
  }

  answer(method: string, given: Json): Json {
    return this.#on(method).reduce((body, { answer }) => answer?.(body) ?? body, given);
  }

  scopes(method: string, held: readonly string[]): readonly string[] {
    return this.#on(method).reduce((left, { scopes }) => scopes?.(left) ?? left, held);
  }

  get ahead(): number {
    return [...this].reduce((sum, name) => sum + (BREAKINGS[name].ahead ?? 0), 0);
  }

  #on(method: string): Breaking[] {
    return [...this].map((name) => BREAKINGS[name]).filter(({ on }) => on === method);
  }
}

function without(name: string): (body: Json) => Json {
  return (body) => Object.fromEntries(Object.entries(body).filter(([one]) => one !== name));
}

function refuse(word: string): (given: Json) => Json {
  return (given) => {
    if (JSON.stringify(given).includes(word)) throw new Refusal('invalid_blocks');
    return given;
  };
}
