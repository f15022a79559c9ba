import { compareRanked, type Ranked, type Stopped } from './edges.ts';

/** The `wanted` smallest of the numbers added: a heap with the largest of them on top. */
export class Smallest {
  readonly #wanted: number;
  readonly #heap: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** The largest of the smallest numbers; Infinity while fewer than wanted were added. */
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
  readonly length: number;
  /** Chains of this weight or less are in earlier batches; −1 for the first batch. */
  readonly above: number;
  /** How many chains. The batch also has all others that are as heavy as the heaviest of them. */
  readonly wanted: number;
  /** Whether only the lightest of the chains with the same first word is wanted. */
  readonly oneEach: boolean;
  /** By word, its place in the alphabet. */
  readonly spelling: ArrayLike<number>;
}

/**
 * Collects the lightest chains above a weight. Once it has enough, `limit` tells the search to skip heavier ones. The chains
 * are numbers in two lists: as objects, the chains of a long list would keep the garbage collector busy.
 */
export class Batch {
  readonly options: BatchOptions;
  /**
   * Heavier chains need not be added. It is the lower of `#limitOfAll` and, with `oneEach`, the weight of the best chain of
   * the current first word. At the end, all chains up to this weight are in this batch or an earlier one.
   */
  limit = Infinity;
  /** Set where the search was stopped before the end. */
  stopped: Stopped | undefined;
  /** The weight of the heaviest of the `wanted` lightest chains so far. It only falls. */
  #limitOfAll = Infinity;
  /** Weights of the chains in the order in which they were found; some may be heavier than the limit. */
  #weights: number[] = [];
  /** The words of all chains, `options.length` of each. */
  #words: number[] = [];
  readonly #lightest: Smallest;
  /** With this many chains, those that are heavier than the limit are removed. */
  #lengthToClear: number;
  /** With `oneEach`, the best chain of the current first word. */
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

  /** Called when enough chains are known to weigh no more than this; with `oneEach`, only between first words. */
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

  /** With `oneEach`, called after all chains of a first word. */
  endFirst(): void {
    const best = this.#bestOfFirst;
    if (best !== undefined) this.#keep(best.weight, best.words);
    this.#bestOfFirst = undefined;
    this.limit = this.#limitOfAll;
  }

  /** The chains of the batch, the lightest first. Called after all are added. */
  *chains(): Generator<Ranked> {
    const { length } = this.options;
    this.#order ??= this.#sort();
    for (const at of this.#order) {
      const weight = this.#weights[at]!;
      const words = new Array<number>(length);
      for (let word = 0; word < length; word++) words[word] = this.#words[at * length + word]!;
      yield this.stopped === undefined ? { weight, words } : { weight, words, betterMayExist: true };
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
    // Chains that are just as heavy as the limit stay, and there may be many.
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
