import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { webApi } from '@slack/bolt';
import { getCookie } from 'hono/cookie';
import { publicAddress } from '../../config/config.ts';
import { MINUTE } from '../../core/clock.ts';
import type { App, Command } from '../../dispatch/contract.ts';
import { type HttpContext, makePage, makeRoutes, type Router, sendPage } from '../../http/router.ts';
import type { SeenOnce } from '../door.ts';
import { readFailure } from './api.ts';
import { MESSAGE_SHORTCUT, SLASH_COMMAND } from './mrkdwn.ts';
import { EVENTS_PATH } from './receivers.ts';
import type { ManyWorkspaces, OAuthApp } from './workspaces.ts';

/** Each permission the app asks for, and why. docs/slack.md repeats them. */
export const SCOPES: Readonly<Record<string, string>> = {
  'app_mentions:read': 'to receive `@letterboxed hint` in threads, where Slack has no slash commands',
  'channels:read':
    'to say when the daily thread is set up, not only at its first post, that the bot must be invited',
  'chat:write': 'to post the daily thread, and answers',
  commands: 'for `/letterboxed`, and for "Add to my results" on messages',
  'files:write': 'for pictures of boards; without it they are drawn in characters',
  'groups:read': 'the same as `channels:read`, for private channels that the bot is in',
  'im:history':
    'to receive direct messages to the bot, and to check whether a reminder arrived for which Slack gave no answer; it reads no other messages',
  'im:write': 'to find the conversation with a person for that check',
};

export const BOT_SCOPES = Object.keys(SCOPES);
/** Useful, but not requested: each is more than most workspaces want to give. */
export const OPTIONAL_SCOPES: Readonly<Record<string, string>> = {
  'channels:history': 'to check whether a post arrived for which Slack gave no answer',
  'groups:history': 'the same, for private channels',
  'users:read':
    'to let only admins and owners of the workspace change the daily thread, and to show people’s names without mentioning them',
};

/**
 * The app, for "Create New App, From a manifest".
 *
 * @param options `publicUrl`: where Slack reaches this process over HTTP; without it, the app uses Socket Mode
 */
export function makeManifest(options: {
  readonly commands: readonly Pick<Command, 'name'>[];
  readonly publicUrl?: string;
  readonly rotation?: boolean;
}) {
  const { commands, publicUrl, rotation = false } = options;
  const url = publicUrl === undefined ? undefined : publicAddress(publicUrl, EVENTS_PATH).href;
  const names = commands.map(({ name }) => name);
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: {
      name: 'Letter Boxed',
      description: 'Hints, checks and solutions for Letter Boxed, and a daily thread that spoils nothing.',
      long_description:
        'A companion for Letter Boxed. It posts the day’s board where you want it, with hints that come step by step in its thread, each behind a Reveal button that shows it to nobody but who presses it. It checks your words and says which rule a wrong one breaks, goes on from where you are stuck, solves any board you type, and makes new ones.',
      background_color: '#23262d',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'letterboxed', always_online: true },
      shortcuts: [
        {
          name: MESSAGE_SHORTCUT.name,
          type: 'message',
          callback_id: MESSAGE_SHORTCUT.id,
          description: 'Add this message to your Letter Boxed results',
        },
      ],
      slash_commands: [
        {
          command: SLASH_COMMAND,
          description: 'Boards, hints and solutions for Letter Boxed',
          usage_hint: usageHint(names),
          // Otherwise the name of a group or person would come without the id by which it can be mentioned.
          should_escape: true,
          url,
        },
      ],
    },
    oauth_config: {
      redirect_urls: publicUrl === undefined ? undefined : [publicAddress(publicUrl, REDIRECT_PATH).href],
      scopes: { bot: BOT_SCOPES },
    },
    settings: {
      event_subscriptions: {
        request_url: url,
        bot_events: [
          'app_home_opened',
          'app_mention',
          'app_uninstalled',
          'message.im',
          // Only organizations send it, and only apps that they can install may ask for it.
          ...(url === undefined ? [] : ['team_access_revoked']),
          'tokens_revoked',
        ],
      },
      interactivity: { is_enabled: true, request_url: url },
      // One installation for all workspaces of an organization; installations are made over HTTP.
      org_deploy_enabled: url !== undefined,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: rotation,
    },
  };
}

