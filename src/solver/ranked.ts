import { groupBy, popcount } from './bits.ts';
import {
  compareRanked,
  type Edges,
  type Ranked,
  type State,
  type Step,
  Stopped,
  undominatedEdges,
} from './edges.ts';
import { WEIGHT_OF_COST, WEIGHT_OF_WORD } from './playable.ts';
import type { Problem } from './problem.ts';

/** The smallest of the numbers added, as many as wanted: a heap with the largest of them on top. */
class Smallest {
  readonly #wanted: number;
  readonly #heap: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The largest of as many as wanted; Infinity while there are fewer. */
  get largest(): number {
    return this.#heap.length < this.#wanted ? Infinity : this.#heap[0]!;
  }

  add(number: number): void {
    const heap = this.#heap;
    if (heap.length === this.#wanted) {
      if (number < heap[0]!) this.#sink(number);
      return;
    }
    let at = heap.push(number) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! >= number) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = number;
  }

  /** Puts a number in the place of the largest. */
  #sink(number: number): void {
    const heap = this.#heap;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child + 1]! > heap[child]!) child++;
      if (heap[child]! <= number) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = number;
  }
}

interface BatchOptions {
  /** Words of a chain. */
  readonly length: number;
  /** Chains of this weight or less are in earlier batches. */
  readonly above: number;
  /** How many chains; others as heavy as the heaviest of them come along. */
  readonly wanted: number;
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach: boolean;
  readonly spelling: ArrayLike<number>;
}

/**
 * The lightest chains above a weight: once there are enough, those heavier than all of them are not looked for. They are numbers
 * in two lists: as objects, the chains of a long list would keep the garbage collector busy.
 */
class Batch {
  readonly options: BatchOptions;
  /**
   * Chains that weigh more need not be looked for. It falls during the search: to the weight of the heaviest of the `wanted`
   * lightest chains so far and, with `oneEach`, to that of the best chain of the first word at hand. At the end, all chains up to
   * this weight are in this batch or an earlier one.
   */
  limit = Infinity;
  /** Set where the search was stopped before the end. */
  stopped: Stopped | undefined;
  /** The limit without regard to the first word at hand. */
  #limitOfAll = Infinity;
  /** Of the chains as they were found; some may be heavier than the limit. */
  #weights: number[] = [];
  /** The words of all chains, `options.length` of each. */
  #words: number[] = [];
  readonly #lightest: Smallest;
  #lengthToClear: number;
  /** With `oneEach`, the best one of the first word at hand. */
  #bestOfFirst: Ranked | undefined;
  #order: Uint32Array | undefined;

  constructor(options: BatchOptions) {
    this.options = options;
    this.#lightest = new Smallest(options.wanted);
    this.#lengthToClear = 2 * options.wanted;
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
    if (!this.options.oneEach) {
      this.#keep(weight, words);
      return;
    }
    const chain = { weight, words: [...words] };
    const best = this.#bestOfFirst;
    if (best === undefined || compareRanked(chain, best, this.options.spelling) < 0) {
      this.#bestOfFirst = chain;
      this.limit = weight;
    }
  }

  /** All chains of a first word have been added. */
  endFirst(): void {
    const best = this.#bestOfFirst;
    if (best !== undefined) this.#keep(best.weight, best.words);
    this.#bestOfFirst = undefined;
    this.limit = this.#limitOfAll;
  }

  /** The chains of the batch, the lightest first. To be called once all are added. */
  *chains(): Generator<Ranked> {
    const { length } = this.options;
    this.#order ??= this.#sort();
    for (const at of this.#order) {
      const weight = this.#weights[at]!;
      const words = new Array<number>(length);
      for (let word = 0; word < length; word++) words[word] = this.#words[at * length + word]!;
      yield this.stopped === undefined ? { weight, words } : { weight, words, bestFound: true };
    }
  }

