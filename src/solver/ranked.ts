import { compareRanked, type Ranked, Stopped } from './edges.ts';
import { Heuristic } from './heuristic.ts';
import type { Problem } from './problem.ts';

/** The smallest of some numbers, as a heap with the largest of them first. */
class Smallest {
  readonly #wanted: number;
  readonly #heap: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The largest of the smallest numbers; Infinity as long as there are fewer than are wanted. */
  get limit(): number {
    return this.#heap.length < this.#wanted ? Infinity : this.#heap[0]!;
  }

  add(number: number): void {
    if (this.#heap.length < this.#wanted) this.#rise(number);
    else if (number < this.#heap[0]!) this.#replaceLargest(number);
  }

  #rise(number: number): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(number);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! >= number) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = number;
  }

  #replaceLargest(number: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! > heap[child]!) child++;
      if (heap[child]! <= number) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = number;
  }
}

interface BatchOptions {
  /** Chains of this weight or less are in earlier batches. */
  readonly above: number;
  /** How many chains; others as heavy as the heaviest of them come along. */
  readonly wanted: number;
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach: boolean;
  readonly spelling: ArrayLike<number>;
}

/** The lightest chains above a weight: once there are enough, those heavier than all of them are not looked for. */
class Batch {
  readonly options: BatchOptions;
  /** Chains that weigh more are not wanted. */
  limit = Infinity;
  #limitOfAll = Infinity;
  #chains: Ranked[] = [];
  readonly #lightest: Smallest;
  /** With `oneEach`, the lightest ones of the first word at hand, all of the same weight. */
  #ofFirst: Ranked[] = [];
  /** Chains that are kept before the heavy ones are dropped again: as many of equal weight may have to stay. */
  #room: number;

  constructor(options: BatchOptions) {
    this.options = options;
    this.#lightest = new Smallest(options.wanted);
    this.#room = 4 * options.wanted;
  }

  /** Whether no chain was left out for being too heavy. */
  get isAll(): boolean {
    return this.#limitOfAll === Infinity;
  }

  /** To be called where enough chains are known to weigh no more than this. */
  lowerLimit(limit: number): void {
    this.#limitOfAll = Math.min(this.#limitOfAll, limit);
    this.limit = this.#limitOfAll;
  }

  add(weight: number, words: readonly number[]): void {
    if (weight <= this.options.above || weight > this.limit) return;
    const chain = { weight, words: [...words] };
    if (!this.options.oneEach) {
      this.#keep(chain);
      return;
    }
    if (weight < this.limit) this.#ofFirst = [];
    this.#ofFirst.push(chain);
    this.limit = weight;
  }

  /** All chains of a first word have been added. */
  endFirst(): void {
    const { spelling } = this.options;
    if (this.#ofFirst.length > 1) this.#ofFirst.sort((a, b) => compareRanked(a, b, spelling));
    const [best] = this.#ofFirst;
    if (best !== undefined) this.#keep(best);
    this.#ofFirst = [];
    this.limit = this.#limitOfAll;
  }

  sorted(): readonly Ranked[] {
    this.endFirst();
    this.#dropHeavy();
    return this.#chains.sort((a, b) => compareRanked(a, b, this.options.spelling));
  }

  #keep(chain: Ranked): void {
    this.#chains.push(chain);
    this.#lightest.add(chain.weight);
    this.lowerLimit(this.#lightest.limit);
    if (this.#chains.length > this.#room) this.#dropHeavy();
  }

  #dropHeavy(): void {
    this.#chains = this.#chains.filter(({ weight }) => weight <= this.#limitOfAll);
    this.#room = Math.max(this.#room, 2 * this.#chains.length);
  }
}

export interface Ranking {
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach?: boolean;
  /** Only chains whose first word begins with this letter. */
  readonly startLetter?: string;
}

/** Up to this many words, tables of what the rest of a chain weighs at least would take longer than they save. */
const LOOSELY_BOUND = 3;
/** Chains of the first batch, as many as a list shows; a batch has eight times as many as the one before it. */
const FIRST_BATCH = 10;
const GROWTH = 8;

/**
 * Whole chains, lightest first: in batches, each found by extending chains depth first, from the lightest edges on, and no
 * further than the heaviest chain of the batch allows.
 */
export class BestChains {
  readonly #problem: Problem;
  /** First batches by their number of words: both orders begin with them. */
  readonly #firstBatches = new Map<number, Collected>();
  #heuristic: Heuristic | undefined;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /**
   * Chains of equal weight come in alphabetical order. When it is stopped, what the batch has by then is given as the
   * best found.
   */
  *batches(words: number, ranking: Ranking = {}): Generator<readonly Ranked[]> {
    const served = new Set<number>();
    const { oneEach = false } = ranking;
    const isPlain = !oneEach && ranking.startLetter === undefined;
    let above = -1;
    for (let wanted = FIRST_BATCH; ; wanted *= GROWTH) {
      const isKept = isPlain && wanted === FIRST_BATCH;
      const known = isKept ? this.#firstBatches.get(words) : undefined;
      const { spelling } = this.#problem.words;
      const options = { above, wanted, oneEach, spelling };
      const batch = known ?? this.#collect(new Batch(options), words, ranking.startLetter, served);
      if (isKept && batch.stopped === undefined) this.#firstBatches.set(words, batch);
      for (const chain of batch.chains) served.add(chain.words[0]!);
      yield batch.chains;
      if (batch.stopped !== undefined) throw batch.stopped;
      if (batch.isAll) return;
      above = batch.limit;
    }
  }

