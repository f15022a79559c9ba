import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import {
  type Asker,
  type Dispatcher,
  type Prepared,
  type PreparedAnswer,
  type Request,
  settled,
} from '../../dispatch/contract.ts';
import { wordsOption } from '../../reply/model/subject.ts';
import { saidIn } from '../../reply/model/text.ts';
import type { Action, Form, GameCard, Reply } from '../../reply/model/types.ts';
import { gameIn } from '../../reply/replies/game.ts';
import type { Conversation, Exchange } from '../conversation.ts';
import { showAnswer } from './answers.ts';
import { readFailure, refusalOf, TRIGGER_GONE } from './errors.ts';
import type { Submission } from './events.ts';
import type { GameTools, GameView, GameViews } from './games.ts';
import { announcementOf, type Managers, stateOf } from './managers.ts';
import { ASKED, type Asked, answerModal, formModal, gameModal, refusedField, WORKING } from './modals.ts';
import { actionAskerIn, askerOf, metadataOf, type Origin } from './origin.ts';
import { keptReply, onlyRevealed, type Reveal } from './reveal.ts';

export interface ExchangeTools extends GameTools {
  readonly conversation: Conversation;
  readonly managers: Managers;
  readonly views: GameViews;
}

/** Milliseconds after which a modal is opened without the game. Its trigger is valid for three seconds in all. */
const OPEN_AT = 500;

type RunnableAnswer = Extract<PreparedAnswer, { kind: 'answer' }>;

/** What somebody asks on Slack by typing or pressing. */
export class SlackExchange implements Exchange {
  protected readonly tools: ExchangeTools;
  /** Where it was asked; from the acknowledgement on it may be answered in a modal. */
  protected origin: Origin;
  readonly #asked: Origin;
  /** Opens a modal, for three seconds. */
  readonly #trigger: string | undefined;
  #isTriggerGone = false;
  #mustAnnounce = false;
  #announcement: Reply | undefined;

  /** @param trigger of what would be answered in a message, such as a slash command */
  constructor(tools: ExchangeTools, origin: Origin, trigger?: string) {
    this.tools = tools;
    this.origin = origin;
    this.#asked = origin;
    this.#trigger = origin.answerBy.kind === 'trigger' ? origin.answerBy.trigger : trigger;
  }

  async asker(): Promise<Asker> {
    const { team, user, direct } = this.origin;
    const permission = await this.tools.managers.permissionOf(team, user);
    this.#mustAnnounce = permission.announce && !direct;
    return askerOf(this.origin, permission);
  }