  #sort(): Uint32Array {
    this.endFirst();
    this.#removeHeavy();
    const { length, spelling } = this.options;
    const weights = this.#weights;
    const words = this.#words;
    return Uint32Array.from(weights.keys()).sort((a, b) => {
      if (weights[a] !== weights[b]) return weights[a]! - weights[b]!;
      for (let at = 0; at < length; at++) {
        const one = words[a * length + at]!;
        const other = words[b * length + at]!;
        if (one !== other) return spelling[one]! - spelling[other]!;
      }
      return a - b;
    });
  }

  #keep(weight: number, words: readonly number[]): void {
    this.#lightest.add(weight);
    this.#weights.push(weight);
    for (let at = 0; at < words.length; at++) this.#words.push(words[at]!);
    if (this.#weights.length < this.options.wanted) return;
    this.lowerLimit(this.#lightest.largest);
    if (this.#weights.length < this.#lengthToClear) return;
    this.#removeHeavy();
    // Many may be as heavy as the limit, and stay.
    this.#lengthToClear = 2 * Math.max(this.options.wanted, this.#weights.length);
  }

  #removeHeavy(): void {
    const { length } = this.options;
    const weights = this.#weights;
    const words = this.#words;
    const limit = this.#limitOfAll;
    let kept = 0;
    for (let chain = 0; chain < weights.length; chain++) {
      if (weights[chain]! > limit) continue;
      for (let at = 0; at < length; at++) words[kept * length + at] = words[chain * length + at]!;
      weights[kept++] = weights[chain]!;
    }
    weights.length = kept;
    words.length = kept * length;
  }
}

/** The cost of no chain at all: more than any other, and two of it fit a 32-bit number. */
const NO_CHAIN = 2 ** 29;

/**
 * What the last words of a chain weigh at least, on boards so small that all states are in tables. It is exact but for the
 * letters of the words, which break ties only.
 */
class Heuristic {
  readonly #problem: Problem;
  /** Of all edges, the part of the weight that tells of the likelihood. */
  readonly #costOf: Int32Array;
  /** Of the undominated edges: where those of each spot begin, their costs, and their keys as in `Problem`. */
  readonly #from: Uint32Array;
  readonly #costs: Int32Array;
  readonly #keys: Int32Array;
  /** By the number of words and by state, the least cost plus one; 0 where it is not known. */
  readonly #known: Int32Array[] = [];

  constructor(problem: Problem) {
    const { edges, keys, stopper } = problem;
    const { from, numbers } = undominatedEdges(edges, stopper);
    this.#problem = problem;
    this.#costOf = new Int32Array(edges.weights.length);
    for (let edge = 0; edge < this.#costOf.length; edge++)
      this.#costOf[edge] = Math.floor(edges.weights[edge]! / WEIGHT_OF_COST);
    this.#from = from;
    this.#costs = new Int32Array(numbers.length);
    this.#keys = new Int32Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      this.#costs[at] = this.#costOf[numbers[at]!]!;
      this.#keys[at] = keys[numbers[at]!]!;
    }
  }

  /** Infinity if no `left` words go on from the spot and cover the need. */
  least(spot: number, need: number, left: number): number {
    const { edges, endings } = this.#problem;
    if (left > 1) {
      const cost = this.#leastCost((spot << edges.bits) | need, left);
      return cost === NO_CHAIN ? Infinity : cost * WEIGHT_OF_COST + left * WEIGHT_OF_WORD;
    }
    const edge = endings.first(spot, need);
    return edge < 0 ? Infinity : edges.weights[edge]!;
  }

  #leastCost(state: number, left: number): number {
    this.#known[left] ??= new Int32Array((this.#from.length - 1) << this.#problem.edges.bits);
    const known = this.#known[left];
    if (known[state] === 0) known[state] = 1 + (left === 2 ? this.#joinTwo(state) : this.#join(state, left));
    return known[state]! - 1;
  }

  /** Like `#join` for two words. With a call for each edge, the whole answer takes a fifth longer on boards without a pair. */
  #joinTwo(state: number): number {
    const { edges, endings, stopper } = this.#problem;
    const { firsts } = endings.dense!;
    const costs = this.#costs;
    const keys = this.#keys;
    const costOf = this.#costOf;
    const spot = state >>> edges.bits;
    const open = state | (-1 << edges.bits);
    const begin = this.#from[spot]!;
    const end = this.#from[spot + 1]!;
    let best = NO_CHAIN;
    let edge = begin;
    for (; edge < end && costs[edge]! < best; edge++) {
      const last = firsts[open & keys[edge]!]!;
      if (last !== 0 && costs[edge]! + costOf[last - 1]! < best) best = costs[edge]! + costOf[last - 1]!;
    }
    stopper.step(edge - begin);
    return best;
  }

  #join(state: number, left: number): number {
    const { edges, stopper } = this.#problem;
    const costs = this.#costs;
    const keys = this.#keys;
    const spot = state >>> edges.bits;
    // The need, with the bits set above it that a key needs: see `Problem.keys`.
    const open = state | (-1 << edges.bits);
    const begin = this.#from[spot]!;
    const end = this.#from[spot + 1]!;
    let best = NO_CHAIN;
    let edge = begin;
    for (; edge < end && costs[edge]! < best; edge++)
      best = Math.min(best, costs[edge]! + this.#leastCost(open & keys[edge]!, left - 1));
    stopper.step(edge - begin);
    return best;
  }
}