  /** Whether there are chains of this many words on a small board. */
  exists(words: number): boolean {
    return this.#problem.starts.some((states) =>
      states.some(({ spot, need }) => this.heuristic.least(spot, need, words) < Infinity),
    );
  }

  get heuristic(): Heuristic {
    const { edges, endings, stopper } = this.#problem;
    this.#heuristic ??= new Heuristic(edges, endings, stopper);
    return this.#heuristic;
  }

  #collect(
    batch: Batch,
    words: number,
    startLetter: string | undefined,
    served: ReadonlySet<number>,
  ): Collected {
    let stopped: Stopped | undefined;
    const heuristic = words > LOOSELY_BOUND ? this.heuristic : undefined;
    const Kind = this.#problem.isDistinct ? EdgeDescent : SetDescent;
    try {
      new Kind(this.#problem, batch, heuristic).run(words, startLetter, served);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      stopped = error;
    }
    const chains = batch.sorted();
    return {
      chains: stopped === undefined ? chains : chains.map((chain) => ({ ...chain, bestFound: true })),
      limit: batch.limit,
      isAll: batch.isAll,
      stopped,
    };
  }
}

/** A batch that was gone through, or stopped. */
interface Collected {
  readonly chains: readonly Ranked[];
  /** All chains up to this weight are in this batch or an earlier one. */
  readonly limit: number;
  readonly isAll: boolean;
  readonly stopped: Stopped | undefined;
}

/** The letters of a word add less than this to its weight. */
const MOST_LETTERS = 256;

/** A word that begins a chain, and its weight. */
interface First {
  readonly word: number;
  readonly weight: number;
}

/** One pass through the chains of a batch, depth first. */
abstract class Descent<Beginning extends First> {
  protected readonly problem: Problem;
  protected readonly batch: Batch;
  /** What the rest of a chain weighs at least; without it, no more is known than the lightest weight of all. */
  protected readonly heuristic: Heuristic | undefined;
  /** The words of the chain at hand. */
  protected readonly chain: number[] = [];

  constructor(problem: Problem, batch: Batch, heuristic: Heuristic | undefined) {
    this.problem = problem;
    this.batch = batch;
    this.heuristic = heuristic;
  }

  /** First words, lightest first. */
  protected abstract firsts(startLetter: string | undefined): Iterable<Beginning>;
  /** What `left` more words weigh at least after a first word. */
  protected abstract leastAfter(first: Beginning, left: number, heuristic: Heuristic): number;
  /** Adds all chains that go on from a first word by `left` more. */
  protected abstract extendFirst(first: Beginning, left: number): void;

  /** @param served first words to leave out, if each is wanted once */
  run(words: number, startLetter: string | undefined, served: ReadonlySet<number>): void {
    const { batch } = this;
    const tail = (words - 1) * this.problem.lightest;
    const firsts = this.firsts(startLetter);
    for (const { first, least } of this.heuristic
      ? this.#byLeast(firsts, words - 1, this.heuristic)
      : loosely(firsts, tail)) {
      if (least > batch.limit) break;
      this.problem.stopper.step();
      if (batch.options.oneEach && served.has(first.word)) continue;
      this.extendFirst(first, words - 1);
      if (batch.options.oneEach) batch.endFirst();
    }
  }

  /** First words by what a chain that begins with them weighs at least. */
  #byLeast(firsts: Iterable<Beginning>, left: number, heuristic: Heuristic) {
    const { above, wanted } = this.batch.options;
    const found: { readonly first: Beginning; readonly least: number }[] = [];
    // Each first word begins a chain that weighs little more than the least, so the lightest of these bound the batch.
    const bound = new Smallest(wanted);
    const tail = left * this.problem.lightest;
    for (const first of firsts) {
      if (first.weight + tail > bound.limit) break;
      const least = first.weight + this.leastAfter(first, left, heuristic);
      if (least === Infinity) continue;
      found.push({ first, least });
      if (above < 0) bound.add(least + left * MOST_LETTERS);
    }
    this.batch.lowerLimit(bound.limit);
    return found.sort((a, b) => a.least - b.least);
  }
}

function* loosely<Beginning extends First>(firsts: Iterable<Beginning>, tail: number) {
  for (const first of firsts) yield { first, least: first.weight + tail };
}

interface FirstEdge extends First {
  readonly end: number;
  readonly need: number;
}

