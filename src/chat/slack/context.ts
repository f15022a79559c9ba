import * as v from 'valibot';
import { UserError } from '../../core/errors.ts';
import { spokenTime } from '../../core/text.ts';
import { holdReason } from '../../daily/plan/todo.ts';
import { spokenZone } from '../../daily/settings/local-time.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import { runAnnouncing } from '../../daily/settings/switch.ts';
import { type App, type Asker, type PreparedAnswer, replyOf } from '../../dispatch/contract.ts';
import { progressBlock } from '../../players/results/own-result.ts';
import { withHintPrices } from '../../players/solo-games.ts';
import { packAction, unpackAction } from '../../reply/model/action.ts';
import { bodyText, code, factsRevealedBy, foldedBlock, notes, toAsker } from '../../reply/model/text.ts';
import type { Block, Form, Line, Reply } from '../../reply/model/types.ts';
import { RULES } from '../../reply/replies/board.ts';
import { formButton, type RequestContext, type RunnableAnswer } from '../conversation.ts';
import { downloadPicture } from '../door.ts';
import { retrying } from './api.ts';
import { privateFailure, readFailure, refusalOf, TRIGGER_GONE } from './errors.ts';
import {
  askerOf,
  File,
  type Files,
  isPicture,
  metadataOf,
  type Origin,
  type Submission,
  tenantOf,
} from './events.ts';
import {
  answerModal,
  filesIn,
  filledIn,
  formModal,
  onlyRevealed,
  type Reveal,
  refusedField,
  STORED_REPLY,
  storedReply,
  WORKING_MESSAGE,
} from './render.ts';
import { type ShowOptions, type SlackTools, sendWithFallback, showAnswer } from './send.ts';

/** Says in a channel what somebody had `/remind` say there. */
const SLACKBOT = 'USLACKBOT';

/** A request on Slack, typed or pressed. */
export class SlackContext implements RequestContext {
  readonly #tools: SlackTools;
  /** Where the answer goes. One that opens a modal by its trigger goes to that modal once it is open. */
  #origin: Origin;
  /** Opens a modal, for three seconds. */
  readonly #trigger: string | undefined;
  readonly #opens: ReadonlySet<number> | undefined;
  #announcement: Reply | undefined;

  /**
   * @param trigger opens a form, where the answer itself goes to a message or to the modal that has the button
   * @param opens the hidden blocks of the answer that were asked for
   */
  constructor(tools: SlackTools, origin: Origin, trigger?: string, opens?: ReadonlySet<number>) {
    this.#tools = tools;
    this.#origin = origin;
    this.#opens = opens;
    this.#trigger = origin.answerBy.kind === 'trigger' ? origin.answerBy.trigger : trigger;
  }

