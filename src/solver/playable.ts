import { lowest } from './bits.ts';
import { type Columns, grown, orderByRank, orderByWeight } from './columns.ts';
import { edgeAt, fromByte, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import { addLetter, type Nodes, nodesOf } from './nodes.ts';
import type { Board, PlayableWord, Tier, Walk } from './types.ts';
import { walkWord } from './walks.ts';
import { weightOf } from './weight.ts';

export { walkWord };

/** What a word of this likelihood weighs, by its byte, before its letters are added. */
const WEIGHT_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) => weightOf(fromByte(byte), 0));

/** Every word of the lexicon that can be walked on the board, in alphabetical order. */
export function findPlayable(board: Board, lexicon: Lexicon): PlayableWord[] {
  const columns = walkBoard(board, lexicon);
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
  const walker =
    nodes.fields.length === 0 ? new Walker(board, lexicon) : new SpotSetWalker(board, lexicon, nodes);
  walker.walk();
  const { size, numbers, lengths, starts, ends, masks } = walker.found;
  const weights = new Float64Array(size);
  const ranks = new Uint16Array(size);
  let longest = 0;
  for (let word = 0; word < size; word++) {
    const byte = lexicon.likelihoods[numbers[word]!]!;
    const length = lengths[word]!;
    weights[word] = WEIGHT_OF_BYTE[byte]! + length;
    ranks[word] = ((255 - byte) << 8) | length;
    if (length > longest) longest = length;
  }
  const isDistinct = nodes.fields.length === 0;
  const words = new Map<number, PlayableWord>();
  return {
    size,
    weights,
    order: longest < 256 ? orderByRank(ranks) : orderByWeight(weights),
    starts,
    ends,
    masks,
    word(number) {
      const known = words.get(number);
      if (known !== undefined) return known;
      const walk = { start: starts[number]!, end: ends[number]!, mask: masks[number]! };
      const word = new LexiconWord(lexicon, numbers[number]!, lengths[number]!, isDistinct ? walk : board);
      words.set(number, word);
      return word;
    },
  };
}

/** Room for the words of most boards; it doubles when it is full. */
const ROOM = 4096;

/** The words found so far, in columns that grow. */
class Found {
  size = 0;
  numbers = new Uint32Array(ROOM);
  masks = new Int32Array(ROOM);
  starts = new Uint8Array(ROOM);
  ends = new Uint8Array(ROOM);
  lengths = new Uint16Array(ROOM);

  keep(number: number, length: number, start: number, end: number, mask: number): void {
    const at = this.size++;
    if (at === this.numbers.length) this.#grow();
    this.numbers[at] = number;
    this.masks[at] = mask;
    this.starts[at] = start;
    this.ends[at] = end;
    this.lengths[at] = length;
  }

  #grow(): void {
    const room = 2 * this.numbers.length;
    this.numbers = grown(this.numbers, new Uint32Array(room));
    this.masks = grown(this.masks, new Int32Array(room));
    this.starts = grown(this.starts, new Uint8Array(room));
    this.ends = grown(this.ends, new Uint8Array(room));
    this.lengths = grown(this.lengths, new Uint16Array(room));
  }
}

/** Walks the graph over a board of distinct letters. */
class Walker {
  readonly found = new Found();
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #spotOf = new Uint8Array(26);
  /** By letter, those that may come next: all on other sides. */
  readonly #others = new Int32Array(26);
  #all = 0;
  #start = 0;

  constructor(board: Board, { graph, root }: Lexicon) {
    this.#graph = graph;
    this.#root = root;
    for (let spot = 0; spot < board.letters.length; spot++) {
      const letter = letterAt(board, spot);
      this.#spotOf[letter] = spot;
      this.#all |= 1 << letter;
    }
    for (let spot = 0; spot < board.letters.length; spot++)
      this.#others[letterAt(board, spot)] = this.#all & ~sideLetters(board, spot);
  }

