import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The game's box, with two words across it. */
export const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="18" height="18" rx="2"/><path d="M8 3 21 9 3 15"/><path d="M3 15 15 3 16 21"/></svg>';

/** Uses the colours of `theme.css`. */
const STYLE = `body{font:500 1.05rem/1.5 Nunito,system-ui,sans-serif;max-width:38rem;margin:2rem auto;padding:0 1rem;color:#23262d;background:#f6f3ec}
h1{display:flex;gap:.6rem;align-items:center;font-size:1.6rem;line-height:1.3}h2{font-size:1.15rem}img{max-width:100%}
a{color:#0b62b8}a.button{display:inline-block;padding:.55rem 1.25rem;border-radius:2rem;background:#23262d;color:#fff;font-weight:700;text-decoration:none}
.logo{flex:none;width:1.75rem;fill:#fff;stroke:#23262d;stroke-width:2}.logo path{fill:none;stroke:#0b62b8;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}.logo path+path{stroke:#c2410c}
@media(prefers-color-scheme:dark){body{color:#eceae6;background:#1b1c20}a{color:#8cc4fb}a.button{color:#1b1c20;background:#eceae6}
.logo{fill:#25262b;stroke:#eceae6}.logo path{stroke:#6db3f8}.logo path+path{stroke:#ff9d66}}`;

/** A small page of text that needs no other files. Both arguments are HTML. */
export function makePage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${STYLE}</style>
</head><body><h1>${LOGO}${title}</h1>${body}</body></html>
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
    'content-security-policy':
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
}
