import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Asker,
  type ChosenMessage,
  type Dispatcher,
  type Prepared,
  replyOf,
  settled,
} from '../../../dispatch/contract.ts';
import { saidIn } from '../../../reply/model/text.ts';
import type { Action, Form, Reply } from '../../../reply/model/types.ts';
import { readFailure, refusalOf, TRIGGER_GONE } from '../api/errors.ts';
import { type OpenTools, openGame, opensGame } from '../play/open-game.ts';
import { actionAskerIn, askerOf, type Conversation } from '../receive/conversation.ts';
import { onlyRevealed, type Reveal } from '../render/reveal.ts';
import { announcementOf } from './announce.ts';
import type { Answers } from './answers.ts';
import { keptReply } from './kept-replies.ts';
import type { Managers } from './managers.ts';
import { answerModal, formModal, WORKING } from './modals.ts';

export interface RequestTools extends OpenTools {
  readonly managers: Managers;
  /** Milliseconds before a submitted view is acknowledged at the latest. */
  readonly submitPatience: number;
}

/** What becomes of a form: it stays open with a sentence, or the answer comes once it is closed. */
export type Submitted = { readonly refusal: string } | { later(): Promise<void> };

interface RunOptions {
  /** Opens a form or a game. */
  readonly trigger?: string | undefined;
  /** Asked before anything is shown; false if the reply is shown in another way. */
  readonly isShown?: (reply?: Reply) => Promise<boolean>;
}

/** What a person can ask for, by typing or pressing. No method rejects: what goes wrong becomes an answer. */
export class RequestHandlers {
  readonly #tools: RequestTools;
  readonly #dispatcher: Dispatcher;
  readonly #answers: Answers;

  constructor(tools: RequestTools) {
    this.#tools = tools;
    this.#dispatcher = tools.dispatcher;
    this.#answers = tools.answers;
  }

