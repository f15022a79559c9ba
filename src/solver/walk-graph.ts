import { lowest } from './bits.ts';
import { edgeAt, type Lexicon, WORD_END } from './lexicon.ts';
import { addLetter, type Nodes } from './nodes.ts';
import type { Board } from './types.ts';

/** The words found by a walk. */
export interface Found {
  size: number;
  readonly numbers: Uint32Array;
  readonly masks: Int32Array;
  /** Length, first node and last node, a byte each. */
  readonly places: Uint32Array;
}

/**
 * Walks the word graph over the spots of a board. What it returns is overwritten by the next walk.
 */
export function walkGraph(board: Board, lexicon: Lexicon, nodes: Nodes): Readonly<Found> {
  const found = foundOf(lexicon);
  found.size = 0;
  if (nodes.fields.length === 0) new Walker(board, lexicon, found).walk();
  else new SpotSetWalker(board, lexicon, nodes, found).walk();
  return found;
}

/** Memory for one walk at a time: a walk is over before anything else can begin one. */
const foundIn = new WeakMap<Lexicon, Found>();

function foundOf(lexicon: Lexicon): Found {
  let found = foundIn.get(lexicon);
  if (found === undefined) {
    // There is room for the whole list; what is never written to takes no memory of the machine.
    const { size } = lexicon;
    found = {
      size: 0,
      numbers: new Uint32Array(size),
      masks: new Int32Array(size),
      places: new Uint32Array(size),
    };
    foundIn.set(lexicon, found);
  }
  return found;
}

/** Walks the graph over a board of distinct letters. */
class Walker {
  readonly #found: Found;
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #spotOf = new Uint8Array(26);
  /** By letter, those that may come next: all on other sides. */
  readonly #others = new Int32Array(26);
  #all = 0;
  #start = 0;

  constructor(board: Board, { graph, root }: Lexicon, found: Found) {
    this.#found = found;
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
    const found = this.#found;
    let node = from;
    let number = numberFrom;
    let length = lengthFrom;
    let last = lastFrom;
    let mask = maskFrom;
    for (;;) {
      const bits = graph[node]!;
      if (bits & WORD_END) {
        const at = found.size++;
        found.numbers[at] = number;
        found.masks[at] = mask;
        found.places[at] = (length << 16) | (this.#start << 8) | spotOf[last]!;
      }
      let open = bits & others[last]!;
      if (open === 0) return;
      // All ways on but the last are walked by a call; half the time there is just one.
      while ((open & (open - 1)) !== 0) {
        const bit = open & -open;
        open ^= bit;
        const edge = edgeAt(node, bits, bit);
        const letter = lowest(bit);
        const touched = mask | (1 << spotOf[letter]!);
        this.#visit(graph[edge]!, number + graph[edge + 1]!, length + 1, letter, touched);
      }
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
  readonly #found: Found;
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #nodes: Nodes;
  /** Spots of each letter of the alphabet. */
  readonly #spotsOf = new Int32Array(26);
  /** Spots of each spot's side. */
  readonly #sideOf: Int32Array;
  readonly #full: number;
  #letters = 0;

  constructor(board: Board, { graph, root }: Lexicon, nodes: Nodes, found: Found) {
    this.#found = found;
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
    if (bits & WORD_END) {
      const found = this.#found;
      const place = found.size++;
      found.numbers[place] = number;
      found.masks[place] = mask;
      found.places[place] = (length << 16) | (start << 8) | end;
    }
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

function letterAt(board: Board, spot: number): number {
  return board.letters.charCodeAt(spot) - 97;
}

function sideLetters(board: Board, spot: number): number {
  let mask = 0;
  for (const letter of board.sides[board.sideOf[spot]!]!) mask |= 1 << (letter.charCodeAt(0) - 97);
  return mask;
}
