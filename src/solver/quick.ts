import { popcount } from './bits.ts';
import type { Start } from './count.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** Many ways of going on stand alike, and are kept once. */
const ALIKE = 4;

interface Attempt {
  readonly before: Attempt | undefined;
  readonly word: number;
  readonly spot: number;
  readonly mask: number;
  readonly weight: number;
}

/**
 * A solution found by always going on from the chains that cover most: a right one, in a few milliseconds
 * on boards of any size, but perhaps with a word too many. Word numbers, or undefined if it found none.
 *
 * @param width how many ways of going on are kept at each word
 * @param stopper for a search with a limit of its own
 */
export function quickChain(
  table: WordTable,
  start: Start,
  maxWords: number,
  width: number,
  stopper?: Stopper,
): number[] | undefined {
  const { full, from } = table;
  const begin = (spot: number, mask: number): Attempt => ({
    before: undefined,
    word: -1,
    spot,
    mask,
    weight: 0,
  });
  const spots = Array.from({ length: from.length - 1 }, (_, spot) => begin(spot, 0));
  let kept = start === 'anywhere' ? spots : start.map(({ spot, mask }) => begin(spot, mask));
  for (let words = 0; words <= maxWords; words++) {
    const done = kept.filter(({ mask }) => mask === full).sort((a, b) => a.weight - b.weight)[0];
    if (done !== undefined) return spell(done);
    kept = goOn(table, kept, width, stopper);
  }
  return undefined;
}

/** The attempts one word longer that cover most, the lightest first among equals. */
function goOn(
  table: WordTable,
  attempts: readonly Attempt[],
  width: number,
  stopper: Stopper | undefined,
): Attempt[] {
  const { bits, from, ends, masks, wordOf, weights } = table;
  const byCovered: Map<number, Attempt>[] = Array.from({ length: bits + 1 }, () => new Map());
  // Once enough attempts cover more, those that cover less are not worth making.
  let least = leastWorthMaking(table, attempts, ALIKE * width);
  let kept = 0;
  for (const before of attempts) {
    stopper?.step(from[before.spot + 1]! - from[before.spot]!);
    for (let edge = from[before.spot]!; edge < from[before.spot + 1]!; edge++) {
      const mask = before.mask | masks[edge]!;
      const covered = popcount(mask);
      if (covered < least) continue;
      const word = wordOf[edge]!;
      const weight = before.weight + weights[edge]!;
      const spot = ends[edge]!;
      const place = spot * 2 ** bits + mask;
      const alike = byCovered[covered]!.get(place);
      if (alike !== undefined && alike.weight <= weight) continue;
      byCovered[covered]!.set(place, { before, word, spot, mask, weight });
      if (alike === undefined) kept++;
      while (kept - byCovered[least]!.size >= width) kept -= byCovered[least++]!.size;
    }
  }
  const best: Attempt[] = [];
  for (let covered = bits; covered >= least && best.length < width; covered--) {
    for (const attempt of [...byCovered[covered]!.values()].sort((a, b) => a.weight - b.weight))
      best.push(attempt);
  }
  return best.slice(0, width);
}

/** Counted first: to make them all and then keep the best would take much longer. */
function leastWorthMaking(
  { bits, from, masks }: WordTable,
  attempts: readonly Attempt[],
  most: number,
): number {
  const covering = new Uint32Array(bits + 1);
  for (const { spot, mask } of attempts) {
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) covering[popcount(mask | masks[edge]!)]!++;
  }
  let least = bits;
  let enough = 0;
  while (least > 0) {
    enough += covering[least]!;
    if (enough >= most) break;
    least--;
  }
  return least;
}

function spell(attempt: Attempt): number[] {
  const words: number[] = [];
  for (let at: Attempt | undefined = attempt; at !== undefined && at.word >= 0; at = at.before)
    words.push(at.word);
  return words.reverse();
}
