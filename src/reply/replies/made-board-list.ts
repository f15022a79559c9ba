import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import { buttonOn, buttonsBlock, subjectOfBoard } from '../model/subject.ts';
import { bold, joined } from '../model/text.ts';
import type { Action, Button, Inline, Line, Reply, Table } from '../model/types.ts';
import { boardAction, boardButton, type MadeBoardRow, type MadeBoardShown } from './made-board.ts';
import { orderNote, SCORE_COLUMNS } from './standings.ts';

/** So that their buttons, and those that turn the page, fit below them. */
const LIST_PAGE = 4;

export type ListedShown = MadeBoardShown & { readonly solvers: number };

/** The boards of a channel, the newest first, each with a button to play it. */
export function boardListReply(boards: readonly ListedShown[], page?: number): Reply {
  const shown = pageOf(boards, page ?? 1, LIST_PAGE);
  const action: Action = { command: 'board', options: { do: 'list' } };
  return {
    title: 'Boards of this channel',
    blocks: [
      boards.length === 0
        ? {
            kind: 'text',
            lines: [['Nobody has made a board here. Make the first: ', { command: 'board make' }]],
          }
        : { kind: 'text', lines: shown.items.map(listLine) },
      ...pageNote('Board', shown),
      ...buttonsBlock(shown.items.map(playButton)),
      { kind: 'buttons', buttons: [...pageButtons(action, shown), MAKE] },
    ],
    audience: 'everyone',
    again: { command: 'board', options: { do: 'list', page: shown.number } },
    ...(page !== undefined && { replaces: true }),
  };
}

const MAKE: Button = { label: 'Make a board', action: { command: 'board', options: { do: 'make' } } };

function listLine({ name, board, appraisal, madeBy, isOpen, solvers }: ListedShown): Line {
  const facts: Inline[] = [
    subjectOfBoard(board).name,
    ...(appraisal === undefined ? [] : [`par ${appraisal.par}`]),
    ...(appraisal?.difficulty === undefined ? [] : [appraisal.difficulty]),
    solvers === 0 ? 'no results yet' : `solved by ${solvers}`,
    ...(isOpen ? [] : ['closed']),
  ];
  return [
    bold(name),
    ...(madeBy === null ? [] : [' by ', { person: madeBy }]),
    ': ',
    ...joined(facts, ' · '),
  ];
}

function playButton({ name, board }: ListedShown): Button {
  return buttonOn(subjectOfBoard(board), `Play ${name}`, 'play');
}

const STANDINGS_PAGE = 10;
const ORDER = 'Order: fewest words, then fewest letters, fewest hint points, and who was earliest.';

interface StandingsShown {
  readonly madeBoard: MadeBoardShown;
  /** Of all who solved it and are not hidden, the best first. */
  readonly rows: readonly MadeBoardRow[];
  readonly asker: string;
  readonly mayClose: boolean;
  readonly page?: number | undefined;
}

/** Who solved a board, with the asker's own line if it is on another page. */
export function madeBoardStandingsReply({ madeBoard, rows, asker, mayClose, page }: StandingsShown): Reply {
  const { name, board, isOpen } = madeBoard;
  const placed = rows.map((row, index) => ({ row, rank: index + 1 }));
  const shown = pageOf(placed, page ?? 1, STANDINGS_PAGE);
  const own = placed.find(({ row }) => row.person === asker);
  const isElsewhere = own !== undefined && !shown.items.includes(own);
  const action = boardAction('standings', board);
  return {
    title: `Standings: ${name}`,
    blocks: [
      rows.length === 0
        ? { kind: 'text', lines: ['No results yet.'] }
        : { kind: 'table', table: tableOf([...shown.items, ...(isElsewhere ? [own] : [])]) },
      ...pageNote('Place', shown),
      ...orderNote(ORDER, rows),
      {
        kind: 'buttons',
        buttons: [
          ...pageButtons(action, shown),
          buttonOn(subjectOfBoard(board), 'Play', 'play'),
          ...(mayClose && isOpen ? [boardButton('Close it', 'close', board, 'danger')] : []),
        ],
      },
    ],
    audience: 'asker',
    again: boardAction('standings', board, shown.number),
    ...(page !== undefined && { replaces: true }),
  };
}

function tableOf(placed: readonly { readonly row: MadeBoardRow; readonly rank: number }[]): Table {
  return {
    caption: 'Places by words, letters and hint points',
    columns: [{ label: '#', isNumber: true }, { label: 'Player' }, ...SCORE_COLUMNS],
    rows: placed.map(({ row: { person, words, letters, hints }, rank }) => [
      rank,
      { person },
      words,
      letters,
      hints,
    ]),
  };
}
