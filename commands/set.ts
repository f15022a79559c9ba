import type { ChannelRef } from '../src/core/channel-ref.ts';
import { pinnedPuzzle } from '../src/daily/channel-puzzles.ts';
import { askerOf, DATE, SIDES } from '../src/dispatch/board/topic.ts';
import { type App, type Command, flagOf, type Request, textOf } from '../src/dispatch/contract.ts';
import { isSameBoard } from '../src/puzzle/same-board.ts';
import type { Puzzle, PuzzleDate } from '../src/puzzle/types.ts';
import { buttonOn, longDate, pictureOf, subjectOfBoard } from '../src/reply/model/subject.ts';
import type { Block, Reply } from '../src/reply/model/types.ts';
import { openingReply } from '../src/reply/replies/board.ts';
import { formatBoard, parseBoard } from '../src/solver/board.ts';

export const set: Command = {
  name: 'set',
  description: "Types in the day's board for this channel, when the newspaper can't be reached",
  options: [
    {
      ...SIDES,
      description: 'The sides of the board of the day',
      required: true,
      unless: 'undo',
      positional: true,
    },
    { ...DATE, description: 'The day it belongs to; left out, today', positional: true },
    { name: 'undo', description: 'Takes the typed board of that day back', kind: 'flag' },
  ],
  access: 'manager',
  private: true,
  more: 'The board is shown as typed by hand. If the newspaper is reached later and has the same one, its word list is used; if it has another, you are told, and yours stays.',
  examples: ['set ozu nri lfa mbt', 'set sides:"ozu nri lfa mbt" date:yesterday', 'set undo'],
  async run(request, app) {
    const now = app.clock.now();
    const asked = textOf(request, 'date');
    const date = asked === undefined ? app.puzzles.dateAt(now) : app.puzzles.readDate(asked, now);
    const channel = { tenant: request.where.tenant, channel: request.where.channel };
    if (flagOf(request, 'undo')) return takeBack(app, channel, date);
    const board = parseBoard(textOf(request, 'sides') ?? '');
    const puzzle: Puzzle = { date, source: 'hand', board, typedBy: request.who.id, typedAt: now };
    const { disagrees } = await app.puzzles.setByHand(puzzle, channel);
    const opened = await pinnedPuzzle(app, channel, date);
    const doubts = await doubtsAbout(request, app, puzzle);
    if (opened !== undefined && !isSameBoard(opened.board, board)) return tooLate(puzzle, opened, doubts);
    return isSet(puzzle, [...disagreement(disagrees), ...doubts]);
  },
};

async function takeBack({ store }: App, { tenant, channel }: ChannelRef, date: PuzzleDate): Promise<Reply> {
  const isRemoved = await store.tenant(tenant).boards.remove(channel, date);
  const line = isRemoved
    ? 'From now on the day has the board of its source again, unless its thread was opened with the typed one.'
    : 'The board of this day was not typed in here.';
  return {
    title: isRemoved ? `The typed board of ${longDate(date)} is taken back` : 'There is nothing to take back',
    blocks: [{ kind: 'text', lines: [line] }],
    audience: 'asker',
  };
}

function isSet(puzzle: Puzzle, lines: readonly string[]): Reply {
  const { blocks } = openingReply({ puzzle, audience: 'asker' });
  const text: Block[] = lines.length === 0 ? [] : [{ kind: 'text', lines }];
  return {
    title: `The board of ${longDate(puzzle.date)} is set for this channel`,
    blocks: [...text, ...blocks],
    audience: 'asker',
  };
}

/** The day keeps the board of its thread. The buttons carry the sides, since those of the day are about that board. */
function tooLate({ date, board }: Puzzle, opened: Puzzle, doubts: readonly string[]): Reply {
  const subject = subjectOfBoard(board);
  const stays =
    `The thread of this day was opened with another board, ${formatBoard(opened.board).toUpperCase()}, and stays ` +
    'with it. Commands in this channel do too. The picture and the buttons here are of yours; for more, give its ' +
    'sides with a command.';
  return {
    title: `The thread of ${longDate(date)} keeps its board`,
    blocks: [
      { kind: 'text', lines: [stays, ...doubts] },
      pictureOf(board),
      { kind: 'buttons', buttons: [buttonOn(subject, 'Hint', 'hint'), buttonOn(subject, 'Check', 'check')] },
    ],
    audience: 'asker',
  };
}

function disagreement(fetched: Puzzle | undefined): string[] {
  if (fetched === undefined) return [];
  return [
    `The newspaper's board of this day is another one: ${formatBoard(fetched.board).toUpperCase()}. Yours is used in ` +
      'this channel all the same. If it is a slip, set it again.',
  ];
}

/** With one letter wrong, most boards can't be solved in few words. */
async function doubtsAbout(request: Request, app: App, puzzle: Puzzle): Promise<string[]> {
  const { board } = puzzle;
  const source = await app.puzzles.wordSource(puzzle);
  const fewest = await app.work.run('fewest', { board, source }, askerOf(request));
  if (fewest !== undefined && fewest <= 5) return [];
  return ['No short solution of this board is known to our word list. Are all letters right?'];
}
