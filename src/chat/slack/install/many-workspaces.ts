import type { webApi } from '@slack/bolt';
import type { App } from '../../../dispatch/contract.ts';
import { readFailure } from '../post/errors.ts';
import type { TokenEncryption } from './token-encryption.ts';
import { NotInstalled, tenantOf, Unreadable, type Workspace, type Workspaces } from './workspaces.ts';

/** An installation as it is kept, sealed. */
export interface Installed extends Workspace {
  readonly token: string;
  /** With token rotation. Milliseconds. */
  readonly refreshToken?: string;
  readonly expiresAt?: number;
}

export interface ManyWorkspaces extends Workspaces {
  install(installed: Installed): Promise<void>;
}

export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Slack's tokens live twelve hours; one is changed while it has two left. */
const EARLY = 2 * 60 * 60_000;
/** How long an installation is taken for granted: another process may have learned of its end. */
const REMEMBERED = 60_000;
const MOST_REMEMBERED = 2000;

/** Workspaces that installed the app by OAuth, each row sealed and bound to its tenant. */
export function makeManyWorkspaces(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  client: webApi.WebClient,
  seal: TokenEncryption,
  oauth: OAuthApp,
): ManyWorkspaces {
  const { store, clock, log } = app;
  const remembered = new Map<string, { installed: Installed; until: number }>();
  const refreshing = new Map<string, Promise<Installed>>();

  let unreadable = 0;

  async function read(team: string): Promise<Installed | undefined> {
    const entry = remembered.get(team);
    if (entry !== undefined && clock.now() < entry.until) return entry.installed;
    remembered.delete(team);
    const tenant = tenantOf(team);
    const sealed = await store.tenant(tenant).installation.get();
    if (sealed === undefined) return undefined;
    const text = seal.open(sealed, tenant);
    if (text === undefined) throw new Unreadable(team);
    const installed = JSON.parse(text) as Installed;
    if (seal.isOld(sealed)) await write(installed);
    else remember(installed);
    return installed;
  }

  async function write(installed: Installed): Promise<void> {
    const tenant = tenantOf(installed.team);
    await store.tenant(tenant).installation.put(seal.close(JSON.stringify(installed), tenant), clock.now());
    remember(installed);
  }

  function remember(installed: Installed): void {
    remembered.set(installed.team, { installed, until: clock.now() + REMEMBERED });
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  }

  /** A refresh token works once: whoever needs it at the same time waits for the same answer. */
  function refresh(installed: Installed): Promise<Installed> {
    const { team } = installed;
    const running = refreshing.get(team) ?? renew(installed).finally(() => refreshing.delete(team));
    refreshing.set(team, running);
    return running;
  }

  async function renew(installed: Installed): Promise<Installed> {
    const { refreshToken, team } = installed;
    try {
      const answer = await client.oauth.v2.access({
        client_id: oauth.clientId,
        client_secret: oauth.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: refreshToken!,
      });
      const renewed: Installed = {
        ...installed,
        token: answer.access_token!,
        refreshToken: answer.refresh_token!,
        expiresAt: clock.now() + (answer.expires_in ?? 0) * 1000,
      };
      await write(renewed);
      log.info({ door: 'slack', team }, 'token renewed');
      return renewed;
    } catch (error) {
      // Another process may have been faster with the same refresh token: what it wrote is as good.
      remembered.delete(team);
      const now = (await read(team)) ?? installed;
      if (now.token !== installed.token || (installed.expiresAt ?? 0) > clock.now()) return now;
      log.warn({ door: 'slack', team, failure: readFailure(error) }, 'token could not be renewed');
      throw error;
    }
  }

  return {
    /** A key that was left out is told at the start, and not workspace by workspace. */
    async open() {
      const all = await store.allTenants.installations('slack');
      unreadable = all.filter(({ tenant, sealed }) => seal.open(sealed, tenant) === undefined).length;
      if (unreadable > 0)
        log.error(
          { door: 'slack', unreadable, of: all.length },
          'tokens are sealed with a key that is not in SLACK_TOKEN_KEYS',
        );
    },

    async find(team) {
      const installed = await read(team);
      if (installed === undefined) return undefined;
      const { botId, botUser, scopes } = installed;
      return { team, botId, botUser, scopes };
    },

    async token(team) {
      const installed = await read(team);
      if (installed === undefined) throw new NotInstalled(team);
      const { refreshToken, expiresAt = Number.POSITIVE_INFINITY } = installed;
      const isDue = refreshToken !== undefined && expiresAt - clock.now() <= EARLY;
      return isDue ? (await refresh(installed)).token : installed.token;
    },

    async lost(team, token) {
      const tenant = tenantOf(team);
      const { installation } = store.tenant(tenant);
      remembered.delete(team);
      const sealed = await installation.get();
      if (sealed === undefined) return;
      const text = token === undefined ? undefined : seal.open(sealed, tenant);
      if (text !== undefined && (JSON.parse(text) as Installed).token !== token) return;
      if (await installation.lose(sealed, clock.now()))
        log.info({ door: 'slack', team }, 'removed from a workspace');
    },

    async install(installed) {
      await write(installed);
      await store.tenant(tenantOf(installed.team)).markPresent();
      log.info({ door: 'slack', team: installed.team }, 'installed in a workspace');
    },

    trouble: () =>
      unreadable === 0
        ? undefined
        : `the tokens of ${unreadable} workspaces are sealed with a key that is not in SLACK_TOKEN_KEYS`,
  };
}
