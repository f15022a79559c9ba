import { UserError } from '../core/errors.ts';
import { clip, counted } from '../core/text.ts';
import { formatBoard } from './board.ts';
import { type Count, Counter } from './count.ts';
import { type Ranked, Stopped, sortedPairs } from './edges.ts';
import { Beam, Levels } from './large-boards.ts';
import { packWords } from './playable.ts';
import { Problem, type SearchOptions } from './problem.ts';
import { BestChains } from './ranked.ts';
import type { Board, BoardWords, Order, PlayableWord, Solution } from './types.ts';

export type { Count, SearchOptions };

/** Longer chains are never looked for unless asked: no one plays them. */
export const MAX_WORDS = 8;

/** Up to this many words, and three where no letter repeats, counting is how solutions are found: counts are wanted, too. */
const MAX_WORDS_COUNTED_FIRST = 2;

/** A list that ends within a second or two. */
const DEFAULT_LIMIT = 10_000;

export interface Listing {
  /** Solutions with just this many words; 0 is for words played that solve the board. */
  readonly exactly?: number;
  /** Solutions with up to this many words; by default one more than the fewest or, for `shortest`, the option `maxWords`. */
  readonly upTo?: number;
  /** At most one solution, the best, for each first word. */
  readonly oneEach?: boolean;
  /** The most solutions, 10,000 by default: a board may have millions. */
  readonly limit?: number;
}

/** What is certain about the fewest words: equal numbers are the answer. */
export interface Bounds {
  readonly atLeast: number;
  /** Undefined while no solution is known. */
  readonly atMost: number | undefined;
}

/**
 * All questions about one board and one set of words. Each answer is worked out when it is asked for,
 * exactly; when `stop` cuts one short, it is undefined (or the listing ends) and `cut` says so. What was
 * found before stays, and what is short on any board (counts and lists of up to two words) is never cut.
 *
 * @example
 * const search = makeSearch(board, findPlayable(board, lexicon));
 * search.fewest; // 2
 * search.count(2); // 22
 * for (const { words } of search.solutions('safest', { limit: 5 })) console.log(words);
 */
export class Search {
  readonly board: Board;
  /** As they were given, for a further search on the same terms. */
  readonly options: SearchOptions;
  readonly maxWords: number;
  readonly #problem: Problem;
  readonly #counter: Counter;
  readonly #beam: Beam;
  readonly #best: BestChains;
  /** Chains of fewer words are known not to exist. It begins at 0 after words played: they may solve the board. */
  #atLeast: number;
  #levels: Levels | undefined;
  readonly #counts = new Map<number, Count>();
  #pairs: readonly Ranked[] | undefined;
  /** Whether a list was stopped, so that it may lack solutions. */
  #isListCut = false;
  #words: readonly PlayableWord[] | undefined;
  #withPadded: Search | undefined;
  #fewest: number | undefined | 'unknown' = 'unknown';
  #cut: string | undefined;

  /** @param parent the problem of a search that differs in `startLetter` only */
  constructor(board: Board, words: BoardWords, options: SearchOptions = {}, parent?: Problem) {
    this.board = board;
    this.options = options;
    this.maxWords = options.maxWords ?? MAX_WORDS;
    this.#problem = new Problem(board, words, options, parent);
    this.#counter = new Counter(this.#problem);
    this.#beam = new Beam(this.#problem, this.maxWords);
    this.#best = new BestChains(this.#problem);
    this.#atLeast = this.#problem.beginsAnywhere ? 1 : 0;
  }

  /** The words in play, most likely first. */
  get words(): readonly PlayableWord[] {
    const { size, word } = this.#problem.words;
    this.#words ??= Array.from({ length: size }, (_, number) => word(number));
    return this.#words;
  }

  /** Steps taken so far: a measure of the work that does not depend on the machine. */
  get steps(): number {
    return this.#problem.stopper.steps;
  }

  /** Where and why the first answer was cut short, as a sentence for people. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /**
   * Fewest words of any solution, proven; 0 when the words played already solve it. Undefined when there is
   * none, or when the time ran out before it was certain: then `cut` is set, and `fewestBounds` says what is.
   */
  get fewest(): number | undefined {
    if (this.#fewest === 'unknown') {
      const fewest = this.#attempt('the fewest words', () => this.#findFewest());
      const isUncertain = fewest === undefined && this.#atLeast <= this.maxWords;
      if (isUncertain) return undefined;
      this.#fewest = fewest;
    }
    return this.#fewest;
  }

