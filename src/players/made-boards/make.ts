import { UserError } from '../../core/errors.ts';
import { clip, counted } from '../../core/text.ts';
import { type App, type Request, textOf } from '../../dispatch/contract.ts';
import { jobAskerOf } from '../../dispatch/topic.ts';
import { boardKey } from '../../puzzle/types.ts';
import { subjectOfBoard } from '../../reply/model/subject.ts';
import type { Reply } from '../../reply/model/types.ts';
import {
  alreadyMadeReply,
  changedReply,
  madeReply,
  postingReply,
  refuseUnsolved,
} from '../../reply/replies/made-boards.ts';
import { parseBoard } from '../../solver/board.ts';
import type { Appraisal } from '../../solver/difficulty.ts';
import type { Board } from '../../solver/types.ts';
import type { StoredMadeBoard } from '../../store/tables/made-boards.ts';
import { hasOffensiveWord, spellsOffensive } from '../../wordlists/offensive-words.ts';
import { inheritHiding } from '../privacy.ts';
import { hasPublicMessages, takeDailySlot } from '../public-messages.ts';
import { endOf, LISTED_FOR, type MadeBoard, readMadeBoard, shownOf } from './made-board.ts';
import { isWhole, madeBoardMessage, postMadeBoard } from './message.ts';

/**
 * Makes a board for the channel and posts it, with a thread of its own. A board that was made before but not posted,
 * because the process was killed in between, is posted now; nothing is posted twice.
 */
export async function makeBoardHere(request: Request, app: App): Promise<Reply> {
  const board = parseBoard(textOf(request, 'sides') ?? '');
  refuseOffensiveBoard(board);
  const { tenant, channel } = request.where;
  const { madeBoards } = app.store.tenant(tenant);
  const known = await madeBoards.get(channel, boardKey(board.sides), app.clock.now());
  refuseWithoutRights(request, app);
  if (known !== undefined) return goOn(request, app, readMadeBoard(known));
  const name = await nameOf(request, app, board);
  const appraisal = await appraise(request, app, board);
  const refusal = await refuseTooMany(request, app);
  if (refusal !== undefined) return refusal;
  await inheritHiding(app.store, { tenant, person: request.who.id });
  const made = storedOf(request, app, board, { name, appraisal });
  if (await madeBoards.add(made)) return post(request, app, readMadeBoard(made));
  return makeBoardHere(request, app);
}

/** The board itself as the answer where nothing can be posted; otherwise the post, and an answer for its maker. */
async function post(request: Request, app: App, madeBoard: MadeBoard): Promise<Reply> {
  if (!hasPublicMessages(request, app)) return madeBoardMessage(app, request.where.tenant, madeBoard);
  const outcome = await postMadeBoard(app, request.where, madeBoard);
  const shown = shownOf(app, madeBoard);
  return outcome === 'unknown' ? postingReply(shown) : madeReply(shown, outcome);
}

/** A board that is here already. Its maker may post it again if it was not posted, or only in part. */
async function goOn(request: Request, app: App, madeBoard: MadeBoard): Promise<Reply> {
  const isOpen = app.clock.now() < endOf(madeBoard);
  const mayPost = isOpen && madeBoard.madeBy === request.who.id && hasPublicMessages(request, app);
  if (!mayPost || (await isWhole(app, request.where.tenant, madeBoard)))
    return alreadyMadeReply(shownOf(app, madeBoard));
  return post(request, app, madeBoard);
}

function storedOf(
  { who, where }: Request,
  { clock }: App,
  board: Board,
  found: { readonly name: string; readonly appraisal: Appraisal },
): StoredMadeBoard {
  const now = clock.now();
  return {
    ...found,
    channel: where.channel,
    board: boardKey(board.sides),
    sides: String(subjectOfBoard(board).options.sides),
    madeBy: who.id,
    madeAt: now,
    closedAt: null,
    expiresAt: now + LISTED_FOR,
    posted: undefined,
    thread: null,
  };
}

/** Refuses people for whom the bot would post what they may not post themselves. */
function refuseWithoutRights(request: Request, app: App): void {
  if (!hasPublicMessages(request, app)) return;
  const { mayPost, mayOpenThreads } = request.who;
  if (mayPost === false) {
    const line = 'You can’t make a board here, because you may not write in this channel.';
    throw new UserError('board.silenced', line);
  }
  if (mayOpenThreads === false) {
    const line =
      'A board needs a thread, and you may not open one in this channel. Make it in another channel.';
    throw new UserError('board.threads', line);
  }
}

