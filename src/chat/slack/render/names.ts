import { isPerson } from '../../../reply/model/table.ts';
import type { Block, Line, Reply } from '../../../reply/model/types.ts';

/**
 * Whether the reply mentions people. Slack notifies everybody who is mentioned in a new message, which a reply
 * must never do, but nobody whose mention is added by an edit. So a public message is posted without names
 * first, and then changed.
 */
export function namesPeople({ blocks }: Pick<Reply, 'blocks'>): boolean {
  return blocks.flatMap(linesOf).some((line) => {
    const pieces = typeof line === 'string' || !('length' in line) ? [line] : line;
    return pieces.some((piece) => typeof piece === 'object' && 'person' in piece);
  });
}

/** Shown instead of a person in a message that could not be changed. */
export const SOMEBODY = 'somebody';

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case 'text':
      return block.lines;
    case 'spoiler':
      return block.hidden;
    case 'facts':
      return block.facts.map(({ value }) => value);
    case 'table':
      return block.table.rows.flat().filter((cell) => isPerson(cell));
    case 'note':
      return [block.line];
    default:
      return [];
  }
}
