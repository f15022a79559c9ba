import { Refusal } from './refusal.ts';
import type { Clock } from './world.ts';

/** An app's token: what it may do, where, and until when. */
export interface Grant {
  readonly token: string;
  readonly kind: 'bot' | 'app';
  /** An organization for one of all its workspaces. Empty for the app-level token, which belongs to no workspace. */
  readonly workspace: string;
  readonly scopes: readonly string[];
  /** Set with token rotation. */
  readonly expiresAt: number | undefined;
  readonly refreshToken: string | undefined;
  /** The error a call with it gets from then on. */
  dead: 'account_inactive' | 'token_revoked' | undefined;
}

export const TWELVE_HOURS = 12 * 60 * 60 * 1000;

export interface Tokens {
  grant(workspace: string, scopes: readonly string[], options?: { rotates?: boolean; token?: string }): Grant;
  appToken(token: string): Grant;
  /** The grant a call may use, or a refusal. */
  check(token: string | undefined, kind: Grant['kind']): Grant;
  /** Trades a refresh token for a new pair; it works once. */
  refresh(refreshToken: string): Grant;
  /** A bot's tokens die with its installation. */
  kill(workspace: string, as: NonNullable<Grant['dead']>): void;
  ofWorkspace(workspace: string): Grant[];
  scopesOf(token: string | undefined): readonly string[] | undefined;
}

export function makeTokens(clock: Clock): Tokens {
  const grants = new Map<string, Grant>();
  const refreshable = new Map<string, Grant>();
  let count = 0;

  const add = (grant: Grant) => {
    grants.set(grant.token, grant);
    if (grant.refreshToken !== undefined) refreshable.set(grant.refreshToken, grant);
    return grant;
  };

  const tokens: Tokens = {
    grant(workspace, scopes, { rotates = false, token } = {}) {
      count += 1;
      return add({
        token: token ?? (rotates ? `xoxe.xoxb-1-${workspace}-${count}` : `xoxb-${workspace}-${count}`),
        kind: 'bot',
        workspace,
        scopes,
        expiresAt: rotates ? clock.now() + TWELVE_HOURS : undefined,
        refreshToken: rotates ? `xoxe-1-${workspace}-${count}` : undefined,
        dead: undefined,
      });
    },

    appToken: (token) =>
      add({
        token,
        kind: 'app',
        workspace: '',
        scopes: ['connections:write'],
        expiresAt: undefined,
        refreshToken: undefined,
        dead: undefined,
      }),

    check(token, kind) {
      if (token === undefined || token === '') throw new Refusal('not_authed');
      const grant = grants.get(token);
      if (grant === undefined) throw new Refusal('invalid_auth');
      if (grant.dead !== undefined) throw new Refusal(grant.dead);
      if (grant.kind !== kind) throw new Refusal('not_allowed_token_type');
      if (grant.expiresAt !== undefined && grant.expiresAt <= clock.now()) throw new Refusal('token_expired');
      return grant;
    },

    refresh(refreshToken) {
      const old = refreshable.get(refreshToken);
      if (old === undefined || old.dead !== undefined) throw new Refusal('invalid_refresh_token');
      refreshable.delete(refreshToken);
      return tokens.grant(old.workspace, old.scopes, { rotates: true });
    },

    kill(workspace, as) {
      for (const grant of grants.values()) {
        if (grant.kind === 'bot' && grant.workspace === workspace) grant.dead = as;
      }
    },

    ofWorkspace: (workspace) => [...grants.values()].filter((grant) => grant.workspace === workspace),
    scopesOf: (token) => grants.get(token ?? '')?.scopes,
  };
  return tokens;
}
