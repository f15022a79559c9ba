import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AckFn, App as BoltApp, type Context, type Receiver } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { SlackConfig } from '../../config/config.ts';
import { atMost } from '../../core/concurrency.ts';
import { TokenEncryption } from '../../core/token-encryption.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Conversation, NameCache } from '../conversation.ts';
import type { Door } from '../door.ts';
import { makeDropEvent, SeenOnce } from '../door.ts';
import { boltLogger, clientOptions, makeClient, respond, retrying, SlackApi } from './api.ts';
import { type ContextTools, publishHome, revealHidden, SlackContext, submitForm } from './context.ts';
import { explainToken, NotInstalled, readFailure } from './errors.ts';
import {
  EVENT_MEMORY_MS,
  type MessageShortcut,
  type Origin,
  type Press,
  parseEvent,
  parseMetadata,
  REQUEST_MEMORY_MS,
  type SlackEvent,
  type Submission,
  teamOf,
  tenantOf,
  typeOf,
  type ViewMetadata,
} from './events.ts';
import { installRoutes } from './install.ts';
import { readMention, readTyped } from './mrkdwn.ts';
import { lookUp, makeManagers } from './people.ts';
import { SlackPoster } from './poster.ts';
import { HttpReceiver, SocketReceiver } from './receivers.ts';
import { answerModal, filledIn, LINK_ACTION, parseReveal, WORKING_MESSAGE } from './render.ts';
import { makeUploads } from './send.ts';
import { isOutcomeButton, makeUnconfirmedPosts, type UnconfirmedPosts } from './unconfirmed.ts';
import { ManyWorkspaces, makeOneWorkspace, type Workspaces } from './workspaces.ts';

export interface SlackDoorOptions extends SlackConfig {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Pauses between attempts to send something. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds before a submitted view is acknowledged at the latest, where a test needs others than the bot's. */
  readonly submitTimeout?: number;
}

export interface SlackDoor extends Door {
  /** Slack's requests over HTTP and the pages of an installation, for the server on `PORT`. */
  readonly routes: Router;
}

/** Slack waits three seconds. */
const SUBMIT_TIMEOUT_MS = 2000;

/**
 * Slack, in Socket Mode or over HTTP, for one workspace or for many.
 *
 * @example const door = makeSlackDoor({ app, dispatcher, mode: { kind: 'socket', appToken }, workspaces: { kind: 'one', botToken } });
 */
export function makeSlackDoor(options: SlackDoorOptions): SlackDoor {
  const { app, dispatcher, mode, apiUrl, pictures = makePictures(), sleep: wait = sleep } = options;
  const { submitTimeout = SUBMIT_TIMEOUT_MS } = options;
  const { log } = app;
  const client = makeClient(log, apiUrl);
  const seen = new SeenOnce(app, 'slack');
  const drop = makeDropEvent(log, 'slack');
  const { workspaces, routes } = makeWorkspaces(options, client, seen);
  const api = new SlackApi(client, workspaces, app);
  const conversation = new Conversation('slack', app, dispatcher);
  const uploads = makeUploads(app, api, pictures);
  const unconfirmed = makeUnconfirmedPosts(app, api);
  const names = new NameCache(
    app.clock,
    async (tenant, person) => (await lookUp(api, teamOf(tenant), person))?.name,
  );
  const sending = { app, dispatcher, api, names, sleep: wait, uploads, workspaces, unconfirmed };
  const managers = makeManagers(app, api);
  const listen = makeListener({ ...sending, submitTimeout, conversation, managers, seen });

  const socket = mode.kind === 'socket' ? new SocketReceiver({ ...mode, apiUrl, log, drop }) : undefined;
  // A door that only posts is never started, so its receiver needs no secrets.
  const signingSecrets = mode.kind === 'http' ? mode.signingSecrets : [];
  const receiver = socket ?? new HttpReceiver({ signingSecrets, clock: app.clock, drop });
  const bolt = makeBolt(options, receiver, workspaces);
  // The parsed event decides which listener takes it; Bolt is not asked to look into the body again.
  bolt.use(async ({ body, ack, context }) => {
    const event = parseEvent(body);
    if (event === undefined) return drop(typeOf(body));
    const answering = listen(event, ack as Ack, context);
    // Bolt gets the rejection and logs it. Here it is only waited for.
    void conversation.track(answering.catch(() => undefined));
    return answering;
  });

  if (mode.kind === 'http' && receiver instanceof HttpReceiver) routes.route('/', receiver.routes);

  return {
    name: 'slack',
    poster: new SlackPoster(sending),
    routes,

    async start() {
      const identity = await workspaces.open().catch((error: unknown) => {
        throw explainToken('SLACK_BOT_TOKEN', error);
      });
      if (identity?.team_id !== undefined) api.learnScopes(identity.team_id, identity);
      await bolt.start().catch((error: unknown) => {
        throw explainToken('SLACK_APP_TOKEN', error);
      });
    },

    async stop() {
      await bolt.stop();
      await conversation.done();
    },

    // One revoked token among many workspaces is not a problem of the whole bot.
    trouble: () =>
      workspaces.trouble() ??
      (options.workspaces.kind === 'one' ? api.trouble() : undefined) ??
      socket?.trouble(),
  };
}

