import { groupBy, SubsetTable, withoutBit } from './bits.ts';
import type { BoardWords } from './types.ts';

/** Thrown where a search has to end early. `Search` catches it, and says where and why. */
export class Stopped extends Error {
  /** `time`: `stop` said so; `size`: a table or a set of states would not fit the memory that one search may take. */
  readonly why: 'time' | 'size';

  constructor(why: Stopped['why']) {
    super();
    this.why = why;
  }
}

const STEPS_BETWEEN_LOOKS = 4096;
/**
 * Steps that work in `unstopped` may take before `stop` is asked again: some tenths of a second. On 146 boards with many
 * repeated letters, the counts of one and two words took at most 2.3 million.
 */
export const MAX_GRACE_STEPS = 4_000_000;

/** Counts the steps of a search, and asks `stop` now and then: asking at each step would cost more than the step. */
export class Stopper {
  readonly #stop: (() => boolean) | undefined;
  #left = STEPS_BETWEEN_LOOKS;
  /** `stop` is not asked before this many steps in all. */
  #heldUntil = 0;
  /** Steps taken in all: a measure of the work that is the same on every machine. */
  steps = 0;

  constructor(stop: (() => boolean) | undefined) {
    this.#stop = stop;
  }

  step(steps = 1): void {
    this.steps += steps;
    this.#left -= steps;
    if (this.#left > 0 || this.steps < this.#heldUntil) return;
    this.#left = STEPS_BETWEEN_LOOKS;
    if (!this.#stop?.()) return;
    // If the search goes on later, its first step asks `stop` again.
    this.#left = 0;
    throw new Stopped('time');
  }

  /**
   * Does work that is needed even if the time is up, such as a search for one or two words: `stop` is not asked for its first
   * `MAX_GRACE_STEPS` steps. A call within another one shares its steps.
   */
  unstopped<Answer>(work: () => Answer): Answer {
    const before = this.#heldUntil;
    if (this.steps >= before) this.#heldUntil = this.steps + MAX_GRACE_STEPS;
    try {
      return work();
    } finally {
      this.#heldUntil = before;
    }
  }
}

/** The edges of a search. Each required word covers one more bit, its own, so a chain that covers all bits contains it. */
export interface Edges extends Pick<BoardWords, 'from' | 'ends' | 'masks' | 'weights' | 'wordOf' | 'order'> {
  /** Spots of the board and required words together. */
  readonly bits: number;
  /** A mask of all bits. */
  readonly full: number;
}

/** The part of the edges that look-ups of the last words need: where they lead, and what they cover. */
export type CoverEdges = Pick<Edges, 'from' | 'ends' | 'masks' | 'bits'>;

/** The spot that a chain ends on, and a mask of the bits that it does not cover yet. */
export interface State {
  readonly spot: number;
  readonly need: number;
}

/** A word that a chain may go on with, and the states that the chain is in then. */
export interface Step {
  readonly word: number;
  readonly weight: number;
  readonly states: readonly State[];
}

/** The states without those whose need contains the need of another state on the same spot. */
export function undominated(states: State[]): State[] {
  if (states.length < 2) return states;
  // A subset of a mask is a smaller number, so each need comes before all that contain it.
  states.sort((a, b) => a.spot - b.spot || a.need - b.need);
  const kept: State[] = [];
  let group = 0;
  for (const state of states) {
    if (kept.length > group && kept[group]!.spot !== state.spot) group = kept.length;
    let at = kept.length - 1;
    while (at >= group && (kept[at]!.need & ~state.need) !== 0) at--;
    if (at < group) kept.push(state);
  }
  return kept;
}

/** Edges without dominated ones: those with a lighter edge between the same spots that covers all that they do. */
export interface UndominatedEdges extends CoverEdges {
  /** Their numbers among all edges. */
  readonly numbers: Uint32Array;
}

export function undominatedEdges({ bits, from, ends, masks }: Edges, stopper: Stopper): UndominatedEdges {
  const spots = from.length - 1;
  const keptFrom = new Uint32Array(spots + 1);
  const numbers = new Uint32Array(masks.length);
  const keptEnds = new Uint8Array(masks.length);
  const keptMasks = new Int32Array(masks.length);
  let size = 0;
  // From each spot, lighter edges come first, so an edge can be dominated only by one that was kept before it. Kept edges are a
  // linked list for each spot on which they end: the edge kept last, and by edge the one kept before it. −1 is its end.
  const latest = new Int32Array(spots);
  const before = new Int32Array(masks.length);
  for (let spot = 0; spot < spots; spot++) {
    latest.fill(-1);
    let steps = from[spot + 1]! - from[spot]!;
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      let other = latest[ends[edge]!]!;
      for (; other >= 0 && (masks[edge]! & ~masks[other]!) !== 0; other = before[other]!) steps++;
      if (other >= 0) continue;
      before[edge] = latest[ends[edge]!]!;
      latest[ends[edge]!] = edge;
      keptEnds[size] = ends[edge]!;
      keptMasks[size] = masks[edge]!;
      numbers[size++] = edge;
    }
    stopper.step(steps);
    keptFrom[spot + 1] = size;
  }
  return {
    bits,
    from: keptFrom,
    ends: keptEnds.subarray(0, size),
    masks: keptMasks.subarray(0, size),
    numbers: numbers.subarray(0, size),
  };
}

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
  /** Set where lighter ones may exist: the search did not find them all. */
  readonly betterMayExist?: boolean;
}

