import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY, MINUTE } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { atMost } from '../core/turns.ts';
import {
  type Asker,
  type Dispatcher,
  type DoorName,
  type Prepared,
  type PreparedAnswer,
  settled,
} from '../dispatch/contract.ts';
import { buttonsBlock, textBlock, toAsker } from '../reply/model/text.ts';
import type { Action, Form, Reply } from '../reply/model/types.ts';

export type RunnableAnswer = Extract<PreparedAnswer, { kind: 'answer' }>;

/** A request as its door received it: who asks, and the ways to answer. */
export interface Exchange {
  asker(): Asker | Promise<Asker>;
  /**
   * Resolves when the platform must be told that the answer comes later; undefined if it need not be.
   *
   * @param prepared the prepared answer, once it is known
   */
  due?(prepared?: Prepared): Promise<unknown> | undefined;
  /** Tells the platform that the answer comes later. Called at most once, before `show` and `form`. */
  acknowledge?(prepared?: Prepared): Promise<void>;
  /** Opens the board itself in place of an answer; false where it can't. */
  launch?(answer: RunnableAnswer): Promise<boolean>;
  /** Runs the command, where a door has something to do before and after it. */
  run?(answer: RunnableAnswer): Promise<Reply>;
  /** @param prepared the answer that the reply belongs to; undefined for an apology, before which anything may have been done */
  show(reply: Reply, prepared?: PreparedAnswer): Promise<void>;
  /** Opens a form, or shows a button that opens it. */
  form(form: Form): Promise<void>;
  /** Whether an error says that nobody is there any more to see an answer. */
  isOver?(error: unknown): boolean;
  /** Fields of an error for the log, besides the door, such as the platform's code. */
  describe?(error: unknown): object;
}

/**
 * What all doors do between an event and its answer: find the action, prepare it, acknowledge it when it takes long, and
 * then show a form, a refusal or the answer. Every error on the way becomes an apology. No method rejects.
 *
 * @example await new Conversation('web', dispatcher, log).line(exchange, 'hint step:count');
 */
