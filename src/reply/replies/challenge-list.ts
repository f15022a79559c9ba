import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import { buttonOn, buttonsBlock, subjectOfBoard } from '../model/subject.ts';
import { bold, joined } from '../model/text.ts';
import type { Action, Button, Inline, Line, Reply } from '../model/types.ts';
import type { ChallengeShown } from './challenge.ts';

/** So that their buttons, and those that turn the page, fit below them. */
const LIST_PAGE = 4;

export type ListedShown = ChallengeShown & { readonly solvers: number };

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
      ...pageNote('Boards', shown),
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
