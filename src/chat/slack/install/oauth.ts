import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { webApi } from '@slack/bolt';
import { getCookie } from 'hono/cookie';
import { MINUTE } from '../../../core/clock.ts';
import { publicAddress } from '../../../core/public-url.ts';
import type { App } from '../../../dispatch/contract.ts';
import { makePage, sendPage } from '../../../http/page.ts';
import { type HttpContext, makeRoutes, type Router } from '../../../http/router.ts';
import { readFailure } from '../api/errors.ts';
import type { SeenOnce } from '../receive/seen-once.ts';
import type { ManyWorkspaces, OAuthApp } from './many-workspaces.ts';

const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

export interface OAuthConfig extends OAuthApp {
  readonly stateSecret: string;
  /** Where browsers reach this process, such as `https://letterboxed.example.org`. */
  readonly publicUrl: string;
}

export interface InstallerTools {
  readonly app: Pick<App, 'clock' | 'log'>;
  readonly client: webApi.WebClient;
  readonly workspaces: ManyWorkspaces;
  readonly seen: SeenOnce;
}

const COOKIE = 'letterboxed-install';
const TEN_MINUTES = 10 * MINUTE;

/**
 * Installs the app by OAuth. The state is signed and must also be in a cookie of the same browser, so that
 * nobody can start an installation and have somebody else finish it. It is accepted once.
 *
 * Not Slack's own InstallProvider: its cookie has no SameSite and is lost over plain HTTP, it reads the
 * system's clock, and it refreshes a token once for each caller.
 */
export class Installer {
  readonly #tools: InstallerTools;
  readonly #config: OAuthConfig & { readonly scopes: readonly string[] };
  readonly #redirectUrl: string;
  /** The page with the button that leads to Slack, and the page that Slack sends the browser back to. */
  readonly routes: Router = makeRoutes();

  constructor(tools: InstallerTools, config: OAuthConfig & { readonly scopes: readonly string[] }) {
    this.#tools = tools;
    this.#config = config;
    this.#redirectUrl = publicAddress(config.publicUrl, REDIRECT_PATH).href;
    this.routes.get(INSTALL_PATH, (context) => this.#start(context));
    this.routes.get(REDIRECT_PATH, (context) => this.#finish(context));
  }

  #start(context: HttpContext): Response {
    const { clientId, scopes, stateSecret } = this.#config;
    const state = makeState(stateSecret, this.#tools.app.clock.now() + TEN_MINUTES);
    const url = new URL('/oauth/v2/authorize', this.#tools.client.slackApiUrl);
    url.search = new URLSearchParams({
      client_id: clientId,
      scope: scopes.join(','),
      redirect_uri: this.#redirectUrl,
      state,
    }).toString();
    context.header('set-cookie', this.#cookie(state, TEN_MINUTES / 1000));
    return sendPage(context, 200, installPage(url.href));
  }

  async #finish(context: HttpContext): Promise<Response> {
    const { error: refusal, state = '', code } = context.req.query();
    context.header('set-cookie', this.#cookie('', 0));
    if (refusal === 'access_denied') return sendPage(context, 200, CANCELLED_PAGE);
    const isValid =
      isValidState(state, this.#config.stateSecret, this.#tools.app.clock.now()) &&
      isSame(state, getCookie(context, COOKIE) ?? '') &&
      !(await this.#tools.seen.isRepeat(state, this.#tools.app.clock.now() + TEN_MINUTES));
    if (!isValid || code === undefined) return sendPage(context, 400, FAILED_PAGE);
    try {
      const isOrganization = await this.#install(code);
      return sendPage(context, 200, isOrganization ? ORGANIZATION_PAGE : DONE_PAGE);
    } catch (error) {
      this.#tools.app.log.warn({ door: 'slack', failure: readFailure(error) }, 'an installation failed');
      return sendPage(context, 500, FAILED_PAGE);
    }
  }

  /** Exchanges the code for a token and stores the installation. True if it is that of a whole organization. */
  async #install(code: string): Promise<boolean> {
    const granted = await this.#tools.client.oauth.v2.access({
      client_id: this.#config.clientId,
      client_secret: this.#config.clientSecret,
      code,
      redirect_uri: this.#redirectUrl,
    });
    const { access_token: token, bot_user_id: botUser, refresh_token: refreshToken } = granted;
    const isOrganization = granted.is_enterprise_install === true;
    const team = (isOrganization ? granted.enterprise : granted.team)?.id;
    if (token === undefined || team === undefined || botUser === undefined)
      throw new Error('Slack granted no bot token for a workspace');
    const { bot_id: botId = '' } = await this.#tools.client.auth.test({ token });
    await this.#tools.workspaces.install({
      team,
      botId,
      botUser,
      scopes: granted.scope?.split(',') ?? [],
      token,
      ...(refreshToken !== undefined && {
        refreshToken,
        expiresAt: this.#tools.app.clock.now() + (granted.expires_in ?? 0) * 1000,
      }),
    });
    return isOrganization;
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.#redirectUrl.startsWith('https:') ? '; Secure' : '';
    const path = publicAddress(this.#config.publicUrl, '/slack').pathname;
    return `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  }
}

function makeState(secret: string, expiresAt: number): string {
  const text = `${expiresAt}.${randomBytes(16).toString('base64url')}`;
  return `${text}.${sign(text, secret)}`;
}

function isValidState(state: string, secret: string, now: number): boolean {
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

/** @param authorizeUrl the page at Slack that asks for the permissions */
function installPage(authorizeUrl: string): string {
  const href = authorizeUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return makePage(
    'Letter Boxed for Slack',
    `<p>Every day’s board, hints that give away no more than you ask for, and a daily thread where you want one.</p><p><a class="button" href="${href}">Add to Slack</a></p>`,
  );
}

const DONE_PAGE = makePage(
  'It is in your workspace',
  '<p>Go back to Slack and type <code>/letterboxed help</code>. For the daily thread, type <code>/invite @letterboxed</code> and <code>/letterboxed daily on</code> in its channel.</p>',
);

const ORGANIZATION_PAGE = makePage(
  'It is in your organization',
  '<p>One step is left: an admin of the organization adds it to workspaces, under <em>Manage apps</em> in the organization’s settings. People there then type <code>/letterboxed help</code>.</p>',
);

const CANCELLED_PAGE = makePage(
  'Not installed',
  '<p>You chose not to allow it, and nothing was installed.</p><p><a href="install">Start again</a></p>',
);

const FAILED_PAGE = makePage(
  'That didn’t work',
  '<p>The way back from Slack took too long, began in another browser, or was cut off. Nothing was installed.</p><p><a href="install">Start again</a></p>',
);