async function nameOf(request: Request, app: App, board: Board): Promise<string> {
  const { tenant, channel } = request.where;
  const isWord = (word: string) => app.lexicon.find(word) !== undefined;
  const others = await app.store.tenant(tenant).madeBoards.ofChannel(channel, app.clock.now());
  const isTaken = (name: string) => others.some((other) => isSameName(other.name, name));
  const given = textOf(request, 'name');
  if (given === undefined) return madeName(board, isWord, isTaken);
  const name = readName(given, isWord);
  if (!isTaken(name)) return name;
  throw new UserError(
    'board.name-taken',
    `This channel has a board of that name: ${name}. Choose another one.`,
  );
}

async function appraise(request: Request, app: App, board: Board): Promise<Appraisal> {
  const source = await app.puzzles.wordSource({ board });
  return refuseUnsolved(await app.work.run('appraise', { board, source }, jobAskerOf(request)));
}

/** Each board that is made counts for the day of the puzzle: the bot posts a message for it, and opens a thread. */
async function refuseTooMany(request: Request, app: App): Promise<Reply | undefined> {
  if (!hasPublicMessages(request, app)) return undefined;
  const { boardsPerPerson: perPerson, boardsPerChannel: perChannel } = app.limits;
  const full = await takeDailySlot(request, app, { what: 'board', perPerson, perChannel });
  if (full === 'person') return tooMany(app, `You made ${counted(perPerson, 'board')} today.`);
  if (full === 'channel') return tooMany(app, `This channel got ${counted(perChannel, 'board')} today.`);
  return undefined;
}

function tooMany({ clock, puzzles }: App, what: string): Reply {
  const { to } = puzzles.spanOf(puzzles.dateAt(clock.now()));
  return changedReply('Enough boards for today', [
    `${what} You can make the next one `,
    { moment: to, style: 'relative' },
    '.',
  ]);
}

type IsWord = (word: string) => boolean;

/** Characters: with its number of solvers, a name still fits on a button. */
const LONGEST = 30;
const ALLOWED = /^[\p{L}\p{M}\p{N} '’.,!?&+()-]+$/u;

/**
 * The name that somebody gives their board.
 *
 * @throws UserError if it can't be a name
 */
export function readName(text: string, isWord: IsWord): string {
  const name = text.normalize('NFC').trim();
  if (Array.from(name).length > LONGEST) {
    throw new UserError('board.name-long', `That name is too long. It can have ${LONGEST} characters.`);
  }
  if (!ALLOWED.test(name) || !/[\p{L}\p{N}]/u.test(name)) {
    throw new UserError(
      'board.name',
      `"${clip(name)}" can’t be a name. Use letters, digits and spaces, like name:"Tea time"`,
    );
  }
  if (hasOffensiveWord(name, isWord)) {
    throw new UserError('board.name-offensive', 'I don’t post that name here. Choose another one.');
  }
  return name;
}

/** @throws UserError if the letters of a board, read side by side in their order, spell an offensive word */
export function refuseOffensiveBoard({ letters }: Board): void {
  if (!spellsOffensive(letters)) return;
  throw new UserError(
    'board.offensive',
    'The letters of this board spell a word that I don’t post. Put its sides or letters in another order.',
  );
}

/**
 * A name for a board without one: a letter of each side, which together make no word.
 *
 * @example madeName(parseBoard('ozu nri lfa mbt'), isWord, () => false) // 'Board ONLM'
 */
export function madeName({ sides }: Board, isWord: IsWord, isTaken: (name: string) => boolean): string {
  const longest = Math.max(...sides.map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    const letters = sides.map((side) => side[at % side.length]).join('');
    const name = `Board ${letters.toUpperCase()}`;
    if (!isWord(letters) && !spellsOffensive(letters) && !isTaken(name)) return name;
  }
  let number = 1;
  while (isTaken(`Board ${number}`)) number++;
  return `Board ${number}`;
}

/** Whether people would confuse two names. */
export function isSameName(one: string, other: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain(one) === plain(other);
}
