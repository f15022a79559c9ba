/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
  /** Set where lighter ones may exist that were not found. */
  readonly bestFound?: boolean;
}

/** Alphabetical order of chains: word numbers are in alphabetical order. */
export function compareWords(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

export interface BatchOptions {
  /** Chains of this weight or less are in earlier batches. */
  readonly above: number;
  /** How many chains, and those as heavy as the heaviest of them. */
  readonly wanted: number;
  /** Of the chains with the same first word, only the lightest. */
  readonly oneEach: boolean;
}

/** The lightest chains above a weight: once there are enough, those heavier than all of them are not looked for. */
export class Batch {
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

  constructor({ above, wanted, oneEach }: BatchOptions) {
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
