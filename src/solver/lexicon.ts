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
 *             then for each of those letters, in their order: the node it leads to,
 *             and how many words of this node come before those under that letter
 *   byte    uint8 a word: likelihood
 *   tier    uint8 a word: 0 everyday, 1 wide
 *
 * A node stands together with its edges, and nodes stand level by level: walking a board would otherwise wait for the memory
 * more often.
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
  /** The word with a number. */
  wordAt(number: number): string;
}

export interface LexiconEntry {
  readonly word: string;
  readonly likelihood: number;
  readonly tier: Tier;
}

export const WORD_END = 1 << 26;
/** The bits of a node that stand for letters. */
export const LETTER_BITS = WORD_END - 1;
const MAGIC = 0x4c426f78;
const VERSION = 2;
const HEADER = 8;
const REBUILD = 'Run "npm run build:lexicon" to make it again.';

/** The compiled word list can't be used; the message says what to run. */
export class LexiconError extends Error {
  constructor(what: string) {
    super(`The compiled word list ${what}. ${REBUILD}`);
    this.name = 'LexiconError';
  }
}

/**
 * A likelihood as a byte and back. Steps are even in the logit, so that 0.99 and 0.999 stay apart: the
 * order among words that are all but certain is what ranks the answers.
 */
export function toByte(likelihood: number): number {
  if (!(likelihood > 0)) return 0;
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

/** Compiles words into bytes; the same words give the same bytes. The last of equal words counts. */
export function compileLexicon(entries: Iterable<LexiconEntry>): Uint8Array {
  const all = [...entries];
  for (const { word } of all)
    if (!/^[a-z]{3,255}$/.test(word)) throw new RangeError(`not a word for the lexicon: ${word}`);
  all.sort((a, b) => (a.word === b.word ? 0 : a.word < b.word ? -1 : 1));
  const sorted = all.filter(({ word }, index) => all[index + 1]?.word !== word);
  const { root, graph } = minimalGraph(sorted.map((entry) => entry.word));
  const words = sorted.length;
  const parts = HEADER + graph.length;
  const buffer = new ArrayBuffer(4 * (parts + Math.ceil((2 * words) / 4)));
  const numbers = new Uint32Array(buffer);
  numbers.set([MAGIC, VERSION, 0, graph.length, words, root]);
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
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
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
      number += graph[edge + 1]!;
      node = graph[edge]!;
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
      for (; (rest & (rest - 1)) !== 0 && graph[edge + 3]! <= left; edge += 2) rest &= rest - 1;
      word += String.fromCharCode(97 + lowest(rest));
      left -= graph[edge + 1]!;
      node = graph[edge]!;
    }
  }

  function* entries(): IterableIterator<LexiconEntry> {
    for (let number = 0; number < words; number++) yield entryAt(number, wordAt(number));
  }

  return { size: words, root, graph, likelihoods, tiers, find, entries, wordAt };
}

/** Caches the result of a function of a lexicon for as long as the lexicon lives. */
export function onceForLexicon<Made>(make: (lexicon: Lexicon) => Made): (lexicon: Lexicon) => Made {
  const known = new WeakMap<Lexicon, Made>();
  return (lexicon) => {
    let made = known.get(lexicon);
    if (made === undefined) {
      made = make(lexicon);
      known.set(lexicon, made);
    }
    return made;
  };
}

/** The place of a letter's edge; the letter is given as one of the bits of its node. */
export function edgeAt(node: number, bits: number, letter: number): number {
  const before = bits & (letter - 1);
  return node + 1 + 2 * (ONES[before & HALF]! + ONES[before >>> 13]!);
}

/** The length of the record of a node with these bits. */
export function nodeSize(bits: number): number {
  return 1 + 2 * popcount(bits & LETTER_BITS);
}

/** The number of bits set in each half of the alphabet: two look-ups take a third of the time that counting does. */
const HALF = 2 ** 13 - 1;
const ONES = Uint8Array.from({ length: HALF + 1 }, (_, bits) => popcount(bits));

/**
 * Incremental minimisation over sorted words (Daciuk and others, 2000): a node is written once all that follow it are, unless
 * there is an equal one.
 */
function minimalGraph(words: readonly string[]): { readonly root: number; readonly graph: Int32Array } {
  const graph: number[] = [];
  const wordsUnder = new Map<number, number>();
  const written = new Map<string, number>();
  // The open nodes, one for each letter of the latest word: the bits of each, and then what its edges lead to.
  const open: number[][] = [[0]];

  /** @returns the written node that is like the open one */
  function write(node: readonly number[]): number {
    const key = node.join();
    const known = written.get(key);
    if (known !== undefined) return known;
    const [bits = 0, ...targets] = node;
    const place = graph.push(bits) - 1;
    let before = bits & WORD_END ? 1 : 0;
    for (const target of targets) {
      graph.push(target, before);
      before += wordsUnder.get(target)!;
    }
    wordsUnder.set(place, before);
    written.set(key, place);
    return place;
  }

  const closeTo = (depth: number) => {
    while (open.length > depth + 1) {
      const node = open.pop()!;
      open.at(-1)!.push(write(node));
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
  return { root: 0, graph: Int32Array.from(levelByLevel(graph, write(open[0]!))) };
}

/** The nodes in the order in which a walk over a board comes to them, so that it finds more of them in the fast caches. */
function levelByLevel(graph: readonly number[], root: number): number[] {
  const ordered: number[] = [];
  const nodes = [root];
  const places = new Map([[root, 0]]);
  let end = nodeSize(graph[root]!);
  for (const node of nodes) {
    ordered.push(graph[node]!);
    for (let edge = node + 1; edge < node + nodeSize(graph[node]!); edge += 2) {
      const target = graph[edge]!;
      if (!places.has(target)) {
        places.set(target, end);
        end += nodeSize(graph[target]!);
        nodes.push(target);
      }
      ordered.push(places.get(target)!, graph[edge + 1]!);
    }
  }
  return ordered;
}
