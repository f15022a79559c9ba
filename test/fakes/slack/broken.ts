import type { SlackAssumption } from '../../../scripts/doctor/assumptions.ts';
import { Refusal } from './refusal.ts';
import type { Json } from './world.ts';

/** How the fake behaves when it has to break an assumption: for which method, and what is different. */
interface Breaking {
  /** A method; `response` for answers at response URLs. */
  readonly on: string;
  readonly request?: (given: Json) => Json;
  readonly answer?: (body: Json) => Json;
  readonly scopes?: (held: readonly string[]) => readonly string[];
  /** Milliseconds that its clock is ahead. */
  readonly ahead?: number;
}

const BREAKINGS: Readonly<Record<SlackAssumption, Breaking>> = {
  token: { on: 'auth.test', answer: without('team_id') },
  scopes: { on: 'auth.test', scopes: (held) => held.filter((scope) => scope !== 'files:write') },
  clock: { on: 'chat.postMessage', ahead: 600_000 },
  edit: { on: 'chat.update', answer: (body) => ({ ...body, text: 'As it was' }) },
  thread: {
    on: 'chat.postMessage',
    answer: (body) => ({ ...body, message: without('thread_ts')(body.message) }),
  },
  metadata: {
    on: 'conversations.history',
    answer: (body) => ({ ...body, messages: body.messages.map(without('metadata')) }),
  },
  slackFile: { on: 'chat.postMessage', request: refuse('slack_file') },
  dataTable: { on: 'chat.postMessage', request: refuse('data_table') },
  messageText: {
    on: 'message_action',
    request: (payload) => ({ ...payload, message: without('text')(payload.message) }),
  },
  modal: { on: 'views.open', answer: without('view') },
  responseUrlThread: { on: 'response', request: without('thread_ts') },
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
