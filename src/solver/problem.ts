import { UserError } from '../core/errors.ts';
import { popcount } from './bits.ts';
import { formatBoard, hasRepeats } from './board.ts';
import {
  type Edges,
  type JoinedPairs,
  joinAfter,
  joinTwo,
  type State,
  type Step,
  Stopped,
  Stopper,
  undominated,
} from './edges.ts';
import { type Endings, makeEndings } from './endings.ts';
import { LastTwo } from './last-two.ts';
import { packWords, walkWords } from './playable.ts';
import type { Board, BoardWords, Tier } from './types.ts';

export interface SearchOptions {
  readonly exclude?: readonly string[];
  readonly require?: readonly string[];
  readonly tier?: Tier;
  /** Words already played, in order; solutions hold only what comes after them. */
  readonly played?: readonly string[];
  /** Solutions begin with a word that begins with this letter. */
  readonly startLetter?: string;
  /** The solution that a board was made from. It comes first in answers if it is as short as any; no search uses it. */
  readonly preferred?: readonly string[];
  /** Also solutions that would still be one without their first or without their last word; these are left out otherwise. */
  readonly padded?: boolean;
  /** No solution has more (further) words than this. */
  readonly maxWords?: number;
  /** Asked now and then; once it says true, the search is cut. Time is a parameter: the solver has no clock. */
  readonly stop?: () => boolean;
}

/**
 * What all answers to one search are worked out from. Tables that not every answer needs are made when they are first asked for.
 * A chain of words has a state, the spot it ends on and the need that is left. Where letters repeat, it has a set of states.
 */
export class Problem {
  readonly board: Board;
  readonly words: BoardWords;
  readonly edges: Edges;
  /** The weight of the lightest word. */
  readonly lightest: number;
  /** The states of a chain without a word: on every spot, or after the words played. */
  readonly starts: readonly State[];
  /** Whether chains may begin on every spot. */
  readonly beginsAnywhere: boolean;
  /** Whether each word is a single edge, so that each chain of words is in a single state. */
  readonly isDistinct: boolean;
  /** Whether solutions are wanted that would still be one without their first or without their last word. */
  readonly isPadded: boolean;
  readonly endings: Endings;
  readonly stopper: Stopper;
  readonly #parent: Problem | undefined;
  #lastTwo: LastTwo | undefined;
  #pairs: JoinedPairs | undefined;
  #keys: Int32Array | undefined;
  /** Whether no chains of more than two words are wanted. */
  readonly #endsWithPairs: boolean;
  /** The most bits that a word covers. On boards of distinct letters it is not computed, and all bits are assumed. */
  readonly #mostCovered: number;
  /**
   * The states, one on each spot, in which a solution begins without its first word. If its other words solve the board alone,
   * the solution is left out. Empty if such solutions are wanted, and after words played.
   */
  readonly tails: readonly State[];

  /** @param parent a problem with the same options, except `startLetter`, whose tables this one shares */
  constructor(board: Board, words: BoardWords, options: SearchOptions, parent?: Problem) {
    const played = (options.played ?? []).map((word) => word.toLowerCase());
    const required = [...new Set(options.require?.map((word) => word.toLowerCase()))];
    this.board = board;
    this.isDistinct = !hasRepeats(board);
    this.isPadded = options.padded ?? false;
    this.#endsWithPairs = options.maxWords !== undefined && options.maxWords <= 2;
    checkRequired(board, required);
    this.#parent = parent;
    this.words = parent?.words ?? select(board, words, options);
    const open = required.filter((word) => !played.includes(word));
    this.edges = parent?.edges ?? edgesOf(board, this.words, open);
    this.#mostCovered = this.isDistinct
      ? this.edges.bits
      : this.edges.masks.reduce((most, mask) => Math.max(most, popcount(mask)), 0);
    this.lightest = this.words.size === 0 ? 0 : this.edges.weights[this.edges.order[0]!]!;
    this.beginsAnywhere = played.length === 0 && options.startLetter === undefined;
    this.stopper = parent?.stopper ?? new Stopper(options.stop);
    this.starts = startsOf(board, this.edges, played).filter(
      ({ spot }) => board.letters[spot] === (options.startLetter ?? board.letters[spot]),
    );
    this.tails = this.isPadded || played.length > 0 ? [] : startsOf(board, this.edges, []);
    this.endings = parent?.endings ?? makeEndings(this.edges, this.stopper, this.isLastNeeded);
  }

