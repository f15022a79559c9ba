/** The pages that a browser shows while somebody installs the app. */
import { makePage } from '../../../http/page.ts';

/** @param authorizeUrl the page at Slack that asks for the permissions */
export function installPage(authorizeUrl: string): string {
  const href = authorizeUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return makePage(
    'Letter Boxed for Slack',
    `<p>Every day’s board, hints that give away no more than you ask for, and a daily thread where you want one.</p><p><a class="button" href="${href}">Add to Slack</a></p>`,
  );
}

export const DONE_PAGE = makePage(
  'It is in your workspace',
  '<p>Go back to Slack and type <code>/letterboxed help</code>. For the daily thread, type <code>/invite @letterboxed</code> and <code>/letterboxed daily on</code> in its channel.</p>',
);

export const ORGANIZATION_PAGE = makePage(
  'It is in your organization',
  '<p>One step is left: an admin of the organization adds it to workspaces, under <em>Manage apps</em> in the organization’s settings. People there then type <code>/letterboxed help</code>.</p>',
);

export const CANCELLED_PAGE = makePage(
  'Not installed',
  '<p>You chose not to allow it, and nothing was installed.</p><p><a href="install">Start again</a></p>',
);

export const FAILED_PAGE = makePage(
  'That didn’t work',
  '<p>The way back from Slack took too long, began in another browser, or was cut off. Nothing was installed.</p><p><a href="install">Start again</a></p>',
);
