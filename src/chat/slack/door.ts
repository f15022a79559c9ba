import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { App as BoltApp } from '@slack/bolt';
import type { App, Dispatcher } from '../../../commands/types.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { makeAnswers } from './answers.ts';
import { makeApi, makeClient } from './api.ts';
import { makeAsking } from './asking.ts';
import { EVENTS_PATH, makeHttpReceiver } from './http.ts';
import { listen } from './listeners.ts';
import { boltLogger } from './logger.ts';
import { BOT_SCOPES } from './manifest.ts';
import { makeManyWorkspaces } from './many-workspaces.ts';
import { INSTALL_PATH, type Installer, makeInstaller, type OAuthConfig, REDIRECT_PATH } from './oauth.ts';
import { makeOneWorkspace } from './one-workspace.ts';
import { makePeople } from './people.ts';
import { makePoster } from './poster.ts';
import { makeSeal } from './seal.ts';
import { isRepeat } from './seen.ts';
import { makeSocketReceiver } from './socket.ts';
import { makeUnsure } from './unsure.ts';
import { makeUploads } from './uploads.ts';
import { makeWork } from './work.ts';
import { NotInstalled, type Workspaces } from './workspaces.ts';

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
  /** Takes the requests that are for Slack's addresses; false for all others. For the one server on `PORT`. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
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
  const unsure = makeUnsure(app, api);
  const answers = makeAnswers(tools);
  const asking = makeAsking({ ...tools, answers, people: makePeople(app, api, workspaces) });

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

  const work = makeWork((error) => log.error({ door: 'slack', err: error }, 'a request failed'));
  listen(bolt, { ...tools, asking, workspaces, unsure, later: work.later });

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

    handle(request, response) {
      const path = (request.url ?? '').split('?', 1)[0];
      const take = routeOf(path, request, response);
      if (take === undefined) return false;
      take().catch((error: unknown) => {
        log.warn({ door: 'slack', err: error }, 'a request could not be taken');
        response.destroy();
      });
      return true;
    },
  };

  function routeOf(path: string | undefined, request: IncomingMessage, response: ServerResponse) {
    if (path === EVENTS_PATH && http !== undefined) return () => http.take(request, response);
    if (path === INSTALL_PATH && installer !== undefined)
      return async () => installer.start(request, response);
    if (path === REDIRECT_PATH && installer !== undefined) return () => installer.finish(request, response);
    return undefined;
  }
}

function makeWorkspaces(
  { app, workspaces }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
): { workspaces: Workspaces; installer?: Installer } {
  if (workspaces.kind === 'one') return { workspaces: makeOneWorkspace(app, client, workspaces.botToken) };
  const many = makeManyWorkspaces(app, client, makeSeal(workspaces.keys), workspaces);
  return {
    workspaces: many,
    installer: makeInstaller(app, client, many, { ...workspaces, scopes: BOT_SCOPES }),
  };
}
