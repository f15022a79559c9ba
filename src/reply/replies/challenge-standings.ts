import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import { buttonOn, subjectOfBoard } from '../model/subject.ts';
import type { Reply, Table } from '../model/types.ts';
import { boardAction, boardButton, type ChallengeRow, type ChallengeShown } from './challenge.ts';
import { orderNote, SCORE_COLUMNS } from './standings.ts';

const STANDINGS_PAGE = 10;
const ORDER = 'Order: fewest words, then fewest letters, fewest hint points, and who was earliest.';

export interface StandingsShown {
  readonly challenge: ChallengeShown;
  /** Of all who solved it and are not hidden, the best first. */
  readonly rows: readonly ChallengeRow[];
  readonly asker: string;
  readonly mayClose: boolean;
  readonly page?: number | undefined;
}

/** Who solved a board, with the asker's own line if it is on another page. */
export function challengeStandingsReply({ challenge, rows, asker, mayClose, page }: StandingsShown): Reply {
  const { name, board, isOpen } = challenge;
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
      ...pageNote('Places', shown),
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

function tableOf(placed: readonly { readonly row: ChallengeRow; readonly rank: number }[]): Table {
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
