import { arrange } from './arrange.ts';
import { isAvoided } from './avoided-words.ts';
import { familiarWords } from './familiar.ts';
import type { Lexicon } from './lexicon.ts';
import { Planter } from './plant.ts';
import { Random } from './random.ts';
import { type BoardShape, letterCount, shapeKey } from './shape.ts';

/** Sides, and the chain of familiar words they were made for. */
export interface Candidate {
  readonly sides: readonly string[];
  readonly words: readonly string[];
}

/** Starts that may lead nowhere in a row: hundreds do on the largest boards, all do in a list too small. */
const MOST_STARTS = 20_000;
/** Up to this many letters there are pairs enough to draw at random. */
const PAIR_LETTERS = 12;
/** Draws before a chain is looked for instead: on the smallest boards, and in small lists, pairs are rare. */
const DRAWS = 600;
/** Starts before a chain may have one word more. */
const PATIENCE = 40;
const MOST_WORDS = 8;

/**
 * Boards of distinct letters for a seed, one after the other, without end; it ends only when the word
 * list has no more to give.
 */
export function* candidates(
  lexicon: Lexicon,
  { seed, shape }: { readonly seed: string; readonly shape: BoardShape },
): Generator<Candidate> {
  const familiar = familiarWords(lexicon);
  if (familiar.numbers.length === 0) return;
  const random = new Random(`${shapeKey(shape)} ${seed}`);
  const letters = letterCount(shape);
  const planter = new Planter(familiar, letters, random);
  // Words of the chain share their joints and more: about five new letters each is what they bring.
  const least = Math.max(2, Math.ceil((letters - 4) / 5));
  const draws = letters <= PAIR_LETTERS ? DRAWS : 0;
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const patience = Math.floor(Math.max(0, starts - draws) / PATIENCE);
    const chain = starts < draws ? planter.pair() : planter.chain(Math.min(MOST_WORDS, least + patience));
    if (chain === undefined) continue;
    const words = chain.map((word) => lexicon.wordAt(familiar.numbers[word]!));
    if (words.some(isAvoided)) continue;
    // A small word list may have no board with its vowels spread: any is better than none.
    const spreadVowels = starts < MOST_STARTS / 2;
    const sides = arrange(words, { shape, random, spreadVowels });
    if (sides === undefined) continue;
    yield { sides, words };
    starts = -1;
  }
}
