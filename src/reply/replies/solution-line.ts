import type { Solution } from '../../solver/types.ts';
import { bold } from '../model/text.ts';
import type { Block, Inline, Line } from '../model/types.ts';

/** Words as they are shown to people: the order they are played in. */
export function wordsLine(words: readonly string[]): Inline {
  return bold(words.map((word) => word.toUpperCase()).join(' – '));
}

/** A solution, and how likely the game is to take all its words, where that is not known for certain. */
export function solutionLine({ words, likelihood }: Solution, certain: boolean): Line {
  return certain ? [wordsLine(words)] : [wordsLine(words), ` (${percent(likelihood)})`];
}

/** What the percentages mean; nothing where there are none. */
export function likelihoodNote(certain: boolean): Block[] {
  if (certain) return [];
  return [{ kind: 'note', line: 'Percentages: how likely the game is to take every word.' }];
}

export function percent(likelihood: number): string {
  const whole = Math.round(100 * likelihood);
  return whole < 1 ? 'under 1 %' : whole === 100 && likelihood < 1 ? 'over 99 %' : `${whole} %`;
}
