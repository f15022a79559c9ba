import { groupBy, popcount, SubsetTable } from './bits.ts';
import { type Edges, type Ranked, type State, Stopped, type Stopper } from './edges.ts';
import { type PatternGroup, Patterns } from './endings.ts';
import type { Problem } from './problem.ts';

/** Tables for more bits would take more than 8 MB. */
const MOST_BITS = 27;

/** An edge on which two parts of a chain meet, with the needs before and after it. */
interface Meeting {
  readonly edge: number;
  readonly need: number;
  readonly rest: number;
}

/**
 * Whether chains of a given number of words exist, proven either way: chains from the start and chains to
 * the end meet in the middle. Of all chains that stand on a spot, a chain is kept only if no other one
 * outdoes it: a few thousand even on boards of 25 letters; tables of subsets tell which those are, so the work
 * grows with (words kept × chains kept of one word fewer) and never with the number of solutions.
 */
export class Levels {
  readonly #edges: Edges;
  readonly #stopper: Stopper;
  readonly #chains: KeptChains;

  constructor({ edges, starts, stopper }: Problem) {
    this.#edges = edges;
    this.#stopper = stopper;
    this.#chains = new KeptChains(edges, starts.flat(), stopper);
  }

  /** A chain of this many words (at least 2) that covers everything, as edges; undefined if there is none. */
  find(words: number): readonly number[] | undefined {
    if (this.#edges.bits > MOST_BITS) throw new Stopped();
    const after = Math.floor(words / 2);
    const before = words - after - 1;
    // The kept chains of fewer words have to be there first, as they need the same table.
    for (let fewer = 1; fewer < after; fewer++) this.#chains.right(fewer);
    this.#chains.left(before);
    const { edges, starts } = this.#chains.reduced;
    for (let spot = 0; spot < this.#edges.from.length - 1; spot++) {
      const meeting = this.#meet(spot, before, after);
      if (meeting === undefined) continue;
      const { edge, need, rest } = meeting;
      const to = this.#chainTo(before, starts[edge]!, need);
      return [...to, edge, ...this.#chainFrom(after, spot, rest)].map((found) => edges[found]!);
    }
    return undefined;
  }

  /** Where chains of `before` words and one more end on the spot with a need that `after` words cover. */
  #meet(spot: number, before: number, after: number): Meeting | undefined {
    const { full } = this.#edges;
    const { into, intoFrom, starts, masks, patterns } = this.#chains.reduced;
    const left = this.#chains.left(before);
    const leftCovers = this.#patternsInto(spot, before);
    if (leftCovers[0] === 0) return undefined;
    const rightCovers = this.#patternsFrom(spot, after);
    const subsets = this.#chains.fill(after, spot, leftCovers);
    const all = this.#chains.patterns.room - 1;
    const low = (1 << spot) - 1;
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const mask = masks[edge]!;
      for (const { pattern, masks: covered } of left[starts[edge]!]!.groups) {
        if (rightCovers[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(covered.length);
        for (let index = 0; index < covered.length; index++) {
          const rest = full & ~(covered[index]! | mask);
          if (subsets.has((rest & low) | ((rest >>> (spot + 1)) << spot)))
            return { edge, need: full & ~covered[index]!, rest };
        }
      }
    }
    return undefined;
  }

  /** The patterns, with all their subsets, that chains of `before` words and one more cover when they stand on the spot. */
  #patternsInto(spot: number, before: number): Uint8Array {
    const { into, intoFrom, starts, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const left = this.#chains.left(before);
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      const key = (starts[edge]! << size) | patterns[edge]!;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const { pattern } of left[starts[edge]!]!.groups) covers[pattern | patterns[edge]!] = 1;
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** The patterns, with all their subsets, that this many words from the spot cover. */
  #patternsFrom(spot: number, words: number): Uint8Array {
    const { fromSpot, ends, patterns } = this.#chains.reduced;
    const { size, room } = this.#chains.patterns;
    const covers = new Uint8Array(room);
    const seen = new Set<number>();
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
      if (words === 1) covers[patterns[edge]!] = 1;
      else {
        const key = (ends[edge]! << size) | patterns[edge]!;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const { pattern } of this.#chains.right(words - 1)[ends[edge]!]!.groups)
          covers[pattern | patterns[edge]!] = 1;
      }
    }
    this.#chains.patterns.close(covers);
    return covers;
  }

