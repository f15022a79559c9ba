import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { AckFn, Context } from '@slack/bolt';
import { HOUR, SECOND } from '../../core/clock.ts';
import { KeyedQueue } from '../../core/concurrency.ts';
import type { Verdict } from '../../dispatch/poster.ts';
import { respond, retrying } from './api.ts';
import { publishHome, readPicture, revealHidden, SlackContext, submitForm } from './context.ts';
import { readFailure } from './errors.ts';
import {
  type Files,
  isPicture,
  type MessageShortcut,
  type Origin,
  type Press,
  type SlackEvent,
  type Submission,
  teamIn,
} from './events.ts';
import { SOLVE_SHORTCUT } from './manifest.ts';
import { readMention, readMessageText, readTyped } from './mrkdwn.ts';
import { LINK_ACTION, parseReveal } from './render.ts';
import type { SlackTools } from './send.ts';
import { answerVerdict, isVerdictButton, MAY_NOT_SAY } from './unconfirmed.ts';

/** Acknowledges a request; events are acknowledged by Bolt. */
export type Ack = AckFn<unknown>;

/** The subtypes of messages that people write. */
const WRITTEN: readonly unknown[] = [undefined, 'file_share', 'thread_broadcast'];

/** Milliseconds between the acknowledgement of a form and its answer, so that Slack shows the acknowledgement's view first. */
const ACKNOWLEDGED_VIEW_MS = 15;
/** Slack repeats an event for a day at most; a signature is valid for some minutes. */
const REPEATED_WITHIN_MS = 26 * HOUR;

/** Turns each request of Slack's into a request of the conversation, with the ways to answer it. */
export class SlackListener {
  readonly #tools: SlackTools;
  readonly #turns = new KeyedQueue();

  constructor(tools: SlackTools) {
    this.#tools = tools;
  }

  /** Acknowledges a request at once, and resolves when it is answered. */
  async listen(received: SlackEvent, ack: Ack, context: Context): Promise<void> {
    const { kind, body } = received;
    const { teamId: team = '', botUserId = '' } = context;
    // The acknowledgement of a form carries its answer. All others are sent before the store is asked.
    if (kind === 'view_submission') return this.#submitted(body, team, ack, context);
    if (!('event' in body)) {
      await ack();
      // Lets other requests that arrived at the same time be acknowledged before this one keeps the process busy.
      await setImmediate();
    }
    if (await this.#isRepeat(received, context)) return;
    switch (kind) {
      case 'command': {
        const { user_id: user, channel_id: channel, response_url: url, text, trigger_id: trigger } = body;
        const answerBy = { kind: 'url', url, from: 'no message' } as const;
        const line = `/letterboxed ${readTyped(text)}`;
        return this.#typed(await this.#originIn({ team, user, channel, answerBy }), line, trigger);
      }
      case 'message_action':
        return this.#chosen(body, team);
      case 'block_actions':
        return this.#pressed(body, team);
      case 'app_mention': {
        const { user, bot_id, channel, thread_ts: thread, ts, text } = body.event;
        // Another app has mentioned the bot: two could answer each other without end.
        if (typeof user !== 'string' || bot_id != null) return;
        const answerBy = { kind: 'post', under: thread ?? ts } as const;
        const origin = await this.#originIn({ team, user, channel, answerBy }, thread);
        return this.#typed(origin, readMention(text, botUserId));
      }
      case 'message': {
        const { user, subtype, bot_id, channel, thread_ts: thread, text, files } = body.event;
        // Only what a person writes in the bot's own conversation with them.
        if (user === undefined || !WRITTEN.includes(subtype) || bot_id != null) return;
        await this.#tools.directChannels.add(team, channel);
        const origin = await this.#originIn({ team, user, channel, answerBy: { kind: 'post' } }, thread);
        if (files.some(isPicture)) return this.#pictured(origin, files);
        return this.#typed(origin, readMention(text, botUserId));
      }
      case 'app_home_opened': {
        const { user, channel, tab } = body.event;
        await this.#tools.directChannels.add(team, channel);
        if (tab !== 'home') return;
        const origin = await this.#originIn({ team, user, channel, answerBy: { kind: 'post' } });
        return publishHome(this.#tools, origin);
      }
      case 'app_uninstalled':
      case 'tokens_revoked':
        return this.#removed(context);
    }
  }

  /**
   * Whether Slack has sent it before. It repeats events for a day, under the same id, and other requests in the same envelope if a
   * socket broke before the acknowledgement. Over HTTP, a signature identifies a replay. A mention comes as another event each
   * time its message is edited: it is answered once.
   */
  async #isRepeat(
    { kind, body }: SlackEvent,
    { requestId, teamId }: Context,
    isStored = true,
  ): Promise<boolean> {
    const { app, seen } = this.#tools;
    if (kind === 'app_mention') {
      const { ts, edited } = body.event;
      // It may have been answered longer ago than is remembered.
      if ((Number(edited?.ts ?? ts) - Number(ts)) * SECOND >= REPEATED_WITHIN_MS) return true;
    }
    const id =
      kind === 'app_mention'
        ? `${teamId} ${body.event.channel} ${body.event.ts}`
        : ('event' in body && body.event_id) || requestId;
    const until = app.clock.now() + REPEATED_WITHIN_MS;
    if (!(isStored ? await seen.isRepeat(id, until) : seen.isRepeatHere(id, until))) return false;
    app.log.info({ door: 'slack' }, 'Slack sent something a second time; it was not processed again');
    return true;
  }

  /** @param thread undefined or null for a message that is in the channel itself: Slack sends either */
  async #originIn(origin: Omit<Origin, 'direct' | 'thread'>, thread?: string | null): Promise<Origin> {
    const direct = await this.#tools.directChannels.has(origin.team, origin.channel);
    return { ...origin, thread: thread ?? undefined, direct };
  }

