import { setTimeout as sleep } from 'node:timers/promises';
import type { AckFn, Context } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import { type Backoff, doubling, HOUR, MINUTE, pauseAfter } from '../../core/clock.ts';
import { counted } from '../../core/text.ts';
import { atMost } from '../../core/turns.ts';
import { spokenTime, spokenZone } from '../../daily/settings/local-time.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import { type App, replyOf } from '../../dispatch/contract.ts';
import { bestOfEachDay } from '../../players/results/stats.ts';
import type { Block, Reply } from '../../reply/model/types.ts';
import { RULES } from '../../reply/replies/board.ts';
import { HINT_STEPS, HINTS } from '../../reply/replies/hint.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import type { SeenOnce } from '../door.ts';
import { respond, retrying } from './api.ts';
import { NotInstalled, readFailure } from './errors.ts';
import {
  EVENT_REMEMBERED,
  type MessageShortcut,
  type Press,
  type SlackEvent,
  type Submission,
} from './events.ts';
import { askInGame, type ExchangeTools, revealHidden, SlackExchange, submitForm } from './exchange.ts';
import { ASK, GAME, type GameView, MOVES, typedIn } from './games.ts';
import { LIMITS, MESSAGE_SHORTCUT, readMention, readTyped, SLASH_COMMAND } from './mrkdwn.ts';
import { actionAskerIn, askerOf, metadataOf, type Origin, parseMetadata, tenantOf } from './origin.ts';
import { answerModal, FORM, filledIn, note, parseReveal, type Rendered, section, WORKING } from './render.ts';
import { type SendTools, sendWithFallback } from './send.ts';
import { REPEAT_ACTION, type UnconfirmedPosts } from './unconfirmed.ts';
import type { Workspaces } from './workspaces.ts';