/** Up to this many words, tables of what the rest of a chain weighs at least would take longer than they save. */
const MAX_WORDS_WITHOUT_HEURISTIC = 3;
/**
 * Chains of the first batch, as many as a list shows; a batch has eight times as many as the one before it, but no more than fit
 * in some 20 MB.
 */
const FIRST_BATCH = 10;
const BATCH_GROWTH = 8;
const LARGEST_BATCH = 2 ** 17;

/**
 * Whole chains, lightest first: in batches, each found by extending chains depth first, from the lightest edges on, and no
 * further than the heaviest chain of the batch allows.
 */
export class BestChains {
  readonly #problem: Problem;
  /** First batches by their number of words: lists in the order `shortest` and those in the order `safest` begin with them. */
  readonly #firstBatches = new Map<number, Batch>();
  #heuristic: Heuristic | undefined;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /**
   * Chains of equal weight come in alphabetical order. When it is stopped, what the batch has by then is given as the
   * best found.
   */
  *batches(words: number, oneEach: boolean): Generator<Iterable<Ranked>> {
    const served = new Set<number>();
    let above = -1;
    for (let wanted = FIRST_BATCH; ; wanted = Math.min(LARGEST_BATCH, BATCH_GROWTH * wanted)) {
      const isKept = !oneEach && wanted === FIRST_BATCH;
      const known = isKept ? this.#firstBatches.get(words) : undefined;
      const { spelling } = this.#problem.words;
      const options = { length: words, above, wanted, oneEach, spelling };
      const batch = known ?? this.#fill(new Batch(options), words, served);
      if (isKept && batch.stopped === undefined) this.#firstBatches.set(words, batch);
      if (oneEach) for (const chain of batch.chains()) served.add(chain.words[0]!);
      yield batch.chains();
      if (batch.stopped !== undefined) throw batch.stopped;
      if (batch.isAll) return;
      above = batch.limit;
    }
  }

  /** Whether there are chains of this many words on a small board. */
  exists(words: number): boolean {
    return this.#problem.starts.some(({ spot, need }) => this.#bounds.least(spot, need, words) < Infinity);
  }

  get #bounds(): Heuristic {
    this.#heuristic ??= new Heuristic(this.#problem);
    return this.#heuristic;
  }

  #fill(batch: Batch, words: number, served: ReadonlySet<number>): Batch {
    try {
      const heuristic = words > MAX_WORDS_WITHOUT_HEURISTIC ? this.#bounds : undefined;
      new Descent(this.#problem, batch, heuristic).run(words, served);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      batch.stopped = error;
    }
    return batch;
  }
}

/** The letters of a word add less than this to its weight. */
const MAX_LETTERS = 256;

/** The lightest first words, up to this share of all, are tried by how many spots they cover. */
const WIDEST_SHARE = 1 / 8;

/**
 * All edges, the lightest first, except that the first `ahead` of them are sorted by how many spots they cover: these soon lead
 * to light chains, whose weight bounds the rest of the search.
 */
function widestFirst({ order, masks, bits }: Edges) {
  const ahead = Math.ceil(order.length * WIDEST_SHARE);
  const { items } = groupBy(
    order.subarray(0, ahead).map((edge) => bits - popcount(masks[edge]!)),
    bits + 1,
  );
  const firsts = order.slice();
  for (let at = 0; at < ahead; at++) firsts[at] = order[items[at]!]!;
  return { firsts, ahead };
}

/** What the last words of a chain need where letters repeat, since several edges may be one word. */
interface Repeated {
  /** Words that were added in another state. */
  readonly added: Set<number>;
  /** The states of the chain without its first word. */
  readonly tails: readonly State[];
}

/** One pass through the chains of a batch, depth first. */
class Descent {
  readonly #problem: Problem;
  readonly #batch: Batch;
  /** What the rest of a chain weighs at least; without it, no more is known than the lightest weight of all. */
  readonly #heuristic: Heuristic | undefined;
  /** The words of the chain at hand. */
  readonly #chain: number[] = [];
  /** The spots on which they end, where each word is one edge. */
  readonly #ends: number[] = [];

