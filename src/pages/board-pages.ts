import { existsSync } from 'node:fs';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { type PagesConfig, publicAddress } from '../config/config.ts';
import { UserError } from '../core/errors.ts';
import type { App, Dispatcher } from '../dispatch/contract.ts';
import { fileRoutes, filesIn } from '../http/files.ts';
import { type HttpContext, makeRoutes, type Router, readBody } from '../http/router.ts';
import { GAME_LIMITS, type Move, parseMoves } from '../play/game.ts';
import { BOARD_FILES, CONTENT_SECURITY_POLICY, messageDocument, SOURCE } from './html.ts';
import { PersonalPages } from './personal-pages.ts';

/** Where `npm run site` writes the site. */
export const SITE = new URL('./', import.meta.resolve('#site'));
const OWN_FILES = ['page.css', 'ask.js', 'help.js', 'play.js', 'arrive.js'].map(
  (name) => `pages/browser/${name}`,
);
/** No other page may frame a board, unless it is named. */
const contentSecurityPolicy = (frames = "'none'") => `${CONTENT_SECURITY_POLICY}; frame-ancestors ${frames}`;
/** Bytes: the most words that may be asked about take 3 KB. */
const MAX_BODY = 8 * 1024;
const MOVES = v.object({
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
});
const HELP = v.object({
  ask: v.picklist(['hint', 'hunt', 'review', 'reveal', 'share']),
  words: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z]{3,64}$/))),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  shown: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
});
const TOKEN = v.object({ token: v.pipe(v.string(), v.maxLength(1000)) });

/**
 * The routes below `PUBLIC_URL`: the site, whose boards play in the browser without asking this server, and the pages on
 * which people of the chats play in their own name.
 *
 * @param site the folder of the site
 */
export function boardPages(app: App, dispatcher: Dispatcher, config: PagesConfig, site = SITE): Router {
  const { publicUrl, linkSecret, embedOrigins = [] } = config;
  const pages = makeRoutes();
  pages.onError(refuse);
  if (existsSync(site)) addSite(pages, site, publicUrl, embedOrigins);
  if (linkSecret !== undefined)
    addPersonal(pages, new PersonalPages(app, dispatcher, { publicUrl, linkSecret }));
  const routes = makeRoutes();
  routes.route('/', pages);
  // A web server in front may pass the path of PUBLIC_URL on, or take it away.
  const { pathname } = publicAddress(publicUrl);
  if (pathname !== '/') {
    // A page loads files by addresses relative to it.
    routes.get(pathname.replace(/\/$/, ''), ({ redirect }) => redirect(pathname));
    routes.route(pathname, pages);
  }
  return routes;
}

function addSite(routes: Router, site: URL, publicUrl: string, embedOrigins: readonly string[]): void {
  routes.get('/embed.json', (context) => context.json(embedOrigins));
  const frames = embedOrigins.length === 0 ? undefined : embedOrigins.join(' ');
  routes.route('/', fileRoutes(site, filesIn(site), contentSecurityPolicy(frames)));
  for (const path of ['/day', '/day/'])
    routes.get(path, ({ redirect }) => redirect(publicAddress(publicUrl).href));
}

function addPersonal(routes: Router, personal: PersonalPages): void {
  routes.route('/', fileRoutes(SOURCE, [...BOARD_FILES, ...OWN_FILES]));
  routes.get('/play/:id', async (context) => {
    context.header('content-security-policy', contentSecurityPolicy());
    return context.html(await personal.page(context));
  });
  routes.post('/play/:id/open', async (context) => {
    await personal.open(context, parse(TOKEN, await readBody(context, MAX_BODY)).token);
    return context.json({});
  });
  routes.post('/play/:id/play', async (context) => {
    const player = await personal.player(context);
    const { moves, version } = parse(MOVES, await readBody(context, MAX_BODY));
    return context.json({ game: await personal.play(player, moves, version) });
  });
  routes.post('/play/:id/help', async (context) => {
    const player = await personal.player(context);
    return context.json(await personal.help(player, parse(HELP, await readBody(context, MAX_BODY))));
  });
}

/** Pages say what is wrong, and so do answers to their scripts. Faults are for the router of the server. */
function refuse(error: Error, context: HttpContext): Response | Promise<Response> {
  const isMistake = error instanceof UserError;
  if (!isMistake && !(error instanceof HTTPException)) throw error;
  const status = isMistake ? (context.req.method === 'GET' ? 404 : 400) : error.status;
  return context.req.method === 'GET'
    ? context.html(messageDocument('This page can’t be shown', error.message), status)
    : context.json({ trouble: error.message }, status);
}

function parse<Schema extends v.GenericSchema>(schema: Schema, body: Buffer): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString());
  if (parsed.success) return parsed.output;
  throw new HTTPException(400, { message: 'The page sent something that can not be read. Reload it.' });
}
