import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { webApi } from '@slack/bolt';
import { getCookie } from 'hono/cookie';
import type { App } from '../../../dispatch/contract.ts';
import { type HttpContext, makeRoutes, type Router } from '../../../http/router.ts';
import { readFailure } from '../post/errors.ts';
import type { ManyWorkspaces, OAuthApp } from './many-workspaces.ts';
import { CANCELLED_PAGE, DONE_PAGE, FAILED_PAGE, installPage, sendPage } from './pages.ts';

export const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

export interface OAuthConfig extends OAuthApp {
  readonly stateSecret: string;
  /** Where browsers reach this process, such as `https://letterboxed.example.org`. */
  readonly publicUrl: string;
}

export interface Installer {
  /** The page with the button that leads to Slack, and the one that Slack sends the browser back to. */
  readonly routes: Router;
}

const COOKIE = 'letterboxed-install';
const TEN_MINUTES = 10 * 60_000;

/** Installing by OAuth. A signed state that the same browser holds as a cookie keeps others from starting it for someone. */
export function makeInstaller(
  { clock, log }: Pick<App, 'clock' | 'log'>,
  client: webApi.WebClient,
  workspaces: ManyWorkspaces,
  config: OAuthConfig & { readonly scopes: readonly string[] },
): Installer {
  const redirect = new URL(REDIRECT_PATH, config.publicUrl).href;
  const secure = redirect.startsWith('https:') ? '; Secure' : '';
  const cookie = (value: string, seconds: number) =>
    `${COOKIE}=${value}; Path=/slack; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;

  const routes = makeRoutes();
  routes.get(INSTALL_PATH, start);
  routes.get(REDIRECT_PATH, finish);
  return { routes };

  function start(context: HttpContext): Response {
    const state = makeState(config.stateSecret, clock.now() + TEN_MINUTES);
    const url = new URL('/oauth/v2/authorize', client.slackApiUrl);
    url.search = new URLSearchParams({
      client_id: config.clientId,
      scope: config.scopes.join(','),
      redirect_uri: redirect,
      state,
    }).toString();
    context.header('set-cookie', cookie(state, TEN_MINUTES / 1000));
    return sendPage(context, 200, installPage(url.href));
  }

  async function finish(context: HttpContext): Promise<Response> {
    const query = context.req.query();
    context.header('set-cookie', cookie('', 0));
    if (query.error === 'access_denied') return sendPage(context, 200, CANCELLED_PAGE);
    const state = query.state ?? '';
    const isOurs =
      isGoodState(state, config.stateSecret, clock.now()) && isSame(state, getCookie(context, COOKIE) ?? '');
    const code = query.code;
    if (!isOurs || code === undefined) return sendPage(context, 400, FAILED_PAGE);
    try {
      await exchange(code);
      return sendPage(context, 200, DONE_PAGE);
    } catch (error) {
      log.warn({ door: 'slack', failure: readFailure(error) }, 'an installation failed');
      return sendPage(context, 500, FAILED_PAGE);
    }
  }

  async function exchange(code: string): Promise<void> {
    const { clientId, clientSecret } = config;
    const granted = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirect,
    });
    const { access_token: token, team, bot_user_id: botUser, refresh_token: refreshToken } = granted;
    if (token === undefined || team?.id === undefined || botUser === undefined)
      throw new Error('Slack granted no bot token for a workspace');
    const { bot_id: botId = '' } = await client.auth.test({ token });
    await workspaces.install({
      team: team.id,
      botId,
      botUser,
      scopes: granted.scope?.split(',') ?? [],
      token,
      ...(refreshToken !== undefined && {
        refreshToken,
        expiresAt: clock.now() + (granted.expires_in ?? 0) * 1000,
      }),
    });
  }
}

function makeState(secret: string, expiresAt: number): string {
  const text = `${expiresAt}.${randomBytes(16).toString('base64url')}`;
  return `${text}.${sign(text, secret)}`;
}

function isGoodState(state: string, secret: string, now: number): boolean {
  const [expiresAt = '', nonce = '', signature = ''] = state.split('.');
  return isSame(signature, sign(`${expiresAt}.${nonce}`, secret)) && now < Number(expiresAt);
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
