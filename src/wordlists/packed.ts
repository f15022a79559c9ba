/**
 * The word list and the clues as a browser downloads them: first the everyday words, without likelihoods, then all words.
 * The layout of a graph is described in solver/lexicon.ts. Everything that can be computed from the rest is left out, and
 * numbers of one kind are stored together, so that gzip reduces the list to a quarter.
 */
import { popcount } from '../solver/bits.ts';
import {
  compileLexicon,
  edgeAt,
  edgesFrom,
  LETTER_BITS,
  type Lexicon,
  type LexiconParts,
  layOut,
  loadLexicon,
  targetOf,
  WORD_END,
  wordsBefore,
} from '../solver/lexicon.ts';

const HEADER_BYTES = 12;
/** Bytes of a node's letters, and of a node's number. */
const LETTERS_BYTES = 4;
const NODE_BYTES = 3;
/** Marks an edge to the next node that the walk meets, so that it needs no number. */
const NEXT_NODE = 1;
/** Marks an edge to a node that the walk has met before. */
const MET_NODE = 0;

/** The tiers as the lexicon has them. */
const EVERYDAY = 0;
const WIDE = 1;

/** A list as two files, of which the second can't be read without the first. */
export interface PackedLexicon {
  readonly everyday: Uint8Array;
  /** All words. */
  readonly words: Uint8Array;
}

export function packLexicon(lexicon: Lexicon): PackedLexicon {
  const { likelihoods, tiers } = lexicon;
  const everyday = compileLexicon([...lexicon.entries()].filter(({ tier }) => tier === 'everyday'));
  // Words of one tier are about as likely, so gzip takes less for their likelihoods together.
  const byTier = [EVERYDAY, WIDE].map((tier) => likelihoods.filter((_, word) => tiers[word] === tier));
  return { everyday: packGraph(loadLexicon(everyday)), words: joined([packGraph(lexicon), ...byTier]) };
}

/**
 * Numbers the nodes in the order in which a depth-first walk meets them, and writes three lists: each node's letters; for each
 * edge, whether it leads to the next node that the walk meets; for each other edge, the number of its node.
 */
function packGraph({ root, graph, size }: Lexicon): Uint8Array {
  /** The numbers of nodes by their places in the graph. */
  const numbers = new Map<number, number>();
  const letters: number[] = [];
  const edges: number[] = [];
  const met: number[] = [];
  const visit = (node: number): void => {
    numbers.set(node, numbers.size);
    const bits = graph[node]! & (LETTER_BITS | WORD_END);
    letters.push(bits);
    for (const { to } of edgesFrom({ graph }, node)) {
      const number = numbers.get(to);
      edges.push(number === undefined ? NEXT_NODE : MET_NODE);
      if (number === undefined) visit(to);
      else met.push(number);
    }
  };
  visit(root);
  const header = new Uint8Array(Uint32Array.of(letters.length, edges.length, size).buffer);
  return joined([header, planes(letters, LETTERS_BYTES), Uint8Array.from(edges), planes(met, NODE_BYTES)]);
}

/** The everyday words, whose likelihoods are not known yet. @throws RangeError if the bytes are not whole */
export function unpackEveryday(bytes: Uint8Array): LexiconParts {
  const { graph, words, rest } = unpackGraph(bytes);
  if (rest.length > 0) throw notPackedError();
  return { root: 0, graph, likelihoods: new Uint8Array(words), tiers: new Uint8Array(words) };
}

/** All words. @throws RangeError if the bytes are not whole */
export function unpackLexicon(bytes: Uint8Array, everyday: LexiconParts): LexiconParts {
  const { graph, words, rest } = unpackGraph(bytes);
  if (rest.length !== words) throw notPackedError();
  const tiers = tiersOf(graph, words, everyday.graph);
  // The rest has the likelihoods of the everyday words, then those of all others, both in the words' order.
  let nextEveryday = 0;
  let nextWide = everyday.likelihoods.length;
  const likelihoods = new Uint8Array(words);
  for (let word = 0; word < words; word++)
    likelihoods[word] = rest[tiers[word] === EVERYDAY ? nextEveryday++ : nextWide++]!;
  return { root: 0, graph, likelihoods, tiers };
}

function notPackedError(): RangeError {
  return new RangeError('not a packed word list');
}

