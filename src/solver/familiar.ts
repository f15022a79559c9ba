import { lettersIn, lowest, popcount } from './bits.ts';
import { edgeAt, type Lexicon, tierOf, toByte, WORD_END } from './lexicon.ts';
import type { Random } from './random.ts';

/** The words that boards are built around, by their first letter, in typed arrays. */
export interface FamiliarWords {
  /** Words from `from[l]` to `from[l + 1]` begin with letter l. */
  readonly from: Uint32Array;
  /** A bit for each letter of the alphabet in the word. */
  readonly masks: Uint32Array;
  readonly last: Uint8Array;
  /** The letters of word w, 0 for a, stand from `lettersFrom[w]` to `lettersFrom[w + 1]`. */
  readonly lettersFrom: Uint32Array;
  readonly letters: Uint8Array;
  /** The word's number in the lexicon. */
  readonly numbers: Uint32Array;
}

/** A board is built around words that nearly everyone knows, if the list has enough of them. */
const SURE = toByte(0.99);
const ENOUGH = 2000;

const known = new WeakMap<Lexicon, FamiliarWords>();

/** Everyday words without double letters, which can't be walked on a board of distinct letters. Made once for each lexicon. */
export function familiarWords(lexicon: Lexicon): FamiliarWords {
  let words = known.get(lexicon);
  if (words === undefined) {
    words = collect(lexicon, SURE);
    if (words.numbers.length < ENOUGH) words = collect(lexicon, 0);
    known.set(lexicon, words);
  }
  return words;
}

function collect(lexicon: Lexicon, least: number): FamiliarWords {
  const { root, graph, likelihoods, tiers } = lexicon;
  const from = new Uint32Array(27);
  const masks: number[] = [];
  const last: number[] = [];
  const numbers: number[] = [];
  const lettersFrom = [0];
  const spelled: number[] = [];
  const path: number[] = [];
  const visit = (node: number, number: number, final: number, mask: number): void => {
    const bits = graph[node]!;
    if (bits & WORD_END && tierOf(tiers[number]!) === 'everyday' && likelihoods[number]! >= least) {
      masks.push(mask);
      last.push(final);
      numbers.push(number);
      for (const letter of path) spelled.push(letter);
      lettersFrom.push(spelled.length);
    }
    for (let open = bits & (WORD_END - 1); open !== 0; open &= open - 1) {
      const letter = lowest(open);
      if (letter === final) continue;
      const edge = edgeAt(node, bits, 1 << letter);
      path.push(letter);
      visit(graph[edge]!, number + graph[edge + 1]!, letter, mask | (1 << letter));
      path.pop();
      if (node === root) from[letter + 1] = numbers.length;
    }
  };
  visit(root, 0, -1, 0);
  // Letters that no word begins with have an empty range.
  for (let letter = 0; letter < 26; letter++) from[letter + 1] = Math.max(from[letter]!, from[letter + 1]!);
  return {
    from,
    masks: Uint32Array.from(masks),
    last: Uint8Array.from(last),
    lettersFrom: Uint32Array.from(lettersFrom),
    letters: Uint8Array.from(spelled),
    numbers: Uint32Array.from(numbers),
  };
}

/** How many familiar words can be walked on a board of distinct letters. */
export function countFamiliar(words: FamiliarWords, sides: readonly string[]): number {
  const { sideOf, all } = lettersOf(sides);
  let count = 0;
  for (let word = 0; word < words.masks.length; word++)
    if ((words.masks[word]! & ~all) === 0 && canWalk(words, word, sideOf)) count++;
  return count;
}

function canWalk({ letters, lettersFrom }: FamiliarWords, word: number, sideOf: Int8Array): boolean {
  let before = -1;
  for (let at = lettersFrom[word]!; at < lettersFrom[word + 1]!; at++) {
    const side = sideOf[letters[at]!]!;
    if (side === before) return false;
    before = side;
  }
  return true;
}

/** The side of each letter of the alphabet, -1 where there is none, and the mask of all letters of the board. */
function lettersOf(sides: readonly string[]): { readonly sideOf: Int8Array; readonly all: number } {
  const sideOf = new Int8Array(26).fill(-1);
  let all = 0;
  sides.forEach((side, index) => {
    for (let at = 0; at < side.length; at++) {
      const letter = side.charCodeAt(at) - 97;
      sideOf[letter] = index;
      all |= 1 << letter;
    }
  });
  return { sideOf, all };
}

/** Beginnings of words that are right to play, but that no generated board is built around. */
const BEGINNINGS = [
  'bastard',
  'behead',
  'bisexual',
  'crap',
  'cripple',
  'cums',
  'enslave',
  'fart',
  'genital',
  'genocid',
  'gook',
  'heterosexual',
  'homophob',
  'homosexual',
  'jackass',
  'lesbian',
  'lynch',
  'massacre',
  'masturbat',
  'midget',
  'molest',
  'necrophil',
  'nymphoman',
  'pimp',
  'pornograph',
  'prostitut',
  'rape',
  'rapist',
  'sexist',
  'sexual',
  'slave',
  'sperm',
  'squaw',
  'suicid',
  'terroris',
  'tortur',
  'transsexual',
  'transvestite',
  'turd',
] as const;
/** Beginnings of harmless words that would match. */
const HARMLESS = ['farth', 'fartl', 'pimpern', 'pimpl', 'squawk'] as const;

/** As one expression: a list of words is asked about word by word, and most are unlike any beginning. */
const AVOIDED = new RegExp(`^(?!${HARMLESS.join('|')})(?:${BEGINNINGS.join('|')})`);

export function isAvoided(word: string): boolean {
  return AVOIDED.test(word);
}

