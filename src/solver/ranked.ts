import { compareRanked, type Ranked, Stopped } from './edges.ts';
import { Heuristic } from './endings.ts';
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

/** One pass through the chains of a batch, depth first. */
abstract class Descent {
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

  protected abstract weightOf(word: number): number;
  /** What `left` more words weigh at least after a first word. */
  protected abstract leastAfter(word: number, left: number, heuristic: Heuristic): number;
  /** Adds all chains that go on from a first word by `left` more. */
  protected abstract extendFirst(word: number, left: number): void;

  /** @param served first words to leave out, if each is wanted once */
  run(words: number, startLetter: string | undefined, served: ReadonlySet<number>): void {
    const { batch, heuristic } = this;
    const left = words - 1;
    const tail = left * this.problem.lightest;
    const all = this.problem.firstWords(startLetter);
    const ordered = heuristic && this.#byLeast(all, left, heuristic);
    const firsts = ordered ? ordered.map(({ first }) => first) : all;
    for (let at = 0; at < firsts.length; at++) {
      const first = firsts[at]!;
      const least = ordered ? ordered[at]!.least : this.weightOf(first) + tail;
      if (least > batch.limit) break;
      this.problem.stopper.step();
      if (batch.options.oneEach && served.has(first)) continue;
      this.extendFirst(first, left);
      if (batch.options.oneEach) batch.endFirst();
    }
  }

  /** First words by what a chain that begins with them weighs at least. */
  #byLeast(firsts: ArrayLike<number>, left: number, heuristic: Heuristic) {
    const { above, wanted } = this.batch.options;
    const found: { readonly first: number; readonly least: number }[] = [];
    // Each first word begins a chain that weighs little more than the least, so the lightest of these bound the batch.
    const bound = new Smallest(wanted);
    const tail = left * this.problem.lightest;
    for (let at = 0; at < firsts.length; at++) {
      const weight = this.weightOf(firsts[at]!);
      if (weight + tail > bound.limit) break;
      const least = weight + this.leastAfter(firsts[at]!, left, heuristic);
      if (least === Infinity) continue;
      found.push({ first: firsts[at]!, least });
      if (above < 0) bound.add(least + left * MOST_LETTERS);
    }
    this.batch.lowerLimit(bound.limit);
    return found.sort((a, b) => a.least - b.least);
  }
}

/** On a board of distinct letters, where each word is one edge. */
class EdgeDescent extends Descent {
  /** What is needed before the first word. */
  readonly #need: number;

  constructor(problem: Problem, batch: Batch, heuristic: Heuristic | undefined) {
    super(problem, batch, heuristic);
    const { isWhole, edges, starts } = problem;
    this.#need = isWhole ? edges.full : starts[0]![0]!.need;
  }

  protected override weightOf(word: number): number {
    const { order, weights } = this.problem.edges;
    return weights[order[word]!]!;
  }

  protected override leastAfter(word: number, left: number, heuristic: Heuristic): number {
    const { ends, masks, order } = this.problem.edges;
    const edge = order[word]!;
    return heuristic.least(ends[edge]!, this.#need & ~masks[edge]!, left);
  }

  protected override extendFirst(word: number, left: number): void {
    const { ends, masks, order, weights } = this.problem.edges;
    const edge = order[word]!;
    const need = this.#need & ~masks[edge]!;
    this.chain.push(word);
    if (left > 0) this.#extend(ends[edge]!, need, left, weights[edge]!);
    else if (need === 0) this.batch.add(weights[edge]!, this.chain);
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
    if (left === 2 && endings.dense !== undefined) {
      this.#extendByTwo(spot, need, weight, endings.dense.counts);
      return;
    }
    const { from, ends, masks, wordOf, weights } = edges;
    const { heuristic, batch } = this;
    const tail = (left - 1) * lightest;
    const end = from[spot + 1]!;
    let edge = from[spot]!;
    for (; edge < end; edge++) {
      const soFar = weight + weights[edge]!;
      if (soFar + tail > batch.limit) break;
      const rest = need & ~masks[edge]!;
      const least = soFar + (heuristic?.least(ends[edge]!, rest, left - 1) ?? 0);
      if (least > batch.limit || least === Infinity) continue;
      this.chain.push(wordOf[edge]!);
      this.#extend(ends[edge]!, rest, left - 1, soFar);
      this.chain.pop();
    }
    stopper.step(edge - from[spot]!);
  }

  /** A table tells after which words one more covers the rest. */
  #extendByTwo(spot: number, need: number, weight: number, counts: Uint16Array | Uint32Array): void {
    const { edges, keys, stopper, lightest } = this.problem;
    const { from, ends, masks, wordOf, weights, bits } = edges;
    const { batch } = this;
    const open = need | (-1 << bits);
    const before = weight + lightest;
    const end = from[spot + 1]!;
    let edge = from[spot]!;
    for (; edge < end; edge++) {
      if (before + weights[edge]! > batch.limit) break;
      if (counts[open & keys[edge]!] === 0) continue;
      this.chain.push(wordOf[edge]!);
      this.#finish(ends[edge]!, need & ~masks[edge]!, weight + weights[edge]!, from[ends[edge]!]!);
      this.chain.pop();
    }
    stopper.step(edge - from[spot]!);
  }

  /** Every last word, from an edge on before which there is none. */
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

/** On a board with repeated letters, where a chain may be in several states at once. */
class SetDescent extends Descent {
  protected override weightOf(word: number): number {
    return this.problem.sets.weightOf(word);
  }

  protected override leastAfter(word: number, left: number, heuristic: Heuristic): number {
    const { sets } = this.problem;
    return this.#least(sets.after(sets.before(word), word, left), left, heuristic);
  }

  protected override extendFirst(word: number, left: number): void {
    this.#add(this.problem.sets.before(word), word, left, 0);
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
