import { compareWords, type Ranked, type Ranking } from './best-chains.ts';
import { grown, weightOf } from './columns.ts';
import type { Finisher } from './finish.ts';
import type { Parts } from './parts.ts';
import type { Stopper } from './stopper.ts';
import type { Start, State, WordTable } from './table.ts';

/** A twentieth of a likelihood's logarithm: how far beyond its best a chain is gone on from at first. */
const SLICE = weightOf(Math.exp(-0.05), 0);
/** Making this many entries of a table takes about as long as a step: the machine has to find memory for them. */
const ENTRIES_OF_A_STEP = 4;

/**
 * Whole chains of exactly n words, lightest first, found one at a time and only as far as asked: chains of four words
 * and more are far too many to go through.
 */
export class Ranker {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #stopper: Stopper;
  readonly #ranking: Ranking;
  readonly #known: Map<number, number>[] = [];
  /** By the number of last words, what they weigh, by the place of the dense table; 0 where it is not known. */
  readonly #rests: (Float64Array | undefined)[] = [];
  #useful: UsefulEdges | undefined;

  constructor({ table, finisher, start, stopper }: Parts, ranking: Ranking) {
    this.#table = table;
    this.#finisher = finisher;
    this.#start = start;
    this.#stopper = stopper;
    this.#ranking = ranking;
  }

  /**
   * Chains of equal weight come in alphabetical order. With `oneEach`, the next chain of a first word is tried if its best
   * is not right.
   */
  *chains(words: number): Generator<Ranked> {
    const { oneEach = false, firstNode, isRight = () => true } = this.#ranking;
    const open = new OpenChains();
    const { dense } = this.#finisher;
    // Not for all words of a chain that goes on from a state, and not for shorter chains: they ask for few, and only once.
    if (words > 3 && dense !== undefined && this.#table.fields.length === 0)
      for (let left = 2; left < words; left++) this.#rests[left] ??= this.#newRests(dense.firsts.length);
    const { order, weights, starts } = this.#table.words;
    const tailLeast = (words - 1) * this.#table.lightest;
    let opened = 0;
    if (this.#start !== 'anywhere') {
      opened = order.length;
      for (const { node, need } of this.#start)
        if (firstNode === undefined || node === firstNode)
          this.#begin(open, { word: -1, node, need, weight: 0 }, words);
    }
    const served = new Set<number>();
    for (;;) {
      // First words are opened in order of weight, and only while they could still hold the next answer.
      while (opened < order.length && weights[order[opened]!]! + tailLeast <= open.least) {
        this.#stopper.step();
        const word = order[opened]!;
        if (firstNode === undefined || starts[word] === firstNode) this.#addFirst(open, word, words - 1);
        opened++;
      }
      const { least } = open;
      if (least === Infinity) return;
      const finished: (readonly number[])[] = [];
      while (open.least === least) {
        const chain = open.take();
        if (open.left[chain] === 0) {
          finished.push(open.spell(chain));
          open.release(chain);
        } else if (!oneEach || !served.has(open.spell(chain)[0] ?? -1)) this.#goOn(open, chain);
      }
      if (finished.length > 1) finished.sort(compareWords);
      for (const chain of finished) {
        if ((oneEach && served.has(chain[0]!)) || !isRight(chain)) continue;
        served.add(chain[0]!);
        yield { weight: least, words: chain };
      }
    }
  }

  #newRests(size: number): Float64Array {
    this.#stopper.step(Math.ceil(size / ENTRIES_OF_A_STEP));
    return new Float64Array(size);
  }

  /** A word that begins a chain anywhere. */
  #addFirst(open: OpenChains, word: number, left: number): void {
    const { full, words, fields } = this.#table;
    const mask = words.masks[word]! | this.#table.extraOf(word);
    const need =
      fields.length === 0 ? full & ~mask : this.#table.rest(this.#table.needOn(words.starts[word]!), mask);
    this.#begin(open, { word, node: words.ends[word]!, need, weight: words.weights[word]! }, left);
  }