export interface ListenerTools extends ExchangeTools {
  readonly workspaces: Workspaces;
  readonly unconfirmed: UnconfirmedPosts;
  readonly seen: SeenOnce;
  /** A pause in work that nobody waits for. False when the door stops. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
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

const REMOVAL_CHECKS: Backoff = { pauses: doubling(MINUTE, HOUR), jitter: 0 };
/** About a day in all. After it the report stands: a workspace that is gone must not be kept. */
const MOST_CHECKS = 30;

/**
 * Translates Slack's requests. Each one is acknowledged first and answered after that: the promise resolves when it is
 * answered. Requests of unknown kinds are not acknowledged.
 */
export function makeListener(tools: ListenerTools) {
  const { app, api, conversation, dispatcher, views, workspaces, unconfirmed, seen } = tools;
  /**
   * The bot's own conversations. The id of a channel is not enough: one that starts with `D` may also be a
   * conversation between two people.
   */
  const directChannels = new LRUCache<string, true>(atMost(MAX_DIRECT_CHANNELS));

  const originOf = (
    origin: Omit<Origin, 'direct' | 'thread'>,
    thread?: string | null | undefined,
  ): Origin => ({ ...origin, thread: thread ?? undefined, direct: directChannels.has(origin.channel) });

  const answerLine = (origin: Origin, line: string, trigger?: string) =>
    conversation.line(new SlackExchange(tools, origin, trigger), line);

  /** A shortcut in the menu of a message. */
  function chosen({ user, channel, response_url: url, message }: MessageShortcut, team: string) {
    const { ts, thread_ts: parent, text } = message;
    const answerBy = { kind: 'url', url, on: 'nothing' } as const;
    // The first message of a thread is in the channel.
    const thread = parent === ts ? undefined : parent;
    const origin = originOf({ team, user: user.id, channel: channel.id, answerBy }, thread);
    const at = Math.floor(Number(message.edited?.ts ?? ts) * 1000);
    const typed = { id: ts, author: message.user ?? '', text: readTyped(text ?? ''), at };
    return conversation.answer(new SlackExchange(tools, origin), (asker) =>
      dispatcher.prepare({ ...asker, message: typed, command: 'record', options: {} }),
    );
  }

  async function pressed(press: Press, team: string, ack: Ack): Promise<void> {
    const [{ action_id: id, action_ts: at = '', ...action }] = press.actions;
    const value = action.selected_option?.value ?? action.value ?? '';
    if (id.startsWith(MOVES) || id.startsWith(ASK)) {
      await ack();
      if (!press.view) return;
      const view = gameIn(press.view, press.user.id, team);
      if (id.startsWith(ASK)) return askInGame(tools, view, value, press.trigger_id);
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
    const origin = pressedIn(press, team);
    const reveal = id.startsWith('reveal:') ? parseReveal(value) : undefined;
    return reveal === undefined
      ? conversation.press(new SlackExchange(tools, origin, press.trigger_id), value)
      : revealHidden(tools, origin, reveal);
  }

  /** A button was pressed on a message that everybody or only one person can see, in a modal, or on a home page. */
  function pressedIn(press: Press, team: string): Origin {
    const { id: user } = press.user;
    if (press.view) {
      const { id: view, type, private_metadata } = press.view;
      const { channel, thread, direct } = parseMetadata(private_metadata);
      const answerBy =
        type === 'home'
          ? ({ kind: 'trigger', trigger: press.trigger_id } as const)
          : ({ kind: 'modal', view } as const);
      return { team, user, channel, thread, direct, answerBy };
    }
    const { channel_id: channel, message_ts, thread_ts, is_ephemeral } = press.container;
    const isPrivate = is_ephemeral || directChannels.has(channel);
    const answerBy = { kind: 'url', url: press.response_url, on: isPrivate ? 'private' : 'public' } as const;
    // The first message of a thread is in the channel, and so are the answers to its buttons.
    return originOf({ team, user, channel, answerBy }, thread_ts === message_ts ? undefined : thread_ts);
  }

  function submitted({ user, view }: Submission, team: string, ack: Ack): Promise<void> {
    const { url, on = 'nothing', packed = '', ...where } = parseMetadata(view.private_metadata);
    const { channel, thread, direct } = where;
    const answerBy =
      url === undefined ? ({ kind: 'modal', view: view.id } as const) : ({ kind: 'url', url, on } as const);
    const origin: Origin = { team, user: user.id, channel, thread, direct, answerBy };
    return submitForm(tools, {
      origin,
      packed,
      filled: filledIn(view),
      view,
      close: () =>
        url === undefined ? ack({ response_action: 'update', view: answerModal(origin, WORKING) }) : ack(),
      refuse: (errors) => ack({ response_action: 'errors', errors }),
    });
  }

  /**
   * Records a removal that Slack has reported, unless the token works: Slack may report one again hours later, when the app
   * is installed again.
   */
  async function removed({ teamId = '', enterpriseId, isEnterpriseInstall }: Context): Promise<void> {
    const team = isEnterpriseInstall ? (enterpriseId ?? teamId) : teamId;
    for (let checks = 1; ; checks++) {
      const token = await workspaces.token(team).catch(() => undefined);
      try {
        await retrying(() => api.call(team, 'auth.test', {}), tools.sleep);
        return;
      } catch (error) {
        const failure = readFailure(error);
        const isAnswered = failure.kind === 'refused' || error instanceof NotInstalled;
        if (isAnswered || checks === MOST_CHECKS) return workspaces.markRemoved(team, token);
        if (checks === 1)
          app.log.warn(
            { door: 'slack', team, failure },
            'a removal could not be checked: Slack is asked again',
          );
      }
      const pause = pauseAfter({ failures: checks, random: Math.random }, REMOVAL_CHECKS);
      if (!(await tools.pause(pause))) return;
    }
  }

  return async ({ kind, body }: SlackEvent, ack: Ack, context: Context): Promise<void> => {
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
        const origin = originOf({ team, user, channel, answerBy: { kind: 'url', url, on: 'nothing' } });
        return answerLine(origin, readTyped(body.text), body.trigger_id);
      }
      case 'message_action':
        if (body.callback_id !== MESSAGE_SHORTCUT.id) return;
        await pausing(ack)();
        return chosen(body, team);
      case 'block_actions':
        return pressed(body, team, ack);
      case 'view_submission':
        if (body.view.callback_id === FORM) return submitted(body, team, pausing(ack));
        if (body.view.callback_id !== GAME) return;
        return views.enter(gameIn(body.view, body.user.id, team), typedIn(body.view), (view) =>
          ack({ response_action: 'update', view }),
        );
      case 'app_mention': {
        const { user, channel, thread_ts: thread, ts, text } = body.event;
        // Another app mentions the bot.
        if (typeof user !== 'string') return;
        const answerBy = { kind: 'post', under: thread ?? ts } as const;
        return answerLine(originOf({ team, user, channel, answerBy }, thread), readMention(text, botUserId));
      }
      case 'message': {
        const { event } = body;
        // Only what a person writes in the bot's own conversation with them.
        if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
        const { user, channel, thread_ts: thread, text } = event;
        if (user === undefined) return;
        directChannels.set(channel, true);
        const origin = originOf({ team, user, channel, answerBy: { kind: 'post' } }, thread);
        return answerLine(origin, readMention(text, botUserId));
      }
      case 'app_home_opened': {
        const { user, channel, tab } = body.event;
        directChannels.set(channel, true);
        if (tab !== 'home') return;
        return publishHome(tools, originOf({ team, user, channel, answerBy: { kind: 'post' } }));
      }
      case 'app_uninstalled':
        return removed(context);
      case 'tokens_revoked':
        return body.event.tokens.bot.length > 0 ? removed(context) : undefined;
      case 'team_access_revoked':
        for (const left of body.event.team_ids) await workspaces.leave(left);
    }
  };
}