/** Two familiar words, the second beginning with the last letter of the first. */
export interface Pair {
  readonly words: readonly [string, string];
  /** A bit for each letter of the alphabet in them. */
  readonly letters: number;
}

/**
 * The newspaper's official pairs of 2024: the letter that joins the words is mostly s, e, d, t or g; they have 14, 15 and
 * 16 letters together at the quartiles, the shorter word 5 to 7. Items are drawn as often as their weights say. Few pairs
 * of 13 or 14 letters have twelve different ones, so they are drawn more often than they are wanted.
 */
const JOINTS = weighted({ s: 24, e: 20, d: 15, t: 12, g: 10, r: 5, y: 5, n: 3, l: 3, h: 1, m: 1, c: 1 });
const TOGETHER = weighted({ 13: 24, 14: 36, 15: 18, 16: 11, 17: 6, 18: 4 });
const SHORTER = weighted({ 4: 6, 5: 26, 6: 34, 7: 28, 8: 6 });
const LONGEST = 11;

const VOWELS = lettersIn('aeiou');
const LEAST_VOWELS = 3;
const MOST_VOWELS = 5;

/** Above this likelihood are the words that everyone uses; between 0.99 and this, words that most people know. */
const WELL_KNOWN = toByte(0.999);

const SAMPLED = 3;

/** Words of one length with one letter in one place, the well-known ones first. */
interface Bucket {
  readonly words: number[];
  wellKnown: number;
}

const pairsOf = new WeakMap<Lexicon, Pairs>();

/** Draws pairs of familiar words like those the newspaper's boards are built around. */
export class Pairs {
  readonly #lexicon: Lexicon;
  readonly #familiar: FamiliarWords;
  readonly #ending = new Map<number, Bucket>();
  readonly #beginning = new Map<number, Bucket>();

  /** Made once for each lexicon. */
  static of(lexicon: Lexicon): Pairs {
    let pairs = pairsOf.get(lexicon);
    if (pairs === undefined) {
      pairs = new Pairs(lexicon);
      pairsOf.set(lexicon, pairs);
    }
    return pairs;
  }

  private constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#familiar = familiarWords(lexicon);
    const { numbers, lettersFrom, letters, last } = this.#familiar;
    const all = Array.from(numbers.keys()).filter((word) => !isAvoided(lexicon.wordAt(numbers[word]!)));
    const isWellKnown = (word: number) => lexicon.likelihoods[numbers[word]!]! >= WELL_KNOWN;
    for (const wellKnown of [true, false]) {
      for (const word of all) {
        if (isWellKnown(word) !== wellKnown) continue;
        const length = lettersFrom[word + 1]! - lettersFrom[word]!;
        add(this.#ending, keyOf(last[word]!, length), word, wellKnown);
        add(this.#beginning, keyOf(letters[lettersFrom[word]!]!, length), word, wellKnown);
      }
    }
  }

  /**
   * A letter to join two words. It is drawn apart from the words and kept, since whether a board suits depends much on it:
   * with a letter drawn for each pair, boards would be joined by other letters than the newspaper's.
   */
  drawJoint(random: Random): number {
    return indexOf(pick(JOINTS, random));
  }

  /** One try: nine in ten are undefined, since most words that meet have more or fewer than `size` letters between them. */
  draw(size: number, joint: number, wellKnown: boolean, random: Random): Pair | undefined {
    const together = Number(pick(TOGETHER, random));
    const shorter = Number(pick(SHORTER, random));
    const longer = together - shorter;
    if (longer < shorter || longer > LONGEST) return undefined;
    const isShorterFirst = random.below(2) === 0;
    const firsts = this.#ending.get(keyOf(joint, isShorterFirst ? shorter : longer));
    const seconds = this.#beginning.get(keyOf(joint, isShorterFirst ? longer : shorter));
    const first = drawFrom(firsts, wellKnown, random);
    const second = drawFrom(seconds, wellKnown, random);
    if (first === undefined || second === undefined) return undefined;
    const { masks, numbers } = this.#familiar;
    const letters = masks[first]! | masks[second]!;
    if (popcount(letters) !== size) return undefined;
    const vowels = popcount(letters & VOWELS);
    if (vowels < LEAST_VOWELS || vowels > MOST_VOWELS) return undefined;
    return {
      words: [this.#lexicon.wordAt(numbers[first]!), this.#lexicon.wordAt(numbers[second]!)],
      letters,
    };
  }

  /** About how many familiar words are spelled with these letters alone, on whatever sides: one in three is looked at. */
  within(letters: number): number {
    const { masks } = this.#familiar;
    let count = 0;
    for (let word = 0; word < masks.length; word += SAMPLED) if ((masks[word]! & ~letters) === 0) count++;
    return SAMPLED * count;
  }
}

function add(buckets: Map<number, Bucket>, key: number, word: number, wellKnown: boolean): void {
  const bucket = buckets.get(key) ?? { words: [], wellKnown: 0 };
  buckets.set(key, bucket);
  bucket.words.push(word);
  if (wellKnown) bucket.wellKnown++;
}

function drawFrom(bucket: Bucket | undefined, wellKnown: boolean, random: Random): number | undefined {
  if (bucket === undefined) return undefined;
  const size = wellKnown ? bucket.wellKnown : bucket.words.length;
  return size === 0 ? undefined : bucket.words[random.below(size)];
}

function keyOf(letter: number, length: number): number {
  return 64 * letter + length;
}

/** Each item as often as its weight says. */
function weighted(weights: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(weights).flatMap(([item, weight]) => new Array<string>(weight).fill(item));
}

function pick(items: readonly string[], random: Random): string {
  return items[random.below(items.length)]!;
}

function indexOf(letter: string): number {
  return letter.charCodeAt(0) - 97;
}
