import { timingSafeEqual } from 'node:crypto';
import { Refusal, refuseFor } from '../refusal.ts';
import type { Call } from '../slack.ts';
import { type Grant, TWELVE_HOURS } from '../tokens.ts';
import type { Json } from '../world.ts';
import { type Method, NEEDED, TEXT } from './method.ts';

/** Who the app is, and how it comes by its tokens. */
export const identityMethods: Record<string, Method> = {
  'auth.test': {
    token: 'bot',
    scopes: [],
    args: {},
    run: ({ workspace, grant }) => ({
      url: `https://${workspace.domain}.slack.com/`,
      team: workspace.domain,
      user: 'bot',
      team_id: workspace.id,
      user_id: workspace.botUser,
      bot_id: workspace.botId,
      ...(workspace.organization !== undefined && { enterprise_id: workspace.organization }),
      is_enterprise_install: workspace.organization === grant.workspace,
    }),
  },

  'auth.revoke': {
    token: 'bot',
    scopes: [],
    args: {},
    run({ grant }) {
      grant.dead = 'token_revoked';
      return { revoked: true };
    },
  },

  'users.info': {
    token: 'bot',
    scopes: ['users:read'],
    tier: 4,
    args: { user: NEEDED, include_locale: TEXT },
    run({ workspace, args }) {
      const user = workspace.users.get(args.user);
      if (user === undefined) throw new Refusal('user_not_found');
      return {
        user: {
          id: user.id,
          team_id: user.team ?? workspace.id,
          name: user.name,
          deleted: user.isDeleted ?? false,
          is_admin: user.isAdmin,
          is_owner: user.isOwner,
          is_restricted: user.isRestricted ?? false,
          is_bot: false,
          tz: user.zone,
        },
      };
    },
  },

  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    args: {},
    run: ({ slack }) => ({
      url: `${slack.base.replace('http', 'ws')}/link?ticket=${slack.world.nextId('L')}&app_id=${slack.app.id}`,
    }),
  },

  'oauth.v2.access': {
    token: 'none',
    scopes: [],
    args: {
      client_id: TEXT,
      client_secret: TEXT,
      code: TEXT,
      grant_type: TEXT,
      redirect_uri: TEXT,
      refresh_token: TEXT,
    },
    run(call) {
      const { slack, args } = call;
      if (args.client_id !== slack.app.clientId) throw new Refusal('invalid_client_id');
      if (!isSame(args.client_secret, slack.app.clientSecret)) throw new Refusal('bad_client_secret');
      switch (args.grant_type ?? 'authorization_code') {
        case 'authorization_code':
          return redeemCode(call);
        case 'refresh_token': {
          if (args.refresh_token === undefined)
            throw refuseFor('invalid_arguments', ['missing required field: refresh_token']);
          return accessJson(call, slack.tokens.refresh(args.refresh_token), undefined);
        }
        default:
          throw new Refusal('invalid_grant_type');
      }
    },
  },
};

function redeemCode(call: Call): Json {
  const { slack, args } = call;
  const code = slack.codes.get(args.code);
  if (code === undefined) throw new Refusal('invalid_code');
  if (code.redirect !== (args.redirect_uri ?? '')) throw new Refusal('bad_redirect_uri');
  slack.codes.delete(args.code);
  const workspace = slack.world.workspaces.get(code.workspace);
  if (workspace !== undefined) workspace.isInstalled = true;
  const grant = slack.tokens.grant(code.workspace, code.scopes, { rotates: slack.app.rotatesTokens });
  return accessJson(call, grant, code.user);
}

function accessJson({ slack }: Call, grant: Grant, installer: string | undefined): Json {
  const workspace = slack.world.workspaces.get(grant.workspace);
  return {
    access_token: grant.token,
    token_type: 'bot',
    scope: grant.scopes.join(','),
    bot_user_id: workspace?.botUser ?? `W${grant.workspace}`,
    app_id: slack.app.id,
    team: workspace === undefined ? null : { id: workspace.id, name: workspace.domain },
    enterprise: workspace === undefined ? { id: grant.workspace, name: 'The organization' } : null,
    is_enterprise_install: workspace === undefined,
    ...(installer !== undefined && { authed_user: { id: installer } }),
    ...(grant.refreshToken !== undefined && {
      refresh_token: grant.refreshToken,
      expires_in: TWELVE_HOURS / 1000,
    }),
  };
}

function isSame(given: unknown, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
