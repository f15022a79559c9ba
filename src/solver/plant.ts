import { popcount } from './bits.ts';
import type { FamiliarWords } from './familiar.ts';
import type { Random } from './random.ts';

/**
 * Second words drawn for a first one. To go through them all would favour first words that few second
 * ones suit, and the same boards would come again and again.
 */
const DRAWN = 4;
/** A letter is common as a first one when it begins one word in this many. */
const COMMON_SHARE = 25;
/** Words looked at for each place in a chain of more than two: enough to find one that brings new letters. */
const LOOKED_AT = 64;

/** Two familiar words, drawn at random, with exactly `letters` different letters between them. Often undefined. */
export function plantPair(words: FamiliarWords, letters: number, random: Random): number[] | undefined {
  const first = drawFirst(words, letters, random);
  if (first === undefined) return undefined;
  const [start, count] = followers(words, first);
  for (let draw = 0; draw < DRAWN; draw++) {
    const second = start + random.below(count);
    if (completes(words, words.masks[first]!, second, letters)) return [first, second];
  }
  return undefined;
}

/**
 * A chain of two to `most` familiar words with exactly `letters` different letters between them: it grows
 * by words that bring many new letters until one completes it. Undefined when this try led nowhere.
 */
export function plantChain(
  words: FamiliarWords,
  letters: number,
  most: number,
  random: Random,
): number[] | undefined {
  let word = drawFirst(words, letters, random);
  const chain: number[] = [];
  let covered = 0;
  while (word !== undefined && chain.length < most - 1) {
    chain.push(word);
    covered |= words.masks[word]!;
    const final = completing(words, word, covered, letters, random);
    if (final !== undefined) return [...chain, final];
    word = widest(words, word, covered, letters, random);
  }
  return undefined;
}

function drawFirst(words: FamiliarWords, letters: number, random: Random): number | undefined {
  const first = random.below(words.masks.length);
  return popcount(words.masks[first]!) < letters && goesOnWell(words, first, random) ? first : undefined;
}

/**
 * Few words begin with y or k, so boards joined on those would repeat themselves: words that end on such
 * a letter are taken less often, by how few.
 */
function goesOnWell(words: FamiliarWords, word: number, random: Random): boolean {
  return random.below(Math.ceil(words.masks.length / COMMON_SHARE)) < followers(words, word)[1];
}

/** Where the words that begin on this one's last letter start, and how many there are. */
function followers({ from, last }: FamiliarWords, word: number): readonly [number, number] {
  const letter = last[word]!;
  return [from[letter]!, from[letter + 1]! - from[letter]!];
}

/** A word that has all the letters by itself would leave the others without a part. */
function completes({ masks }: FamiliarWords, covered: number, word: number, letters: number): boolean {
  return popcount(masks[word]! | covered) === letters && popcount(masks[word]!) < letters;
}

function completing(words: FamiliarWords, before: number, covered: number, letters: number, random: Random) {
  const [start, count] = followers(words, before);
  const turn = random.below(count);
  for (let index = 0; index < count; index++) {
    const word = start + ((index + turn) % count);
    if (completes(words, covered, word, letters)) return word;
  }
  return undefined;
}

/** Of some words that can follow, the one with the most new letters that still leaves one for another. */
function widest(words: FamiliarWords, before: number, covered: number, letters: number, random: Random) {
  const [start, count] = followers(words, before);
  let best: number | undefined;
  let reach = popcount(covered);
  for (let look = 0; look < LOOKED_AT; look++) {
    const word = start + random.below(count);
    const reached = popcount(covered | words.masks[word]!);
    if (reached <= reach || reached >= letters || followers(words, word)[1] === 0) continue;
    reach = reached;
    best = word;
  }
  return best;
}
