import { counted } from '../../core/text.ts';
import { bold, buttonsBlock, notes, sentenceReply, textBlock, toAsker } from '../model/text.ts';
import type { Button, Reply } from '../model/types.ts';

/** How two people did on the same boards. */
export interface Compared {
  readonly days: number;
  /** Days on which the asker was better, and on which the other one was. */
  readonly better: number;
  readonly worse: number;
  /** Words that both found. */
  readonly words: number;
}

function answer(person: string, agree: boolean, label: string): Button {
  return { label, action: { command: 'stats', options: { with: person, agree } } };
}

/** For both people, who agreed. */
export function comparedReply(person: string, { days, better, worse, words }: Compared): Reply {
  return toAsker('You and me', [
    textBlock([
      ['You and ', { person }, ': ', bold(counted(days, 'day')), ' on which both of you solved the board.'],
      days > 0 &&
        `You were better on ${better}, they were on ${worse}, and you were equal on ${days - better - worse}.`,
      words > 0 && `You both found ${counted(words, 'word')}.`,
    ]),
    notes('Days that are over count, with words played on time. Words are kept for 60 days.'),
    buttonsBlock([answer(person, false, 'Stop comparing')]),
  ]);
}

/** The same answer whatever the reason is. */
export function uncomparedReply(person: string): Reply {
  return sentenceReply(
    'No comparison',
    ['There is none of you and ', { person }, '.'],
    'It needs both of you to agree. I ask each person once in private, if they play here; whoever hides or is calm is not asked.',
  );
}

/** Asks the other one, in private. @param person who wants to be compared */
export function comparisonQuestion(person: string): Reply {
  return toAsker('Compare your results?', [
    textBlock([
      [
        { person },
        ' would like to see how you both do: on how many days you solved the same board, who was better, and how many words you both found.',
      ],
      'They see nothing unless you agree, and are not told if you don’t. You can stop it at any time.',
    ]),
    buttonsBlock([{ ...answer(person, true, 'Agree'), look: 'primary' }, answer(person, false, 'No')]),
  ]);
}

export function notComparedReply(): Reply {
  return sentenceReply(
    'Not compared',
    'Nobody sees a comparison of the two of you, and I don’t ask you again.',
  );
}
