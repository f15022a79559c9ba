import { type Start, stepsFrom } from './count.ts';
import type { Finisher } from './finish.ts';
import { OpenChains } from './open-chains.ts';
import { prune, type State } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';
import { weightOf } from './weight.ts';

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
}

/** With repeated letters, all the states that each open chain may stand in; unused on other boards. */
type ManyStates = (readonly State[])[];

/** A twentieth of a likelihood's logarithm: how far beyond its best a chain is gone on from at first. */
const SLICE = weightOf(Math.exp(-0.05), 0);

/** Whole chains of exactly n words, lightest first, found one at a time and only as far as asked. */
export class Ranker {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #repeats: boolean;
  readonly #stopper: Stopper;
  readonly #known: Map<number, number>[] = [];
  /** What two last words weigh, by the place of the dense table; for long chains, which ask again and again. */
  #pairs: Float64Array | undefined;

  constructor(table: WordTable, finisher: Finisher, start: Start, repeats: boolean, stopper: Stopper) {
    this.#table = table;
    this.#finisher = finisher;
    this.#start = start;
    this.#repeats = repeats;
    this.#stopper = stopper;
  }

  /** Chains of equal weight come in alphabetical order. */
  *chains(words: number, oneEach: boolean): Generator<Ranked> {
    const open = new OpenChains();
    const states: ManyStates = [];
    const { dense } = this.#finisher;
    if (words > 3 && dense !== undefined) this.#pairs ??= new Float64Array(dense.firsts.length);
    const { order, weights } = this.#table.words;
    const tailLeast = (words - 1) * this.#table.lightest;
    let opened = 0;
    if (this.#start !== 'anywhere') {
      opened = order.length;
      if (this.#repeats) this.#addStates(open, states, -1, -1, this.#start, words, 0);
      else
        for (const { spot, mask } of this.#start)
          this.#add(open, -1, -1, spot, this.#table.full & ~mask, words, 0);
    }
    const served = new Set<number>();
    for (;;) {
      // First words are opened in order of weight, and only while they could still hold the next answer.
      while (opened < order.length && weights[order[opened]!]! + tailLeast <= open.least) {
        this.#stopper.step();
        this.#addFirst(open, states, order[opened]!, words - 1);
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
        } else if (!oneEach || !served.has(open.spell(chain)[0] ?? -1)) this.#goOn(open, states, chain);
      }
      if (finished.length > 1) finished.sort((a, b) => this.#compare(a, b));
      for (const chain of finished) {
        if (oneEach && served.has(chain[0]!)) continue;
        served.add(chain[0]!);
        yield { weight: least, words: chain };
      }
    }
  }

  /** Words that begin a chain anywhere. */
  #addFirst(open: OpenChains, states: ManyStates, word: number, left: number): void {
    const { full, words } = this.#table;
    const extra = this.#table.extraOf(word);
    const weight = words.weights[word]!;
    const walk = words.from[word]!;
    if (!this.#repeats) {
      this.#add(open, -1, word, words.ends[walk]!, full & ~(words.masks[walk]! | extra), left, weight);
      return;
    }
    const reached: State[] = [];
    for (let at = walk; at < words.from[word + 1]!; at++)
      reached.push({ spot: words.ends[at]!, mask: words.masks[at]! | extra });
    this.#addStates(open, states, -1, word, prune(reached), left, weight);
  }

  #goOn(open: OpenChains, states: ManyStates, chain: number): void {
    const { from, ends, masks, wordOf, weights, words } = this.#table;
    const left = open.left[chain]! - 1;
    const weight = open.weight[chain]!;
    if (this.#repeats) {
      for (const step of stepsFrom(this.#table, states[chain]!))
        this.#addStates(
          open,
          states,
          chain,
          step.word,
          step.states,
          left,
          weight + words.weights[step.word]!,
        );
      return;
    }
    const spot = open.spot[chain]!;
    const need = open.need[chain]!;
    const end = from[spot + 1]!;
    this.#stopper.step(end - from[spot]!);
    // Most chains are asked for their best ways on only: the others are added if the chain's turn comes again.
    const added = open.added[chain]!;
    const until = added === 0 ? open.total[chain]! + SLICE : Infinity;
    let next = Infinity;
    for (let edge = from[spot]!; edge < end; edge++) {
      const rest = need & ~masks[edge]!;
      if (left === 0 && rest !== 0) continue;
      const soFar = weight + weights[edge]!;
      const total = soFar + this.#lightest(ends[edge]!, rest, left);
      if (total <= added || total === Infinity) continue;
      if (total <= until) open.add(chain, wordOf[edge]!, ends[edge]!, rest, left, soFar, total);
      else next = Math.min(next, total);
    }
    if (next < Infinity) open.again(chain, until, next);
  }

  /** Adds a chain if it can be finished in just as many words as are left. */
  #add(
    open: OpenChains,
    before: number,
    word: number,
    spot: number,
    need: number,
    left: number,
    weight: number,
  ): void {
    const rest = this.#lightest(spot, need, left);
    if (rest < Infinity) open.add(before, word, spot, need, left, weight, weight + rest);
  }

