import type { BlockList } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import type { PagesConfig } from '../config/config.ts';
import { UserError } from '../core/errors.ts';
import { publicAddress } from '../core/public-url.ts';
import { counted } from '../core/text.ts';
import type { App, Dispatcher } from '../dispatch/contract.ts';
import { type HttpContext, type HttpEnv, makeRoutes, type Router, readBody } from '../http/router.ts';
import { GAME_LIMITS, parseMoves } from '../play/game.ts';
import { altText } from '../reply/picture/drawing.ts';
import { makePictures, type Pictures } from '../reply/picture/pictures.ts';
import { boardView } from './game-view.ts';
import { archiveDocument, BOARD_FILES, boardDocument, messageDocument, sendFile } from './html.ts';
import { PersonalPages } from './personal-pages.ts';
import {
  archivePage,
  boardOfDay,
  boardOfSides,
  helpVisitor,
  type PublicBoard,
  playAsVisitor,
} from './visitor-games.ts';
import { type Address, proxyList, type Visitor, Visitors, visitorOf } from './visitors.ts';

const OWN_FILES = ['page.css', 'ask.js', 'kept.js', 'play.js', 'archive.js', 'arrive.js'].map(
  (name) => `pages/browser/${name}`,
);
/** Everything is loaded from this server, and no other page may frame it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Bytes: a game of the most words there may be takes 3 KB. */
const MAX_BODY = 8 * 1024;
const MOVES = {
  moves: v.pipe(
    v.string(),
    v.transform(parseMoves),
    v.check((moves) => moves !== undefined),
    v.transform((moves) => moves ?? []),
  ),
};
const VISITOR_MOVES = v.object({
  ...MOVES,
  saved: v.optional(v.unknown()),
  isShown: v.optional(v.boolean()),
});
const OWN_MOVES = v.object({ ...MOVES, version: v.exactOptional(v.number()) });
const HELP = {
  words: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z]{3,64}$/))),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  shown: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
};
const VISITOR_HELP = v.object({ ask: v.picklist(['hint', 'reveal']), ...HELP });
const OWN_HELP = v.object({ ask: v.picklist(['hint', 'hunt', 'review', 'reveal', 'share']), ...HELP });
const PAGE_NUMBER = v.fallback(v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number)), 1);
const TOKEN = v.object({ token: v.pipe(v.string(), v.maxLength(1000)) });

/** Of whom there is a page for everybody. */
const BOARDS = { board: boardOfSides, day: boardOfDay } as const;
type BoardKind = keyof typeof BOARDS;

/**
 * Boards as pages of their own, below `PUBLIC_URL`: for visitors without a name, and by personal links for people
 * of the chats.
 */
export class BoardPages {
  readonly routes: Router = makeRoutes();
  readonly #app: App;
  readonly #publicUrl: string;
  readonly #visitors: Visitors;
  readonly #proxies: BlockList;
  readonly #pictures: Pictures;
  readonly #personal: PersonalPages | undefined;

