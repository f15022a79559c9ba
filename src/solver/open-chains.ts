import { grown } from './columns.ts';

const ROOM = 256;

/**
 * A priority queue of chains, whole and unfinished, with the smallest total first: a binary heap over columns of
 * numbers. A chain is known by its number.
 */
export class OpenChains {
  /** Number of the chain that this one extends by `word`; −1 for none. */
  before = new Int32Array(ROOM);
  /** Its last word; −1 for a chain that has none yet. */
  word = new Int32Array(ROOM);
  /** On which the last word ends. */
  node = new Uint8Array(ROOM);
  /** What is still to be covered. */
  need = new Int32Array(ROOM);
  /** Words that are still to come. */
  left = new Uint8Array(ROOM);
  /** Of the words so far. */
  weight = new Float64Array(ROOM);
  /** Weight of the lightest whole chain that begins like this and was not added yet: exact, not an estimate. */
  total = new Float64Array(ROOM);
  /** Chains that extend it, with a total up to this, have been added already. */
  added = new Float64Array(ROOM);
  #heap = new Int32Array(ROOM);
  #waiting = 0;
  #used = 0;
  readonly #free: number[] = [];

  /** Total of the chain that `take` would give; Infinity if there is none. */
  get least(): number {
    return this.#waiting === 0 ? Infinity : this.total[this.#heap[0]!]!;
  }

  // An object instead of these seven took 1 to 4 % longer for a list of four or five words.
  add(
    before: number,
    word: number,
    node: number,
    need: number,
    left: number,
    weight: number,
    total: number,
  ): number {
    const chain = this.#free.pop() ?? this.#used++;
    if (chain === this.before.length) this.#grow();
    this.before[chain] = before;
    this.word[chain] = word;
    this.node[chain] = node;
    this.need[chain] = need;
    this.left[chain] = left;
    this.weight[chain] = weight;
    this.total[chain] = total;
    this.added[chain] = 0;
    this.#wait(chain, total);
    return chain;
  }

  /** Puts a taken chain back, to wait for its heavier extensions. */
  putBack(chain: number, added: number, total: number): void {
    this.added[chain] = added;
    this.total[chain] = total;
    this.#wait(chain, total);
  }

  #wait(chain: number, total: number): void {
    const heap = this.#heap;
    const totals = this.total;
    let at = this.#waiting++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (totals[heap[parent]!]! <= total) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = chain;
  }

  /** The chain with the least total, which waits no longer. */
  take(): number {
    const heap = this.#heap;
    const totals = this.total;
    const top = heap[0]!;
    const last = heap[--this.#waiting]!;
    const total = totals[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#waiting) break;
      if (child + 1 < this.#waiting && totals[heap[child + 1]!]! < totals[heap[child]!]!) child++;
      if (totals[heap[child]!]! >= total) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return top;
  }

  /** For a chain that nothing goes on from: its place may be taken by another. */
  release(chain: number): void {
    this.#free.push(chain);
  }

  /** The words of a chain, in order. */
  spell(chain: number): number[] {
    const words: number[] = [];
    for (let at = chain; at >= 0; at = this.before[at]!) if (this.word[at]! >= 0) words.push(this.word[at]!);
    return words.reverse();
  }

  #grow(): void {
    const room = 2 * this.before.length;
    this.before = grown(this.before, new Int32Array(room));
    this.word = grown(this.word, new Int32Array(room));
    this.node = grown(this.node, new Uint8Array(room));
    this.need = grown(this.need, new Int32Array(room));
    this.left = grown(this.left, new Uint8Array(room));
    this.weight = grown(this.weight, new Float64Array(room));
    this.total = grown(this.total, new Float64Array(room));
    this.added = grown(this.added, new Float64Array(room));
    this.#heap = grown(this.#heap, new Int32Array(room));
  }
}