  /**
   * Whether endings leave out last words that cover nothing new. Where letters repeat, one state can't decide that: the chain may have
   * covered everything in another one.
   */
  get isLastNeeded(): boolean {
    return this.isDistinct && !this.isPadded;
  }

  /** Whether a chain is left out if it would be a solution without its first word. Not if words were played: they stay. */
  get isFirstNeeded(): boolean {
    return this.tails.length > 0;
  }

  /** Whether all endings are in tables. Otherwise, lists of chains of four words and more have only the best ones found. */
  get isSmall(): boolean {
    return this.endings.dense !== undefined;
  }

  get lastTwo(): LastTwo {
    this.#lastTwo ??= this.#parent?.lastTwo ?? new LastTwo(this.edges);
    return this.#lastTwo;
  }

  /**
   * By edge, the state of a chain of this edge alone, as tables of states are indexed: `(end << bits) | uncovered`, the spot on
   * which it ends above a mask of what it leaves. If a chain still has a `need` before this edge, its state after the edge is
   * `key & (need | ~full)`: `~full` keeps the bits of the spot. Only for boards with dense tables, where both fit into a number.
   */
  get keys(): Int32Array {
    if (this.#keys === undefined) {
      const { bits, full, ends, masks } = this.edges;
      this.#keys = new Int32Array(masks.length);
      for (let edge = 0; edge < masks.length; edge++)
        this.#keys[edge] = (ends[edge]! << bits) | (full & ~masks[edge]!);
    }
    return this.#keys;
  }

  /**
   * All chains of two words that cover everything, on small boards of distinct letters with nothing played. Also those in which one
   * word does so alone: who reads them leaves these out, unless the search is padded.
   */
  get pairs(): JoinedPairs | undefined {
    if (!this.isSmall || !this.isDistinct || !this.beginsAnywhere) return undefined;
    this.#pairs ??= this.#endsWithPairs
      ? joinTwo(this.edges, this.stopper)
      : joinAfter(this.#firstsOfPairs(), this.edges, this.stopper);
    return this.#pairs;
  }

  /** The edges after which another one covers the rest, by the table of endings, which chains of three words need as well. */
  #firstsOfPairs(): number[] {
    const { counts } = this.endings.dense!;
    const { masks, full } = this.edges;
    const { keys } = this;
    const firsts: number[] = [];
    for (let edge = 0; edge < masks.length; edge++)
      // Unless the search is padded, the table has no endings after a word that covers everything; `joinTwo` lists those pairs.
      if (counts[keys[edge]!] !== 0 || masks[edge] === full) firsts.push(edge);
    this.stopper.step(masks.length);
    return firsts;
  }

