import { lowest, popcount } from './bits.ts';
import type { Tier } from './types.ts';

/**
 * The lexicon's structure: a minimal word graph in one typed array over one buffer, so that loading is a
 * check and a few views. Words are numbered in alphabetical order; the number leads to the word's byte
 * of likelihood and its tier.
 *
 *   header  8 × uint32: magic, version, 0, length of the graph, words, root, 0, 0
 *   graph   a record of int32 for each node, known by the place where it begins (`edgeAt` finds the place of an edge):
 *             a bit for each letter that goes on from it; bit 26: a word ends here
 *             then an edge for each of those letters, in their order: in its lower 24 bits the node it leads to, and above them
 *             how many words of this node come before those under that letter
 *             if the node is wide, because such a number needs more than 8 bits, these numbers follow its edges, and the
 *             bits from 27 on say how many edges it has; otherwise they are 0
 *   byte    uint8 a word: likelihood
 *   tier    uint8 a word: 0 everyday, 1 wide
 *
 * An edge is one number, a node stands together with its edges, and nodes stand level by level: walking a board would otherwise
 * wait for the memory more often.
 */
export interface Lexicon {
  readonly size: number;
  readonly root: number;
  readonly graph: Int32Array;
  readonly likelihoods: Uint8Array;
  readonly tiers: Uint8Array;
  find(word: string): LexiconEntry | undefined;
  /** In alphabetical order. */
  entries(): IterableIterator<LexiconEntry>;
  wordAt(number: number): string;
}

export interface LexiconEntry {
  readonly word: string;
  readonly likelihood: number;
  readonly tier: Tier;
}

export const WORD_END = 1 << 26;
const WIDE_BIT = 27;
/** The bits of a node that stand for letters. */
export const LETTER_BITS = WORD_END - 1;
const TARGET_BITS = 24;
const TARGET = 2 ** TARGET_BITS - 1;
const MAGIC = 0x4c426f78;
const VERSION = 3;
const HEADER = 8;

/** The compiled word list can't be used. */
export class LexiconError extends Error {
  constructor(what: string) {
    super(`The compiled word list ${what}.`);
    this.name = 'LexiconError';
  }
}

/**
 * A likelihood as a byte and back. Steps are even in the logit, so that 0.99 and 0.999 stay apart: the
 * order among words that are all but certain is what ranks the answers.
 */
export function toByte(likelihood: number): number {
  if (likelihood >= 1) return 255;
  const logit = Math.log(likelihood / (1 - likelihood));
  return Math.min(254, Math.max(0, Math.round((logit + LOGIT_SPAN) * STEPS_PER_LOGIT)));
}

const LOGIT_SPAN = 8;
const STEPS_PER_LOGIT = 254 / (2 * LOGIT_SPAN);
const FROM_BYTE = Float64Array.from({ length: 256 }, (_, byte) =>
  byte === 255 ? 1 : 1 / (1 + Math.exp(LOGIT_SPAN - byte / STEPS_PER_LOGIT)),
);

export function fromByte(byte: number): number {
  return FROM_BYTE[byte] ?? 1;
}

export function tierOf(code: number): Tier {
  return code === 0 ? 'everyday' : 'wide';
}

/** Everyday words take the upper half of familiarity, by how sure we are of them. */
const EVERYDAY_SHARE = 0.5;

/** Up to 1, for an everyday word that is certain. */
export function familiarityOf({ tier, likelihood }: Pick<LexiconEntry, 'tier' | 'likelihood'>): number {
  return tier === 'everyday'
    ? EVERYDAY_SHARE + (1 - EVERYDAY_SHARE) * likelihood
    : EVERYDAY_SHARE * likelihood;
}

/** Compiles words of 3 to 255 letters a to z into bytes; the same words give the same bytes. The last of equal words counts. */
export function compileLexicon(entries: Iterable<LexiconEntry>): Uint8Array {
  const all = [...entries].sort((a, b) => (a.word === b.word ? 0 : a.word < b.word ? -1 : 1));
  const sorted = all.filter(({ word }, index) => all[index + 1]?.word !== word);
  const graph = layOut(minimalGraph(sorted.map((entry) => entry.word)));
  const words = sorted.length;
  const parts = HEADER + graph.length;
  const buffer = new ArrayBuffer(4 * (parts + Math.ceil((2 * words) / 4)));
  const numbers = new Uint32Array(buffer);
  numbers.set([MAGIC, VERSION, 0, graph.length, words, 0]);
  numbers.set(graph, HEADER);
  const bytes = new Uint8Array(buffer, 4 * parts);
  sorted.forEach((entry, index) => {
    bytes[index] = toByte(entry.likelihood);
    bytes[words + index] = entry.tier === 'everyday' ? 0 : 1;
  });
  return new Uint8Array(buffer);
}