  constructor(problem: Problem, batch: Batch, heuristic: Heuristic | undefined) {
    this.#problem = problem;
    this.#batch = batch;
    this.#heuristic = heuristic;
  }

  /** @param served first words to leave out, if each is wanted once */
  run(words: number, served: ReadonlySet<number>): void {
    const { isDistinct, isSmall, isWhole } = this.#problem;
    const { oneEach } = this.#batch.options;
    if (words === 3 && isDistinct && isSmall && isWhole && !oneEach) {
      this.#extendByThree();
      return;
    }
    if (words === 1 && this.#isCovered(this.#problem.starts)) return;
    const left = words - 1;
    for (const { word, weight, states } of this.#firsts(left)) {
      if (weight + this.#leastAfter(states, left) > this.#batch.limit) break;
      this.#problem.stopper.step();
      if (oneEach && served.has(word)) continue;
      this.#chain.push(word);
      this.#ends.push(states[0]!.spot);
      this.#extend(states, left, weight);
      this.#chain.pop();
      this.#ends.pop();
      if (oneEach) this.#batch.endFirst();
    }
  }

  /** All chains of three words on a small board where each word is one edge: no step of a chain is made an object. */
  #extendByThree(): void {
    const { edges, lightest, stopper } = this.#problem;
    const { ends, masks, full, weights, wordOf } = edges;
    const { firsts, ahead } = widestFirst(edges);
    for (let at = 0; at < firsts.length; at++) {
      const edge = firsts[at]!;
      if (weights[edge]! + 2 * lightest > this.#batch.limit) {
        if (at < ahead) continue;
        return;
      }
      stopper.step();
      this.#chain.push(wordOf[edge]!);
      this.#extendByTwo({ spot: ends[edge]!, need: full & ~masks[edge]! }, weights[edge]!);
      this.#chain.pop();
    }
  }

  /** First words: by what a chain that begins with them weighs at least, as far as that is known. */
  #firsts(left: number): Iterable<Step> {
    const steps = this.#problem.firstSteps(left);
    if (this.#heuristic === undefined) return steps;
    const { above, wanted } = this.#batch.options;
    const found: { readonly step: Step; readonly least: number }[] = [];
    // Each first word begins a chain that weighs little more than the least, so the lightest of these bound the batch. Later
    // batches get no bound from this: the chain may be in an earlier one.
    const lightest = new Smallest(wanted);
    let limit = Infinity;
    const tail = left * this.#problem.lightest;
    for (const step of steps) {
      if (step.weight + tail > limit) break;
      const least = step.weight + this.#leastAfter(step.states, left);
      if (least === Infinity) continue;
      found.push({ step, least });
      if (above >= 0 || least + left * MAX_LETTERS >= limit) continue;
      lightest.add(least);
      limit = lightest.largest + left * MAX_LETTERS;
    }
    this.#batch.lowerLimit(limit);
    return found.sort((a, b) => a.least - b.least).map(({ step }) => step);
  }

  /** What `left` more words weigh at least. */
  #leastAfter(states: readonly State[], left: number): number {
    const heuristic = this.#heuristic;
    if (heuristic === undefined || left === 0) return left * this.#problem.lightest;
    let least = Infinity;
    for (const { spot, need } of states) least = Math.min(least, heuristic.least(spot, need, left));
    return least;
  }

  /** Adds all chains that go on from these states by `left` more words. */
  #extend(states: readonly State[], left: number, before: number): void {
    const { isDistinct, lightest } = this.#problem;
    if (left === 0) this.#batch.add(before, this.#chain);
    else if (left === 1) this.#finish(states, before);
    else if (left === 2 && isDistinct) this.#extendByTwo(states[0]!, before);
    else {
      const tail = (left - 1) * lightest;
      for (const { word, weight, states: next } of this.#problem.steps(states, left - 1)) {
        const soFar = before + weight;
        if (soFar + tail > this.#batch.limit) break;
        const least = this.#leastAfter(next, left - 1);
        if (least === Infinity || soFar + least > this.#batch.limit) continue;
        this.#chain.push(word);
        this.#ends.push(next[0]!.spot);
        this.#extend(next, left - 1, soFar);
        this.#chain.pop();
        this.#ends.pop();
      }
    }
  }

  /** Whether a chain covers everything already, so that no last word is needed. */
  #isCovered(states: readonly State[]): boolean {
    return !this.#problem.isPadded && states.some(({ need }) => need === 0);
  }

