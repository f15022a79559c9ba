import { groupBy } from './bits.ts';
import { type Edges, type JoinedPairs, type State, Stopped } from './edges.ts';
import { coverCounts, SparseEndings } from './endings.ts';
import type { Problem } from './problem.ts';

export interface Count {
  readonly value: number | bigint;
  /** False where the count was cut: there are at least `value`. */
  readonly exact: boolean;
}

/** Counts chains by state: chains in the same state are counted together, and never listed. */
export class Counter {
  /** What `count` had come to when it was stopped: there are at least this many. The caller sets it to 0 before each count. */
  soFar: number | bigint = 0;
  readonly #problem: Problem;
  /** `#levels[k]`: chains of k words, by state. */
  readonly #levels: Level[] = [];
  #before: WordsBefore | undefined;
  /** Of the chains that are being counted, those that don't count, see `#countUnneeded`. */
  #unneeded = 0;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  /**
   * The number of chains of exactly n words that cover everything.
   *
   * @param isFewest whether no chain of fewer words does, so that each word is needed
   */
  count(words: number, isFewest = false): number | bigint {
    const { isDistinct, isWhole, starts } = this.#problem;
    if (words === 0) return !isWhole && starts.some(({ need }) => need === 0) ? 1 : 0;
    if (isDistinct) {
      // First, so that what the count has come to when it is stopped is certain.
      this.#unneeded = isFewest ? 0 : this.#countUnneeded(words);
      const count = this.#countAsDoubles(words);
      if (count <= Number.MAX_SAFE_INTEGER) return count - this.#unneeded;
    }
    return this.#countAsBigints(words);
  }

  /** Doubles count exactly up to 2^53. These are chains that need their last word, though perhaps not their first. */
  #countAsDoubles(words: number): number {
    const { edges, endings, isLastNeeded, isWhole, pairs, starts } = this.#problem;
    const { full, masks } = edges;
    if (words === 1) {
      if (isWhole) return countEqual(masks, full);
      return starts.reduce((count, { spot, need }) => count + endings.count(spot, need), 0);
    }
    if (isWhole && endings.dense !== undefined) {
      if (words === 2) return pairs!.size - (isLastNeeded ? this.#pairsAfterWhole() : 0);
      if (words === 3) return countThree(this.#problem, endings.dense.counts, (total) => this.#reach(total));
    }
    const level = this.#level(words - 2);
    return endings.dense === undefined
      ? this.#countWithLastTwo(level)
      : this.#countWithTwoMore(level, endings.dense.counts);
  }

  /** Pairs of words of which the first covers everything by itself. */
  #pairsAfterWhole(): number {
    const { from, ends, masks, full } = this.#problem.edges;
    let pairs = 0;
    for (let edge = 0; edge < masks.length; edge++)
      if (masks[edge] === full) pairs += from[ends[edge]! + 1]! - from[ends[edge]!]!;
    return pairs;
  }

  /**
   * Chains that need their last word but not their first: a first word before a chain of one word less that covers everything,
   * where all words but the last do not. They are counted by the spot that joins the first word to that chain, which thereby
   * covers this spot. First words with which the last would not be needed are taken off.
   */
  #countUnneeded(words: number): number {
    const { edges, endings, isFirstNeeded, pairs, stopper } = this.#problem;
    if (words === 1 || !isFirstNeeded) return 0;
    if (words === 3 && pairs !== undefined && pairs.size === pairs.firsts.length)
      return countBeforePairs(this.#problem, pairs);
    this.#before ??= makeWordsBefore(this.#problem);
    const before = this.#before;
    let total = 0;
    for (let spot = 0; spot < edges.from.length - 1; spot++) {
      const all = before.count(spot, 0);
      if (all === 0) continue;
      const need = edges.full & ~(1 << spot);
      stopper.step();
      if (words === 2) {
        total += endings.count(spot, need) * (all - before.count(spot, need));
        continue;
      }
      let level = new Level(edges.bits, edges.from.length - 1);
      level.add(spot, need, 1);
      for (let word = 3; word < words; word++) level = this.#extend(level);
      total += this.#countAfter(before, spot, level);
    }
    return total;
  }

