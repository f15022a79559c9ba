import { UserError } from '../core/errors.ts';
import { BestChains, compareWords, type Ranked } from './best-chains.ts';
import { formatBoard } from './board.ts';
import { collectChains } from './collect.ts';
import { type Columns, packWords } from './columns.ts';
import { Confirmer, textOf } from './confirm.ts';
import { Counter, type Counting } from './count.ts';
import { RepeatsCounter } from './count-repeats.ts';
import { type Finisher, makeFinisher } from './finish.ts';
import { type JoinedPairs, joinTwo } from './join-two.ts';
import { Levels } from './levels.ts';
import { addLetter, type Nodes, nodesOf } from './nodes.ts';
import { quickChains } from './quick.ts';
import { LastTwo } from './rare.ts';
import { endsOf } from './spots.ts';
import type { Start } from './state.ts';
import { Stopped, Stopper } from './stopper.ts';
import { WordTable } from './table.ts';
import type { Board, Order, PlayableWord, Solution, Tier } from './types.ts';

/** Longer chains are never looked for unless asked: no one plays them. */
export const MAX_WORDS = 8;
/** How many ways of going on a quick search keeps: at first, and where so many words hint at a better chain. */
const NARROW = 150;
const WIDE = 600;
const MANY_WORDS = 6;
/** Chains that are walked for it on a board with repeated letters, which bounds its work. */
const MOST_TRIES = 300;
/** Spots and required words share one machine word of bits. */
const MAX_BITS = 30;
/** Work of one and two words is short on any board: it is never cut, and comes first. */
const NEVER_CUT = 2;
/** For an answer that begins with what is never cut. */
const NOT_BEGUN = -1;
/** On large boards, chains of three words are collected and sorted as long as there are not more. */
const MOST_COLLECTED = 100_000;

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

/** What is certain about the fewest words: equal numbers are the answer. */
export interface Bounds {
  readonly atLeast: number;
  /** Undefined while no solution is known. */
  readonly atMost: number | undefined;
}

export interface Count {
  readonly value: number | bigint;
  /** False where the count was cut: there are at least `value`. */
  readonly exact: boolean;
}