/** Orders chains by weight, and chains of equal weight alphabetically. */
export function compareRanked(a: Ranked, b: Ranked, spelling: ArrayLike<number>): number {
  if (a.weight !== b.weight) return a.weight - b.weight;
  for (let at = 0; at < a.words.length; at++)
    if (a.words[at] !== b.words[at]) return spelling[a.words[at]!]! - spelling[b.words[at]!]!;
  return 0;
}

/** Two-word chains that cover everything, by their edges. */
export interface JoinedPairs {
  /** How many there are; lists shorter than this do not hold them all. */
  readonly size: number;
  readonly firsts: readonly number[];
  readonly seconds: readonly number[];
}

/** Far more than boards like the newspaper's have: with common letters on the best sides they have 30,000. */
const MAX_LISTED = 2 ** 16;

/** Every two words that solve a small board of distinct letters. */
export function joinTwo(edges: Edges, stopper?: Stopper): JoinedPairs {
  return joinAfter(firstsOfPairs(edges, stopper), edges, stopper);
}

/**
 * The edges after which another one covers the rest, on a small board of distinct letters. For each spot, a small table holds
 * what single words from there cover, and so tells which of the words that end there leave no more than that. All these words
 * touch the spot, so the table has no bit for it.
 */
function firstsOfPairs(edges: Edges, stopper: Stopper | undefined): number[] {
  const { from, ends, masks, full, bits } = edges;
  const into = groupBy(ends, from.length - 1);
  const coverable = new SubsetTable(bits - 1);
  const firsts: number[] = [];
  for (let spot = 0; spot < from.length - 1; spot++) {
    const begin = from[spot]!;
    const end = from[spot + 1]!;
    const intoBegin = into.from[spot]!;
    const intoEnd = into.from[spot + 1]!;
    if (begin === end || intoBegin === intoEnd) continue;
    coverable.clear();
    for (let edge = begin; edge < end; edge++) coverable.add(withoutBit(masks[edge]!, spot));
    coverable.addSubsets();
    for (let at = intoBegin; at < intoEnd; at++) {
      const first = into.items[at]!;
      if (coverable.has(withoutBit(full & ~masks[first]!, spot))) firsts.push(first);
    }
    stopper?.step(end - begin + intoEnd - intoBegin);
  }
  return firsts;
}

/** Every two words that solve the board and begin with one of these edges. */
export function joinAfter(
  candidates: readonly number[],
  { from, ends, masks, full }: Edges,
  stopper?: Stopper,
): JoinedPairs {
  let size = 0;
  const firsts: number[] = [];
  const seconds: number[] = [];
  for (const first of candidates) {
    const need = full & ~masks[first]!;
    const begin = from[ends[first]!]!;
    const end = from[ends[first]! + 1]!;
    for (let second = begin; second < end; second++) {
      if ((masks[second]! & need) !== need) continue;
      if (size++ >= MAX_LISTED) continue;
      firsts.push(first);
      seconds.push(second);
    }
    stopper?.step(end - begin);
  }
  return { size, firsts, seconds };
}

/**
 * Joined pairs, the lightest first. Pairs of equal weight come in alphabetical order.
 *
 * @param isPadded whether pairs are wanted of which one word is a solution by itself
 */
export function sortedPairs(
  { firsts, seconds }: JoinedPairs,
  { weights, wordOf, masks, full }: Edges,
  spelling: ArrayLike<number>,
  isPadded: boolean,
): readonly Ranked[] {
  const pairs: Ranked[] = [];
  for (let at = 0; at < firsts.length; at++) {
    const first = firsts[at]!;
    const second = seconds[at]!;
    if (!isPadded && (masks[first] === full || masks[second] === full)) continue;
    pairs.push({ weight: weights[first]! + weights[second]!, words: [wordOf[first]!, wordOf[second]!] });
  }
  return pairs.sort((a, b) => compareRanked(a, b, spelling));
}