const ID = v.pipe(v.string(), v.regex(/^\w{1,30}$/));
/** Workspaces that are remembered, with their organizations or as logged. */
const MAX_REMEMBERED_WORKSPACES = 1_000;
const NOT_INSTALLED =
  'events of a workspace are dropped, as the app is not installed there; this is logged once for each workspace';

/** Bolt finds the workspace of a request, acknowledges events, and catches what is thrown. */
function makeBolt({ app, apiUrl }: SlackDoorOptions, receiver: Receiver, workspaces: Workspaces): BoltApp {
  const { log } = app;
  const rememberOrganization = makeOrganizations(app);
  const bolt = new BoltApp({
    receiver,
    logger: boltLogger(log),
    clientOptions: { retryConfig: { retries: 0 }, slackApiUrl: apiUrl },
    convoStore: false,
    // Bolt gets no token: it would keep a client for each workspace in memory, and answers use a client of ours.
    async authorize({ teamId: team, enterpriseId: organization, isEnterpriseInstall }) {
      // Bolt passes these on unchecked, and they end up in our caches and logs.
      const teamId = v.is(ID, team) ? team : '';
      const enterpriseId = v.is(ID, organization) ? organization : undefined;
      const workspace = await workspaces.find(teamId, isEnterpriseInstall ? enterpriseId : undefined);
      if (workspace === undefined) throw new NotInstalled(teamId);
      await rememberOrganization(teamId, enterpriseId);
      return { teamId, botId: workspace.botId, botUserId: workspace.botUser };
    },
  });
  const logged = new LRUCache<string, true>({ max: MAX_REMEMBERED_WORKSPACES });
  bolt.error(async (error) => {
    const cause = 'original' in error ? error.original : error;
    if (!(cause instanceof NotInstalled)) {
      log.error({ door: 'slack', err: error }, 'a listener failed');
    } else if (!logged.has(cause.team)) {
      logged.set(cause.team, true);
      log.info({ door: 'slack', team: cause.team }, NOT_INSTALLED);
    }
  });
  return bolt;
}

/**
 * Stores which organization a workspace belongs to: people have one reminder and one set of choices in all workspaces of an
 * organization. Only a change is written.
 */
function makeOrganizations({ store, log }: Pick<App, 'store' | 'log'>) {
  /** By workspace, as stored; '' for none. */
  const stored = new LRUCache<string, string>(atMost(MAX_REMEMBERED_WORKSPACES));
  return async (team: string, organization: string | undefined): Promise<void> => {
    if (stored.get(team) === (organization ?? '')) return;
    stored.set(team, organization ?? '');
    try {
      await store.tenant(tenantOf(team)).setOrganization(organization);
    } catch (err) {
      stored.delete(team);
      log.warn({ door: 'slack', team, err }, 'the organization of a workspace is not stored yet');
    }
  };
}

