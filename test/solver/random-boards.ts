import {
  type BoardShape,
  GENERATED_LIMITS,
  LIMITS,
  letterCount,
  makeBoard,
  type Range,
} from '../../src/solver/board.ts';
import { compileLexicon, type Lexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import { walkWord } from '../../src/solver/playable.ts';
import type { Board, PlayableWord } from '../../src/solver/types.ts';

/** A small seeded generator (mulberry32), so that a failing case can be run again by its number. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface RandomCase {
  board: Board;
  /** Words that can be walked, words that can't, and their likelihoods: powers of two, so products are exact. */
  entries: LexiconEntry[];
}

/** Small boards of 2 to 12 sides, a third of them with repeated letters, and words mostly walked at random. */
export function randomCase(seed: number): RandomCase {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const sideCount = 2 + below(11);
  const sizes = Array.from({ length: sideCount }, () => 1);
  const spots = Math.min(12, Math.max(4, sideCount) + below(4));
  for (let total = sideCount; total < spots; total++) {
    const roomy = sizes.map((size, side) => (size < 6 ? side : -1)).filter((side) => side >= 0);
    sizes[roomy[below(roomy.length)]!]!++;
  }
  const repeats = next() < 0.35;
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const letters: string[] = [];
  while (letters.length < spots) {
    const at = below(repeats ? Math.max(3, spots - 2) : alphabet.length);
    // Where one letter fills the board, a word has hundreds of walks, and a few such boards take all the time.
    if (letters.filter((letter) => letter === alphabet[at]).length > 4) continue;
    letters.push(repeats ? alphabet[at]! : alphabet.splice(at, 1)[0]!);
  }
  const sides = sizes.map((size) => letters.splice(0, size).join(''));
  const board = makeBoard(sides);
  const entries = new Map<string, LexiconEntry>();
  const wanted = 6 + below(14);
  for (let tries = 0; entries.size < wanted && tries < 200; tries++) {
    const walked = next() < 0.9;
    let at = below(spots);
    let word = board.letters[at]!;
    // A word of repeated letters has so many spellings that the brute force could not finish long ones.
    const length = 3 + below(repeats ? 4 : Math.max(2, spots - 2));
    while (word.length < length) {
      const to = below(spots);
      if (walked && board.sideOf[to] === board.sideOf[at]) continue;
      at = to;
      word += board.letters[at]!;
    }
    entries.set(word, { word, likelihood: 2 ** -below(5), tier: next() < 0.5 ? 'everyday' : 'wide' });
  }
  return { board, entries: [...entries.values()] };
}

/** Words of as many letters at random that can be played. */
export function randomWords(sides: readonly string[], count: number, length: number): string[] {
  const next = random(7);
  const words = new Set<string>();
  while (words.size < count) {
    let word = '';
    for (let last = -1; word.length < length; ) {
      const side = Math.floor(next() * sides.length);
      if (side === last) continue;
      word += sides[side]![Math.floor(next() * sides[side]!.length)];
      last = side;
    }
    words.add(word);
  }
  return [...words];
}

export function everydayLexicon(words: readonly string[]): Lexicon {
  return loadLexicon(compileLexicon(words.map((word) => ({ word, likelihood: 0.9, tier: 'everyday' }))));
}

/** The words that can be walked, with the likelihoods as given: a lexicon rounds them to a byte. */
export function playableOn(
  board: Board,
  entries: readonly (Pick<LexiconEntry, 'word' | 'likelihood'> & Partial<LexiconEntry>)[],
): PlayableWord[] {
  return entries
    .map((entry) => ({
      tier: 'wide' as const,
      ...entry,
      length: entry.word.length,
      walks: walkWord(board, entry.word),
    }))
    .filter(({ walks }) => walks.length > 0);
}

const range = ({ least, most }: Range) => Array.from({ length: most - least + 1 }, (_, at) => least + at);

/** All shapes of generated boards. */
export const SHAPES: readonly BoardShape[] = range(GENERATED_LIMITS.sides)
  .flatMap((sides) => range(GENERATED_LIMITS.lettersPerSide).map((sideLength) => ({ sides, sideLength })))
  .filter((shape) => letterCount(shape) >= LIMITS.spots.least && letterCount(shape) <= LIMITS.spots.most);
