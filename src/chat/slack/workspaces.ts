import type { webApi } from '@slack/bolt';
import {
  type InstallationQuery,
  type InstallationStore,
  InstallProvider,
  type InstallProviderOptions,
  type Installation as SlackInstallation,
} from '@slack/oauth';
import * as v from 'valibot';
import { askOnce, KeyedQueue } from '../../core/concurrency.ts';
import type { TokenEncryption } from '../../core/token-encryption.ts';
import type { App } from '../../dispatch/contract.ts';
import { sinceYesterday } from '../door.ts';
import { boltLogger, type Workspace, type Workspaces } from './api.ts';
import { NotInstalled, Unreadable } from './errors.ts';
import { teamIn, tenantOf } from './events.ts';

const NOT_ACCEPTED =
  'Slack no longer accepts SLACK_BOT_TOKEN: the app was removed from the workspace. Install it there again, set SLACK_BOT_TOKEN to its new token and restart the bot within a week: then the data of the workspace are erased.';

/** The one workspace of `SLACK_BOT_TOKEN`. */
export function makeOneWorkspace(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  client: webApi.WebClient,
  botToken: string,
): Workspaces {
  const authenticated = askOnce(authenticate);
  let isRemoved = false;

  async function find(team: string): Promise<Workspace | undefined> {
    const workspace = await authenticated();
    return workspace.team === team && !isRemoved ? workspace : undefined;
  }

  async function token(team: string): Promise<string> {
    if ((await find(team)) === undefined) throw new NotInstalled(team);
    return botToken;
  }

  async function markRemoved(team: string): Promise<void> {
    if ((await find(team)) === undefined) return;
    await app.store.tenant(tenantOf(team)).markRemoved(app.clock.now());
    // Set only now: if it could not be stored, the next report of the removal must not be ignored.
    isRemoved = true;
    app.log.error({ door: 'slack', team }, NOT_ACCEPTED);
  }

  async function authenticate(): Promise<Workspace> {
    const answer = await client.auth.test({ token: botToken });
    const { team_id: teamId, enterprise_id: enterpriseId, bot_id = '', user_id = '' } = answer;
    const team = teamIn({ teamId, enterpriseId, isEnterpriseInstall: answer.is_enterprise_install === true });
    await app.store.tenant(tenantOf(team)).markPresent(sinceYesterday(app.clock));
    return { team, botId: bot_id, botUser: user_id };
  }

  return {
    open: async () => void (await authenticated()),
    find,
    token,
    markRemoved,
    trouble: () => (isRemoved ? NOT_ACCEPTED : undefined),
  };
}

/** The parts of an `InstallProvider`'s installation that we use. Names of people are not among them. */
const Installed = v.object({
  /** An organization's installation has no team, and covers every workspace that it added the app to. */
  team: v.optional(v.object({ id: v.string() })),
  enterprise: v.optional(v.object({ id: v.string() })),
  isEnterpriseInstall: v.optional(v.boolean(), false),
  authVersion: v.literal('v2'),
  bot: v.object({
    id: v.string(),
    userId: v.string(),
    token: v.string(),
    /** Set with token rotation only. `expiresAt` is in seconds since 1970. */
    refreshToken: v.optional(v.string()),
    expiresAt: v.optional(v.number()),
  }),
});
type Installed = v.InferOutput<typeof Installed>;

/** The workspace or organization that installed the app. */
function installerOf({ team, enterprise, isEnterpriseInstall }: Installed): string {
  return (isEnterpriseInstall ? enterprise : team)?.id ?? '';
}

/** What `InstallProvider` expects of an installation besides what is stored. */
const NO_USER = { id: '', token: undefined, scopes: undefined } as const;

/**
 * Workspaces and organizations that installed the app by OAuth: the store of `InstallProvider`. Each row is encrypted and bound to its
 * tenant.
 */
export class ManyWorkspaces implements Workspaces, InstallationStore {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #encryption: TokenEncryption;
  readonly provider: InstallProvider;
  readonly #refreshing = new KeyedQueue();
  /** Refreshed tokens that could not be stored. Slack takes a refresh token only once, so these can't be had again. */
  readonly #unsaved = new Map<string, Installed>();
  #areAllUnreadable = false;

  constructor(
    app: Pick<App, 'store' | 'clock' | 'log'>,
    encryption: TokenEncryption,
    options: Pick<InstallProviderOptions, 'clientId' | 'clientSecret'> & Partial<InstallProviderOptions>,
  ) {
    this.#app = app;
    this.#encryption = encryption;
    // Lowers the library's log level: it logs errors that any visitor can cause.
    this.provider = new InstallProvider({
      ...options,
      installationStore: this,
      logger: boltLogger(app.log),
    });
  }

