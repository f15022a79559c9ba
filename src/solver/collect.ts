import { compareWords, type Ranked } from './batch.ts';
import type { Finisher } from './finish.ts';
import type { LastTwo } from './rare.ts';
import type { Start } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/**
 * All chains of two or three words, the lightest first and those of equal weight in alphabetical order;
 * undefined if there are more than `most`. For large boards, where few chains cover everything, and looking
 * for the lightest one would look through all of them anyway.
 */
export function collectChains(
  table: WordTable,
  finisher: Finisher,
  lastTwo: LastTwo,
  start: Start,
  words: 2 | 3,
  most: number,
  isRight: (chain: readonly number[]) => boolean,
  stopper: Stopper,
): Ranked[] | undefined {
  const { from, ends, masks, wordOf, weights } = table;
  const found: Ranked[] = [];
  const lastTwoFrom = (node: number, need: number, before: readonly number[], weight: number) => {
    const looked = lastTwo.each(node, need, (edge, rest) => {
      for (const last of finisher.all(ends[edge]!, rest)) {
        const chain = [...before, wordOf[edge]!, wordOf[last]!];
        if (found.length <= most && isRight(chain))
          found.push({ words: chain, weight: weight + weights[edge]! + weights[last]! });
      }
    });
    stopper.step(looked);
  };
  const starts =
    start === 'anywhere'
      ? Array.from(table.nodes.letters, (_, node) => ({ node, need: table.needOn(node) }))
      : start;
  for (const { node, need } of starts) {
    if (words === 2) lastTwoFrom(node, need, [], 0);
    else {
      for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
        lastTwoFrom(ends[edge]!, table.rest(need, masks[edge]!), [wordOf[edge]!], weights[edge]!);
        if (found.length > most) return undefined;
      }
    }
  }
  if (found.length > most) return undefined;
  return found.sort((a, b) => a.weight - b.weight || compareWords(a.words, b.words));
}
