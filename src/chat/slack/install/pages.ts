/** The pages that a browser shows while somebody installs the app. */
import type { HttpContext } from '../../../http/router.ts';

/** @param title and body, as HTML */
const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color:#23262d;background:#f6f3ec}
a.button{display:inline-block;padding:.6rem 1.2rem;border-radius:.5rem;background:#23262d;color:#fff;text-decoration:none}</style>
</head><body><h1>${title}</h1>${body}</body></html>
`;

/** @param authorizeUrl the page at Slack that asks for the permissions */
export function installPage(authorizeUrl: string): string {
  const href = authorizeUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return page(
    'Letter Boxed for Slack',
    `<p>Every day's board, hints that give away no more than you ask for, and a daily thread where you want one.</p><p><a class="button" href="${href}">Add to Slack</a></p>`,
  );
}

export const DONE_PAGE = page(
  'It is in your workspace',
  '<p>Go back to Slack and type <code>/letterboxed help</code>. For the daily thread, type <code>/invite @letterboxed</code> and <code>/letterboxed daily on</code> in its channel.</p>',
);

export const CANCELLED_PAGE = page(
  'Not installed',
  '<p>You chose not to allow it, and nothing was installed.</p><p><a href="install">Start again</a></p>',
);

export const FAILED_PAGE = page(
  'That did not work',
  '<p>The way back from Slack took too long, began in another browser, or was cut off. Nothing was installed.</p><p><a href="install">Start again</a></p>',
);

export function sendPage(context: HttpContext, status: 200 | 400 | 500, html: string): Response {
  return context.html(html, status, {
    // The style sheet is part of each page. The pages have no scripts.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
}
