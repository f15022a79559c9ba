import { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import { popcount, undominated } from './bits.ts';
import { formatBoard, hasRepeats } from './board.ts';
import { type Edges, type JoinedPairs, joinTwo, type State, Stopped, Stopper } from './edges.ts';
import { type Endings, LastTwo, makeEndings } from './endings.ts';
import { packWords, walkWords } from './playable.ts';
import type { Board, BoardWords, Tier } from './types.ts';

export interface SearchOptions {
  /** Words that must not be used. */
  readonly exclude?: readonly string[];
  /** Words that each solution contains, in any place. */
  readonly require?: readonly string[];
  readonly tier?: Tier;
  /** Words already played, in order; solutions hold only what comes after them. */
  readonly played?: readonly string[];
  /** The solution that is to be told first, if it is as short as any: what a board was made from. No search uses it. */
  readonly preferred?: readonly string[];
  /** No solution has more (further) words than this. */
  readonly maxWords?: number;
  /** Asked now and then; once it says true, the search is cut. Time is a parameter: the solver has no clock. */
  readonly stop?: () => boolean;
}

/** What all answers to one search are worked out from. Tables that not every answer needs are made when they are asked for. */
export class Problem {
  readonly board: Board;
  readonly words: BoardWords;
  readonly edges: Edges;
  /** No edge has a smaller weight. */
  readonly lightest: number;
  /**
   * Where chains begin: on any spot, or after the words played. On boards with repeated letters a chain may be in several
   * states at once, as there may be several ways to walk it: these are together in one list.
   */
  readonly starts: readonly (readonly State[])[];
  /** Whether nothing was played. */
  readonly isWhole: boolean;
  /** Whether each word is a single edge, so that each chain is in a single state. */
  readonly isDistinct: boolean;
  readonly endings: Endings;
  readonly stopper: Stopper;
  #lastTwo: LastTwo | undefined;
  #pairs: JoinedPairs | undefined;
  #sets: StateSets | undefined;
  #keys: Int32Array | undefined;
  #numbers: Uint32Array | undefined;

  constructor(board: Board, words: BoardWords, options: SearchOptions) {
    const played = (options.played ?? []).map((word) => word.toLowerCase());
    const required = [...new Set(options.require?.map((word) => word.toLowerCase()))];
    this.board = board;
    this.isDistinct = !hasRepeats(board);
    checkRequired(board, required, this.isDistinct);
    this.words = select(board, words, options);
    this.edges = edgesOf(
      board,
      this.words,
      required.filter((word) => !played.includes(word)),
    );
    this.lightest = this.edges.order.length === 0 ? 0 : this.edges.weights[this.edges.order[0]!]!;
    this.isWhole = played.length === 0;
    this.stopper = new Stopper(options.stop);
    this.starts = this.isWhole ? startsAnywhere(board, this.edges) : [statesAfter(board, this.edges, played)];
    this.endings = makeEndings(this.edges, this.stopper);
  }

  /** Whether all endings are in tables: lists of any length are exact then. */
  get isSmall(): boolean {
    return this.endings.dense !== undefined;
  }

  get lastTwo(): LastTwo {
    this.#lastTwo ??= new LastTwo(this.edges);
    return this.#lastTwo;
  }

  /** By edge, the spot it ends on, above the bits that it does not cover: ANDed with a need, it is the next state. */
  get keys(): Int32Array {
    if (this.#keys === undefined) {
      const { bits, full, ends, masks } = this.edges;
      this.#keys = new Int32Array(masks.length);
      for (let edge = 0; edge < masks.length; edge++)
        this.#keys[edge] = (ends[edge]! << bits) | (full & ~masks[edge]!);
    }
    return this.#keys;
  }

  /** All solutions of two words, on small boards of distinct letters with nothing played. */
  get pairs(): JoinedPairs | undefined {
    if (!this.isSmall || !this.isDistinct || !this.isWhole) return undefined;
    this.#pairs ??= joinTwo(this.edges, this.stopper);
    return this.#pairs;
  }

  get sets(): StateSets {
    this.#sets ??= new StateSets(this);
    return this.#sets;
  }

  get #allWords(): Uint32Array {
    if (this.#numbers === undefined) {
      this.#numbers = new Uint32Array(this.words.size);
      for (let word = 0; word < this.#numbers.length; word++) this.#numbers[word] = word;
    }
    return this.#numbers;
  }

  /** Where chains begin whose first word begins with a letter, if one is given. */
  startsOn(letter: string | undefined): readonly (readonly State[])[] {
    if (letter === undefined) return this.starts;
    return this.starts.filter(([state]) => state !== undefined && this.board.letters[state.spot] === letter);
  }

  /** The words that a chain may begin with, the lightest first; those of one letter, if it is given. */
  firstWords(letter: string | undefined): ArrayLike<number> {
    const { wordOf, from } = this.edges;
    if (this.isWhole && letter === undefined) return this.#allWords;
    const words = new Set<number>();
    for (const { spot } of this.startsOn(letter).flat())
      for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) words.add(wordOf[edge]!);
    return Uint32Array.from(words).sort();
  }

  /**
   * Whether answers about this many words come first, even if the time is up. Where letters repeat, the words played so
   * far may have been walked in many ways, so that even two more take long.
   */
  isFirst(words: number): boolean {
    return words <= (this.isDistinct || this.isWhole ? 2 : 1);
  }
}

