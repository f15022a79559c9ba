import { counted } from '../../core/text.ts';
import type { Appraisal, Difficulty } from '../../solver/difficulty.ts';
import type { Board } from '../../solver/types.ts';
import type { MadeBoardResult } from '../../store/tables/made-boards.ts';
import { boardToPlay, buttonOn, subjectOfBoard } from '../model/subject.ts';
import { bold } from '../model/text.ts';
import type { Action, Block, Button, Fact, Line, Reply } from '../model/types.ts';
import { scoreText } from './result-line.ts';

/** A board that somebody made for a channel, as far as it is shown. */
export interface MadeBoardShown {
  readonly name: string;
  readonly board: Board;
  readonly appraisal: Appraisal | undefined;
  /** Null when they asked to be forgotten. */
  readonly madeBy: string | null;
  /** When results stop counting. */
  readonly until: number;
  readonly isOpen: boolean;
  /** The address of its page for everybody. */
  readonly page?: string | undefined;
}

/** One line of a board's standings, the best first. */
export type MadeBoardRow = Pick<MadeBoardResult, 'person' | 'words' | 'letters' | 'hints'>;

/** House boards get harder over the week, which is what a difficulty means here. */
const HOUSE_DAYS: Readonly<Record<Difficulty, string>> = {
  easy: 'on Mondays and Tuesdays',
  medium: 'from Wednesday to Friday',
  hard: 'on weekends',
};
const BEST_SHOWN = 3;

/** The message under which a board is played: everything in it stays true until it is closed. */
export function madeBoardReply(madeBoard: MadeBoardShown, audience: Reply['audience']): Reply {
  const { name, board, page } = madeBoard;
  const subject = subjectOfBoard(board);
  return {
    title: `Challenge: ${name}`,
    blocks: [
      boardToPlay(subject),
      { kind: 'facts', facts: factsOf(madeBoard) },
      ...(page === undefined ? [] : [pageLine(page)]),
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Play', 'play', { look: 'primary' }),
          buttonOn(subject, 'Hint', 'hint'),
          buttonOn(subject, 'Check', 'check'),
          boardButton('Standings', 'standings', board),
        ],
      },
    ],
    audience,
  };
}

/** The same message once the board is closed, with the best results. */
export function closedReply(madeBoard: MadeBoardShown, best: readonly MadeBoardRow[]): Reply {
  const { name, board } = madeBoard;
  const subject = subjectOfBoard(board);
  const lines: Line[] =
    best.length === 0
      ? ['No results in time.']
      : best.slice(0, BEST_SHOWN).map((row, index) => rowLine(row, index + 1));
  return {
    title: `Closed: ${name}`,
    blocks: [
      boardToPlay(subject),
      { kind: 'text', lines },
      { kind: 'note', line: 'You can still play it, but results no longer count.' },
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Solution', 'reveal', { look: 'primary' }),
          buttonOn(subject, 'Play', 'play'),
          boardButton('Standings', 'standings', board),
        ],
      },
    ],
    audience: 'everyone',
  };
}

/** What is left of the message of a board that was removed. */
export function removedReply({ name }: Pick<MadeBoardShown, 'name'>): Reply {
  return noteReply(`Removed: ${name}`, 'This board and its results were removed.', 'everyone');
}

export const MADE_BY = 'Made by';

export function factsOf({ appraisal, madeBy, until, isOpen }: MadeBoardShown): Fact[] {
  const { par, difficulty, everyday } = appraisal ?? {};
  return [
    ...(par === undefined ? [] : [{ label: 'Par', value: counted(par, 'word') }]),
    ...(difficulty === undefined
      ? []
      : [{ label: 'Difficulty', value: `${difficulty}, like the house boards ${HOUSE_DAYS[difficulty]}` }]),
    ...(appraisal !== undefined && everyday === undefined
      ? [{ label: 'Words', value: 'it takes some that few people know' }]
      : []),
    ...(madeBy === null ? [] : [{ label: MADE_BY, value: { person: madeBy } }]),
    ...(isOpen ? [{ label: 'Open until', value: { moment: until, style: 'date' } as const }] : []),
  ];
}

export function boardButton(label: string, todo: string, board: Board, look?: Button['look']): Button {
  return { label, action: boardAction(todo, board), ...(look && { look }) };
}

export function boardAction(todo: string, board: Board, page?: number): Action {
  const { options } = subjectOfBoard(board);
  return { command: 'board', options: { do: todo, ...options, ...(page !== undefined && { page }) } };
}

export function pageLine(page: string): Block {
  return {
    kind: 'note',
    line: [{ link: page, label: 'Play it in a browser' }, ', where nothing is recorded.'],
  };
}

function rowLine({ person, ...score }: MadeBoardRow, rank: number): Line {
  return [bold(`${rank}.`), ' ', { person }, ` ${scoreText(score, ' · ')}`];
}

export function noteReply(title: string, line: Line, audience: Reply['audience']): Reply {
  return { title, blocks: [{ kind: 'text', lines: [line] }], audience };
}
