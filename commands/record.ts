import { UserError, unlessMistake } from '../src/core/errors.ts';
import { clip } from '../src/core/text.ts';
import { type App, type Command, choiceOf, type Request, textOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION } from '../src/dispatch/options.ts';
import { dateOf, targetOf } from '../src/dispatch/target.ts';
import { madeBoardOfThread } from '../src/players/made-boards/made-board.ts';
import { addOtherGames, addSummary, isByWordle, setInSummaries } from '../src/players/other-games.ts';
import { ownResult, toShareOf } from '../src/players/results/own-result.ts';
import { boardNameIn, dateIn, type Report, readMessage } from '../src/players/results/read-message.ts';
import { recordReport, resultToShow } from '../src/players/results/results.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { enterSolution } from '../src/players/solo-games.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { addedGamesBlock, addedGamesReply } from '../src/reply/replies/other-games.ts';
import {
  misfitReply,
  otherAuthorReply,
  reportedReply,
  unreadMessageReply,
} from '../src/reply/replies/result.ts';
import { named } from './names.ts';

const SUMMARIES = ['on', 'off'] as const;

export const record: Command = {
  ...named('record'),
  options: [
    {
      name: 'message',
      description: 'Your words, or such as: 2 words, 1 hint',
      kind: 'text',
      positional: true,
      example: '2 words, 1 hint',
    },
    { ...DATE_OPTION, positional: false },
    {
      name: 'summaries',
      description: 'Set by the buttons about Wordle',
      kind: 'choice',
      choices: SUMMARIES,
      about: { on: 'Take mine from what the Wordle app posts', off: 'Don’t take mine' },
      internal: true,
    },
  ],
  access: 'anyone-writes',
  private: true,
  more: 'On Discord and Slack, choose "Add to my results" on a message of yours. Words are checked as with play. A result in numbers only is marked as self-reported and comes after those that were played. If you change the message and add it again, it replaces what it said before. It also reads what Wordle, Connections, Strands, the Mini, Quordle, Octordle, Worldle, Queens, Tango, Zip and Spelling Bee let you share; those are on leaderboard games.',
  examples: ['record 2 words, 1 hint', 'record message:"U - M(6), M - N(12)"', 'record forum – mozart'],
  async run(request, app) {
    const { message, who, door } = request;
    const summaries = choiceOf(request, 'summaries', SUMMARIES);
    if (summaries !== undefined) return setInSummaries(request, app, summaries === 'on');
    if (message !== undefined) {
      if (isByWordle(message, door)) return addSummary(message, request, app);
      if (message.author !== who.id) return otherAuthorReply();
    }
    const text = message?.text ?? textOf(request, 'message') ?? '';
    const games = await addOtherGames(request, app, text);
    if (games.length === 0) return recordResult(request, app, text, await readResult(request, app, text));
    const isRanked = await app.store.tenant(request.where.tenant).people.isRanked(who.id);
    // With results of other games, a message need not have one of Letter Boxed: only what surely is one is recorded.
    const found = await unlessMistake(readResult(request, app, text));
    if (found?.read.kind !== 'words' && found?.read.kind !== 'report')
      return addedGamesReply(games, isRanked);
    const reply = await recordResult(request, app, text, found);
    return { ...reply, blocks: [...reply.blocks, ...addedGamesBlock(games, isRanked)] };
  },
};

/** Reads a message's result on the board of the day that is named, else of its thread, else of the day it was written. */
async function readResult(request: Request, app: App, text: string) {
  const at = request.message?.at ?? app.clock.now();
  const namedDate = textOf(request, 'date') ?? dateIn(text);
  const date = await dateOf(request, app, namedDate, at);
  const madeBoard = namedDate === undefined ? await madeBoardOfThread(request, app) : undefined;
  const board: Request['options'] = madeBoard === undefined ? { date } : { sides: madeBoard.sides };
  const asPlay: Request = { ...request, command: 'play', options: board };
  const target = await targetOf(asPlay, app);
  return { read: readMessage(text, target.board), target, asPlay, madeBoard, namedDate };
}

type MessageResult = Awaited<ReturnType<typeof readResult>>;

async function recordResult(request: Request, app: App, text: string, found: MessageResult): Promise<Reply> {
  const { read, target, asPlay } = found;
  switch (read.kind) {
    case 'words':
    case 'attempt':
      return enterSolution(asPlay, app, read.words);
    case 'report':
      return recordNumbers(request, app, text, read, found);
    case 'misfit':
      return misfitReply(target.namedBoard, read.reason);
    case 'nothing':
      return unreadMessageReply(target.namedBoard);
  }
}

/** Records a result in numbers, which counts only for the board of a day. */
async function recordNumbers(
  request: Request,
  app: App,
  text: string,
  said: Report,
  { target, madeBoard, namedDate }: MessageResult,
): Promise<Reply> {
  const { puzzle, namedBoard } = target;
  if (puzzle === undefined)
    throw new UserError(
      'record.words',
      `For ${madeBoard?.name}, only words count. Type play, and your words after it.`,
    );
  const name = namedDate === undefined ? boardNameIn(text) : undefined;
  if (name !== undefined)
    throw new UserError(
      'record.words',
      `For ${clip(name)}, only words count. In its thread, type play, and your words after it.`,
    );
  const recorded = await recordReport(request, app, { ...target, puzzle }, said);
  const result = await resultToShow(request, app, recorded.result);
  const own = await ownResult(request, app, puzzle);
  return reportedReply({
    ...recorded,
    namedBoard,
    result,
    said,
    toShare: own && (await toShareOf(request, app, own)),
    isCalm: await isCalm(request, app),
    isHidden: await app.store.allPeople.isHidden(request.where.tenant, request.who.id),
  });
}