  async asker(): Promise<Asker> {
    const { team, user } = this.#origin;
    return askerOf(this.#origin, await this.#tools.people.permissionOf(team, user));
  }

  /** Nothing is done before the modal of its answer is open: if its trigger is gone, nobody could read that a hint counts. */
  async #openModal(): Promise<void> {
    const { team } = this.#origin;
    const modal = answerModal(this.#origin, WORKING_MESSAGE);
    const view = await this.#tools.api.openView(team, this.#trigger ?? '', modal);
    this.#origin = { ...this.#origin, answerBy: { kind: 'modal', view } };
  }

  /**
   * Announces each change of settings in its channel where everybody may make one: where the app may not look people up, they
   * all manage the channel that they are in.
   */
  async run(answer: RunnableAnswer): Promise<Reply> {
    if (this.#origin.answerBy.kind === 'trigger') await this.#openModal();
    const { who, where } = answer.request;
    if (!answer.forManagers || !who.managesOnlyHere || where.direct) return answer.run();
    const { store } = this.#tools.app;
    const { reply, announcement } = await runAnnouncing(store, where, who.id, () => answer.run());
    this.#announcement = announcement;
    return reply;
  }

  async show(reply: Reply, prepared?: PreparedAnswer): Promise<void> {
    if (prepared !== undefined && this.#opens !== undefined) return this.#reveal(reply, this.#opens);
    await this.answer(reply);
    if (this.#announcement !== undefined) return this.answer(this.#announcement);
  }

  /** @param options.mayTakePicture false after Slack has refused a form with a field for a picture: scopes are not always known */
  async form(form: Form, { mayTakePicture = true } = {}): Promise<void> {
    const { api, app } = this.#tools;
    const { team, answerBy } = this.#origin;
    if (this.#trigger === undefined) return this.answer(formButton(form));
    const packed = await packAction(form.action, app, askerOf(this.#origin));
    const isOfBoard = form.action.command === 'solve' && form.fields.some(({ name }) => name === 'sides');
    const takesPicture = mayTakePicture && isOfBoard && (await api.may(team, 'files:read'));
    const view = formModal(form, this.#origin, packed, { takesPicture });
    try {
      // A button in a modal puts the form on top of it.
      await api.openView(team, this.#trigger, view, answerBy.kind === 'modal' ? 'views.push' : 'views.open');
    } catch (error) {
      if (takesPicture && refusalOf(error) === 'missing_scope')
        return this.form(form, { mayTakePicture: false });
      // The modal came too late for its trigger.
      if (TRIGGER_GONE.test(refusalOf(error))) return this.answer(formButton(form));
      // Slack takes no more than three modals on top of each other.
      if (answerBy.kind !== 'modal' || refusalOf(error) !== 'push_limit_reached') throw error;
      await api.call(team, 'views.update', { view_id: answerBy.view, view });
    }
  }

  isOver(error: unknown): boolean {
    const { user, answerBy } = this.#origin;
    // No private answer reaches it.
    if (user === SLACKBOT && privateFailure(error).kind === 'refused') return true;
    const { kind } = answerBy;
    const code = refusalOf(error);
    // The person closed the modal before the answer was there, or can press again in a modal or on a home page.
    return code === 'not_found' || (kind === 'trigger' && TRIGGER_GONE.test(code));
  }

  describe(error: unknown): object {
    return { team: this.#origin.team, failure: readFailure(error) };
  }

  answer(reply: Reply, options?: ShowOptions): Promise<void> {
    return showAnswer(this.#tools, this.#origin, reply, options);
  }

  /** A Reveal button changes what only its asker sees; on a message for everybody it is answered to them alone. */
  async #reveal(reply: Reply, asked: ReadonlySet<number>): Promise<void> {
    const isPrivate = isSeenByOne(this.#origin);
    const shown = isPrivate ? { reply, open: asked } : onlyRevealed(reply, asked);
    await this.answer({ ...shown.reply, audience: 'asker' }, { open: shown.open, inPlace: isPrivate });
  }
}

const FIELD_IS_EMPTY = 'Please fill this in.';

/**
 * Handles a submitted form. A mistake that is found in time is shown in the form, which stays open with what was typed.
 *
 * @param deadline when Slack has to be answered
 * @param acknowledge answers Slack: with content, which shows errors in the form or another modal in its place, or without,
 * which closes the form
 */
export function submitForm(
  tools: SlackTools,
  origin: Origin,
  view: Submission['view'],
  deadline: Promise<undefined>,
  acknowledge: (content?: object) => Promise<void>,
): Promise<void> {
  const context = new SlackContext(tools, origin);
  let isOpen = true;
  /** Closes or changes the form, if nothing has done so before. @returns whether it did */
  const change = async (content?: object): Promise<boolean> => {
    if (!isOpen) return false;
    isOpen = false;
    await acknowledge(content);
    return true;
  };
  const refuse = (errors: Record<string, string>) => change({ response_action: 'errors', errors });
  // A modal that is answered in a modal shows in its place that the answer is coming.
  const close = () =>
    origin.answerBy.kind === 'modal'
      ? change({ response_action: 'update', view: answerModal(origin, WORKING_MESSAGE) })
      : change();
  const submitted: RequestContext = {
    asker: () => context.asker(),
    due: () => deadline,
    acknowledge: async () => void (await close()),
    run: (answer) => context.run(answer),
    async show(reply) {
      if (reply.isMistake && (await refuse(refusedField(bodyText(reply), view)))) return;
      await close();
      await context.show(reply);
    },
    async form(form) {
      // This form asks only for what is still missing, so each of its required fields was left blank.
      const blank = form.fields.filter(({ required }) => required);
      const errors = Object.fromEntries(blank.map(({ name }) => [name, FIELD_IS_EMPTY]));
      if (!(await refuse(errors))) await context.form(form);
    },
    isOver: (error) => context.isOver(error),
    describe: (error) => context.describe(error),
  };
  const { packed } = view.private_metadata;
  const files = filesIn(view);
  if (files.length === 0) return tools.conversation.press(submitted, packed, filledIn(view));
  return tools.conversation.answer(submitted, async (asker) => {
    const { options } = await unpackAction(packed, tools.app);
    return tools.dispatcher.preparePicture(() => readPicture(tools, origin.team, files), asker, options);
  });
}

/** Whether a button is on a message, in a modal or on a home page that only the person who pressed it can see. */
function isSeenByOne({ answerBy }: Origin): boolean {
  const { kind } = answerBy;
  return kind === 'modal' || kind === 'trigger' || (kind === 'url' && answerBy.from === 'private message');
}

const TOO_OLD = toAsker('This is too old to be revealed', []);

/** A Reveal button: the reply that it belongs to, with the hidden blocks that it stands for. */
export function revealHidden(tools: SlackTools, origin: Origin, { open, source }: Reveal): Promise<void> {
  const { app, conversation, dispatcher } = tools;
  const context = new SlackContext(tools, origin, undefined, open);
  const recording = isSeenByOne(origin) ? {} : ({ hintRecording: 'shared' } as const);
  if (source.startsWith(STORED_REPLY)) return conversation.track(showStored(), context);
  return conversation.answer(context, async (asker) => {
    const action = await unpackAction(source, app);
    return dispatcher.prepare({ ...asker, ...recording, ...action, opens: [...open] });
  });

  async function showStored(): Promise<void> {
    const reply = await storedReply(app, source);
    if (reply === undefined) return context.answer(TOO_OLD);
    const opened = factsRevealedBy(reply).hidden.filter((_, index) => open.has(index));
    await dispatcher.recordOpened({ ...(await context.asker()), ...recording }, opened);
    const shown = onlyRevealed(reply, open);
    await context.answer(shown.reply, { open: shown.open });
  }
}

const MAX_CHANNELS = 10;
const SET_UP: Line = [
  'Set it up in its channel: ',
  code('/invite @letterboxed'),
  ', then ',
  code('/letterboxed daily on'),
  '.',
];
/** Said in a channel's line where no thread comes. */
const STATE_DESCRIPTIONS = { suspended: 'stopped, because I can’t post there', off: 'off', paused: 'paused' };

/** One person's home page: the day's board, their own progress, and the channels with a daily thread. */
export async function publishHome(tools: SlackTools, origin: Origin): Promise<void> {
  const { app, dispatcher, api } = tools;
  const { team, user } = origin;
  const today = dispatcher.prepare({ ...askerOf(origin), command: 'today', options: {} });
  const board = await replyOf(today);
  const progress = await progressBlock(askerOf(origin), app);
  const shown = await withHintPrices(askerOf(origin), app, board.blocks);
  const blocks = [
    ...shown,
    ...foldedBlock('How it is played', RULES),
    ...progress,
    ...(await channelBlocks(app, origin)),
  ];
  const reply: Reply = { ...board, blocks, audience: 'asker' };
  const options = { surface: 'view', inThread: false } as const;
  const outgoing = { team, reply, options, asker: askerOf(origin) };
  await sendWithFallback(tools, outgoing, (rendered) => {
    const view = { type: 'home', private_metadata: metadataOf(origin), blocks: rendered.blocks };
    return retrying(() => api.call(team, 'views.publish', { user_id: user, view }), tools.sleep);
  });
}

/** Slack fills in the names of channels, and shows the names of private channels only to their members. */
async function channelBlocks({ store, clock }: App, { team }: Origin): Promise<Block[]> {
  const subscriptions = await store.tenant(tenantOf(team)).subscriptions.list();
  const lines = subscriptions.slice(0, MAX_CHANNELS).map((subscription): Line => {
    const { channel, settings, state } = subscription;
    const { opening, weekends, zone } = parseStored(settings);
    const times = `${weekends ? 'every day' : 'on weekdays'} at ${spokenTime(opening)} ${spokenZone(zone)}`;
    const held = state === 'off' ? state : holdReason(subscription, clock.now());
    const when = held === undefined ? times : STATE_DESCRIPTIONS[held];
    return ['• ', { channel }, `: ${when}`];
  });
  const more = subscriptions.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  if (lines.length === 0) lines.push('Nowhere yet.');
  return [...foldedBlock('The daily thread in this workspace', lines), ...notes(SET_UP)];
}

/**
 * The bytes of the first picture among the files of a message or a form. Slack gives a file to bots that may read files and are in its
 * channel; others are sent to a page to sign in.
 */
export async function readPicture(
  { api, workspaces, pictureOrigins }: Pick<SlackTools, 'api' | 'workspaces' | 'pictureOrigins'>,
  team: string,
  files: Files,
): Promise<Uint8Array> {
  if (!(await api.may(team, 'files:read')))
    throw new UserError(
      'slack.filesRead',
      'I may not read files in this workspace: whoever installs me can give me the permission files:read. Type the letters instead, such as `solve ozu nri lfa mbt`.',
    );
  const headers = { authorization: `Bearer ${await workspaces.token(team)}` };
  const whole = async (file: Files[number]) =>
    file.file_access === 'check_file_info'
      ? v.parse(File, (await api.call(team, 'files.info', { file: file.id })).file)
      : file;
  try {
    // A file from elsewhere has an address that is not Slack's, or none.
    const own = (await Promise.all(files.map(whole)))
      .filter(isPicture)
      .find(({ url_private: url = '' }) => pictureOrigins.includes(URL.parse(url)?.origin ?? ''));
    return await downloadPicture(own?.url_private ?? null, pictureOrigins, headers);
  } catch (error) {
    const isUnloaded = error instanceof UserError && error.code === 'picture.fetch';
    if (!isUnloaded && refusalOf(error) === '') throw error;
    throw new UserError(
      'picture.fetch',
      'I can’t load that picture: I see files only in channels that I am in. Type `/invite @letterboxed` there, and try again.',
    );
  }
}
