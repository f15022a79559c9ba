import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { etag } from 'hono/etag';
import { publicAddress } from '../../config/config.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { retainedHeaders } from '../../http/files.ts';
import { makeRoutes, type Router } from '../../http/router.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { makePictures } from '../../reply/picture/pictures.ts';
import { CARD } from '../site/documents.ts';
import { readDays } from '../site/site.ts';

/**
 * The first page of the site, with a preview for programs that show links: the empty board of the day in the link, by
 * default today, or the card of all boards if the link names sides. No link contains a player's result.
 */
export function previewRoutes(
  { clock, work }: Pick<App, 'clock' | 'work'>,
  site: URL,
  publicUrl: string,
  contentSecurityPolicy: string,
): Router {
  const routes = makeRoutes();
  const [index, packed] = [new URL('index.html', site), new URL('days.bin', site)];
  if (!existsSync(index) || !existsSync(packed)) return routes;
  const page = readFileSync(index, 'utf8');
  const puzzleOf = readDays(gunzipSync(readFileSync(packed)).toString());
  const pictures = makePictures((picture) => work.draw(picture));
  const boardOf = (day: string) =>
    day <= dateAt(clock.now()) ? puzzleOf(day as PuzzleDate)?.board : undefined;
  routes.get('/', etag({ retainedHeaders }), (context) => {
    const { day = dateAt(clock.now()), board } = context.req.query();
    const sides = boardOf(day)?.sides.join('-');
    const isOfDay = sides !== undefined && (board ?? sides) === sides;
    const image = isOfDay ? `day-${day}.png` : CARD.name;
    const { href } = publicAddress(publicUrl, `/${image}`);
    context.header('cache-control', 'no-cache');
    context.header('content-security-policy', contentSecurityPolicy);
    return context.html(page.replace(`content="${CARD.name}"`, `content="${href}"`));
  });
  routes.get('/:name{day-[-0-9]+[.]png}', async (context) => {
    // Typing the pattern itself as a path leads here, without a name.
    const [, day = ''] = /day-([-0-9]+)\.png$/.exec(context.req.path) ?? [];
    const board = boardOf(day);
    if (board === undefined) return context.notFound();
    return context.body(new Uint8Array(await pictures.png({ board })), 200, { 'content-type': 'image/png' });
  });
  return routes;
}
