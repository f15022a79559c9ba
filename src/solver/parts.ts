import { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import { groupBy, lowest, sortNumbers } from './bits.ts';
import { endsOf, formatBoard } from './board.ts';
import { type Finisher, LastTwo, makeFinisher } from './finish.ts';
import { packWords } from './playable.ts';
import { Stopped, Stopper } from './stopper.ts';
import {
  addLetter,
  type Nodes,
  nodesOf,
  type Ranked,
  type Start,
  type State,
  SubsetTable,
  WordTable,
} from './table.ts';
import type { Board, Columns, PlayableWord, Tier } from './types.ts';
import { Confirmer, textOf } from './walks.ts';

/** Spots and required words share one machine word of bits. */
const MAX_BITS = 30;

export interface SearchOptions {
  /** Words that must not be used. */
  readonly exclude?: readonly string[];
  /** Words that each solution contains, in any place. */
  readonly require?: readonly string[];
  readonly tier?: Tier;
  /** Words already played, in order; solutions hold only what comes after them. */
  readonly played?: readonly string[];
  /** No solution has more (further) words than this. */
  readonly maxWords?: number;
  /** Asked now and then; once it says true, the search is cut. Time is a parameter: the solver has no clock. */
  readonly stop?: () => boolean;
}

/** What all answers to one search are worked out from. Tables that not every answer needs are made when they are asked for. */
export class Parts {
  readonly board: Board;
  readonly columns: Columns;
  readonly nodes: Nodes;
  readonly table: WordTable;
  readonly start: Start;
  readonly finisher: Finisher;
  /** Only where letters repeat. */
  readonly confirmer: Confirmer | undefined;
  readonly stopper: Stopper;
  #lastTwo: LastTwo | undefined;
  #joined: JoinedPairs | undefined;

  constructor(board: Board, words: readonly PlayableWord[] | Columns, options: SearchOptions) {
    const required = [...new Set(options.require)].map((word) => word.toLowerCase());
    if (board.letters.length + required.length > MAX_BITS) {
      throw new UserError(
        'search.required',
        `${required.length} required words are too many for this board; name at most ${MAX_BITS - board.letters.length}.`,
      );
    }
    const played = (options.played ?? []).map((word) => word.toLowerCase());
    const outstanding = required.filter((word) => !played.includes(word));
    this.board = board;
    this.nodes = nodesOf(board);
    this.columns = choose(words, options, this.nodes);
    this.table = new WordTable(this.columns, this.nodes, outstanding);
    this.stopper = new Stopper(options.stop);
    this.start = startAfter(board, this.table, played);
    this.finisher = makeFinisher(this.table);
    if (this.nodes.fields.length > 0) {
      const { columns: words, nodes, stopper } = this;
      this.confirmer = new Confirmer({ board, words, nodes, played, stopper });
    }
  }

  /** The same as states, one for each node if chains begin anywhere. */
  get starts(): readonly State[] {
    if (this.start !== 'anywhere') return this.start;
    return Array.from(this.nodes.letters, (_, node) => ({ node, need: this.table.needOn(node) }));
  }

  /** Whether all endings fit a table: answers about two and three words then take a few milliseconds at most. */
  get isSmall(): boolean {
    return this.finisher.dense !== undefined;
  }

  get lastTwo(): LastTwo {
    this.#lastTwo ??= new LastTwo(this.table);
    return this.#lastTwo;
  }

  /** All solutions of two words, on small boards of distinct letters with nothing played. */
  get joined(): JoinedPairs | undefined {
    if (!this.isSmall || this.confirmer !== undefined || this.start !== 'anywhere') return undefined;
    this.#joined ??= joinTwo(this.table);
    return this.#joined;
  }

  /**
   * Whether answers about this many words come first, even if the time is up. Where letters repeat, the words played so
   * far may have been walked in many ways, so that even two more take long.
   */
  isFirst(words: number): boolean {
    return words <= (this.confirmer === undefined || this.start === 'anywhere' ? 2 : 1);
  }

  /** Whether a chain that holds enough of every letter touches every spot. */
  isRight(chain: readonly number[]): boolean {
    return this.confirmer === undefined || this.confirmer.covers(chain) === true;
  }
}

function choose(
  words: readonly PlayableWord[] | Columns,
  { exclude = [], tier }: SearchOptions,
  nodes: Nodes,
): Columns {
  const isPacked = 'weights' in words;
  if (exclude.length === 0 && tier === undefined) return isPacked ? words : packWords(words, nodes);
  const all = isPacked ? Array.from({ length: words.size }, (_, number) => words.word(number)) : words;
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  return packWords(
    all.filter((word) => (tier !== 'everyday' || word.tier === 'everyday') && !unwanted.has(word.word)),
    nodes,
  );
}

/** Where the words played leave a chain. */
function startAfter(board: Board, table: WordTable, played: readonly string[]): Start {
  if (played.length === 0) return 'anywhere';
  const { nodes } = table;
  let spots: number | undefined;
  for (const word of played) {
    spots = endsOf(board, Array.from(word), spots);
    if (spots === 0)
      throw new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
  }
  const text = textOf(played);
  let held = 0;
  for (let at = 0; at < text.length; at++)
    held = addLetter(held, nodes.nodeOf[text.charCodeAt(at) - 97]!, nodes);
  const node = nodes.nodeOf[text.charCodeAt(text.length - 1) - 97]!;
  return [{ node, need: table.rest(table.full, held) }];
}

/** Ends an answer where the search was stopped, and remembers which answer that was. */
export class Guard {
  readonly #parts: Parts;
  #cut: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Where and why the first answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Undefined when it was stopped. After a cut this asks `stop` at once, before any table is made for a further question. */
  run<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => {
      this.#parts.stopper.step();
      return answer();
    });
  }

  /** As `run`, for what is short on any board: it is answered even if the time was up before. */
  always<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => this.#parts.stopper.unstopped(answer));
  }

  /** As `run`, for an answer that begins with what is short. */
  attempt<Answer>(what: string, answer: () => Answer): Answer | undefined {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { board, columns } = this.#parts;
      this.#cut ??= `${formatBoard(board).toUpperCase()} has ${counted(columns.size, 'word')} to try; the time ran out before ${what} was certain.`;
      return undefined;
    }
  }
}

