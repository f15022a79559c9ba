import { groupBy, lettersIn, lowest, popcount } from './bits.ts';
import { hasRepeats, reachable, type Spots, spotsOf } from './board.ts';
import { type State, undominated } from './edges.ts';
import {
  edgeAt,
  edgesFrom,
  fromByte,
  type Lexicon,
  onceForLexicon,
  targetOf,
  tierOf,
  WORD_END,
  wordsBefore,
} from './lexicon.ts';
import type { Board, BoardWords, PlayableWord, Walk } from './types.ts';

/**
 * The weight of a chain is the sum of its words' weights, and lighter chains come first. A weight has three parts, the most
 * important in front: the cost of the likelihood (−ln in whole steps, so that sums are exact), the number of words (1), and the
 * number of letters.
 */
function weightOf(likelihood: number, length: number): number {
  const cost = Math.round(Math.min(WORST, -Math.log(likelihood)) * COST_STEPS);
  return (cost * WORD_ROOM + 1) * LETTER_ROOM + length;
}
const WORST = 15;
const COST_STEPS = 2 ** 16;
const LETTER_ROOM = 2 ** 10;
const WORD_ROOM = 2 ** 4;
/** The place value of the number of words in a weight, and that of the cost. */
export const WEIGHT_OF_WORD = LETTER_ROOM;
export const WEIGHT_OF_COST = LETTER_ROOM * WORD_ROOM;

/** The weight of a word by its byte of likelihood, before its letters are added. */
const WEIGHT_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) => weightOf(fromByte(byte), 0));

/** Every word of the lexicon that can be walked on the board, in alphabetical order. */
export function findPlayable(board: Board, lexicon: Lexicon): readonly PlayableWord[] {
  return wordsOf(walkBoard(board, lexicon));
}

/** The edges of lists made by `wordsOf`, so that `packWords` need not spell all words to find them again. */
const edgesOfList = new WeakMap<readonly PlayableWord[], BoardWords>();

/** The words in alphabetical order, in which `spelling` ranks them. */
export function wordsOf(edges: BoardWords): readonly PlayableWord[] {
  const { size, spelling, word } = edges;
  const numbers = Array.from({ length: size }, (_, number) => number);
  const words = numbers.sort((a, b) => spelling[a]! - spelling[b]!).map(word);
  edgesOfList.set(words, edges);
  return words;
}

/**
 * The words that `findPlayable` finds as the edges that a search needs, without an object for each.
 *
 * @example makeSearch(board, walkBoard(board, lexicon)).fewest // 2
 */
export function walkBoard(board: Board, lexicon: Lexicon): BoardWords {
  return hasRepeats(board) ? walkRepeats(board, lexicon) : walkDistinct(board, lexicon);
}

/** Lists are far from 2^24 words, and boards have at most 26 spots. */
const NUMBER_BITS = 24;
const NUMBER = 2 ** NUMBER_BITS - 1;
const MASK_BITS = 26;
const MASK = 2 ** MASK_BITS - 1;

/** Memory of `walkGraph`, used by one walk at a time. */
interface WalkMemory {
  /** Three lists of records, one after another: beginnings of words, the steps from them to the next letter, and words found. */
  readonly records: Int32Array;
  /** The places in `records` where the steps and the words found begin. */
  readonly steps: number;
  readonly found: number;
  /** The length and the likelihood of each word found, and the words found in order of likelihood. */
  readonly lengths: Uint8Array;
  readonly likelihoods: Uint8Array;
  readonly ranked: Int32Array;
}

/**
 * How many numbers a record has:
 * A word found: its number in the lexicon, with the spot it starts on above `NUMBER_BITS`; a mask of the spots it touches, with the
 * spot it ends on above `MASK_BITS`.
 * A beginning of words: its node in the word graph; the two numbers of a word found; the letters that may follow.
 * A step: the same, with the bits of its node in place of the letters.
 */
const OF_BEGINNING = 4;
const OF_FOUND = 2;

const memoryOf = onceForLexicon(({ size }): WalkMemory => {
  // Steps of one length lead to different words, so there are no more of them than words. One more record has room, since each
  // is written before it is known whether it is kept. Memory that is never written takes no space.
  const room = size + 1;
  const steps = OF_BEGINNING * room;
  const found = 2 * steps;
  return {
    records: new Int32Array(found + OF_FOUND * room),
    steps,
    found,
    lengths: new Uint8Array(room),
    likelihoods: new Uint8Array(room),
    ranked: new Int32Array(room),
  };
});