/** The tiers of the words of a graph: walks the everyday words in both graphs. */
function tiersOf(graph: Int32Array, words: number, everyday: Int32Array): Uint8Array {
  const tiers = new Uint8Array(words).fill(WIDE);
  /**
   * @param everydayNode the node of the same letters among the everyday words
   * @param word the number of the first word from the node on
   */
  const visit = (everydayNode: number, node: number, word: number): void => {
    const bits = everyday[everydayNode]!;
    const allBits = graph[node]!;
    if (bits & WORD_END) tiers[word] = EVERYDAY;
    // Without lists of edges, which took a third of the time until a page has its words.
    for (let rest = bits & LETTER_BITS; rest !== 0; rest &= rest - 1) {
      const letter = rest & -rest;
      const edge = edgeAt(node, allBits, letter);
      const to = targetOf(everyday[edgeAt(everydayNode, bits, letter)]!);
      visit(to, targetOf(graph[edge]!), word + wordsBefore(graph, edge, allBits));
    }
  };
  visit(0, 0, 0);
  return tiers;
}

/** A graph whose root is its first node, the number of its words, and the bytes behind it. */
function unpackGraph(bytes: Uint8Array): {
  readonly graph: Int32Array;
  readonly words: number;
  readonly rest: Uint8Array;
} {
  const [nodes = 0, edges = 0, words = 0] = new Uint32Array(bytes.slice(0, HEADER_BYTES).buffer);
  // Each node but the root has exactly one `NEXT_NODE` edge to it.
  const metEdges = edges - (nodes - 1);
  const edgesAt = HEADER_BYTES + LETTERS_BYTES * nodes;
  const metAt = edgesAt + edges;
  const end = metAt + NODE_BYTES * metEdges;
  if (end > bytes.length) throw notPackedError();
  const letters = bytes.subarray(HEADER_BYTES, edgesAt);
  const met = bytes.subarray(metAt, end);
  const loose = { bits: new Int32Array(nodes), words: new Int32Array(nodes), targets: new Int32Array(edges) };
  let [node, edge, metEdge, nextTarget] = [0, 0, 0, 0];
  /** Reads the next node, and those that the walk meets from there. @returns its number */
  const readNode = (): number => {
    const number = node++;
    const bits = numberAt(letters, nodes, number, LETTERS_BYTES);
    const from = nextTarget;
    nextTarget += popcount(bits & LETTER_BITS);
    let under = bits & WORD_END ? 1 : 0;
    for (let at = from; at < from + popcount(bits & LETTER_BITS); at++) {
      const isNext = bytes[edgesAt + edge++] === NEXT_NODE;
      const to = isNext ? readNode() : numberAt(met, metEdges, metEdge++, NODE_BYTES);
      loose.targets[at] = to;
      under += loose.words[to]!;
    }
    loose.bits[number] = bits;
    loose.words[number] = under;
    return number;
  };
  readNode();
  const graph = layOut({ ...loose, root: 0 });
  return { graph, words, rest: bytes.subarray(end) };
}

/** The longest prefix that one digit of base 36 can count. */
const MAX_SHARED = 35;

/**
 * The clues of words in alphabetical order. A word is written as the length of the prefix that it shares with the previous
 * one, and its rest.
 */
export function packClues(clues: Iterable<readonly [word: string, clue: string]>): string {
  let before = '';
  return Array.from(clues, ([word, clue]) => {
    let shared = 0;
    while (shared < Math.min(before.length, MAX_SHARED) && word[shared] === before[shared]) shared += 1;
    before = word;
    return `${shared.toString(36)}${word.slice(shared)}\t${clue}\n`;
  }).join('');
}

export function unpackClues(text: string): Map<string, string> {
  const clues = new Map<string, string>();
  let before = '';
  // Half as long as with `split`, which makes a list for each line.
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
    const tab = text.indexOf('\t', at);
    before = before.slice(0, Number.parseInt(text[at]!, 36)) + text.slice(at + 1, tab);
    clues.set(before, text.slice(tab + 1, end));
  }
  return clues;
}

/** The lowest bytes of all numbers, then the second ones, and so on. */
function planes(numbers: readonly number[], bytes: number): Uint8Array {
  return joined(
    Array.from({ length: bytes }, (_, byte) => Uint8Array.from(numbers, (number) => number >>> (8 * byte))),
  );
}

/** One of the `count` numbers in such planes. */
function numberAt(packed: Uint8Array, count: number, index: number, bytes: number): number {
  let number = 0;
  for (let byte = 0; byte < bytes; byte++) number |= packed[byte * count + index]! << (8 * byte);
  return number;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
