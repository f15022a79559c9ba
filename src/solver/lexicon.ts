import { lowest, popcount } from './bits.ts';
import type { Tier } from './types.ts';

/**
 * The lexicon's structure: a minimal word graph in typed arrays over one buffer, so that loading is a
 * check and a few views. Words are numbered in alphabetical order; the number leads to the word's byte
 * of likelihood and its tier.
 *
 *   header   8 × uint32: magic, version, checksum, nodes, edges, words, root, 0
 *   letters  uint32 a node: a bit for each letter that goes on from it; bit 26: a word ends here
 *   first    uint32 a node: its first edge; edges stand in the order of the letters
 *   target   uint32 an edge: the node it leads to
 *   before   uint32 an edge: words of the node that come before those under this edge
 *   byte     uint8 a word: likelihood
 *   tier     uint8 a word: 0 everyday, 1 wide
 */
export interface Lexicon {
  readonly size: number;
  readonly root: number;
  readonly letters: Uint32Array;
  readonly first: Uint32Array;
  readonly target: Uint32Array;
  readonly before: Uint32Array;
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
const MAGIC = 0x4c426f78;
const VERSION = 1;
const HEADER = 8;
const REBUILD = 'Run "npm run build:lexicon" to make it anew.';

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
  const byWord = new Map<string, LexiconEntry>();
  for (const entry of entries) {
    if (!/^[a-z]{3,}$/.test(entry.word)) throw new RangeError(`not a word for the lexicon: ${entry.word}`);
    byWord.set(entry.word, entry);
  }
  const sorted = [...byWord.values()].sort((a, b) => (a.word < b.word ? -1 : 1));
  const graph = minimalGraph(sorted.map((entry) => entry.word));
  const nodes = graph.letters.length;
  const edges = graph.target.length;
  const words = sorted.length;
  const parts = HEADER + 2 * nodes + 2 * edges;
  const buffer = new ArrayBuffer(4 * (parts + Math.ceil((2 * words) / 4)));
  const numbers = new Uint32Array(buffer);
  numbers.set([MAGIC, VERSION, 0, nodes, edges, words, graph.root, 0]);
  numbers.set(graph.letters, HEADER);
  numbers.set(graph.first, HEADER + nodes);
  numbers.set(graph.target, HEADER + 2 * nodes);
  numbers.set(graph.before, HEADER + 2 * nodes + edges);
  const bytes = new Uint8Array(buffer, 4 * parts);
  sorted.forEach((entry, index) => {
    bytes[index] = toByte(entry.likelihood);
    bytes[words + index] = entry.tier === 'everyday' ? 0 : 1;
  });
  numbers[2] = checksum(numbers);
  return new Uint8Array(buffer);
}

