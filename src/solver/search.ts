import { UserError } from '../core/errors.ts';
import { popcount } from './bits.ts';
import { formatBoard, hasRepeats } from './board.ts';
import { type Columns, packWords } from './columns.ts';
import { Counter, type Start } from './count.ts';
import { type Finisher, makeFinisher } from './finish.ts';
import { walkWord } from './playable.ts';
import { quickChain } from './quick.ts';
import { type Ranked, Ranker } from './rank.ts';
import { prune, type State } from './state.ts';
import { Stopped, Stopper } from './stopper.ts';
import { WordTable } from './table.ts';
import type { Board, Order, PlayableWord, Solution, Tier } from './types.ts';

/** Longer chains are never looked for unless asked: no one plays them. */
export const MAX_WORDS = 8;
/** How many ways of going on a quick search keeps: for an answer to show, and for a bound. */
const WIDE = 300;
const NARROW = 100;
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

export interface Listing {
  /** Only solutions with exactly this many words. */
  readonly exactly?: number;
  /** At most one solution, the best, for each first word. */
  readonly oneEach?: boolean;
  /** Only solutions whose first word begins with this letter. */
  readonly startLetter?: string;
}

/**
 * All questions about one board and one set of words. Each answer is worked out when it is asked for,
 * exactly; when `stop` cuts one short, it is undefined (or the listing ends) and `cut` says so.
 *
 * @example
 * const search = makeSearch(board, findPlayable(board, lexicon));
 * search.fewest; // 2
 * search.count(2); // 10
 * search.solutions('surest').take(10).toArray();
 */
export class Search {
  readonly board: Board;
  /** As they were given, for a further search on the same terms. */
  readonly options: SearchOptions;
  /** The words in play, most likely first. */
  get words(): readonly PlayableWord[] {
    this.#words ??= Array.from(this.#columns.order, (number) => this.#columns.word(number));
    return this.#words;
  }
  readonly maxWords: number;
  #words: readonly PlayableWord[] | undefined;
  readonly #columns: Columns;
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #repeats: boolean;
  readonly #counter: Counter;
  readonly #ranker: Ranker;
  readonly #stopper: Stopper;
  #fewest: number | undefined | 'unknown' = 'unknown';
  #cut: string | undefined;

  constructor(board: Board, words: readonly PlayableWord[] | Columns, options: SearchOptions = {}) {
    this.board = board;
    this.options = options;
    this.maxWords = options.maxWords ?? MAX_WORDS;
    const required = [...new Set(options.require)].map((word) => word.toLowerCase());
    if (board.letters.length + required.length > MAX_BITS) {
      throw new UserError(
        'search.required',
        `${required.length} required words are too many for this board; name at most ${MAX_BITS - board.letters.length}.`,
      );
    }
    const { played = [] } = options;
    const outstanding = required.filter((word) => !played.includes(word));
    this.#columns = choose(words, options);
    this.#table = new WordTable(this.#columns, board.letters.length, outstanding);
    this.#start = startAfter(board, played);
    this.#stopper = new Stopper(options.stop);
    this.#finisher = makeFinisher(this.#table);
    this.#repeats = hasRepeats(board);
    this.#counter = this.#counterFrom(this.#start);
    this.#ranker = this.#rankerFrom(this.#start);
  }

  /** Where and why an answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** Fewest words of any solution; 0 when the words played already solve it, undefined when there is none. */
  get fewest(): number | undefined {
    if (this.#fewest === 'unknown') this.#fewest = this.#guard('the fewest words', () => this.#findFewest());
    return this.#fewest;
  }

  /** The exact number of solutions with n words: a bigint when a number can't hold it exactly. */
  count(words: number): number | bigint | undefined {
    return this.#guard(`the count of ${words}-word solutions`, () => this.#counter.count(words));
  }

  /** As `count`, of only the solutions whose first word begins with this letter. */
  countStarting(letter: string, words: number): number | bigint | undefined {
    return this.#guard(`the count of ${words}-word solutions from ${letter}`, () =>
      this.#counterFrom(this.#startOn(letter)).count(words),
    );
  }

  /** Solutions in the order asked for, found lazily: take as many as you need. */
  *solutions(order: Order, listing: Listing = {}): Generator<Solution> {
    const { fewest } = this;
    if (fewest === undefined) return;
    const { exactly, oneEach = false, startLetter } = listing;
    const from = exactly ?? fewest;
    const to = Math.min(this.maxWords, exactly ?? (order === 'surest' ? fewest + 1 : this.maxWords));
    const lengths = Array.from({ length: Math.max(0, to) }, (_, index) => index + 1).filter(
      (words) => words >= from,
    );
    const ranker = startLetter === undefined ? this.#ranker : this.#rankerFrom(this.#startOn(startLetter));
    const streams = lengths.map((words) => ranker.chains(words, oneEach));
    const chains = order === 'surest' ? merge(streams) : chain(streams);
    const served = new Set<number>();
    if (from === 0) yield { words: [], likelihood: 1 };
    for (;;) {
      const next = this.#guard('the list of solutions', () => chains.next());
      if (next === undefined || next.done) return;
      const [first] = next.value.words;
      if (first === undefined || (oneEach && served.has(first))) continue;
      served.add(first);
      yield this.#solutionOf(next.value.words);
    }
  }

