import { lowest } from './bits.ts';
import { edgeAt, type Lexicon, WORD_END } from './lexicon.ts';
import { addLetter, type Nodes } from './nodes.ts';
import type { Board } from './types.ts';

/** The words found by a walk, in no certain order. */
export interface Found {
  size: number;
  readonly numbers: Uint32Array;
  readonly masks: Int32Array;
  /** Length, first node and last node, a byte each. */
  readonly places: Uint32Array;
}

/** Beginnings of words, all of one length. */
interface Beginnings {
  size: number;
  /** The node of the word graph that each leads to. */
  readonly nodes: Int32Array;
  /** The number of the first word that begins like this. */
  readonly numbers: Uint32Array;
  readonly masks: Int32Array;
  /** First and last letter, a byte each. */
  readonly letters: Uint16Array;
}

interface Memory {
  readonly found: Found;
  readonly beginnings: Beginnings;
  readonly longer: Beginnings;
  /** What the graph says of the node of each beginning. */
  readonly bits: Int32Array;
}

/**
 * Walks the word graph over the spots of a board. What it returns is overwritten by the next walk.
 */
export function walkGraph(board: Board, lexicon: Lexicon, nodes: Nodes): Readonly<Found> {
  const memory = memoryOf(lexicon);
  const { found } = memory;
  found.size = 0;
  if (nodes.fields.length === 0) new Walker(board, lexicon, memory).walk();
  else new SpotSetWalker(board, lexicon, nodes, found).walk();
  return found;
}

/** Memory for one walk at a time: a walk is over before anything else can begin one. */
const memoryIn = new WeakMap<Lexicon, Memory>();

function memoryOf(lexicon: Lexicon): Memory {
  let memory = memoryIn.get(lexicon);
  if (memory === undefined) {
    // There is room for the whole list, which has at least one word for each beginning of some length; what is never
    // written to takes no memory of the machine.
    const { size } = lexicon;
    const beginnings = (): Beginnings => ({
      size: 0,
      nodes: new Int32Array(size),
      numbers: new Uint32Array(size),
      masks: new Int32Array(size),
      letters: new Uint16Array(size),
    });
    memory = {
      found: {
        size: 0,
        numbers: new Uint32Array(size),
        masks: new Int32Array(size),
        places: new Uint32Array(size),
      },
      beginnings: beginnings(),
      longer: beginnings(),
      bits: new Int32Array(size),
    };
    memoryIn.set(lexicon, memory);
  }
  return memory;
}

/**
 * Walks the graph over a board of distinct letters, all beginnings of words of one length before the longer ones:
 * reading their nodes one right after the other, the processor fetches many at a time, where going down word by word
 * it would wait for each.
 */
class Walker {
  readonly #memory: Memory;
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #spotOf = new Uint8Array(26);
  /** By letter, those that may come next: all on other sides. */
  readonly #others = new Int32Array(26);
  #all = 0;

  constructor(board: Board, { graph, root }: Lexicon, memory: Memory) {
    this.#memory = memory;
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

  /** First letters one by one: on large boards all beginnings at once would not fit the fast caches. */
  walk(): void {
    const graph = this.#graph;
    const bits = graph[this.#root]!;
    for (let open = bits & this.#all; open !== 0; open &= open - 1) {
      const edge = edgeAt(this.#root, bits, open & -open);
      const letter = lowest(open);
      let { beginnings, longer } = this.#memory;
      beginnings.size = 1;
      beginnings.nodes[0] = graph[edge]!;
      beginnings.numbers[0] = graph[edge + 1]!;
      beginnings.masks[0] = 1 << this.#spotOf[letter]!;
      beginnings.letters[0] = (letter << 8) | letter;
      for (let length = 1; beginnings.size > 0; length++) {
        this.#goOn(beginnings, longer, length);
        [beginnings, longer] = [longer, beginnings];
      }
    }
  }

  /** Takes the words that end here, and makes the beginnings that are one letter longer. */
  #goOn(beginnings: Beginnings, longer: Beginnings, length: number): void {
    const graph = this.#graph;
    const others = this.#others;
    const spotOf = this.#spotOf;
    const { found, bits: bitsOf } = this.#memory;
    const { size, nodes, numbers, masks, letters } = beginnings;
    for (let at = 0; at < size; at++) bitsOf[at] = graph[nodes[at]!]!;
    let made = 0;
    for (let at = 0; at < size; at++) {
      const bits = bitsOf[at]!;
      const node = nodes[at]!;
      const number = numbers[at]!;
      const mask = masks[at]!;
      const first = letters[at]! >>> 8;
      const last = letters[at]! & 255;
      if (bits & WORD_END) {
        const word = found.size++;
        found.numbers[word] = number;
        found.masks[word] = mask;
        found.places[word] = (length << 16) | (spotOf[first]! << 8) | spotOf[last]!;
      }
      for (let open = bits & others[last]!; open !== 0; open &= open - 1) {
        const edge = edgeAt(node, bits, open & -open);
        const letter = lowest(open);
        longer.nodes[made] = graph[edge]!;
        longer.numbers[made] = number + graph[edge + 1]!;
        longer.masks[made] = mask | (1 << spotOf[letter]!);
        longer.letters[made++] = (first << 8) | letter;
      }
    }
    longer.size = made;
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
