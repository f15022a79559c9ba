import { type Columns, orderOf } from './columns.ts';
import { fromByte, type Lexicon, tierOf } from './lexicon.ts';
import { nodesOf } from './nodes.ts';
import type { Board, PlayableWord, Tier, Walk } from './types.ts';
import { MASK_BITS, NUMBER_BITS, walkGraph } from './walk-graph.ts';
import { walkWord } from './walk-word.ts';
import { weightOf } from './weight.ts';

export { walkWord };

/** What a word of this likelihood weighs, by its byte, before its letters are added. */
const WEIGHT_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) => weightOf(fromByte(byte), 0));

/** Every word of the lexicon that can be walked on the board, in alphabetical order. */
export function findPlayable(board: Board, lexicon: Lexicon): PlayableWord[] {
  return wordsOf(walkBoard(board, lexicon));
}

/** The words of columns, in the order of their numbers. */
export function wordsOf(columns: Columns): PlayableWord[] {
  return Array.from({ length: columns.size }, (_, number) => columns.word(number));
}

/**
 * The same words as columns, in one walk of the graph: what a search needs, without an object for each.
 * A word takes as many steps as it has letters, however many ways there are to walk it.
 *
 * @example makeSearch(board, walkBoard(board, lexicon)).fewest // 2
 */
export function walkBoard(board: Board, lexicon: Lexicon): Columns {
  const nodes = nodesOf(board);
  const isDistinct = nodes.fields.length === 0;
  const found = walkGraph(board, lexicon, nodes);
  const { size } = found;
  const alphabetical = orderOf(found.numbers.subarray(0, size), Math.ceil(Math.log2(lexicon.size)));
  const numbers = new Uint32Array(size);
  const masks = new Int32Array(size);
  const starts = new Uint8Array(size);
  const ends = new Uint8Array(size);
  const lengths = new Uint8Array(size);
  const weights = new Float64Array(size);
  const ranks = new Uint16Array(size);
  for (let word = 0; word < size; word++) {
    const at = alphabetical[word]!;
    const number = found.numbers[at]! & (2 ** NUMBER_BITS - 1);
    const byte = lexicon.likelihoods[number]!;
    const mask = found.masks[at]!;
    const length = found.numbers[at]! >>> NUMBER_BITS;
    numbers[word] = number;
    masks[word] = mask & (2 ** MASK_BITS - 1);
    starts[word] = found.starts[at]!;
    ends[word] = mask >>> MASK_BITS;
    lengths[word] = length;
    weights[word] = WEIGHT_OF_BYTE[byte]! + length;
    ranks[word] = ((255 - byte) << 8) | length;
  }
  const words = new Array<PlayableWord | undefined>(size);
  return {
    size,
    weights,
    order: orderOf(ranks, 16),
    starts,
    ends,
    masks,
    word(number) {
      const known = words[number];
      if (known !== undefined) return known;
      const walk = { start: starts[number]!, end: ends[number]!, mask: masks[number]! };
      const word = new LexiconWord(lexicon, numbers[number]!, lengths[number]!, isDistinct ? walk : board);
      words[number] = word;
      return word;
    },
  };
}

/** A playable word of a lexicon. Its spelling is looked up when asked for: most words never are. */
class LexiconWord implements PlayableWord {
  readonly #lexicon: Lexicon;
  readonly #number: number;
  /** The walk, or the board to walk on when somebody asks. */
  #walk: Walk | Board;
  #word: string | undefined;
  readonly likelihood: number;
  readonly tier: Tier;
  readonly length: number;

  constructor(lexicon: Lexicon, number: number, length: number, walk: Walk | Board) {
    this.#lexicon = lexicon;
    this.#number = number;
    this.likelihood = fromByte(lexicon.likelihoods[number]!);
    this.tier = tierOf(lexicon.tiers[number]!);
    this.length = length;
    this.#walk = walk;
  }

  get word(): string {
    this.#word ??= this.#lexicon.wordAt(this.#number);
    return this.#word;
  }

  get walks(): readonly Walk[] {
    if ('sides' in this.#walk) this.#walk = walkWord(this.#walk, this.word)[0]!;
    return [this.#walk];
  }
}
