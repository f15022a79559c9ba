import type { webApi } from '@slack/bolt';
import type { App } from '../../dispatch/contract.ts';
import { NotInstalled } from './errors.ts';
import { tenantOf } from './origin.ts';

/** A workspace that has installed the app, as far as the door needs to know it. */
export interface Workspace {
  readonly team: string;
  readonly botId: string;
  readonly botUser: string;
  /** What the token may do. */
  readonly scopes: readonly string[];
}

/** The workspaces that have installed the app: one by its token, or many by OAuth. */
export interface Workspaces {
  /** Reads what must be known at the start. Throws when Slack does not know the token. */
  open(): Promise<void>;
  /**
   * Undefined where the app is not installed. Must be quick: Slack waits for it before an acknowledgement.
   *
   * @param organization the one whose installation Slack names in a request, if it is not the workspace's own
   */
  find(team: string, organization?: string): Promise<Workspace | undefined>;
  /** A token that is valid for at least one more hour. Throws `NotInstalled`. */
  token(team: string): Promise<string>;
  /**
   * Records that the app was removed from the workspace, or that its token was revoked. Does nothing when the
   * given token has been replaced since, because the app was then installed again.
   */
  markRemoved(team: string, token: string | undefined): Promise<void>;
  /** Records that an organization took the app from one of its workspaces. */
  leave(team: string): Promise<void>;
  /** What is wrong, for the readiness page. */
  trouble(): string | undefined;
}

const OTHERS =
  'the database has data of other workspaces, where SLACK_BOT_TOKEN is not valid: they are kept, and nothing is posted there';

/** The one workspace of `SLACK_BOT_TOKEN`. */
export class OneWorkspace implements Workspaces {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #client: webApi.WebClient;
  readonly #botToken: string;
  #opening: Promise<Workspace> | undefined;
  #isRemoved = false;

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, client: webApi.WebClient, botToken: string) {
    this.#app = app;
    this.#client = client;
    this.#botToken = botToken;
  }

  async open(): Promise<void> {
    const { team } = await this.#workspace();
    const { store, log } = this.#app;
    const all = await store.allTenants.tenants('slack');
    const workspaces = all
      .filter(({ tenant, removed }) => !removed && tenant !== tenantOf(team))
      .map(({ tenant }) => tenant);
    if (workspaces.length > 0) log.warn({ door: 'slack', team, workspaces }, OTHERS);
  }

  async find(team: string): Promise<Workspace | undefined> {
    const workspace = await this.#workspace();
    return workspace.team === team && !this.#isRemoved ? workspace : undefined;
  }

  async token(team: string): Promise<string> {
    if ((await this.find(team)) === undefined) throw new NotInstalled(team);
    return this.#botToken;
  }

  async markRemoved(team: string): Promise<void> {
    if ((await this.find(team)) === undefined) return;
    await this.#app.store.tenant(tenantOf(team)).markRemoved(this.#app.clock.now());
    // Only now: if it could not be stored, the next sign of the removal is not taken for a known one.
    this.#isRemoved = true;
  }

  /** Its token is that of a workspace, which no organization can take away. */
  async leave(): Promise<void> {}

  trouble(): string | undefined {
    return this.#isRemoved
      ? 'Slack no longer accepts SLACK_BOT_TOKEN: the app was removed from the workspace'
      : undefined;
  }

  /** Asks Slack once, and again only when that failed. */
  #workspace(): Promise<Workspace> {
    this.#opening ??= this.#authenticate().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #authenticate(): Promise<Workspace> {
    const identity = await this.#client.auth.test({ token: this.#botToken });
    const { team_id: team = '', bot_id: botId = '', user_id: botUser = '' } = identity;
    await this.#app.store.tenant(tenantOf(team)).markPresent();
    return { team, botId, botUser, scopes: identity.response_metadata?.scopes ?? [] };
  }
}