  /** Of the words before the spot that joins them: each with those chains of the level that two more words complete. */
  #countAfter(before: WordsBefore, joint: number, { spots, needs, counts }: Level): number {
    const { edges, endings, lastTwo, keys, stopper } = this.#problem;
    const { bits, from, ends, full } = edges;
    const all = before.count(joint, 0);
    let total = 0;
    for (let index = 0; index < counts.length; index++) {
      let ways = 0;
      const spot = spots[index]!;
      if (endings.dense === undefined) {
        const looked = lastTwo.each(spot, needs[index]!, (edge, rest) => {
          const lasts = endings.count(ends[edge]!, rest);
          if (lasts > 0) ways += lasts * (all - before.count(joint, rest));
        });
        stopper.step(looked);
      } else {
        const lasts = endings.dense.counts;
        const need = (-1 << bits) | needs[index]!;
        for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
          const at = need & keys[edge]!;
          if (lasts[at] !== 0) ways += lasts[at]! * (all - before.count(joint, at & full));
        }
        stopper.step(from[spot + 1]! - from[spot]!);
      }
      total += counts[index]! * ways;
    }
    return total;
  }

  #reach(total: number): void {
    this.soFar = Math.max(0, total - this.#unneeded);
  }

  /** For large boards, where two words together seldom cover all that is needed. */
  #countWithLastTwo(level: Level): number {
    const { lastTwo } = this.#problem;
    const { ends } = this.#problem.edges;
    let total = 0;
    for (let index = 0; index < level.counts.length; index++) {
      let ways = 0;
      const looked = lastTwo.each(level.spots[index]!, level.needs[index]!, (edge, rest) => {
        ways += this.#problem.endings.count(ends[edge]!, rest);
      });
      total += level.counts[index]! * ways;
      this.#reach(total);
      this.#problem.stopper.step(looked);
    }
    return total;
  }

  #countWithTwoMore({ spots, needs, counts }: Level, endings: Uint16Array | Uint32Array): number {
    const { edges, keys } = this.#problem;
    const { bits, from } = edges;
    let total = 0;
    for (let index = 0; index < counts.length; index++) {
      const spot = spots[index]!;
      // With the bits set above it that a key needs: see `Problem.keys`.
      const need = (-1 << bits) | needs[index]!;
      const end = from[spot + 1]!;
      let ways = 0;
      for (let edge = from[spot]!; edge < end; edge++) ways += endings[need & keys[edge]!]!;
      total += counts[index]! * ways;
      this.#reach(total);
      this.#problem.stopper.step(end - from[spot]!);
    }
    return total;
  }

  #level(words: number): Level {
    this.#levels[words] ??= this.#makeLevel(words);
    return this.#levels[words];
  }

  #makeLevel(words: number): Level {
    if (words > 0) return this.#extend(this.#level(words - 1));
    const { bits, from } = this.#problem.edges;
    const level = new Level(bits, from.length - 1);
    for (const { spot, need } of this.#problem.starts) level.add(spot, need, 1);
    return level;
  }

  /** The chains of a level with one word more. */
  #extend(before: Level): Level {
    const { bits, from, ends, masks } = this.#problem.edges;
    const level = new Level(bits, from.length - 1);
    if ((before.counts.length * masks.length) / (from.length - 1) > MAX_LEVEL_STEPS)
      throw new Stopped('size');
    for (let index = 0; index < before.counts.length; index++) {
      const spot = before.spots[index]!;
      const need = before.needs[index]!;
      const count = before.counts[index]!;
      this.#problem.stopper.step(from[spot + 1]! - from[spot]!);
      for (let edge = from[spot]!; edge < from[spot + 1]!; edge++)
        level.add(ends[edge]!, need & ~masks[edge]!, count);
    }
    return level;
  }

  /**
   * By the set of states that a chain may be in: where letters repeat, these are several, and each chain counts once. The states
   * without its first word tell whether that is needed.
   */
  #countAsBigints(words: number): number | bigint {
    const { starts, edges, isPadded, tails: allTails } = this.#problem;
    const isCovered = (states: readonly State[]) => !isPadded && states.some(({ need }) => need === 0);
    interface Alike {
      readonly states: readonly State[];
      /** Undefined before the first word. */
      readonly tails: readonly State[] | undefined;
      count: bigint;
    }
    const keyOf = (states: readonly State[]) =>
      states.map(({ spot, need }) => spot * 2 ** edges.bits + need).join();
    let level = new Map<string, Alike>([['', { states: starts, tails: undefined, count: 1n }]]);
    for (let left = words - 1; left > 0; left--) {
      const next: typeof level = new Map();
      for (const { states: before, tails: tailsBefore, count } of level.values()) {
        for (const { word, states } of this.#problem.steps(before, left)) {
          const tails = tailsBefore === undefined ? allTails : this.#problem.after(tailsBefore, word, left);
          const key = `${keyOf(states)}/${keyOf(tails)}`;
          const same = next.get(key);
          if (same !== undefined) same.count += count;
          else if (next.size === MAX_SETS) throw new Stopped('size');
          else next.set(key, { states, tails, count });
        }
      }
      level = next;
    }
    let total = 0n;
    for (const { states, tails = [], count } of level.values()) {
      if (isCovered(states)) continue;
      const unneeding = this.#lastWords(tails);
      let lasts = 0;
      for (const word of this.#lastWords(states)) if (!unneeding.has(word)) lasts++;
      total += count * BigInt(lasts);
      this.soFar = total;
    }
    return total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total;
  }

  /** The words that complete a chain in some of these states. */
  #lastWords(states: readonly State[]): Set<number> {
    const { wordOf } = this.#problem.edges;
    const lasts = new Set<number>();
    for (const state of states) for (const edge of this.#problem.lastEdges(state)) lasts.add(wordOf[edge]!);
    this.#problem.stopper.step(states.length);
    return lasts;
  }
}

