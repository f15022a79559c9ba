import type { Count, Counting } from './count.ts';
import { RepeatsCounter } from './count-repeats.ts';
import { Levels } from './levels.ts';
import type { Parts } from './parts.ts';
import type { QuickChains } from './quick.ts';
import { Stopped } from './stopper.ts';

/** Up to this many words, solutions are counted at once: the counts are wanted as well. */
const COUNTED = 2;

/** Where letters repeat, chains that hold enough of every letter, tried before all chains are gone through. */
const MOST_TRIED = 300;

/** Finds out, length by length, how many words a solution takes at least: what is not excluded yet is found or excluded. */
export class FewestWords {
  /** Chains of fewer words are known not to exist. */
  atLeast: number;
  readonly #parts: Parts;
  readonly #counter: Counting;
  readonly #quick: QuickChains;
  readonly #counted: (words: number) => Count;
  #levels: Levels | undefined;

  /** @param counted the count of solutions of so many words, as far as it got */
  constructor(parts: Parts, counter: Counting, quick: QuickChains, counted: (words: number) => Count) {
    this.#parts = parts;
    this.#counter = counter;
    this.#quick = quick;
    this.#counted = counted;
    this.atLeast = parts.start === 'anywhere' ? 1 : 0;
  }

  /** Goes on where it was stopped. Undefined if no solution has at most so many words. */
  find(maxWords: number): number | undefined {
    try {
      return this.#exclude(maxWords);
    } catch (error) {
      // A chain found quickly proves the number as well, if there is none of fewer words.
      if (error instanceof Stopped && this.#quick.chains()[0]?.length === this.atLeast) return this.atLeast;
      throw error;
    }
  }

  #exclude(maxWords: number): number | undefined {
    for (; this.atLeast <= maxWords; this.atLeast++) {
      const words = this.atLeast;
      if (words <= COUNTED) {
        if (this.#areCounted(words)) return words;
        continue;
      }
      this.#parts.stopper.step();
      if (this.#quickest === words || this.#has(words)) return words;
    }
    return undefined;
  }

  /** Words of the chains found quickly. On small boards of distinct letters being certain takes no longer. */
  get #quickest(): number | undefined {
    const { isSmall, confirmer } = this.#parts;
    return isSmall && confirmer === undefined ? undefined : this.#quick.chains()[0]?.length;
  }

  #areCounted(words: number): boolean {
    const { value, exact } = this.#counted(words);
    if (value === 0 && !exact) throw new Stopped();
    return value !== 0;
  }

  /** Whether there are chains of this many words, none having fewer. */
  #has(words: number): boolean {
    if (words === 3 && this.#parts.confirmer === undefined) {
      // The count is wanted as well, and takes no longer than to find out that there is none.
      return this.#areCounted(words);
    }
    const { table, start, stopper } = this.#parts;
    this.#levels ??= new Levels(table, start, stopper);
    if (words > 3 && this.#levels.isPossible) {
      let tried = 0;
      let right: readonly number[] | undefined;
      this.#levels.find(words, (edges) => {
        const chain = edges.map((edge) => table.wordOf[edge]!);
        if (this.#parts.isRight(chain)) right = chain;
        return right !== undefined || ++tried === MOST_TRIED;
      });
      if (right !== undefined && this.#quickest !== words) this.#quick.know(right);
      if (right !== undefined || tried === 0) return right !== undefined;
    }
    if (this.#counter instanceof RepeatsCounter) return this.#counter.exists(words);
    throw new Stopped();
  }
}