  /** Edges of a chain from the start that stands on a spot with no more than this need. */
  #chainTo(words: number, spot: number, need: number): number[] {
    if (words === 0) return [];
    const { full } = this.#edges;
    const { into, intoFrom, starts, masks } = this.#chains.reduced;
    const before = this.#chains.left(words - 1);
    for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
      const edge = into[at]!;
      for (const covered of before[starts[edge]!]!.masks) {
        const earlier = full & ~covered;
        if (earlier & ~masks[edge]! & ~need) continue;
        return [...this.#chainTo(words - 1, starts[edge]!, earlier), edge];
      }
    }
    throw new Error('a kept chain has lost its words');
  }

  /** Edges of a chain from a spot that covers the need, which is known to exist. */
  #chainFrom(words: number, spot: number, need: number): number[] {
    if (words === 0) return [];
    const { fromSpot, ends, masks } = this.#chains.reduced;
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
      const rest = need & ~masks[edge]!;
      const isDone =
        words === 1
          ? rest === 0
          : this.#chains.right(words - 1)[ends[edge]!]!.masks.some((covered) => (rest & ~covered) === 0);
      if (isDone) return [edge, ...this.#chainFrom(words - 1, ends[edge]!, rest)];
    }
    throw new Error('a kept chain has lost its words');
  }
}

/** What the chains on one spot cover, without chains that another one outdoes. */
interface Kept {
  readonly masks: Int32Array;
  readonly groups: readonly PatternGroup[];
}

/**
 * Chains from the start and chains to the end, by the spot they stand on, except chains that another one outdoes.
 */
class KeptChains {
  readonly patterns: Patterns;
  readonly #edges: Edges;
  readonly #starts: readonly State[];
  readonly #stopper: Stopper;
  #reduced: Reduced | undefined;
  #subsets: SubsetTable | undefined;
  readonly #left: Kept[][] = [];
  readonly #right: Kept[][] = [];

  constructor(edges: Edges, starts: readonly State[], stopper: Stopper) {
    this.#edges = edges;
    this.#starts = starts;
    this.#stopper = stopper;
    this.patterns = new Patterns(edges);
  }

  get reduced(): Reduced {
    this.#reduced ??= reduceEdges(this.#edges, this.patterns, this.#stopper);
    return this.#reduced;
  }

  /**
   * The table of what this many words from a spot can cover; it is the same table each time.
   *
   * @param useful by pattern, whether the rest of a chain can cover it: what is of no use is left out
   * @param seen gets the places that were added
   */
  fill(words: number, spot: number, useful?: Uint8Array, seen?: number[]): SubsetTable {
    const subsets = this.#cleared();
    const { fromSpot, ends, masks, patterns } = this.reduced;
    const all = this.patterns.room - 1;
    const low = (1 << spot) - 1;
    const add = (place: number) => {
      if (subsets.add(place)) seen?.push(place);
    };
    for (let edge = fromSpot[spot]!; edge < fromSpot[spot + 1]!; edge++) {
      const mask = masks[edge]!;
      if (words === 1) {
        add(this.#place(mask, spot));
        continue;
      }
      for (const { pattern, masks: onwards } of this.#right[words - 1]![ends[edge]!]!.groups) {
        if (useful?.[all & ~(pattern | patterns[edge]!)] === 0) continue;
        this.#stopper.step(onwards.length);
        if (seen === undefined) {
          for (let index = 0; index < onwards.length; index++) {
            const covered = mask | onwards[index]!;
            subsets.add((covered & low) | ((covered >>> (spot + 1)) << spot));
          }
        } else
          for (let index = 0; index < onwards.length; index++) add(this.#place(mask | onwards[index]!, spot));
      }
    }
    this.#close();
    return subsets;
  }

  /** The spot's own bit is always covered, and needs no place in its table. */
  #cleared(): SubsetTable {
    this.#subsets ??= new SubsetTable(this.#edges.bits - 1);
    this.#subsets.clear();
    return this.#subsets;
  }

  #close(): void {
    this.#stopper.step(2 ** Math.max(0, this.#edges.bits - 9));
    this.#subsets!.close();
  }

