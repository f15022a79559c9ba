import { popcount } from './bits.ts';
import type { Counting } from './count.ts';
import type { Finisher } from './finish.ts';
import type { Parts } from './parts.ts';
import { Stopped, type Stopper } from './stopper.ts';
import type { Start, WordTable } from './table.ts';
import type { Confirmer, Place } from './walks.ts';

/** Different standings of a level; more would not fit the memory that one search may take. */
const MOST_STANDINGS = 500_000;

/** Chains that may be walked in the same ways, counted together. */
interface Standing {
  readonly places: readonly Place[];
  /** Required words still to come, as bits. */
  readonly required: number;
  count: bigint;
}

/**
 * Counts on boards with repeated letters: a chain of words counts once, however many ways there are to walk
 * it. Where words have few walks, chains are merged by all the places they may stand on; on other boards
 * each chain that has enough of every letter is confirmed by itself.
 */
export class RepeatsCounter implements Counting {
  soFar: number | bigint = 0;
  readonly #parts: Parts;
  readonly #table: WordTable;
  readonly #finisher: Finisher;
  readonly #start: Start;
  readonly #confirmer: Confirmer;
  readonly #stopper: Stopper;
  /** Nodes that a first word may start on. */
  readonly #firstNodes: readonly number[];
  #most: number | undefined;

  constructor(parts: Parts, confirmer: Confirmer, start: Start, firstNodes: readonly number[]) {
    this.#parts = parts;
    this.#table = parts.table;
    this.#finisher = parts.finisher;
    this.#stopper = parts.stopper;
    this.#start = start;
    this.#confirmer = confirmer;
    this.#firstNodes = firstNodes;
  }

