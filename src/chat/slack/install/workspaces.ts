/** A workspace that has the app, as far as the door needs to know it. */
export interface Workspace {
  readonly team: string;
  readonly botId: string;
  readonly botUser: string;
  /** What the token may do. */
  readonly scopes: readonly string[];
}

/** The workspaces that have the app: one by its token, or many by OAuth. */
export interface Workspaces {
  /** Asks Slack what must be known first. Throws when it does not know the token. */
  open(): Promise<void>;
  /** Undefined where the app is not installed. Quick: events are acknowledged after it. */
  find(team: string): Promise<Workspace | undefined>;
  /** A token good for the next hour at least. Throws `NotInstalled`. */
  token(team: string): Promise<string>;
  /**
   * The app was removed from it, or its token died. Where the token is known and another is in its place by
   * now, the app was installed anew, and nothing is lost.
   */
  lost(team: string, token: string | undefined): Promise<void>;
  /** What is wrong, for the readiness page. */
  trouble(): string | undefined;
}

export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
  constructor(team: string) {
    super(`the app is not installed in workspace ${team}`);
  }
}

/** It is installed, but its tokens are sealed with a key that is not there: for the operator to mend. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  constructor(team: string) {
    super(`the tokens of workspace ${team} are sealed with another key than those of SLACK_TOKEN_KEYS`);
  }
}

export function tenantOf(team: string): string {
  return `slack:${team}`;
}

export function teamOf(tenant: string): string {
  return tenant.replace(/^slack:/, '');
}