  /** What is certain about the fewest words, even where the time ran out before they were. */
  get fewestBounds(): Bounds {
    const { fewest } = this;
    if (fewest !== undefined) return { atLeast: fewest, atMost: fewest };
    return { atLeast: this.#atLeast, atMost: this.#fewestOfBeam };
  }

  /** The exact number of solutions with n words: a bigint when a number can't hold it exactly. */
  count(words: number): number | bigint | undefined {
    const { value, exact } = this.counted(words);
    return exact ? value : undefined;
  }

  /** As `count`. If it was cut, a lower bound of the number. */
  counted(words: number): Count {
    if (!Number.isInteger(words))
      throw new UserError('search.count', `"${clip(String(words))}" is no number of words.`);
    if (words < this.#atLeast) return { value: 0, exact: true };
    const known = this.#counts.get(words);
    if (known?.exact) return known;
    // The number may be left from another count.
    this.#counter.soFar = 0;
    const value = this.#answer(`the count of ${words}-word solutions`, words, () =>
      // With a start letter, fewer words may be enough from another letter: the first word is needless then.
      this.#counter.count(words, words <= this.#atLeast && this.#problem.beginsAnywhere),
    );
    const { soFar } = this.#counter;
    const count =
      value !== undefined
        ? { value, exact: true }
        : { value: known !== undefined && known.value > soFar ? known.value : soFar, exact: false };
    this.#counts.set(words, count);
    return count;
  }

  /** A search on the same terms with the same words, for what comes after the words played. */
  after(played: readonly string[]): Search {
    return new Search(this.board, this.#problem.words, { ...this.options, played });
  }

  /** A search on the same terms that also finds solutions whose first or last word is not needed. */
  get withPadded(): Search {
    this.#withPadded ??= new Search(this.board, this.#problem.words, { ...this.options, padded: true });
    return this.#withPadded;
  }

  /** A search on the same terms for the solutions whose first word begins with this letter. */
  startingWith(startLetter: string): Search {
    const { words } = this.#problem;
    return new Search(this.board, words, { ...this.options, startLetter }, this.#problem);
  }

  /**
   * Solutions in the order asked for, found lazily: take as many as you need, or set bounds (see `Listing`). Some are only the
   * best that were found, and say so (`betterMayExist`): those of four words and more on boards of more than 16 spots, and those of
   * a length for which the time ran out before any was certain to be the best.
   */
  *solutions(order: Order, { limit = DEFAULT_LIMIT, ...listing }: Listing = {}): Generator<Solution> {
    let left = limit;
    if (left <= 0) return;
    for (const solution of this.#listed(order, listing)) {
      yield solution;
      if (--left <= 0) return;
    }
  }

  *#listed(order: Order, { exactly, upTo, oneEach = false }: Listing): Generator<Solution> {
    const { fewest } = this;
    // `ORDERS` would load a module for this alone.
    if (order !== 'shortest' && order !== 'safest')
      throw new UserError(
        'search.order',
        `"${clip(String(order))}" is no order of solutions: shortest or safest.`,
      );
    if (fewest === undefined) return;
    const from = exactly ?? fewest;
    const usual = order === 'safest' ? fewest + 1 : (this.options.maxWords ?? fewest + 1);
    const to = Math.min(this.maxWords, exactly ?? upTo ?? usual);
    const lengths = Array.from({ length: Math.max(0, to) }, (_, index) => index + 1).filter(
      (words) => words >= from,
    );
    const chains = (words: number) => this.#chains(words, oneEach);
    // Only the safest need all lengths at once.
    const together = order === 'safest' ? [lengths] : lengths.map((words) => [words]);
    const served = new Set<number>();
    if (fewest === 0 && from === 0) yield { words: [], likelihood: 1 };
    for (const group of together) {
      const stream = group.length === 1 ? chains(group[0]!) : merge(group.map(chains));
      for (const { words, betterMayExist } of stream) {
        const [first] = words;
        if (first === undefined || (oneEach && served.has(first))) continue;
        if (oneEach) served.add(first);
        yield this.#solutionOf(words, betterMayExist);
      }
      // Longer solutions would look as if there were no more of this length.
      if (this.#isListCut) return;
    }
  }

  /**
   * A right solution within milliseconds on boards of any size, though perhaps with a word too many: for
   * boards where the exact answer would take too long. Undefined when it finds none, which proves nothing.
   */
  anySolution(): Solution | undefined {
    if (!this.#problem.beginsAnywhere && this.count(0) !== 0) return { words: [], likelihood: 1 };
    const [chain] = this.#beam.chains();
    return chain && this.#solutionOf(chain.words);
  }

  /** Undefined if it was stopped. A search that is never stopped is answered even if the time was up before. */
  #answer<Answer>(what: string, words: number, answer: () => Answer): Answer | undefined {
    const { stopper } = this.#problem;
    return this.#attempt(what, () => {
      if (this.#problem.isNeverStopped(words)) return stopper.unstopped(answer);
      // After a cut this asks `stop` at once, before any table is made for a further question.
      stopper.step();
      return answer();
    });
  }

  /** The same, without asking `stop` before the work begins. */
  #attempt<Answer>(what: string, answer: () => Answer): Answer | undefined {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const reason = error.why === 'time' ? 'the time ran out' : 'there were too many ways to combine them';
      const board = formatBoard(this.board).toUpperCase();
      this.#cut ??= `${board} has ${counted(this.#problem.words.size, 'word')} to try; ${reason} before ${what} was certain.`;
      return undefined;
    }
  }

