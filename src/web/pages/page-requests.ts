import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as v from 'valibot';
import { counted } from '../../core/text.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import { readBody } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/router.ts';
import { type Move, parseMoves } from '../../play/game.ts';
import { nextHintFor } from '../../players/results/paid-hints.ts';
import type { PlayedGame } from '../../players/solo-games.ts';
import { HINT_STEPS } from '../../reply/model/facts.ts';
import { type GameView, gameView } from '../board/view.ts';

/** Moves as a board's script writes them. */
export const MOVES = {
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
  sent: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
};

/** The hint that was asked for by its name, and the names of those that a board shows already, with commas between. */
export const SHOWN_HINTS = {
  step: v.exactOptional(v.picklist(HINT_STEPS)),
  shown: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
};

/** Bytes: the longest that a page sends, the token of a link, has at most 1 KB. */
const MAX_BODY_BYTES = 8 * 1024;

/** The fields that a page's script has sent. @param tooLong a sentence for people who send more than `maxBytes` */
export async function readFields<Schema extends v.GenericSchema>(
  context: HttpContext,
  schema: Schema,
  maxBytes = MAX_BODY_BYTES,
  tooLong?: string,
): Promise<v.InferOutput<Schema>> {
  const body = await readBody(context, maxBytes, tooLong);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString());
  if (parsed.success) return parsed.output;
  const field = v.getDotPath(parsed.issues[0]);
  const trouble = field === null ? 'sent something that can not be read' : `left out "${field}"`;
  throw new HTTPException(400, { message: `The page ${trouble}. Reload it.` });
}

/** A game for its player's page, with the prices of the next hint and the solution. */
export async function pricedGameView(asker: Asker, app: App, game: PlayedGame): Promise<GameView> {
  const { namedBoard, solved, state } = game;
  const view = gameView(game);
  const next = solved ? undefined : await nextHintFor(asker, app, namedBoard, state.words);
  const priceOf = (points = 0) => (points > 0 ? counted(points, 'point') : undefined);
  return { ...view, hintPrice: priceOf(next?.points), solutionPrice: priceOf(next?.solutionPoints) };
}

const PLAY_AGAIN_ADVICE = 'Press Play on Discord or Slack again.';
/** Why somebody can't play under a person's name, by what is wrong with their browser's session or their link. */
export const TROUBLES = {
  foreign: 'Only the page of this board may ask that. Open it in a browser.',
  notOpenHere: `This board is open in another browser. ${PLAY_AGAIN_ADVICE}`,
  altered: `This link is not complete, or was changed. ${PLAY_AGAIN_ADVICE}`,
  used: `This link was opened before, and works only once. ${PLAY_AGAIN_ADVICE}`,
  over: `The day of this link is over. ${PLAY_AGAIN_ADVICE}`,
  newer: `This board was opened by a newer link since, or you left its channel. ${PLAY_AGAIN_ADVICE}`,
  gone: 'You are not in the channel of this link any more, so it has ended.',
  erased: `What was stored about you was erased since, and this link ended with it. ${PLAY_AGAIN_ADVICE}`,
} as const;

/**
 * Refuses posts from other pages, which could otherwise make a browser play under somebody's name. Browsers send the origin
 * of each post, or at least its relation to the server's.
 */
export function onlyOwnPage(ownOrigin: () => string | Promise<string>): MiddlewareHandler<HttpEnv> {
  return async ({ req }, next) => {
    const { origin, 'sec-fetch-site': site } = req.header();
    const isOwn = origin === undefined ? site === 'same-origin' : origin === (await ownOrigin());
    if (!isOwn && req.method === 'POST') throw refusal('foreign');
    await next();
  };
}

export function refusal(trouble: keyof typeof TROUBLES): HTTPException {
  return new HTTPException(403, { message: TROUBLES[trouble] });
}
