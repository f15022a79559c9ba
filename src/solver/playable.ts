import { lowest } from './bits.ts';
import { hasRepeats } from './board.ts';
import { type Columns, grown, orderByRank, orderByWeight, packWords } from './columns.ts';
import { edgeAt, fromByte, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import type { Board, PlayableWord, Tier, Walk } from './types.ts';
import { weightOf } from './weight.ts';

/** What a word of this likelihood weighs, by its byte, before its letters are added. */
const WEIGHT_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) => weightOf(fromByte(byte), 0));

/** Every word of the lexicon that can be walked on the board, in alphabetical order. */
export function findPlayable(board: Board, lexicon: Lexicon): PlayableWord[] {
  const columns = walkBoard(board, lexicon);
  return Array.from({ length: columns.size }, (_, number) => columns.word(number));
}

/**
 * The same words as columns, in one walk of the graph: what a search needs, without an object for each.
 *
 * @example makeSearch(board, walkBoard(board, lexicon)).fewest // 2
 */
export function walkBoard(board: Board, lexicon: Lexicon): Columns {
  return hasRepeats(board) ? walkWithRepeats(board, lexicon) : walkOnce(board, lexicon);
}

function walkOnce(board: Board, lexicon: Lexicon): Columns {
  const walker = new Walker(board, lexicon);
  walker.walk();
  const { size, numbers, lengths, starts, ends, masks } = walker;
  const weights = new Float64Array(size);
  const ranks = new Uint16Array(size);
  const from = new Uint32Array(size + 1);
  let longest = 0;
  for (let word = 0; word < size; word++) {
    const byte = lexicon.likelihoods[numbers[word]!]!;
    const length = lengths[word]!;
    weights[word] = WEIGHT_OF_BYTE[byte]! + length;
    ranks[word] = ((255 - byte) << 8) | length;
    longest = Math.max(longest, length);
    from[word + 1] = word + 1;
  }
  const words = new Map<number, PlayableWord>();
  return {
    size,
    weights,
    order: longest < 256 ? orderByRank(ranks) : orderByWeight(weights),
    from,
    starts,
    ends,
    masks,
    word(number) {
      const known = words.get(number);
      if (known !== undefined) return known;
      const walk = { start: starts[number]!, end: ends[number]!, mask: masks[number]! };
      const word = new LexiconWord(lexicon, numbers[number]!, lengths[number]!, [walk]);
      words.set(number, word);
      return word;
    },
  };
}

/** Room for the words of most boards; it doubles when it is full. */
const ROOM = 4096;

/** Walks the graph over a board of distinct letters and keeps each word it comes by, as columns. */
class Walker {
  size = 0;
  numbers = new Uint32Array(ROOM);
  masks = new Int32Array(ROOM);
  starts = new Uint8Array(ROOM);
  ends = new Uint8Array(ROOM);
  lengths = new Uint16Array(ROOM);
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
    let node = from;
    let number = numberFrom;
    let length = lengthFrom;
    let last = lastFrom;
    let mask = maskFrom;
    for (;;) {
      const bits = graph[node]!;
      if (bits & WORD_END) this.#keep(number, length, spotOf[last]!, mask);
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

  #keep(number: number, length: number, end: number, mask: number): void {
    const at = this.size++;
    if (at === this.numbers.length) this.#grow();
    this.numbers[at] = number;
    this.masks[at] = mask;
    this.starts[at] = this.#start;
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

/** A playable word of a lexicon. Its spelling is looked up when asked for: most words never are. */
class LexiconWord implements PlayableWord {
  readonly #lexicon: Lexicon;
  readonly #number: number;
  #word: string | undefined;
  readonly likelihood: number;
  readonly tier: Tier;
  readonly length: number;
  readonly walks: readonly Walk[];

  constructor(lexicon: Lexicon, number: number, length: number, walks: readonly Walk[]) {
    this.#lexicon = lexicon;
    this.#number = number;
    this.likelihood = fromByte(lexicon.likelihoods[number]!);
    this.tier = tierOf(lexicon.tiers[number]!);
    this.length = length;
    this.walks = walks;
  }

  get word(): string {
    this.#word ??= this.#lexicon.wordAt(this.#number);
    return this.#word;
  }
}

function walkWithRepeats(board: Board, lexicon: Lexicon): Columns {
  const { graph } = lexicon;
  const found = new Map<number, { length: number; walks: Walk[] }>();
  const visit = (
    node: number,
    number: number,
    depth: number,
    start: number,
    last: number,
    mask: number,
  ): void => {
    const bits = graph[node]!;
    if (bits & WORD_END) {
      const known = found.get(number);
      const walk = { start, end: last, mask };
      if (known === undefined) found.set(number, { length: depth, walks: [walk] });
      else if (!known.walks.some((other) => isSameWalk(other, walk))) known.walks.push(walk);
    }
    for (let spot = 0; spot < board.letters.length; spot++) {
      const bit = 1 << letterAt(board, spot);
      if (!(bits & bit) || (last >= 0 && board.sideOf[spot] === board.sideOf[last])) continue;
      const edge = edgeAt(node, bits, bit);
      visit(
        graph[edge]!,
        number + graph[edge + 1]!,
        depth + 1,
        last < 0 ? spot : start,
        spot,
        mask | (1 << spot),
      );
    }
  };
  visit(lexicon.root, 0, 0, -1, -1, 0);
  return packWords(
    [...found.entries()]
      .sort(([a], [b]) => a - b)
      .map(([number, { length, walks }]) => new LexiconWord(lexicon, number, length, walks)),
  );
}

/** All distinct walks of a word over the board; none if it can't be played. */
export function walkWord(board: Board, word: string): Walk[] {
  let walks: Walk[] = [];
  for (let index = 0; index < word.length; index++) {
    const next: Walk[] = [];
    for (let spot = 0; spot < board.letters.length; spot++) {
      if (board.letters[spot] !== word[index]) continue;
      const bit = 1 << spot;
      if (index === 0) next.push({ start: spot, end: spot, mask: bit });
      for (const { start, end, mask } of walks) {
        const walk = { start, end: spot, mask: mask | bit };
        if (board.sideOf[end] !== board.sideOf[spot] && !next.some((other) => isSameWalk(other, walk)))
          next.push(walk);
      }
    }
    walks = next;
  }
  return walks;
}

function isSameWalk(a: Walk, b: Walk): boolean {
  return a.start === b.start && a.end === b.end && a.mask === b.mask;
}

function letterAt(board: Board, spot: number): number {
  return board.letters.charCodeAt(spot) - 97;
}

function sideLetters(board: Board, spot: number): number {
  let mask = 0;
  for (const letter of board.sides[board.sideOf[spot]!]!) mask |= 1 << (letter.charCodeAt(0) - 97);
  return mask;
}