  /** A modal is opened at once where the answer needs one, and soon where a game may take longer than its trigger. */
  due(prepared?: Prepared): Promise<unknown> | undefined {
    const { answerBy } = this.origin;
    if (answerBy.kind === 'trigger' && answerBy.isOnTop) return Promise.resolve();
    if (prepared?.kind !== 'answer') return undefined;
    if (this.#opensGame(prepared.request)) return sleep(OPEN_AT, undefined, { ref: false });
    return answerBy.kind === 'trigger' ? Promise.resolve() : undefined;
  }

  async acknowledge(): Promise<void> {
    const { answerBy } = this.origin;
    const isOnTop = answerBy.kind === 'trigger' && answerBy.isOnTop;
    const modal = answerModal(this.origin, WORKING);
    try {
      await this.#openModal(modal, isOnTop ? 'views.push' : 'views.open');
    } catch (error) {
      if (answerBy.kind === 'trigger' || !TRIGGER_GONE.has(refusalOf(error) ?? '')) throw error;
      this.#isTriggerGone = true;
    }
  }

  async run(answer: RunnableAnswer): Promise<Reply> {
    const { origin, tools } = this;
    if (isGame(answer.request) && this.#trigger === undefined && origin.answerBy.kind !== 'modal')
      return playButton(answer.request, 'Play the board');
    if (!answer.managing || !this.#mustAnnounce) return answer.run();
    const before = await stateOf(tools.app, origin);
    const reply = await answer.run();
    this.#announcement = announcementOf(before, await stateOf(tools.app, origin));
    return reply;
  }

  async show(reply: Reply, prepared?: PreparedAnswer): Promise<void> {
    const request = prepared?.kind === 'answer' && isGame(prepared.request) ? prepared.request : undefined;
    const card = request && gameIn(reply);
    if (request && card) return this.#showGame(card, request);
    await showAnswer(this.tools, this.origin, reply);
    if (this.#announcement !== undefined) await showAnswer(this.tools, this.origin, this.#announcement);
  }

  async form(form: Form): Promise<void> {
    const { api, dispatcher } = this.tools;
    const { origin } = this;
    const { team, answerBy } = origin;
    if (this.#trigger === undefined) return showAnswer(this.tools, origin, formButton(form));
    const packed = await dispatcher.packAction(form.action, actionAskerIn(origin));
    const view = formModal(form, origin, packed);
    const method = answerBy.kind === 'modal' ? 'views.push' : 'views.open';
    try {
      await api.openView(team, this.#trigger, view, method);
    } catch (error) {
      const code = refusalOf(error) ?? '';
      if (answerBy.kind === 'url' && TRIGGER_GONE.has(code))
        return showAnswer(this.tools, origin, formButton(form));
      // Slack takes no more than three modals on top of each other.
      if (answerBy.kind !== 'modal' || code !== 'push_limit_reached') throw error;
      await api.call(team, 'views.update', { view_id: answerBy.view, view });
    }
  }

  isOver(error: unknown): boolean {
    const { kind } = this.origin.answerBy;
    const code = refusalOf(error) ?? '';
    // The person closed the modal before the answer was there, or can press again in a modal or on a home page.
    return (kind !== 'url' && code === 'not_found') || (kind === 'trigger' && TRIGGER_GONE.has(code));
  }

  describe(error: unknown): object {
    return { team: this.origin.team, failure: readFailure(error) };
  }

  /** Whether a new modal is to be opened with a game. */
  #opensGame(request: Request): boolean {
    return isGame(request) && this.#trigger !== undefined && this.origin.answerBy.kind !== 'modal';
  }

  async #openModal(modal: object, method?: 'views.push' | 'views.open'): Promise<string> {
    const view = await this.tools.api.openView(this.origin.team, this.#trigger ?? '', modal, method);
    this.origin = { ...this.origin, answerBy: { kind: 'modal', view } };
    return view;
  }

  /** In the modal that is open, or in a new one. */
  async #showGame(card: GameCard, request: Request): Promise<void> {
    const { dispatcher, views } = this.tools;
    const { answerBy } = this.origin;
    if (this.#isTriggerGone) return showAnswer(this.tools, this.origin, playButton(request, TOO_LATE));
    const action = { command: 'play', options: card.options };
    const packed = await dispatcher.packAction(action, actionAskerIn(this.origin));
    const metadata = metadataOf(this.#asked, packed);
    const modal = gameModal(card, metadata);
    let view = answerBy.kind === 'modal' ? answerBy.view : undefined;
    if (view !== undefined) await views.update({ id: view, origin: this.origin, metadata }, modal);
    else {
      try {
        view = await this.#openModal(modal);
      } catch (error) {
        if (answerBy.kind === 'trigger' || !TRIGGER_GONE.has(refusalOf(error) ?? '')) throw error;
        return showAnswer(this.tools, this.origin, playButton(request, TOO_LATE));
      }
    }
    // From now on the modal shows what its person plays elsewhere.
    views.follow({ id: view, origin: this.origin, metadata }, card);
  }
}

/** Where a form was sent from, and how Slack is answered. */
export interface SentForm {
  readonly view: Submission['view'];
  /** Closes the form, or shows in its place that the answer is coming. */
  readonly close: () => Promise<unknown>;
  readonly refuse: (errors: Record<string, string>) => Promise<unknown>;
}

/** A form that was sent. A mistake refuses it, if it is found before Slack wants to know, and what was typed stays. */
export class SubmittedForm extends SlackExchange {
  readonly #form: SentForm;
  readonly #isLate: Promise<unknown>;
  #isOpen = true;

  constructor(tools: ExchangeTools, origin: Origin, form: SentForm) {
    super(tools, origin);
    this.#form = form;
    this.#isLate = sleep(tools.submitPatience, undefined, { ref: false });
  }

  override due(): Promise<unknown> | undefined {
    return this.#isOpen ? this.#isLate : undefined;
  }

  override async acknowledge(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#form.close();
  }

  override async show(reply: Reply, prepared?: PreparedAnswer): Promise<void> {
    if (this.#isOpen && prepared !== undefined && reply.isMistake) {
      this.#isOpen = false;
      await this.#form.refuse(refusedField(saidIn(reply), this.#form.view));
      return;
    }
    await this.acknowledge();
    await super.show(reply, prepared);
  }

  override async form(form: Form): Promise<void> {
    await this.acknowledge();
    await super.form(form);
  }
}

/** What is shown where the reply to an action would have to be a form. */
export const UNANSWERABLE: Reply = {
  title: 'This can no longer be answered',
  blocks: [],
  audience: 'asker',
};
const TOO_OLD: Reply = { title: 'This is too old to be revealed', blocks: [], audience: 'asker' };

/** A Reveal button: the reply that it belongs to, with the hidden blocks that it stands for. */
export class Revealing extends SlackExchange {
  readonly #reveal: Reveal;

  constructor(tools: ExchangeTools, origin: Origin, reveal: Reveal) {
    super(tools, origin);
    this.#reveal = reveal;
  }

  /** What a kept reply was made of is not asked for again. */
  async prepare(asker: Asker, dispatcher: Dispatcher): Promise<Prepared> {
    const { source } = this.#reveal;
    if ('kept' in source)
      return { kind: 'refusal', reply: (await keptReply(this.tools.app, source.kept)) ?? TOO_OLD };
    const action = await dispatcher.unpackAction(source.packed);
    const prepared = await settled(dispatcher.prepare({ ...asker, ...action }));
    return prepared.kind === 'form' ? { kind: 'refusal', reply: UNANSWERABLE } : prepared;
  }

  override due(): Promise<unknown> | undefined {
    return this.origin.answerBy.kind === 'trigger' ? Promise.resolve() : undefined;
  }

  override async run(answer: RunnableAnswer): Promise<Reply> {
    return answer.run();
  }

  override async show(reply: Reply, prepared?: PreparedAnswer): Promise<void> {
    if (prepared === undefined) return showAnswer(this.tools, this.origin, reply);
    const { answerBy } = this.origin;
    const isAlone = answerBy.kind === 'modal' || (answerBy.kind === 'url' && answerBy.on === 'private');
    const { open } = this.#reveal;
    // On a message for everybody, only what was asked for is shown, to the asker alone; the message stays as it is.
    const shown = isAlone ? { reply, open } : onlyRevealed(reply, open);
    const options = { open: shown.open, inPlace: isAlone };
    await showAnswer(this.tools, this.origin, { ...shown.reply, audience: 'asker' }, options);
  }
}

/** Hints and solutions come on top of the game; a result is shared where the game was opened. Never rejects. */
export async function askInGame(
  tools: ExchangeTools,
  view: GameView,
  command: string,
  trigger: string,
): Promise<void> {
  if (!v.is(v.picklist(ASKED), command) || command === 'link') return;
  if (command === 'game') return tools.views.take(view, { kind: 'show' });
  if (command === 'share') return share(tools, view);
  const onTop = { kind: 'trigger', trigger, isOnTop: true } as const;
  const exchange = new SlackExchange(tools, { ...view.origin, answerBy: onTop });
  return tools.conversation.ask(exchange, () => actionOn(tools, view, command));
}

/** What is asked about the board of a game; a hint goes on from the words so far. */
async function actionOn(
  { dispatcher, solo }: ExchangeTools,
  { origin, metadata }: GameView,
  command: Asked,
): Promise<Action> {
  const { options } = await dispatcher.unpackAction(metadata.packed ?? '');
  if (command !== 'hint') return { command, options };
  const { state } = await solo.open(askerOf(origin), options);
  return { command, options: { ...options, ...wordsOption(state.words) } };
}

async function share(tools: ExchangeTools, view: GameView): Promise<void> {
  const { conversation, views, app } = tools;
  const { origin, metadata } = view;
  const exchange = new SlackExchange(tools, origin);
  const find = () => actionOn(tools, view, 'share');
  const reply = (await conversation.replyTo(exchange, find)) ?? UNANSWERABLE;
  const say = (said: string, isShared?: true) => views.take(view, { kind: 'show', said, isShared });
  if (reply.audience === 'asker') return say(`${reply.title}.`, true);
  const { url, on = 'nothing' } = metadata;
  try {
    const answerBy = url === undefined ? ({ kind: 'post' } as const) : ({ kind: 'url', url, on } as const);
    await showAnswer(tools, { ...origin, answerBy }, reply);
  } catch (error) {
    app.log.warn({ door: 'slack', ...exchange.describe(error) }, 'a result could not be shared');
    return say('This can’t be posted here. Type /letterboxed share instead.');
  }
  return say('Shared.', true);
}

/** Whether a request opens a game. With words it enters a solution, and is answered in a message. */
function isGame({ command, options }: Request): boolean {
  return command === 'play' && options.words === undefined;
}

const TOO_LATE = 'Slack took too long to open your game';

/** Where a modal can't be opened at once, a button that opens it. */
function playButton({ options }: Request, title: string): Reply {
  return {
    title,
    blocks: [
      { kind: 'text', lines: ['Press the button: your game opens for you alone, as you left it.'] },
      {
        kind: 'buttons',
        buttons: [{ label: 'Play', action: { command: 'play', options }, look: 'primary' }],
      },
    ],
    audience: 'asker',
  };
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
