import type { Finisher } from './finish.ts';
import type { Parts } from './parts.ts';
import { Stopped, type Stopper } from './stopper.ts';
import { compareWords, type Ranked, type Start, type WordTable } from './table.ts';

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

  /**
   * @param above chains of this weight or less are in earlier batches
   * @param wanted how many chains; others as heavy as the heaviest of them come along
   * @param oneEach of the chains with the same first word, only the lightest
   */
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
  endFirst(): void {
    if (this.#ofFirst.length > 1) this.#ofFirst.sort((a, b) => compareWords(a.words, b.words));
    const [best] = this.#ofFirst;
    if (best !== undefined) this.#keep(best);
    this.#ofFirst = [];
    this.limit = this.#limitOfAll;
  }

  sorted(): readonly Ranked[] {
    this.endFirst();
    this.#dropHeavy();
    return this.#chains.sort((a, b) => a.weight - b.weight || compareWords(a.words, b.words));
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

export interface Ranking {
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach?: boolean;
  /** Only chains whose first word starts on this node. */
  readonly firstNode?: number;
  /** Asked of each chain before it is taken. */
  readonly isRight?: (chain: readonly number[]) => boolean;
}

/** Up to this many words, a chain is extended as long as the lightest words of all could make it light enough. */
const LOOSELY_BOUND = 3;
/** Chains of the first batch, as many as a list shows; a batch has eight times as many as the one before it. */
const FIRST_BATCH = 10;
const GROWTH = 8;

/**
 * Whole chains, lightest first: in batches, each found by going through the words from the
 * lightest on, and no further than the heaviest chain of the batch allows.
 */
export class BestChains {
  readonly #parts: Parts;
  /** First batches by their number of words: both orders begin with them. */
  readonly #firstBatches = new Map<number, Collected>();
  readonly #rests: LightestRests;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#rests = new LightestRests(parts);
  }

  /**
   * Chains of equal weight come in alphabetical order. When it is stopped, what the batch has by then is given as the
   * best found.
   */
  *batches(words: number, ranking: Ranking = {}): Generator<readonly Ranked[]> {
    const served = new Set<number>();
    const { oneEach = false } = ranking;
    const isPlain = !oneEach && ranking.firstNode === undefined;
    let above = -1;
    for (let wanted = FIRST_BATCH; ; wanted *= GROWTH) {
      const isKept = isPlain && wanted === FIRST_BATCH;
      const known = isKept ? this.#firstBatches.get(words) : undefined;
      const batch = known ?? this.#collect(new Batch(above, wanted, oneEach), words, ranking, served);
      if (isKept && batch.stopped === undefined) this.#firstBatches.set(words, batch);
      for (const chain of batch.chains) served.add(chain.words[0]!);
      yield batch.chains;
      if (batch.stopped !== undefined) throw batch.stopped;
      if (batch.isAll) return;
      above = batch.limit;
    }
  }

  #collect(batch: Batch, words: number, ranking: Ranking, served: ReadonlySet<number>): Collected {
    let stopped: Stopped | undefined;
    try {
      new Descent(this.#parts, batch, words, ranking, this.#rests).run(this.#parts.start, served);
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

/** A word that begins a chain, where it leaves the chain, and what that weighs at least when it is whole. */
interface First {
  readonly word: number;
  readonly end: number;
  readonly need: number;
  readonly weight: number;
  readonly least: number;
}

/** One pass through the chains of a batch, word by word. */
class Descent {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #stopper: Stopper;
  readonly #batch: Batch;
  readonly #words: number;
  readonly #ranking: Ranking;
  /** For chains of four words and more, which are too many to extend ones that can't be among the lightest. */
  readonly #rests: LightestRests | undefined;
  readonly #chain: number[] = [];

  constructor(
    { table, finisher, stopper }: Parts,
    batch: Batch,
    words: number,
    ranking: Ranking,
    rests: LightestRests,
  ) {
    this.#table = table;
    this.#finisher = finisher;
    this.#stopper = stopper;
    this.#batch = batch;
    this.#words = words;
    this.#ranking = ranking;
    this.#rests = words > LOOSELY_BOUND ? rests : undefined;
  }

  /** @param served first words to leave out, if each is wanted once */
  run(start: Start, served: ReadonlySet<number>): void {
    const { oneEach } = this.#ranking;
    const firsts = this.#firsts(start);
    for (const { word, end, need, weight, least } of this.#rests === undefined
      ? firsts
      : [...firsts].sort((a, b) => a.least - b.least)) {
      if (least > this.#batch.limit || least === Infinity) break;
      this.#stopper.step();
      if (oneEach && served.has(word)) continue;
      this.#begin(word, end, need, weight);
      if (oneEach) this.#batch.endFirst();
    }
  }

  /** Lightest first. */
  *#firsts(start: Start): Generator<First> {
    const { words, from, ends, masks, wordOf, weights } = this.#table;
    const { firstNode } = this.#ranking;
    if (start === 'anywhere') {
      for (const word of words.order)
        if (firstNode === undefined || words.starts[word] === firstNode)
          yield this.#first(word, words.ends[word]!, this.#table.needAfter(word), words.weights[word]!);
      return;
    }
    for (const { node, need } of start) {
      if (firstNode !== undefined && node !== firstNode) continue;
      for (let edge = from[node]!; edge < from[node + 1]!; edge++)
        yield this.#first(wordOf[edge]!, ends[edge]!, this.#table.rest(need, masks[edge]!), weights[edge]!);
    }
  }

  #first(word: number, end: number, need: number, weight: number): First {
    const left = this.#words - 1;
    const least = weight + (this.#rests?.lightest(end, need, left) ?? left * this.#table.lightest);
    return { word, end, need, weight, least };
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
        const least = soFar + (this.#rests?.lightest(to, rest, left - 1) ?? 0);
        if (least > batch.limit || least === Infinity) continue;
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

/** Making this many entries of a table takes about as long as a step: the machine has to find memory for them. */
const ENTRIES_OF_A_STEP = 4;

/** What the last words of a chain weigh at least, exactly, on boards so small that all endings are in tables. */
class LightestRests {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #stopper: Stopper;
  /** By the number of words, at the places of the dense table; 0 where it is not known. */
  readonly #known: Float64Array[] = [];
  /** By node, the edges that may begin a lightest rest. */
  readonly #useful: (Uint32Array | undefined)[] = [];

  constructor({ table, finisher, stopper }: Parts) {
    this.#table = table;
    this.#finisher = finisher;
    this.#stopper = stopper;
  }

  /** Weight of the lightest `left` words that go on from a node and cover the need; Infinity if there are none. */
  lightest(node: number, need: number, left: number): number {
    const { bits, ends, masks, weights, lightest, fields } = this.#table;
    const place = (node << bits) | need;
    const { firsts } = this.#finisher.dense!;
    if (left === 1) return firsts[place] === 0 ? Infinity : weights[firsts[place]! - 1]!;
    this.#known[left] ??= this.#newTable(firsts.length);
    const known = this.#known[left];
    if (known[place]! > 0) return known[place]!;
    const tail = (left - 1) * lightest;
    let best = Infinity;
    this.#useful[node] ??= usefulEdges(this.#table, node);
    const useful = this.#useful[node];
    for (let at = 0; at < useful.length; at++) {
      const edge = useful[at]!;
      if (weights[edge]! + tail >= best) break;
      const rest = fields.length === 0 ? need & ~masks[edge]! : this.#table.rest(need, masks[edge]!);
      best = Math.min(best, weights[edge]! + this.lightest(ends[edge]!, rest, left - 1));
    }
    this.#stopper.step(useful.length);
    known[place] = best;
    return best;
  }

  #newTable(size: number): Float64Array {
    this.#stopper.step(Math.ceil(size / ENTRIES_OF_A_STEP));
    return new Float64Array(size);
  }
}

/** Edges from a node, lightest first, without edges that a lighter one with the same end covers. */
function usefulEdges({ from, ends, masks }: WordTable, node: number): Uint32Array {
  const kept = Array.from(from, (): number[] => []);
  const useful: number[] = [];
  for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
    const own = kept[ends[edge]!]!;
    if (own.some((other) => (masks[edge]! & ~masks[other]!) === 0)) continue;
    own.push(edge);
    useful.push(edge);
  }
  return Uint32Array.from(useful);
}
