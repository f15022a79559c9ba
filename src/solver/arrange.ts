import { lettersIn, lowest, popcount } from './bits.ts';
import type { Random } from './random.ts';
import type { BoardShape } from './shape.ts';

const VOWELS = lettersIn('aeiou');
const HALF_VOWELS = lettersIn('aeiouy');
/** Placements tried before the letters are given up: where there is an arrangement, few are needed. */
const TRIES = 400;
/** Swaps tried: one in three is possible, and one arrangement in 256 has a date's turn. */
const SWAPS = 4_000;

export interface Arrangement {
  readonly shape: BoardShape;
  readonly random: Random;
  /** Share out the vowels among the sides, as evenly as can be. */
  readonly spreadVowels?: boolean;
}

/**
 * Puts letters on sides so that the words can be walked: letters next to each other in a word go on different sides.
 * Undefined when no way is found.
 *
 * @example arrange(['unform', 'mobilization'], { shape: { sides: 4, sideLength: 3 }, random, spreadVowels: true })
 * // ['bmt', 'uoz', 'afl', 'inr']
 */
export function arrange(
  words: readonly string[],
  { shape, random, spreadVowels = false }: Arrangement,
): string[] | undefined {
  const { sides: sideCount, sideLength } = shape;
  const neighbours = neighboursIn(words);
  const all = neighbours.reduce((mask, near, letter) => (near === 0 ? mask : mask | (1 << letter)), 0);
  const vowels = !spreadVowels ? 0 : all & (popcount(all & VOWELS) < sideCount ? HALF_VOWELS : VOWELS);
  const sides = new Array<number>(sideCount).fill(0);
  let tries = TRIES;

  const place = (left: number): boolean => {
    if (left === 0) return true;
    if (--tries < 0) return false;
    const vowelsLeft = left & vowels;
    const letter = mostConfined(vowelsLeft === 0 ? left : vowelsLeft);
    const bit = 1 << letter;
    const fewestVowels = Math.min(...sides.map((side) => popcount(side & vowels)));
    const turn = random.below(sideCount);
    let triedEmpty = false;
    for (let index = 0; index < sideCount; index++) {
      const at = (index + turn) % sideCount;
      const side = sides[at]!;
      if (side & neighbours[letter]! || popcount(side) === sideLength) continue;
      if (vowelsLeft !== 0 && popcount(side & vowels) > fewestVowels) continue;
      // Empty sides are all alike.
      if (side === 0 && triedEmpty) continue;
      triedEmpty ||= side === 0;
      sides[at] = side | bit;
      if (place(left ^ bit)) return true;
      sides[at] = side;
    }
    return false;
  };
  /** The letter with the fewest sides to go to; among equals the one with most neighbours still to place. */
  const mostConfined = (left: number): number => {
    let best = lowest(left);
    let fewest = Number.POSITIVE_INFINITY;
    for (let rest = left; rest !== 0; rest &= rest - 1) {
      const letter = lowest(rest);
      let room = 0;
      for (const side of sides) if (!(side & neighbours[letter]!) && popcount(side) < sideLength) room++;
      const confinement = room * 32 - popcount(neighbours[letter]! & left);
      if (confinement >= fewest) continue;
      fewest = confinement;
      best = letter;
    }
    return best;
  };

  if (!place(all)) return undefined;
  return random.shuffle(sides.map((side) => random.shuffle(spell(side)).join('')));
}

/**
 * Goes from one arrangement to others by swapping two letters at a time, which is far faster than arranging from the
 * start, until one has what `suits` asks of its sides, given as a bit for each letter. Undefined when none had.
 */
export function rearrange(
  words: readonly string[],
  sides: readonly string[],
  random: Random,
  suits: (sides: readonly number[]) => boolean,
): string[] | undefined {
  const neighbours = neighboursIn(words);
  const masks = sides.map(lettersIn);
  const letters = Array.from(sides.join(''), (letter) => letter.charCodeAt(0) - 97);
  const sideOf = sides.flatMap((side, index) => Array.from(side, () => index));
  for (let swap = 0; swap < SWAPS; swap++) {
    if (suits(masks)) return random.shuffle(masks.map((side) => random.shuffle(spell(side)).join('')));
    const a = random.below(letters.length);
    const b = random.below(letters.length);
    const [sideA, sideB] = [sideOf[a]!, sideOf[b]!];
    if (sideA === sideB) continue;
    const both = (1 << letters[a]!) | (1 << letters[b]!);
    const newA = masks[sideA]! ^ both;
    const newB = masks[sideB]! ^ both;
    if (newA & neighbours[letters[b]!]! || newB & neighbours[letters[a]!]!) continue;
    masks[sideA] = newA;
    masks[sideB] = newB;
    [letters[a], letters[b]] = [letters[b]!, letters[a]!];
  }
  return undefined;
}

/** For each letter, the letters that stand next to it in some word. */
function neighboursIn(words: readonly string[]): number[] {
  const neighbours = new Array<number>(26).fill(0);
  for (const word of words) {
    for (let index = 1; index < word.length; index++) {
      const a = word.charCodeAt(index - 1) - 97;
      const b = word.charCodeAt(index) - 97;
      neighbours[a]! |= 1 << b;
      neighbours[b]! |= 1 << a;
    }
  }
  return neighbours;
}

function spell(mask: number): string[] {
  const letters: string[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) letters.push(String.fromCharCode(97 + lowest(rest)));
  return letters;
}
