import { type Start, stepsFrom } from './count.ts';
import type { Finisher } from './finish.ts';
import { Heap } from './heap.ts';
import type { State } from './state.ts';
import type { Stopper } from './stopper.ts';
import type { WordTable } from './table.ts';

/** A whole chain, by word numbers, and what it weighs. */
export interface Ranked {
  readonly weight: number;
  readonly words: readonly number[];
}

interface Chain {
  readonly before: Chain | undefined;
  readonly word: number;
  /** Of the chain's first word, for "one each". */
  readonly firstWord: number;
  readonly states: readonly State[];
  readonly weight: number;
  /** Weight of the lightest whole chain that begins like this: never a guess, so nothing is opened in vain. */
  readonly total: number;
  readonly left: number;
}

/** Whole chains of exactly n words, lightest first, found one at a time and only as far as asked. */
export class Ranker {
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #repeats: boolean;
  readonly #stopper: Stopper;
  readonly #known: Map<number, number>[] = [];

  constructor(table: WordTable, finisher: Finisher, start: Start, repeats: boolean, stopper: Stopper) {
    this.#table = table;
    this.#finisher = finisher;
    this.#start = start;
    this.#repeats = repeats;
    this.#stopper = stopper;
  }

  /** Chains of equal weight come in alphabetical order. */
  *chains(words: number, oneEach: boolean): Generator<Ranked> {
    const heap = new Heap<Chain>((chain) => chain.total);
    const first = this.#firstWords();
    const lightestAt = (index: number) => first.weightAt(index) + tailLeast;
    const served = new Set<number>();
    const tailLeast = (words - 1) * this.#table.lightest;
    let opened = 0;
    for (;;) {
      // First words are opened in order of weight, and only while they could still hold the next answer.
      while (opened < first.count && lightestAt(opened) <= (heap.peek()?.total ?? Infinity)) {
        this.#push(heap, undefined, first.stepAt(opened), words - 1);
        opened++;
      }
      const next = heap.peek();
      if (next === undefined) return;
      const finished: Ranked[] = [];
      while (heap.peek()?.total === next.total) {
        const chain = heap.pop()!;
        if (oneEach && served.has(chain.firstWord)) continue;
        if (chain.left === 0) finished.push({ weight: chain.weight, words: spell(chain) });
        else for (const step of this.#stepsFrom(chain.states)) this.#push(heap, chain, step, chain.left - 1);
      }
      finished.sort((a, b) => this.#compare(a.words, b.words));
      for (const ranked of finished) {
        if (oneEach && served.has(ranked.words[0]!)) continue;
        served.add(ranked.words[0]!);
        yield ranked;
      }
    }
  }

  #push(heap: Heap<Chain>, before: Chain | undefined, step: WeighedStep, left: number): void {
    this.#stopper.step();
    const rest = this.#lightestFrom(step.states, left);
    if (rest === Infinity) return;
    const weight = (before?.weight ?? 0) + step.weight;
    heap.push({
      before,
      word: step.word,
      firstWord: before?.firstWord ?? step.word,
      states: step.states,
      weight,
      total: weight + rest,
      left,
    });
  }

  /** First words in order of weight, each made a step only when it is opened: most never are. */
  #firstWords(): FirstWords {
    const table = this.#table;
    if (this.#start !== 'anywhere') {
      const steps = this.#stepsFrom(this.#start).sort((a, b) => a.weight - b.weight);
      return {
        count: steps.length,
        weightAt: (index) => steps[index]!.weight,
        stepAt: (index) => steps[index]!,
      };
    }
    const weightAt = (index: number) => table.weights[table.order[index]!]!;
    return {
      count: table.order.length,
      weightAt,
      stepAt: (index) => {
        const word = table.order[index]!;
        const extra = table.extraOf(word);
        const states = table.words[word]!.walks.map(({ end, mask }) => ({ spot: end, mask: mask | extra }));
        return { word, weight: weightAt(index), states };
      },
    };
  }

  #stepsFrom(states: readonly State[]): WeighedStep[] {
    const { weights, from, ends, masks, wordOf } = this.#table;
    if (this.#repeats || states.length !== 1) {
      return stepsFrom(this.#table, states).map((step) => ({ ...step, weight: weights[step.word]! }));
    }
    const { spot, mask } = states[0]!;
    const steps: WeighedStep[] = [];
    for (let edge = from[spot]!; edge < from[spot + 1]!; edge++) {
      const word = wordOf[edge]!;
      steps.push({
        word,
        weight: weights[word]!,
        states: [{ spot: ends[edge]!, mask: mask | masks[edge]! }],
      });
    }
    return steps;
  }

  /** Weight of the lightest `left` words that finish from any of these states. */
  #lightestFrom(states: readonly State[], left: number): number {
    let best = Infinity;
    for (const { spot, mask } of states)
      best = Math.min(best, this.#lightest(spot, this.#table.full & ~mask, left));
    return best;
  }

  #lightest(spot: number, need: number, left: number): number {
    const { bits, from, ends, masks, weights, wordOf, lightest } = this.#table;
    if (left === 0) return need === 0 ? 0 : Infinity;
    if (left === 1) {
      const edge = this.#finisher.first(spot, need);
      return edge < 0 ? Infinity : weights[wordOf[edge]!]!;
    }
    this.#known[left] ??= new Map();
    const known = this.#known[left];
    const key = spot * 2 ** bits + need;
    const found = known.get(key);
    if (found !== undefined) return found;
    const tailLeast = (left - 1) * lightest;
    // Before the last word but one, the table of last words tells at a glance what is left to weigh.
    const firsts = left === 2 ? this.#finisher.dense?.firsts : undefined;
    const end = from[spot + 1]!;
    this.#stopper.step(end - from[spot]!);
    let best = Infinity;
    for (let edge = from[spot]!; edge < end; edge++) {
      const rest = need & ~masks[edge]!;
      const weight = weights[wordOf[edge]!]!;
      if (weight + tailLeast >= best) break;
      if (firsts === undefined) {
        best = Math.min(best, weight + this.#lightest(ends[edge]!, rest, left - 1));
        continue;
      }
      const last = firsts[(ends[edge]! << bits) | rest]!;
      if (last !== 0) best = Math.min(best, weight + weights[wordOf[last - 1]!]!);
    }
    known.set(key, best);
    return best;
  }

  #compare(a: readonly number[], b: readonly number[]): number {
    for (let index = 0; index < a.length; index++) {
      if (a[index] === b[index]) continue;
      return this.#table.words[a[index]!]!.word < this.#table.words[b[index]!]!.word ? -1 : 1;
    }
    return 0;
  }
}

interface FirstWords {
  readonly count: number;
  weightAt(index: number): number;
  stepAt(index: number): WeighedStep;
}

interface WeighedStep {
  readonly word: number;
  readonly weight: number;
  readonly states: readonly State[];
}

function spell(chain: Chain): number[] {
  const words: number[] = [];
  for (let at: Chain | undefined = chain; at !== undefined; at = at.before) words.push(at.word);
  return words.reverse();
}