function makeWorkspaces(
  { app, workspaces, apiUrl }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
  seen: SeenOnce,
): { workspaces: Workspaces; routes: Router } {
  if (workspaces.kind === 'one')
    return { workspaces: makeOneWorkspace(app, client, workspaces.botToken), routes: makeRoutes() };
  const { keys, clientId, clientSecret, publicUrl } = workspaces;
  const stateSecret = createHash('sha256').update(`state of an installation ${clientSecret}`).digest('hex');
  const provider = { clientId, clientSecret, stateSecret, clientOptions: clientOptions(app.log, apiUrl) };
  const many = new ManyWorkspaces(app, new TokenEncryption(keys), provider);
  const authorizationUrl = new URL('/oauth/v2/authorize', client.slackApiUrl).href;
  const installer = { ...provider, publicUrl, authorizationUrl };
  return { workspaces: many, routes: installRoutes({ app, workspaces: many, seen }, installer) };
}

interface ListenerTools extends ContextTools {
  readonly workspaces: Workspaces;
  readonly unconfirmed: UnconfirmedPosts;
  readonly seen: SeenOnce;
}

/** Acknowledges a request; events are acknowledged by Bolt. */
type Ack = AckFn<unknown>;

/**
 * Milliseconds between an acknowledgement and what follows. Requests that were sent together are all acknowledged before the
 * first of them keeps the process busy, and Slack shows the view of an acknowledgement before that of the answer.
 */
const ACKNOWLEDGE_DELAY_MS = 15;
const MAX_DIRECT_CHANNELS = 5000;

function pausing(ack: Ack): Ack {
  return async (content) => {
    await ack(content);
    await sleep(ACKNOWLEDGE_DELAY_MS);
  };
}

/**
 * Translates Slack's requests. Each one is acknowledged first and answered after that: the promise resolves when it is
 * answered. Requests of unknown kinds are not acknowledged.
 */
