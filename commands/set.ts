import type { ChannelRef } from '../src/core/channel-ref.ts';
import type { PuzzleDate } from '../src/core/clock.ts';
import { unlessMistake } from '../src/core/errors.ts';
import { counted, longDate } from '../src/core/text.ts';
import { storedChannelDays } from '../src/daily/day-thread.ts';
import { type App, type Command, flagOf, type Request, textOf } from '../src/dispatch/contract.ts';
import { permittedChannel } from '../src/dispatch/dispatcher.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { hasNewspaperShape } from '../src/dispatch/typed-board.ts';
import { dateAt, readDate, spanOf } from '../src/puzzle/calendar.ts';
import { boardKey, isSameBoard, type Puzzle } from '../src/puzzle/types.ts';
import { namedBoardOf, pictureOf } from '../src/reply/model/named-board.ts';
import { buttonsBlock, sentenceReply, textBlock, toAsker } from '../src/reply/model/text.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { dayBoardReply, playButtons } from '../src/reply/replies/board.ts';
import { formatBoard, parseBoard } from '../src/solver/board.ts';
import { named } from './names.ts';

export const set: Command = {
  ...named('set'),
  options: [
    {
      ...SIDES_OPTION,
      description: 'The sides of the board',
      required: true,
      unless: 'undo',
      positional: true,
    },
    { ...DATE_OPTION, description: 'Its day; left out, today' },
    { name: 'undo', description: 'Take back that day’s typed board', kind: 'flag' },
  ],
  access: 'manager',
  private: true,
  more: 'For days when I can’t reach the newspaper. The board is marked as typed by hand. If the newspaper turns out to have another one, I tell you, and yours stays.',
  examples: ['set ozu nri lfa mbt', 'set sides:"ozu nri lfa mbt" date:yesterday', 'set undo'],
  async run(request, app, permission) {
    const now = app.clock.now();
    const date = readDate(textOf(request, 'date') ?? 'today', now);
    const channel = permittedChannel(permission);
    if (flagOf(request, 'undo')) return undoTypedBoard(app, channel, date);
    const board = parseBoard(textOf(request, 'sides') ?? '');
    const puzzle = { date, source: 'hand' as const, board, typedBy: request.who.id, typedAt: now };
    const doubts = await doubtsAbout(request, app, puzzle);
    // After the search, which takes seconds: the thread may have been opened meanwhile.
    const { opened } = await storedChannelDays(app).of(date, channel);
    if (opened !== undefined && !isSameBoard(opened.board, board))
      return tooLateReply(puzzle, opened, doubts);
    const { newspaper } = await app.puzzles.setByHand(puzzle, channel);
    const until = date === dateAt(now) ? spanOf(date).to : undefined;
    const played = await unrankReplacedResults(app, channel, date);
    return boardSetReply(puzzle, [...disagreementLines(newspaper), ...played, ...doubts], until);
  },
};

async function undoTypedBoard(app: App, { tenant, channel }: ChannelRef, date: PuzzleDate): Promise<Reply> {
  const { opened, typed } = await storedChannelDays(app).of(date, { tenant, channel });
  if (opened?.source === 'hand' && typed !== undefined)
    return sentenceReply(`Too late to take the board back: ${longDate(date)}`, [
      'The day’s thread was opened with it. The thread and the commands in this channel keep it.',
    ]);
  const isRemoved = await app.store.tenant(tenant).boards.remove(channel, date);
  if (!isRemoved) return sentenceReply('Nothing to take back', 'Nobody typed in a board for that day here.');
  const usual = await unlessMistake(app.puzzles.puzzleOf(date, { tenant, channel }));
  const line = usual === undefined ? 'The day has no board now.' : 'The day has its usual board again.';
  const played = await unrankReplacedResults(app, { tenant, channel }, date);
  return sentenceReply(`Typed board taken back: ${longDate(date)}`, line, ...played);
}

/** Stores which board counts for the day, and says how many people have solved another one: they are no longer ranked. */
async function unrankReplacedResults(
  { store, puzzles }: App,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<string[]> {
  const { channelResults } = store.tenant(tenant);
  const current = await unlessMistake(puzzles.puzzleOf(date, { tenant, channel }));
  await channelResults.setBoard(channel, date, current === undefined ? '' : boardKey(current.board.sides));
  const people = await channelResults.ofReplaced(channel, date);
  if (people === 0) return [];
  const solved = `${people === 1 ? '1 person has' : `${people} people have`} solved another board of that day here.`;
  const result = people === 1 ? 'result stays theirs, but is' : 'results stay theirs, but are';
  return [`${solved} Their ${result} not on the leaderboard.`];
}

function boardSetReply(puzzle: Puzzle, lines: readonly string[], until: number | undefined): Reply {
  const { blocks } = dayBoardReply(puzzle, until);
  return toAsker(`Board set for this channel: ${longDate(puzzle.date)}`, [textBlock(lines), blocks]);
}

/** The day keeps the board of its thread. The buttons carry the sides: with a date they would be about the thread's board. */
function tooLateReply({ date, board }: Puzzle, opened: Puzzle, doubts: readonly string[]): Reply {
  const stays =
    `The day’s thread was opened with another board, ${formatBoard(opened.board).toUpperCase()}. The thread and the ` +
    'commands in this channel keep it. The buttons below are for yours.';
  return toAsker(`Too late to change the board: ${longDate(date)}`, [
    textBlock([stays, ...doubts]),
    pictureOf(board),
    buttonsBlock(playButtons(namedBoardOf(board))),
  ]);
}

function disagreementLines(fetched: Puzzle | undefined): string[] {
  if (fetched === undefined) return [];
  return [
    `The newspaper has another board for that day: ${formatBoard(fetched.board).toUpperCase()}. This channel uses yours. ` +
      'If you mistyped it, set it again.',
  ];
}

/**
 * Doubts about a typed board: a missing side or letter gives it another shape, and with one wrong letter most boards have no
 * short solution.
 */
async function doubtsAbout(request: Request, app: App, puzzle: Puzzle): Promise<string[]> {
  const { board } = puzzle;
  const source = await app.puzzles.wordSource(puzzle);
  const fewest = await app.work.run('fewest', { board, source }, request);
  const { sides, letters } = board;
  const shape = `${counted(sides.length, 'side')} and ${counted(letters.length, 'letter')}`;
  const doubts: string[] = [];
  if (!hasNewspaperShape(board))
    doubts.push(`The newspaper’s boards have 4 sides of 3 letters. Yours has ${shape}. Is it whole?`);
  if (typeof fewest !== 'number' || fewest > 5)
    doubts.push('I found no short solution for this board. Is every letter right?');
  return doubts;
}
