import { lowest, popcount } from './bits.ts';
import type { Random } from './random.ts';

const VOWELS = lettersIn('aeiou');
const HALF_VOWELS = lettersIn('aeiouy');
/** Placements tried before the letters are given up: where there is an arrangement, few are needed. */
const TRIES = 400;

/**
 * Puts letters on sides so that the words can be walked: letters next to each other in a word go on
 * different sides, and with `spread` the vowels are shared out as evenly as can be. Undefined when no way is found.
 *
 * @example arrange(['unform', 'mobilization'], 4, 3, random, true) // ['bmt', 'uoz', 'afl', 'inr']
 */
export function arrange(
  words: readonly string[],
  sideCount: number,
  sideLength: number,
  random: Random,
  spread: boolean,
): string[] | undefined {
  const neighbours = neighboursIn(words);
  const all = neighbours.reduce((mask, near, letter) => (near === 0 ? mask : mask | (1 << letter)), 0);
  const vowels = !spread ? 0 : all & (popcount(all & VOWELS) < sideCount ? HALF_VOWELS : VOWELS);
  const sides = new Array<number>(sideCount).fill(0);
  let tries = TRIES;

  const place = (left: number): boolean => {
    if (left === 0) return true;
    if (tries-- === 0) return false;
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

function lettersIn(text: string): number {
  let mask = 0;
  for (const letter of text) mask |= 1 << (letter.charCodeAt(0) - 97);
  return mask;
}

function spell(mask: number): string[] {
  const letters: string[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) letters.push(String.fromCharCode(97 + lowest(rest)));
  return letters;
}
