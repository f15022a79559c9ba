import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatch, Dispatcher } from '../../../dispatch/contract.ts';
import type { Form, Reply } from '../../../reply/model/types.ts';
import { type PictureSource, type Rendered, renderReply } from '../render/render.ts';
import type { Callback } from './callback.ts';
import { makeModal } from './forms.ts';

/** An interaction's age, in milliseconds, at which Discord is told that the answer comes later. It waits for 3,000. */
const PATIENCE = 100;
/** The same for forms and suggestions, which can't come later. */
const LONGEST = 1_500;

/** What is known of an answer before the dispatcher has been asked, which may have to wait for the store. */
export interface Outlook {
  readonly isPrivate: boolean;
  /** It will probably change the message that the pressed button sits on. */
  readonly turns: boolean;
  /** A reply that wants to may change that message. */
  readonly mayReplace: boolean;
  /** What the command lacks and has to be asked for, whoever uses it. */
  readonly form?: Form;
}

/**
 * Of a button whose meaning is still looked up. Said to be private, an answer for everyone can still follow in
 * public; the other way round, everyone would have seen that somebody asked.
 */
export const NOTHING_KNOWN: Outlook = { isPrivate: true, turns: false, mayReplace: false };

/** Work, if it is done when an interaction has this age; else undefined. */
export function within<Value>(callback: Pick<Callback, 'age'>, work: Promise<Value>, age = LONGEST) {
  const left = Math.max(0, age - callback.age);
  return Promise.race([work, sleep(left, undefined, { ref: false })]);
}

export interface ResponderParts {
  readonly painter: PictureSource;
  readonly dispatcher: Dispatcher;
}

/** Brings answers to people: at once if they are ready in time, else with a word that they come later. */
export function makeResponder({ painter, dispatcher }: ResponderParts) {
  /** @param outlook asked when the word has to be given, by when more may be known */
  return async function give(
    callback: Callback,
    dispatching: Promise<Dispatch>,
    outlook: () => Outlook,
  ): Promise<void> {
    const patience = sleep(Math.max(0, PATIENCE - callback.age), undefined, { ref: false });
    const dispatch = await Promise.race([dispatching, patience]);
    // A form can't come later. Whether they may use it is seen to again when it is sent.
    const form = dispatch === undefined ? outlook().form : dispatch.kind === 'form' && dispatch.form;
    if (form) return openForm(callback, form);
    const made = dispatching.then(makeReply);
    // Awaited below, but not before Discord has been told.
    made.catch(() => undefined);
    const inTime = dispatch && (await Promise.race([made, patience]));
    const { isPrivate, turns, mayReplace } = outlook();
    if (inTime !== undefined) {
      const { rendered, isPrivate, replaces } = inTime;
      return replaces && mayReplace ? callback.update(rendered) : callback.message(rendered, isPrivate);
    }
    const saidPrivate = dispatch?.kind === 'answer' ? dispatch.private : isPrivate;
    await callback.putOff(turns ? 'update' : saidPrivate ? 'private' : 'public');
    const { rendered, isPrivate: staysPrivate, replaces } = await made;
    await callback.late(rendered, staysPrivate, replaces);
  };

  async function openForm(callback: Callback, form: Form): Promise<void> {
    const packed = await within(callback, dispatcher.packAction(form.action));
    if (packed === undefined) return callback.message(await renderReply(SLOW, painter), true);
    await callback.modal(makeModal(form, packed));
  }

  async function makeReply(dispatch: Dispatch): Promise<Made> {
    // Known too late to be opened: the button's meaning had to be looked up.
    if (dispatch.kind === 'form')
      return { rendered: await renderReply(SLOW, painter), isPrivate: true, replaces: false };
    const reply = await dispatch.reply;
    return {
      rendered: await renderReply(reply, painter),
      isPrivate: dispatch.private || reply.audience === 'asker',
      replaces: reply.replaces === true,
    };
  }
}

interface Made {
  readonly rendered: Rendered;
  readonly isPrivate: boolean;
  readonly replaces: boolean;
}

const SLOW: Reply = {
  title: 'One moment, please.',
  blocks: [{ kind: 'text', lines: ['The bot was too slow to open a form just now. Please try that again.'] }],
  audience: 'asker',
};
