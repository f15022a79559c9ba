import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import type { Appraisal } from '../../puzzle/house.ts';
import type { Board, Grade } from '../../solver/types.ts';
import { factsAbout } from '../model/facts.ts';
import { boardToPlay, buttonOn, namedBoardOf } from '../model/named-board.ts';
import { aboutPage, pageButtons, pageNote, pageOf } from '../model/page.ts';
import {
  bold,
  buttonsBlock,
  factsBlock,
  type Maybe,
  notes,
  present,
  sentenceReply,
  textBlock,
  toAsker,
  toEveryone,
} from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply } from '../model/types.ts';
import { playButtons } from './board.ts';
import { alsoSolvedLine, type Ranked, type ScoreShown, scoreText } from './result-line.ts';
import { HOW_RANKED, rankedPage, standingsOfDay, standingsTable } from './standings.ts';

export interface MadeBoardShown {
  readonly name: string;
  readonly board: Board;
  readonly appraisal: Appraisal | undefined;
  /** Null if they asked to be forgotten, or if only they read it. */
  readonly madeBy: string | null;
  /** When results stop counting. */
  readonly until: number;
  readonly isOpen: boolean;
  /** The address of the board's public page. */
  readonly page?: string | undefined;
}

type MadeBoardRow = Ranked & ScoreShown;

/** The day on which house boards have each difficulty, for comparison: they get harder over the week. */
const HOUSE_DAYS: Readonly<Record<Grade, string>> = {
  gentle: 'Mondays',
  easy: 'Tuesdays',
  fair: 'Wednesdays',
  medium: 'Thursdays',
  tricky: 'Fridays',
  hard: 'Saturdays',
  fiendish: 'Sundays',
};
const BEST_RESULTS_SHOWN = 3;

/** The message under which a board is played: everything in it stays true until the board is closed. */
export function madeBoardReply(madeBoard: MadeBoardShown): Reply {
  const { name, board, page } = madeBoard;
  const namedBoard = namedBoardOf(board);
  return toEveryone(`Challenge: ${name}`, [
    boardToPlay(namedBoard),
    factsBlock(factsOf(madeBoard)),
    pageLine(page),
    buttonsBlock([...playButtons(namedBoard), standingsButton(board)]),
  ]);
}

/** The message of `madeBoardReply` once the board is closed, with the best results and those of the hunt for its solutions. */
export function closedReply(
  madeBoard: MadeBoardShown,
  { best, calm = [] }: { readonly best: readonly MadeBoardRow[]; readonly calm?: readonly string[] },
  hunt: readonly Block[],
): Reply {
  const { name, board } = madeBoard;
  const namedBoard = namedBoardOf(board);
  const rows = best.slice(0, BEST_RESULTS_SHOWN).map(({ rank, person, ...score }): Line => {
    return [bold(`${rank}.`), ' ', { person }, ` ${scoreText(score, ' · ')}`];
  });
  const lines = present([...rows, alsoSolvedLine(calm)]);
  return toEveryone(`Closed: ${name}`, [
    boardToPlay(namedBoard),
    // Somebody who hides may have solved it.
    textBlock(lines.length === 0 ? ['No results.'] : lines),
    hunt,
    notes('You can still play it, but results no longer count.'),
    buttonsBlock([
      buttonOn(namedBoard, 'Solution', 'reveal', { look: 'primary' }),
      buttonOn(namedBoard, 'Play', 'play'),
      standingsButton(board),
    ]),
  ]);
}

/** Replaces the message of a board that was removed. */
export function removedReply({ name }: Pick<MadeBoardShown, 'name'>): Reply {
  return toEveryone(`Removed: ${name}`, textBlock(['This board and its results were removed.']));
}