  constructor(app: App, dispatcher: Dispatcher, { publicUrl, linkSecret, trustedProxies }: PagesConfig) {
    this.#app = app;
    this.#publicUrl = publicUrl;
    this.#visitors = new Visitors(app.clock, app.limits);
    this.#proxies = proxyList(trustedProxies);
    this.#pictures = makePictures((picture) => {
      this.#visitors.draw();
      return app.work.draw(picture);
    });
    this.#personal =
      linkSecret === undefined ? undefined : new PersonalPages(app, dispatcher, { publicUrl, linkSecret });
    const pages = this.#makePages();
    this.routes.route('/', pages);
    // A web server in front may pass the path of PUBLIC_URL on, or take it away.
    const { pathname } = publicAddress(publicUrl);
    if (pathname !== '/')
      this.routes.route(pathname, pages).get(pathname.replace(/\/$/, ''), (context) => this.#today(context));
  }

  #makePages(): Router {
    const routes = makeRoutes();
    routes.onError((error, context) => refuse(error, context));
    for (const file of [...BOARD_FILES, ...OWN_FILES]) {
      routes.get(`/${file}`, compress(), (context) => {
        this.#visitors.take('page', this.#visitor(context), 0.5);
        return sendFile(context, file);
      });
    }
    for (const kind of ['board', 'day'] as const) {
      this.#addPublic(routes, kind);
      this.#addVisitorHelp(routes, kind);
    }
    for (const path of ['/', '/day', '/day/']) routes.get(path, (context) => this.#today(context));
    routes.get('/archive', locked, compress(), async (context) => {
      this.#visitors.take('page', this.#visitor(context));
      const page = v.parse(PAGE_NUMBER, context.req.query('page'));
      return context.html(archiveDocument(await archivePage(this.#app, page)));
    });
    if (this.#personal !== undefined) this.#addPersonal(routes, this.#personal);
    return routes;
  }

  #today(context: HttpContext): Response {
    this.#visitors.take('page', this.#visitor(context), 0.5);
    return context.redirect(publicAddress(this.#publicUrl, '/day/today').href, 302);
  }

  #addPublic(routes: Router, kind: BoardKind): void {
    const boardOf = ({ req }: HttpContext) => BOARDS[kind](req.param('board') ?? '', this.#app);
    routes.get(`/${kind}/:board`, locked, compress(), async (context) => {
      this.#visitors.take('page', this.#visitor(context));
      const board = await boardOf(context);
      const name = nameOf(board);
      // One address for each board, whatever way it is written.
      return name === context.req.param('board')
        ? context.html(this.#page(`/${kind}/${name}`, board))
        : context.redirect(name, 302);
    });
    routes.get(`/${kind}/:board/picture.png`, async (context) => {
      this.#visitors.take('picture', this.#visitor(context));
      const board = await boardOf(context);
      const png = await this.#pictures.png({ board: board.subject.board });
      // What an address like /day/today shows is another board tomorrow.
      const isForGood = nameOf(board) === context.req.param('board');
      return context.body(new Uint8Array(png), 200, {
        'content-type': 'image/png',
        'cache-control': isForGood ? 'public, max-age=86400' : 'no-store',
      });
    });
    routes.post(`/${kind}/:board/play`, async (context) => {
      const visitor = this.#visitor(context);
      const made = parse(VISITOR_MOVES, await readBody(context, MAX_BODY));
      this.#countMoves(visitor, made.moves);
      const board = await boardOf(context);
      const link = publicAddress(this.#publicUrl, `/${kind}/${nameOf(board)}`).href;
      return context.json(await playAsVisitor(this.#app, board, made, { ...visitor, link }));
    });
  }

  #addVisitorHelp(routes: Router, kind: BoardKind): void {
    routes.post(`/${kind}/:board/help`, async (context) => {
      const visitor = this.#visitor(context);
      const asked = parse(VISITOR_HELP, await readBody(context, MAX_BODY));
      this.#visitors.take('word', visitor);
      const board = await BOARDS[kind](context.req.param('board'), this.#app);
      return context.json(await helpVisitor(this.#app, board, asked, visitor.address));
    });
  }

  #addPersonal(routes: Router, personal: PersonalPages): void {
    routes.get('/play/:id', locked, compress(), (context) => {
      this.#visitors.take('page', this.#visitor(context));
      return personal.page(context);
    });
    routes.post('/play/:id/open', async (context) => {
      this.#visitors.take('page', this.#visitor(context));
      await personal.open(context, parse(TOKEN, await readBody(context, MAX_BODY)).token);
      return context.json({});
    });
    routes.post('/play/:id/play', async (context) => {
      const player = await personal.player(context);
      const { moves, version } = parse(OWN_MOVES, await readBody(context, MAX_BODY));
      const { door, who } = player.asker;
      this.#countMoves({ person: `${door}:${who.id}` }, moves);
      return context.json({ game: await personal.play(player, moves, version) });
    });
    routes.post('/play/:id/help', async (context) => {
      const player = await personal.player(context);
      return context.json(await personal.help(player, parse(OWN_HELP, await readBody(context, MAX_BODY))));
    });
  }

  #visitor(context: HttpContext): Address {
    return visitorOf(context, this.#proxies);
  }

  #countMoves(who: Visitor, moves: v.InferOutput<typeof OWN_MOVES>['moves']): void {
    this.#visitors.take('page', who, 0.5);
    if (moves.some(({ kind }) => kind === 'enter')) this.#visitors.take('word', who);
  }

  #page(path: string, { subject, par }: PublicBoard): string {
    const { board, date, name } = subject;
    const words = par === undefined ? 'as few words as you can' : counted(par, 'word');
    return boardDocument({
      title: name,
      par,
      ...(date !== undefined && { about: 'The day’s board that this bot has made up.' }),
      description: `A Letter Boxed board to play right here: connect its ${board.letters.length} letters with ${words}.`,
      board,
      view: boardView(board),
      day: date,
      isPersonal: false,
      preview: {
        address: publicAddress(this.#publicUrl, path).href,
        picture: publicAddress(this.#publicUrl, `${path}/picture.png`).href,
        alt: altText(board),
      },
    });
  }
}

const locked: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  context.res.headers.set('content-security-policy', CONTENT_SECURITY_POLICY);
};

function nameOf({ subject: { options } }: PublicBoard): string {
  return String(options.date ?? options.sides);
}

/** Pages say what is wrong, and so do answers to their scripts. Faults are for the router of the server. */
function refuse(error: Error, context: HttpContext): Response | Promise<Response> {
  const isMistake = error instanceof UserError;
  if (!isMistake && !(error instanceof HTTPException)) throw error;
  const status = isMistake ? (context.req.method === 'GET' ? 404 : 400) : error.status;
  const headers = isMistake ? undefined : (error.cause as Record<string, string> | undefined);
  const root = context.req.path.endsWith('/archive') ? '.' : '..';
  return context.req.method === 'GET'
    ? context.html(messageDocument('This page can’t be shown', error.message, root), status, headers)
    : context.json({ trouble: error.message }, status, headers);
}

function parse<Schema extends v.GenericSchema>(schema: Schema, body: Buffer): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString());
  if (parsed.success) return parsed.output;
  throw new HTTPException(400, { message: 'The page sent something that can not be read. Reload it.' });
}
