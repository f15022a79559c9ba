import { UserError } from '../../core/errors.ts';
import { Random } from '../../core/random.ts';
import { nearest } from '../../core/text.ts';
import {
  type App,
  type Claim,
  flagOf,
  integerOf,
  type ReadingApp,
  type Request,
  textOf,
} from '../../dispatch/contract.ts';
import { claimedThing } from '../../dispatch/dispatcher.ts';
import { anyBoardIn } from '../../dispatch/typed-board.ts';
import { boardKey } from '../../puzzle/types.ts';
import { namedBoardOf } from '../../reply/model/named-board.ts';
import { sentenceReply } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/path.ts';
import {
  boardListReply,
  madeBoardStandingsReply,
  removedReply,
  removeQuestion,
} from '../../reply/replies/made-boards.ts';
import { unsharedReply } from '../../reply/replies/result.ts';
import type { ShareFormat } from '../../reply/replies/result-line.ts';
import { postShared } from '../public-messages.ts';
import { ownResultOfMade, wordsOfResult } from '../results/own-result.ts';
import { anonymizePath } from '../results/results.ts';
import { endOf, type MadeBoard, readMadeBoard, shownOf, withoutHiddenMakers } from './made-board.ts';
import { closeNow, editMessage } from './make.ts';
import { sameNameAs } from './names.ts';

/** The boards of the channel, the newest first. */
export async function listMadeBoards(request: Request, app: ReadingApp): Promise<Reply> {
  const { tenant, channel } = request.where;
  const stored = await app.store.tenant(tenant).madeBoards.ofChannel(channel, app.clock.now());
  const toList = await withoutHiddenMakers(app, tenant, stored);
  const boards = toList.map(({ solvers, ...one }) => ({ ...shownOf(app, readMadeBoard(one)), solvers }));
  return boardListReply(boards, integerOf(request, 'page'));
}

export async function showStandings(request: Request, app: ReadingApp): Promise<Reply> {
  const madeBoard = await requestedMadeBoard(request, app);
  const { tenant, channel } = request.where;
  const { madeBoards } = app.store.tenant(tenant);
  return madeBoardStandingsReply({
    madeBoard: shownOf(app, madeBoard),
    rows: await madeBoards.results(channel, madeBoard.key),
    calm: await madeBoards.calmSolvers(channel, madeBoard.key),
    asker: request.who.id,
    mayClose: madeBoard.madeBy === request.who.id || request.who.mayManage,
    page: integerOf(request, 'page'),
  });
}

export async function closeMadeBoard(request: Request, app: App, claim: Claim): Promise<Reply> {
  const madeBoard = await requestedMadeBoard(request, app);
  const own = await claim(madeBoard.key, madeBoard.madeBy);
  const { name } = madeBoard;
  if (!shownOf(app, madeBoard).isOpen) return sentenceReply(`${name} is closed already`, 'Nothing changed.');
  await closeNow(app, own, madeBoard);
  return sentenceReply(
    `${name} is closed`,
    'Results no longer count. It stays in the list: people can still play it.',
  );
}

/** Asks first, since results of other people are deleted with it. */
export async function removeMadeBoard(request: Request, app: App, claim: Claim): Promise<Reply> {
  const madeBoard = await requestedMadeBoard(request, app);
  const { channel: place, key } = claimedThing(await claim(madeBoard.key, madeBoard.madeBy));
  const { madeBoards } = app.store.tenant(place.tenant);
  if (!flagOf(request, 'sure')) return removeQuestion(madeBoard);
  await madeBoards.remove(place.channel, key);
  await editMessage(app, place, madeBoard, removedReply(madeBoard));
  return sentenceReply(`${madeBoard.name} is removed`, 'Its results are deleted, too.');
}

/** The board with the given name or sides; otherwise the board of this thread. */
async function requestedMadeBoard(request: Request, app: ReadingApp): Promise<MadeBoard> {
  const { tenant, channel, thread } = request.where;
  const { madeBoards } = app.store.tenant(tenant);
  const now = app.clock.now();
  const sides = textOf(request, 'sides');
  // Typed without `name:`, a name is where the sides are.
  const name = textOf(request, 'name') ?? sides;
  if (name === undefined) {
    const here = thread === undefined ? undefined : await madeBoards.ofThread(channel, thread, now);
    if (here !== undefined) return readMadeBoard(here);
    throw new UserError(
      'board.which',
      `Which board? Add its name: board ${textOf(request, 'do') ?? 'standings'} tea time. To see them all: board list`,
    );
  }
  const board = sides === undefined ? undefined : anyBoardIn(sides);
  const ofSides = board && (await madeBoards.get(channel, boardKey(board.sides), now));
  if (ofSides !== undefined) return readMadeBoard(ofSides);
  const all = await madeBoards.ofChannel(channel, now);
  const isSame = sameNameAs(name);
  const found = all.find((one) => isSame(one.name));
  if (found !== undefined) return readMadeBoard(found);
  const names = new Map(all.map((one) => [one.name.toLowerCase(), one.name]));
  const said = names.get(nearest(name, [...names.keys()]) ?? '');
  const advice = said === undefined ? 'To see them all: board list' : `Did you mean ${said}?`;
  throw new UserError('board.unknown-name', `This channel has no such board. ${advice}`);
}

/** Shows everybody the asker's result of a board that somebody made for the channel, in the thread of that board. */
export async function shareMadeBoard(
  request: Request,
  app: App,
  madeBoard: MadeBoard,
  format?: ShareFormat,
): Promise<Reply> {
  const { key, madeAt, board, name, posted, appraisal } = madeBoard;
  const namedBoard = { ...namedBoardOf(board), name };
  const own = await ownResultOfMade(request, app, madeBoard);
  if (own === undefined) return unsharedReply(namedBoard);
  const { result } = own;
  const words = await wordsOfResult(request, app, own);
  const shown = {
    ...result,
    par: appraisal?.par,
    // Unlike a day's board, it was posted at no set time.
    sinceOpening: undefined,
    // Otherwise anyone with the board could read the words from the drawing.
    path: words && anonymizePath(board, pathOf(board, words), new Random(app.randomSeed())),
  };
  return postShared(request, app, {
    namedBoard,
    // One that was removed and made again has a thread of its own.
    board: `${key} ${madeAt}`,
    result: shown,
    as: { format, words, isOver: app.clock.now() >= endOf(madeBoard) },
    thread: posted,
    note: { thread: `the thread of ${name}` },
  });
}