  #addStates(
    open: OpenChains,
    states: ManyStates,
    before: number,
    word: number,
    reached: readonly State[],
    left: number,
    weight: number,
  ): void {
    let rest = Infinity;
    for (const { spot, mask } of reached)
      rest = Math.min(rest, this.#lightest(spot, this.#table.full & ~mask, left));
    if (rest < Infinity) states[open.add(before, word, 0, 0, left, weight, weight + rest)] = reached;
  }

  /** Weight of the lightest `left` words that go on from a spot and cover the need. */
  #lightest(spot: number, need: number, left: number): number {
    if (left === 0) return need === 0 ? 0 : Infinity;
    if (left === 1) {
      const edge = this.#finisher.first(spot, need);
      return edge < 0 ? Infinity : this.#table.weights[edge]!;
    }
    const { dense } = this.#finisher;
    if (left === 2 && dense !== undefined) return this.#lightestPair(spot, need, dense.firsts);
    const { bits, from, ends, masks, weights, lightest } = this.#table;
    this.#known[left] ??= new Map();
    const known = this.#known[left];
    const key = spot * 2 ** bits + need;
    const found = known.get(key);
    if (found !== undefined) return found;
    const tailLeast = (left - 1) * lightest;
    const end = from[spot + 1]!;
    this.#stopper.step(end - from[spot]!);
    let best = Infinity;
    for (let edge = from[spot]!; edge < end; edge++) {
      const weight = weights[edge]!;
      if (weight + tailLeast >= best) break;
      best = Math.min(best, weight + this.#lightest(ends[edge]!, need & ~masks[edge]!, left - 1));
    }
    known.set(key, best);
    return best;
  }

  /** The same for two words, where the table of last words tells at a glance what is left to weigh. */
  #lightestPair(spot: number, need: number, firsts: Uint16Array | Uint32Array): number {
    const { bits, from, ends, masks, weights, lightest } = this.#table;
    const place = (spot << bits) | need;
    const known = this.#pairs?.[place] ?? 0;
    if (known > 0) return known;
    const end = from[spot + 1]!;
    this.#stopper.step(end - from[spot]!);
    let best = Infinity;
    for (let edge = from[spot]!; edge < end; edge++) {
      const weight = weights[edge]!;
      if (weight + lightest >= best) break;
      const last = firsts[(ends[edge]! << bits) | (need & ~masks[edge]!)]!;
      if (last !== 0) best = Math.min(best, weight + weights[last - 1]!);
    }
    if (this.#pairs !== undefined) this.#pairs[place] = best;
    return best;
  }

  #compare(a: readonly number[], b: readonly number[]): number {
    const { words } = this.#table;
    for (let index = 0; index < a.length; index++) {
      if (a[index] !== b[index]) return words.word(a[index]!).word < words.word(b[index]!).word ? -1 : 1;
    }
    return 0;
  }
}
