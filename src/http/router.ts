import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Log, logFault } from '../core/log.ts';
import { escapeHtml, makePage, sendPage } from './pages.ts';

/** `incoming` and `outgoing` of Node; absent where a test calls a router without a server. */
export type HttpEnv = { Bindings: Partial<HttpBindings> };
export type Router = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;

type WriteRefusal = (context: HttpContext, status: ContentfulStatusCode, message: string) => Response;

export interface RouterOptions {
  /** The answer to a refused or failed request, unless a browser asked for a page; by default a line of text. */
  readonly writeRefusal?: WriteRefusal;
  /** Shown to browsers at unknown addresses. */
  readonly missingPage?: { readonly html: string; readonly contentSecurityPolicy: string } | undefined;
}

/**
 * The router of one server, with what every response needs: headers that lock pages down, no caching, and an answer for
 * unknown addresses and for errors. Doors and pages add their routes to it.
 *
 * @example const router = makeRouter(log); router.route('/', healthRoutes(vitals, metrics));
 */
export function makeRouter(log: Log, { writeRefusal = writeText, missingPage }: RouterOptions = {}): Router {
  const router = makeRoutes();
  const refuse: WriteRefusal = (context, status, message) => {
    if (!context.req.header('accept')?.includes('text/html')) return writeRefusal(context, status, message);
    if (status !== 404 || missingPage === undefined)
      return sendPage(context, status, makePage('Letter Boxed', `<p>${escapeHtml(message)}</p>`));
    return context.html(missingPage.html, status, {
      'content-security-policy': missingPage.contentSecurityPolicy,
    });
  };
  router.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      // The policy says who may frame a page, and every browser that can show our pages obeys it.
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
    logFault(log, error, { path: context.req.path }, 'a request over HTTP failed');
    return refuse(context, 500, 'That failed here.');
  });
  return router;
}

/** Routes to be added to a router, such as the routes of one door. */
export function makeRoutes(): Router {
  return new Hono<HttpEnv>();
}

/**
 * Routes at the root and below the path of an address: a web server in front may remove that path, or pass it on.
 *
 * @param pathname ends with a slash
 */
export function alsoBelow(pathname: string, routes: Router): Router {
  if (pathname === '/') return routes;
  const both = makeRoutes();
  both.route('/', routes);
  // Pages load files by relative addresses.
  both.get(pathname.slice(0, -1), ({ req, redirect }) => redirect(pathname + new URL(req.url).search));
  both.route(pathname, routes);
  return both;
}

function writeText(context: HttpContext, status: ContentfulStatusCode, message: string): Response {
  return context.text(`${message}\n`, status);
}
