import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { App as BoltApp, type Receiver } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { publicAddress, type SlackConfig } from '../../config/config.ts';
import { DAY } from '../../core/clock.ts';
import { expiring } from '../../core/concurrency.ts';
import { StoreError } from '../../core/errors.ts';
import { type Log, logFault } from '../../core/log.ts';
import { TokenEncryption } from '../../core/token-encryption.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Conversation, NameCache } from '../conversation.ts';
import { type Door, type DropEvent, makeDropEvent, SeenOnce } from '../door.ts';
import {
  boltLogger,
  clientOptions,
  makeClient,
  respond,
  SlackApi,
  type Workspace,
  type Workspaces,
} from './api.ts';
import { explainingToken, NotInstalled, Unreadable } from './errors.ts';
import { InView, kindOf, parseEvent, teamIn, teamOf, tenantOf } from './events.ts';
import { installRoutes, LANDING, STATE_COOKIE } from './install.ts';
import { type Ack, SlackListener } from './listener.ts';
import { EVENTS_PATH, INSTALL_PATH } from './manifest.ts';
import { DirectChannels, makePeople } from './people.ts';
import { SlackPoster } from './poster.ts';
import { HttpReceiver, SocketReceiver } from './receivers.ts';
import type { SlackTools } from './send.ts';
import { makeUploads } from './uploads.ts';
import { ManyWorkspaces, makeOneWorkspace } from './workspaces.ts';

export interface SlackDoorOptions extends SlackConfig {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Only tests set this and what follows. */
  readonly pictureOrigins?: readonly string[];
  /** Waits between attempts to send something. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds within which a submitted view is acknowledged. */
  readonly submitTimeout?: number;
}

export interface SlackDoor extends Door {
  /** Slack's requests over HTTP and the pages of an installation, for the server on `PORT`. */
  readonly routes: Router;
  /** HTML for the first page below `PUBLIC_URL`, where other workspaces may install the app. */
  readonly landing: string | undefined;
}

/** Where Slack keeps what people upload. */
const PICTURE_ORIGINS: readonly string[] = ['https://files.slack.com'];

const MAX_WORKSPACES_REMEMBERED = 5_000;
/** Milliseconds without folded blocks after Slack refused a message with some. It may have refused something else in it. */
const FOLDING_REFUSED_MS = DAY;

/** Slack waits three seconds. */
const SUBMIT_TIMEOUT_MS = 2000;

/**
 * Slack, in Socket Mode or over HTTP, for one workspace or for many.
 *
 * @example const door = makeSlackDoor({ app, dispatcher, mode: { kind: 'socket', appToken }, workspaces: { kind: 'one', botToken } });
 */
export function makeSlackDoor(options: SlackDoorOptions): SlackDoor {
  const { app, dispatcher, mode, apiUrl, pictures = makePictures() } = options;
  const { log, clock } = app;
  const client = makeClient(log, apiUrl);
  const seen = new SeenOnce(app, 'slack');
  const { workspaces, routes } = makeWorkspaces(options, client, seen);
  const api = new SlackApi(client, workspaces, app);
  const conversation = new Conversation('slack', app, dispatcher);
  const people = makePeople(app, api);
  const nameOf = async (tenant: string, person: string) =>
    (await people.lookUp(teamOf(tenant), person))?.name;
  const tools: SlackTools = {
    app,
    dispatcher,
    api,
    workspaces,
    seen,
    directChannels: new DirectChannels(app),
    conversation,
    names: new NameCache(clock, nameOf),
    people,
    uploads: makeUploads(app, api, pictures),
    pictureOrigins: options.pictureOrigins ?? PICTURE_ORIGINS,
    refusesFolding: new LRUCache(expiring(MAX_WORKSPACES_REMEMBERED, FOLDING_REFUSED_MS, clock)),
    sleep: options.sleep ?? sleep,
    submitTimeout: options.submitTimeout ?? SUBMIT_TIMEOUT_MS,
  };

  const drop = makeDropEvent(log, 'slack');
  const socket = mode.kind === 'socket' ? new SocketReceiver({ ...mode, apiUrl, log, drop }) : undefined;
  const http = mode.kind === 'http' ? new HttpReceiver({ ...mode, clock, drop }) : undefined;
  routes.route('/', http?.routes ?? refusalRoutes(log, mode.kind));
  const receiver = socket ?? http;
  // A door that only posts receives nothing.
  const bolt = receiver && makeBolt(tools, receiver, drop, adviceTo(options));

  return {
    name: 'slack',
    poster: new SlackPoster(tools),
    routes,
    landing: options.workspaces.kind === 'many' ? LANDING : undefined,

    async start() {
      await explainingToken('SLACK_BOT_TOKEN', workspaces.open());
      if (bolt !== undefined) await explainingToken('SLACK_APP_TOKEN', bolt.start());
    },

    async stop() {
      await bolt?.stop();
      await conversation.done();
    },

    // One revoked token among many workspaces is not a problem of the whole bot.
    trouble: () =>
      workspaces.trouble() ??
      (options.workspaces.kind === 'one' ? api.trouble() : undefined) ??
      socket?.trouble(),
  };
}

/**
 * Refuses Slack's requests in a process that is not set up for them. None should come in Socket Mode, or
 * where another process takes them, so the first one is logged.
 */