/**
 * All questions about one board and one set of words. Each answer is worked out when it is asked for,
 * exactly; when `stop` cuts one short, it is undefined (or the listing ends) and `cut` says so. What was
 * found before stays, and what is short on any board (counts and lists of up to two words) is never cut.
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
  readonly #nodes: Nodes;
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #confirmer: Confirmer | undefined;
  readonly #counter: Counting;
  readonly #best: BestChains;
  #joinedPairs: JoinedPairs | undefined;
  readonly #stopper: Stopper;
  readonly #counts = new Map<number, Count>();
  #lastTwoOf: LastTwo | undefined;
  #levelsOf: Levels | undefined;
  #fewest: number | undefined | 'unknown' = 'unknown';
  #atLeast: number;
  /** Chains found quickly, the lightest first: by their length, and of the fewest words found at 0. */
  readonly #found = new Map<number, readonly (readonly number[])[]>();
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
    const played = (options.played ?? []).map((word) => word.toLowerCase());
    const outstanding = required.filter((word) => !played.includes(word));
    this.#nodes = nodesOf(board);
    this.#columns = choose(words, options, this.#nodes);
    this.#table = new WordTable(this.#columns, this.#nodes, outstanding);
    this.#stopper = new Stopper(options.stop);
    this.#start = startAfter(board, this.#table, played);
    this.#finisher = makeFinisher(this.#table);
    this.#confirmer =
      this.#nodes.fields.length === 0
        ? undefined
        : new Confirmer(board, this.#columns, this.#nodes, played, this.#stopper);
    this.#counter = this.#counterFrom(this.#start);
    this.#best = new BestChains(this.#table, this.#finisher, this.#start, this.#stopper);
    this.#atLeast = this.#start === 'anywhere' ? 1 : 0;
  }

  /** Where and why an answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /**
   * Fewest words of any solution, proven; 0 when the words played already solve it. Undefined when there is
   * none, or when the time ran out before it was certain: then `cut` is set, and `fewestBounds` says what is.
   */
  get fewest(): number | undefined {
    if (this.#fewest === 'unknown') {
      const fewest = this.#guard('the fewest words', () => this.#findFewest(), NOT_BEGUN);
      const isOpen = fewest === undefined && this.#atLeast <= this.maxWords;
      if (isOpen) return undefined;
      this.#fewest = fewest;
    }
    return this.#fewest;
  }

  /** What is certain about the fewest words, even where the time ran out before they were. */
  get fewestBounds(): Bounds {
    const { fewest } = this;
    if (fewest !== undefined) return { atLeast: fewest, atMost: fewest };
    return { atLeast: this.#atLeast, atMost: this.#quickChains()[0]?.length };
  }

  /** The exact number of solutions with n words: a bigint when a number can't hold it exactly. */
  count(words: number): number | bigint | undefined {
    const { value, exact } = this.counted(words);
    return exact ? value : undefined;
  }

  /** As `count`; where it was cut, a number that there are at least. */
  counted(words: number): Count {
    const known = this.#counts.get(words);
    if (known !== undefined) return known;
    const value = this.#guard(
      `the count of ${words}-word solutions`,
      () => this.#counter.count(words),
      words,
    );
    if (value === undefined) return { value: this.#counter.soFar, exact: false };
    const count = { value, exact: true };
    this.#counts.set(words, count);
    return count;
  }

  /** As `count`, of only the solutions whose first word begins with this letter. */
  countStarting(letter: string, words: number): number | bigint | undefined {
    return this.#guard(
      `the count of ${words}-word solutions from ${letter}`,
      () => this.#counterFrom(this.#startOn(letter), letter).count(words),
      words,
    );
  }

  /**
   * Solutions in the order asked for, found lazily: take as many as you need. On boards of more than 16
   * spots, those of four words and more are the best that were found, and say so (`bestFound`).
   */
  *solutions(order: Order, listing: Listing = {}): Generator<Solution> {
    const { fewest } = this;
    if (fewest === undefined) return;
    const { exactly, oneEach = false, startLetter } = listing;
    const from = exactly ?? fewest;
    const to = Math.min(this.maxWords, exactly ?? (order === 'surest' ? fewest + 1 : this.maxWords));
    const lengths = Array.from({ length: Math.max(0, to) }, (_, index) => index + 1).filter(
      (words) => words >= from,
    );
    const streams = lengths.map((words) => this.#chains(words, oneEach, startLetter));
    const chains = order === 'surest' ? merge(streams) : chain(streams);
    const served = new Set<number>();
    if (from === 0) yield { words: [], likelihood: 1 };
    for (const { words, bestFound } of chains) {
      const [first] = words;
      if (first === undefined || (oneEach && served.has(first))) continue;
      served.add(first);
      yield this.#solutionOf(words, bestFound);
    }
  }

  /**
   * A right solution within milliseconds on boards of any size, though perhaps with a word too many: for
   * boards where the exact answer would take too long. Undefined when it finds none, which proves nothing.
   */
  quick(): Solution | undefined {
    if (this.#atLeast === 0 && this.#isSolved) return { words: [], likelihood: 1 };
    const [chain] = this.#quickChains();
    return chain && this.#solutionOf(chain);
  }

  #solutionOf(numbers: readonly number[], bestFound = false): Solution {
    const words = numbers.map((number) => this.#columns.word(number));
    return {
      words: words.map(({ word }) => word),
      likelihood: words.reduce((product, { likelihood }) => product * likelihood, 1),
      ...(bestFound && { bestFound }),
    };
  }

  /** Chains of one length; an error inside of it ends this length only. */
  *#chains(words: number, oneEach: boolean, startLetter?: string): Generator<Chain> {
    const isLarge = !this.#finisher.isDense;
    if (isLarge && words > 3) {
      for (const chain of this.#knownChains(words)) if (this.#beginsWith(chain, startLetter)) yield chain;
      return;
    }
    let source: Iterator<Ranked>;
    const sorted =
      isLarge && words === 3
        ? this.#guard('the list of solutions', () => this.#collected())
        : words === 2
          ? this.#pairs()
          : undefined;
    if (sorted !== undefined) source = sorted[Symbol.iterator]();
    else
      source = this.#best.chains(words, {
        oneEach,
        ...(startLetter !== undefined && { firstNode: this.#nodes.letters.indexOf(startLetter) }),
        ...(this.#confirmer !== undefined && { isRight: (chain) => this.#isRight(chain) }),
      });
    for (;;) {
      const next = this.#guard('the list of solutions', () => source.next(), words);
      if (next === undefined || next.done) return;
      if (this.#beginsWith(next.value, startLetter)) yield next.value;
    }
  }

  #beginsWith({ words: [first] }: Chain, letter: string | undefined): boolean {
    if (letter === undefined || this.#start !== 'anywhere') return true;
    return first !== undefined && this.#nodes.letters[this.#columns.starts[first]!] === letter;
  }

  #triples: readonly Ranked[] | undefined | 'many';

  #collected(): readonly Ranked[] | undefined {
    if (this.#triples === undefined) {
      const isRight = (chain: readonly number[]) => this.#isRight(chain);
      this.#triples =
        collectChains(
          this.#table,
          this.#finisher,
          this.#lastTwo,
          this.#start,
          3,
          MOST_COLLECTED,
          isRight,
          this.#stopper,
        ) ?? 'many';
    }
    return this.#triples === 'many' ? undefined : this.#triples;
  }

  /** The best found, where looking for the best of all would take too long. */
  *#knownChains(words: number): Generator<Chain> {
    const found = this.#quickChains();
    for (const chain of found[0]?.length === words ? found : this.#quickChains(words)) {
      yield { words: chain, weight: this.#weightOf(chain), bestFound: true };
    }
  }

  #weightOf(chain: readonly number[]): number {
    return chain.reduce((weight, word) => weight + this.#columns.weights[word]!, 0);
  }

  /**
   * Right chains that were found quickly, all of one length: as few words as were found, or just so many.
   * They are kept, as they bound the fewest words.
   */
  #quickChains(exactly = 0): readonly (readonly number[])[] {
    const known = this.#found.get(exactly);
    if (known !== undefined) return known;
    let tries = MOST_TRIES;
    const isRight = (chain: readonly number[]) =>
      this.#confirmer === undefined || (tries-- > 0 && this.#confirmer.covers(chain, true) === true);
    const most = exactly === 0 ? this.maxWords : exactly;
    const look = (width: number) =>
      this.#stopper.unstopped(() =>
        quickChains(
          this.#table,
          this.#finisher,
          this.#start,
          { least: exactly, most, width },
          isRight,
          this.#stopper,
        ),
      );
    let found = look(NARROW);
    const length = found[0]?.length;
    if (exactly === 0 && (length === undefined ? most >= MANY_WORDS : length >= MANY_WORDS)) {
      const wider = look(WIDE);
      if (wider.length > 0) found = wider;
    }
    this.#found.set(exactly, found);
    return found;
  }

  #isRight(chain: readonly number[]): boolean {
    return this.#confirmer === undefined || this.#confirmer.covers(chain) === true;
  }

  get #lastTwo(): LastTwo {
    this.#lastTwoOf ??= new LastTwo(this.#table);
    return this.#lastTwoOf;
  }

  get #levels(): Levels {
    this.#levelsOf ??= new Levels(this.#table, this.#start, this.#stopper);
    return this.#levelsOf;
  }

  #counterFrom(start: Start, letter?: string): Counting {
    const lastTwo = () => this.#lastTwo;
    if (this.#confirmer === undefined)
      return new Counter(this.#table, this.#finisher, lastTwo, start, this.#stopper, () =>
        start === this.#start ? this.#joined : undefined,
      );
    const { letters } = this.#nodes;
    const first = Array.from(letters, (_, node) => node).filter(
      (node) => letter === undefined || letters[node] === letter,
    );
    return new RepeatsCounter(
      this.#table,
      this.#finisher,
      lastTwo,
      start,
      this.#confirmer,
      this.#stopper,
      first,
    );
  }

  get #joined(): JoinedPairs | undefined {
    if (!this.#finisher.isDense || this.#confirmer !== undefined || this.#start !== 'anywhere')
      return undefined;
    this.#joinedPairs ??= joinTwo(this.#table);
    return this.#joinedPairs;
  }

  #sortedPairs: readonly Ranked[] | undefined;

  #pairs(): readonly Ranked[] | undefined {
    const joined = this.#joined;
    if (this.#sortedPairs !== undefined) return this.#sortedPairs;
    if (joined === undefined || joined.size > joined.firsts.length) return undefined;
    const { firsts, seconds, size } = joined;
    const { weights, wordOf } = this.#table;
    const found: Ranked[] = [];
    for (let at = 0; at < size; at++)
      found.push({
        weight: weights[firsts[at]!]! + weights[seconds[at]!]!,
        words: [wordOf[firsts[at]!]!, wordOf[seconds[at]!]!],
      });
    this.#sortedPairs = found.sort(
      (a, b) => a.weight - b.weight || compareWords(a.words, b.words, this.#table),
    );
    return this.#sortedPairs;
  }

  /** The start, narrowed to the node of one letter. */
  #startOn(letter: string): Start {
    const node = this.#nodes.letters.indexOf(letter);
    if (this.#start !== 'anywhere') return this.#start.filter((state) => state.node === node);
    if (node < 0) return [];
    // A chain may as well be said to stand where it begins, but with repeated letters there is no one place.
    return this.#confirmer === undefined ? [{ node, need: this.#table.needOn(node) }] : 'anywhere';
  }

  #guard<Answer>(what: string, answer: () => Answer, words = Number.POSITIVE_INFINITY): Answer | undefined {
    try {
      if (words === NOT_BEGUN) return answer();
      if (words <= NEVER_CUT) return this.#stopper.unstopped(answer);
      // After a cut this looks at the clock at once, before any table is made for a further question.
      this.#stopper.step();
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#cut ??= `${formatBoard(this.board)} has ${this.#columns.size} words to try; the time ran out before ${what} was certain.`;
      return undefined;
    }
  }

  get #isSolved(): boolean {
    return this.#start !== 'anywhere' && this.counted(0).value !== 0;
  }

  /** Length by length: what is not excluded yet is either found or excluded. */
  #findFewest(): number | undefined {
    for (; this.#atLeast <= this.maxWords; this.#atLeast++) {
      const words = this.#atLeast;
      if (words <= NEVER_CUT) {
        if (this.counted(words).value > 0) return words;
        continue;
      }
      this.#stopper.step();
      if (this.#quickest === words) return words;
      if (this.#has(words)) return words;
    }
    return undefined;
  }

  /** Words of the chains found quickly, where those may be fewer than what is proven. */
  get #quickest(): number | undefined {
    // On small boards being certain takes no longer.
    if (this.#finisher.isDense && this.#confirmer === undefined) return undefined;
    return this.#quickChains()[0]?.length;
  }

  /** Whether there are chains of this many words, none having fewer. */
  #has(words: number): boolean {
    if (words === 3 && this.#confirmer === undefined) {
      // The count is wanted as well, and takes no longer than to find out that there is none.
      const value = this.#counts.get(words)?.value ?? this.#counter.count(words);
      this.#counts.set(words, { value, exact: true });
      return value > 0;
    }
    const isJoined = this.#levels.isPossible && words > 3;
    if (isJoined) {
      const edges = this.#levels.find(words);
      if (edges === undefined) return false;
      const chain = edges.map((edge) => this.#table.wordOf[edge]!);
      if (this.#isRight(chain)) {
        if (this.#quickest !== words) this.#found.set(0, [chain]);
        return true;
      }
    }
    if (this.#counter instanceof RepeatsCounter) return this.#counter.exists(words);
    throw new Stopped();
  }
}

/** A chain that is listed, and whether it is only the best found. */
interface Chain extends Ranked {
  readonly bestFound?: boolean;
}

/** @see Search */
export function makeSearch(
  board: Board,
  words: readonly PlayableWord[] | Columns,
  options?: SearchOptions,
): Search {
  return new Search(board, words, options);
}

function choose(
  words: readonly PlayableWord[] | Columns,
  { exclude = [], tier }: SearchOptions,
  nodes: Nodes,
): Columns {
  const isPacked = 'weights' in words;
  if (exclude.length === 0 && tier === undefined) return isPacked ? words : packWords(words, nodes);
  const all = isPacked ? Array.from({ length: words.size }, (_, number) => words.word(number)) : words;
  const unwanted = new Set(exclude.map((word) => word.toLowerCase()));
  return packWords(
    all.filter((word) => (tier !== 'everyday' || word.tier === 'everyday') && !unwanted.has(word.word)),
    nodes,
  );
}

/** Where the words played leave a chain. */
function startAfter(board: Board, table: WordTable, played: readonly string[]): Start {
  if (played.length === 0) return 'anywhere';
  const { nodes } = table;
  let spots: number | undefined;
  for (const word of played) {
    spots = endsOf(board, Array.from(word), spots);
    if (spots === 0)
      throw new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
  }
  const text = textOf(played);
  let held = 0;
  for (let at = 0; at < text.length; at++)
    held = addLetter(held, nodes.nodeOf[text.charCodeAt(at) - 97]!, nodes);
  const node = nodes.nodeOf[text.charCodeAt(text.length - 1) - 97]!;
  return [{ node, need: table.rest(table.full, held) }];
}

function* chain(streams: readonly Generator<Chain>[]): Generator<Chain> {
  for (const stream of streams) yield* stream;
}

/** Streams in order of weight, as one. */
function* merge(streams: readonly Generator<Chain>[]): Generator<Chain> {
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