  /** Goes on where it was stopped. Undefined if no solution has at most `maxWords`. */
  #findFewest(): number | undefined {
    const { startLetter } = this.options;
    try {
      // The first word of a start letter may be needless in all chains that `#has` finds: counts leave these out.
      for (; this.#atLeast <= this.maxWords; this.#atLeast++)
        if (this.#has(this.#atLeast) && (startLetter === undefined || this.#areCounted(this.#atLeast)))
          return this.#atLeast;
      return undefined;
    } catch (error) {
      // A chain of the beam proves the number as well, if there is none of fewer words.
      if (error instanceof Stopped && this.#fewestOfBeam === this.#atLeast) return this.#atLeast;
      throw error;
    }
  }

  /** A word that is not needed can be left out, but not the first if it gives the start letter: that chain proves nothing. */
  get #fewestOfBeam(): number | undefined {
    const [chain] = this.#beam.chains();
    const isProof = this.options.startLetter === undefined || !this.#problem.hasUnneeded(chain?.words ?? []);
    return isProof ? chain?.words.length : undefined;
  }

  /** Whether there are chains of this many words, none having fewer. */
  #has(words: number): boolean {
    const { isDistinct, isSmall, stopper } = this.#problem;
    if (this.#counts.get(words)?.value) return true;
    if (words <= MAX_WORDS_COUNTED_FIRST) return this.#areCounted(words);
    stopper.step();
    if (isSmall) return words === 3 && isDistinct ? this.#areCounted(words) : this.#best.exists(words);
    if (this.#beam.fewest === words) return true;
    // To count takes no longer than to find out that there is none.
    if (words === 3 && isDistinct) return this.#areCounted(words);
    this.#levels ??= new Levels(this.#problem);
    const found = this.#levels.find(words);
    if (found !== undefined) this.#beam.know(found);
    return found !== undefined;
  }

  #areCounted(words: number): boolean {
    const { value, exact } = this.counted(words);
    if (value > 0) return true;
    // The count has said why it was cut.
    if (!exact) throw new Stopped('time');
    return false;
  }

  /** The lightest chains first. Ends where it is stopped. Chains that are not certain to be the best say so. */
  #chains(words: number, oneEach: boolean): Iterable<Ranked> {
    if (words === 2) return this.#sortedPairs() ?? this.#searched(words, oneEach);
    return words > 3 && !this.#problem.isSmall ? this.#bestOfFound(words) : this.#searched(words, oneEach);
  }

  *#searched(words: number, oneEach: boolean): Generator<Ranked> {
    const source = this.#best.batches(words, oneEach);
    const next = () => source.next();
    for (let isEmpty = true; ; ) {
      const result = this.#answer('the list of solutions', words, next);
      if (result === undefined) {
        this.#isListCut = true;
        if (isEmpty) yield* this.#bestOfFound(words);
        return;
      }
      if (result.done) return;
      for (const chain of result.value) {
        isEmpty = false;
        yield chain;
      }
    }
  }

  /** All solutions of two words, if `pairs` holds them all. */
  #sortedPairs(): readonly Ranked[] | undefined {
    const { pairs, edges, words, isPadded } = this.#problem;
    if (pairs === undefined || pairs.size > pairs.firsts.length) return undefined;
    this.#pairs ??= sortedPairs(pairs, edges, words.spelling, isPadded);
    return this.#pairs;
  }

  /** The beam's chains, for boards on which a search for the best of all would take too long. */
  #bestOfFound(words: number): readonly Ranked[] {
    return this.#beam.fewest === words ? this.#beam.chains() : this.#beam.chains(words);
  }

  #solutionOf(numbers: readonly number[], betterMayExist = false): Solution {
    const { word: wordOf } = this.#problem.words;
    // Preallocated: growing lists of ten thousands is most of their cost.
    const words = new Array<string>(numbers.length);
    let likelihood = 1;
    for (let at = 0; at < numbers.length; at++) {
      const word = wordOf(numbers[at]!);
      words[at] = word.word;
      likelihood *= word.likelihood;
    }
    return betterMayExist ? { words, likelihood, betterMayExist } : { words, likelihood };
  }
}

/** @see Search */
export function makeSearch(
  board: Board,
  words: readonly PlayableWord[] | BoardWords,
  options?: SearchOptions,
): Search {
  return new Search(board, 'weights' in words ? words : packWords(board, words), options);
}

/** One stream, in order of weight, of streams that are in order of weight. */
function* merge(streams: readonly Iterable<Ranked>[]): Generator<Ranked> {
  const heads = streams.map((each) => {
    const stream = each[Symbol.iterator]();
    return { stream, head: stream.next() };
  });
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
