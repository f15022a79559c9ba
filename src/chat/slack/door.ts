import { setTimeout } from 'node:timers/promises';
import { App as BoltApp, type Receiver } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { SlackConfig } from '../../config/config.ts';
import { atMost } from '../../core/turns.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { SoloGames } from '../../players/solo-games.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Conversation, Names } from '../conversation.ts';
import { type Door, makeDropEvent, SeenOnce } from '../door.ts';
import { boltLogger, makeClient, SlackApi } from './api.ts';
import { explainToken, NotInstalled } from './errors.ts';
import type { SlackEvent } from './events.ts';
import { GameViews } from './games.ts';
import { Installer } from './install.ts';
import { type Ack, makeListener } from './listeners.ts';
import { Managers, nameOf } from './managers.ts';
import { teamOf, tenantOf } from './origin.ts';
import { SlackPoster } from './poster.ts';
import { HttpReceiver, SocketReceiver } from './receivers.ts';
import { Uploads } from './send.ts';
import { UnconfirmedPosts } from './unconfirmed.ts';
import { ManyWorkspaces, OneWorkspace, TokenEncryption, type Workspaces } from './workspaces.ts';

export interface SlackDoorOptions extends SlackConfig {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Used between attempts to send something. */
  readonly sleep?: (
    milliseconds: number,
    value?: undefined,
    options?: { signal: AbortSignal },
  ) => Promise<unknown>;
  /** Milliseconds before a submitted view is acknowledged at the latest, where a test needs others than the bot's. */
  readonly submitPatience?: number;
}

export interface SlackDoor extends Door {
  /** Slack's requests over HTTP and the pages of an installation, for the server on `PORT`. */
  readonly routes: Router;
}

/** Milliseconds. Slack waits three seconds. */
const SUBMIT_PATIENCE = 2000;

/**
 * Slack, in Socket Mode or over HTTP, for one workspace or for many.
 *
 * @example const door = makeSlackDoor({ app, dispatcher, mode: { kind: 'socket', appToken }, workspaces: { kind: 'one', botToken } });
 */
export function makeSlackDoor(options: SlackDoorOptions): SlackDoor {
  const { app, dispatcher, mode, apiUrl, pictures = makePictures(), sleep = setTimeout } = options;
  const { submitPatience = SUBMIT_PATIENCE } = options;
  const { log } = app;
  const client = makeClient(log, apiUrl);
  const seen = new SeenOnce(app, 'slack');
  const drop = makeDropEvent(log, 'slack');
  const { workspaces, installer } = makeWorkspaces(options, client, seen);
  const api = new SlackApi(client, workspaces, log);
  const conversation = new Conversation('slack', dispatcher, log);
  const stopping = new AbortController();
  const pause = async (milliseconds: number) => {
    const { signal } = stopping;
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  };
  const uploads = new Uploads(app, api, workspaces, pictures);
  const unconfirmed = new UnconfirmedPosts(app, api);
  const names = new Names(app.clock, (tenant, person) => nameOf(api, workspaces, teamOf(tenant), person));
  const sending = { app, dispatcher, api, names, sleep, pause, uploads, workspaces, unconfirmed };
  const games = { ...sending, solo: new SoloGames(app), submitPatience };
  const managers = new Managers(app, api, workspaces);
  const listen = makeListener({ ...games, conversation, managers, views: new GameViews(games), seen });

  const http =
    mode.kind === 'http' ? new HttpReceiver({ ...mode, clock: app.clock, log, seen, drop }) : undefined;
  const socket = mode.kind === 'socket' ? new SocketReceiver({ ...mode, apiUrl, log, drop }) : undefined;
  const bolt = makeBolt(options, (http ?? socket)!, workspaces);
  // The parsed event decides which listener takes it; Bolt is not asked to look into the body again.
  bolt.use(({ ack, context }) => {
    const answering = listen(context.event as SlackEvent, ack as Ack, context);
    // Bolt logs what it rejects with.
    conversation.track(answering.catch(() => undefined));
    return answering;
  });

  const routes = makeRoutes();
  for (const part of [http, installer]) if (part !== undefined) routes.route('/', part.routes);

  return {
    name: 'slack',
    poster: new SlackPoster(sending),
    routes,

    async start() {
      await workspaces.open().catch((error: unknown) => {
        throw explainToken('SLACK_BOT_TOKEN', error);
      });
      await bolt.start().catch((error: unknown) => {
        throw explainToken('SLACK_APP_TOKEN', error);
      });
    },

    async stop() {
      await bolt.stop();
      stopping.abort();
      await conversation.done();
    },

    // With many workspaces, the token of one is no trouble of the bot's.
    trouble: () =>
      workspaces.trouble() ??
      (options.workspaces.kind === 'one' ? api.trouble() : undefined) ??
      socket?.trouble(),
  };
}

const ID = v.pipe(v.string(), v.regex(/^\w{1,30}$/));
/** Workspaces that are remembered as logged. */
const MOST_STRANGERS = 1_000;
const NOT_INSTALLED =
  'events of a workspace are dropped, as the app is not installed there; this is logged once for each workspace';

/** Bolt finds the workspace of a request, acknowledges events, and catches what is thrown. */
function makeBolt({ app, apiUrl }: SlackDoorOptions, receiver: Receiver, workspaces: Workspaces): BoltApp {
  const { log } = app;
  /** As they are stored, by workspace; '' for none. */
  const organizations = new LRUCache<string, string>(atMost(MOST_STRANGERS));
  const bolt = new BoltApp({
    receiver,
    logger: boltLogger(log),
    clientOptions: { retryConfig: { retries: 0 }, ...(apiUrl !== undefined && { slackApiUrl: apiUrl }) },
    convoStore: false,
    // Bolt gets no token: it would keep a client for each workspace in memory, and answers use a client of ours.
    async authorize({ teamId: team, enterpriseId: organization, isEnterpriseInstall }) {
      // Bolt passes on what was sent, and it is remembered and logged.
      const teamId = v.is(ID, team) ? team : '';
      const enterpriseId = v.is(ID, organization) ? organization : undefined;
      const workspace = await workspaces.find(teamId, isEnterpriseInstall ? enterpriseId : undefined);
      if (workspace === undefined) throw new NotInstalled(teamId);
      if (organizations.get(teamId) !== (enterpriseId ?? '')) {
        organizations.set(teamId, enterpriseId ?? '');
        const { setOrganization } = app.store.tenant(tenantOf(teamId));
        await setOrganization(enterpriseId).catch((err: unknown) => {
          organizations.delete(teamId);
          log.warn({ door: 'slack', team: teamId, err }, 'the organization of a workspace is not stored yet');
        });
      }
      return { teamId, botId: workspace.botId, botUserId: workspace.botUser };
    },
  });
  const logged = new LRUCache<string, true>({ max: MOST_STRANGERS });
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

function makeWorkspaces(
  { app, workspaces }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
  seen: SeenOnce,
): { workspaces: Workspaces; installer?: Installer } {
  if (workspaces.kind === 'one') return { workspaces: new OneWorkspace(app, client, workspaces.botToken) };
  const many = new ManyWorkspaces(app, client, new TokenEncryption(workspaces.keys), workspaces);
  return { workspaces: many, installer: new Installer({ app, client, workspaces: many, seen }, workspaces) };
}
