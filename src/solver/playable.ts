import { lowest, undominated } from './bits.ts';
import { hasRepeats, type Spots } from './board.ts';
import { edgeAt, fromByte, type Lexicon, tierOf, WORD_END } from './lexicon.ts';
import type { Board, BoardWords, PlayableWord, Walk } from './types.ts';

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
/** The parts of a weight that count words, and the cost of their likelihood. */
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

/** The words in alphabetical order. */
export function wordsOf(edges: BoardWords): readonly PlayableWord[] {
  const { size, spelling, word } = edges;
  const numbers = Array.from({ length: size }, (_, number) => number);
  const words = numbers.sort((a, b) => spelling[a]! - spelling[b]!).map(word);
  edgesOfList.set(words, edges);
  return words;
}

/**
 * The same words as the edges that a search needs, without an object for each.
 *
 * @example makeSearch(board, walkBoard(board, lexicon)).fewest // 2
 */
export function walkBoard(board: Board, lexicon: Lexicon): BoardWords {
  return hasRepeats(board) ? packWords(board, walkRepeats(board, lexicon)) : walkDistinct(board, lexicon);
}

/** Lists are far from 2^24 words, and boards have at most 26 spots. */
const NUMBER_BITS = 24;
const NUMBER = 2 ** NUMBER_BITS - 1;
/** Words have at most 255 letters. */
const LENGTH_BITS = 8;
const MASK_BITS = 26;
const MASK = 2 ** MASK_BITS - 1;

/**
 * Memory for one walk at a time, which is over before anything else can begin one. All of it is one array, as the processor
 * has few registers for the addresses of several.
 */
interface WalkMemory {
  /** A ring of beginnings of words, then the words found. */
  readonly records: Int32Array;
  /** Where the words found are. */
  readonly found: number;
  /** Of the words found, the length and the likelihood of each, and their order by likelihood. */
  readonly lengths: Uint8Array;
  readonly likelihoods: Uint8Array;
  readonly ranked: Int32Array;
}

/**
 * A beginning is four numbers: its node in the word graph, the first two of the words found, and the letters that may follow.
 * Of each word found there are the number in the lexicon, with the spot it starts on above `NUMBER_BITS`, and the spots it
 * touches, with the spot it ends on above `MASK_BITS`.
 */
const OF_BEGINNING = 4;
const OF_FOUND = 2;

const memoryIn = new WeakMap<Lexicon, WalkMemory>();

function memoryOf(lexicon: Lexicon): WalkMemory {
  let memory = memoryIn.get(lexicon);
  if (memory === undefined) {
    // Each waiting beginning leads to other words, so there are no more beginnings than words. The next record is written
    // before it is certain to be kept, hence one more. Pages that are never written take no memory.
    const room = lexicon.size + 1;
    const found = OF_BEGINNING * 2 ** Math.ceil(Math.log2(room + 1));
    const records = new Int32Array(found + OF_FOUND * room);
    memory = {
      records,
      found,
      lengths: new Uint8Array(room),
      likelihoods: new Uint8Array(room),
      ranked: new Int32Array(room),
    };
    memoryIn.set(lexicon, memory);
  }
  return memory;
}

/**
 * Walks the word graph over a board of distinct letters, all beginnings of one length before any longer one: the processor
 * fetches many nodes at a time then. Words come out by length, and those of one length in alphabetical order, so that
 * sorting them by likelihood alone gives the order of their weights.
 *
 * @returns how many words were found
 */
