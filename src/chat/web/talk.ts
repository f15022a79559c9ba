import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { clip, listed } from '../../core/text.ts';
import type { Dispatch, Dispatcher, Request } from '../../dispatch/contract.ts';
import { troubleReply } from '../../dispatch/error-replies.ts';
import { typeAction } from '../../reply/model/action.ts';
import type { Action, FormField, OptionValue, Reply } from '../../reply/model/types.ts';
import type { WebPerson } from './people.ts';
import type { Message, Room } from './room.ts';

export const TENANT = 'web:local';
export const CHANNEL = 'general';

/** A form as the page shows it; `value` comes back with what was filled in. */
export interface FormView {
  readonly title: string;
  readonly submit: string;
  readonly fields: readonly FormField[];
  readonly value: string;
  /** Why it is there again. */
  readonly trouble?: string;
}

export interface Speaker {
  readonly person: WebPerson;
  readonly thread?: string;
}

export interface TalkOptions {
  readonly dispatcher: Dispatcher;
  readonly room: Room;
  readonly clock: Clock;
  readonly log: Log;
}

/** What people do in the chat, turned into requests, and the answers put into the room. */
export class Talk {
  readonly #options: TalkOptions;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** A typed line. A form comes back when something is missing. */
  async say(speaker: Speaker, line: string): Promise<FormView | undefined> {
    return this.#answer(
      speaker,
      clip(line, 200),
      this.#options.dispatcher.dispatchLine(line, askerOf(speaker)),
    );
  }

  /** A button of a message. */
  async press(speaker: Speaker, value: string, on?: Message): Promise<FormView | undefined> {
    const action = await this.#unpack(speaker, value);
    return action && this.#do(speaker, action, on);
  }

  /** A form that was filled in. */
  async submit(
    speaker: Speaker,
    value: string,
    fields: Readonly<Record<string, OptionValue>>,
  ): Promise<FormView | undefined> {
    const action = await this.#unpack(speaker, value);
    if (action === undefined) return undefined;
    const form = await this.#do(speaker, { ...action, options: { ...action.options, ...fields } });
    return form && { ...form, trouble: `Still missing: ${listed(form.fields.map(({ name }) => name))}.` };
  }

  #do(speaker: Speaker, action: Action, on?: Message): Promise<FormView | undefined> {
    const dispatch = this.#options.dispatcher.dispatch({ ...askerOf(speaker), ...action });
    return this.#answer(speaker, clip(typeAction(action), 200), dispatch, on);
  }

  async #unpack(speaker: Speaker, value: string): Promise<Action | undefined> {
    try {
      return await this.#options.dispatcher.unpackAction(value);
    } catch (error) {
      const reference = randomUUID().slice(0, 8);
      if (!(error instanceof UserError))
        this.#options.log.error({ err: error, reference, door: 'web' }, 'a button could not be read');
      this.#put(speaker, 'a button', troubleReply(error, reference), true);
      return undefined;
    }
  }

  async #answer(
    speaker: Speaker,
    asked: string,
    dispatch: Dispatch,
    on?: Message,
  ): Promise<FormView | undefined> {
    if (dispatch.kind === 'form') {
      const { title, submit, fields, action } = dispatch.form;
      return { title, submit, fields, value: await this.#options.dispatcher.packAction(action) };
    }
    const reply = await dispatch.reply;
    const isPrivate = dispatch.private || reply.audience === 'asker';
    // A page turns where it stands, if that message is the asker's own.
    const isTurned = reply.replaces && on !== undefined && (on.only ?? on.asker?.id) === speaker.person.id;
    if (!(isTurned && this.#options.room.change(on.id, reply))) this.#put(speaker, asked, reply, isPrivate);
    return undefined;
  }

  #put({ person, thread }: Speaker, asked: string, reply: Reply, isPrivate: boolean): void {
    const { room, clock } = this.#options;
    room.add({
      at: clock.now(),
      reply,
      asker: { id: person.id, name: person.name, asked },
      ...(thread !== undefined && { thread }),
      ...(isPrivate && { only: person.id }),
    });
  }
}

export function askerOf({ person, thread }: Speaker): Omit<Request, 'command' | 'options'> {
  return {
    door: 'web',
    who: { id: person.id, mayManage: person.mayManage },
    where: { tenant: TENANT, channel: CHANNEL, direct: false, ...(thread !== undefined && { thread }) },
  };
}
