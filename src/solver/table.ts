import type { PlayableWord } from './types.ts';

/**
 * A word's weight adds up along a chain, and lighter chains come first: likelihood above all (as −ln,
 * in whole steps, so that sums are exact), then the number of words, then the number of letters.
 */
export function weightOf(likelihood: number, length: number): number {
  const cost = Math.round(Math.min(WORST, -Math.log(likelihood)) * COST_STEPS);
  return (cost * WORD_ROOM + 1) * LETTER_ROOM + length;
}
/** Weight (34 bits) and word number (19 bits) sort as one double. */
const NUMBER_ROOM = 2 ** 19;
const WORST = 15;
const COST_STEPS = 2 ** 16;
const LETTER_ROOM = 2 ** 10;
const WORD_ROOM = 2 ** 4;

/**
 * The words of a search as edges in typed arrays, grouped by the spot they start on and lightest first
 * within a group. A required word covers one more bit of its own, so "must contain" needs no other rule.
 */
export class WordTable {
  readonly words: readonly PlayableWord[];
  /** Spots of the board and required words together. */
  readonly bits: number;
  readonly full: number;
  /** Weight of each word. */
  readonly weights: Float64Array;
  /** Word numbers, lightest first. */
  readonly order: Uint32Array;
  readonly lightest: number;
  /** Edges that start on spot s are those from `from[s]` to `from[s + 1]`. */
  readonly from: Uint32Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly wordOf: Uint32Array;
  readonly #spots: number;
  readonly #required: readonly string[];

  constructor(words: readonly PlayableWord[], spots: number, required: readonly string[]) {
    this.words = words;
    this.#spots = spots;
    this.#required = required;
    this.bits = spots + required.length;
    this.full = 2 ** this.bits - 1;
    this.weights = new Float64Array(words.length);
    const keys = new Float64Array(words.length);
    let edges = 0;
    const starting = new Uint32Array(spots + 1);
    words.forEach((word, number) => {
      const weight = weightOf(word.likelihood, word.length);
      this.weights[number] = weight;
      keys[number] = weight * NUMBER_ROOM + number;
      for (const walk of word.walks) starting[walk.start + 1]!++;
      edges += word.walks.length;
    });
    keys.sort();
    this.order = new Uint32Array(words.length);
    for (let at = 0; at < keys.length; at++) this.order[at] = keys[at]! % NUMBER_ROOM;
    this.lightest = words.length === 0 ? 0 : this.weights[this.order[0]!]!;

    for (let spot = 0; spot < spots; spot++) starting[spot + 1]! += starting[spot]!;
    this.from = starting.slice();
    this.ends = new Uint8Array(edges);
    this.masks = new Int32Array(edges);
    this.wordOf = new Uint32Array(edges);
    for (const number of this.order) {
      const word = words[number]!;
      const extra = this.extraOf(number);
      for (const walk of word.walks) {
        const edge = starting[walk.start]!++;
        this.ends[edge] = walk.end;
        this.masks[edge] = walk.mask | extra;
        this.wordOf[edge] = number;
      }
    }
  }

  /** The words, lightest first. */
  get sorted(): PlayableWord[] {
    return Array.from(this.order, (number) => this.words[number]!);
  }

  /** What a word covers beyond its spots: its own bit, when it is a required one. */
  extraOf(number: number): number {
    return this.#required.length === 0
      ? 0
      : requiredBit(this.words[number]!.word, this.#spots, this.#required);
  }
}

function requiredBit(word: string, spots: number, required: readonly string[]): number {
  const index = required.indexOf(word);
  return index < 0 ? 0 : 1 << (spots + index);
}