/** Words as edges, of which the joining of two needs no more. */
type Edges = Pick<WordTable, 'from' | 'ends' | 'masks' | 'bits' | 'full'>;

/** Two-word chains that cover everything, as columns of edges. */
export interface JoinedPairs {
  /** How many there are; columns shorter than this do not hold them all. */
  readonly size: number;
  readonly firsts: Uint32Array;
  readonly seconds: Uint32Array;
}

/**
 * Every two words that solve a small board of distinct letters. For each letter that joins two words, one small table tells
 * for which words before it some word after it covers the rest; mostly for few.
 */
export function joinTwo(edges: Edges): JoinedPairs {
  const { from, ends, masks, full, bits } = edges;
  const nodes = from.length - 1;
  const { from: intoFrom, items: into } = groupBy(ends, nodes);
  const coverable = new SubsetTable(bits);
  const pairs = new Pairs(edges);
  for (let node = 0; node < nodes; node++) {
    const begin = from[node]!;
    const end = from[node + 1]!;
    if (begin === end || intoFrom[node] === intoFrom[node + 1]) continue;
    coverable.clear();
    for (let edge = begin; edge < end; edge++) coverable.add(masks[edge]!);
    coverable.close();
    pairs.standOn(node);
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const need = full & ~masks[into[at]!]!;
      if (coverable.has(need)) pairs.add(into[at]!, need);
    }
  }
  return pairs.joined();
}

const ROOM = 256;
/** Far more than boards like the newspaper's have: with common letters on the best sides they have 30,000. */
const MOST_LISTED = 2 ** 16;

/** Pairs as they are found, node by node. */
class Pairs {
  readonly #edges: Edges;
  #size = 0;
  #firsts = new Uint32Array(ROOM);
  #seconds = new Uint32Array(ROOM);
  /** The edges of the node. */
  #begin = 0;
  #end = 0;
  /**
   * For each bit of a mask, a bit for each edge of the node, set if the edge has it. Made only for nodes on which words are
   * joined.
   */
  #having: Int32Array | undefined;
  /** By need, where the seconds that cover it begin, counted from 1, if they were listed for this node. */
  readonly #listedAt: Uint32Array;
  #listedFrom = 0;

  constructor(edges: Edges) {
    this.#edges = edges;
    this.#listedAt = new Uint32Array(edges.full + 1);
  }

  standOn(node: number): void {
    const { from } = this.#edges;
    this.#begin = from[node]!;
    this.#end = from[node + 1]!;
    this.#having = undefined;
    this.#listedFrom = this.#size;
  }

