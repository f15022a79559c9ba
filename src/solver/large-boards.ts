import { popcount, SubsetTable, withBit, withoutBit } from './bits.ts';
import {
  type Edges,
  type Ranked,
  type State,
  Stopped,
  type Stopper,
  type UndominatedEdges,
  undominatedEdges,
} from './edges.ts';
import { SparseEndings } from './endings.ts';
import { LastTwo } from './last-two.ts';
import type { Problem } from './problem.ts';

/** Up to this many chains, finding the dominated ones takes longer than it saves. */
const MAX_CHAINS_UNPRUNED = 4_000;

/** Chains of one number of words that end on one spot. */
interface Chains {
  /** What each chain covers. */
  readonly masks: Int32Array;
  /** By chain, the part of its mask in the rarest bits: see `LastTwo.patternOf`. */
  readonly patterns: Uint16Array;
  /** Each of these patterns once. */
  readonly kinds: readonly number[];
}

/**
 * Proves whether chains of a given number of words exist on a large board. It works level by level: a level has the chains of one
 * number of words, by the spot they end on. Chains that cover no more than another one are dropped, so that a few thousand are left
 * even on boards of 25 letters. The last two words are looked up. So the work grows with words × chains kept, and not with the
 * number of solutions.
 */
export class Levels {
  readonly #full: number;
  /** By spot, what chains without a word cover. */
  readonly #starts: readonly number[][];
  readonly #stopper: Stopper;
  readonly #edges: UndominatedEdges;
  /** By edge. */
  readonly #patterns: Uint16Array;
  readonly #lastTwo: LastTwo;
  readonly #endings: SparseEndings;
  readonly #table: SubsetTable;
  /** By number of words and by spot. */
  readonly #levels: (readonly Chains[])[] = [];

  constructor({ edges, starts, stopper }: Problem) {
    this.#full = edges.full;
    this.#starts = Array.from({ length: edges.from.length - 1 }, () => []);
    for (const { spot, need } of starts) this.#starts[spot]!.push(edges.full & ~need);
    this.#stopper = stopper;
    this.#edges = undominatedEdges(edges, stopper);
    this.#lastTwo = new LastTwo(this.#edges);
    this.#patterns = Uint16Array.from(this.#edges.masks, (mask) => this.#lastTwo.patternOf(mask));
    this.#endings = new SparseEndings(this.#edges);
    // For chains that end on one spot, which they all cover: the table has no bit for it.
    this.#table = new SubsetTable(edges.bits - 1);
  }

