import { lettersIn, lowest } from './bits.ts';
import { hasRepeats } from './board.ts';
import { edgeAt, fromByte, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import { addLetter, type Nodes, nodesOf } from './table.ts';
import type { Board, Columns, PlayableWord, Tier, Walk } from './types.ts';
import { Walks } from './walks.ts';

/**
 * A word's weight adds up along a chain, and lighter chains come first: likelihood above all (as −ln,
 * in whole steps, so that sums are exact), then the number of words, then the number of letters.
 */
function weightOf(likelihood: number, length: number): number {
  const cost = Math.round(Math.min(WORST, -Math.log(likelihood)) * COST_STEPS);
  return (cost * WORD_ROOM + 1) * LETTER_ROOM + length;
}
const WORST = 15;
const COST_STEPS = 2 ** 16;
const LETTER_ROOM = 2 ** 10;
const WORD_ROOM = 2 ** 4;

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
  const found = new Walker(board, lexicon, nodes).walk();
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

/** Weight (34 bits) and word number (19 bits) sort as one double. */
const NUMBER_ROOM = 2 ** 19;

/** Columns of words that are objects already. */
export function packWords(unsorted: readonly PlayableWord[], nodes: Nodes): Columns {
  const words = unsorted.toSorted((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  const size = words.length;
  const weights = new Float64Array(size);
  const starts = new Uint8Array(size);
  const ends = new Uint8Array(size);
  const masks = new Int32Array(size);
  const isDistinct = nodes.fields.length === 0;
  for (let number = 0; number < size; number++) {
    const word = words[number]!;
    weights[number] = weightOf(word.likelihood, word.length);
    if (isDistinct) {
      const [walk] = word.walks;
      starts[number] = walk!.start;
      ends[number] = walk!.end;
      masks[number] = walk!.mask;
    } else {
      const { word: text } = word;
      starts[number] = nodes.nodeOf[text.charCodeAt(0) - 97]!;
      ends[number] = nodes.nodeOf[text.charCodeAt(text.length - 1) - 97]!;
      let mask = 0;
      for (let at = 1; at < text.length; at++)
        mask = addLetter(mask, nodes.nodeOf[text.charCodeAt(at) - 97]!, nodes);
      masks[number] = mask;
    }
  }
  return {
    size,
    weights,
    order: orderByWeight(weights),
    starts,
    ends,
    masks,
    word: (number) => words[number]!,
  };
}

/** Numbers in order of their weight; equal ones stay in order of number. */
function orderByWeight(weights: Float64Array): Uint32Array {
  const keys = weights.map((weight, number) => weight * NUMBER_ROOM + number).sort();
  return Uint32Array.from(keys, (key) => key % NUMBER_ROOM);
}

/**
 * Numbers from 0 to `keys.length` − 1 in order of the low bits of their keys; equal ones stay in order of number. Sorting
 * by the low half of these bits and then by the high one is quicker than comparing.
 *
 * @param bits how many low bits; if this is odd, the next one is 0 in all keys
 */
function orderOf(keys: Uint16Array | Int32Array, bits: number): Uint32Array {
  const size = keys.length;
  const half = Math.ceil(bits / 2);
  const digits = 1 << half;
  const low = new Uint32Array(digits + 1);
  const high = new Uint32Array(digits + 1);
  for (let number = 0; number < size; number++) {
    const key = keys[number]!;
    low[(key & (digits - 1)) + 1]!++;
    high[((key >>> half) & (digits - 1)) + 1]!++;
  }
  for (let digit = 1; digit < digits; digit++) {
    low[digit]! += low[digit - 1]!;
    high[digit]! += high[digit - 1]!;
  }
  const byLow = new Uint32Array(size);
  for (let number = 0; number < size; number++) byLow[low[keys[number]! & (digits - 1)]!++] = number;
  const order = new Uint32Array(size);
  for (let at = 0; at < size; at++) order[high[(keys[byLow[at]!]! >>> half) & (digits - 1)]!++] = byLow[at]!;
  return order;
}

const walksOf = new WeakMap<Board, Walks>();

/**
 * The walk of a word over the board; with repeated letters, the one that touches most spots. Empty if the
 * word can't be played.
 */
export function walkWord(board: Board, word: string): Walk[] {
  if (word.length === 0) return [];
  if (hasRepeats(board)) {
    let walks = walksOf.get(board);
    if (walks === undefined) {
      walks = new Walks(board);
      walksOf.set(board, walks);
    }
    const standing = /^[a-z]+$/.test(word) ? walks.stand(word, undefined, 1000) : undefined;
    return standing === undefined ? [] : [walks.fullest(standing)];
  }
  const start = board.letters.indexOf(word[0]!);
  let end = start;
  let mask = start < 0 ? 0 : 1 << start;
  for (let at = 1; at < word.length && end >= 0; at++) {
    const spot = board.letters.indexOf(word[at]!);
    if (spot < 0 || board.sideOf[spot] === board.sideOf[end]) return [];
    end = spot;
    mask |= 1 << spot;
  }
  return end < 0 ? [] : [{ start, end, mask }];
}

/** The words found by a walk, in no certain order. */
interface Found {
  size: number;
  /** In the low `NUMBER_BITS`, the number of each word; above them, its length. */
  readonly numbers: Int32Array;
  /** In the low `MASK_BITS`, what it covers; above them, the node it ends on. */
  readonly masks: Int32Array;
  /** The node it begins on. */
  readonly starts: Uint8Array;
}

/** Lists are far from 2^24 words, and boards have at most 26 spots. */
const NUMBER_BITS = 24;
const MASK_BITS = 26;
const ONE_LONGER = 1 << NUMBER_BITS;
const MASK = 2 ** MASK_BITS - 1;
const LETTER_BITS = 26;
const LETTERS = 2 ** LETTER_BITS - 1;

/** Beginnings of words that still have letters to try, in a ring in the order in which they were made. */
interface Beginnings {
  /** The node of the word graph that each leads to. */
  readonly nodes: Int32Array;
  /** The number of the first word that begins like this, and the length so far, as for the words found. */
  readonly numbers: Int32Array;
  readonly masks: Int32Array;
  /** The letters that go on from it and were not taken yet; above them, where it may stand, as in `Walker`. */
  readonly open: Int32Array;
}

interface Memory {
  readonly found: Found;
  readonly beginnings: Beginnings;
}

/** Memory for one walk at a time: a walk is over before anything else can begin one. */
const memoryIn = new WeakMap<Lexicon, Memory>();

function memoryOf(lexicon: Lexicon): Memory {
  let memory = memoryIn.get(lexicon);
  if (memory === undefined) {
    // Each waiting beginning leads to other words, so there are no more beginnings than words. The next entry of a column
    // is written before it is certain to be kept, hence one more. Pages that are never written take no memory.
    const room = lexicon.size + 1;
    const ring = 2 ** Math.ceil(Math.log2(room + 1));
    memory = {
      found: {
        size: 0,
        numbers: new Int32Array(room),
        masks: new Int32Array(room),
        starts: new Uint8Array(room),
      },
      beginnings: {
        nodes: new Int32Array(ring),
        numbers: new Int32Array(ring),
        masks: new Int32Array(ring),
        open: new Int32Array(ring),
      },
    };
    memoryIn.set(lexicon, memory);
  }
  return memory;
}

/**
 * Walks the graph over a board, one letter of the beginning that has waited longest at a time. Which letters go on can't be
 * foreseen, so every letter takes the same steps, and only what they count differs: a processor that guesses a branch
 * wrongly loses more time than all of them take. It can also fetch many nodes at a time.
 *
 * Where a word may stand after a letter is the side of its spots, or `sides` if they are on more than one: then any letter
 * can be next. So each node of the graph is visited once for each beginning, however many ways there are to walk it.
 */
class Walker {
  readonly #memory: Memory;
  readonly #graph: Int32Array;
  readonly #root: number;
  readonly #isDistinct: boolean;
  /** By letter, the lowest bit of its field and, above the mask, its node. */
  readonly #covered = new Int32Array(26);
  /** By letter, its field if it is on several spots, otherwise 0. */
  readonly #fields = new Int32Array(26);
  /** By where a word stands and the letter that is next, where it stands then, above the letters that may follow. */
  readonly #onwards: Int32Array;
  readonly #sides: number;

  constructor(board: Board, lexicon: Lexicon, { letters, lows, fieldOf, fields }: Nodes) {
    this.#memory = memoryOf(lexicon);
    this.#graph = lexicon.graph;
    this.#root = lexicon.root;
    this.#isDistinct = fields.length === 0;
    this.#sides = board.sides.length;
    for (let node = 0; node < letters.length; node++) {
      const letter = letters.charCodeAt(node) - 97;
      this.#covered[letter] = lows[node]! | (node << MASK_BITS);
      this.#fields[letter] = fieldOf[node]?.mask ?? 0;
    }
    // The letters of all sides but one, for each side, and of all.
    const beyond = Array.from({ length: this.#sides + 1 }, (_, side) =>
      lettersIn(board.sides.filter((_, other) => other !== side).join('')),
    );
    this.#onwards = new Int32Array(32 * (this.#sides + 1));
    for (let from = 0; from <= this.#sides; from++) {
      for (const text of letters) {
        const letter = text.charCodeAt(0) - 97;
        const on = board.sides.flatMap((side, at) => (at !== from && side.includes(text) ? [at] : []));
        const to = on.length === 1 ? on[0]! : this.#sides;
        this.#onwards[32 * from + letter] = (to << LETTER_BITS) | beyond[to]!;
      }
    }
  }

  /** First letters one by one: on large boards all beginnings at once would not fit the fast caches. */
  walk(): Readonly<Found> {
    const { found, beginnings } = this.#memory;
    const graph = this.#graph;
    found.size = 0;
    const bits = graph[this.#root]!;
    for (let letter = 0; letter < 26; letter++) {
      const covered = this.#covered[letter]!;
      if (covered === 0 || !(bits & (1 << letter))) continue;
      const edge = edgeAt(this.#root, bits, 1 << letter);
      const to = graph[edge]!;
      const onwards = this.#onwards[32 * this.#sides + letter]!;
      if ((graph[to]! & onwards & LETTERS) === 0) continue;
      beginnings.nodes[0] = to;
      beginnings.numbers[0] = graph[edge + 1]! + ONE_LONGER;
      // With repeated letters, what a word covers leaves out the spot it begins on: the word before it has covered that.
      beginnings.masks[0] = this.#isDistinct ? covered : 0;
      beginnings.open[0] = (onwards & ~LETTERS) | (graph[to]! & onwards & LETTERS);
      const { size } = found;
      this.#goOn();
      found.starts.fill(covered >>> MASK_BITS, size, found.size);
    }
    return found;
  }

  /** From the first beginning, until none is left. */
  #goOn(): void {
    const graph = this.#graph;
    const onwards = this.#onwards;
    const covered = this.#covered;
    const fields = this.#fields;
    const { found, beginnings } = this.#memory;
    const { nodes, numbers, masks, open } = beginnings;
    const last = nodes.length - 1;
    let words = found.size;
    for (let at = 0, end = 1; at !== end; at = (at + 1) & last) {
      const node = nodes[at]!;
      const number = numbers[at]!;
      const mask = masks[at]!;
      const now = open[at]!;
      const bit = now & -now;
      nodes[end] = node;
      numbers[end] = number;
      masks[end] = mask;
      open[end] = now ^ bit;
      end = (end + isAny((now ^ bit) & LETTERS)) & last;

      const letter = lowest(bit);
      const edge = edgeAt(node, graph[node]!, bit);
      const to = graph[edge]!;
      const bits = graph[to]!;
      const longerNumber = (number + graph[edge + 1]! + ONE_LONGER) | 0;
      const field = fields[letter]!;
      const longerMask = (mask & MASK) | (((mask & field) << 1) & field) | covered[letter]!;
      found.numbers[words] = longerNumber;
      found.masks[words] = longerMask;
      words += isAny(bits & WORD_END);
      const next = onwards[((now >>> LETTER_BITS) << 5) | letter]!;
      nodes[end] = to;
      numbers[end] = longerNumber;
      masks[end] = longerMask;
      open[end] = next & (bits | ~LETTERS);
      end = (end + isAny(next & bits & LETTERS)) & last;
    }
    found.size = words;
  }
}

/** 1 if any bit is set, and 0 if none is. */
function isAny(bits: number): number {
  return -bits >>> 31;
}
