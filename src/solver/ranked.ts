import { Batch, Smallest } from './batch.ts';
import { groupBy, popcount } from './bits.ts';
import { type Edges, type Ranked, type State, type Step, Stopped } from './edges.ts';
import { Heuristic } from './heuristic.ts';
import type { Problem } from './problem.ts';

/** Up to this many words, a `Heuristic` would take longer than it saves. */
const MAX_WORDS_WITHOUT_HEURISTIC = 3;
/** The first batch has as many chains as a list shows, each further one eight times as many, up to what fits in some 20 MB. */
const FIRST_BATCH = 10;
const BATCH_GROWTH = 8;
const LARGEST_BATCH = 2 ** 17;

/** All solutions of one number of words, by weight, then alphabetically, in batches, each with a `Descent` of its own. */
export class BestChains {
  readonly #problem: Problem;
  /** First batches by their number of words, kept because lists in both orders, `shortest` and `safest`, begin with them. */
  readonly #firstBatches = new Map<number, Batch>();
  #heuristic: Heuristic | undefined;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /** With `oneEach`, only the lightest chain of each first word. After a stop, the last batch's chains are `betterMayExist`. */
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

  /** Whether there are chains of this many words. Only for small boards: a `Heuristic` reads their tables. */
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

/** The share of all edges, the lightest, that `widestFirst` sorts by what they cover. */
const WIDEST_SHARE = 1 / 8;

/**
 * All edges, the lightest first, except that the first `ahead` of them are sorted by how many bits they cover, the most first. They
 * soon lead to light chains, whose weight bounds the rest of the search.
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

/** For `#isNew`, where letters repeat: a chain has several states then, and a word several edges. */
interface Repeated {
  /** Last words that another state or edge has had already. */
  readonly added: Set<number>;
  /** The states of the chain without its first word. */
  readonly tails: readonly State[];
}

/**
 * One search for the chains of a batch, depth first. From each state, edges are tried from the lightest on, until the chain so far,
 * with the least that its other words can weigh, is heavier than the limit of the batch.
 */
class Descent {
  readonly #problem: Problem;
  readonly #batch: Batch;
  /** What the other words of a chain weigh at least; without it, each is taken to weigh as much as the lightest of all. */
  readonly #heuristic: Heuristic | undefined;
  readonly #chain: number[] = [];
  /** The spots on which all words of `#chain` but the last ones end. Only used where each word is one edge. */
  readonly #ends: number[] = [];

  constructor(problem: Problem, batch: Batch, heuristic: Heuristic | undefined) {
    this.#problem = problem;
    this.#batch = batch;
    this.#heuristic = heuristic;
  }

  /** @param served with `oneEach`, the first words of earlier batches, which are left out */
  run(words: number, served: ReadonlySet<number>): void {
    const { beginsAnywhere, isDistinct, isSmall } = this.#problem;
    const { oneEach } = this.#batch.options;
    if (words === 3 && isDistinct && isSmall && beginsAnywhere && !oneEach) {
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

  /** All chains of three words from any spot of a small board of distinct letters: no step of a chain is made an object. */
  #extendByThree(): void {
    const { edges, lightest, stopper } = this.#problem;
    const { ends, masks, full, weights, wordOf } = edges;
    const { firsts, ahead } = widestFirst(edges);
    for (let at = 0; at < firsts.length; at++) {
      const edge = firsts[at]!;
      if (weights[edge]! + 2 * lightest > this.#batch.limit) {
        // Those after the first `ahead` are in order of weight.
        if (at < ahead) continue;
        return;
      }
      stopper.step();
      this.#chain.push(wordOf[edge]!);
      this.#extendByTwo({ spot: ends[edge]!, need: full & ~masks[edge]! }, weights[edge]!);
      this.#chain.pop();
    }
  }

  /** First words: with a heuristic, in the order of the least weight of a chain that begins with them. */
  #firsts(left: number): Iterable<Step> {
    const steps = this.#problem.firstSteps(left);
    if (this.#heuristic === undefined) return steps;
    const { above, wanted } = this.#batch.options;
    const found: { readonly step: Step; readonly least: number }[] = [];
    // `least` lacks only the letters of the other words, so each first word begins a chain of at most `least + left *
    // MAX_LETTERS`. The largest of the `wanted` smallest such sums is a limit for the first batch: if some of these chains are
    // padded, it only gets fewer, and the next batch goes on from there. Later batches may have none of these chains.
    const isFirstBatch = above < 0;
    const lightest = new Smallest(wanted);
    let limit = Infinity;
    const tail = left * this.#problem.lightest;
    for (const step of steps) {
      if (step.weight + tail > limit) break;
      const least = step.weight + this.#leastAfter(step.states, left);
      if (least === Infinity) continue;
      found.push({ step, least });
      if (!isFirstBatch || least + left * MAX_LETTERS >= limit) continue;
      lightest.add(least);
      limit = lightest.largest + left * MAX_LETTERS;
    }
    this.#batch.lowerLimit(limit);
    return found.sort((a, b) => a.least - b.least).map(({ step }) => step);
  }

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

  /** Whether a last word would be needless: everything is covered already, and padded solutions are not wanted. */
  #isCovered(states: readonly State[]): boolean {
    return !this.#problem.isPadded && states.some(({ need }) => need === 0);
  }

  /**
   * What the current chain leaves uncovered without its first word, where each word is one edge: a last word that covers all of it
   * makes the first word needless, and is left out. −1 if first words may be needless: no word covers that.
   */
  #needWithoutFirst(): number {
    const { edges, isFirstNeeded } = this.#problem;
    if (!isFirstNeeded) return -1;
    let need = edges.full;
    for (let at = 1; at < this.#chain.length; at++)
      need &= ~edges.masks[this.#problem.edgeFrom(this.#ends[at - 1]!, this.#chain[at]!)]!;
    return need;
  }

  /** Adds the last two words, where each is one edge. Tables tell after which edges one more is needed and covers the rest. */
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
    // `open & key` is the state after a word, as `counts` are indexed: see `Problem.keys`.
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
   * @param first the edge to begin with: no edge before it completes a chain
   * @param needWithoutFirst see `#needWithoutFirst`
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
      // The first word would be needless.
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

  /** The first edge from the spot with which a chain is heavier than those of earlier batches, by binary search. */
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
