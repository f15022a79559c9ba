import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { DoorName } from '../core/channel-ref.ts';
import { type Clock, DAY, MINUTE } from '../core/clock.ts';
import { expiring } from '../core/concurrency.ts';
import { displayName, listed } from '../core/text.ts';
import {
  type App,
  type Asker,
  type Dispatcher,
  type Prepared,
  type PreparedAnswer,
  whenLookedUp,
} from '../dispatch/contract.ts';
import { messagesUpdated } from '../players/public-messages.ts';
import { unpackAction } from '../reply/model/action.ts';
import { buttonsBlock, textBlock, toAsker } from '../reply/model/text.ts';
import type { Action, Form, Reply } from '../reply/model/types.ts';

export type RunnableAnswer = Extract<PreparedAnswer, { kind: 'answer' }>;

/** A request as its door received it: who asks, and the ways to answer. */
export interface RequestContext {
  asker(): Asker | Promise<Asker>;
  /**
   * Resolves when the request has to be acknowledged because its answer comes later; undefined if that is never needed.
   *
   * @param prepared the prepared answer, once it is known
   */
  due?(prepared?: Prepared): Promise<undefined> | undefined;
  /** Tells the platform that the answer comes later. Called at most once, before `show` and `form`. */
  acknowledge?(prepared?: Prepared): Promise<void>;
  /** Opens a board to play on in place of the answer to `play`; false for other answers, and where it can't be opened. */
  launch?(answer: RunnableAnswer): Promise<boolean>;
  /** Runs the command, where a door has something to do before and after it. */
  run?(answer: RunnableAnswer): Promise<Reply>;
  /** @param prepared the prepared answer, once it is known */
  show(reply: Reply, prepared?: PreparedAnswer): Promise<void>;
  /** Opens a form, or shows a button that opens it. */
  form(form: Form): Promise<void>;
  /** Whether an error means that the asker can no longer see an answer. */
  isOver?(error: unknown): boolean;
  /** Fields of an error for the log, besides the door, such as the platform's code. */
  describe?(error: unknown): object;
}

type Prepare = (asker: Asker) => Prepared | Promise<Prepared>;

/**
 * What all doors do between an event and its answer: prepare it, acknowledge it when it takes long, and then show a form, a
 * refusal or the answer. Every error on the way becomes an apology. No method rejects.
 *
 * @example await new Conversation('web', app, dispatcher).line(context, 'hint step:count');
 */
