import { readFileSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from '../core/log.ts';

/** `incoming` and `outgoing` of Node; absent where a test calls a router without a server. */
export type HttpEnv = { Bindings: Partial<HttpBindings> };
export type Router = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;

type SecureHeaders = NonNullable<Parameters<typeof secureHeaders>[0]>;

type Refuse = (context: HttpContext, status: ContentfulStatusCode, message: string) => Response;

export interface RouterOptions {
  readonly contentSecurityPolicy?: NonNullable<SecureHeaders['contentSecurityPolicy']>;
  /** How a refusal or failure is written for a program, such as a page's script; a line of text if left out. */
  readonly refuseProgram?: Refuse;
  /** Shown to browsers at unknown addresses. */
  readonly missingPage?: { readonly html: string; readonly contentSecurityPolicy: string } | undefined;
}

const LOCKED_POLICY = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] };

/**
 * The router of one server, with what every response needs: headers that lock pages down, no caching, and an answer for
 * unknown addresses and for errors. Doors and pages add their routes to it.
 *
 * @example const router = makeRouter(log); router.route('/', healthRoutes(vitals, metrics));
 */
export function makeRouter(
  log: Log,
  { contentSecurityPolicy = LOCKED_POLICY, refuseProgram = refuseInText, missingPage }: RouterOptions = {},
): Router {
  const router = makeRoutes();
  const refuse: Refuse = (context, status, message) => {
    if (!context.req.header('accept')?.includes('text/html')) return refuseProgram(context, status, message);
    if (status !== 404 || missingPage === undefined)
      return sendPage(context, status, makePage('Letter Boxed', `<p>${escapeHtml(message)}</p>`));
    return context.html(missingPage.html, status, {
      'content-security-policy': missingPage.contentSecurityPolicy,
    });
  };
  router.use(closeUnreadRequests);
  router.use(
    secureHeaders({
      contentSecurityPolicy,
      // Who may frame a page is in its policy, which every browser goes by that can show our pages.
      xFrameOptions: false,
      // The operator's proxy decides whether every subdomain must use HTTPS.
      strictTransportSecurity: false,
      // Routes may send a policy of their own.
      overwrite: false,
    }),
  );
  router.use(async (context, next) => {
    await next();
    if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
  });
  router.use(
    methodNotAllowed({
      app: router,
      onMethodNotAllowed: (context, methods) => {
        context.header('allow', methods.join(', '));
        return refuse(context as HttpContext, 405, 'This address does not take that method.');
      },
    }),
  );
  router.notFound((context) => refuse(context, 404, 'There is nothing here.'));
  router.onError((error, context) => {
    if (error instanceof HTTPException) return error.res ?? refuse(context, error.status, error.message);
    if (context.env?.incoming?.destroyed && !context.env.incoming.complete) {
      log.debug({ path: context.req.path }, 'a client went away before its request was complete');
      return context.body(null, 400);
    }
    log.error({ err: error, path: context.req.path }, 'a request over HTTP failed');
    return refuse(context, 500, 'That failed here.');
  });
  return router;
}

/** Routes to be added to a router, such as the routes of one door. */
export function makeRoutes(): Router {
  return new Hono<HttpEnv>();
}

function refuseInText(context: HttpContext, status: ContentfulStatusCode, message: string): Response {
  return context.text(`${message}\n`, status);
}

/**
 * The body as it came over the wire, which a signature check needs. One that is longer than `most` bytes is refused: by its
 * announced length before any of it is read, otherwise as soon as it is too long. Hono's own `bodyLimit` can't do
 * this here: for a body without a length it makes a Request of its own, which is not the server's.
 *
 * @throws HTTPException with status 413
 */
export async function readBody(
  { req }: HttpContext,
  most: number,
  message = 'That is too large.',
): Promise<Buffer> {
  const tooLarge = () => new HTTPException(413, { message });
  if (Number(req.header('content-length')) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of req.raw.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** An answer sent before the whole body arrived ends its connection, or the rest would be read as a request. */
const closeUnreadRequests: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  if (context.env?.incoming?.complete === false) context.res.headers.set('connection', 'close');
};

/** The game's box, with two words across it. */
export const LOGO =
  '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="18" height="18" rx="2"/><path d="M8 3 21 9 3 15"/><path d="M3 15 15 3 16 21"/></svg>';

/** Uses the colours of `theme.css`. */
const STYLE = `body{font:500 1.05rem/1.5 Nunito,system-ui,sans-serif;max-width:38rem;margin:2rem auto;padding:0 1rem;color:#23262d;background:#f6f3ec}
h1{display:flex;gap:.6rem;align-items:center;font-size:1.6rem;line-height:1.3}h2{font-size:1.15rem}
a{color:#0b62b8}a.button{display:inline-block;padding:.55rem 1.25rem;border-radius:2rem;background:#23262d;color:#fff;font-weight:700;text-decoration:none}
.logo{flex:none;width:1.75rem;fill:#fff;stroke:#23262d;stroke-width:2}.logo path{fill:none;stroke:#0b62b8;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}.logo path+path{stroke:#c2410c}
@media(prefers-color-scheme:dark){body{color:#eceae6;background:#1b1c20}a{color:#8cc4fb}a.button{color:#1b1c20;background:#eceae6}
.logo{fill:#25262b;stroke:#eceae6}.logo path{stroke:#6db3f8}.logo path+path{stroke:#ff9d66}}`;

/**
 * A small page of text that needs no other files. Both arguments are HTML.
 */
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
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
}

/** Who runs this installation, for its users. */
export interface Operator {
  readonly name?: string | undefined;
  /** A mail or web address. */
  readonly contact?: string | undefined;
}

/** The texts are pages of docs, named in `imports` of package.json. */
const PAGES = { '/privacy': '#privacy', '/terms': '#terms' } as const;

/** The pages `/privacy` and `/terms`, which the directories of the platforms ask for. */
export function legalRoutes(operator: Operator): Router {
  const routes = makeRoutes();
  for (const [path, file] of Object.entries(PAGES)) {
    const html = legalPage(readFileSync(new URL(import.meta.resolve(file)), 'utf8'), operator);
    routes.get(path, (context) => sendPage(context, 200, html));
  }
  return routes;
}

/** @param text in the little of Markdown that these pages use: headings, lists, paragraphs and code */
export function legalPage(text: string, operator: Operator): string {
  const [heading = '', ...parts] = text.trim().split(/\n\n+/);
  const title = `Letter Boxed bot: ${heading.replace('# ', '').toLowerCase()}`;
  return makePage(escapeHtml(title), [...parts.map(toHtml), operatorPart(operator)].join('\n'));
}

function toHtml(part: string): string {
  if (part.startsWith('## ')) return `<h2>${inline(part.slice(3))}</h2>`;
  if (!part.startsWith('- ')) return `<p>${inline(part)}</p>`;
  const items = part.slice(2).split('\n- ');
  return `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
}

function operatorPart({ name, contact }: Operator): string {
  const who = name === undefined ? '' : `<p>This installation is run by ${escapeHtml(name)}.</p>`;
  const where =
    contact === undefined
      ? '<p>Ask the person who added the bot to your server or workspace how to reach its operator.</p>'
      : `<p>You can reach the operator at <a href="${escapeHtml(hrefOf(contact))}">${escapeHtml(contact)}</a>.</p>`;
  return `<h2>The operator</h2>${who}${where}`;
}

function hrefOf(contact: string): string {
  return /^https?:\/\//.test(contact) ? contact : `mailto:${contact}`;
}

function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
