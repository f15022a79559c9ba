import { compareWords, type Ranked } from './batch.ts';
import type { Parts } from './parts.ts';

/**
 * All chains of three words, the lightest first and those of equal weight in alphabetical order; undefined if there are
 * more than `most`. For large boards, where few chains cover everything, and looking for the lightest one would look
 * through all of them anyway.
 */
export function collectTriples(parts: Parts, most: number): Ranked[] | undefined {
  const { table, finisher, lastTwo, start, stopper } = parts;
  const { from, ends, masks, wordOf, weights } = table;
  const found: Ranked[] = [];
  const starts =
    start === 'anywhere'
      ? Array.from(table.nodes.letters, (_, node) => ({ node, need: table.needOn(node) }))
      : start;
  for (const { node, need } of starts) {
    for (let first = from[node]!; first < from[node + 1]!; first++) {
      const looked = lastTwo.each(ends[first]!, table.rest(need, masks[first]!), (second, rest) => {
        for (const last of finisher.all(ends[second]!, rest)) {
          const words = [wordOf[first]!, wordOf[second]!, wordOf[last]!];
          if (found.length <= most && parts.isRight(words))
            found.push({ words, weight: weights[first]! + weights[second]! + weights[last]! });
        }
      });
      stopper.step(looked);
      if (found.length > most) return undefined;
    }
  }
  return found.sort((a, b) => a.weight - b.weight || compareWords(a.words, b.words));
}