  /** By spot, what this many words from there may cover. Fewer words have to be asked for first: they need the same table. */
  right(words: number): readonly Kept[] {
    const spots = this.#edges.from.length - 1;
    this.#right[words] ??= [];
    const kept = this.#right[words];
    const { fromSpot, masks } = this.reduced;
    for (let spot = kept.length; spot < spots; spot++) {
      if (words === 1) {
        kept.push(
          this.#kept(undominated(masks.subarray(fromSpot[spot]!, fromSpot[spot + 1]!), this.#stopper)),
        );
        continue;
      }
      const seen: number[] = [];
      this.fill(words, spot, undefined, seen);
      kept.push(this.#keep(seen, spot));
    }
    return kept;
  }

  /** By spot, what chains of this many words from the start may have covered. */
  left(words: number): readonly Kept[] {
    this.#left[words] ??= [];
    const kept = this.#left[words];
    const spots = this.#edges.from.length - 1;
    const { full } = this.#edges;
    for (let spot = kept.length; spot < spots; spot++) {
      if (words === 0) {
        const starts = this.#starts.filter((state) => state.spot === spot);
        kept.push(this.#kept(starts.map(({ need }) => full & ~need)));
        continue;
      }
      const before = this.left(words - 1);
      const { into, intoFrom, starts, masks } = this.reduced;
      if (words === 1) {
        const covered: number[] = [];
        for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++)
          for (const earlier of before[starts[into[at]!]!]!.masks) covered.push(earlier | masks[into[at]!]!);
        kept.push(this.#kept(undominated(covered, this.#stopper)));
        continue;
      }
      const subsets = this.#cleared();
      const seen: number[] = [];
      for (let at = intoFrom[spot]!; at < intoFrom[spot + 1]!; at++) {
        const edge = into[at]!;
        const list = before[starts[edge]!]!.masks;
        this.#stopper.step(list.length);
        for (let index = 0; index < list.length; index++) {
          const place = this.#place(list[index]! | masks[edge]!, spot);
          if (subsets.add(place)) seen.push(place);
        }
      }
      this.#close();
      kept.push(this.#keep(seen, spot));
    }
    return kept;
  }

  /** Once the table is closed: the places added that no other one outdoes, as masks. */
  #keep(seen: readonly number[], spot: number): Kept {
    const subsets = this.#subsets!;
    const own = 1 << spot;
    const kept: number[] = [];
    for (const place of seen) {
      if (!subsets.isMaximal(place)) continue;
      kept.push((place & (own - 1)) | ((place >>> spot) << (spot + 1)) | own);
    }
    return this.#kept(kept);
  }

  #kept(masks: readonly number[]): Kept {
    return { masks: Int32Array.from(masks), groups: this.patterns.group(masks) };
  }

  /** The index of a mask in the table of a spot. */
  #place(mask: number, spot: number): number {
    return (mask & ((1 << spot) - 1)) | ((mask >>> (spot + 1)) << spot);
  }
}

/** Edges that no other edge with the same ends covers, by the spot they start on and by the one they end on. */
interface Reduced {
  readonly starts: Uint8Array;
  readonly ends: Uint8Array;
  readonly masks: Int32Array;
  readonly patterns: Uint16Array;
  /** Their numbers among all edges. */
  readonly edges: Uint32Array;
  readonly fromSpot: Uint32Array;
  readonly intoFrom: Uint32Array;
  readonly into: Uint32Array;
}

