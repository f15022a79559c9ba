import type { webApi } from '@slack/bolt';
import type { App } from '../../../dispatch/contract.ts';
import { NotInstalled, tenantOf, type Workspace, type Workspaces } from './workspaces.ts';

/** The one workspace of `SLACK_BOT_TOKEN`. */
export class OneWorkspace implements Workspaces {
  readonly #app: Pick<App, 'store' | 'clock'>;
  readonly #client: webApi.WebClient;
  readonly #botToken: string;
  #opening: Promise<Workspace> | undefined;
  #isRemoved = false;

  constructor(app: Pick<App, 'store' | 'clock'>, client: webApi.WebClient, botToken: string) {
    this.#app = app;
    this.#client = client;
    this.#botToken = botToken;
  }

  async open(): Promise<void> {
    await this.#workspace();
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
    this.#isRemoved = true;
    await this.#app.store.tenant(tenantOf(team)).markRemoved(this.#app.clock.now());
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