  /** A typed line, such as `hint step:count`. With a trigger, a form can be opened. */
  line(conversation: Conversation, line: string, trigger?: string): Promise<void> {
    return this.#answering(conversation, () =>
      this.#run(conversation, (asker) => this.#dispatcher.prepareLine(line, asker), { trigger }),
    );
  }

  /** "Add to my results", chosen on a message. */
  chosen(conversation: Conversation, message: ChosenMessage): Promise<void> {
    return this.#answering(conversation, () =>
      this.#run(conversation, (asker) =>
        this.#dispatcher.prepare({ ...asker, message, command: 'record', options: {} }),
      ),
    );
  }

  /** A button, with its action as the dispatcher packed it. */
  press(conversation: Conversation, packed: string, trigger: string): Promise<void> {
    return this.#answering(conversation, async () => {
      const action = await this.#dispatcher.unpackAction(packed);
      await this.#run(conversation, (asker) => this.#dispatcher.prepare({ ...asker, ...action }), {
        trigger,
      });
    });
  }

  /**
   * A form, with its packed action. `fill` adds what was typed into it. A mistake refuses the form, which then keeps what
   * was typed, if it is found before Slack wants to know.
   */
  async submit(
    conversation: Conversation,
    packed: string,
    fill: (action: Action) => Action,
  ): Promise<Submitted> {
    const found = Promise.withResolvers<string | undefined>();
    const closed = Promise.withResolvers<void>();
    let isOpen = true;
    // Nothing is shown before the form is closed: Slack would put the view of its acknowledgement over it.
    const isShown = async (reply?: Reply) => {
      const refusal = isOpen && reply?.isMistake ? saidIn(reply) : undefined;
      found.resolve(refusal);
      if (refusal !== undefined) return false;
      await closed.promise;
      return true;
    };
    const answered = this.#answering(conversation, async () => {
      try {
        const action = fill(await this.#dispatcher.unpackAction(packed));
        const prepare = (asker: Asker) => this.#dispatcher.prepare({ ...asker, ...action });
        await this.#run(conversation, prepare, { isShown });
      } catch (error) {
        await isShown();
        throw error;
      }
    });
    const isLate = sleep(this.#tools.submitPatience, undefined, { ref: false });
    const refusal = await Promise.race([found.promise, isLate]);
    isOpen = false;
    if (refusal !== undefined) return { refusal };
    return {
      later() {
        closed.resolve();
        return answered;
      },
    };
  }

  reveal(conversation: Conversation, reveal: Reveal): Promise<void> {
    return this.#answering(conversation, async () => {
      const reachable = await this.#withModal(conversation);
      await this.#answering(reachable, () => this.#reveal(reachable, reveal));
    });
  }

  /** Something that is only known once the modal for its answer is open. */
  answerTo(conversation: Conversation, actionOf: () => Promise<Action>): Promise<void> {
    return this.#answering(conversation, () =>
      this.#answer(conversation, () => this.replyTo(conversation, actionOf)),
    );
  }

  /** The reply alone. Whatever is thrown becomes a reply. */
  async replyTo(conversation: Conversation, actionOf: () => Promise<Action>): Promise<Reply> {
    const { team, user } = conversation;
    try {
      const { mayManage } = await this.#tools.managers.permissionOf(team, user);
      return await this.#replyOf(askerOf(conversation, mayManage), await actionOf());
    } catch (error) {
      return this.#dispatcher.errorReply(error, { door: 'slack', team }, 'an answer failed');
    }
  }

  /** Opens the form, or runs the command and shows its answer. */
  async #run(
    conversation: Conversation,
    prepare: (asker: Asker) => Prepared,
    { trigger, isShown }: RunOptions = {},
  ): Promise<void> {
    const { team, user, direct } = conversation;
    const { mayManage, announce } = await this.#tools.managers.permissionOf(team, user);
    const prepared = await settled(prepare(askerOf(conversation, mayManage)));
    switch (prepared.kind) {
      case 'form':
        await isShown?.();
        return this.#openForm(conversation, prepared.form, trigger);
      case 'refusal':
        return this.#answer(conversation, async () => prepared.reply, isShown);
      case 'answer': {
        if (opensGame(prepared.request)) {
          await isShown?.();
          return openGame(this.#tools, conversation, prepared, trigger);
        }
        const answer = () => this.#answer(conversation, () => prepared.run(), isShown);
        if (!prepared.managing || !announce || direct) return answer();
        const announcement = await announcementOf(this.#tools.app, conversation, answer);
        if (announcement !== undefined) await this.#answers.show(conversation, announcement);
      }
    }
  }

  async #answer(
    conversation: Conversation,
    run: () => Promise<Reply>,
    isShown?: RunOptions['isShown'],
  ): Promise<void> {
    const reachable = await this.#withModal(conversation);
    // A modal that was opened for the answer must not be left without one.
    await this.#answering(reachable, async () => {
      const reply = await run();
      if ((await isShown?.(reply)) !== false) await this.#answers.show(reachable, reply);
    });
  }

  async #openForm(conversation: Conversation, form: Form, trigger?: string): Promise<void> {
    const { team, answerBy } = conversation;
    const id = answerBy.kind === 'trigger' ? answerBy.trigger : trigger;
    if (id === undefined) return this.#answers.show(conversation, formButton(form));
    const packed = await this.#dispatcher.packAction(form.action, actionAskerIn(conversation));
    const view = formModal(form, conversation, packed);
    const { api } = this.#tools;
    const method = answerBy.kind === 'modal' ? 'views.push' : 'views.open';
    try {
      await api.openView(team, id, view, method);
    } catch (error) {
      const code = refusalOf(error) ?? '';
      if (answerBy.kind === 'url' && TRIGGER_GONE.has(code))
        return this.#answers.show(conversation, formButton(form));
      // Slack takes no more than three modals on top of each other.
      if (answerBy.kind !== 'modal' || code !== 'push_limit_reached') throw error;
      await api.call(team, 'views.update', { view_id: answerBy.view, view });
    }
  }

  /** Opens a modal at once where the answer needs one, because its trigger is valid for three seconds. */
  async #withModal(conversation: Conversation): Promise<Conversation> {
    const { answerBy, team } = conversation;
    if (answerBy.kind !== 'trigger') return conversation;
    const method = answerBy.isOnTop ? 'views.push' : 'views.open';
    const modal = answerModal(conversation, WORKING);
    const view = await this.#tools.api.openView(team, answerBy.trigger, modal, method);
    return { ...conversation, answerBy: { kind: 'modal', view } };
  }

  async #reveal(conversation: Conversation, reveal: Reveal): Promise<void> {
    const { team, user, answerBy } = conversation;
    const { mayManage } = await this.#tools.managers.permissionOf(team, user);
    const reply = await this.#replyAgain(reveal, askerOf(conversation, mayManage));
    const isAlone = answerBy.kind === 'modal' || (answerBy.kind === 'url' && answerBy.on === 'private');
    // On a message for everybody, only what was asked for is shown, to the asker alone; the message stays as it is.
    const shown = isAlone ? { reply, open: reveal.open } : onlyRevealed(reply, reveal.open);
    const options = { open: shown.open, inPlace: isAlone };
    await this.#answers.show(conversation, { ...shown.reply, audience: 'asker' }, options);
  }

  /** The reply that the pressed Reveal button belongs to. */
  async #replyAgain({ source }: Reveal, asker: Asker): Promise<Reply> {
    if ('kept' in source) {
      const kept = await keptReply(this.#tools.app, source.kept);
      return kept ?? { title: 'This is too old to be revealed', blocks: [], audience: 'asker' };
    }
    return this.#replyOf(asker, await this.#dispatcher.unpackAction(source.packed));
  }

  async #replyOf(asker: Asker, action: Action): Promise<Reply> {
    const reply = await replyOf(this.#dispatcher.prepare({ ...asker, ...action }));
    return reply ?? { title: 'This can no longer be answered', blocks: [], audience: 'asker' };
  }

  /** Whatever is thrown becomes an answer, and if even that can't be sent, a line in the log. */
  async #answering(conversation: Conversation, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const { team, answerBy } = conversation;
      const code = refusalOf(error) ?? '';
      // The person closed the modal before the answer was there.
      if (answerBy.kind !== 'url' && code === 'not_found') return;
      // They pressed it in a modal or on a home page, and can press it again.
      if (answerBy.kind === 'trigger' && TRIGGER_GONE.has(code)) return;
      const fields = { door: 'slack', team, failure: readFailure(error) } as const;
      const reply = this.#dispatcher.errorReply(error, fields, 'an answer failed');
      try {
        await this.#answers.show(conversation, reply);
      } catch (again) {
        this.#tools.app.log.warn(
          { door: 'slack', team, failure: readFailure(again) },
          'the reply about a failed answer could not be sent',
        );
      }
    }
  }
}

/** Where no form can be opened, a button that opens it. */
function formButton(form: Form): Reply {
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