  #typed(origin: Origin, line: string, trigger?: string): Promise<void> {
    return this.#tools.conversation.line(new SlackContext(this.#tools, origin, trigger), line);
  }

  /** Solves the board in a picture. */
  #pictured(origin: Origin, files: Files): Promise<void> {
    const context = new SlackContext(this.#tools, origin);
    return this.#tools.conversation.picture(context, () => readPicture(this.#tools, origin.team, files));
  }

  /** A shortcut in the menu of a message. */
  async #chosen(shortcut: MessageShortcut, team: string): Promise<void> {
    const { user, channel, response_url: url, message } = shortcut;
    const { conversation, dispatcher } = this.#tools;
    const { ts, thread_ts: parent, text } = message;
    const answerBy = { kind: 'url', url, from: 'no message' } as const;
    // The first message of a thread is in the channel.
    const thread = parent === ts ? undefined : parent;
    const origin = await this.#originIn({ team, user: user.id, channel: channel.id, answerBy }, thread);
    if (shortcut.callback_id === SOLVE_SHORTCUT)
      return this.#pictured(origin, [...message.files, ...message.blocks]);
    const at = Math.floor(Number(message.edited?.ts ?? ts) * 1000);
    const typed = { id: ts, author: message.user ?? '', text: readMessageText(text ?? ''), at };
    return conversation.answer(new SlackContext(this.#tools, origin), (asker) =>
      dispatcher.prepare({ ...asker, message: typed, command: 'record', options: {} }),
    );
  }

  async #pressed(press: Press, team: string): Promise<void> {
    const { conversation } = this.#tools;
    const [{ action_id: id, ...action }] = press.actions;
    const value = action.selected_option?.value ?? action.value ?? '';
    if (id.startsWith(LINK_ACTION)) return;
    const origin = await this.#pressedIn(press, team);
    // Such a button answers whether a post arrived that Slack never confirmed. Whoever set the thread up is asked that.
    if (isVerdictButton(id))
      return conversation.track(this.#judged(origin, id, value), new SlackContext(this.#tools, origin));
    const reveal = id.startsWith('reveal:') ? parseReveal(value) : undefined;
    const answer = () =>
      reveal === undefined
        ? conversation.press(new SlackContext(this.#tools, origin, press.trigger_id), value)
        : revealHidden(this.#tools, origin, reveal);
    const { answerBy } = origin;
    const isPrivate = answerBy.kind === 'url' && answerBy.from === 'private message';
    if (answerBy.kind !== 'modal' && !isPrivate) return answer();
    // What one person sees, answers may replace: one to an earlier press must not replace that to a later one.
    const place = press.view ? press.view.id : `${press.container.channel_id} ${press.container.message_ts}`;
    return this.#turns.run(`${team} ${place}`, answer);
  }

  async #judged(origin: Origin, verdict: Verdict, value: string): Promise<void> {
    const said = await answerVerdict(this.#tools, origin, verdict, value);
    const answer = { text: said ?? MAY_NOT_SAY, replace_original: said !== undefined };
    const { answerBy } = origin;
    if (answerBy.kind === 'url') await retrying(() => respond(answerBy.url, answer), this.#tools.sleep);
  }

  /** A button was pressed on a message that everybody or only one person can see, in a modal, or on a home page. */
  async #pressedIn(press: Press, team: string): Promise<Origin> {
    const { id: user } = press.user;
    if (press.view) {
      const { id: view, type, private_metadata } = press.view;
      const { channel, thread, direct } = private_metadata;
      const { trigger_id: trigger } = press;
      const answerBy =
        type === 'home' ? ({ kind: 'trigger', trigger } as const) : ({ kind: 'modal', view } as const);
      return { team, user, channel, thread, direct, answerBy };
    }
    const { channel_id: channel, message_ts, thread_ts, is_ephemeral } = press.container;
    const isPrivate = is_ephemeral || (await this.#tools.directChannels.has(team, channel));
    const from = isPrivate ? 'private message' : 'public message';
    const answerBy = { kind: 'url', url: press.response_url, from } as const;
    // The first message of a thread is in the channel, and so are the answers to its buttons.
    const thread = thread_ts === message_ts ? undefined : thread_ts;
    return this.#originIn({ team, user, channel, answerBy }, thread);
  }

  async #submitted(body: Submission, team: string, ack: Ack, context: Context): Promise<void> {
    // Begins before the store is asked, which may take a second.
    const deadline = sleep(this.#tools.submitTimeout, undefined, { ref: false });
    // A form comes again if its socket breaks before the acknowledgement. If this process has ended by then, the next one has
    // to answer, so a form over a socket is marked in memory alone.
    if (await this.#isRepeat({ kind: 'view_submission', body }, context, context.isSocket !== true))
      return ack();
    const { user, view } = body;
    const { channel, thread, direct, answerBy = { kind: 'modal', view: view.id } } = view.private_metadata;
    const origin: Origin = { team, user: user.id, channel, thread, direct, answerBy };
    return submitForm(this.#tools, origin, view, deadline, async (content) => {
      await ack(content);
      await sleep(ACKNOWLEDGED_VIEW_MS);
    });
  }

  /**
   * Records a removal that Slack has reported, unless the token works: Slack may report one again hours later, when the app
   * is installed again. If the check fails, nothing is recorded: the next call with a revoked token is refused anyway.
   */
  async #removed(context: Context): Promise<void> {
    const { api, app, workspaces } = this.#tools;
    const team = teamIn(context);
    // Read first: an installation that comes during the check has another token, and is not the one removed.
    const token = await workspaces.token(team).catch(() => undefined);
    try {
      await retrying(() => api.call(team, 'auth.test', {}), this.#tools.sleep);
    } catch (error) {
      const failure = readFailure(error);
      if (failure.kind === 'refused') return workspaces.markRemoved(team, token);
      app.log.warn({ door: 'slack', team, failure }, 'a removal could not be checked: the next call tells');
    }
  }
}