/** Returns a board's appraisal. @throws UserError if no solution of the board is known */
export function refuseUnsolved(found: Appraisal | 'none' | 'unknown'): Appraisal {
  if (found === 'none') {
    const line = 'No words that I know solve this board. Change a letter, or put one on another side.';
    throw new UserError('board.unsolvable', line);
  }
  if (found === 'unknown') {
    const line = 'I found no solution in the time I have. A smaller board, or more vowels, may help.';
    throw new UserError('board.unknown', line);
  }
  return found;
}

export function appraisalFacts({ par, difficulty, everyday }: Appraisal): Record<string, Maybe<Inline>> {
  return {
    Par: counted(par, 'word'),
    Difficulty: difficulty && `${difficulty}, like the house boards on ${HOUSE_DAYS[difficulty]}`,
    Words: everyday === undefined && 'it takes some that few people know',
  };
}

function factsOf({ appraisal, madeBy, until, isOpen }: MadeBoardShown): Record<string, Maybe<Inline>> {
  return {
    ...(appraisal && appraisalFacts(appraisal)),
    'Made by': madeBy !== null && { person: madeBy },
    'Open until': isOpen && { moment: until, style: 'date' },
  };
}

function boardButton(label: string, todo: string, board: Board, look?: Button['look']): Button {
  return { label, action: boardAction(todo, board), look };
}

function boardAction(todo: string, board: Board): Action {
  return { command: 'board', options: { do: todo, ...namedBoardOf(board).options } };
}

function pageLine(page: string | undefined): Block[] {
  return notes(page && [{ link: page, label: 'Play it in a browser' }, ', where nothing is recorded.']);
}

/** Tells the maker of a board where it is, and how hard it is. */
export function madeReply(madeBoard: MadeBoardShown, outcome: 'posted' | 'threadless' | 'unposted'): Reply {
  const { name, board, page, appraisal } = madeBoard;
  const where = {
    posted: 'It’s in the channel now, with a thread of its own.',
    threadless: 'It’s in the channel now. I couldn’t open a thread for it.',
    unposted:
      'I couldn’t post it here, so only you see it. I may not be allowed to post, or to open threads. Once someone changes that, make the board again.',
  }[outcome];
  return toAsker(`You made ${name}`, [
    textBlock([where]),
    outcome === 'unposted' && boardToPlay(namedBoardOf(board)),
    factsBlock(factsOf({ ...madeBoard, madeBy: null })),
    foundOut(board, appraisal),
    pageLine(page),
    buttonsBlock([...onButtons(board), boardButton('Remove it', 'remove', board, 'danger')]),
  ]);
}

/** Answers a person who makes a board that the channel has already. */
export function alreadyMadeReply({ name, board, isOpen }: MadeBoardShown): Reply {
  return toAsker('That board is here already', [
    textBlock([
      `This channel has that board already: ${name}.`,
      !isOpen && 'It is closed. Remove it to make it again.',
    ]),
    buttonsBlock(onButtons(board)),
  ]);
}

/** The answer while another request posts the same board, or after an attempt whose outcome is unknown. */
export function postingReply({ name }: Pick<MadeBoardShown, 'name'>): Reply {
  const line = 'I don’t know yet if it was posted. If it isn’t in the channel in two minutes, make it again.';
  return sentenceReply(`Posting ${name}`, line);
}

/** Asks for confirmation, since results of other people can't be restored. Nobody learns whether those who hide have any. */
export function removeQuestion({ name, board }: Pick<MadeBoardShown, 'name' | 'board'>): Reply {
  const sure = buttonOn(namedBoardOf(board), 'Remove for good', 'board', {
    options: { do: 'remove', sure: true },
    look: 'danger',
  });
  return toAsker(`Remove ${name}?`, [
    textBlock(['This deletes all its results, too. You can’t undo it.']),
    buttonsBlock([sure, standingsButton(board)]),
  ]);
}