function walkGraph(board: Board, { graph, root }: Lexicon, memory: WalkMemory): number {
  const { records, found, lengths } = memory;
  const { letters, all } = lettersOf(board);
  const last = found - 1;
  let words = found;
  let end = 0;
  for (let rest = graph[root]! & all; rest !== 0; rest &= rest - 1) {
    const letter = 2 * lowest(rest);
    const edge = edgeAt(root, graph[root]!, rest & -rest);
    const mask = letters[letter]!;
    const onwards = graph[graph[edge]!]! & letters[letter + 1]!;
    records[end] = graph[edge]!;
    records[end + 1] = graph[edge + 1]! + ((mask >>> MASK_BITS) << NUMBER_BITS);
    records[end + 2] = mask;
    records[end + 3] = onwards;
    end += OF_BEGINNING * isAny(onwards);
  }
  for (let at = 0, length = 2; at !== end; length++) {
    const before = words;
    let rest = records[at + 3]!;
    // One turn for each letter after a beginning, and no loop over the letters: how many there are can't be foreseen, nor
    // which of them lead on. So every record is written, and only the counts differ: a wrongly guessed branch costs more.
    for (const levelEnd = end; at !== levelEnd; ) {
      const node = records[at]!;
      const number = records[at + 1]!;
      const mask = records[at + 2]! & MASK;
      const bit = rest & -rest;
      rest ^= bit;
      at = (at + OF_BEGINNING * (1 - isAny(rest))) & last;
      rest |= records[at + 3]! & ~(-rest >> 31);
      const letter = (31 - Math.clz32(bit)) << 1;
      const edge = edgeAt(node, graph[node]!, bit);
      const to = graph[edge]!;
      const toBits = graph[to]!;
      const longerNumber = (number + graph[edge + 1]!) | 0;
      const longerMask = mask | letters[letter]!;
      const onwards = toBits & letters[letter + 1]!;
      records[words] = longerNumber;
      records[words + 1] = longerMask;
      words += OF_FOUND * isAny(toBits & WORD_END);
      records[end] = to;
      records[end + 1] = longerNumber;
      records[end + 2] = longerMask;
      records[end + 3] = onwards;
      end = (end + OF_BEGINNING * isAny(onwards)) & last;
    }
    lengths.fill(length, (before - found) / OF_FOUND, (words - found) / OF_FOUND);
  }
  return (words - found) / OF_FOUND;
}

/** Of each letter, its spot's bit with the spot above `MASK_BITS`, and the letters that may follow; and all letters of the board. */
function lettersOf(board: Board) {
  const letters = new Int32Array(2 * 26);
  let all = 0;
  for (let spot = 0; spot < board.letters.length; spot++) {
    const letter = board.letters.charCodeAt(spot) - 97;
    letters[2 * letter] = (1 << spot) | (spot << MASK_BITS);
    all |= 1 << letter;
  }
  for (const side of board.sides) {
    let own = 0;
    for (let at = 0; at < side.length; at++) own |= 1 << (side.charCodeAt(at) - 97);
    for (let at = 0; at < side.length; at++) letters[2 * (side.charCodeAt(at) - 97) + 1] = all & ~own;
  }
  return { letters, all };
}

/** 1 if any bit is set, and 0 if none is. */
function isAny(bits: number): number {
  return -bits >>> 31;
}

function walkDistinct(board: Board, lexicon: Lexicon): BoardWords {
  const memory = memoryOf(lexicon);
  const size = walkGraph(board, lexicon, memory);
  const { records, found, lengths, likelihoods, ranked } = memory;
  const from = new Uint32Array(board.letters.length + 1);
  const ranks = new Uint32Array(257);
  for (let at = 0; at < size; at++) {
    const number = records[found + OF_FOUND * at]!;
    const likelihood = lexicon.likelihoods[number & NUMBER]!;
    likelihoods[at] = likelihood;
    ranks[256 - likelihood]!++;
    from[(number >>> NUMBER_BITS) + 1]!++;
  }
  for (let at = 0; at < 256; at++) ranks[at + 1]! += ranks[at]!;
  for (let at = 0; at < size; at++) ranked[ranks[255 - likelihoods[at]!]!++] = at;
  for (let spot = 0; spot < board.letters.length; spot++) from[spot + 1]! += from[spot]!;
  const next = from.slice();
  const spelling = new Uint32Array(size);
  const order = new Uint32Array(size);
  const wordOf = new Uint32Array(size);
  const ends = new Uint8Array(size);
  const masks = new Int32Array(size);
  const weights = new Float64Array(size);
  for (let word = 0; word < size; word++) {
    const at = ranked[word]!;
    const number = records[found + OF_FOUND * at]!;
    const mask = records[found + OF_FOUND * at + 1]!;
    const edge = next[number >>> NUMBER_BITS]!++;
    spelling[word] = ((number & NUMBER) << LENGTH_BITS) | lengths[at]!;
    order[word] = edge;
    wordOf[edge] = word;
    ends[edge] = mask >>> MASK_BITS;
    masks[edge] = mask & MASK;
    weights[edge] = WEIGHT_OF_BYTE[likelihoods[at]!]! + lengths[at]!;
  }
  const known = new Map<number, PlayableWord>();
  const word = (number: number) => {
    let made = known.get(number);
    if (made === undefined) {
      const spelled = spelling[number]!;
      made = lexiconWord(board, lexicon, spelled >>> LENGTH_BITS, spelled & (2 ** LENGTH_BITS - 1));
      known.set(number, made);
    }
    return made;
  };
  return { size, from, ends, masks, weights, wordOf, order, spelling, word };
}