/** A state of a board with repeated letters is one number: what is covered, and above it the spot. */
const COVERED_BITS = 28;
const COVERED = 2 ** COVERED_BITS - 1;

/** A set of more states, as boards of two letters have, could not be searched within seconds. */
const MOST_REACHED = 60_000;

/** Spots and required words are the bits of one number. */
function checkRequired(board: Board, required: readonly string[], isDistinct: boolean): void {
  const room = (isDistinct ? 30 : COVERED_BITS) - board.letters.length;
  if (required.length <= room) return;
  throw new UserError(
    'search.required',
    `${required.length} required words are too many for this board; name at most ${room}.`,
  );
}

function select(board: Board, words: BoardWords, { exclude = [], tier }: SearchOptions): BoardWords {
  if (exclude.length === 0 && tier === undefined) return words;
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  const all = Array.from({ length: words.size }, (_, number) => words.word(number));
  return packWords(
    board,
    all.filter((word) => (tier !== 'everyday' || word.tier === 'everyday') && !unwanted.has(word.word)),
  );
}

function edgesOf(board: Board, words: BoardWords, required: readonly string[]): Edges {
  const spots = board.letters.length;
  const bits = spots + required.length;
  const { from, ends, weights, wordOf, order } = words;
  const masks = required.length === 0 ? words.masks : words.masks.slice();
  for (let edge = 0; edge < masks.length && required.length > 0; edge++) {
    const index = required.indexOf(words.word(wordOf[edge]!).word);
    if (index >= 0) masks[edge]! |= 1 << (spots + index);
  }
  return { from, ends, masks, weights, wordOf, order, bits, full: 2 ** bits - 1 };
}

function startsAnywhere({ letters }: Board, { full }: Edges): State[][] {
  const byLetter = new Map<string, State[]>();
  for (let spot = 0; spot < letters.length; spot++) {
    const state = { spot, need: full & ~(1 << spot) };
    const same = byLetter.get(letters[spot]!);
    if (same === undefined) byLetter.set(letters[spot]!, [state]);
    else same.push(state);
  }
  return [...byLetter.values()];
}

function statesAfter(board: Board, { full }: Edges, played: readonly string[]): State[] {
  for (let last = 1; last < played.length; last++) {
    const before = played[last - 1]!;
    const word = played[last]!;
    if (before.at(-1) !== word[0]) throw notPlayable(board, word);
  }
  const walks = walkWords(board, played);
  if (walks.length > 0) return walks.map(({ end, mask }) => ({ spot: end, need: full & ~mask }));
  const wrong = played.find((_, index) => walkWords(board, played.slice(0, index + 1)).length === 0);
  throw notPlayable(board, wrong ?? '');
}

function notPlayable(board: Board, word: string): UserError {
  return new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
}

/**
 * On boards with repeated letters, a chain of words may be walked in several ways. All the states that it may be in are kept
 * together, so that it is found and counted once.
 */
export class StateSets {
  readonly #problem: Problem;
  /** By word, the place of its first edge in their order. */
  readonly #first: Uint32Array;
  readonly #startOf: Uint8Array;
  /** By letter, the words that begin with it, the lightest first. */
  readonly #wordsFrom = new Map<string, number[]>();
  readonly #finishing = new Map<string, readonly number[]>();
  #most = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
    const { board, edges, words } = problem;
    const { from, masks, order, wordOf } = edges;
    this.#startOf = new Uint8Array(order.length);
    for (let spot = 0; spot < board.letters.length; spot++)
      this.#startOf.fill(spot, from[spot]!, from[spot + 1]!);
    this.#first = new Uint32Array(words.size + 1).fill(order.length);
    for (let at = order.length - 1; at >= 0; at--) this.#first[wordOf[order[at]!]!] = at;
    for (let word = 0; word < words.size; word++) {
      const letter = board.letters[this.#startOf[order[this.#first[word]!]!]!]!;
      const same = this.#wordsFrom.get(letter);
      if (same === undefined) this.#wordsFrom.set(letter, [word]);
      else same.push(word);
    }
    for (const mask of masks) this.#most = Math.max(this.#most, popcount(mask));
  }