function refusalRoutes(log: Log, mode: SlackDoorOptions['mode']['kind']): Router {
  const reason =
    mode === 'socket' ? 'SLACK_APP_TOKEN chooses Socket Mode' : 'SLACK_SIGNING_SECRET is not set';
  let isLogged = false;
  return makeRoutes().post(EVENTS_PATH, (context) => {
    if (!isLogged) log.warn({ door: 'slack' }, `a request to ${EVENTS_PATH} is not taken: ${reason}`);
    isLogged = true;
    return context.notFound();
  });
}

const ID = v.pipe(v.string(), v.regex(/^\w{1,30}$/));
const Answerable = v.object({ response_url: v.string() });

/** The answer to people of a workspace without a token that can be read, as after an installation from the settings of the app. */
function adviceTo({ workspaces }: SlackDoorOptions): string {
  const missing = 'I’m not set up for this workspace.';
  if (workspaces.kind === 'one') return missing;
  const { href } = publicAddress(workspaces.publicUrl, INSTALL_PATH);
  return `${missing} Whoever may install apps opens <${href}> and presses *Add to Slack*.`;
}

/** Bolt finds the workspace of a request, acknowledges events, and catches what is thrown. */
function makeBolt(tools: SlackTools, receiver: Receiver, drop: DropEvent, advice: string): BoltApp {
  const { app, workspaces, conversation } = tools;
  const { store, log } = app;
  const listener = new SlackListener(tools);
  /** The organizations of workspaces, as stored; '' for none. */
  const organizations = new Map<string, string>();
  const bolt = new BoltApp({
    receiver,
    logger: boltLogger(log),
    convoStore: false,
    extendedErrorHandler: true,
    // Bolt gets no token: it would keep a client for each workspace in memory, and answers use a client of ours.
    async authorize(source, body) {
      // What comes from a view names the organization of the person: in a shared channel, perhaps another company's. The view
      // knows where it is from.
      const inView = v.safeParse(InView, body);
      // Bolt passes these on unchecked, and they end up in our caches and logs.
      const organization = v.is(ID, source.enterpriseId) ? source.enterpriseId : undefined;
      const given = (inView.success && inView.output.view.private_metadata.team) || teamIn(source);
      const team = v.is(ID, given) ? given : '';
      let workspace: Workspace | undefined;
      try {
        workspace = await workspaces.find(team);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        // A response URL takes an answer or an apology without a token.
        return { teamId: team, botId: '', botUserId: '' };
      }
      if (workspace === undefined) throw new NotInstalled(team);
      if (!inView.success && organizations.get(team) !== (organization ?? ''))
        await storeOrganization(team, organization);
      return { teamId: team, botId: workspace.botId, botUserId: workspace.botUser };
    },
  });
  // The parsed event decides who takes it; Bolt is not asked to look into the body again.
  bolt.use(async ({ body, ack, context }) => {
    const event = parseEvent(body);
    if (event === undefined) return drop(kindOf(body));
    const answering = listener.listen(event, ack as Ack, context);
    // Bolt gets the rejection and logs it. Here it is only waited for.
    void conversation.track(answering.catch(() => undefined));
    return answering;
  });
  bolt.error(async ({ error, body }: Parameters<Parameters<BoltApp['error']>[0]>[0]) => {
    const cause = 'original' in error ? error.original : error;
    const isUnknown = cause instanceof NotInstalled;
    if (isUnknown) drop(cause.message);
    else logFault(log, cause, { door: 'slack' }, 'a listener failed');
    // Whatever has no response URL could only be answered with a token.
    if (!(isUnknown || cause instanceof Unreadable) || !v.is(Answerable, body)) return;
    const answer = { text: advice, response_type: 'ephemeral', replace_original: false };
    void conversation.track(respond(body.response_url, answer).catch((err) => drop('response_url', err)));
  });
  return bolt;

  /** People have one reminder and one set of choices in all workspaces of an organization. */
  async function storeOrganization(team: string, organization: string | undefined): Promise<void> {
    try {
      await store.tenant(tenantOf(team)).setOrganization(organization);
      organizations.set(team, organization ?? '');
    } catch (err) {
      log.warn({ door: 'slack', team, err }, 'the organization of a workspace is not stored yet');
    }
  }
}

function makeWorkspaces(
  { app, workspaces, apiUrl }: SlackDoorOptions,
  client: ReturnType<typeof makeClient>,
  seen: SeenOnce,
): { workspaces: Workspaces; routes: Router } {
  if (workspaces.kind === 'one')
    return { workspaces: makeOneWorkspace(app, client, workspaces.botToken), routes: makeRoutes() };
  const { keys, clientId, clientSecret, publicUrl } = workspaces;
  const many = new ManyWorkspaces(app, new TokenEncryption(keys), {
    clientId,
    clientSecret,
    stateSecret: createHash('sha256').update(`state of an installation ${clientSecret}`).digest('hex'),
    stateCookieName: STATE_COOKIE,
    clientOptions: clientOptions(app.log, apiUrl),
    authorizationUrl: new URL('/oauth/v2/authorize', client.slackApiUrl).href,
  });
  return { workspaces: many, routes: installRoutes(app, seen, many.provider, publicUrl) };
}