  /**
   * Reports a missing encryption key at the start instead of once for each workspace, and encrypts with the new key what the old
   * one did: a workspace that nobody uses while both are set would be lost with the old one.
   */
  async open(): Promise<void> {
    const { store, log } = this.#app;
    const all = await store.allTenants.installations('slack');
    let unreadable = 0;
    for (const { tenant, encrypted } of all) {
      const text = this.#encryption.decrypt(encrypted, tenant);
      if (text === undefined) unreadable += 1;
      else if (this.#encryption.usesOldKey(encrypted)) await this.#encryptAgain(tenant, encrypted, text);
    }
    this.#areAllUnreadable = unreadable > 0 && unreadable === all.length;
    if (unreadable > 0)
      log.error(
        { door: 'slack', unreadable, of: all.length },
        'tokens are encrypted with a key that is not in SLACK_TOKEN_KEYS',
      );
  }

  async find(team: string): Promise<Workspace | undefined> {
    const installed = await this.#stored(team);
    return installed && { team, botId: installed.bot.id, botUser: installed.bot.userId };
  }

  /** A token with less than two hours left is refreshed by `InstallProvider`, once for all callers at that time. */
  async token(team: string): Promise<string> {
    const installed = await this.#stored(team);
    if (installed === undefined) throw new NotInstalled(team);
    const { token, refreshToken } = installed.bot;
    if (refreshToken === undefined) return token;
    // An organization's id goes in as a team's, too: the query reaches only `fetchInstallation`, which reads nothing else.
    const query = { teamId: team, enterpriseId: undefined, isEnterpriseInstall: false };
    const { botToken = token } = await this.#refreshing.join(team, () => this.provider.authorize(query));
    return botToken;
  }

  /** Called only by `token`, through the provider. */
  async fetchInstallation({ teamId: owner = '' }: InstallationQuery<boolean>): Promise<SlackInstallation> {
    const installed = await this.#stored(owner);
    if (installed === undefined) throw new NotInstalled(owner);
    return { ...installed, user: NO_USER } as SlackInstallation;
  }

  async storeInstallation(installation: SlackInstallation): Promise<void> {
    const installed = v.parse(Installed, installation);
    // Without a user, it is a refresh of what `fetchInstallation` returned: if it can't be stored, it is kept in memory.
    if (installation.user.id === NO_USER.id) return this.#save(installed);
    const owner = installerOf(installed);
    this.#unsaved.delete(owner);
    // First: if only the tokens were stored, the app would be in use there while all data is erased as after its removal.
    await this.#app.store.tenant(tenantOf(owner)).markPresent(sinceYesterday(this.#app.clock));
    await this.#write(owner, installed);
    this.#app.log.info({ door: 'slack', team: owner }, 'installed in a workspace');
  }

  /** @param token the one that Slack refused; undefined if it could not be read */
  async markRemoved(team: string, token: string | undefined): Promise<void> {
    // The stored token may be older than the one that Slack refused.
    const unsaved = this.#unsaved.get(team);
    if (unsaved !== undefined) await this.#save(unsaved);
    const { encrypted, stored } = await this.#row(team);
    if (encrypted === undefined) return;
    // Installed again since. An installation with a token that can't be decrypted ends anyway: it is of no use.
    if (token !== undefined && stored !== undefined && stored.bot.token !== token) return;
    const { store, clock, log } = this.#app;
    if (await store.tenant(tenantOf(team)).installation.revoke(encrypted, clock.now()))
      log.info({ door: 'slack', team }, 'removed from a workspace');
  }

  /** The tokens of some workspaces alone, which only those can give again, are no trouble of the whole door. */
  trouble(): string | undefined {
    return this.#areAllUnreadable
      ? 'the tokens of all workspaces are encrypted with a key that is not in SLACK_TOKEN_KEYS'
      : undefined;
  }

  /** The row of a workspace or organization; `stored` is undefined where the key that encrypted it is missing. */
  async #row(team: string): Promise<{ encrypted?: string | undefined; stored?: Installed | undefined }> {
    const tenant = tenantOf(team);
    const encrypted = await this.#app.store.tenant(tenant).installation.get();
    return { encrypted, stored: encrypted === undefined ? undefined : this.#decrypt(encrypted, tenant) };
  }

  /** Undefined where none of the keys fits. The error names no value: the text holds tokens. */
  #decrypt(encrypted: string, tenant: string): Installed | undefined {
    const text = this.#encryption.decrypt(encrypted, tenant);
    if (text === undefined) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Installed), text);
    if (!parsed.success)
      throw new Unreadable(`the tokens of ${tenant} are not in the form in which they are stored`);
    return parsed.output;
  }

  /** What an old key encrypted is encrypted again. */
  async #stored(team: string): Promise<Installed | undefined> {
    const unsaved = this.#unsaved.get(team);
    if (unsaved !== undefined) {
      await this.#save(unsaved);
      return unsaved;
    }
    const { encrypted, stored } = await this.#row(team);
    if (encrypted === undefined) return undefined;
    if (stored === undefined)
      throw new Unreadable(
        `the tokens of workspace ${team} are encrypted with a key that is not in SLACK_TOKEN_KEYS`,
      );
    if (this.#encryption.usesOldKey(encrypted))
      await this.#encryptAgain(tenantOf(team), encrypted, JSON.stringify(stored));
    return stored;
  }

  /** Encrypts with the new key. Tokens that were replaced since they were read stay as they are. */
  async #encryptAgain(tenant: string, encrypted: string, text: string): Promise<void> {
    const { installation } = this.#app.store.tenant(tenant);
    await installation.replace(encrypted, this.#encryption.encrypt(text, tenant));
  }

  async #write(team: string, stored: Installed): Promise<void> {
    const tenant = tenantOf(team);
    const encrypted = this.#encryption.encrypt(JSON.stringify(stored), tenant);
    await this.#app.store.tenant(tenant).installation.put(encrypted);
    this.#areAllUnreadable = false;
  }

  /** Stores refreshed tokens. Where that fails they are used all the same, and stored with one of the next uses. */
  async #save(refreshed: Installed): Promise<void> {
    const team = installerOf(refreshed);
    const isNew = this.#unsaved.get(team) !== refreshed;
    this.#unsaved.set(team, refreshed);
    try {
      await this.#write(team, refreshed);
      this.#unsaved.delete(team);
      this.#app.log.info({ door: 'slack', team }, 'token refreshed');
    } catch (error) {
      if (isNew)
        this.#app.log.error({ door: 'slack', team, err: error }, 'refreshed tokens are not stored yet');
    }
  }
}
