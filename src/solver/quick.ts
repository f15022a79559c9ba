import { popcount } from './bits.ts';
import type { Parts } from './parts.ts';
import { Stopped, type Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** How many ways of going on are kept: at first, then while there is time, and where the number of words hints at a better chain. */
const NARROW = 24;
const MEDIUM = 150;
const WIDE = 600;
/** Up to this many words from a spot, the medium look takes no longer than the narrow one may. */
const FEW_WORDS = 600;
const MANY_WORDS = 6;
/** Chains that are walked for it on a board with repeated letters, which bounds the work. */
const MOST_TRIES = 300;

/** Ways of going on that are made for each one kept: many stand alike, and are kept once. */
const ALIKE = 4;
/** Whole chains looked at of each length: the lightest of them are given. */
const MOST_CHAINS = 2_000;
const MOST_RIGHT = 100;

/**
 * Right chains that are found quickly, all of one length. They are kept, as they bound the fewest words.
 */
export class QuickChains {
  readonly #parts: Parts;
  readonly #maxWords: number;
  /** By their length; at 0, the chains of the fewest words found. */
  readonly #found = new Map<number, readonly (readonly number[])[]>();

  constructor(parts: Parts, maxWords: number) {
    this.#parts = parts;
    this.#maxWords = maxWords;
  }

  /** Chains of as few words as were found, or of exactly this many; the lightest first. */
  chains(exactly = 0): readonly (readonly number[])[] {
    const known = this.#found.get(exactly);
    if (known !== undefined) return known;
    const most = exactly === 0 ? this.#maxWords : exactly;
    // The first look is short on any board; the others are taken only while there is time.
    const { stopper, table } = this.#parts;
    const hasFew = table.masks.length <= FEW_WORDS * (table.from.length - 1);
    const first = hasFew ? MEDIUM : NARROW;
    let found = stopper.unstopped(() => this.#attempt(() => this.#look(exactly, most, first)));
    const further = (width: number) => {
      const other = this.#attempt(() => this.#look(exactly, found[0]?.length ?? most, width));
      if (other.length > 0) found = other;
    };
    if (!hasFew) further(MEDIUM);
    if (exactly === 0 && (found[0]?.length ?? most) >= MANY_WORDS) further(WIDE);
    this.#found.set(exactly, found);
    return found;
  }

  /** A chain of fewer words, found elsewhere. */
  know(chain: readonly number[]): void {
    this.#found.set(0, [chain]);
  }

  #attempt(look: () => number[][]): readonly (readonly number[])[] {
    try {
      this.#parts.stopper.step();
      return look();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return [];
    }
  }

  #look(least: number, most: number, width: number): number[][] {
    const { confirmer } = this.#parts;
    let tries = MOST_TRIES;
    const isRight = (chain: readonly number[]) =>
      confirmer === undefined || (tries-- > 0 && confirmer.covers(chain, true) === true);
    return quickChains(this.#parts, { least, most, width }, isRight);
  }
}

interface Attempt {
  readonly before: Attempt | undefined;
  readonly word: number;
  readonly node: number;
  readonly need: number;
  readonly weight: number;
}

/**
 * Chains found by always going on from the chains that cover most: right ones, in a few milliseconds on boards of
 * any size, but perhaps with a word too many. All have equally many words; word numbers, the lightest first.
 *
 * @param limits the words that a chain may have, and how many ways of going on are kept at each word
 * @param isRight asked of each chain, and again of longer ones where none of a length is right
 */
function quickChains(
  parts: Parts,
  { least, most, width }: { readonly least: number; readonly most: number; readonly width: number },
  isRight: (chain: readonly number[]) => boolean,
): number[][] {
  let kept = parts.starts.map(
    ({ node, need }): Attempt => ({ before: undefined, word: -1, node, need, weight: 0 }),
  );
  for (let words = 1; words <= most; words++) {
    const whole = words < least ? [] : finish(parts, kept);
    const chains: number[][] = [];
    for (const attempt of whole.sort((a, b) => a.weight - b.weight)) {
      if (chains.length === MOST_RIGHT) break;
      const chain = spell(attempt);
      if (isRight(chain)) chains.push(chain);
    }
    if (chains.length > 0 || words === most) return chains;
    kept = goOn(parts, kept, width);
  }
  return [];
}

function finish({ table, finisher, stopper }: Parts, attempts: readonly Attempt[]): Attempt[] {
  const { wordOf, ends, weights } = table;
  const whole: Attempt[] = [];
  for (const before of attempts) {
    stopper.step(finisher.cost);
    if (finisher.first(before.node, before.need) < 0) continue;
    for (const edge of finisher.all(before.node, before.need)) {
      const weight = before.weight + weights[edge]!;
      whole.push({ before, word: wordOf[edge]!, node: ends[edge]!, need: 0, weight });
      if (whole.length === MOST_CHAINS) return whole;
    }
  }
  return whole;
}

/** The attempts one word longer that cover most, the lightest first among equals. */
function goOn({ table, stopper }: Parts, attempts: readonly Attempt[], width: number): Attempt[] {
  const { bits, from, ends, masks, wordOf, weights } = table;
  // By how much is still needed: of chains that stand alike, the lightest.
  const byNeed: Map<number, Attempt>[] = Array.from({ length: bits + 1 }, () => new Map());
  // Once enough attempts need less, others that need more are not worth making.
  let most = mostWorthMaking(table, attempts, ALIKE * width, stopper);
  let kept = 0;
  for (const before of attempts) {
    stopper.step(from[before.node + 1]! - from[before.node]!);
    for (let edge = from[before.node]!; edge < from[before.node + 1]!; edge++) {
      const need = table.rest(before.need, masks[edge]!);
      const needed = popcount(need);
      if (needed > most) continue;
      const weight = before.weight + weights[edge]!;
      const node = ends[edge]!;
      const place = node * 2 ** bits + need;
      const alike = byNeed[needed]!.get(place);
      if (alike !== undefined && alike.weight <= weight) continue;
      byNeed[needed]!.set(place, { before, word: wordOf[edge]!, node, need, weight });
      if (alike === undefined) kept++;
      while (kept - byNeed[most]!.size >= width) kept -= byNeed[most--]!.size;
    }
  }
  const best: Attempt[] = [];
  for (let needed = 0; needed <= most && best.length < width; needed++) {
    for (const attempt of [...byNeed[needed]!.values()].sort((a, b) => a.weight - b.weight))
      best.push(attempt);
  }
  return best.slice(0, width);
}

/** Counted first: to make them all and then keep the best would take much longer. */
function mostWorthMaking(
  table: WordTable,
  attempts: readonly Attempt[],
  enough: number,
  stopper: Stopper,
): number {
  const { bits, from, masks } = table;
  const needing = new Uint32Array(bits + 1);
  for (const { node, need } of attempts) {
    stopper.step(from[node + 1]! - from[node]!);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++)
      needing[popcount(table.rest(need, masks[edge]!))]!++;
  }
  let most = 0;
  for (let found = needing[0]!; found < enough && most < bits; found += needing[most]!) most++;
  return most;
}

function spell(attempt: Attempt): number[] {
  const words: number[] = [];
  for (let at: Attempt | undefined = attempt; at !== undefined && at.word >= 0; at = at.before)
    words.push(at.word);
  return words.reverse();
}