function makeListener(tools: ListenerTools) {
  const { app, api, conversation, dispatcher, workspaces, unconfirmed, seen } = tools;
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
    conversation.line(new SlackContext(tools, origin, trigger), line);

  /** A shortcut in the menu of a message. */
  function chosen({ user, channel, response_url: url, message }: MessageShortcut, team: string) {
    const { ts, thread_ts: parent, text } = message;
    const answerBy = { kind: 'url', url, from: 'no message' } as const;
    // The first message of a thread is in the channel.
    const thread = parent === ts ? undefined : parent;
    const origin = originOf({ team, user: user.id, channel: channel.id, answerBy }, thread);
    const at = Math.floor(Number(message.edited?.ts ?? ts) * 1000);
    const typed = { id: ts, author: message.user ?? '', text: readTyped(text ?? ''), at };
    return conversation.answer(new SlackContext(tools, origin), (asker) =>
      dispatcher.prepare({ ...asker, message: typed, command: 'record', options: {} }),
    );
  }

  async function pressed(press: Press, team: string): Promise<void> {
    const [{ action_id: id, ...action }] = press.actions;
    const value = action.selected_option?.value ?? action.value ?? '';
    if (id.startsWith(LINK_ACTION)) return;
    if (isOutcomeButton(id)) {
      const text = await unconfirmed.answer(team, id, value);
      if (!press.view) await respond(press.response_url, { text, replace_original: true });
      return;
    }
    const origin = pressedIn(press, team);
    const reveal = id.startsWith('reveal:') ? parseReveal(value) : undefined;
    return reveal === undefined
      ? conversation.press(new SlackContext(tools, origin, press.trigger_id), value)
      : revealHidden(tools, origin, reveal);
  }

  /** A button was pressed on a message that everybody or only one person can see, in a modal, or on a home page. */
  function pressedIn(press: Press, team: string): Origin {
    const { id: user } = press.user;
    if (press.view) {
      const { origin } = openedIn(press.view, user, team);
      const isHome = press.view.type === 'home';
      return isHome ? { ...origin, answerBy: { kind: 'trigger', trigger: press.trigger_id } } : origin;
    }
    const { channel_id: channel, message_ts, thread_ts, is_ephemeral } = press.container;
    const isPrivate = is_ephemeral || directChannels.has(channel);
    const answerBy = {
      kind: 'url',
      url: press.response_url,
      from: isPrivate ? 'private message' : 'public message',
    } as const;
    // The first message of a thread is in the channel, and so are the answers to its buttons.
    return originOf({ team, user, channel, answerBy }, thread_ts === message_ts ? undefined : thread_ts);
  }

  function submitted({ user, view }: Submission, team: string, ack: Ack): Promise<void> {
    const { origin: inModal, metadata } = openedIn(view, user.id, team);
    const { url, from = 'no message', packed = '' } = metadata;
    const origin: Origin = url === undefined ? inModal : { ...inModal, answerBy: { kind: 'url', url, from } };
    return submitForm(tools, {
      origin,
      packed,
      filled: filledIn(view),
      view,
      close: () =>
        url === undefined
          ? ack({ response_action: 'update', view: answerModal(origin, WORKING_MESSAGE) })
          : ack(),
      refuse: (errors) => ack({ response_action: 'errors', errors }),
    });
  }

  /**
   * Records a removal that Slack has reported, unless the token works: Slack may report one again hours later, when the app
   * is installed again. If the check fails, nothing is recorded: the next call with a revoked token is refused anyway.
   */
  async function removed({ teamId = '', enterpriseId, isEnterpriseInstall }: Context): Promise<void> {
    const team = isEnterpriseInstall ? (enterpriseId ?? teamId) : teamId;
    const token = await workspaces.token(team).catch(() => undefined);
    try {
      await retrying(() => api.call(team, 'auth.test', {}), tools.sleep);
    } catch (error) {
      const failure = readFailure(error);
      if (failure.kind === 'refused' || error instanceof NotInstalled)
        return workspaces.markRemoved(team, token);
      app.log.warn({ door: 'slack', team, failure }, 'a removal could not be checked: the next call tells');
    }
  }

  /**
   * Whether Slack has sent it before. It repeats events for a day, under the same id. Other requests are repeated only if the
   * socket broke before the acknowledgement, with the same envelope; over HTTP, the signature identifies a replay.
   */
  async function isRepeat(body: SlackEvent['body'], { delivery }: Context): Promise<boolean> {
    const id = ('event' in body && body.event_id) || delivery;
    if (typeof id !== 'string') return false;
    const remembered = 'event' in body ? EVENT_MEMORY_MS : REQUEST_MEMORY_MS;
    if (!(await seen.isRepeat(id, app.clock.now() + remembered))) return false;
    app.log.info({ door: 'slack' }, 'Slack sent something a second time; it was not processed again');
    return true;
  }

  return async (event: SlackEvent, ack: Ack, context: Context): Promise<void> => {
    const { kind, body } = event;
    const { teamId: team = '', botUserId = '' } = context;
    const repeat = isRepeat(body, context);
    // The acknowledgement of a form carries its answer.
    if (kind === 'view_submission') {
      if (await repeat) return ack();
    } else {
      if (!('event' in body)) await ack();
      await sleep(ACKNOWLEDGE_DELAY_MS);
      if (await repeat) return;
    }
    switch (kind) {
      case 'command': {
        const { user_id: user, channel_id: channel, response_url: url } = body;
        const origin = originOf({ team, user, channel, answerBy: { kind: 'url', url, from: 'no message' } });
        return answerLine(origin, readTyped(body.text), body.trigger_id);
      }
      case 'message_action':
        return chosen(body, team);
      case 'block_actions':
        return pressed(body, team);
      case 'view_submission':
        return submitted(body, team, pausing(ack));
      case 'app_mention': {
        const { user, channel, thread_ts: thread, ts, text } = body.event;
        // Another app mentions the bot.
        if (typeof user !== 'string') return;
        const answerBy = { kind: 'post', under: thread ?? ts } as const;
        return answerLine(originOf({ team, user, channel, answerBy }, thread), readMention(text, botUserId));
      }
      case 'message': {
        const { event: message } = body;
        // Only what a person writes in the bot's own conversation with them.
        if (message.channel_type !== 'im' || message.subtype !== undefined || message.bot_id !== undefined)
          return;
        const { user, channel, thread_ts: thread, text } = message;
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

/** Where a modal or a home page was opened. */
function openedIn(
  { id, private_metadata }: Pick<Submission['view'], 'id' | 'private_metadata'>,
  user: string,
  team: string,
): { origin: Origin; metadata: ViewMetadata } {
  const metadata = parseMetadata(private_metadata);
  const { channel, thread, direct } = metadata;
  return { metadata, origin: { team, user, channel, thread, direct, answerBy: { kind: 'modal', view: id } } };
}
