import { randomUUID } from 'node:crypto';
import type { Dispatch, Request } from '../../../dispatch/contract.ts';
import { troubleReply } from '../../../dispatch/error-replies.ts';
import type { Action, Reply } from '../../../reply/model/types.ts';
import { readFailure, refusalOf } from '../post/errors.ts';
import { type Conversation, placeOf } from '../receive/conversation.ts';
import { section } from '../render/render.ts';
import { ANNOUNCEMENT, isManaging, isManagingLine, watchPlace } from './announce.ts';
import { type Answers, modal, type Tools } from './answers.ts';
import { formView } from './forms.ts';
import type { People } from './people.ts';
import { onlyRevealed, type Reveal } from './reveal.ts';

/** What a person can ask for, by typing or pressing. None of these rejects: what goes wrong is an answer. */
export interface RequestHandlers {
  line(conversation: Conversation, line: string, trigger?: string): Promise<void>;
  /** A button, its action as the dispatcher packed it. */
  press(conversation: Conversation, packed: string, trigger: string): Promise<void>;
  /** A form, its action packed as well, and what was typed into it. */
  submit(conversation: Conversation, packed: string, fill: (action: Action) => Action): Promise<void>;
  reveal(conversation: Conversation, reveal: Reveal): Promise<void>;
}

export interface RequestHandlerParts extends Tools {
  readonly answers: Answers;
  readonly people: People;
}

type Asker = Omit<Request, 'command' | 'options'>;

export const WORKING = { blocks: [section('One moment …')] };

export function makeRequestHandlers(parts: RequestHandlerParts): RequestHandlers {
  const { app, dispatcher, api, answers, people } = parts;

  async function asker(conversation: Conversation): Promise<{ asker: Asker; announce: boolean }> {
    const { may, announce } = await people.mayManage(conversation.team, conversation.user);
    return {
      asker: { door: 'slack', who: { id: conversation.user, mayManage: may }, where: placeOf(conversation) },
      announce: announce && !conversation.direct,
    };
  }

  /** Opens the form, or shows the answer when it is there. */
  async function follow(conversation: Conversation, dispatch: Dispatch, trigger?: string): Promise<void> {
    if (dispatch.kind === 'form') return ask(conversation, dispatch.form, trigger);
    const reachable = await withRoom(conversation);
    // A modal that was opened for it must not be left waiting.
    await guarded(reachable, async () => answers.show(reachable, await dispatch.reply));
  }

  async function ask(
    conversation: Conversation,
    form: Extract<Dispatch, { kind: 'form' }>['form'],
    trigger?: string,
  ): Promise<void> {
    const { team, reach } = conversation;
    const id = reach.kind === 'trigger' ? reach.trigger : trigger;
    if (id === undefined) return answers.show(conversation, askedByButton(form));
    const view = formView(form, conversation, await dispatcher.packAction(form.action));
    const method = reach.kind === 'modal' ? 'views.push' : 'views.open';
    await api.call(team, method, { trigger_id: id, view });
  }

  /** A press on a home page is answered in a modal, opened at once, for its trigger is good for three seconds. */
  async function withRoom(conversation: Conversation): Promise<Conversation> {
    const { reach, team } = conversation;
    if (reach.kind !== 'trigger') return conversation;
    const opened = await api.call(team, 'views.open', {
      trigger_id: reach.trigger,
      view: modal(conversation, WORKING),
    });
    const { id } = opened.view as { id: string };
    return { ...conversation, reach: { kind: 'modal', view: id } };
  }

  async function watched(
    conversation: Conversation,
    isWatched: boolean,
    act: () => Promise<void>,
  ): Promise<void> {
    if (!isWatched) return act();
    const watch = await watchPlace(app, conversation);
    await act();
    if (await watch.hasChanged()) await answers.show(conversation, ANNOUNCEMENT);
  }

  /** Whatever is thrown on the way becomes an answer, and if even that can't be given, a line in the log. */
  async function guarded(conversation: Conversation, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const { team, reach } = conversation;
      // They closed the modal and did not wait for it.
      if (reach.kind === 'modal' && refusalOf(error) === 'not_found') return;
      const reference = randomUUID().slice(0, 8);
      app.log.error(
        { door: 'slack', team, reference, failure: readFailure(error), err: error },
        'an answer failed',
      );
      try {
        await answers.show(conversation, troubleReply(error, reference));
      } catch (again) {
        app.log.warn(
          { door: 'slack', team, reference, failure: readFailure(again) },
          'nor could that be told',
        );
      }
    }
  }

  async function run(conversation: Conversation, action: Action, trigger?: string): Promise<void> {
    const { asker: who, announce } = await asker(conversation);
    await watched(conversation, announce && isManaging(action.command, dispatcher), () =>
      follow(conversation, dispatcher.dispatch({ ...who, ...action }), trigger),
    );
  }

  async function again({ source }: Reveal, who: Asker): Promise<Reply> {
    if ('kept' in source) {
      const kept = await app.store.actions.get(source.kept, app.clock.now());
      if (kept !== undefined) return JSON.parse(kept) as Reply;
      return { title: 'This is too old to be revealed', blocks: [], audience: 'asker' };
    }
    const dispatch = dispatcher.dispatch({ ...who, ...(await dispatcher.unpackAction(source.packed)) });
    if (dispatch.kind === 'answer') return dispatch.reply;
    return { title: 'This can no longer be revealed', blocks: [], audience: 'asker' };
  }

  async function open(conversation: Conversation, reveal: Reveal): Promise<void> {
    const { asker: who } = await asker(conversation);
    const reply = await again(reveal, who);
    const { reach } = conversation;
    const isAlone = reach.kind === 'modal' || (reach.kind === 'url' && reach.on === 'private');
    // Among others, only what was asked for is shown, to them alone; the message itself stays shut.
    const shown = isAlone ? { reply, open: reveal.open } : onlyRevealed(reply, reveal.open);
    const options = { open: shown.open, inPlace: isAlone };
    await answers.show(conversation, { ...shown.reply, audience: 'asker' }, options);
  }

  return {
    line: (conversation, line, trigger) =>
      guarded(conversation, async () => {
        const { asker: who, announce } = await asker(conversation);
        await watched(conversation, announce && isManagingLine(line, dispatcher), () =>
          follow(conversation, dispatcher.dispatchLine(line, who), trigger),
        );
      }),

    press: (conversation, packed, trigger) =>
      guarded(conversation, async () => run(conversation, await dispatcher.unpackAction(packed), trigger)),

    submit: (conversation, packed, fill) =>
      guarded(conversation, async () => run(conversation, fill(await dispatcher.unpackAction(packed)))),

    reveal: (conversation, reveal) =>
      guarded(conversation, async () => {
        const reachable = await withRoom(conversation);
        await guarded(reachable, () => open(reachable, reveal));
      }),
  };
}

/** Where no form can be opened, a button stands in for it. */
function askedByButton(form: Extract<Dispatch, { kind: 'form' }>['form']): Reply {
  const names = form.fields.map(({ label }) => label.toLowerCase()).join(', ');
  return {
    title: form.title,
    blocks: [
      { kind: 'text', lines: [`This needs more: ${names}.`] },
      { kind: 'buttons', buttons: [{ label: 'Fill in', action: form.action, look: 'primary' }] },
    ],
    audience: 'asker',
  };
}