/** Views over compiled bytes; throws `LexiconError` when they are not whole. */
export function loadLexicon(bytes: Uint8Array): Lexicon {
  if (bytes.byteLength < 4 * HEADER || bytes.byteLength % 4 !== 0) throw new LexiconError('is cut short');
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const [magic, version, , length = 0, words = 0, root = 0] = numbers;
  if (magic !== MAGIC) throw new LexiconError('is not a word list of this program');
  if (version !== VERSION) throw new LexiconError(`has format ${version}, this program reads ${VERSION}`);
  const parts = HEADER + length;
  if (numbers.length !== parts + Math.ceil((2 * words) / 4)) throw new LexiconError('is cut short');
  const graph = new Int32Array(aligned.buffer, aligned.byteOffset + 4 * HEADER, length);
  const tail = new Uint8Array(aligned.buffer, aligned.byteOffset + 4 * parts, 2 * words);
  return makeLexicon({ root, graph, likelihoods: tail.subarray(0, words), tiers: tail.subarray(words) });
}

/** What a lexicon consists of: posted to a worker thread, arrays in shared memory are not copied. */
export type LexiconParts = Pick<Lexicon, 'root' | 'graph' | 'likelihoods' | 'tiers'>;

/**
 * The parts of a lexicon in shared memory, copied there unless that is where they are.
 *
 * @example new Worker(file, { workerData: shareLexicon(lexicon) }); // there: makeLexicon(workerData)
 */
export function shareLexicon({ root, graph, likelihoods, tiers }: Lexicon): LexiconParts {
  if (graph.buffer instanceof SharedArrayBuffer) return { root, graph, likelihoods, tiers };
  const words = likelihoods.length;
  const shared = new SharedArrayBuffer(graph.byteLength + 2 * words);
  const ours = new Int32Array(shared, 0, graph.length);
  const tail = new Uint8Array(shared, graph.byteLength);
  ours.set(graph);
  tail.set(likelihoods);
  tail.set(tiers, words);
  return { root, graph: ours, likelihoods: tail.subarray(0, words), tiers: tail.subarray(words) };
}

/** A lexicon over its parts, which are not copied. */
export function makeLexicon({ root, graph, likelihoods, tiers }: LexiconParts): Lexicon {
  const words = likelihoods.length;
  const entryAt = (number: number, word: string): LexiconEntry => ({
    word,
    likelihood: fromByte(likelihoods[number]!),
    tier: tierOf(tiers[number]!),
  });

  function find(word: string): LexiconEntry | undefined {
    let node = root;
    let number = 0;
    for (let index = 0; index < word.length; index++) {
      const letter = word.charCodeAt(index) - 97;
      const bits = graph[node]!;
      if (letter < 0 || letter > 25 || !(bits & (1 << letter))) return undefined;
      const edge = edgeAt(node, bits, 1 << letter);
      number += wordsBefore(graph, edge, bits);
      node = targetOf(graph[edge]!);
    }
    return graph[node]! & WORD_END ? entryAt(number, word) : undefined;
  }

  function wordAt(number: number): string {
    let node = root;
    let left = number;
    let word = '';
    for (;;) {
      const bits = graph[node]!;
      if (bits & WORD_END && left === 0) return word;
      let rest = bits & LETTER_BITS;
      let edge = node + 1;
      for (; (rest & (rest - 1)) !== 0 && wordsBefore(graph, edge + 1, bits) <= left; edge++)
        rest &= rest - 1;
      word += String.fromCharCode(97 + lowest(rest));
      left -= wordsBefore(graph, edge, bits);
      node = targetOf(graph[edge]!);
    }
  }

  function* entries(): IterableIterator<LexiconEntry> {
    for (let number = 0; number < words; number++) yield entryAt(number, wordAt(number));
  }

  return { size: words, root, graph, likelihoods, tiers, find, entries, wordAt };
}

/** Caches the result of a function of a lexicon for as long as the lexicon lives. */
export function onceForLexicon<Made>(make: (lexicon: Lexicon) => Made): (lexicon: Lexicon) => Made {
  const cache = new WeakMap<Lexicon, Made>();
  return (lexicon) => {
    const made = cache.get(lexicon) ?? make(lexicon);
    cache.set(lexicon, made);
    return made;
  };
}

/** The place of a letter's edge; the letter is given as one of the bits of its node. */
export function edgeAt(node: number, bits: number, letter: number): number {
  const before = bits & (letter - 1);
  return node + 1 + ONES[before & HALF]! + ONES[before >>> 13]!;
}

/** The node that an edge leads to. */
export function targetOf(edge: number): number {
  return edge & TARGET;
}

/**
 * How many words of a node come before those under an edge.
 *
 * @param edge the place of the edge
 * @param bits those of the node
 */
export function wordsBefore(graph: Int32Array, edge: number, bits: number): number {
  const apart = bits >>> WIDE_BIT;
  // The shift is 0 in a wide node, and `TARGET_BITS` otherwise. A branch would often be guessed wrongly.
  return graph[edge + apart]! >>> (TARGET_BITS & ((apart - 1) >> 31));
}