  walk(): void {
    const bits = this.#graph[this.#root]!;
    for (let open = bits & this.#all; open !== 0; open &= open - 1) {
      const bit = open & -open;
      const edge = edgeAt(this.#root, bits, bit);
      this.#start = this.#spotOf[lowest(bit)]!;
      this.#visit(this.#graph[edge]!, this.#graph[edge + 1]!, 1, lowest(bit), 1 << this.#start);
    }
  }

  #visit(from: number, numberFrom: number, lengthFrom: number, lastFrom: number, maskFrom: number): void {
    const graph = this.#graph;
    const others = this.#others;
    const spotOf = this.#spotOf;
    const found = this.found;
    const start = this.#start;
    let node = from;
    let number = numberFrom;
    let length = lengthFrom;
    let last = lastFrom;
    let mask = maskFrom;
    for (;;) {
      const bits = graph[node]!;
      if (bits & WORD_END) found.keep(number, length, start, spotOf[last]!, mask);
      let open = bits & others[last]!;
      // All ways on but the last are walked by a call; half the time there is just one.
      while ((open & (open - 1)) !== 0) {
        const bit = open & -open;
        open ^= bit;
        const edge = edgeAt(node, bits, bit);
        const letter = lowest(bit);
        const touched = mask | (1 << spotOf[letter]!);
        this.#visit(graph[edge]!, number + graph[edge + 1]!, length + 1, letter, touched);
      }
      if (open === 0) return;
      const edge = edgeAt(node, bits, open);
      node = graph[edge]!;
      number += graph[edge + 1]!;
      length++;
      last = lowest(open);
      mask |= 1 << spotOf[last]!;
    }
  }
}

/**
 * Walks the graph over a board with repeated letters. All the spots that a word's latest letter may stand on
 * are one set of bits, so that each node of the graph is come by once for each beginning, as without repeats.
 */
class SpotSetWalker {
  readonly found = new Found();
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #nodes: Nodes;
  /** Spots of each letter of the alphabet. */
  readonly #spotsOf = new Int32Array(26);
  /** Spots of each spot's side. */
  readonly #sideOf: Int32Array;
  readonly #full: number;
  #letters = 0;

  constructor(board: Board, { graph, root }: Lexicon, nodes: Nodes) {
    this.#graph = graph;
    this.#root = root;
    this.#nodes = nodes;
    this.#full = board.full;
    const sides = new Int32Array(board.sides.length);
    for (let spot = 0; spot < board.letters.length; spot++) {
      this.#spotsOf[letterAt(board, spot)]! |= 1 << spot;
      this.#letters |= 1 << letterAt(board, spot);
      sides[board.sideOf[spot]!]! |= 1 << spot;
    }
    this.#sideOf = Int32Array.from(board.sideOf, (side) => sides[side]!);
  }

  walk(): void {
    this.#visit(this.#root, 0, 0, 0, 0, this.#full, 0);
  }

  /** No deeper than the longest word of the lexicon has letters. */
  #visit(
    at: number,
    number: number,
    length: number,
    start: number,
    end: number,
    open: number,
    mask: number,
  ): void {
    const graph = this.#graph;
    const bits = graph[at]!;
    if (bits & WORD_END) this.found.keep(number, length, start, end, mask);
    for (let rest = bits & this.#letters; rest !== 0; rest &= rest - 1) {
      const letter = lowest(rest);
      const spots = this.#spotsOf[letter]! & open;
      if (spots === 0) continue;
      const edge = edgeAt(at, bits, 1 << letter);
      const node = this.#nodes.nodeOf[letter]!;
      this.#visit(
        graph[edge]!,
        number + graph[edge + 1]!,
        length + 1,
        length === 0 ? node : start,
        node,
        this.#reachable(spots),
        length === 0 ? 0 : addLetter(mask, node, this.#nodes),
      );
    }
  }

  /** The spots on another side than one of these: all of them, if these lie on two sides. */
  #reachable(spots: number): number {
    const side = this.#sideOf[lowest(spots)]!;
    return (spots & ~side) === 0 ? this.#full & ~side : this.#full;
  }
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

function letterAt(board: Board, spot: number): number {
  return board.letters.charCodeAt(spot) - 97;
}

function sideLetters(board: Board, spot: number): number {
  let mask = 0;
  for (const letter of board.sides[board.sideOf[spot]!]!) mask |= 1 << (letter.charCodeAt(0) - 97);
  return mask;
}