/** How many words that a chain may begin with end on a spot and cover a need. */
interface WordsBefore {
  readonly count: (spot: number, need: number) => number;
}

function makeWordsBefore({ edges, isSmall, starts, stopper }: Problem): WordsBefore {
  const { bits, full, from, ends, masks } = edges;
  const spots = from.length - 1;
  const groupOf = new Uint8Array(masks.length).fill(spots);
  for (const { spot } of starts)
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) groupOf[edge] = ends[edge]!;
  const into = groupBy(groupOf, spots + 1);
  const before = {
    bits,
    full,
    ends,
    from: into.from.subarray(0, spots + 1),
    masks: Int32Array.from(into.items, (edge) => masks[edge]!),
  };
  if (!isSmall) return new SparseEndings(before);
  const table = coverCounts(before, stopper);
  return { count: (spot, need) => table[(spot << bits) | need]! };
}

/**
 * Chains of three words of which the last two cover everything, but not the first two: each pair with the words before it, but
 * for those that are a pair with its first word.
 */
function countBeforePairs({ edges, stopper }: Problem, { firsts, seconds }: JoinedPairs): number {
  if (firsts.length === 0) return 0;
  const { from, ends, masks } = edges;
  const wordsInto = new Uint32Array(from.length - 1);
  for (let edge = 0; edge < ends.length; edge++) wordsInto[ends[edge]!]!++;
  // By edge, the words before it, less those with which it is a pair.
  const others = room(masks.length).before.keys;
  for (let spot = 0; spot < from.length - 1; spot++)
    others.fill(wordsInto[spot]!, from[spot], from[spot + 1]);
  for (let pair = 0; pair < seconds.length; pair++) others[seconds[pair]!]!--;
  let total = 0;
  for (let pair = 0; pair < firsts.length; pair++) total += others[firsts[pair]!]!;
  stopper.step(2 * firsts.length);
  return total;
}

/** Up to this many places, the place of a state in a level is looked up in a table. */
const MAX_TABLE_PLACES = 2 ** 18;
/** A level of more states than this does not fit the memory that one search may take. */
const MAX_STATES = 4_000_000;
/** The same of sets of states. */
const MAX_SETS = 500_000;
/** A level that takes more steps than this would end like that, or take many seconds, so it is not begun. */
const MAX_LEVEL_STEPS = 100_000_000;

/** Chains of one number of words; chains in the same state are counted together. */
class Level {
  readonly spots: number[] = [];
  readonly needs: number[] = [];
  readonly counts: number[] = [];
  readonly #room: number;
  /** By state, its place in the level plus one. */
  readonly #places: Uint32Array | Map<number, number>;

  constructor(bits: number, spots: number) {
    this.#room = 2 ** bits;
    const places = spots * this.#room;
    this.#places = places <= MAX_TABLE_PLACES ? new Uint32Array(places) : new Map();
  }

  add(spot: number, need: number, count: number): void {
    const key = spot * this.#room + need;
    const places = this.#places;
    const place = places instanceof Map ? (places.get(key) ?? 0) : places[key]!;
    if (place > 0) {
      this.counts[place - 1]! += count;
      return;
    }
    if (this.counts.length >= MAX_STATES) throw new Stopped('size');
    this.spots.push(spot);
    this.needs.push(need);
    const added = this.counts.push(count);
    if (places instanceof Map) places.set(key, added);
    else places[key] = added;
  }
}

/** The memory of `countThree`, kept from board to board: it would take longer to allocate than to fill. */
let columns = columnsOf(0);
/** Boards of up to twelve letters share this table. */
const smallTable = new Uint16Array(12 << 12);

/** @param edges how many there is room for */
function columnsOf(edges: number) {
  const column = () => new Int32Array(edges);
  return {
    starts: new Uint8Array(edges),
    before: { masks: column(), keys: column(), rests: column() },
    after: { keys: column(), rests: column() },
  };
}

function room(edges: number): typeof columns {
  if (columns.starts.length < edges) columns = columnsOf(edges);
  return columns;
}

/**
 * Edges by the spot that they end on: those that end on spot s and lack the rarest bit are group 2s, those that have it are
 * group 2s + 1.
 */