  /** A chain of this many words (at least 2) that covers everything, as edges; undefined if there is none. */
  find(words: number): readonly number[] | undefined {
    const { from, ends, numbers } = this.#edges;
    for (let spot = 0; spot < from.length - 1; spot++) {
      for (const covered of this.#extended(words - 2, spot, this.#lastTwo.patternsFrom(spot))) {
        let found: readonly number[] | undefined;
        const looked = this.#lastTwo.each(spot, this.#full & ~covered, (edge, rest) => {
          const last = found === undefined ? this.#endings.first(ends[edge]!, rest) : -1;
          if (last >= 0) found = [edge, last];
        });
        this.#stopper.step(looked);
        if (found !== undefined)
          return [...this.#chainTo(words - 2, spot, covered), ...found].map((edge) => numbers[edge]!);
      }
    }
    return undefined;
  }

  #level(words: number): readonly Chains[] {
    this.#levels[words] ??= Array.from({ length: this.#edges.from.length - 1 }, (_, spot) => {
      const masks = this.#extended(words, spot);
      const patterns = Uint16Array.from(masks, (mask) => this.#lastTwo.patternOf(mask));
      return { masks: Int32Array.from(masks), patterns, kinds: [...new Set(patterns)] };
    });
    return this.#levels[words];
  }

  /**
   * What each chain of this many words that ends on a spot covers.
   *
   * @param useful by pattern, 0 if the words after the chain can't cover it: chains that leave such a pattern are dropped. All are
   *   useful if it is left out.
   */
  #extended(words: number, spot: number, useful?: Uint8Array): number[] {
    if (words === 0) return this.#starts[spot]!;
    const { masks } = this.#edges;
    // Made before the table is cleared, which it fills, too.
    const before = this.#level(words - 1);
    // A place in the table is a mask without the bit of this spot, which all of these masks have.
    const places: number[] = [];
    this.#table.clear();
    for (const [edge, start] of this.#edgesTo(spot)) {
      const chains = before[start]!;
      const isUseful = (pattern: number) =>
        useful?.[~(pattern | this.#patterns[edge]!) & this.#lastTwo.all] !== 0;
      this.#stopper.step(chains.kinds.length);
      // Checked first: with most edges no chain is useful, and there are twenty times as many chains as kinds.
      if (!chains.kinds.some(isUseful)) continue;
      this.#stopper.step(chains.masks.length);
      for (let index = 0; index < chains.masks.length; index++) {
        if (!isUseful(chains.patterns[index]!)) continue;
        const place = withoutBit(chains.masks[index]! | masks[edge]!, spot);
        if (this.#table.add(place)) places.push(place);
      }
    }
    return this.#maximal(places).map((place) => withBit(place, spot));
  }

  /** Drops places that are subsets of others, unless they are few. */
  #maximal(places: number[]): number[] {
    if (places.length <= MAX_CHAINS_UNPRUNED) return places;
    this.#stopper.step(this.#table.cost);
    this.#table.addSubsets();
    return places.filter((place) => this.#table.isMaximal(place));
  }

  /** The edges of a chain that ends on the spot and covers this mask: levels don't store them. */
  #chainTo(words: number, spot: number, covered: number): number[] {
    if (words === 0) return [];
    for (const [edge, start] of this.#edgesTo(spot))
      for (const earlier of this.#level(words - 1)[start]!.masks)
        if ((covered & ~(earlier | this.#edges.masks[edge]!)) === 0)
          return [...this.#chainTo(words - 1, start, earlier), edge];
    throw new Error('a kept chain has lost its words');
  }

  /** Edges that end on a spot, each with the spot that it starts on. */
  *#edgesTo(spot: number): Generator<readonly [edge: number, start: number]> {
    const { from, ends } = this.#edges;
    for (let start = 0; start < from.length - 1; start++)
      for (let edge = from[start]!; edge < from[start + 1]!; edge++)
        if (ends[edge] === spot) yield [edge, start];
  }
}

/** How many chains the beam keeps after each word. */
const WIDTH = 150;
/** The same for a second beam. It runs if the first found only chains of so many words that there probably are shorter ones. */
const WIDE_WIDTH = 600;
const MIN_WORDS_FOR_WIDE = 6;
/** Extensions that are made for each one kept: many have the same state, and only one of these is kept. */
const MADE_FOR_KEPT = 4;
/** Whole chains of each length that are looked at, and the most of them that are listed. */
const MAX_CHAINS = 2_000;
const MAX_LISTED = 100;

/**
 * A beam search: solutions of any board within milliseconds, but perhaps with a word too many. They bound the fewest words
 * from above, and are the solutions of four words and more that large boards list.
 */
export class Beam {
  readonly #problem: Problem;
  readonly #maxWords: number;
  /** By the `exactly` of `chains`: at 0, the chains of the fewest words found. */
  readonly #found = new Map<number, readonly Ranked[]>();

  constructor(problem: Problem, maxWords: number) {
    this.#problem = problem;
    this.#maxWords = maxWords;
  }

  get fewest(): number | undefined {
    return this.chains()[0]?.words.length;
  }

  /** Chains of as few words as were found, or of exactly this many; the lightest first. */
  chains(exactly = 0): readonly Ranked[] {
    let found = this.#found.get(exactly);
    if (found !== undefined) return found;
    // The first beam is short on any board, so it runs even if the time is up. The second one does not.
    const most = exactly || this.#maxWords;
    found = this.#problem.stopper.unstopped(() => this.#attempt(exactly, most, WIDTH));
    const fewest = found[0]?.words.length ?? most;
    if (exactly === 0 && fewest >= MIN_WORDS_FOR_WIDE) {
      const wider = this.#attempt(0, fewest, WIDE_WIDTH);
      if (wider.length > 0) found = wider;
    }
    this.#found.set(exactly, found);
    return found;
  }

  /** Takes over a chain of fewer words that `Levels` found, as edges. */
  know(chain: readonly number[]): void {
    const { wordOf, weights } = this.#problem.edges;
    const weight = chain.reduce((sum, edge) => sum + weights[edge]!, 0);
    this.#found.set(0, [{ words: chain.map((edge) => wordOf[edge]!), weight, betterMayExist: true }]);
  }

  #attempt(least: number, most: number, width: number): readonly Ranked[] {
    try {
      this.#problem.stopper.step();
      return beamChains(this.#problem, { least, most, width });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return [];
    }
  }
}

/** A chain that the beam keeps: its last word, and the state that it is in. */
interface KeptChain extends State {
  readonly before: KeptChain | undefined;
  readonly word: number;
  readonly weight: number;
}

/** Chains of `least` to `most` words, as few as can be found, with `width` chains kept after each word. */
function beamChains(
  problem: Problem,
  { least, most, width }: { readonly least: number; readonly most: number; readonly width: number },
): readonly Ranked[] {
  let kept = problem.starts.map((state): KeptChain => ({ ...state, before: undefined, word: -1, weight: 0 }));
  for (let words = 1; words <= most; words++) {
    const whole = words < least ? [] : finish(problem, kept);
    const needed = whole.filter((chain) => !problem.hasUnneeded(chain.words));
    if (needed.length > 0 || words === least) return needed;
    // Where any length will do, the fewest words that were found are an answer, even if the first or the last is not needed.
    if (whole.length > 0 || words === most) return whole;
    kept = extend(problem, kept, width);
  }
  return [];
}

/** Whole chains one word longer, each once however it is walked. */
function finish(problem: Problem, partials: readonly KeptChain[]): readonly Ranked[] {
  const { wordOf, weights } = problem.edges;
  const whole: Ranked[] = [];
  for (const before of partials) {
    problem.stopper.step();
    for (const edge of problem.lastEdges(before)) {
      if (whole.length === MAX_CHAINS) break;
      const words = [...spell(before), wordOf[edge]!];
      whole.push({ words, weight: before.weight + weights[edge]!, betterMayExist: true });
    }
  }
  const once = new Map<string, Ranked>();
  for (const chain of whole.sort((a, b) => a.weight - b.weight))
    if (once.size < MAX_LISTED && !once.has(chain.words.join())) once.set(chain.words.join(), chain);
  return [...once.values()];
}

/** Of the chains one word longer, the `width` that need the fewest bits; among these, the lightest. */
function extend(
  { edges, isLastNeeded, stopper }: Problem,
  partials: readonly KeptChain[],
  width: number,
): KeptChain[] {
  const { bits, from, ends, masks, wordOf, weights } = edges;
  // By number of needed bits, the lightest chain of each state.
  const byNeed: Map<number, KeptChain>[] = Array.from({ length: bits + 1 }, () => new Map());
  // Chains that need more than `most` bits are not worth making. It falls as soon as enough chains need fewer.
  const least = isLastNeeded ? 1 : 0;
  let most = mostWorthMaking(edges, partials, { enough: MADE_FOR_KEPT * width, least }, stopper);
  let kept = 0;
  for (const before of partials) {
    stopper.step(from[before.spot + 1]! - from[before.spot]!);
    for (let edge = from[before.spot]!; edge < from[before.spot + 1]!; edge++) {
      const need = before.need & ~masks[edge]!;
      const needed = popcount(need);
      if (needed > most || needed < least) continue;
      const weight = before.weight + weights[edge]!;
      const spot = ends[edge]!;
      const place = spot * 2 ** bits + need;
      const same = byNeed[needed]!.get(place);
      if (same !== undefined && same.weight <= weight) continue;
      byNeed[needed]!.set(place, { before, word: wordOf[edge]!, spot, need, weight });
      if (same === undefined) kept++;
      while (kept - byNeed[most]!.size >= width) kept -= byNeed[most--]!.size;
    }
  }
  const best: KeptChain[] = [];
  for (let needed = 0; needed <= most && best.length < width; needed++)
    best.push(...[...byNeed[needed]!.values()].sort((a, b) => a.weight - b.weight).slice(0, width));
  return best.slice(0, width);
}

/** How many bits the chains to make may need, so that there are enough. Making all and keeping the best would take much longer. */
function mostWorthMaking(
  { bits, from, masks }: Edges,
  partials: readonly KeptChain[],
  { enough, least }: { readonly enough: number; readonly least: number },
  stopper: Stopper,
): number {
  const needing = new Uint32Array(bits + 1);
  for (const { spot, need } of partials) {
    stopper.step(from[spot + 1]! - from[spot]!);
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) needing[popcount(need & ~masks[edge]!)]!++;
  }
  let most = least;
  for (let found = needing[least]!; found < enough && most < bits; found += needing[most]!) most++;
  return most;
}

function spell(partial: KeptChain): number[] {
  const words: number[] = [];
  for (let at: KeptChain | undefined = partial; at !== undefined && at.word >= 0; at = at.before)
    words.push(at.word);
  return words.reverse();
}