  count(words: number): number | bigint {
    if (words === 0)
      return this.#start !== 'anywhere' && this.#confirmer.covers([]) === true ? this.#requiredNone() : 0;
    const count = this.#confirmer.isListed ? this.#countStandings(words) : this.#countTexts(words);
    return count <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count) : count;
  }

  /** Whether there is any chain of this many words: as `count`, but no further than the first. */
  exists(words: number): boolean {
    let isFound = false;
    this.#eachCandidate(words, (chain) => {
      isFound = this.#confirm(chain);
      return isFound;
    });
    return isFound;
  }

  #requiredNone(): number {
    return this.#start !== 'anywhere' && this.#start.some(({ need }) => need === 0) ? 1 : 0;
  }

  #countStandings(words: number): bigint {
    const { wordOf, nodes } = this.#table;
    const spots = nodes.bits;
    const required = this.#table.full & ~(2 ** spots - 1);
    let level: Standing[] = [];
    let total = 0n;
    const { before } = this.#confirmer;
    if (this.#start !== 'anywhere') {
      const open = this.#start.reduce((rest, { need }) => rest & need, required);
      level = before === undefined ? [] : [{ places: before, required: open, count: 1n }];
    }
    for (let after = words - 1; after >= 0; after--) {
      const isFirst = after === words - 1 && this.#start === 'anywhere';
      if (after === 0) {
        if (isFirst) for (const node of this.#firstNodes) total += this.#finishes(undefined, node, required);
        else
          for (const standing of level) {
            total += standing.count * this.#finishes(standing.places, -1, standing.required);
            this.soFar = total;
          }
        return total;
      }
      const next = new Map<string, Standing>();
      const extend = (places: readonly Place[] | undefined, edge: number, open: number, count: bigint) => {
        const reached = this.#confirmer.after(places, wordOf[edge]!);
        const rest = open & ~this.#table.masks[edge]!;
        const useful = reached.filter((place) =>
          this.#mayFinish(this.#table.ends[edge]!, this.#confirmer.needOf(place) | rest, after),
        );
        this.#stopper.step(1 + reached.length);
        if (useful.length === 0) return;
        const key = `${rest} ${useful.join(' ')}`;
        const known = next.get(key);
        if (known !== undefined) known.count += count;
        else {
          if (next.size >= MOST_STANDINGS) throw new Stopped();
          next.set(key, { places: useful, required: rest, count });
        }
      };
      if (isFirst) {
        for (const node of this.#firstNodes)
          this.#eachEdge([this.#table.needOn(node)], node, after, (edge) =>
            extend(undefined, edge, required, 1n),
          );
      } else {
        for (const { places, required: open, count } of level) {
          const needs = places.map((place) => this.#confirmer.needOf(place) | open);
          this.#eachEdge(needs, this.#nodeOf(places[0]!), after, (edge) => extend(places, edge, open, count));
        }
      }
      level = [...next.values()];
    }
    return total;
  }

  /** The edges from a node after which `after` more words may cover what is left of one of the needs. */
  #eachEdge(needs: readonly number[], node: number, after: number, visit: (edge: number) => void): void {
    const { from } = this.#table;
    if (after === 1 && needs.length === 1) {
      this.#stopper.step(this.#parts.lastTwo.each(node, needs[0]!, visit));
      return;
    }
    this.#stopper.step(from[node + 1]! - from[node]!);
    for (let edge = from[node]!; edge < from[node + 1]!; edge++) visit(edge);
  }

  #mayFinish(node: number, need: number, after: number): boolean {
    if (after === 1) return this.#parts.lastTwo.mayCover(node, need) && this.#finisher.first(node, need) >= 0;
    return popcount(need) <= after * this.#mostBits;
  }

  /** How many words finish from some of the places; each counts once. */
  #finishes(places: readonly Place[] | undefined, first: number, required: number): bigint {
    const { wordOf } = this.#table;
    const found = new Set<number>();
    const node = places === undefined ? first : this.#nodeOf(places[0]!);
    const needs =
      places === undefined
        ? [this.#table.needOn(first)]
        : places.map((place) => this.#confirmer.needOf(place) | required);
    for (const [at, need] of needs.entries()) {
      this.#stopper.step(this.#finisher.cost);
      for (const edge of this.#finisher.all(node, need)) {
        const word = wordOf[edge]!;
        if (found.has(word)) continue;
        if (this.#confirmer.finishes(places?.[at], word)) found.add(word);
      }
    }
    return BigInt(found.size);
  }

  #nodeOf(place: Place): number {
    const { nodes } = this.#table;
    return nodes.nodeOf[this.#confirmer.board.letters.charCodeAt(Math.floor(place / 2 ** 26)) - 97]!;
  }

  #countTexts(words: number): bigint {
    let total = 0n;
    this.#eachCandidate(words, (chain) => {
      if (this.#confirm(chain)) this.soFar = ++total;
      return false;
    });
    return total;
  }

  #confirm(chain: readonly number[]): boolean {
    const covers = this.#confirmer.covers(chain);
    // Neither confirmed nor refuted: the answer can only be a bound.
    if (covers === undefined) throw new Stopped();
    return covers;
  }

  /** Chains that hold enough of every letter, by word numbers, until `visit` says that it is enough. */
  #eachCandidate(words: number, visit: (chain: readonly number[]) => boolean): void {
    const { ends, wordOf } = this.#table;
    const chain: number[] = [];
    const goOn = (node: number, need: number, left: number): boolean => {
      if (left === 1) {
        this.#stopper.step(this.#finisher.cost);
        for (const edge of this.#finisher.all(node, need)) {
          this.#stopper.step();
          if (visit([...chain, wordOf[edge]!])) return true;
        }
        return false;
      }
      if (popcount(need) > left * this.#mostBits) return false;
      let isEnough = false;
      const onwards = (edge: number, rest: number) => {
        if (isEnough) return;
        chain.push(wordOf[edge]!);
        isEnough = goOn(ends[edge]!, rest, left - 1);
        chain.pop();
      };
      if (left === 2) this.#stopper.step(this.#parts.lastTwo.each(node, need, onwards));
      else {
        const { from, masks } = this.#table;
        for (let edge = from[node]!; edge < from[node + 1]! && !isEnough; edge++)
          onwards(edge, this.#table.rest(need, masks[edge]!));
      }
      return isEnough;
    };
    const starts =
      this.#start === 'anywhere'
        ? this.#firstNodes.map((node) => ({ node, need: this.#table.needOn(node) }))
        : this.#start;
    for (const { node, need } of starts) if (goOn(node, need, words)) return;
  }

  get #mostBits(): number {
    this.#most ??= this.#table.masks.reduce((most, mask) => Math.max(most, popcount(mask)), 0);
    return this.#most;
  }
}