export class Conversation {
  readonly #door: DoorName;
  readonly #dispatcher: Dispatcher;
  readonly #log: Log;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(door: DoorName, dispatcher: Dispatcher, log: Log) {
    this.#door = door;
    this.#dispatcher = dispatcher;
    this.#log = log;
  }

  /** A typed line, such as `hint step:count`. */
  line(exchange: Exchange, line: string): Promise<void> {
    return this.answer(exchange, (asker) => this.#dispatcher.prepareLine(line, asker));
  }

  /** A button with its packed action, or a form with its fields. */
  press(exchange: Exchange, packed: string, filled: Action['options'] = {}): Promise<void> {
    return this.ask(exchange, async () => {
      const { command, options } = await this.#dispatcher.unpackAction(packed);
      return { command, options: { ...options, ...filled } };
    });
  }

  /** @param find may have to wait, such as for the store, where long actions of buttons are kept */
  ask(exchange: Exchange, find: () => Action | Promise<Action>): Promise<void> {
    return this.answer(exchange, async (asker) => this.#dispatcher.prepare({ ...asker, ...(await find()) }));
  }

  answer(exchange: Exchange, prepare: (asker: Asker) => Prepared | Promise<Prepared>): Promise<void> {
    return this.attempt(exchange, () => this.#answer(exchange, prepare));
  }

  /** Runs a door's own way of answering. */
  attempt(exchange: Exchange, act: () => Promise<void>): Promise<void> {
    const answering = act().catch((error) => this.#apologize(exchange, error));
    this.track(answering);
    return answering;
  }

  /** Lets `done` wait for other work. */
  track(work: Promise<unknown>): void {
    const tracked = work
      .then(
        () => undefined,
        (error: unknown) => this.#log.error({ door: this.#door, err: error }, 'a request failed'),
      )
      .finally(() => this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
  }

  /** Resolves when everything is answered, with all that was asked meanwhile. */
  async done(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  async #answer(exchange: Exchange, prepare: (asker: Asker) => Prepared | Promise<Prepared>): Promise<void> {
    const preparing = (async () => prepare(await exchange.asker()))();
    const ready = await inTime(preparing, exchange.due?.());
    // A form opens even if something is still being looked up by then: what is submitted is checked again.
    const prepared = ready && ((await inTime(settled(ready), exchange.due?.(ready))) ?? ready);
    if (prepared?.kind === 'form') return exchange.form(prepared.form);
    if (prepared?.kind === 'answer' && (await exchange.launch?.(prepared))) return;
    const making = make(exchange, prepared ?? preparing);
    // Awaited below, but not before the answer is acknowledged.
    making.catch(() => undefined);
    let made = prepared && (await inTime(making, exchange.due?.(prepared)));
    if (made === undefined) {
      await exchange.acknowledge?.(prepared);
      made = await making;
    }
    return 'form' in made ? exchange.form(made.form) : exchange.show(made.reply, made.prepared);
  }

  async #apologize(exchange: Exchange, error: unknown): Promise<void> {
    if (exchange.isOver?.(error)) return;
    try {
      await exchange.show(this.#errorReply(exchange, error));
    } catch (again) {
      this.#log.warn(
        { door: this.#door, ...exchange.describe?.(again) },
        'the reply about a failed answer could not be sent',
      );
    }
  }

  #errorReply(exchange: Exchange, error: unknown): Reply {
    const fields = { door: this.#door, ...exchange.describe?.(error) };
    return this.#dispatcher.errorReply(error, fields, 'an answer failed');
  }
}

type Made = { readonly form: Form } | { readonly reply: Reply; readonly prepared: PreparedAnswer };

async function make(exchange: Exchange, preparing: Prepared | Promise<Prepared>): Promise<Made> {
  const prepared = await settled(await preparing);
  switch (prepared.kind) {
    case 'form':
      return prepared;
    case 'refusal':
      return { reply: prepared.reply, prepared };
    case 'answer':
      return { reply: await (exchange.run?.(prepared) ?? prepared.run()), prepared };
  }
}

/** Undefined when `due` resolves first. */
function inTime<Value>(value: Promise<Value>, due?: Promise<unknown>): Promise<Value | undefined> {
  return due === undefined ? value : Promise.race([value, due.then(() => undefined)]);
}

/** Where no form can be opened, a button that opens it. */
export function formButton({ title, fields, action }: Form): Reply {
  const names = fields.map(({ label }) => label.toLowerCase()).join(', ');
  const button = { label: 'Fill in', action, look: 'primary' } as const;
  return toAsker(title, [textBlock([`This needs more: ${names}.`]), buttonsBlock([button])]);
}

const MOST_NAMES = 20_000;
/** Milliseconds for all names of a message; one that comes later is a mention, and is there for the next message. */
const PATIENCE = 2_000;

/** The display names of people, by their ids. */
export type NamesOf = (people: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Names for texts that notify nobody. Kept in memory for a day, never stored and never logged. Discord sends no user data
 * along with a mention that is suppressed, and clients that do not know the person show "@invalid-user".
 */
export class Names {
  readonly #ask: (tenant: string, person: string) => Promise<string | undefined>;
  readonly #names: LRUCache<string, Promise<string | undefined>>;

  /** @param ask undefined, or an error, where the platform does not tell */
  constructor(clock: Clock, ask: (tenant: string, person: string) => Promise<string | undefined>) {
    this.#ask = ask;
    this.#names = new LRUCache({ ...atMost(MOST_NAMES), ttl: DAY, ttlResolution: 0, perf: clock });
  }

  /** The names of people where a tenant knows them. */
  in(tenant: string): NamesOf {
    return async (people) => {
      const names = new Map<string, string>();
      if (people.length === 0) return names;
      const looking = people.map(async (person) => {
        const name = await this.#name(tenant, person);
        if (name !== undefined) names.set(person, name);
      });
      await Promise.race([Promise.all(looking), sleep(PATIENCE, undefined, { ref: false })]);
      return new Map(names);
    };
  }

  #name(tenant: string, person: string): Promise<string | undefined> {
    const key = `${tenant} ${person}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(tenant, person)
      .catch(() => undefined)
      .then((name) => {
        if (name === undefined) this.#names.set(key, asked, { ttl: MINUTE });
        return name;
      });
    this.#names.set(key, asked);
    return asked;
  }
}
