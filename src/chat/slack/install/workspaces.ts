import { makeTenant } from '../../../core/channel-ref.ts';
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

export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
  readonly team: string;
  constructor(team: string) {
    super(`the app is not installed in workspace ${team}`);
    this.team = team;
  }
}

/** The app is installed, but its stored tokens can't be read. The operator has to repair this. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  constructor(team: string, reason: string) {
    super(`the stored tokens of workspace ${team} ${reason}`);
  }
}

export function tenantOf(team: string): string {
  return makeTenant('slack', team);
}

export function teamOf(tenant: string): string {
  return tenant.replace(/^slack:/, '');
}