/** The game in a view, as a request from it describes it. */
function gameIn(
  { id, private_metadata, hash }: Submission['view'] | NonNullable<Press['view']>,
  user: string,
  team: string,
): GameView {
  const metadata = parseMetadata(private_metadata);
  const { channel, thread, direct } = metadata;
  const answerBy = { kind: 'modal', view: id } as const;
  return { id, origin: { team, user, channel, thread, direct, answerBy }, metadata, hash };
}

const MAX_CHANNELS = 10;
/** Said in a channel's line where no thread comes. */
const STATES: Readonly<Partial<Record<Subscription['state'], string>>> = {
  suspended: 'stopped, because I can’t post there',
  off: 'off',
  paused: 'paused',
};

/** One person's home page: the day's board, their own progress, and the channels with a daily thread. */
async function publishHome(tools: SendTools, origin: Origin): Promise<void> {
  const { app, dispatcher, api } = tools;
  const { team, user } = origin;
  const today = dispatcher.prepare({ ...askerOf(origin), command: 'today', options: {} });
  const reply = (await replyOf(today)) ?? { title: 'Letter Boxed', blocks: [] };
  const progress = await progressOf(app, origin);
  const whole: Reply = {
    ...reply,
    blocks: [...reply.blocks, { kind: 'text', lines: RULES }, progress],
    audience: 'asker',
  };
  const channels = await channelBlocks(app, origin);
  const options = { surface: 'view', inThread: false } as const;
  await sendWithFallback(tools, { team, reply: whole, options, asker: actionAskerIn(origin) }, ({ blocks }) =>
    api.call(team, 'views.publish', {
      user_id: user,
      view: {
        type: 'home',
        private_metadata: JSON.stringify(metadataOf(origin)),
        blocks: [...blocks.slice(0, LIMITS.viewBlocks - channels.length), ...channels],
      },
    }),
  );
}

async function progressOf({ store, puzzles, clock }: App, { team, user }: Origin): Promise<Block> {
  const tenant = store.tenant(tenantOf(team));
  const date = puzzles.dateAt(clock.now());
  const seen = new Set(await tenant.hints.seen(user, date));
  const names = HINT_STEPS.filter((step) => seen.has(step)).map((step) => HINTS[step].name.toLowerCase());
  const [best] = bestOfEachDay(await tenant.results.ofDay(user, date));
  const facts = [
    { label: 'Hints you’ve seen today', value: names.length === 0 ? 'none' : names.join(', ') },
    {
      label: 'Your result today',
      value: best === undefined ? 'not solved yet' : counted(best.words, 'word'),
    },
    { label: 'Boards you’ve solved here', value: String(await tenant.results.days(user)) },
  ];
  return { kind: 'facts', facts };
}

/** Slack fills in the names of channels, and shows the names of private channels only to their members. */
async function channelBlocks({ store }: App, { team }: Origin): Promise<Rendered['blocks']> {
  const subscriptions = await store.tenant(tenantOf(team)).subscriptions.list();
  const lines = subscriptions.slice(0, MAX_CHANNELS).map(({ channel, settings, state }) => {
    const { opening, zone } = parseStored(settings);
    return `• <#${channel}>: ${STATES[state] ?? `every day at ${spokenTime(opening)} ${spokenZone(zone)}`}`;
  });
  const more = subscriptions.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return [
    { type: 'divider' },
    section(
      ['*The daily thread in this workspace*', ...(lines.length === 0 ? ['Nowhere yet.'] : lines)].join('\n'),
    ),
    note('Set it up in its channel: `/invite @letterboxed`, then `/letterboxed daily on`.'),
  ];
}
