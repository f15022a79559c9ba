import type { Block, Line, Reply } from '../../../reply/model/types.ts';

/**
 * Slack tells everybody who is mentioned in a new message, which a reply never wants, and nobody of a
 * mention that is edited in. So a message that all can see first names nobody, and is then changed.
 */
export function namesPeople({ blocks }: Pick<Reply, 'blocks'>): boolean {
  return blocks.flatMap(linesOf).some((line) => {
    const pieces = typeof line === 'string' || !('length' in line) ? [line] : line;
    return pieces.some((piece) => typeof piece === 'object' && 'person' in piece);
  });
}

/** Stands for a person in a message that could not be changed. */
export const SOMEBODY = 'somebody';

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'text':
      return block.lines;
    case 'spoiler':
      return block.hidden;
    case 'facts':
      return block.facts.map(({ value }) => value);
    case 'note':
      return [block.line];
    default:
      return [];
  }
}