  /** A first word with each second one that covers its need. */
  add(first: number, need: number): void {
    const known = this.#listedAt[need]!;
    if (known > this.#listedFrom) this.#addAgain(first, known - 1);
    else this.#addFound(first, need);
  }

  joined(): JoinedPairs {
    const size = this.#size;
    const listed = Math.min(size, this.#firsts.length);
    return { size, firsts: this.#firsts.subarray(0, listed), seconds: this.#seconds.subarray(0, listed) };
  }

  #addFound(first: number, need: number): void {
    this.#having ??= this.#edgesHaving();
    const having = this.#having;
    const { bits } = this.#edges;
    const words = wordsFor(this.#end - this.#begin);
    // The row after the bits' rows has all edges; the next one is room for the edges that cover the need.
    const all = bits * words;
    const covering = all + words;
    for (let word = 0; word < words; word++) having[covering + word] = having[all + word]!;
    for (let rest = need; rest !== 0; rest &= rest - 1) {
      const row = lowest(rest) * words;
      for (let word = 0; word < words; word++) having[covering + word]! &= having[row + word]!;
    }
    const begin = this.#size;
    for (let word = 0; word < words; word++) {
      for (let edges = having[covering + word]!; edges !== 0; edges &= edges - 1)
        this.#push(first, this.#begin + 32 * word + lowest(edges));
    }
    if (this.#size <= this.#firsts.length) this.#listedAt[need] = begin + 1;
  }

  /** Adds the seconds of another first word with the same need. */
  #addAgain(first: number, at: number): void {
    const other = this.#firsts[at]!;
    for (let pair = at; this.#firsts[pair] === other; pair++) this.#push(first, this.#seconds[pair]!);
  }

  #push(first: number, second: number): void {
    if (this.#size === this.#firsts.length && this.#size < MOST_LISTED) {
      this.#firsts = grown(this.#firsts, new Uint32Array(4 * this.#size));
      this.#seconds = grown(this.#seconds, new Uint32Array(4 * this.#size));
    }
    this.#firsts[this.#size] = first;
    this.#seconds[this.#size++] = second;
  }

  #edgesHaving(): Int32Array {
    const { bits, masks } = this.#edges;
    const edges = this.#end - this.#begin;
    const words = wordsFor(edges);
    const having = new Int32Array((bits + 2) * words);
    for (let edge = 0; edge < edges; edge++) {
      having[bits * words + (edge >>> 5)]! |= 1 << (edge & 31);
      for (let rest = masks[this.#begin + edge]!; rest !== 0; rest &= rest - 1)
        having[lowest(rest) * words + (edge >>> 5)]! |= 1 << (edge & 31);
    }
    return having;
  }
}

/** The number of 32-bit words that hold these bits. */
function wordsFor(bits: number): number {
  return (bits + 31) >>> 5;
}

/** Bits of a pair's place in alphabetical order; there are no more pairs in a list. */
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Bits of the weight of two words. */
const WEIGHT_BITS = 35;

/** Joined pairs, lightest first, pairs of equal weight in alphabetical order. Only plain numbers are sorted. */
export function sortedPairs(
  { firsts, seconds }: JoinedPairs,
  { words: { size, weights }, wordOf }: WordTable,
): Iterable<Ranked> {
  // The words of each pair: word numbers are in alphabetical order, and both make one number.
  const unsorted = new Float64Array(firsts.length);
  for (let pair = 0; pair < unsorted.length; pair++)
    unsorted[pair] = wordOf[firsts[pair]!]! * size + wordOf[seconds[pair]!]!;
  const spelled = sortNumbers(unsorted, 0, Math.ceil(2 * Math.log2(size + 1)));
  const weighed = new Float64Array(firsts.length);
  for (let place = 0; place < weighed.length; place++) {
    const pair = spelled[place]!;
    const first = Math.floor(pair / size);
    weighed[place] = (weights[first]! + weights[pair - first * size]!) * PLACES + place;
  }
  const keys = sortNumbers(weighed, PLACE_BITS, PLACE_BITS + WEIGHT_BITS);
  return {
    // Not a generator, which takes several times as long for lists of ten thousands.
    [Symbol.iterator]() {
      let at = 0;
      return {
        next() {
          if (at === keys.length) return { done: true, value: undefined };
          const key = keys[at++]!;
          const weight = Math.floor(key / PLACES);
          const pair = spelled[key - weight * PLACES]!;
          const first = Math.floor(pair / size);
          return { done: false, value: { weight, words: [first, pair - first * size] } };
        },
      };
    },
  };
}

/** A full column in a larger, empty one. */
function grown<Column extends { set(from: Column): void }>(full: Column, larger: Column): Column {
  larger.set(full);
  return larger;
}
