import { counted } from '../../core/text.ts';
import type { Appraisal } from '../../solver/difficulty.ts';
import type { Board } from '../../solver/types.ts';
import { boardToPlay, buttonOn, subjectOfBoard } from '../model/subject.ts';
import type { Block, Button, Line, Reply } from '../model/types.ts';
import {
  boardAction,
  boardButton,
  factsOf,
  MADE_BY,
  type MadeBoardShown,
  noteReply,
  pageLine,
} from './made-board.ts';

/** For the person who made a board: where it is, and what was found out about it. */
export function madeReply(madeBoard: MadeBoardShown, outcome: 'posted' | 'threadless' | 'unposted'): Reply {
  const { name, board, page, appraisal } = madeBoard;
  const where = {
    posted: 'It’s in the channel now, with a thread of its own.',
    threadless: 'It’s in the channel now. I couldn’t open a thread for it.',
    unposted:
      'I couldn’t post it here, so only you see it. I may not be allowed to post, or to open threads. Once somebody changes that, make it again.',
  }[outcome];
  return {
    title: `You made ${name}`,
    blocks: [
      { kind: 'text', lines: [where] },
      ...(outcome === 'unposted' ? [boardToPlay(subjectOfBoard(board))] : []),
      { kind: 'facts', facts: factsOf(madeBoard).filter(({ label }) => label !== MADE_BY) },
      ...foundOut(appraisal),
      ...(page === undefined ? [] : [pageLine(page)]),
      { kind: 'buttons', buttons: ownButtons(board) },
    ],
    audience: 'asker',
  };
}

/** For somebody who makes a board that the channel has. */
export function alreadyMadeReply({ name, board, isOpen }: MadeBoardShown): Reply {
  const lines: Line[] = [
    `This channel has that board already: ${name}.`,
    ...(isOpen ? [] : ['It is closed. Remove it to make it again.']),
  ];
  const buttons = [
    buttonOn(subjectOfBoard(board), 'Play', 'play', { look: 'primary' }),
    standingsButton(board),
  ];
  return {
    title: 'That board is here already',
    blocks: [
      { kind: 'text', lines },
      { kind: 'buttons', buttons },
    ],
    audience: 'asker',
  };
}

/** While another request posts the same board, or after an attempt of which nobody knows how it ended. */
export function postingReply({ name }: Pick<MadeBoardShown, 'name'>): Reply {
  const line = 'I don’t know yet if it was posted. If it isn’t in the channel in two minutes, make it again.';
  return noteReply(`Posting ${name}`, line, 'asker');
}

/** Asks for confirmation, since the results of others can't be brought back. */
export function removeQuestion(
  { name, board }: Pick<MadeBoardShown, 'name' | 'board'>,
  results: number,
): Reply {
  const what = results === 0 ? 'Nobody has solved it yet.' : `It deletes ${counted(results, 'result')}, too.`;
  const remove = boardAction('remove', board);
  const sure: Button = {
    label: 'Remove for good',
    action: { ...remove, options: { ...remove.options, sure: true } },
    look: 'danger',
  };
  return {
    title: `Remove ${name}?`,
    blocks: [
      { kind: 'text', lines: [`${what} You can’t undo it.`] },
      { kind: 'buttons', buttons: [sure, standingsButton(board)] },
    ],
    audience: 'asker',
  };
}

/** After a change that others see in the board's own message. */
export function changedReply(title: string, line: Line): Reply {
  return noteReply(title, line, 'asker');
}

/** How many words it takes, which is a hint: the maker may want to play, too. */
function foundOut(appraisal: Appraisal | undefined): Block[] {
  if (appraisal === undefined) return [];
  const { fewest, everyday } = appraisal;
  const hidden =
    everyday === undefined
      ? [`The shortest solution I found has ${counted(fewest, 'word')}. Everyday words alone don’t solve it.`]
      : [
          `Everyday words solve it in ${everyday}.`,
          ...(fewest < everyday ? [`All words do in ${fewest}.`] : []),
        ];
  return [{ kind: 'spoiler', label: 'How many words it takes', hidden }];
}

function ownButtons(board: Board): Button[] {
  return [
    buttonOn(subjectOfBoard(board), 'Play', 'play', { look: 'primary' }),
    standingsButton(board),
    boardButton('Remove it', 'remove', board, 'danger'),
  ];
}

function standingsButton(board: Board): Button {
  return boardButton('Standings', 'standings', board);
}
