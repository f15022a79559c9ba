import { counted } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { HINT_STEPS, type HintStep } from '../../solver/hints.ts';
import { actionOn, buttonOn, pictureOf, subjectOfDay } from '../model/subject.ts';
import type { Fact, Reply } from '../model/types.ts';
import { hintButtons } from './hint.ts';
import { sourceLabel } from './source-label.ts';

export interface OpeningRequest {
  readonly puzzle: Puzzle;
  /** When the next puzzle replaces this one; left out for days past. */
  readonly until?: number;
  readonly audience: Reply['audience'];
  /** The hint steps to offer. */
  readonly steps?: readonly HintStep[];
}

/**
 * The day's board: a picture, what it asks for, and buttons for everything one may want of it.
 *
 * @example openingReply({ puzzle, audience: 'everyone' }).title // 'Letter Boxed, Friday 20 November 2026'
 */
export function openingReply({ puzzle, until, audience, steps = HINT_STEPS }: OpeningRequest): Reply {
  const subject = subjectOfDay(puzzle);
  const facts: Fact[] = [
    ...(puzzle.par === undefined ? [] : [{ label: 'Par', value: counted(puzzle.par, 'word') }]),
    ...(until === undefined
      ? []
      : [{ label: 'Next board', value: { moment: until, style: 'relative' } as const }]),
  ];
  return {
    title: `Letter Boxed, ${subject.name}`,
    blocks: [
      pictureOf(puzzle.board),
      ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }]),
      { kind: 'note', line: sourceLabel(puzzle) },
      { kind: 'buttons', buttons: hintButtons(subject, steps) },
      {
        kind: 'buttons',
        buttons: [
          buttonOn(subject, 'I solved it', 'play', {}, 'primary'),
          buttonOn(subject, 'Check my words', 'check'),
          buttonOn(subject, 'Reveal', 'reveal'),
        ],
      },
    ],
    audience,
    again: actionOn(subject, 'today'),
  };
}