function edgesInto({ bits, from, ends, masks }: Edges) {
  const rarest = rarestBit(bits, masks);
  const groupOf = new Uint8Array(masks.length);
  for (let edge = 0; edge < masks.length; edge++)
    groupOf[edge] = 2 * ends[edge]! + ((masks[edge]! >>> rarest) & 1);
  return { rarest, ...groupBy(groupOf, 2 * (from.length - 1)) };
}

/** One edge in this many is looked at for the rarest bit: any rare one will do. */
const SAMPLED_ONE_IN = 16;

function rarestBit(bits: number, masks: Int32Array): number {
  const having = new Uint32Array(bits);
  for (let edge = 0; edge < masks.length; edge += SAMPLED_ONE_IN)
    for (let bit = 0; bit < bits; bit++) having[bit]! += (masks[edge]! >>> bit) & 1;
  return having.indexOf(having.reduce((least, each) => Math.min(least, each)));
}

/**
 * The number of chains of three words on a small board of distinct letters. A chain needs a word with the rarest letter,
 * which few words have. So chains are counted by which of their words is the first that has it: of each kind, only pairs
 * of neighbors with such a word are gone through, and a table tells for each pair how many words fit in the remaining place.
 *
 * @param lasts how many words from a spot cover a need
 * @param reach is told what the count has come to so far, in case it is stopped
 */
function countThree(
  { edges, keys, stopper }: Problem,
  lasts: Uint16Array | Uint32Array,
  reach: (total: number) => void,
): number {
  const { bits, full, from, masks } = edges;
  const spots = from.length - 1;
  const into = edgesInto(edges);
  const { starts, before, after } = room(masks.length);
  for (let spot = 0; spot < spots; spot++) starts.fill(spot, from[spot], from[spot + 1]);
  // Of the edges into each spot, what they do not cover. In `keys`, it stands below the spot that they start on; `rests` have all
  // bits above it set: a key `&` a rest is then what two words leave, at the key's spot.
  for (let at = 0; at < masks.length; at++) {
    const edge = into.items[at]!;
    const mask = masks[edge]!;
    before.masks[at] = mask;
    before.keys[at] = (starts[edge]! << bits) | (full & ~mask);
    before.rests[at] = ~mask;
  }
  // How many words that lack the rarest letter end on a spot and cover a need: with a stride of 2, only their groups count.
  const masksInto = { bits, full, from: into.from, masks: before.masks, stride: 2 };
  const isSmall = spots << bits <= smallTable.length && masks.length < 2 ** 16;
  const firsts = coverCounts(masksInto, stopper, isSmall ? smallTable.fill(0, 0, spots << bits) : undefined);
  let total = 0;
  for (let spot = 0; spot < spots; spot++) {
    const without = { from: into.from[2 * spot]!, to: into.from[2 * spot + 1]! };
    const having = { from: without.to, to: into.from[2 * spot + 2]! };
    const all = { from: from[spot]!, to: from[spot + 1]! };
    let size = 0;
    for (let edge = all.from; edge < all.to; edge++) {
      after.keys[size] = keys[edge]!;
      after.rests[size] = ~masks[edge]!;
      size += (masks[edge]! >>> into.rarest) & 1;
    }
    stopper.step((without.to - without.from) * 2 * size + (having.to - having.from) * (all.to - all.from));
    // The first word has the rarest letter; then the second, after one without it; then the third, after two without it.
    total += ways(lasts, { of: before.rests, ...having }, { of: keys, ...all });
    total += ways(lasts, { of: after.keys, from: 0, to: size }, { of: before.rests, ...without });
    total += ways(firsts, { of: after.rests, from: 0, to: size }, { of: before.keys, ...without });
    reach(total);
  }
  return total;
}

function countEqual(numbers: Int32Array, wanted: number): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at++) if (numbers[at] === wanted) count++;
  return count;
}

/** The part of a column from one place to another. */
interface Span {
  readonly of: Int32Array;
  readonly from: number;
  readonly to: number;
}

/**
 * The sum of the table's entries for all pairs of a word of `some` and one of `many`: one of a pair is a key, the other a
 * rest. Four of `some` at a time share a look at all of `many`.
 */
function ways(
  table: Uint16Array | Uint32Array,
  { of: some, from: someFrom, to: someTo }: Span,
  { of: many, from: manyFrom, to: manyTo }: Span,
): number {
  let total = 0;
  let at = someFrom;
  for (; at + 3 < someTo; at += 4) {
    const first = some[at]!;
    const second = some[at + 1]!;
    const third = some[at + 2]!;
    const fourth = some[at + 3]!;
    for (let other = manyFrom; other < manyTo; other++) {
      const word = many[other]!;
      total += table[word & first]! + table[word & second]! + table[word & third]! + table[word & fourth]!;
    }
  }
  for (; at < someTo; at++) {
    const one = some[at]!;
    for (let other = manyFrom; other < manyTo; other++) total += table[many[other]! & one]!;
  }
  return total;
}
