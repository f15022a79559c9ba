import { closeServer } from '../loopback.ts';
import { standingClock } from '../standing-clock.ts';
import { ResponseUrls, Tokens, Triggers } from './access.ts';
import { BrokenAssumptions, Faults, Pace, type PaceOptions } from './faults.ts';
import { createApp } from './manifest.ts';
import { eventPayload, makePerson, nextSight, type Person } from './people.ts';
import { listen } from './server.ts';
import { deliver, makeSockets } from './sockets.ts';
import {
  addChannel,
  addUser,
  addWorkspace,
  type Channel,
  type Clock,
  type Json,
  makeWorld,
  type Sight,
  type Slack,
  type User,
  type Workspace,
} from './world.ts';

export interface FakeOptions {
  /** The app's manifest. */
  readonly manifest: Json;
  /** One that stands still by default. */
  readonly clock?: Clock;
  readonly pace?: Partial<PaceOptions>;
  readonly fileDelay?: number;
  readonly isUnlisted?: boolean;
  /** Some apps were refused files at response URLs that their own messages may show: set to false for that. */
  readonly urlsShowFiles?: boolean;
}

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>;

interface ChannelOptions {
  readonly name?: string;
  readonly kind?: Channel['kind'];
  readonly withBot?: boolean;
}

/** A Slack of our own on loopback, with one app created from its manifest. */
export async function startFakeSlack({
  manifest,
  clock = standingClock(),
  pace = {},
  fileDelay = 0,
  isUnlisted = false,
  urlsShowFiles = true,
}: FakeOptions) {
  const elapsed = pace.elapsed ?? (() => performance.now());
  const broken = new BrokenAssumptions();
  const world = makeWorld({ now: () => clock.now() + broken.ahead });
  const app = createApp(manifest);
  const tokens = new Tokens(clock);
  const slack: Slack = {
    world,
    app,
    tokens,
    triggers: new Triggers(clock),
    responseUrls: new ResponseUrls(clock),
    pace: new Pace({ elapsed, postsPerSecond: 1, burst: 3, ...pace }),
    faults: new Faults(),
    broken,
    codes: new Map(),
    fileDelay,
    isUnlisted,
    urlsShowFiles,
    elapsed,
    base: '',
    watchers: new Set(),
    delivered: [],
  };
  tokens.appToken(app.appToken);
  const requiredScopes = app.scopes.filter((scope) => !app.optionalScopes.includes(scope));
  const sockets = makeSockets(app.id);
  const server = await listen(slack, sockets);
  const sendEvent = (workspace: Workspace, event: Json) =>
    deliver(slack, sockets, 'events_api', eventPayload(slack, workspace, event));

  return Object.assign(slack, {
    sockets,
    /** For `SLACK_API_URL`. */
    apiUrl: `${slack.base}/api/`,

    addWorkspace: (domain = 'acme') => addWorkspace(world, domain),

    addPerson: (workspace: Workspace, user: Partial<Omit<User, 'id'>> = {}) =>
      makePerson({ slack, workspace, user: addUser(world, workspace, user) }, sockets),

    /** A channel with these people in it, and the bot by default. */
    addChannel(
      workspace: Workspace,
      people: readonly Person[],
      { withBot = true, ...options }: ChannelOptions = {},
    ) {
      const members = [...people.map(({ id }) => id), ...(withBot ? [workspace.botUser] : [])];
      return addChannel(world, workspace, { ...options, members });
    },

    /** "Install to Workspace" on the app's settings page, by default without optional scopes: the bot token it shows. */
    install(workspace: Workspace, { scopes = requiredScopes }: { scopes?: readonly string[] } = {}) {
      workspace.isInstalled = true;
      return tokens.grant(workspace.id, scopes).token;
    },

    /**
     * Somebody clicks "Allow" on the page an install link leads to, for a workspace, or for the organization of a
     * workspace; where their browser is sent.
     *
     * @param optional the optional scopes that they tick
     */
    allow(
      authorizeUrl: string,
      workspace: Workspace,
      user: Person,
      organization?: string,
      optional: readonly string[] = [],
    ) {
      if (organization !== undefined && !app.isForOrganizations)
        throw new Error('This app can not be installed in an organization');
      const { pathname, searchParams } = new URL(authorizeUrl);
      const redirect = searchParams.get('redirect_uri') ?? '';
      if (pathname !== '/oauth/v2/authorize') throw new Error(`Not the page to allow an app: ${pathname}`);
      if (searchParams.get('client_id') !== app.clientId) throw new Error('Invalid client_id');
      const isKnown = app.redirectUrls.some(
        (known) => redirect === known || redirect.startsWith(`${known}/`),
      );
      if (!isKnown) throw new Error(`redirect_uri did not match any configured URIs: ${redirect}`);
      const asked = (searchParams.get('scope') ?? '').split(',');
      const unknown = asked.filter((scope) => !app.scopes.includes(scope));
      if (unknown.length > 0) throw new Error(`Invalid permissions requested: ${unknown}`);
      const scopes = asked.filter((scope) => requiredScopes.includes(scope) || optional.includes(scope));
      const code = `${workspace.id}.${world.nextTs()}`;
      slack.codes.set(code, { workspace: organization ?? workspace.id, user: user.id, scopes, redirect });
      const back = new URL(redirect);
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back.href;
    },

    /** The workspace belongs to an organization, which has added the app to it. */
    addToOrganization(workspace: Workspace, organization: string) {
      workspace.organization = organization;
      workspace.isAdded = true;
    },

    /** An organization takes the app from a workspace. */
    takeFromWorkspace(workspace: Workspace) {
      workspace.isAdded = false;
    },

    /** Somebody removes the app: tokens die and events say so. */
    async uninstall(workspace: Workspace) {
      const owner = workspace.isInstalled ? workspace.id : (workspace.organization ?? workspace.id);
      const grants = tokens.ofWorkspace(owner);
      workspace.isInstalled = false;
      tokens.kill(owner, 'account_inactive');
      const bots = grants.length > 0 ? [workspace.botUser] : [];
      await sendEvent(workspace, { type: 'tokens_revoked', tokens: { oauth: [], bot: bots } });
      await sendEvent(workspace, { type: 'app_uninstalled' });
    },

    sendEvent,
    next: (fits: (sight: Sight) => boolean) => nextSight(slack, fits),

    async close() {
      sockets.close();
      await closeServer(server);
    },
  });
}