  /** What the chain at hand needs without its first word, where each word is one edge; no mask has the bits of −1. */
  #needWithoutFirst(): number {
    const { edges, isFirstNeeded } = this.#problem;
    if (!isFirstNeeded) return -1;
    let need = edges.full;
    for (let at = 1; at < this.#chain.length; at++)
      need &= ~edges.masks[this.#problem.edgeFrom(this.#ends[at - 1]!, this.#chain[at]!)]!;
    return need;
  }

  /** The last two words where each is one edge: tables tell after which edges one more covers the rest. */
  #extendByTwo({ spot, need }: State, before: number): void {
    const { edges, endings, isLastNeeded, keys, lightest, stopper } = this.#problem;
    const { bits, from, ends, masks, wordOf, weights } = edges;
    const batch = this.#batch;
    const needWithoutFirst = this.#needWithoutFirst();
    if (endings.dense === undefined) {
      const looked = this.#problem.lastTwo.each(spot, need, (edge, rest) => {
        if (rest === 0 && isLastNeeded) return;
        this.#chain.push(wordOf[edge]!);
        const end = ends[edge]!;
        const tail = needWithoutFirst & ~masks[edge]!;
        this.#finishFrom(end, rest, before + weights[edge]!, from[end]!, tail);
        this.#chain.pop();
      });
      stopper.step(looked);
      return;
    }
    const { counts } = endings.dense;
    const open = need | (-1 << bits);
    const lightestEnding = before + lightest;
    const end = from[spot + 1]!;
    let { limit } = batch;
    let edge = from[spot]!;
    for (; edge < end; edge++) {
      if (lightestEnding + weights[edge]! > limit) break;
      if (counts[open & keys[edge]!] === 0) continue;
      this.#chain.push(wordOf[edge]!);
      const rest = need & ~masks[edge]!;
      const tail = needWithoutFirst & ~masks[edge]!;
      this.#finishFrom(ends[edge]!, rest, before + weights[edge]!, from[ends[edge]!]!, tail);
      limit = batch.limit;
      this.#chain.pop();
    }
    stopper.step(edge - from[spot]!);
  }

  #finish(states: readonly State[], before: number): void {
    const { endings, isDistinct } = this.#problem;
    if (this.#isCovered(states)) return;
    const repeated = isDistinct
      ? undefined
      : { added: new Set<number>(), tails: this.#problem.withoutFirst(this.#chain, 1) };
    const needWithoutFirst = isDistinct ? this.#needWithoutFirst() : -1;
    for (const { spot, need } of states)
      this.#finishFrom(spot, need, before, endings.first(spot, need), needWithoutFirst, repeated);
  }

  /**
   * Adds all chains that a last word from the spot completes.
   *
   * @param first the edge to begin with: none before it completes one
   * @param needWithoutFirst what the chain needs without its first word, see `#needWithoutFirst`
   */
  #finishFrom(
    spot: number,
    need: number,
    before: number,
    first: number,
    needWithoutFirst: number,
    repeated?: Repeated,
  ): void {
    const { edges, stopper } = this.#problem;
    const { from, masks, wordOf, weights } = edges;
    const batch = this.#batch;
    const end = from[spot + 1]!;
    const start = Math.max(first, this.#firstAbove(before, spot));
    let { limit } = batch;
    let edge = start;
    for (; edge < end; edge++) {
      const total = before + weights[edge]!;
      if (total > limit) break;
      if ((masks[edge]! & need) !== need) continue;
      if ((masks[edge]! & needWithoutFirst) === needWithoutFirst) continue;
      if (repeated !== undefined && !this.#isNew(wordOf[edge]!, repeated)) continue;
      this.#chain.push(wordOf[edge]!);
      batch.add(total, this.#chain);
      limit = batch.limit;
      this.#chain.pop();
    }
    stopper.step(edge - start);
  }

  /** Whether the word was not added in another state, and the chain needs its first word. */
  #isNew(word: number, { added, tails }: Repeated): boolean {
    if (added.has(word)) return false;
    added.add(word);
    return this.#problem.after(tails, word, 0).length === 0;
  }

  /** The first edge from the spot with which a chain is heavier than those of earlier batches. */
  #firstAbove(before: number, spot: number): number {
    const { from, weights } = this.#problem.edges;
    const least = this.#batch.options.above - before;
    let low = from[spot]!;
    for (let high = from[spot + 1]!; least >= 0 && low < high; ) {
      const middle = (low + high) >>> 1;
      if (weights[middle]! <= least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
