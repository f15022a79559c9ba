import type {
  BlockAction,
  App as BoltApp,
  Context,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  MessageShortcut as SlackMessageShortcut,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { atMost } from '../../../core/cache.ts';
import { type ExchangeTools, Revealing, SlackExchange, SubmittedForm } from '../answer/exchange.ts';
import { publishHome } from '../answer/home.ts';
import { answerModal, FORM, filledIn, WORKING } from '../answer/modals.ts';
import type { Removals } from '../install/removals.ts';
import type { Workspaces } from '../install/workspaces.ts';
import type { GameHandlers } from '../play/game-handlers.ts';
import { ASK, GAME, typedIn } from '../play/game-modal.ts';
import type { GameView } from '../play/game-views.ts';
import { REPEAT_ACTION, type UnconfirmedPosts } from '../post/unconfirmed-posts.ts';
import { MESSAGE_SHORTCUT, SLASH_COMMAND } from '../render/mrkdwn.ts';
import { parseReveal } from '../render/reveal.ts';
import { type AnswerBy, type Conversation, parseMetadata, readMention, readTyped } from './conversation.ts';
import * as payloads from './payloads.ts';

export interface ListenerTools extends ExchangeTools {
  readonly games: GameHandlers;
  readonly workspaces: Workspaces;
  readonly removals: Removals;
  readonly unconfirmed: UnconfirmedPosts;
}

type With<Args> = Args & { readonly context: Context };
type PressArgs = With<SlackActionMiddlewareArgs<BlockAction>>;
type ShortcutArgs = With<SlackShortcutMiddlewareArgs<SlackMessageShortcut>>;
type EventArgs<Type extends string> = With<SlackEventMiddlewareArgs<Type>>;

const MAX_DIRECT_CHANNELS = 5000;

/**
 * Translates what Slack sends. Each request is acknowledged first and answered after that. Malformed ones do not come
 * this far: both receivers check requests by the schemas that are parsed with here.
 */
export class Listeners {
  readonly #tools: ListenerTools;
  /**
   * The bot's own conversations. The id of a channel is not enough: one that starts with `D` may also be a
   * conversation between two people.
   */
  readonly #directChannels = new LRUCache<string, true>(atMost(MAX_DIRECT_CHANNELS));

  constructor(tools: ListenerTools) {
    this.#tools = tools;
  }

  register(bolt: BoltApp): void {
    bolt.command(SLASH_COMMAND, (args) => this.#command(args));
    bolt.shortcut<SlackMessageShortcut>(
      { type: 'message_action', callback_id: MESSAGE_SHORTCUT.id },
      (args) => this.#chosen(args),
    );
    bolt.action<BlockAction>(/^(do|choose|reveal):/, (args) => this.#press(args));
    bolt.action<BlockAction>(REPEAT_ACTION, (args) => this.#repeatPost(args));
    bolt.action<BlockAction>(/^(moves|ask):/, (args) => this.#pressInGame(args));
    bolt.view<ViewSubmitAction>(FORM, (args) => this.#submit(args));
    bolt.view<ViewSubmitAction>(GAME, (args) => this.#enterInGame(args));
    bolt.event('app_mention', (args) => this.#mention(args));
    bolt.event('message', (args) => this.#message(args));
    bolt.event('app_home_opened', (args) => this.#openHome(args));
    bolt.event('app_uninstalled', async ({ context }) => this.#removed(context));
    bolt.event('team_access_revoked', (args) => this.#teamsRevoked(args));
    bolt.event('tokens_revoked', (args) => this.#tokensRevoked(args));
  }

  async #command({ command, ack, context }: With<SlackCommandMiddlewareArgs>): Promise<void> {
    await ack();
    const payload = v.parse(payloads.Command, command);
    const { user_id: user, channel_id: channel, text, response_url: url, trigger_id: trigger } = payload;
    const conversation = this.#conversation(context, {
      user,
      channel,
      answerBy: { kind: 'url', url, on: 'nothing' },
    });
    await this.#line(conversation, readTyped(text), trigger);
  }

  /** A shortcut in the menu of a message. */
  async #chosen({ shortcut, ack, context }: ShortcutArgs): Promise<void> {
    await ack();
    const payload = v.parse(payloads.MessageShortcut, shortcut);
    const { user, channel, response_url: url, message } = payload;
    const { ts, thread_ts: parent, text } = message;
    // The first message of a thread is in the channel.
    const thread = parent === ts ? undefined : parent;
    const conversation = this.#conversation(context, {
      user: user.id,
      channel: channel.id,
      answerBy: { kind: 'url', url, on: 'nothing' },
      thread,
    });
    const chosen = {
      id: ts,
      author: message.user ?? '',
      text: readTyped(text ?? ''),
      at: Math.floor(Number(message.edited?.ts ?? ts) * 1000),
    };
    await this.#tools.conversation.answer(new SlackExchange(this.#tools, conversation), (asker) =>
      this.#tools.dispatcher.prepare({ ...asker, message: chosen, command: 'record', options: {} }),
    );
  }

  async #press({ body, ack, context }: PressArgs): Promise<void> {
    await ack();
    const press = v.parse(payloads.Press, body);
    const conversation = this.#pressedIn(press, context);
    const value = pressedValue(press);
    const reveal = press.actions[0]?.action_id.startsWith('reveal:') ? parseReveal(value) : undefined;
    if (reveal === undefined) {
      const exchange = new SlackExchange(this.#tools, conversation, press.trigger_id);
      return this.#tools.conversation.press(exchange, value);
    }
    const revealing = new Revealing(this.#tools, conversation, reveal);
    await this.#tools.conversation.answer(revealing, (asker) =>
      revealing.prepare(asker, this.#tools.dispatcher),
    );
  }

  async #repeatPost({ body, ack, context, respond }: PressArgs): Promise<void> {
    await ack();
    const key = pressedValue(v.parse(payloads.Press, body));
    const text = await this.#tools.unconfirmed.repeat(context.teamId ?? '', key);
    await respond({ text, replace_original: true });
  }

  async #submit({ body, ack, context }: With<SlackViewMiddlewareArgs<ViewSubmitAction>>): Promise<void> {
    const { user, view } = v.parse(payloads.Submission, body);
    const {
      channel,
      thread,
      direct,
      url,
      on = 'nothing',
      packed = '',
    } = parseMetadata(view.private_metadata);
    const answerBy: AnswerBy =
      url === undefined ? { kind: 'modal', view: view.id } : { kind: 'url', url, on };
    const conversation = {
      ...this.#conversation(context, { user: user.id, channel, answerBy, thread }),
      direct,
    };
    const exchange = new SubmittedForm(this.#tools, conversation, {
      view,
      close: () =>
        answerBy.kind === 'url'
          ? ack()
          : ack({ response_action: 'update', view: answerModal(conversation, WORKING) }),
      refuse: (errors) => ack({ response_action: 'errors', errors }),
    });
    await this.#tools.conversation.press(exchange, packed, filledIn(view));
  }

  async #pressInGame({ body, ack, context }: PressArgs): Promise<void> {
    await ack();
    const press = v.parse(payloads.Press, body);
    const [action] = press.actions;
    if (!press.view || action === undefined) return;
    const view = this.#gameIn(press.view, press.user.id, context);
    const value = pressedValue(press);
    const { games } = this.#tools;
    if (action.action_id.startsWith(ASK)) await games.ask(view, value, press.trigger_id);
    else await games.press(view, value, action.action_ts ?? '');
  }

  async #enterInGame({ body, ack, context }: With<SlackViewMiddlewareArgs<ViewSubmitAction>>): Promise<void> {
    const { user, view } = v.parse(payloads.Submission, body);
    const { modal, later } = await this.#tools.games.enter(
      this.#gameIn(view, user.id, context),
      typedIn(view),
    );
    await ack({ response_action: 'update', view: modal });
    await later?.();
  }

  #gameIn(view: payloads.View, user: string, context: Context): GameView {
    const metadata = parseMetadata(view.private_metadata);
    const { channel, thread, direct } = metadata;
    const answerBy: AnswerBy = { kind: 'modal', view: view.id };
    const conversation = { ...this.#conversation(context, { user, channel, answerBy, thread }), direct };
    return { id: view.id, conversation, metadata, hash: view.hash };
  }

  #line(conversation: Conversation, line: string, trigger?: string): Promise<void> {
    return this.#tools.conversation.line(new SlackExchange(this.#tools, conversation, trigger), line);
  }

  async #mention({ event, context }: EventArgs<'app_mention'>): Promise<void> {
    const { user, channel, thread_ts: thread, ts, text } = v.parse(payloads.Mention, event);
    // Another app mentions the bot.
    if (typeof user !== 'string') return;
    const answerBy: AnswerBy = { kind: 'post', under: thread ?? ts };
    const conversation = this.#conversation(context, { user, channel, answerBy, thread });
    await this.#line(conversation, readMention(text, context.botUserId ?? ''));
  }

  /** Only what a person writes in the bot's own conversation with them. */
  async #message({ event, context }: EventArgs<'message'>): Promise<void> {
    const message = v.parse(payloads.Message, event);
    if (message.channel_type !== 'im' || message.subtype !== undefined || message.bot_id !== undefined)
      return;
    const { user, channel, thread_ts: thread, text } = message;
    if (user === undefined) return;
    this.#directChannels.set(channel, true);
    const conversation = this.#conversation(context, { user, channel, answerBy: { kind: 'post' }, thread });
    await this.#line(conversation, readMention(text, context.botUserId ?? ''));
  }

  async #openHome({ event, context }: EventArgs<'app_home_opened'>): Promise<void> {
    const { user, channel, tab } = v.parse(payloads.HomeOpened, event);
    this.#directChannels.set(channel, true);
    if (tab !== 'home') return;
    const conversation = this.#conversation(context, { user, channel, answerBy: { kind: 'post' } });
    await publishHome(this.#tools, conversation);
  }

  async #tokensRevoked({ event, context }: EventArgs<'tokens_revoked'>): Promise<void> {
    const { tokens } = v.parse(payloads.TokensRevoked, event);
    if (tokens.bot.length > 0) this.#removed(context);
  }

  async #teamsRevoked({ event }: EventArgs<'team_access_revoked'>): Promise<void> {
    const { team_ids: teams } = v.parse(payloads.TeamAccessRevoked, event);
    for (const team of teams) await this.#tools.workspaces.leave(team);
  }

  #removed({ teamId = '', enterpriseId, isEnterpriseInstall }: Context): void {
    this.#tools.removals.report(isEnterpriseInstall ? (enterpriseId ?? teamId) : teamId);
  }

  #conversation({ teamId: team = '' }: Context, { user, channel, answerBy, thread }: Asked): Conversation {
    const direct = this.#directChannels.has(channel);
    return { team, user, channel, ...(typeof thread === 'string' && { thread }), direct, answerBy };
  }

  /** A button was pressed on a message that everybody or only one person can see, in a modal, or on a home page. */
  #pressedIn(press: payloads.Press, context: Context): Conversation {
    const { id: user } = press.user;
    if (press.view) {
      const { channel, thread, direct } = parseMetadata(press.view.private_metadata);
      const answerBy: AnswerBy =
        press.view.type === 'home'
          ? { kind: 'trigger', trigger: press.trigger_id }
          : { kind: 'modal', view: press.view.id };
      return { ...this.#conversation(context, { user, channel, answerBy, thread }), direct };
    }
    const { channel_id: channel, message_ts, thread_ts, is_ephemeral } = press.container;
    // The first message of a thread is in the channel, and so are the answers to its buttons.
    const thread = thread_ts === message_ts ? undefined : thread_ts;
    const isPrivate = is_ephemeral || this.#directChannels.has(channel);
    const answerBy: AnswerBy = {
      kind: 'url',
      url: press.response_url,
      on: isPrivate ? 'private' : 'public',
    };
    return this.#conversation(context, { user, channel, answerBy, thread });
  }
}

/** Who asked something, where, and how they are answered. */
interface Asked extends Pick<Conversation, 'user' | 'channel' | 'answerBy'> {
  readonly thread?: string | null | undefined;
}

/** The value of a button, or of the choice made in a menu. */
function pressedValue({ actions: [action] }: payloads.Press): string {
  return action?.selected_option?.value ?? action?.value ?? '';
}
