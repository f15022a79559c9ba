import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { ErrorCode, type InstallProvider } from '@slack/oauth';
import { setCookie } from 'hono/cookie';
import { publicAddress } from '../../config/config.ts';
import { SECOND } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { fileRoutes } from '../../http/files.ts';
import { escapeHtml, makePage, sendPage } from '../../http/pages.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import type { SeenOnce } from '../door.ts';
import { readFailure } from './errors.ts';
import { ALL_SCOPES, INSTALL_PATH, OVERVIEW, REDIRECT_PATH } from './manifest.ts';

export const STATE_COOKIE = 'letterboxed-install';
/** The library's default. */
const STATE_VALID_SECONDS = 10 * 60;
/** A solved board and a hint, in the folder of README's pictures. */
const PICTURES = { light: 'phone-light.jpg', dark: 'phone-dark.jpg' };

/**
 * The page with the button that leads to Slack, and the page that Slack sends the browser back to.
 *
 * @param publicUrl where browsers reach this process, such as `https://letterboxed.example.org`
 */
export function installRoutes(
  { log, clock }: Pick<App, 'log' | 'clock'>,
  seen: SeenOnce,
  provider: InstallProvider,
  publicUrl: string,
): Router {
  const { href: redirectUri, protocol } = publicAddress(publicUrl, REDIRECT_PATH);
  const routes: Router = makeRoutes();
  const pictures = new URL('./', import.meta.resolve('#pictures'));
  routes.route('/slack', fileRoutes(pictures, Object.values(PICTURES)));
  // With the site, its first page is at this address instead, with the same text below the board.
  routes.get('/', ({ redirect }) => redirect(publicAddress(publicUrl, INSTALL_PATH).href));

  routes.get(INSTALL_PATH, async (context) => {
    const url = await provider.generateInstallUrl({ scopes: ALL_SCOPES, redirectUri });
    // The library's own page would set a cookie without SameSite and always with Secure, which is lost over plain HTTP.
    setCookie(context, STATE_COOKIE, new URL(url).searchParams.get('state') ?? '', {
      httpOnly: true,
      sameSite: 'Lax',
      secure: protocol === 'https:',
      maxAge: STATE_VALID_SECONDS,
    });
    return sendPage(context, 200, makePage(LANDING_TITLE, landingPart(url, '../')));
  });

  routes.get(REDIRECT_PATH, async (context) => {
    const { incoming, outgoing } = context.env as HttpBindings;
    if (context.req.query('error') === 'access_denied') return sendPage(context, 200, CANCELLED_PAGE);
    const finished = Promise.withResolvers<Response>();
    await provider.handleCallback(incoming, outgoing as typeof outgoing & ServerResponse, {
      // Called with a state that is valid. It is accepted once: a browser may keep the cookie that the library deletes.
      async beforeInstallation() {
        const expiresAt = clock.now() + STATE_VALID_SECONDS * SECOND;
        const isRepeat = await seen.isRepeat(context.req.query('state') ?? '', expiresAt);
        if (isRepeat) finished.resolve(sendPage(context, 400, FAILED_PAGE));
        return !isRepeat;
      },
      success: ({ isEnterpriseInstall }) =>
        finished.resolve(sendPage(context, 200, isEnterpriseInstall ? ORGANIZATION_PAGE : DONE_PAGE)),
      failure(error) {
        const isGenuine = !FOREIGN_REQUEST_CODES.has(error.code);
        if (isGenuine) log.warn({ door: 'slack', failure: readFailure(error) }, 'an installation failed');
        finished.resolve(sendPage(context, isGenuine ? 500 : 400, FAILED_PAGE));
      },
    });
    return finished.promise;
  });

  return routes;
}

/** Errors of requests that do not belong to an installation started here in the same browser. */
const FOREIGN_REQUEST_CODES = new Set<string>([
  ErrorCode.InvalidStateError,
  ErrorCode.MissingStateError,
  ErrorCode.MissingCodeError,
]);

const LANDING_TITLE = 'Letter Boxed for Slack';
/** The landing page as a part of another page, at the root of this program's pages. */
export const LANDING = `<h2>${LANDING_TITLE}</h2>\n${landingPart(INSTALL_PATH.slice(1), '')}`;

/**
 * What Slack's directory asks of a landing page, as HTML: what the app does, a picture, and the way to install it.
 *
 * @param installAddress of the button
 * @param root of this program's pages, as a relative address
 */
function landingPart(installAddress: string, root: string): string {
  const { light, dark } = PICTURES;
  return `<p>${escapeHtml(OVERVIEW)}</p>
<p><a class="button" href="${escapeHtml(installAddress)}">Add to Slack</a></p>
<p><a href="${root}privacy">Privacy</a> · <a href="${root}terms">Terms</a></p>
<picture><source media="(prefers-color-scheme: dark)" srcset="${root}slack/${dark}"><img width="373" src="${root}slack/${light}" alt="A solved board, and a hint of its thread that is open"></picture>`;
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
  'Not installed yet',
  '<p>The way back from Slack took too long, began in another browser, was cut off, or was used before. If <code>/letterboxed help</code> answers in Slack, it is installed all the same.</p><p><a href="install">Start again</a></p>',
);