  /** States as numbers, none of which covers no more than another one on the same spot. */
  pack(states: readonly State[]): readonly number[] {
    const { full } = this.#problem.edges;
    return undominated(
      states.map(({ spot, need }) => (spot << COVERED_BITS) | (full & ~need)),
      COVERED_BITS,
    );
  }

  unpack(states: readonly number[]): readonly State[] {
    const { full } = this.#problem.edges;
    return states.map((state) => ({ spot: state >>> COVERED_BITS, need: full & ~(state & COVERED) }));
  }

  weightOf(word: number): number {
    const { order, weights } = this.#problem.edges;
    return weights[order[this.#first[word]!]!]!;
  }

  /** The states of a chain before its first word. */
  before(word: number): readonly number[] {
    const { edges, starts, board } = this.#problem;
    const letter = board.letters[this.#startOf[edges.order[this.#first[word]!]!]!];
    const start = starts.find(([state]) => state !== undefined && board.letters[state.spot] === letter);
    return this.pack(start ?? []);
  }

  /** The words that begin with the letter of the states, the lightest first. */
  wordsFrom(states: readonly number[]): readonly number[] {
    const spot = states[0]! >>> COVERED_BITS;
    return this.#wordsFrom.get(this.#problem.board.letters[spot]!) ?? [];
  }

  /** The states after a word from which `left` more words may cover the rest. */
  after(states: readonly number[], word: number, left: number): readonly number[] {
    const { order, ends, masks } = this.#problem.edges;
    this.#problem.stopper.step(states.length * (this.#first[word + 1]! - this.#first[word]!));
    const reached: number[] = [];
    for (let at = this.#first[word]!; at < this.#first[word + 1]!; at++) {
      const edge = order[at]!;
      const start = this.#startOf[edge]!;
      for (let index = 0; index < states.length; index++) {
        if (states[index]! >>> COVERED_BITS !== start) continue;
        const covered = (states[index]! & COVERED) | masks[edge]!;
        if (this.#mayFinish(ends[edge]!, covered, left))
          reached.push((ends[edge]! << COVERED_BITS) | covered);
      }
    }
    if (reached.length > MOST_REACHED) throw new Stopped('size');
    return undominated(reached, COVERED_BITS);
  }

  #mayFinish(spot: number, covered: number, left: number): boolean {
    const { edges, endings } = this.#problem;
    const need = edges.full & ~covered;
    if (left === 0) return need === 0;
    return left === 1 ? endings.first(spot, need) >= 0 : popcount(need) <= left * this.#most;
  }

  /** The words that cover all that is left of one of the states, the lightest first. */
  finishing(states: readonly number[]): readonly number[] {
    const key = states.join(' ');
    let words = this.#finishing.get(key);
    if (words === undefined) {
      const { edges, endings, stopper } = this.#problem;
      const found = new Set<number>();
      for (const state of states) {
        stopper.step(endings.cost);
        for (const edge of endings.all(state >>> COVERED_BITS, edges.full & ~(state & COVERED)))
          found.add(edges.wordOf[edge]!);
      }
      words = [...found].sort((a, b) => a - b);
      this.#finishing.set(key, words);
    }
    return words;
  }
}

/** Ends an answer where the search was stopped, and remembers which answer that was. */
export class Guard {
  readonly #problem: Problem;
  #cut: string | undefined;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /** Where and why the first answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Undefined when it was stopped. After a cut this asks `stop` at once, before any table is made for a further question. */
  run<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => {
      this.#problem.stopper.step();
      return answer();
    });
  }

  /** As `run`, for what is short on any board: it is answered even if the time was up before. */
  always<Answer>(what: string, answer: () => Answer): Answer | undefined {
    return this.attempt(what, () => this.#problem.stopper.unstopped(answer));
  }

  /** As `run`, for an answer that begins with what is short. */
  attempt<Answer>(what: string, answer: () => Answer): Answer | undefined {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { board, words } = this.#problem;
      const reason = error.why === 'time' ? 'the time ran out' : 'there were too many ways to combine them';
      this.#cut ??= `${formatBoard(board).toUpperCase()} has ${counted(words.size, 'word')} to try; ${reason} before ${what} was certain.`;
      return undefined;
    }
  }
}
