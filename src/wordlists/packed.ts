/**
 * The word list and the clues as a browser downloads them: first the everyday words, without likelihoods, then all words.
 * The layout of a graph is described in solver/lexicon.ts. Everything that can be computed from the rest is left out, and
 * numbers of one kind are stored together, so that gzip reduces the list to a quarter.
 */
import {
  compileLexicon,
  edgeAt,
  LETTER_BITS,
  type Lexicon,
  type LexiconParts,
  loadLexicon,
  nodeSize,
  WORD_END,
} from '../solver/lexicon.ts';

/** Bytes of a node's letters, and of a node's number. */
const LETTERS_BYTES = 4;
const NODE_BYTES = 3;
/** Marks an edge to a new node, which is the next one, so it needs no number. */
const NEW_NODE = 1;

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
  // Words of one tier are about as likely.
  const sorted = [EVERYDAY, WIDE].map((tier) => likelihoods.filter((_, word) => tiers[word] === tier));
  return { everyday: packGraph(loadLexicon(everyday)), words: joined([packGraph(lexicon), ...sorted]) };
}

/**
 * Writes nodes in the order in which a depth-first walk first meets them: their letters; for each edge whether it
 * leads to a new node; the numbers of the nodes that other edges lead to.
 */
function packGraph({ root, graph, size }: Lexicon): Uint8Array {
  const numbers = new Map<number, number>();
  const masks: number[] = [];
  const edges: number[] = [];
  const known: number[] = [];
  const visit = (node: number): void => {
    numbers.set(node, masks.length);
    const mask = graph[node]!;
    masks.push(mask);
    for (let edge = node + 1; edge < node + nodeSize(mask); edge += 2) {
      const number = numbers.get(graph[edge]!);
      edges.push(number === undefined ? NEW_NODE : 0);
      if (number === undefined) visit(graph[edge]!);
      else known.push(number);
    }
  };
  visit(root);
  const header = new Uint8Array(Uint32Array.of(masks.length, edges.length, size).buffer);
  return joined([header, planes(masks, LETTERS_BYTES), Uint8Array.from(edges), planes(known, NODE_BYTES)]);
}

/** The everyday words, whose likelihoods are not known yet. @throws RangeError if the bytes are not whole */
export function unpackEveryday(bytes: Uint8Array): LexiconParts {
  const { graph, words, rest } = unpackGraph(bytes);
  if (rest.length > 0) throw notPackedError();
  return { root: 0, graph, likelihoods: new Uint8Array(words), tiers: new Uint8Array(words) };
}

/** All words. @throws RangeError if the bytes are not whole */
export function unpackLexicon(bytes: Uint8Array, everyday: Pick<LexiconParts, 'graph'>): LexiconParts {
  const { graph, words, rest } = unpackGraph(bytes);
  if (rest.length !== words) throw notPackedError();
  const tiers = tiersOf(graph, words, everyday.graph);
  const next = [0, tiers.reduce((count, tier) => count + (tier === EVERYDAY ? 1 : 0), 0)];
  return { root: 0, graph, likelihoods: tiers.map((tier) => rest[next[tier]!++]!), tiers };
}

function notPackedError(): RangeError {
  return new RangeError('not a packed word list');
}

/** The tiers of the words of a graph: walks the everyday words in both graphs. */
function tiersOf(graph: Int32Array, words: number, everyday: Int32Array): Uint8Array {
  const tiers = new Uint8Array(words).fill(WIDE);
  /** @param word the number of the first word from this node on */
  const visit = (from: number, node: number, word: number): void => {
    if (everyday[from]! & WORD_END) tiers[word] = EVERYDAY;
    let edge = from + 1;
    for (let rest = everyday[from]! & LETTER_BITS; rest !== 0; rest &= rest - 1, edge += 2) {
      const at = edgeAt(node, graph[node]!, rest & -rest);
      visit(everyday[edge]!, graph[at]!, word + graph[at + 1]!);
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
  const [nodes = 0, edges = 0, words = 0] = new Uint32Array(bytes.slice(0, 12).buffer);
  // All nodes but the root have one edge each that leads to them as to a new node.
  const refs = edges - (nodes - 1);
  const sizes = [12, LETTERS_BYTES * nodes, edges, NODE_BYTES * refs];
  let from = 0;
  const [, masks, firsts, known] = sizes.map((size) => {
    from += size;
    return bytes.subarray(from - size, from);
  });
  if (from > bytes.length) throw notPackedError();
  const graph = new Int32Array(nodes + 2 * edges);
  const places = new Int32Array(nodes);
  const wordsUnder = new Int32Array(nodes);
  let [node, edge, ref, length] = [0, 0, 0, 0];
  const visit = (): number => {
    const number = node++;
    const mask = numberAt(masks!, nodes, number, LETTERS_BYTES);
    const place = length;
    length += nodeSize(mask);
    places[number] = place;
    graph[place] = mask;
    let under = mask & WORD_END ? 1 : 0;
    for (let at = place + 1; at < place + nodeSize(mask); at += 2) {
      const to = firsts![edge++] === NEW_NODE ? visit() : numberAt(known!, refs, ref++, NODE_BYTES);
      graph[at] = places[to]!;
      graph[at + 1] = under;
      under += wordsUnder[to]!;
    }
    wordsUnder[number] = under;
    return number;
  };
  visit();
  return { graph, words, rest: bytes.subarray(from) };
}

/** The longest prefix that one digit of base 36 can count. */
const MAX_SHARED = 35;

/**
 * The clues of words in alphabetical order. A word is written as the length of the prefix that it shares with the previous
 * one, and its rest.
 */
export function packClues(clues: Iterable<readonly [string, string]>): string {
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
  for (const line of text.split('\n')) {
    const [coded = '', clue] = line.split('\t');
    before = before.slice(0, Number.parseInt(coded[0] ?? '', 36)) + coded.slice(1);
    if (clue !== undefined) clues.set(before, clue);
  }
  return clues;
}

/** All lowest bytes, then all second ones, and so on. */
function planes(numbers: readonly number[], bytes: number): Uint8Array {
  return joined(
    Array.from({ length: bytes }, (_, byte) => Uint8Array.from(numbers, (number) => number >>> (8 * byte))),
  );
}

function numberAt(plane: Uint8Array, size: number, index: number, bytes: number): number {
  let number = 0;
  for (let byte = 0; byte < bytes; byte++) number |= plane[byte * size + index]! << (8 * byte);
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