  /**
   * The words with which a chain in these states may go on, each once with all states it leads to, in the order of their numbers: the
   * lightest first. Words after which `left` more can't cover the rest are left out. Merges the edges from the spots of all states.
   */
  *steps(states: readonly State[], left: number): Generator<Step> {
    const { from, ends, masks, weights, wordOf } = this.edges;
    const next = states.map(({ spot }) => from[spot]!);
    for (;;) {
      let word = Infinity;
      for (let at = 0; at < next.length; at++)
        if (next[at]! < from[states[at]!.spot + 1]!) word = Math.min(word, wordOf[next[at]!]!);
      if (word === Infinity) return;
      let weight = 0;
      let steps = 0;
      const reached: State[] = [];
      for (let at = 0; at < next.length; at++) {
        const { spot, need } = states[at]!;
        for (; next[at]! < from[spot + 1]! && wordOf[next[at]!] === word; next[at]!++) {
          const edge = next[at]!;
          const state = { spot: ends[edge]!, need: need & ~masks[edge]! };
          weight = weights[edge]!;
          steps++;
          if (this.#mayFinish(state, left)) reached.push(state);
        }
      }
      this.stopper.step(steps);
      if (reached.length > MAX_REACHED) throw new Stopped('size');
      if (reached.length > 0) yield { word, weight, states: undominated(reached) };
    }
  }

  /** The first words of chains, in the same way. */
  *firstSteps(left: number): Generator<Step> {
    if (!this.beginsAnywhere) return yield* this.steps(this.starts, left);
    const { full, ends, masks, order, weights, wordOf } = this.edges;
    for (let at = 0; at < order.length; ) {
      const edge = order[at]!;
      const states: State[] = [];
      do {
        const state = { spot: ends[order[at]!]!, need: full & ~masks[order[at]!]! };
        if (this.#mayFinish(state, left)) states.push(state);
      } while (++at < order.length && wordOf[order[at]!] === wordOf[edge]);
      if (states.length > 0)
        yield { word: wordOf[edge]!, weight: weights[edge]!, states: undominated(states) };
    }
  }

  /**
   * The states of a chain as if it began with its second word; empty if no `left` more words make that a solution.
   *
   * @param words by their numbers; at least one
   */
  withoutFirst(words: readonly number[], left: number): readonly State[] {
    let states = this.tails;
    for (let at = 1; at < words.length; at++)
      states = this.after(states, words[at]!, words.length - at - 1 + left);
    return states;
  }

  /** Whether a solution is unwanted because it would still be one without its first or without its last word. */
  hasUnneeded(words: readonly number[]): boolean {
    if (this.isPadded) return false;
    const isSolved = (start: readonly State[], chain: readonly number[]) =>
      chain
        .reduce((states, word, at) => this.after(states, word, chain.length - at - 1), start)
        .some(({ need }) => need === 0);
    return isSolved(this.starts, words.slice(0, -1)) || isSolved(this.tails, words.slice(1));
  }

  /** The first edge from a spot that is this word or a later one, by binary search. */
  edgeFrom(spot: number, word: number): number {
    const { from, wordOf } = this.edges;
    let edge = from[spot]!;
    for (let high = from[spot + 1]!; edge < high; ) {
      const middle = (edge + high) >>> 1;
      if (wordOf[middle]! < word) edge = middle + 1;
      else high = middle;
    }
    return edge;
  }

  /** The states of a chain after one more word, without those from which no `left` more words cover the rest. */
  after(states: readonly State[], word: number, left: number): State[] {
    const { ends, masks, from, wordOf } = this.edges;
    const next: State[] = [];
    for (const { spot, need } of states) {
      for (let edge = this.edgeFrom(spot, word); edge < from[spot + 1]! && wordOf[edge] === word; edge++) {
        const state = { spot: ends[edge]!, need: need & ~masks[edge]! };
        if (this.#mayFinish(state, left)) next.push(state);
      }
    }
    return undominated(next);
  }

  /** The edges that cover all that a chain in this state needs, in order. */
  *lastEdges({ spot, need }: State): Generator<number> {
    const { from, masks } = this.edges;
    const first = this.endings.first(spot, need);
    if (first < 0) return;
    for (let edge = first; edge < from[spot + 1]!; edge++) if ((masks[edge]! & need) === need) yield edge;
  }

  /** False only if no `left` more words solve the board from this state. */
  #mayFinish({ spot, need }: State, left: number): boolean {
    if (left === 0) return need === 0;
    // A further word would be needless. Where letters repeat, the state is kept to show that the chain is complete already.
    if (need === 0 && !this.isPadded) return !this.isDistinct;
    return left === 1 ? this.endings.first(spot, need) >= 0 : popcount(need) <= left * this.#mostCovered;
  }

  /**
   * Whether a search for this many words is so short that it is never stopped. Where letters repeat, the words played so far
   * may have been walked in many ways, so that even two more take long.
   */
  isNeverStopped(words: number): boolean {
    return words <= (this.isDistinct || this.beginsAnywhere ? 2 : 1);
  }
}

/** More states of one chain, as boards of two letters have, could not be searched within seconds. */
const MAX_REACHED = 60_000;

/** Spots and required words are the bits of a mask. `SparseEndings` needs one bit more, and a 32nd would make numbers negative. */
const MAX_BITS = 30;

function checkRequired(board: Board, required: readonly string[]): void {
  const room = MAX_BITS - board.letters.length;
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

function startsOf(board: Board, { full }: Edges, played: readonly string[]): State[] {
  if (played.length === 0) return board.sideOf.map((_, spot) => ({ spot, need: full & ~(1 << spot) }));
  for (let last = 1; last < played.length; last++) {
    const before = played[last - 1]!;
    const word = played[last]!;
    if (before.at(-1) !== word[0]) throw notPlayable(board, word);
  }
  const states = walkWords(board, played);
  // Required words are still needed.
  if (states.length > 0) return states.map(({ spot, need }) => ({ spot, need: need | (full & ~board.full) }));
  const wrong = played.find((_, index) => walkWords(board, played.slice(0, index + 1)).length === 0);
  throw notPlayable(board, wrong ?? '');
}

function notPlayable(board: Board, word: string): UserError {
  return new UserError('search.played', `"${word}" can't be played there on ${formatBoard(board)}.`);
}
