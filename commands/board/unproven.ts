import { quickOf } from '../../src/reply/seemly.ts';
import { solutionLine } from '../../src/reply/solution-line.ts';
import type { Reply } from '../../src/reply/types.ts';
import type { Search } from '../../src/solver/search.ts';
import type { Topic } from './topic.ts';

/** Where certainty took too long, a right answer that may not be the shortest is better than none. */
export function withUnproven(reply: Reply, search: Search, { judge }: Pick<Topic, 'judge'>): Reply {
  if (search.cut === undefined || search.fewest !== undefined) return reply;
  const solution = quickOf(search);
  if (solution === undefined) return reply;
  const hidden = [solutionLine(solution, judge.certain)];
  return {
    ...reply,
    blocks: [{ kind: 'spoiler', label: 'A solution, perhaps not the shortest', hidden }, ...reply.blocks],
  };
}