/** Views over compiled bytes; throws `LexiconError` when they are not whole. */
export function loadLexicon(bytes: Uint8Array): Lexicon {
  if (bytes.byteLength < 4 * HEADER || bytes.byteLength % 4 !== 0) throw new LexiconError('is cut short');
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const [magic, version, sum, nodes = 0, edges = 0, words = 0, root = 0] = numbers;
  if (magic !== MAGIC) throw new LexiconError('is not a word list of this program');
  if (version !== VERSION) throw new LexiconError(`has format ${version}, this program reads ${VERSION}`);
  const parts = HEADER + 2 * nodes + 2 * edges;
  if (numbers.length !== parts + Math.ceil((2 * words) / 4)) throw new LexiconError('is cut short');
  if (sum !== checksum(numbers)) throw new LexiconError('is damaged');
  const letters = numbers.subarray(HEADER, HEADER + nodes);
  const first = numbers.subarray(HEADER + nodes, HEADER + 2 * nodes);
  const target = numbers.subarray(HEADER + 2 * nodes, HEADER + 2 * nodes + edges);
  const before = numbers.subarray(HEADER + 2 * nodes + edges, parts);
  const tail = new Uint8Array(aligned.buffer, aligned.byteOffset + 4 * parts, 2 * words);
  const likelihoods = tail.subarray(0, words);
  const tiers = tail.subarray(words);

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
      const mask = letters[node]!;
      if (letter < 0 || letter > 25 || !(mask & (1 << letter))) return undefined;
      const edge = first[node]! + popcount(mask & ((1 << letter) - 1));
      number += before[edge]!;
      node = target[edge]!;
    }
    return letters[node]! & WORD_END ? entryAt(number, word) : undefined;
  }

  function wordAt(number: number): string {
    let node = root;
    let left = number;
    let word = '';
    for (;;) {
      const mask = letters[node]!;
      if (mask & WORD_END && left === 0) return word;
      const last = first[node]! + popcount(mask & (WORD_END - 1)) - 1;
      let edge = first[node]!;
      while (edge < last && before[edge + 1]! <= left) edge++;
      word += String.fromCharCode(97 + nthLetter(mask, edge - first[node]!));
      left -= before[edge]!;
      node = target[edge]!;
    }
  }

  function* entries(): IterableIterator<LexiconEntry> {
    for (let number = 0; number < words; number++) yield entryAt(number, wordAt(number));
  }

  return { size: words, root, letters, first, target, before, likelihoods, tiers, find, entries, wordAt };
}

function nthLetter(mask: number, nth: number): number {
  let rest = mask;
  for (let skipped = 0; skipped < nth; skipped++) rest &= rest - 1;
  return lowest(rest);
}

/** FNV-1a over 32-bit words, the checksum's own place left out: a millisecond or two for the whole list. */
function checksum(numbers: Uint32Array): number {
  let sum = 0x811c9dc5;
  for (let index = 3; index < numbers.length; index++) sum = Math.imul(sum ^ numbers[index]!, 0x01000193);
  return sum >>> 0;
}

interface Graph {
  root: number;
  letters: number[];
  first: number[];
  target: number[];
  before: number[];
}

interface Branch {
  letter: number;
  node: number;
}

/** Incremental minimisation over sorted words (Daciuk and others, 2000), with word counts for numbering. */
function minimalGraph(words: readonly string[]): Graph {
  const graph: Graph = { root: 0, letters: [], first: [], target: [], before: [] };
  const wordsUnder: number[] = [];
  const known = new Map<string, number>();

  function settle(branches: readonly Branch[], isEnd: boolean): number {
    const key = `${isEnd ? 1 : 0}${branches.map(({ letter, node }) => `,${letter}:${node}`).join('')}`;
    const same = known.get(key);
    if (same !== undefined) return same;
    const id = graph.letters.length;
    let mask = isEnd ? WORD_END : 0;
    let seen = isEnd ? 1 : 0;
    graph.first.push(graph.target.length);
    for (const { letter, node } of branches) {
      mask |= 1 << letter;
      graph.target.push(node);
      graph.before.push(seen);
      seen += wordsUnder[node]!;
    }
    graph.letters.push(mask);
    wordsUnder.push(seen);
    known.set(key, id);
    return id;
  }

  // The unsettled path: one open node for each letter of the latest word.
  const open: { branches: Branch[]; isEnd: boolean }[] = [{ branches: [], isEnd: false }];
  let previous = '';
  const closeTo = (depth: number) => {
    while (open.length > depth + 1) {
      const closed = open.pop()!;
      const letter = previous.charCodeAt(open.length - 1) - 97;
      open.at(-1)!.branches.push({ letter, node: settle(closed.branches, closed.isEnd) });
    }
  };
  for (const word of words) {
    let shared = 0;
    while (shared < previous.length && word[shared] === previous[shared]) shared++;
    closeTo(shared);
    for (let depth = shared; depth < word.length; depth++) open.push({ branches: [], isEnd: false });
    open.at(-1)!.isEnd = true;
    previous = word;
  }
  closeTo(0);
  graph.root = settle(open[0]!.branches, false);
  return graph;
}