/** Slack shows it while the command is typed, and accepts 1,000 characters. */
function usageHint(names: readonly string[]): string {
  const hint = `[${names.join(' | ')}]`;
  return hint.length <= 1000 ? hint : '[help]';
}

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
export function makeInstaller(tools: InstallerTools, config: OAuthConfig) {
  /** The page with the button that leads to Slack, and the page that Slack sends the browser back to. */
  const routes: Router = makeRoutes();
  const redirectUrl = publicAddress(config.publicUrl, REDIRECT_PATH).href;
  routes.get(INSTALL_PATH, (context) => start(context));
  routes.get(REDIRECT_PATH, (context) => finish(context));

  function start(context: HttpContext): Response {
    const { clientId, stateSecret } = config;
    const state = makeState(stateSecret, tools.app.clock.now() + TEN_MINUTES);
    const url = new URL('/oauth/v2/authorize', tools.client.slackApiUrl);
    url.search = new URLSearchParams({
      client_id: clientId,
      scope: BOT_SCOPES.join(','),
      redirect_uri: redirectUrl,
      state,
    }).toString();
    context.header('set-cookie', cookie(state, TEN_MINUTES / 1000));
    return sendPage(context, 200, installPage(url.href));
  }

  async function finish(context: HttpContext): Promise<Response> {
    const { error: refusal, state = '', code } = context.req.query();
    context.header('set-cookie', cookie('', 0));
    if (refusal === 'access_denied') return sendPage(context, 200, CANCELLED_PAGE);
    const isValid =
      isValidState(state, config.stateSecret, tools.app.clock.now()) &&
      isSame(state, getCookie(context, COOKIE) ?? '') &&
      !(await tools.seen.isRepeat(state, tools.app.clock.now() + TEN_MINUTES));
    if (!isValid || code === undefined) return sendPage(context, 400, FAILED_PAGE);
    try {
      const isOrganization = await install(code);
      return sendPage(context, 200, isOrganization ? ORGANIZATION_PAGE : DONE_PAGE);
    } catch (error) {
      tools.app.log.warn({ door: 'slack', failure: readFailure(error) }, 'an installation failed');
      return sendPage(context, 500, FAILED_PAGE);
    }
  }

  /** Exchanges the code for a token and stores the installation. True if it is the installation of a whole organization. */
  async function install(code: string): Promise<boolean> {
    const granted = await tools.client.oauth.v2.access({
      client_id: config.clientId,
      client_secret: config.clientSecret,
      code,
      redirect_uri: redirectUrl,
    });
    const { access_token: token, bot_user_id: botUser, refresh_token: refreshToken } = granted;
    const isOrganization = granted.is_enterprise_install === true;
    const team = (isOrganization ? granted.enterprise : granted.team)?.id;
    if (token === undefined || team === undefined || botUser === undefined)
      throw new Error('Slack granted no bot token for a workspace');
    const { bot_id: botId = '' } = await tools.client.auth.test({ token });
    await tools.workspaces.install({
      team,
      botId,
      botUser,
      scopes: granted.scope?.split(',') ?? [],
      token,
      refreshToken,
      expiresAt:
        refreshToken === undefined ? undefined : tools.app.clock.now() + (granted.expires_in ?? 0) * 1000,
    });
    return isOrganization;
  }

  function cookie(value: string, seconds: number): string {
    const secure = redirectUrl.startsWith('https:') ? '; Secure' : '';
    const path = publicAddress(config.publicUrl, '/slack').pathname;
    return `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
  }

  return { routes };
}

export type Installer = ReturnType<typeof makeInstaller>;

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
