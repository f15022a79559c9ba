import { existsSync, readFileSync } from 'node:fs';
import { etag } from 'hono/etag';
import { HTTPException } from 'hono/http-exception';
import { type PagesConfig, publicAddress } from '../../config/config.ts';
import { UserError } from '../../core/errors.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import { fileRoutes, filesIn, retainedHeaders } from '../../http/files.ts';
import { type HttpContext, makeRoutes, type Router, type RouterOptions } from '../../http/router.ts';
import { dateAt, findDate } from '../../puzzle/calendar.ts';
import { housePuzzle } from '../../puzzle/house.ts';
import type { AskerRef } from '../../reply/model/action.ts';
import { altText } from '../../reply/picture/drawing.ts';
import { makePictures } from '../../reply/picture/pictures.ts';
import { belowAnyFolder, CARD } from '../site/documents.ts';
import { FIRST_DAY } from '../site/site.ts';
import type { ActivityHost } from './activity-pages.ts';
import { contentSecurityPolicy, messageDocument, TO_SITE } from './html.ts';
import { PersonalPages } from './personal-pages.ts';

/** Who asks for pictures of the site's days: people that nobody knows, so all of them together are one asker. */
const VISITORS: AskerRef = { who: { id: 'visitors' }, where: { tenant: 'web:site', channel: 'days' } };
/** Where `npm run site` writes the site. */
export const SITE = new URL('./', import.meta.resolve('#site'));

/**
 * The routes below `PUBLIC_URL`: the site, whose boards play in the browser without asking this server, and the pages on
 * which people of the chats play in their own name.
 *
 * @param site the folder of the site
 * @param activity where the board is played inside Discord, too
 * @param landing HTML below the board of the site's first page
 */
export function boardPages(
  app: App,
  dispatcher: Dispatcher,
  config: PagesConfig,
  {
    site = SITE,
    activity,
    landing = '',
  }: {
    readonly site?: URL;
    readonly activity?: ActivityHost | undefined;
    readonly landing?: string;
  } = {},
): Router {
  const { linkSecrets } = config;
  const pages = makeRoutes();
  const siteLink = existsSync(site) ? TO_SITE : '';
  pages.onError((error, context) => refuse(error, context, siteLink));
  if (existsSync(site)) addSite(pages, app, site, config, landing);
  if (linkSecrets !== undefined)
    new PersonalPages({ app, dispatcher, config: { ...config, linkSecrets }, activity, siteLink }).addTo(
      pages,
    );
  return pages;
}

/** The site's page for unknown addresses, which may be below any folder; undefined without a site. */
export function missingPage(
  { publicUrl, embedOrigins }: PagesConfig,
  site = SITE,
): RouterOptions['missingPage'] {
  const file = new URL('404.html', site);
  if (!existsSync(file)) return undefined;
  const { pathname } = publicAddress(publicUrl);
  const html = belowAnyFolder(readFileSync(file, 'utf8'), pathname);
  return { html, contentSecurityPolicy: contentSecurityPolicy(embedOrigins) };
}

function addSite(
  routes: Router,
  app: App,
  site: URL,
  { publicUrl, embedOrigins = [] }: PagesConfig,
  landing: string,
): void {
  // The board's page asks which origins may frame it, and tells only these the result.
  routes.get('/embed.json', (context) => context.json(embedOrigins));
  const policy = contentSecurityPolicy(embedOrigins);
  routes.route('/', previewRoutes(app, site, publicUrl, policy, landing));
  routes.route('/', fileRoutes(site, filesIn(site), policy));
  // Nothing links to it, but people type it.
  for (const path of ['/day', '/day/'])
    routes.get(path, ({ redirect }) => redirect(publicAddress(publicUrl).href));
}

/**
 * The first page of the site, with a preview for programs that show links: the empty board of the link's day, by default
 * today, or the site's card if the link names another board. No link contains a player's result.
 */
function previewRoutes(
  { clock, work }: Pick<App, 'clock' | 'work'>,
  site: URL,
  publicUrl: string,
  policy: string,
  landing: string,
): Router {
  const routes = makeRoutes();
  const index = new URL('index.html', site);
  if (!existsSync(index)) return routes;
  const about = landing === '' ? '' : `<section class="landing">${landing}</section>`;
  const page = readFileSync(index, 'utf8').replace('</main>', `${about}</main>`);
  const pictures = makePictures(work.draw);
  const boardOf = (day: string) => {
    const today = dateAt(clock.now());
    const isPastOrToday = day.length === today.length && day >= FIRST_DAY && day <= today;
    const date = isPastOrToday ? findDate(day, today) : undefined;
    return date === day ? housePuzzle(date).board : undefined;
  };
  routes.get('/', etag({ retainedHeaders }), (context) => {
    const { day = dateAt(clock.now()), board } = context.req.query();
    const ofDay = boardOf(day);
    const isOfDay = ofDay !== undefined && [undefined, ofDay.sides.join('-')].includes(board);
    const { name, alt } = isOfDay ? { name: `day-${day}.png`, alt: altText(ofDay) } : CARD;
    const { href } = publicAddress(publicUrl, `/${name}`);
    context.header('cache-control', 'no-cache');
    context.header('content-security-policy', policy);
    return context.html(page.replace(`content="${CARD.name}"`, `content="${href}"`).replace(CARD.alt, alt));
  });
  routes.get('/:name{day-[-0-9]+[.]png}', async (context) => {
    // Hono also brings the pattern itself here, when it is typed as a path, and then has no parameter `name`.
    const [, day = ''] = /day-([-0-9]+)\.png$/.exec(context.req.path) ?? [];
    const board = boardOf(day);
    if (board === undefined) return context.notFound();
    try {
      // Links to today are previewed by everybody. All other days share the places and the time of one person.
      const asker = day === dateAt(clock.now()) ? undefined : VISITORS;
      const png = new Uint8Array(await pictures.png({ board }, asker));
      return context.body(png, 200, { 'content-type': 'image/png' });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return context.redirect(CARD.name);
    }
  });
  return routes;
}

/** Pages and answers to their scripts say what is wrong. The server's router handles faults. */
function refuse(error: Error, context: HttpContext, siteLink: string): Response | Promise<Response> {
  const isMistake = error instanceof UserError;
  if (!isMistake && !(error instanceof HTTPException)) throw error;
  if (context.req.method !== 'GET')
    return context.json({ trouble: error.message }, isMistake ? 400 : error.status);
  const html = messageDocument('This page can’t be shown', error.message, siteLink);
  return context.html(html, isMistake ? 404 : error.status);
}
