import { setTimeout as wait } from 'node:timers/promises';
import { App as BoltApp } from '@slack/bolt';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { makeAnswers } from './answer/answers.ts';
import { makeBackgroundTasks } from './answer/background-tasks.ts';
import { makePeople } from './answer/people.ts';
import { makeRequestHandlers } from './answer/request-handlers.ts';
import { BOT_SCOPES } from './install/manifest.ts';
import { makeManyWorkspaces } from './install/many-workspaces.ts';
import { type Installer, makeInstaller, type OAuthConfig } from './install/oauth.ts';
import { makeOneWorkspace } from './install/one-workspace.ts';
import { makeTokenEncryption } from './install/token-encryption.ts';
import { NotInstalled, type Workspaces } from './install/workspaces.ts';
import { makeApi, makeClient } from './post/api.ts';
import { makePoster } from './post/poster.ts';
import { makeUnconfirmedPosts } from './post/unconfirmed-posts.ts';
import { makeUploads } from './post/uploads.ts';
import { isRepeat } from './receive/event-dedup.ts';
import { makeHttpReceiver } from './receive/http.ts';
import { listen } from './receive/listeners.ts';
import { boltLogger } from './receive/logger.ts';
import { makeSocketReceiver } from './receive/socket.ts';

export interface SlackDoorOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly mode:
    | { readonly kind: 'socket'; readonly appToken: string }
    /** All signing secrets that are good at the moment. */
    | { readonly kind: 'http'; readonly signingSecrets: readonly string[] };
  readonly workspaces:
    | { readonly kind: 'one'; readonly botToken: string }
    /** `keys` seal the tokens in the store: the first seals, all of them open. */
    | ({ readonly kind: 'many'; readonly keys: readonly string[] } & OAuthConfig);
  /** Such as `https://slack.com/api/`, which it is unless told otherwise. */
  readonly apiUrl?: string;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Between tries to show a picture that Slack is still reading. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
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
  const { app, dispatcher, mode, apiUrl, pictures = makePictures(), sleep = wait } = options;
  const { log } = app;
  const client = makeClient(log, apiUrl);
  const { workspaces, installer } = makeWorkspaces(options, client);
  const api = makeApi(client, workspaces);
  const tools = { app, dispatcher, api, uploads: makeUploads(app, api, workspaces, pictures), sleep };
  const unsure = makeUnconfirmedPosts(app, api);
  const answers = makeAnswers(tools);
  const asking = makeRequestHandlers({ ...tools, answers, people: makePeople(app, api, workspaces) });

  const http =
    mode.kind === 'http'
      ? makeHttpReceiver({ signingSecrets: mode.signingSecrets, clock: app.clock, log })
      : undefined;
  const socket =
    mode.kind === 'socket' ? makeSocketReceiver({ appToken: mode.appToken, apiUrl, log }) : undefined;
  const bolt = new BoltApp({
    receiver: (http ?? socket)!,
    logger: boltLogger(log),
    clientOptions: { retryConfig: { retries: 0 }, ...(apiUrl !== undefined && { slackApiUrl: apiUrl }) },
    convoStore: false,
    // No token: the answers have clients of their own, and Bolt would keep one for each workspace for good.
    async authorize({ teamId = '' }) {
      const workspace = await workspaces.find(teamId);
      if (workspace === undefined) throw new NotInstalled(teamId);
      return { teamId, botId: workspace.botId, botUserId: workspace.botUser };
    },
  });
  bolt.use(async ({ body, context, next }) => {
    const { event_id: id } = body as { event_id?: string };
    const isOld = id !== undefined && (await isRepeat(app, { id, retry: context.retryNum ?? 0 }));
    if (!isOld) await next();
  });
  bolt.error(async (error) => log.error({ door: 'slack', err: error }, 'a listener failed'));

  const work = makeBackgroundTasks((error) => log.error({ door: 'slack', err: error }, 'a request failed'));
  listen(bolt, { ...tools, asking, workspaces, unsure, later: work.later });

  const routes = makeRoutes();
  for (const part of [http, installer]) if (part !== undefined) routes.route('/', part.routes);

  return {
    name: 'slack',
    poster: makePoster({ ...tools, workspaces, unsure }),

    async start() {
      await workspaces.open();
      await bolt.start();
    },

    async stop() {
      await bolt.stop();
      await work.done();
    },

    trouble: () => workspaces.trouble() ?? socket?.trouble(),

    routes,
  };
}

function makeWorkspaces(
  { app, workspaces }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
): { workspaces: Workspaces; installer?: Installer } {
  if (workspaces.kind === 'one') return { workspaces: makeOneWorkspace(app, client, workspaces.botToken) };
  const many = makeManyWorkspaces(app, client, makeTokenEncryption(workspaces.keys), workspaces);
  return {
    workspaces: many,
    installer: makeInstaller(app, client, many, { ...workspaces, scopes: BOT_SCOPES }),
  };
}
