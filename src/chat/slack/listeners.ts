import { setTimeout as sleep } from 'node:timers/promises';
import type { AckFn, Context } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../core/cache.ts';
import { respond } from './api.ts';
import {
  EVENT_REMEMBERED,
  type MessageShortcut,
  type Press,
  type SeenOnce,
  type SlackEvent,
  type Submission,
} from './events.ts';
import { askInGame, type ExchangeTools, Revealing, SlackExchange, SubmittedForm } from './exchange.ts';
import type { GameView } from './games.ts';
import { publishHome } from './home.ts';
import type { Removals } from './installations.ts';
import { ASK, answerModal, FORM, filledIn, GAME, MOVES, typedIn, WORKING } from './modals.ts';
import { MESSAGE_SHORTCUT, readMention, readTyped, SLASH_COMMAND } from './mrkdwn.ts';
import { type Origin, parseMetadata } from './origin.ts';
import { parseReveal } from './reveal.ts';
import { REPEAT_ACTION, type UnconfirmedPosts } from './unconfirmed.ts';
import type { Workspaces } from './workspaces.ts';

export interface ListenerTools extends ExchangeTools {
  readonly workspaces: Workspaces;
  readonly removals: Removals;
  readonly unconfirmed: UnconfirmedPosts;
  readonly seen: SeenOnce;
}

/** Acknowledges a request; events are acknowledged by Bolt. */
export type Ack = AckFn<unknown>;

/**
 * Milliseconds between an acknowledgement and what follows: requests that were sent together are acknowledged before the
 * first of them keeps the process busy, and Slack does not put the view of an acknowledgement over that of the answer.
 * Moves of games gather anyway, see `GameViews`.
 */
const ACKNOWLEDGED_FIRST = 15;
const MAX_DIRECT_CHANNELS = 5000;
const ANSWERS = /^(do|choose|reveal):/;

function pausing(ack: Ack): Ack {
  return async (content) => {
    await ack(content);
    await sleep(ACKNOWLEDGED_FIRST);
  };
}