/** The edges from a node by these letters, in their order. */
export function edgesFrom({ graph }: Pick<Lexicon, 'graph'>, node: number, letters = LETTER_BITS) {
  const bits = graph[node]!;
  const edges = [];
  for (let rest = bits & letters & LETTER_BITS; rest !== 0; rest &= rest - 1) {
    const edge = edgeAt(node, bits, rest & -rest);
    edges.push({ letter: lowest(rest), to: targetOf(graph[edge]!), before: wordsBefore(graph, edge, bits) });
  }
  return edges;
}

/** The length of the record of a node with these bits. */
export function nodeSize(bits: number): number {
  return 1 + popcount(bits & LETTER_BITS) + (bits >>> WIDE_BIT);
}

/** The number of bits set in each half of the alphabet: two look-ups take a third of the time that counting does. */
const HALF = 2 ** 13 - 1;
const ONES = Uint8Array.from({ length: HALF + 1 }, (_, bits) => popcount(bits));

export interface LooseGraph {
  /** By node, the bits of its letters and `WORD_END`, and how many words go on from it or end on it. */
  readonly bits: ArrayLike<number>;
  readonly words: ArrayLike<number>;
  /** The nodes that edges lead to: those of the first node's edges, then those of the second node's, and so on. */
  readonly targets: ArrayLike<number>;
  readonly root: number;
}

/** Places the nodes in the order in which a walk over a board comes to them, so that it finds more of them in the fast caches. */
export function layOut({ bits, words, targets, root }: LooseGraph): Int32Array {
  const from = new Int32Array(bits.length + 1);
  /** By node, the first number of its record. */
  const heads = new Int32Array(bits.length);
  for (let node = 0; node < bits.length; node++) {
    const own = bits[node]!;
    const edges = popcount(own & LETTER_BITS);
    from[node + 1] = from[node]! + edges;
    const beforeLast = words[node]! - (edges === 0 ? 0 : words[targets[from[node + 1]! - 1]!]!);
    heads[node] = beforeLast < 2 ** (32 - TARGET_BITS) ? own : own | (edges << WIDE_BIT);
  }
  const places = new Int32Array(bits.length).fill(-1);
  const nodes = new Int32Array(bits.length);
  let placed = 0;
  let end = 0;
  const place = (node: number) => {
    if (places[node]! >= 0) return;
    places[node] = end;
    end += nodeSize(heads[node]!);
    nodes[placed++] = node;
  };
  place(root);
  // `place` adds to the list: breadth first.
  for (let next = 0; next < placed; next++) {
    const node = nodes[next]!;
    for (let at = from[node]!; at < from[node + 1]!; at++) place(targets[at]!);
  }
  if (end > TARGET) throw new RangeError('too many words for the lexicon');
  const graph = new Int32Array(end);
  for (const node of nodes.subarray(0, placed)) {
    const head = heads[node]!;
    graph[places[node]!] = head;
    let edge = places[node]! + 1;
    let before = head & WORD_END ? 1 : 0;
    for (let at = from[node]!; at < from[node + 1]!; at++, edge++) {
      graph[edge] = places[targets[at]!]!;
      // In a narrow node, this is the edge itself.
      graph[edge + (head >>> WIDE_BIT)]! |= head >>> WIDE_BIT ? before : before << TARGET_BITS;
      before += words[targets[at]!]!;
    }
  }
  return graph;
}

/** Incremental minimisation over sorted words (Daciuk and others, 2000): of equal nodes, one is kept. */
function minimalGraph(words: readonly string[]): LooseGraph {
  const graph: { bits: number[]; words: number[]; targets: number[] } = { bits: [], words: [], targets: [] };
  const nodes = new Map<string, number>();
  // The open nodes, one for each letter of the latest word: the bits of each, and then what its edges lead to.
  const open: number[][] = [[0]];

  /** @returns the node of the graph that is like the open one */
  function close(node: readonly number[]): number {
    const key = node.join();
    const known = nodes.get(key);
    if (known !== undefined) return known;
    const [bits = 0, ...targets] = node;
    let under = bits & WORD_END ? 1 : 0;
    for (const target of targets) {
      graph.targets.push(target);
      under += graph.words[target]!;
    }
    graph.words.push(under);
    const number = graph.bits.push(bits) - 1;
    nodes.set(key, number);
    return number;
  }

  const closeTo = (depth: number) => {
    while (open.length > depth + 1) {
      const node = open.pop()!;
      open.at(-1)!.push(close(node));
    }
  };
  let previous = '';
  for (const word of words) {
    let shared = 0;
    while (shared < previous.length && word[shared] === previous[shared]) shared++;
    closeTo(shared);
    for (let at = shared; at < word.length; at++) {
      open.at(-1)![0]! |= 1 << (word.charCodeAt(at) - 97);
      open.push([0]);
    }
    open.at(-1)![0]! |= WORD_END;
    previous = word;
  }
  closeTo(0);
  return { ...graph, root: close(open[0]!) };
}