/**
 * Walks the word graph over a board of distinct letters, all beginnings of one length before any longer one. Three loops make
 * those of the next length:
 *
 * 1. It makes a step from each beginning by each letter that may follow, without the bits of the node that it leads to.
 * 2. It adds these bits. Most of the time is spent waiting for memory, and in so short a loop the processor fetches many nodes at
 *    once.
 * 3. It makes a word of each step where one ends, and a longer beginning of each step where letters may follow.
 *
 * Words come out by length, and those of one length in alphabetical order, so that sorting them by likelihood alone gives the
 * order of their weights.
 *
 * @returns how many words were found
 */
function walkGraph(board: Board, { graph, root }: Lexicon, memory: WalkMemory): number {
  const { records, steps, found, lengths } = memory;
  const { spots, following, all } = lettersOf(board);
  let words = found;
  let end = 0;
  // Beginnings without a letter, one for each letter that may be the first.
  for (let rest = graph[root]! & all; rest !== 0; rest &= rest - 1) {
    records[end] = root;
    records[end + 1] = (spots[lowest(rest)]! >>> MASK_BITS) << NUMBER_BITS;
    records[end + 2] = 0;
    records[end + 3] = rest & -rest;
    end += OF_BEGINNING;
  }
  // These loops write every record, and move on by a record's size or by 0 to keep or to overwrite it: a branch would often be
  // predicted wrongly, which costs more. `-bits >>> 31` is 1 if any bit is set, else 0: V8 would not inline a function for it
  // in a command that ends soon.
  for (let length = 1; end > 0; length++) {
    let stepsEnd = steps;
    let letters = records[3]!;
    for (let at = 0; at < end; stepsEnd += OF_BEGINNING) {
      const node = records[at]!;
      const number = records[at + 1]!;
      const mask = records[at + 2]! & MASK;
      const letter = letters & -letters;
      const edge = edgeAt(node, graph[node]!, letter);
      records[stepsEnd] = targetOf(graph[edge]!);
      records[stepsEnd + 1] = number + wordsBefore(graph, edge, graph[node]!);
      records[stepsEnd + 2] = mask | spots[31 - Math.clz32(letter)]!;
      // The other letters after this beginning, or if there are none, those after the next beginning.
      letters ^= letter;
      at += OF_BEGINNING * (1 - (-letters >>> 31));
      letters |= records[at + 3]! & ~(-letters >> 31);
    }
    for (let step = steps; step < stepsEnd; step += OF_BEGINNING) records[step + 3] = graph[records[step]!]!;
    const before = words;
    end = 0;
    for (let step = steps; step < stepsEnd; step += OF_BEGINNING) {
      const node = records[step]!;
      const number = records[step + 1]!;
      const mask = records[step + 2]!;
      const bits = records[step + 3]!;
      const onwards = bits & following[mask >>> MASK_BITS]!;
      records[words] = number;
      records[words + 1] = mask;
      words += OF_FOUND * (-(bits & WORD_END) >>> 31);
      records[end] = node;
      records[end + 1] = number;
      records[end + 2] = mask;
      records[end + 3] = onwards;
      end += OF_BEGINNING * (-onwards >>> 31);
    }
    lengths.fill(length, (before - found) / OF_FOUND, (words - found) / OF_FOUND);
  }
  return (words - found) / OF_FOUND;
}

/** For each letter, the bit of its spot with the spot above `MASK_BITS`; for each spot, the letters that may follow it. */
function lettersOf(board: Board) {
  const spots = new Int32Array(26);
  let all = 0;
  for (let spot = 0; spot < board.letters.length; spot++) {
    const letter = board.letters.charCodeAt(spot) - 97;
    spots[letter] = (1 << spot) | (spot << MASK_BITS);
    all |= 1 << letter;
  }
  const following = new Int32Array(board.letters.length);
  for (let spot = 0; spot < board.letters.length; spot++)
    following[spot] = all & ~lettersIn(board.sides[board.sideOf[spot]!]!);
  return { spots, following, all };
}

