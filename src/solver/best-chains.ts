import type { Finisher } from './finish.ts';
import { LightestRest } from './lightest-rest.ts';
import type { Start } from './state.ts';
import { Stopped, type Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
  /** Set where lighter ones may exist that were not found. */
  readonly bestFound?: boolean;
}

export interface Ranking {
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach?: boolean;
  /** First words may be those from this node only. */
  readonly firstNode?: number;
  /** Asked of each chain before it is taken. */
  readonly isRight?: (chain: readonly number[]) => boolean;
}

/** Chains of the first batch; a batch has eight times as many as the one before it. */
const FIRST_BATCH = 16;
const GROWTH = 8;
/** Up to this many words, bounds of what is left take longer than to try it. */
const SHORT = 3;

/**
 * Whole chains of exactly n words, lightest first: in batches, each found by going through the words from the
 * lightest on, and no further than the heaviest chain of the batch allows.
 */
export class BestChains {
  readonly #parts: DescentParts;
  readonly #start: Start;
  /** First batches by their number of words: both orders begin with them. */
  readonly #firstBatches = new Map<number, Collected>();

  constructor(table: WordTable, finisher: Finisher, start: Start, stopper: Stopper) {
    const rest = new LightestRest(table, finisher, stopper);
    this.#parts = { table, finisher, rest, stopper, compare: (a, b) => compareWords(a, b, table) };
    this.#start = start;
  }

  /**
   * Chains of equal weight come in alphabetical order. When it is stopped, what the batch has by then is given as the best found.
   */
  *chains(words: number, ranking: Ranking = {}): Generator<Ranked> {
    const served = new Set<number>();
    const isPlain = ranking.oneEach !== true && ranking.firstNode === undefined;
    let above = -1;
    for (let wanted = FIRST_BATCH; ; wanted *= GROWTH) {
      const isKept = isPlain && wanted === FIRST_BATCH;
      const known = isKept ? this.#firstBatches.get(words) : undefined;
      const batch = known ?? this.#collect(words, ranking, above, wanted, served);
      if (isKept && batch.stopped === undefined) this.#firstBatches.set(words, batch);
      for (const chain of batch.chains) {
        served.add(chain.words[0]!);
        yield chain;
      }
      if (batch.stopped !== undefined) throw batch.stopped;
      if (batch.isAll) return;
      above = batch.limit;
    }
  }

  #collect(
    words: number,
    ranking: Ranking,
    above: number,
    wanted: number,
    served: ReadonlySet<number>,
  ): Collected {
    const batch = new Batch(above, wanted, ranking.oneEach ?? false);
    let stopped: Stopped | undefined;
    try {
      new Descent(this.#parts, batch, words, ranking).run(this.#start, served);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      stopped = error;
    }
    const chains = batch.sorted(this.#parts.compare);
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

/** Alphabetical order of chains, word by word. */
export function compareWords(a: readonly number[], b: readonly number[], { words }: WordTable): number {
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index]) return words.word(a[index]!).word < words.word(b[index]!).word ? -1 : 1;
  }
  return 0;
}

/** The lightest chains above a weight: once there are enough, those heavier than all of them are not looked for. */
class Batch {
  /** Chains that weigh more are not wanted. */
  limit = Infinity;
  readonly above: number;
  readonly #wanted: number;
  readonly #oneEach: boolean;
  #chains: Ranked[] = [];
  /** The weights of the lightest chains, as a heap with the heaviest of them first. */
  readonly #heaviest: number[] = [];
  #limitOfAll = Infinity;
  /** With `oneEach`, the lightest ones of the first word at hand, all of the same weight. */
  #ofFirst: Ranked[] = [];

  constructor(above: number, wanted: number, oneEach: boolean) {
    this.above = above;
    this.#wanted = wanted;
    this.#oneEach = oneEach;
  }

  /** Whether no chain was left out for being too heavy. */
  get isAll(): boolean {
    return this.#limitOfAll === Infinity;
  }

  add(chain: Ranked): void {
    if (this.#oneEach) {
      if (chain.weight < this.limit) this.#ofFirst = [];
      this.#ofFirst.push(chain);
      this.limit = chain.weight;
      return;
    }
    this.#keep(chain);
    this.limit = this.#limitOfAll;
  }

  /** All chains of a first word have been added. */
  endFirst(compare: Comparison): void {
    if (this.#ofFirst.length > 1) this.#ofFirst.sort((a, b) => compare(a.words, b.words));
    const [best] = this.#ofFirst;
    if (best !== undefined) this.#keep(best);
    this.#ofFirst = [];
    this.limit = this.#limitOfAll;
  }

  sorted(compare: Comparison): readonly Ranked[] {
    this.endFirst(compare);
    this.#dropHeavy();
    return this.#chains.sort((a, b) => a.weight - b.weight || compare(a.words, b.words));
  }

  #keep(chain: Ranked): void {
    this.#chains.push(chain);
    if (this.#heaviest.length < this.#wanted) this.#rise(chain.weight);
    else if (chain.weight < this.#heaviest[0]!) this.#replaceHeaviest(chain.weight);
    if (this.#heaviest.length === this.#wanted) this.#limitOfAll = this.#heaviest[0]!;
    if (this.#chains.length > 4 * this.#wanted && this.#chains.length > this.#room) this.#dropHeavy();
  }

  /** Chains that are kept before the heavy ones are dropped again: as many of equal weight may have to stay. */
  #room = 0;

  #dropHeavy(): void {
    this.#chains = this.#chains.filter(({ weight }) => weight <= this.#limitOfAll);
    this.#room = 2 * this.#chains.length;
  }

  #rise(weight: number): void {
    const heap = this.#heaviest;
    let at = heap.length;
    heap.push(weight);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! >= weight) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = weight;
  }

  #replaceHeaviest(weight: number): void {
    const heap = this.#heaviest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! > heap[child]!) child++;
      if (heap[child]! <= weight) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = weight;
  }
}