  #goOn(open: OpenChains, chain: number): void {
    const { from, ends, masks, wordOf, weights, fields } = this.#table;
    const isDistinct = fields.length === 0;
    const left = open.left[chain]! - 1;
    const weight = open.weight[chain]!;
    const node = open.node[chain]!;
    const need = open.need[chain]!;
    const end = from[node + 1]!;
    this.#stopper.step(end - from[node]!);
    // Most chains are asked for their best ways on only: the others are added if the chain's turn comes again.
    const added = open.added[chain]!;
    const until = added === 0 ? open.total[chain]! + SLICE : Infinity;
    let next = Infinity;
    if (left === 0) {
      for (const edge of this.#finisher.all(node, need)) {
        const total = weight + weights[edge]!;
        if (total <= added) continue;
        if (total <= until) open.add(chain, wordOf[edge]!, ends[edge]!, 0, 0, total, total);
        else if (total < next) next = total;
      }
      if (next < Infinity) open.putBack(chain, until, next);
      return;
    }
    for (let edge = from[node]!; edge < end; edge++) {
      const rest = isDistinct ? need & ~masks[edge]! : this.#table.rest(need, masks[edge]!);
      const soFar = weight + weights[edge]!;
      const total = soFar + this.#lightest(ends[edge]!, rest, left);
      if (total <= added || total === Infinity) continue;
      if (total <= until) open.add(chain, wordOf[edge]!, ends[edge]!, rest, left, soFar, total);
      else if (total < next) next = total;
    }
    if (next < Infinity) open.putBack(chain, until, next);
  }

  /** Adds a chain that extends no other, if it can be finished in just as many words as are left. */
  #begin(open: OpenChains, { word, node, need, weight }: Beginning, left: number): void {
    const rest = this.#lightest(node, need, left);
    if (rest < Infinity) open.add(-1, word, node, need, left, weight, weight + rest);
  }

  /** Weight of the lightest `left` words that go on from a node and cover the need. */
  #lightest(node: number, need: number, left: number): number {
    if (left === 0) return need === 0 ? 0 : Infinity;
    if (left === 1) {
      const edge = this.#finisher.first(node, need);
      return edge < 0 ? Infinity : this.#table.weights[edge]!;
    }
    const { dense } = this.#finisher;
    const { bits, from, ends, masks, weights, lightest, fields } = this.#table;
    if (dense !== undefined && fields.length === 0)
      return this.#lightestRest((node << bits) | need, left, dense.firsts);
    this.#known[left] ??= new Map();
    const known = this.#known[left];
    const key = node * 2 ** bits + need;
    const found = known.get(key);
    if (found !== undefined) return found;
    const tailLeast = (left - 1) * lightest;
    const end = from[node + 1]!;
    this.#stopper.step(end - from[node]!);
    let best = Infinity;
    for (let edge = from[node]!; edge < end; edge++) {
      const weight = weights[edge]!;
      if (weight + tailLeast >= best) break;
      const total = weight + this.#lightest(ends[edge]!, this.#table.rest(need, masks[edge]!), left - 1);
      if (total < best) best = total;
    }
    if (known.size < MOST_KNOWN) known.set(key, best);
    return best;
  }

  /** The same for two words and more on boards of distinct letters, from a place of the dense table of last words. */
  #lightestRest(place: number, left: number, firsts: Uint16Array | Uint32Array): number {
    const rests = this.#rests[left];
    const known = rests?.[place] ?? 0;
    if (known > 0) return known;
    this.#useful ??= usefulEdges(this.#table);
    const node = place >>> this.#table.bits;
    this.#stopper.step(this.#useful.from[node + 1]! - this.#useful.from[node]!);
    const best =
      left === 2
        ? this.#joinLast(this.#useful, place, firsts)
        : this.#joinRests(this.#useful, place, left, firsts);
    if (rests !== undefined) rests[place] = best;
    return best;
  }

  #joinRests(
    { from, keys, weights }: UsefulEdges,
    place: number,
    left: number,
    firsts: Uint16Array | Uint32Array,
  ): number {
    const { bits, lightest } = this.#table;
    const node = place >>> bits;
    const needs = place | (-1 << bits);
    const tailLeast = (left - 1) * lightest;
    let best = Infinity;
    for (let at = from[node]!; at < from[node + 1]!; at++) {
      const weight = weights[at]!;
      if (weight + tailLeast >= best) break;
      const total = weight + this.#lightestRest(needs & keys[at]!, left - 1, firsts);
      if (total < best) best = total;
    }
    return best;
  }

  /** The table of last words tells at a glance what is left to weigh. */
  #joinLast({ from, keys, weights }: UsefulEdges, place: number, firsts: Uint16Array | Uint32Array): number {
    const { bits, weights: weightOf, lightest } = this.#table;
    const node = place >>> bits;
    const needs = place | (-1 << bits);
    let best = Infinity;
    for (let at = from[node]!; at < from[node + 1]!; at++) {
      const weight = weights[at]!;
      if (weight + lightest >= best) break;
      const last = firsts[needs & keys[at]!]!;
      if (last !== 0 && weight + weightOf[last - 1]! < best) best = weight + weightOf[last - 1]!;
    }
    return best;
  }
}

/** Of a chain's first word, and where it leaves the chain; `word` is −1 where the words played come first. */
interface Beginning extends State {
  readonly word: number;
  readonly weight: number;
}

/** What is known of chains' rests is kept for this many of them, so that memory stays bounded. */
const MOST_KNOWN = 1_000_000;

/** Edges by node, lightest first, that no lighter one with the same ends covers: the others begin no lightest pair. */
interface UsefulEdges {
  readonly from: Uint32Array;
  /** The node it ends on, shifted past the bits, and the bits that it leaves of any need. */
  readonly keys: Int32Array;
  readonly weights: Float64Array;
}

function usefulEdges({ bits, full, from, ends, masks, weights }: WordTable): UsefulEdges {
  const nodes = from.length - 1;
  const useful = {
    from: new Uint32Array(nodes + 1),
    keys: new Int32Array(masks.length),
    weights: new Float64Array(masks.length),
  };
  let kept = 0;
  // Of the edges kept from a node, by the node they end on: the latest, and for each the one before it.
  const latest = new Int32Array(nodes);
  const before = new Int32Array(masks.length);
  for (let node = 0; node < nodes; node++) {
    latest.fill(-1);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) {
      const end = ends[edge]!;
      const rest = full & ~masks[edge]!;
      let other = latest[end]!;
      while (other >= 0 && (useful.keys[other]! & full & ~rest) !== 0) other = before[other]!;
      if (other >= 0) continue;
      useful.keys[kept] = (end << bits) | rest;
      useful.weights[kept] = weights[edge]!;
      before[kept] = latest[end]!;
      latest[end] = kept++;
    }
    useful.from[node + 1] = kept;
  }
  return useful;
}

const ROOM = 256;

/**
 * A priority queue of chains, whole and unfinished, with the smallest total first: a binary heap over columns of
 * numbers. A chain is known by its number.
 */
class OpenChains {
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