/** The words of a board of distinct letters. Their `spelling` is their number in the lexicon, which is alphabetical. */
export function walkDistinct(board: Board, lexicon: Lexicon) {
  const memory = memoryOf(lexicon);
  const size = walkGraph(board, lexicon, memory);
  const { records, found, lengths, likelihoods, ranked } = memory;
  // A loop of its own, as the second one of `walkGraph`.
  for (let at = 0; at < size; at++)
    likelihoods[at] = lexicon.likelihoods[records[found + OF_FOUND * at]! & NUMBER]!;
  const from = new Uint32Array(board.letters.length + 1);
  // A counting sort by likelihood, the highest first; equally likely words stay in the order in which they were walked.
  const ranks = new Uint32Array(257);
  for (let at = 0; at < size; at++) {
    const number = records[found + OF_FOUND * at]!;
    ranks[256 - likelihoods[at]!]!++;
    from[(number >>> NUMBER_BITS) + 1]!++;
  }
  for (let at = 0; at < 256; at++) ranks[at + 1]! += ranks[at]!;
  for (let at = 0; at < size; at++) ranked[ranks[255 - likelihoods[at]!]!++] = at;
  for (let spot = 0; spot < board.letters.length; spot++) from[spot + 1]! += from[spot]!;
  const next = from.slice();
  // Parts of one buffer: six buffers would take longer to allocate than to fill.
  const buffer = new ArrayBuffer(25 * size);
  const weights = new Float64Array(buffer, 0, size);
  const masks = new Int32Array(buffer, 8 * size, size);
  const spelling = new Uint32Array(buffer, 12 * size, size);
  const order = new Uint32Array(buffer, 16 * size, size);
  const wordOf = new Uint32Array(buffer, 20 * size, size);
  const ends = new Uint8Array(buffer, 24 * size, size);
  // Each word has one edge, so that `order`, the edges by weight, has the edge of each word at the word's number.
  for (let word = 0; word < size; word++) {
    const at = ranked[word]!;
    const number = records[found + OF_FOUND * at]!;
    const mask = records[found + OF_FOUND * at + 1]!;
    const edge = next[number >>> NUMBER_BITS]!++;
    spelling[word] = number & NUMBER;
    order[word] = edge;
    wordOf[edge] = word;
    ends[edge] = mask >>> MASK_BITS;
    masks[edge] = mask & MASK;
    weights[edge] = WEIGHT_OF_BYTE[likelihoods[at]!]! + lengths[at]!;
  }
  return withWords(lexicon, { size, from, ends, masks, weights, wordOf, order, spelling });
}

/** The edges of words that have one each, with `word`, which makes an object of a word when it is first asked for. */
function withWords<Edges extends Omit<BoardWords, 'word'>>(lexicon: Lexicon, edges: Edges) {
  const { spelling, from, order, ends, masks } = edges;
  const known = new Map<number, PlayableWord>();
  const word = (number: number): PlayableWord => {
    let made = known.get(number);
    if (made === undefined) {
      const edge = order[number]!;
      const start = from.findIndex((first) => first > edge) - 1;
      const walks = [{ start, end: ends[edge]!, mask: masks[edge]! }];
      made = playableWord(lexicon, spelling[number]!, walks);
      known.set(number, made);
    }
    return made;
  };
  return { ...edges, word };
}

/** @param number of the word in the lexicon */
function playableWord(lexicon: Lexicon, number: number, walks: readonly Walk[]): PlayableWord {
  const word = lexicon.wordAt(number);
  const likelihood = fromByte(lexicon.likelihoods[number]!);
  return { word, length: word.length, likelihood, tier: tierOf(lexicon.tiers[number]!), walks };
}

/** Walks a board with repeated letters from each spot separately, since states do not say on which spot a walk began. */
function walkRepeats(board: Board, lexicon: Lexicon): BoardWords {
  const { graph, root } = lexicon;
  const letters = lettersIn(board.letters);
  const spots = Array.from({ length: 26 }, (_, letter) =>
    spotsApart(board, String.fromCharCode(97 + letter)),
  );
  /** By the words' numbers in the lexicon. */
  const found = new Map<number, Walk[]>();
  const visit = (start: number, states: readonly State[], node: number, number: number): void => {
    if (graph[node]! & WORD_END) {
      const walks = states.map(({ spot, need }) => ({ start, end: spot, mask: board.full & ~need }));
      found.set(number, [...(found.get(number) ?? []), ...walks]);
    }
    for (const { letter, to, before } of edgesFrom(lexicon, node, letters)) {
      const longer = step(board, states, spots[letter]!);
      if (longer.length > 0) visit(start, longer, to, number + before);
    }
  };
  for (const { letter, to, before } of edgesFrom(lexicon, root, letters))
    for (const spot of spots[letter]!) visit(lowest(spot), [begin(board, spot)], to, before);
  return packWords(
    board,
    Array.from(found, ([number, walks]) => playableWord(lexicon, number, walks)),
  );
}

