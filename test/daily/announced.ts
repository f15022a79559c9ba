/** What messages of the daily thread announce, read from them. */

import type { Inline, Reply } from '../../src/reply/model/types.ts';
import { THREAD_STEPS, type ThreadStep } from '../../src/reply/replies/board.ts';

/** Every line of a message that people see before they open anything, as its pieces. */
export function linesOf({ blocks }: Reply): (readonly Inline[])[] {
  const lines = blocks.flatMap((block) => {
    if (block.kind === 'text') return block.lines;
    if (block.kind === 'facts') return block.facts.map(({ label, value }) => [`${label} `, value]);
    return block.kind === 'note' ? [block.line] : [];
  });
  return lines.map((line) => (Array.isArray(line) ? line : [line]) as readonly Inline[]);
}

export const momentsIn = (line: readonly Inline[]) =>
  line.flatMap((piece) => (typeof piece === 'object' && 'moment' in piece ? [piece.moment] : []));

/** The steps that a message announces for moments to come, by those moments: the names right before ` at `. */
export function announced(reply: Reply): { readonly text: string; readonly at: number }[] {
  return linesOf(reply).flatMap((line) =>
    line.flatMap((piece, index) => {
      const before = String(line[index - 1]);
      if (typeof piece !== 'object' || !('moment' in piece) || !before.endsWith(' at ')) return [];
      const names = before === ' at ' ? String(line[index - 2]) : before.split(' · ').at(-1)!;
      return [{ text: names.toLowerCase(), at: piece.moment }];
    }),
  );
}

/** The steps that a message in the thread contains. */
export function stepsOf({ rerun }: Reply): readonly ThreadStep[] {
  if (rerun?.command === 'reveal') return ['solution'];
  return THREAD_STEPS.filter(
    (step) => rerun?.command === 'thread' && String(rerun.options.steps).split(',').includes(step),
  );
}