/** The numbers in the lexicon of words that were walked on a board of distinct letters. */
export function lexiconNumbers({ size, spelling }: BoardWords): Uint32Array {
  return Uint32Array.from({ length: size }, (_, word) => spelling[word]! >>> LENGTH_BITS);
}

/** A playable word of a lexicon. Its spelling and its walks are looked up when asked for: most words never are. */
function lexiconWord(board: Board, lexicon: Lexicon, number: number, length: number): PlayableWord {
  let spelled: string | undefined;
  let walks: readonly Walk[] | undefined;
  return {
    length,
    likelihood: fromByte(lexicon.likelihoods[number]!),
    tier: tierOf(lexicon.tiers[number]!),
    get word() {
      spelled ??= lexicon.wordAt(number);
      return spelled;
    },
    get walks() {
      walks ??= walkWord(board, this.word);
      return walks;
    },
  };
}

/** The words on a board with repeated letters, in alphabetical order, each with all its walks. */
function walkRepeats(board: Board, lexicon: Lexicon): PlayableWord[] {
  const { graph, root, likelihoods, tiers } = lexicon;
  const walker = SpotWalker.of(board);
  const words: PlayableWord[] = [];
  const visit = (node: number, number: number, word: string, walks: readonly number[]): void => {
    const bits = graph[node]!;
    if (bits & WORD_END)
      words.push({
        word,
        length: word.length,
        likelihood: fromByte(likelihoods[number]!),
        tier: tierOf(tiers[number]!),
        walks: walks.map(unpackWalk),
      });
    for (let rest = bits & (WORD_END - 1); rest !== 0; rest &= rest - 1) {
      const letter = lowest(rest);
      const longer = word === '' ? walker.begin(letter) : walker.step(walks, letter);
      if (longer.length === 0) continue;
      const edge = edgeAt(node, bits, 1 << letter);
      visit(graph[edge]!, number + graph[edge + 1]!, word + String.fromCharCode(97 + letter), longer);
    }
  };
  visit(root, 0, '', []);
  return words;
}

/** A walk on a board with repeated letters, of at most 16 spots, as one number: the spots it touches, its end and its start. */
const END_SHIFT = 16;
const START_SHIFT = 20;
const END = 15 << END_SHIFT;

function unpackWalk(walk: number): Walk {
  return { start: walk >>> START_SHIFT, end: (walk & END) >>> END_SHIFT, mask: walk & (2 ** END_SHIFT - 1) };
}

const walkerOf = new WeakMap<Board, SpotWalker>();

/** Walks letter by letter over a board with repeated letters, in all ways at once. */
class SpotWalker {
  /** By letter, its spots, each apart. */
  readonly #spots: readonly (readonly Spots[])[];
  /** By letter, its spots on each side. */
  readonly #spotsOnSides: readonly (readonly Spots[])[];
  /** By spot, the spots of its side. */
  readonly #sideOf: readonly Spots[];

  static of(board: Board): SpotWalker {
    let walker = walkerOf.get(board);
    if (walker === undefined) {
      walker = new SpotWalker(board);
      walkerOf.set(board, walker);
    }
    return walker;
  }