/** On a board of distinct letters: edge by edge. */
class EdgeDescent extends Descent<FirstEdge> {
  protected override *firsts(startLetter: string | undefined): Iterable<FirstEdge> {
    const { isWhole, edges } = this.problem;
    const { from, order, wordOf, masks, weights, ends, full } = edges;
    const firstOf = (edge: number, open: number): FirstEdge => ({
      word: wordOf[edge]!,
      weight: weights[edge]!,
      end: ends[edge]!,
      need: open & ~masks[edge]!,
    });
    if (isWhole && startLetter === undefined) for (const edge of order) yield firstOf(edge, full);
    else
      for (const { spot, need } of this.problem.startsOn(startLetter).flat())
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) yield firstOf(edge, need);
  }

  protected override leastAfter({ end, need }: FirstEdge, left: number, heuristic: Heuristic): number {
    return heuristic.least(end, need, left);
  }

  protected override extendFirst({ word, weight, end, need }: FirstEdge, left: number): void {
    this.chain.push(word);
    if (left > 0) this.#extend(end, need, left, weight);
    else if (need === 0) this.batch.add(weight, this.chain);
    this.chain.pop();
  }

  #extend(spot: number, need: number, left: number, weight: number): void {
    const { edges, endings, stopper, lightest } = this.problem;
    if (left === 1) {
      stopper.step(endings.cost);
      const first = endings.first(spot, need);
      if (first >= 0) this.#finish(spot, need, weight, first);
      return;
    }
    const { from, ends, masks, wordOf, weights } = edges;
    const { dense } = endings;
    const { heuristic, batch } = this;
    const tail = (left - 1) * lightest;
    const end = from[spot + 1]!;
    let edge = from[spot]!;
    for (; edge < end; edge++) {
      const soFar = weight + weights[edge]!;
      if (soFar + tail > batch.limit) break;
      const to = ends[edge]!;
      const rest = need & ~masks[edge]!;
      if (left === 2 && dense !== undefined) {
        const last = dense.firsts[(to << dense.bits) | rest]! - 1;
        if (last < 0 || soFar + weights[last]! > batch.limit) continue;
        this.chain.push(wordOf[edge]!);
        this.#finish(to, rest, soFar, last);
      } else {
        const least = soFar + (heuristic?.least(to, rest, left - 1) ?? 0);
        if (least > batch.limit || least === Infinity) continue;
        this.chain.push(wordOf[edge]!);
        this.#extend(to, rest, left - 1, soFar);
      }
      this.chain.pop();
    }
    stopper.step(edge - from[spot]!);
  }

  /** Every last word, from an edge on that is known to be one. */
  #finish(spot: number, need: number, weight: number, first: number): void {
    const { from, masks, wordOf, weights } = this.problem.edges;
    const end = from[spot + 1]!;
    let edge = first;
    for (; edge < end; edge++) {
      const total = weight + weights[edge]!;
      if (total > this.batch.limit) break;
      if ((masks[edge]! & need) !== need) continue;
      this.chain.push(wordOf[edge]!);
      this.batch.add(total, this.chain);
      this.chain.pop();
    }
    this.problem.stopper.step(edge - first);
  }
}

interface FirstWord extends First {
  readonly states: readonly number[];
}

/** On a board with repeated letters: word by word, as a chain may be in several states at once. */
class SetDescent extends Descent<FirstWord> {
  protected override firsts(startLetter: string | undefined): Iterable<FirstWord> {
    const { sets } = this.problem;
    const firsts = this.problem
      .startsOn(startLetter)
      .map((start) => sets.pack(start))
      .flatMap((states) =>
        sets.wordsFrom(states).map((word) => ({ word, states, weight: sets.weightOf(word) })),
      );
    return firsts.sort((a, b) => a.word - b.word);
  }

  protected override leastAfter({ states, word }: FirstWord, left: number, heuristic: Heuristic): number {
    return this.#least(this.problem.sets.after(states, word, left), left, heuristic);
  }

  protected override extendFirst({ states, word }: FirstWord, left: number): void {
    this.#add(states, word, left, 0);
  }

  /** Extends chains in these states by a word, and then by `left` more. */
  #add(states: readonly number[], word: number, left: number, before: number): void {
    const { sets, lightest } = this.problem;
    const after = sets.after(states, word, left);
    const weight = before + sets.weightOf(word);
    if (after.length === 0 || weight + this.#least(after, left, this.heuristic) > this.batch.limit) return;
    this.chain.push(word);
    if (left === 0) this.batch.add(weight, this.chain);
    const tail = (left - 1) * lightest;
    for (const next of left === 0 ? [] : left === 1 ? sets.finishing(after) : sets.wordsFrom(after)) {
      const total = weight + sets.weightOf(next);
      if (total + tail > this.batch.limit) break;
      if (left > 1) this.#add(after, next, left - 1, weight);
      else {
        this.chain.push(next);
        this.batch.add(total, this.chain);
        this.chain.pop();
      }
    }
    this.chain.pop();
  }

  #least(states: readonly number[], left: number, heuristic: Heuristic | undefined): number {
    if (heuristic === undefined || left === 0) return left * this.problem.lightest;
    const least = this.problem.sets.unpack(states).map(({ spot, need }) => heuristic.least(spot, need, left));
    return Math.min(Infinity, ...least);
  }
}
