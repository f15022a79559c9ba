import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/**
 * A small page for reading, whole in itself.
 *
 * @param title and body, as HTML
 */
export function makePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color:#23262d;background:#f6f3ec}
a{color:inherit}a.button{display:inline-block;padding:.6rem 1.2rem;border-radius:.5rem;background:#23262d;color:#fff;text-decoration:none}</style>
</head><body><h1>${title}</h1>${body}</body></html>
`;
}

/** Text as the content of an element, or of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function sendPage(context: Context, status: ContentfulStatusCode, html: string): Response {
  return context.html(html, status, {
    // The style sheet is part of each page. The pages have no scripts.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
}