  private constructor({ letters, sides, sideOf }: Board) {
    const spotsOf = (isOne: (spot: number) => boolean) =>
      Array.from(letters).reduce((spots, _, spot) => (isOne(spot) ? spots | (1 << spot) : spots), 0);
    const alphabet = Array.from({ length: 26 }, (_, letter) => String.fromCharCode(97 + letter));
    this.#sideOf = sideOf.map((side) => spotsOf((spot) => sideOf[spot] === side));
    this.#spots = alphabet.map((letter) =>
      Array.from(letters, (_, spot) => 1 << spot).filter((_, spot) => letters[spot] === letter),
    );
    this.#spotsOnSides = alphabet.map((letter) =>
      sides
        .map((_, side) => spotsOf((spot) => sideOf[spot] === side && letters[spot] === letter))
        .filter((spots) => spots !== 0),
    );
  }

  /** @param letter 0 for an a */
  begin(letter: number): number[] {
    return this.#spots[letter]!.map((bit) => {
      const spot = lowest(bit);
      return (spot << START_SHIFT) | (spot << END_SHIFT) | bit;
    });
  }

  step(walks: readonly number[], letter: number, groups: readonly Spots[] = this.#spots[letter]!): number[] {
    const longer: number[] = [];
    for (const walk of walks) {
      const side = this.#sideOf[(walk & END) >>> END_SHIFT]!;
      for (const group of groups) {
        if (group & side) continue;
        const spot = lowest(group & ~walk || group);
        longer.push((walk & ~END) | (spot << END_SHIFT) | (1 << spot));
      }
    }
    return undominated(longer, END_SHIFT);
  }

  /** All ways to walk a word. */
  walkWord(word: string): number[] {
    if (!/^[a-z]+$/.test(word)) return [];
    let walks = this.begin(word.charCodeAt(0) - 97);
    for (let at = 1; at < word.length; at++) walks = this.step(walks, word.charCodeAt(at) - 97);
    return walks;
  }

  /**
   * The ways to walk a text by which nothing comes before it, wherever they begin: it does not matter then which of the spots
   * that a letter has on one side is touched first.
   */
  walkText(text: string): number[] {
    if (!/^[a-z]+$/.test(text)) return [];
    let walks = this.#spotsOnSides[text.charCodeAt(0) - 97]!.map(
      (spots) => (lowest(spots) << END_SHIFT) | (spots & -spots),
    );
    for (let at = 1; at < text.length; at++) {
      const letter = text.charCodeAt(at) - 97;
      walks = this.step(walks, letter, this.#spotsOnSides[letter]);
    }
    return walks;
  }
}

/**
 * The ways to walk a word over the board: none if it can't be played. On boards with repeated letters, a way that touches no
 * more than another one with the same ends is left out.
 */
export function walkWord(board: Board, word: string): Walk[] {
  if (word.length === 0) return [];
  if (hasRepeats(board)) return SpotWalker.of(board).walkWord(word).map(unpackWalk);
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

/** Words that are played one after the other are walked as one text, the joining letters written once. */
export function walkWords(board: Board, words: readonly string[]): Pick<Walk, 'end' | 'mask'>[] {
  const text = words.map((word, at) => (at === 0 ? word : word.slice(1))).join('');
  return hasRepeats(board) ? SpotWalker.of(board).walkText(text).map(unpackWalk) : walkWord(board, text);
}

/** Edges of words that are objects already. */
export function packWords(board: Board, unsorted: readonly PlayableWord[]): BoardWords {
  const known = edgesOfList.get(unsorted);
  if (known !== undefined) return known;
  const alphabetical = unsorted.toSorted((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  const weightOfWord = Float64Array.from(alphabetical, ({ likelihood, length }) =>
    weightOf(likelihood, length),
  );
  const spelling = Uint32Array.from(weightOfWord.keys()).sort(
    (a, b) => weightOfWord[a]! - weightOfWord[b]! || a - b,
  );
  const size = spelling.length;
  const words = Array.from(spelling, (at) => alphabetical[at]!);
  const from = new Uint32Array(board.letters.length + 1);
  for (const { walks } of words) for (const { start } of walks) from[start + 1]!++;
  for (let spot = 0; spot < board.letters.length; spot++) from[spot + 1]! += from[spot]!;
  const next = from.slice();
  const edges = from.at(-1)!;
  const order = new Uint32Array(edges);
  const wordOf = new Uint32Array(edges);
  const ends = new Uint8Array(edges);
  const masks = new Int32Array(edges);
  const weights = new Float64Array(edges);
  let ordered = 0;
  for (let word = 0; word < size; word++) {
    for (const { start, end, mask } of words[word]!.walks) {
      const edge = next[start]!++;
      order[ordered++] = edge;
      wordOf[edge] = word;
      ends[edge] = end;
      masks[edge] = mask;
      weights[edge] = weightOfWord[spelling[word]!]!;
    }
  }
  return { size, from, ends, masks, weights, wordOf, order, spelling, word: (word) => words[word]! };
}
