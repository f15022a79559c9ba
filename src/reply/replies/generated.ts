import type { GeneratedBoard } from '../../solver/generate.ts';
import { buttonOn, pictureOf, subjectOfBoard } from '../model/subject.ts';
import type { Action, Reply } from '../model/types.ts';
import { hintButtons } from './hint.ts';

export interface GeneratedRequest {
  readonly generated: GeneratedBoard;
  /** The options it was asked for with, seed and all. */
  readonly options: Action['options'];
  readonly audience: Reply['audience'];
}

/** A fresh board to play. The chain it was built around stays out of it. */
export function generatedReply({ generated, options, audience }: GeneratedRequest): Reply {
  const { board, difficulty, seed } = generated;
  const subject = subjectOfBoard(board);
  const again: Action = { command: 'generate', options: { ...options, seed } };
  const { seed: _, ...shape } = options;
  return {
    title: `A fresh ${difficulty} board: ${subject.name}`,
    blocks: [
      pictureOf(board),
      { kind: 'note', line: ['Generated from the seed ', { code: seed }, '; the same seed gives it again.'] },
      { kind: 'buttons', buttons: hintButtons(subject) },
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'Check my words', 'check', {}, 'primary'),
          buttonOn(subject, 'Reveal', 'reveal'),
          { label: 'Another board', action: { command: 'generate', options: shape } },
        ],
      },
    ],
    audience,
    again,
  };
}