  /**
   * A right solution within milliseconds on boards of any size, though perhaps with a word too many: for
   * boards where the exact answer would take too long. Undefined when it finds none, which proves nothing.
   */
  quick(): Solution | undefined {
    const chain = quickChain(this.#table, this.#start, this.maxWords, WIDE);
    return chain && this.#solutionOf(chain);
  }

  #solutionOf(numbers: readonly number[]): Solution {
    const words = numbers.map((number) => this.#columns.word(number));
    return {
      words: words.map(({ word }) => word),
      likelihood: words.reduce((product, { likelihood }) => product * likelihood, 1),
    };
  }

  #counterFrom(start: Start): Counter {
    return new Counter(this.#table, this.#finisher, start, this.#repeats, this.#stopper);
  }

  #rankerFrom(start: Start): Ranker {
    return new Ranker(this.#table, this.#finisher, start, this.#repeats, this.#stopper);
  }

  /** The start, narrowed to the spots of one letter. */
  #startOn(letter: string): Start {
    const { letters } = this.board;
    if (this.#start !== 'anywhere') return this.#start.filter(({ spot }) => letters[spot] === letter);
    // Whatever begins on a spot covers it: as well say so at once.
    return Array.from(letters, (_, spot) => ({ spot, mask: 1 << spot })).filter(
      ({ spot }) => letters[spot] === letter,
    );
  }

  #guard<Answer>(what: string, answer: () => Answer): Answer | undefined {
    try {
      // After a cut this looks at the clock at once, before any table is made for a further question.
      this.#stopper.step();
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#cut ??= `${formatBoard(this.board)} has ${this.#columns.size} words to try; the time ran out before ${what} was certain.`;
      return undefined;
    }
  }

  /** Breadth first over where chains can stand, skipping what can no longer finish in time. */
  #findFewest(): number | undefined {
    const { bits, full, from, ends, masks } = this.#table;
    const isAnywhere = this.#start === 'anywhere';
    let spots: ArrayLike<number> = ends;
    let covered: ArrayLike<number> = masks;
    if (this.#start !== 'anywhere') {
      spots = this.#start.map(({ spot }) => spot);
      covered = this.#start.map(({ mask }) => mask);
    }
    const seen = new Set<number>();
    let most = 0;
    for (let edge = 0; edge < masks.length; edge++) most = Math.max(most, popcount(masks[edge]!));
    // Where looking is dear, a chain that is found at a glance saves looking for others as long.
    const found = this.#finisher.dense
      ? undefined
      : quickChain(this.#table, this.#start, this.maxWords, NARROW, this.#stopper)?.length;
    for (let words = isAnywhere ? 1 : 0; words <= this.maxWords && spots.length > 0; words++) {
      for (let at = 0; at < spots.length; at++) if (covered[at] === full) return words;
      if (words === this.maxWords) return undefined;
      for (let at = 0; at < spots.length; at++) {
        this.#stopper.step(this.#finisher.cost);
        if (this.#finisher.count(spots[at]!, full & ~covered[at]!) > 0) return words + 1;
      }
      if (words + 2 === found) return found;
      const nextSpots: number[] = [];
      const nextCovered: number[] = [];
      for (let at = 0; at < spots.length; at++) {
        const spot = spots[at]!;
        const mask = covered[at]!;
        this.#stopper.step(from[spot + 1]! - from[spot]!);
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
          const reached = mask | masks[edge]!;
          if (reached === mask && ends[edge] === spot) continue;
          // Not even the longest words could cover the rest in time.
          if (popcount(full & ~reached) > most * (this.maxWords - words - 1)) continue;
          const key = ends[edge]! * 2 ** bits + reached;
          if (seen.has(key)) continue;
          seen.add(key);
          nextSpots.push(ends[edge]!);
          nextCovered.push(reached);
        }
      }
      spots = nextSpots;
      covered = nextCovered;
    }
    return undefined;
  }
}

/** @see Search */
export function makeSearch(
  board: Board,
  words: readonly PlayableWord[] | Columns,
  options?: SearchOptions,
): Search {
  return new Search(board, words, options);
}

function choose(words: readonly PlayableWord[] | Columns, { exclude = [], tier }: SearchOptions): Columns {
  const isPacked = 'weights' in words;
  if (exclude.length === 0 && tier === undefined) return isPacked ? words : packWords(words);
  const all = isPacked ? Array.from({ length: words.size }, (_, number) => words.word(number)) : words;
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  return packWords(
    all.filter((word) => (tier !== 'everyday' || word.tier === 'everyday') && !unwanted.has(word.word)),
  );
}

function startAfter(board: Board, played: readonly string[]): Start {
  let states: readonly State[] | undefined;
  for (const word of played) {
    const walks = walkWord(board, word.toLowerCase());
    const before: readonly State[] | undefined = states;
    states = prune(
      before === undefined
        ? walks.map(({ end, mask }) => ({ spot: end, mask }))
        : before.flatMap(({ spot, mask }) =>
            walks
              .filter(({ start }) => start === spot)
              .map((walk) => ({ spot: walk.end, mask: mask | walk.mask })),
          ),
    );
    if (states.length === 0) {
      throw new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
    }
  }
  return states ?? 'anywhere';
}

function* chain(streams: readonly Generator<Ranked>[]): Generator<Ranked> {
  for (const stream of streams) yield* stream;
}

/** Streams in order of weight, as one. */
function* merge(streams: readonly Generator<Ranked>[]): Generator<Ranked> {
  const heads = streams.map((stream) => ({ stream, head: stream.next() }));
  for (;;) {
    let lightest: (typeof heads)[number] | undefined;
    for (const candidate of heads) {
      if (candidate.head.done) continue;
      if (lightest === undefined || candidate.head.value.weight < lightest.head.value.weight)
        lightest = candidate;
    }
    if (lightest === undefined) return;
    yield lightest.head.value;
    lightest.head = lightest.stream.next();
  }
}
