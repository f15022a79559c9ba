import { popcount } from './bits.ts';
import type { FamiliarWords } from './familiar.ts';
import type { Random } from './random.ts';

/** Words looked at for each place in a chain of more than two: enough to find one that brings new letters. */
const LOOKED_AT = 64;

/**
 * A chain of familiar words with exactly `letters` different letters between them: two words where two
 * will do, else as few as come. Undefined when this try led nowhere.
 */
export function plant(
  words: FamiliarWords,
  letters: number,
  most: number,
  random: Random,
): number[] | undefined {
  const first = random.below(words.masks.length);
  if (popcount(words.masks[first]!) >= letters) return undefined;
  const second = completing(words, first, words.masks[first]!, letters, random);
  if (second !== undefined) return [first, second];
  return lengthen(words, first, letters, most, random);
}

function completing(words: FamiliarWords, before: number, covered: number, letters: number, random: Random) {
  const { from, masks, last } = words;
  const start = from[last[before]!]!;
  const count = from[last[before]! + 1]! - start;
  if (count === 0) return undefined;
  const turn = random.below(count);
  for (let index = 0; index < count; index++) {
    const at = start + ((index + turn) % count);
    // A word that has all the letters alone would leave the others without a part.
    if (popcount(masks[at]! | covered) === letters && popcount(masks[at]!) < letters) return at;
  }
  return undefined;
}

function lengthen(words: FamiliarWords, first: number, letters: number, most: number, random: Random) {
  const { from, masks, last } = words;
  const chain = [first];
  let covered = masks[first]!;
  while (chain.length < most - 1) {
    const end = last[chain.at(-1)!]!;
    const start = from[end]!;
    const count = from[end + 1]! - start;
    if (count === 0) return undefined;
    let best: number | undefined;
    let reach = popcount(covered);
    for (let look = 0; look < LOOKED_AT; look++) {
      const at = start + random.below(count);
      const reached = popcount(covered | masks[at]!);
      if (reached <= reach || reached >= letters) continue;
      reach = reached;
      best = at;
    }
    if (best === undefined) return undefined;
    chain.push(best);
    covered |= masks[best]!;
    const final = completing(words, best, covered, letters, random);
    if (final !== undefined) return [...chain, final];
  }
  return undefined;
}