/** How many words it takes, hidden: it is a hint, and the maker may want to play, too. */
function foundOut(board: Board, appraisal: Appraisal | undefined): Block[] {
  if (appraisal === undefined) return [];
  const { fewest, everyday } = appraisal;
  const shortest = `The shortest solution I found has ${counted(fewest, 'word')}.`;
  const hidden =
    everyday === undefined
      ? [`${shortest} Well-known words alone don’t solve it.`]
      : present([
          `Well-known words solve it in ${everyday}.`,
          fewest < everyday && `With all words, it takes ${fewest}.`,
        ]);
  return [
    { kind: 'spoiler', label: 'How many words it takes', hidden, reveals: factsAbout({ board }, 'count') },
  ];
}

function onButtons(board: Board): Button[] {
  return [buttonOn(namedBoardOf(board), 'Play', 'play', { look: 'primary' }), standingsButton(board)];
}

function standingsButton(board: Board): Button {
  return boardButton('Standings', 'standings', board);
}

/** Few enough that the buttons to play them fit into one row. */
const BOARDS_PER_PAGE = 4;

export type ListedShown = MadeBoardShown & { readonly solvers: number };

/** The boards of a channel, the newest first, each with a button to play it. */
export function boardListReply(boards: readonly ListedShown[], page?: number): Reply {
  const shown = pageOf(boards, page ?? 1, BOARDS_PER_PAGE);
  const action: Action = { command: 'board', options: { do: 'list' } };
  const blocks = [
    textBlock(boards.length === 0 ? ['Nobody has made a board here.'] : shown.items.map(listLine)),
    pageNote('Board', shown),
    buttonsBlock(shown.items.map(({ name, board }) => buttonOn(namedBoardOf(board), `Play ${name}`, 'play'))),
    buttonsBlock([...pageButtons(action, shown), MAKE_BUTTON]),
  ];
  return toEveryone('Boards of this channel', blocks, aboutPage(action, shown, page !== undefined));
}

const MAKE_BUTTON: Button = { label: 'Make a board', action: { command: 'board', options: { do: 'make' } } };

function listLine({ name, board, appraisal, madeBy, isOpen, solvers }: ListedShown): Line {
  const facts = present([
    namedBoardOf(board).name,
    appraisal && `par ${appraisal.par}`,
    appraisal?.difficulty,
    solvers === 0 ? 'no results yet' : `solved by ${solvers}`,
    !isOpen && 'closed',
  ]);
  return [bold(name), ...(madeBy === null ? [] : [' by ', { person: madeBy }]), `: ${facts.join(' · ')}`];
}

interface StandingsShown {
  readonly madeBoard: MadeBoardShown;
  /** The results of everybody who solved it and neither hides nor is calm, the best first. */
  readonly rows: readonly MadeBoardRow[];
  /** The calm people who solved it. */
  readonly calm?: readonly string[];
  readonly asker: string;
  readonly mayClose: boolean;
  readonly page?: number | undefined;
}

/** The people who solved a board, with the asker's own line if they are on another page. */
export function madeBoardStandingsReply(standings: StandingsShown): Reply {
  const { madeBoard, rows, calm = [], asker, mayClose, page } = standings;
  const { name, board, isOpen } = madeBoard;
  const { shown, listed } = rankedPage(rows, { asker, page });
  const table = standingsTable(standingsOfDay(listed), { isDay: true });
  const action = boardAction('standings', board);
  const blocks = [
    rows.length > 0 ? { kind: 'table' as const, table } : textBlock([calm.length === 0 && 'No results yet.']),
    textBlock([alsoSolvedLine(calm)]),
    pageNote('Place', shown),
    buttonsBlock([
      ...pageButtons(action, shown),
      buttonOn(namedBoardOf(board), 'Play', 'play'),
      mayClose && isOpen && boardButton('Close it', 'close', board, 'danger'),
      rows.length > 0 && HOW_RANKED,
    ]),
  ];
  return toAsker(`Standings: ${name}`, blocks, aboutPage(action, shown, page !== undefined));
}