/** The spots of a letter, each as a set of its own. */
function spotsApart({ letters }: Board, letter: string): Spots[] {
  return Array.from(letters, (_, spot) => 1 << spot).filter((_, spot) => letters[spot] === letter);
}

/** The spots of a letter, as a set for each side that has it. */
function spotsBySide(board: Board, letter: string): Spots[] {
  const spots = spotsOf(board, letter);
  return board.sides
    .map((_, side) => spots & ~reachable(board, 1 << board.sideOf.indexOf(side)))
    .filter((own) => own !== 0);
}

/** The state of a walk that begins on one of these spots, which are alike: its spot, and the spots that it has not touched. */
function begin({ full }: Board, group: Spots): State {
  return { spot: lowest(group), need: full & ~(group & -group) };
}

/**
 * The states after one more letter.
 *
 * @param groups spots of the letter. Of those in one group it does not matter which one is touched first.
 */
function step({ sideOf }: Board, states: readonly State[], groups: readonly Spots[]): readonly State[] {
  const reached: State[] = [];
  for (const { spot, need } of states) {
    for (const group of groups) {
      const next = lowest(group & need || group);
      if (sideOf[next] !== sideOf[spot]) reached.push({ spot: next, need: need & ~(1 << next) });
    }
  }
  return undominated(reached);
}

/**
 * The ways to walk a word over the board: none if it can't be played. On boards with repeated letters, a way that touches no
 * more than another one with the same ends is left out.
 */
export function walkWord(board: Board, word: string): Walk[] {
  const groups = Array.from(word, (letter) => spotsApart(board, letter));
  return (groups[0] ?? []).flatMap((spot) =>
    groups
      .slice(1)
      .reduce<readonly State[]>((states, group) => step(board, states, group), [begin(board, spot)])
      .map(({ spot: end, need }) => ({ start: lowest(spot), end, mask: board.full & ~need })),
  );
}

/**
 * The states after words that are played one after another, walked as one text with the joining letters written once. Spots of one
 * letter on one side are a group: since no other word comes before this text, it does not matter which of them is touched first.
 *
 * @param most states after each letter: of more, those that have touched most are kept
 */
export function walkWords(
  board: Board,
  words: readonly string[],
  most = Number.POSITIVE_INFINITY,
): readonly State[] {
  const text = words.map((word, at) => (at === 0 ? word : word.slice(1))).join('');
  const [first = [], ...rest] = Array.from(text, (letter) => spotsBySide(board, letter));
  return rest.reduce<readonly State[]>(
    (states, groups) => {
      const reached = step(board, states, groups);
      if (reached.length <= most) return reached;
      return reached.toSorted((a, b) => popcount(a.need) - popcount(b.need)).slice(0, most);
    },
    first.map((group) => begin(board, group)),
  );
}

/** The edges of words that are objects already, perhaps several of a word. `spelling` has places in `alphabetical`. */
export function packWords(board: Board, unsorted: readonly PlayableWord[]): BoardWords {
  const known = edgesOfList.get(unsorted);
  if (known !== undefined) return known;
  const alphabetical = unsorted.toSorted((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  const weights = alphabetical.map(({ likelihood, length }) => weightOf(likelihood, length));
  const spelling = Uint32Array.from(weights.keys()).sort((a, b) => weights[a]! - weights[b]! || a - b);
  const words = Array.from(spelling, (at) => alphabetical[at]!);
  const byWeight = words.flatMap(({ walks }, word) =>
    walks.map((walk) => ({ ...walk, word, weight: weights[spelling[word]!]! })),
  );
  const { from, items } = groupBy(
    byWeight.map(({ start }) => start),
    board.letters.length,
  );
  const order = new Uint32Array(items.length);
  items.forEach((at, edge) => {
    order[at] = edge;
  });
  const edges = Array.from(items, (at) => byWeight[at]!);
  return {
    size: words.length,
    spelling,
    word: (number) => words[number]!,
    from,
    order,
    ends: Uint8Array.from(edges, ({ end }) => end),
    masks: Int32Array.from(edges, ({ mask }) => mask),
    weights: Float64Array.from(edges, ({ weight }) => weight),
    wordOf: Uint32Array.from(edges, ({ word }) => word),
  };
}