export class Conversation {
  readonly #door: DoorName;
  readonly #app: App;
  readonly #dispatcher: Dispatcher;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(door: DoorName, app: App, dispatcher: Dispatcher) {
    this.#door = door;
    this.#app = app;
    this.#dispatcher = dispatcher;
  }

  /** A typed line, such as `hint step:count`. */
  line(context: RequestContext, line: string): Promise<void> {
    return this.answer(context, (asker) => this.#dispatcher.prepareLine(line, asker));
  }

  /** A picture of a board. @param read gets its bytes once they are needed */
  picture(
    context: RequestContext,
    read: () => Promise<Uint8Array>,
    options: Action['options'] = {},
  ): Promise<void> {
    return this.answer(context, (asker) => this.#dispatcher.preparePicture(read, asker, options));
  }

  /** A button with its packed action, or a form with its fields. */
  press(context: RequestContext, packed: string, filled: Action['options'] = {}): Promise<void> {
    return this.answer(context, async (asker) => {
      const { command, options } = await unpackAction(packed, this.#app);
      return this.#dispatcher.prepare({ ...asker, command, options: { ...options, ...filled } });
    });
  }

  answer(context: RequestContext, prepare: Prepare): Promise<void> {
    return this.track(this.#answer(context, prepare), context);
  }

  /** Lets `done` wait for work. A failure is apologized for in the context; without one, it must not fail. */
  track(work: Promise<void>, context?: RequestContext): Promise<void> {
    const ended = context === undefined ? work : work.catch((error) => this.#apologize(context, error));
    const tracked = ended.finally(() => this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
    return tracked;
  }

  /** Resolves when everything is answered, including requests that arrive in the meantime, and shown to others. */
  async done(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
    await messagesUpdated(this.#app);
  }

  async #answer(context: RequestContext, prepare: Prepare): Promise<void> {
    const preparing = Promise.resolve(context.asker()).then(prepare);
    /** Undefined if the request has to be acknowledged before it is prepared. */
    let prepared = await inTime(preparing, context.due?.());
    if (prepared?.kind === 'form') {
      // Something may still be looked up that gives an answer `instead`. If it is not there in time, the form opens: what is
      // submitted is checked again.
      const { instead } = prepared;
      prepared = (instead && (await inTime(instead, context.due?.(prepared)))) ?? prepared;
      if (prepared.kind === 'form') return context.form(prepared.form);
    }
    if (prepared?.kind === 'answer' && (await context.launch?.(prepared))) return;
    const making = make(context, prepared ?? preparing.then(whenLookedUp));
    // `making` may fail while the request is being acknowledged, before it is awaited.
    making.catch(() => undefined);
    let made = prepared && (await inTime(making, context.due?.(prepared)));
    if (made === undefined) {
      await context.acknowledge?.(prepared);
      made = await making;
    }
    return 'form' in made ? context.form(made.form) : context.show(made.reply, made.prepared);
  }

  async #apologize(context: RequestContext, error: unknown): Promise<void> {
    if (context.isOver?.(error)) return;
    try {
      const fields = { door: this.#door, ...context.describe?.(error) };
      await context.show(this.#dispatcher.errorReply(error, fields, 'an answer failed'));
    } catch (again) {
      this.#app.log.warn(
        { door: this.#door, ...context.describe?.(again) },
        'the reply about a failed answer could not be sent',
      );
    }
  }
}

type Made = { readonly form: Form } | { readonly reply: Reply; readonly prepared: PreparedAnswer };

async function make(context: RequestContext, preparing: Prepared | Promise<Prepared>): Promise<Made> {
  const prepared = await preparing;
  switch (prepared.kind) {
    case 'form':
      return prepared;
    case 'refusal':
      return { reply: prepared.reply, prepared };
    case 'answer':
      return { reply: await (context.run?.(prepared) ?? prepared.run()), prepared };
  }
}

/** Undefined when `due` resolves first. */
function inTime<Value>(value: Promise<Value>, due?: Promise<undefined>): Promise<Value | undefined> {
  return due === undefined ? value : Promise.race([value, due]);
}

/** Where no form can be opened, a button that opens it. */
export function formButton({ title, fields, action }: Form): Reply {
  const names = listed(fields.map(({ label }) => label.toLowerCase()));
  const button = { label: 'Fill in', action, look: 'primary' } as const;
  return toAsker(title, [textBlock([`This needs more: ${names}.`]), buttonsBlock([button])]);
}

const MAX_CACHED_NAMES = 20_000;
/** Milliseconds for all names of a message; one that comes later is a mention, and is there for the next message. */
const NAMES_TIMEOUT_MS = 2_000;

/**
 * Names in place of mentions that notify nobody: Discord sends no user data with these, so clients that don't know the person
 * show "@invalid-user". Kept in memory for a day, never stored and never logged.
 */
export class NameCache {
  /** Empty for people whose name is not known. */
  readonly #names: LRUCache<string, string, { readonly tenant: string; readonly person: string }>;

  /** @param ask resolves to undefined, or rejects, where the platform does not tell the name */
  constructor(clock: Clock, ask: (tenant: string, person: string) => Promise<string | undefined>) {
    this.#names = new LRUCache({
      ...expiring(MAX_CACHED_NAMES, DAY, clock),
      // A name that was evicted while it was looked up is shown all the same.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { context: { tenant, person }, options }) => {
        const name = await ask(tenant, person).catch(() => undefined);
        if (name === undefined) options.ttl = MINUTE;
        return displayName(name ?? '');
      },
    });
  }

  /** The display names of people, by their ids, where a tenant knows them. */
  async of(tenant: string, people: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    const looking = Array.from(people, async (person) => {
      const name = await this.#names.fetch(`${tenant} ${person}`, { context: { tenant, person } });
      if (name) names.set(person, name);
    });
    if (looking.length === 0) return names;
    await Promise.race([Promise.all(looking), sleep(NAMES_TIMEOUT_MS, undefined, { ref: false })]);
    return new Map(names);
  }
}
