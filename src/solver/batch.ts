import { compareRanked, type Ranked, type Stopped } from './edges.ts';

/** The smallest of the numbers added, as many as wanted: a heap with the largest of them on top. */
export class Smallest {
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
export class Batch {
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
