import { UserError } from '../../core/errors.ts';
import { type App, type Request, textOf, wholeOf } from '../../dispatch/contract.ts';
import { boardKey } from '../../puzzle/same-board.ts';
import type { Reply } from '../../reply/model/types.ts';
import {
  boardListReply,
  challengeStandingsReply,
  changedReply,
  closedReply,
  removedReply,
} from '../../reply/replies/challenge.ts';
import { parseBoard } from '../../solver/board.ts';
import type { Challenge as StoredChallenge } from '../../store/tables/challenges.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { isSameName } from './names.ts';
import { shownOf } from './show.ts';

/** The boards of the channel, the newest first. */
export async function listChallenges(request: Request, app: App): Promise<Reply> {
  const { tenant, channel } = request.where;
  const stored = await app.store.tenant(tenant).challenges.ofChannel(channel, app.clock.now());
  const boards = stored.map(({ solvers, ...one }) => ({ ...shownOf(app, readChallenge(one)), solvers }));
  return boardListReply(boards, wholeOf(request, 'page'));
}

export async function showStandings(request: Request, app: App): Promise<Reply> {
  const challenge = await challengeMeant(request, app);
  const { tenant, channel } = request.where;
  return challengeStandingsReply({
    challenge: shownOf(app, challenge),
    rows: await app.store.tenant(tenant).challenges.results(channel, challenge.key),
    asker: request.who.id,
    mayClose: challenge.madeBy === request.who.id || request.who.mayManage,
    page: wholeOf(request, 'page'),
  });
}

/** Results stop counting, and the board's message shows the best ones. */
export async function closeChallenge(request: Request, app: App): Promise<Reply> {
  const challenge = await ownChallenge(request, app);
  const { tenant, channel } = request.where;
  const { challenges } = app.store.tenant(tenant);
  const { name } = challenge;
  if (!shownOf(app, challenge).isOpen) return changedReply(`${name} is closed already`, 'Nothing changed.');
  const now = app.clock.now();
  await challenges.close(channel, challenge.key, now);
  const closed = shownOf(app, { ...challenge, closedAt: now });
  await editMessage(
    request,
    app,
    challenge,
    closedReply(closed, await challenges.results(channel, challenge.key)),
  );
  return changedReply(
    `${name} is closed`,
    'Results no longer count. It stays in the list: people can still play it.',
  );
}

export async function removeChallenge(request: Request, app: App): Promise<Reply> {
  const challenge = await ownChallenge(request, app);
  const { tenant, channel } = request.where;
  await app.store.tenant(tenant).challenges.remove(channel, challenge.key);
  await editMessage(request, app, challenge, removedReply(challenge));
  return changedReply(`${challenge.name} is removed`, 'Its results are deleted, too.');
}

/** The one that is named, by its name or its sides; else the one whose thread this is. */
async function challengeMeant(request: Request, app: App): Promise<Challenge> {
  const { tenant, channel, thread } = request.where;
  const { challenges } = app.store.tenant(tenant);
  const now = app.clock.now();
  const sides = textOf(request, 'sides');
  // Typed without `name:`, a name is where the sides are.
  const name = textOf(request, 'name') ?? sides;
  let found: StoredChallenge | undefined;
  if (sides !== undefined) found = await ofSides(sides, (board) => challenges.get(channel, board, now));
  if (found === undefined && name !== undefined) {
    const all = await challenges.ofChannel(channel, now);
    found = all.find((one) => isSameName(one.name, name));
  }
  if (name === undefined && thread !== undefined) found = await challenges.ofThread(channel, thread, now);
  if (found !== undefined) return readChallenge(found);
  throw name !== undefined
    ? new UserError('board.unknown-name', 'This channel has no such board. To see them all: board list')
    : new UserError('board.which', 'Which board? Add its name: board standings tea time');
}

/** Nothing where the text is no board. */
async function ofSides<Found>(
  text: string,
  find: (board: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let key: string;
  try {
    key = boardKey(parseBoard(text).sides);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
  return find(key);
}

/** @throws UserError for somebody who has not made it and does not manage the channel */
async function ownChallenge(request: Request, app: App): Promise<Challenge> {
  const challenge = await challengeMeant(request, app);
  const { who } = request;
  if (challenge.madeBy === who.id || who.mayManage || (await who.lookUpAccess?.())) return challenge;
  throw new UserError(
    'board.not-yours',
    'Only the person who made a board, or someone who manages this channel, can close or remove it.',
  );
}

/** The change counts even where its message can't be edited any more. */
async function editMessage(
  { door, where }: Request,
  app: App,
  { posted }: Challenge,
  reply: Reply,
): Promise<void> {
  const poster = app.posterOf(door);
  if (posted === undefined || poster === undefined) return;
  const { tenant, channel } = where;
  try {
    await poster.edit({ tenant, channel }, posted, reply);
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'the message of a board could not be edited');
  }
}