/** Translates what Slack sends. Each request is acknowledged first and answered after that. */
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

  /** Resolves when it is answered. What nobody here has asked for is not acknowledged. */
  async receive({ kind, body }: SlackEvent, ack: Ack, context: Context): Promise<void> {
    const { seen, app, views, workspaces } = this.#tools;
    const { teamId: team = '', botUserId = '' } = context;
    if ('event' in body && body.event_id !== undefined) {
      // Slack's own retry, or a copy that somebody recorded.
      if (await seen.isRepeat(body.event_id, app.clock.now() + EVENT_REMEMBERED)) return;
      await sleep(ACKNOWLEDGED_FIRST);
    }
    switch (kind) {
      case 'command': {
        if (body.command !== SLASH_COMMAND) return;
        await pausing(ack)();
        const { user_id: user, channel_id: channel, response_url: url } = body;
        const origin = this.#origin({ team, user, channel, answerBy: { kind: 'url', url, on: 'nothing' } });
        return this.#line(origin, readTyped(body.text), body.trigger_id);
      }
      case 'message_action':
        if (body.callback_id !== MESSAGE_SHORTCUT.id) return;
        await pausing(ack)();
        return this.#chosen(body, team);
      case 'block_actions':
        return this.#press(body, team, ack);
      case 'view_submission':
        if (body.view.callback_id === FORM) return this.#submit(body, team, pausing(ack));
        if (body.view.callback_id !== GAME) return;
        return views.enter(this.#gameIn(body.view, body.user.id, team), typedIn(body.view), (view) =>
          ack({ response_action: 'update', view }),
        );
      case 'app_mention': {
        const { user, channel, thread_ts: thread, ts, text } = body.event;
        // Another app mentions the bot.
        if (typeof user !== 'string') return;
        const answerBy = { kind: 'post', under: thread ?? ts } as const;
        return this.#line(
          this.#origin({ team, user, channel, answerBy, thread }),
          readMention(text, botUserId),
        );
      }
      case 'message': {
        const { event } = body;
        // Only what a person writes in the bot's own conversation with them.
        if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
        const { user, channel, thread_ts: thread, text } = event;
        if (user === undefined) return;
        this.#directChannels.set(channel, true);
        const origin = this.#origin({ team, user, channel, answerBy: { kind: 'post' }, thread });
        return this.#line(origin, readMention(text, botUserId));
      }
      case 'app_home_opened': {
        const { user, channel, tab } = body.event;
        this.#directChannels.set(channel, true);
        if (tab !== 'home') return;
        return publishHome(this.#tools, this.#origin({ team, user, channel, answerBy: { kind: 'post' } }));
      }
      case 'app_uninstalled':
        return this.#removed(context);
      case 'tokens_revoked':
        if (body.event.tokens.bot.length > 0) this.#removed(context);
        return;
      case 'team_access_revoked':
        for (const left of body.event.team_ids) await workspaces.leave(left);
    }
  }

  #line(origin: Origin, line: string, trigger?: string): Promise<void> {
    return this.#tools.conversation.line(new SlackExchange(this.#tools, origin, trigger), line);
  }

  /** A shortcut in the menu of a message. */
  #chosen({ user, channel, response_url: url, message }: MessageShortcut, team: string): Promise<void> {
    const { ts, thread_ts: parent, text } = message;
    // The first message of a thread is in the channel.
    const thread = parent === ts ? undefined : parent;
    const answerBy = { kind: 'url', url, on: 'nothing' } as const;
    const origin = this.#origin({ team, user: user.id, channel: channel.id, answerBy, thread });
    const chosen = {
      id: ts,
      author: message.user ?? '',
      text: readTyped(text ?? ''),
      at: Math.floor(Number(message.edited?.ts ?? ts) * 1000),
    };
    const { conversation, dispatcher } = this.#tools;
    return conversation.answer(new SlackExchange(this.#tools, origin), (asker) =>
      dispatcher.prepare({ ...asker, message: chosen, command: 'record', options: {} }),
    );
  }

  async #press(press: Press, team: string, ack: Ack): Promise<void> {
    const { conversation, dispatcher, views, unconfirmed } = this.#tools;
    const [{ action_id: id, action_ts: at = '', ...action }] = press.actions;
    const value = action.selected_option?.value ?? action.value ?? '';
    if (id.startsWith(MOVES) || id.startsWith(ASK)) {
      await ack();
      if (!press.view) return;
      const view = this.#gameIn(press.view, press.user.id, team);
      if (id.startsWith(ASK)) return askInGame(this.#tools, view, value, press.trigger_id);
      return views.take(view, { kind: 'moves', moves: value, at });
    }
    if (id === REPEAT_ACTION) {
      await ack();
      const text = await unconfirmed.repeat(team, value);
      if (!press.view) await respond(press.response_url, { text, replace_original: true });
      return;
    }
    if (!ANSWERS.test(id)) return;
    await pausing(ack)();
    const origin = this.#pressedIn(press, team);
    const reveal = id.startsWith('reveal:') ? parseReveal(value) : undefined;
    if (reveal === undefined)
      return conversation.press(new SlackExchange(this.#tools, origin, press.trigger_id), value);
    const revealing = new Revealing(this.#tools, origin, reveal);
    return conversation.answer(revealing, (asker) => revealing.prepare(asker, dispatcher));
  }

  #submit({ user, view }: Submission, team: string, ack: Ack): Promise<void> {
    const { url, on = 'nothing', packed = '', ...where } = parseMetadata(view.private_metadata);
    const { channel, thread, direct } = where;
    const answerBy =
      url === undefined ? ({ kind: 'modal', view: view.id } as const) : ({ kind: 'url', url, on } as const);
    const origin: Origin = { team, user: user.id, channel, thread, direct, answerBy };
    const form = new SubmittedForm(this.#tools, origin, {
      view,
      close: () =>
        url === undefined ? ack({ response_action: 'update', view: answerModal(origin, WORKING) }) : ack(),
      refuse: (errors) => ack({ response_action: 'errors', errors }),
    });
    return this.#tools.conversation.press(form, packed, filledIn(view));
  }

  #gameIn(
    { id, private_metadata, hash }: Submission['view'] | NonNullable<Press['view']>,
    user: string,
    team: string,
  ): GameView {
    const metadata = parseMetadata(private_metadata);
    const { channel, thread, direct } = metadata;
    const answerBy = { kind: 'modal', view: id } as const;
    return { id, origin: { team, user, channel, thread, direct, answerBy }, metadata, hash };
  }

  #removed({ teamId = '', enterpriseId, isEnterpriseInstall }: Context): void {
    this.#tools.removals.report(isEnterpriseInstall ? (enterpriseId ?? teamId) : teamId);
  }

  #origin({
    thread,
    ...origin
  }: Omit<Origin, 'direct' | 'thread'> & { thread?: string | null | undefined }): Origin {
    return { ...origin, thread: thread ?? undefined, direct: this.#directChannels.has(origin.channel) };
  }

  /** A button was pressed on a message that everybody or only one person can see, in a modal, or on a home page. */
  #pressedIn(press: Press, team: string): Origin {
    const { id: user } = press.user;
    if (press.view) {
      const { channel, thread, direct } = parseMetadata(press.view.private_metadata);
      const answerBy =
        press.view.type === 'home'
          ? ({ kind: 'trigger', trigger: press.trigger_id } as const)
          : ({ kind: 'modal', view: press.view.id } as const);
      return { team, user, channel, thread, direct, answerBy };
    }
    const { channel_id: channel, message_ts, thread_ts, is_ephemeral } = press.container;
    // The first message of a thread is in the channel, and so are the answers to its buttons.
    const thread = thread_ts === message_ts ? undefined : thread_ts;
    const isPrivate = is_ephemeral || this.#directChannels.has(channel);
    const answerBy = { kind: 'url', url: press.response_url, on: isPrivate ? 'private' : 'public' } as const;
    return this.#origin({ team, user, channel, answerBy, thread });
  }
}