function reduceEdges({ from, ends, masks }: Edges, patterns: Patterns, stopper: Stopper): Reduced {
  const spots = from.length - 1;
  const kept: number[] = [];
  const fromSpot = new Uint32Array(spots + 1);
  for (let spot = 0; spot < spots; spot++) {
    const byEnd = groupBy(ends.subarray(from[spot]!, from[spot + 1]!), spots);
    for (let end = 0; end < spots; end++) {
      // Edges are lightest first: of equal masks the first is kept.
      const byMask = new Map<number, number>();
      for (let at = byEnd.from[end + 1]! - 1; at >= byEnd.from[end]!; at--) {
        const edge = byEnd.items[at]! + from[spot]!;
        byMask.set(masks[edge]!, edge);
      }
      for (const mask of undominated([...byMask.keys()], stopper)) kept.push(byMask.get(mask)!);
    }
    fromSpot[spot + 1] = kept.length;
  }
  const edges = Uint32Array.from(kept);
  const starts = new Uint8Array(edges.length);
  for (let spot = 0; spot < spots; spot++) starts.fill(spot, fromSpot[spot]!, fromSpot[spot + 1]!);
  const endOf = Uint8Array.from(edges, (edge) => ends[edge]!);
  const { from: intoFrom, items: into } = groupBy(endOf, spots);
  const maskOf = Int32Array.from(edges, (edge) => masks[edge]!);
  const patternOf = Uint16Array.from(maskOf, (mask) => patterns.of(mask));
  return { starts, ends: endOf, masks: maskOf, patterns: patternOf, edges, fromSpot, intoFrom, into };
}

/** The masks that no other mask covers; each once, and larger ones first. */
function undominated(masks: ArrayLike<number>, stopper: Stopper): number[] {
  // What covers another is larger, so it comes before it.
  const sorted = [...new Set(Array.from(masks))].sort((a, b) => popcount(b) - popcount(a));
  const kept: number[] = [];
  for (const mask of sorted) {
    let isCovered = false;
    for (let at = 0; at < kept.length && !isCovered; at++) isCovered = (mask & ~kept[at]!) === 0;
    if (!isCovered) kept.push(mask);
  }
  stopper.step(sorted.length + kept.length ** 2 / 8);
  return kept;
}

/** How many chains the beam keeps after each word: at first, then while there is time, and where many words hint at a better chain. */
const NARROW = 24;
const MEDIUM = 150;
const WIDE = 600;
/** Up to this many words from a spot, the medium beam takes no longer than the narrow one may. */
const FEW_WORDS = 600;
const MANY_WORDS = 6;
/** Extensions that are made for each one kept: many are in the same state, and are kept once. */
const MADE_FOR_KEPT = 4;
/** Whole chains looked at of each length: the lightest of them are given. */
const MOST_CHAINS = 2_000;
const MOST_GIVEN = 100;

/**
 * A beam search: solutions of any board within milliseconds, but perhaps with a word too many. They bound the fewest words
 * from above, and are what large boards list of four words and more.
 */
export class Beam {
  readonly #problem: Problem;
  readonly #maxWords: number;
  /** By their length; at 0, the chains of the fewest words found. */
  readonly #found = new Map<number, readonly Ranked[]>();

  constructor(problem: Problem, maxWords: number) {
    this.#problem = problem;
    this.#maxWords = maxWords;
  }

  /** Words of the shortest chains found. */
  get fewest(): number | undefined {
    return this.chains()[0]?.words.length;
  }