/** One pass through the chains of a batch, word by word. */
class Descent {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #rest: LightestRest;
  readonly #stopper: Stopper;
  readonly #batch: Batch;
  readonly #words: number;
  readonly #ranking: Ranking;
  readonly #compare: Comparison;
  readonly #chain: number[] = [];

  constructor(
    { table, finisher, rest, stopper, compare }: DescentParts,
    batch: Batch,
    words: number,
    ranking: Ranking,
  ) {
    this.#table = table;
    this.#finisher = finisher;
    this.#rest = rest;
    this.#stopper = stopper;
    this.#compare = compare;
    this.#batch = batch;
    this.#words = words;
    this.#ranking = ranking;
  }

  /** @param served first words to leave out, if each is wanted once */
  run(start: Start, served: ReadonlySet<number>): void {
    const { words, lightest, from, ends, masks, wordOf, weights } = this.#table;
    const { oneEach, firstNode } = this.#ranking;
    const tail = (this.#words - 1) * lightest;
    const first = (word: number, end: number, need: number, weight: number) => {
      if (oneEach && served.has(word)) return;
      this.#begin(word, end, need, weight);
      if (oneEach) this.#batch.endFirst(this.#compare);
    };
    if (start === 'anywhere') {
      for (const word of words.order) {
        const weight = words.weights[word]!;
        if (weight + tail > this.#batch.limit) break;
        this.#stopper.step();
        if (firstNode === undefined || words.starts[word] === firstNode)
          first(word, words.ends[word]!, this.#table.needAfter(word), weight);
      }
      return;
    }
    for (const { node, need } of start) {
      if (firstNode !== undefined && node !== firstNode) continue;
      for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
        if (weights[edge]! + tail > this.#batch.limit) break;
        this.#stopper.step();
        first(wordOf[edge]!, ends[edge]!, this.#table.rest(need, masks[edge]!), weights[edge]!);
      }
    }
  }

  #begin(word: number, end: number, need: number, weight: number): void {
    this.#chain.push(word);
    if (this.#words > 1) this.#goOn(end, need, this.#words - 1, weight);
    else if (need === 0) this.#take(weight);
    this.#chain.pop();
  }

  #goOn(node: number, need: number, left: number, weight: number): void {
    if (left === 1) {
      this.#stopper.step(this.#finisher.cost);
      const first = this.#finisher.first(node, need);
      if (first >= 0) this.#finish(node, need, weight, first);
      return;
    }
    const { from, ends, masks, wordOf, weights, lightest, fields } = this.#table;
    const { dense } = this.#finisher;
    const isDistinct = fields.length === 0;
    const isLong = this.#words > SHORT;
    const batch = this.#batch;
    const tail = (left - 1) * lightest;
    const end = from[node + 1]!;
    let edge = from[node]!;
    for (; edge < end; edge++) {
      const soFar = weight + weights[edge]!;
      if (soFar + tail > batch.limit) break;
      const to = ends[edge]!;
      const rest = isDistinct ? need & ~masks[edge]! : this.#table.rest(need, masks[edge]!);
      if (left === 2 && dense !== undefined) {
        const last = dense.firsts[(to << dense.bits) | rest]! - 1;
        if (last < 0 || soFar + weights[last]! > batch.limit) continue;
        this.#chain.push(wordOf[edge]!);
        this.#finish(to, rest, soFar, last);
      } else {
        if (isLong && soFar + this.#rest.of(to, rest, left - 1) > batch.limit) continue;
        this.#chain.push(wordOf[edge]!);
        this.#goOn(to, rest, left - 1, soFar);
      }
      this.#chain.pop();
    }
    this.#stopper.step(edge - from[node]!);
  }

  /** Every last word, from an edge on that is known to be one. */
  #finish(node: number, need: number, weight: number, first: number): void {
    const { from, masks, wordOf, weights } = this.#table;
    const { above } = this.#batch;
    const end = from[node + 1]!;
    let edge = first;
    for (; edge < end; edge++) {
      const total = weight + weights[edge]!;
      if (total > this.#batch.limit) break;
      if (total <= above || (masks[edge]! & need) !== need) continue;
      this.#chain.push(wordOf[edge]!);
      this.#take(total);
      this.#chain.pop();
    }
    this.#stopper.step(edge - first);
  }

  #take(weight: number): void {
    if (weight <= this.#batch.above || weight > this.#batch.limit) return;
    const chain = [...this.#chain];
    const { isRight } = this.#ranking;
    if (isRight === undefined || isRight(chain)) this.#batch.add({ weight, words: chain });
  }
}

/** What every batch of one ranking shares. */
interface DescentParts {
  readonly table: WordTable;
  readonly finisher: Finisher;
  readonly rest: LightestRest;
  readonly stopper: Stopper;
  readonly compare: Comparison;
}

type Comparison = (a: readonly number[], b: readonly number[]) => number;
