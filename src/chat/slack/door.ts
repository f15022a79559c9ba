import { setTimeout } from 'node:timers/promises';
import { App as BoltApp, type Receiver } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { SlackConfig } from '../../config/doors.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { SoloGames } from '../../players/solo/solo-games.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Conversation } from '../conversation.ts';
import type { Door } from '../door.ts';
import { DroppedEvents } from '../dropped-events.ts';
import { Answers } from './answer/answers.ts';
import { Managers } from './answer/managers.ts';
import { SUBMIT_PATIENCE } from './answer/modals.ts';
import { boltLogger } from './api/bolt-logger.ts';
import { explainToken } from './api/errors.ts';
import { makeClient, SlackApi } from './api/slack-api.ts';
import { BOT_SCOPES } from './install/manifest.ts';
import { ManyWorkspaces } from './install/many-workspaces.ts';
import { Installer } from './install/oauth.ts';
import { Removals } from './install/removals.ts';
import { TokenEncryption } from './install/token-encryption.ts';
import { NotInstalled, OneWorkspace, type Workspaces } from './install/workspaces.ts';
import { GameHandlers } from './play/game-handlers.ts';
import { GameViews } from './play/game-views.ts';
import { SlackPoster } from './post/poster.ts';
import { TableForms } from './post/send-with-fallback.ts';
import { UnconfirmedPosts } from './post/unconfirmed-posts.ts';
import { Uploads } from './post/uploads.ts';
import { HttpReceiver } from './receive/http.ts';
import { Listeners } from './receive/listeners.ts';
import { SeenOnce, skipRepeatedEvents } from './receive/seen-once.ts';
import { SocketReceiver } from './receive/socket.ts';

export interface SlackDoorOptions extends SlackConfig {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Used between attempts to send something. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds before a submitted view is acknowledged at the latest, where a test needs others than the bot's. */
  readonly submitPatience?: number;
}

export interface SlackDoor extends Door {
  /** Slack's requests over HTTP and the pages of an installation, for the server on `PORT`. */
  readonly routes: Router;
}

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
  const seen = new SeenOnce(app);
  const { drop } = new DroppedEvents(log, 'slack');
  const { workspaces, installer } = makeWorkspaces(options, client, seen);
  const api = new SlackApi(client, workspaces);
  const unconfirmed = new UnconfirmedPosts(app, api);
  const uploads = new Uploads(app, api, workspaces, pictures);
  const tables = new TableForms(() => app.clock.now());
  const tools = { app, dispatcher, api, uploads, tables, sleep, submitPatience, workspaces, unconfirmed };
  const solo = new SoloGames(app);
  const conversation = new Conversation('slack', dispatcher, log);
  const answering = {
    ...tools,
    conversation,
    answers: new Answers(tools),
    views: new GameViews(tools, solo),
    managers: new Managers(app, api, workspaces),
  };
  const games = new GameHandlers({ ...answering, games: solo });
  const track = (work: Promise<void>) => conversation.track(work);
  const removals = new Removals({ log, api, workspaces, track, sleep });

  const http =
    mode.kind === 'http' ? new HttpReceiver({ ...mode, clock: app.clock, log, seen, drop }) : undefined;
  const socket = mode.kind === 'socket' ? new SocketReceiver({ ...mode, apiUrl, log, drop }) : undefined;
  const bolt = makeBolt(options, (http ?? socket)!, workspaces);
  bolt.use(async ({ next }) => {
    const listening = next();
    // What it rejects with is logged by Bolt.
    conversation.track(listening.catch(() => undefined));
    await listening;
  });
  bolt.use(skipRepeatedEvents(app.clock, seen));
  new Listeners({ ...answering, games, removals }).register(bolt);

  const routes = makeRoutes();
  for (const part of [http, installer]) if (part !== undefined) routes.route('/', part.routes);

  return {
    name: 'slack',
    poster: new SlackPoster(tools),
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
      removals.stop();
      await conversation.done();
    },

    trouble: () => workspaces.trouble() ?? socket?.trouble(),
  };
}

function makeBolt({ app, apiUrl }: SlackDoorOptions, receiver: Receiver, workspaces: Workspaces): BoltApp {
  const { log } = app;
  const bolt = new BoltApp({
    receiver,
    logger: boltLogger(log),
    clientOptions: { retryConfig: { retries: 0 }, ...(apiUrl !== undefined && { slackApiUrl: apiUrl }) },
    convoStore: false,
    // Bolt gets no token: it would keep a client for each workspace in memory, and answers use a client of ours.
    async authorize({ teamId = '', enterpriseId, isEnterpriseInstall }) {
      const workspace = await workspaces.find(teamId, isEnterpriseInstall ? enterpriseId : undefined);
      if (workspace === undefined) throw new NotInstalled(teamId);
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

/** Workspaces that are remembered because a line about them was logged. */
const MOST_STRANGERS = 1_000;
const NOT_INSTALLED =
  'events of a workspace are dropped, as the app is not installed there; this is logged once for each workspace';

function makeWorkspaces(
  { app, workspaces }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
  seen: SeenOnce,
): { workspaces: Workspaces; installer?: Installer } {
  if (workspaces.kind === 'one') return { workspaces: new OneWorkspace(app, client, workspaces.botToken) };
  const many = new ManyWorkspaces(app, client, new TokenEncryption(workspaces.keys), workspaces);
  const installer = new Installer(
    { app, client, workspaces: many, seen },
    { ...workspaces, scopes: BOT_SCOPES },
  );
  return { workspaces: many, installer };
}