  /** Chains of as few words as were found, or of exactly this many; the lightest first. */
  chains(exactly = 0): readonly Ranked[] {
    const known = this.#found.get(exactly);
    if (known !== undefined) return known;
    const most = exactly === 0 ? this.#maxWords : exactly;
    const { stopper, edges } = this.#problem;
    const hasFew = edges.masks.length <= FEW_WORDS * (edges.from.length - 1);
    // The first beam is short on any board; the others are taken only while there is time.
    const first = hasFew ? MEDIUM : NARROW;
    let found = stopper.unstopped(() => this.#attempt(exactly, most, first));
    const widen = (width: number) => {
      const other = this.#attempt(exactly, found[0]?.words.length ?? most, width);
      if (other.length > 0) found = other;
    };
    if (!hasFew) widen(MEDIUM);
    if (exactly === 0 && (found[0]?.words.length ?? most) >= MANY_WORDS) widen(WIDE);
    this.#found.set(exactly, found);
    return found;
  }

  /** A chain of fewer words, as edges, found elsewhere. */
  know(chain: readonly number[]): void {
    const { wordOf, weights } = this.#problem.edges;
    const weight = chain.reduce((sum, edge) => sum + weights[edge]!, 0);
    this.#found.set(0, [{ words: chain.map((edge) => wordOf[edge]!), weight, bestFound: true }]);
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
interface Partial extends State {
  readonly before: Partial | undefined;
  readonly word: number;
  readonly weight: number;
}

/** @param limits the words that a chain may have, and how many chains are kept after each word */
function beamChains(
  problem: Problem,
  { least, most, width }: { readonly least: number; readonly most: number; readonly width: number },
): readonly Ranked[] {
  let kept = problem.starts
    .flat()
    .map((state): Partial => ({ ...state, before: undefined, word: -1, weight: 0 }));
  for (let words = 1; words <= most; words++) {
    const whole = words < least ? [] : finish(problem, kept);
    if (whole.length > 0 || words === most) return whole;
    kept = extend(problem, kept, width);
  }
  return [];
}

/** Whole chains one word longer, each once however it is walked. */
function finish({ edges, endings, stopper }: Problem, partials: readonly Partial[]): readonly Ranked[] {
  const { wordOf, weights } = edges;
  const whole: Ranked[] = [];
  for (const before of partials) {
    stopper.step(endings.cost);
    if (endings.first(before.spot, before.need) < 0) continue;
    for (const edge of endings.all(before.spot, before.need)) {
      if (whole.length === MOST_CHAINS) break;
      const words = [...spell(before), wordOf[edge]!];
      whole.push({ words, weight: before.weight + weights[edge]!, bestFound: true });
    }
  }
  const once = new Map<string, Ranked>();
  for (const chain of whole.sort((a, b) => a.weight - b.weight))
    if (once.size < MOST_GIVEN && !once.has(chain.words.join())) once.set(chain.words.join(), chain);
  return [...once.values()];
}

/** The chains one word longer that cover most, the lightest first among equals. */
function extend({ edges, stopper }: Problem, partials: readonly Partial[], width: number): Partial[] {
  const { bits, from, ends, masks, wordOf, weights } = edges;
  // By how many bits are still needed: of the chains in one state, the lightest.
  const byNeed: Map<number, Partial>[] = Array.from({ length: bits + 1 }, () => new Map());
  // Once enough chains need less, others that need more are not worth making.
  let most = mostWorthMaking(edges, partials, MADE_FOR_KEPT * width, stopper);
  let kept = 0;
  for (const before of partials) {
    stopper.step(from[before.spot + 1]! - from[before.spot]!);
    for (let edge = from[before.spot]!; edge < from[before.spot + 1]!; edge++) {
      const need = before.need & ~masks[edge]!;
      const needed = popcount(need);
      if (needed > most) continue;
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
  const best: Partial[] = [];
  for (let needed = 0; needed <= most && best.length < width; needed++)
    best.push(...[...byNeed[needed]!.values()].sort((a, b) => a.weight - b.weight).slice(0, width));
  return best.slice(0, width);
}

/** Counted first: to make them all and then keep the best would take much longer. */
function mostWorthMaking(
  { bits, from, masks }: Edges,
  partials: readonly Partial[],
  enough: number,
  stopper: Stopper,
): number {
  const needing = new Uint32Array(bits + 1);
  for (const { spot, need } of partials) {
    stopper.step(from[spot + 1]! - from[spot]!);
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) needing[popcount(need & ~masks[edge]!)]!++;
  }
  let most = 0;
  for (let found = needing[0]!; found < enough && most < bits; found += needing[most]!) most++;
  return most;
}

function spell(partial: Partial): number[] {
  const words: number[] = [];
  for (let at: Partial | undefined = partial; at !== undefined && at.word >= 0; at = at.before)
    words.push(at.word);
  return words.reverse();
}
