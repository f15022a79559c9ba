import { groupBy } from './group.ts';
import { Stopped } from './stopper.ts';
import type { WordTable } from './table.ts';

/** Chains of as many words, those that stand alike counted together. */
export interface Level {
  readonly words: number;
  readonly nodes: ArrayLike<number>;
  readonly needs: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** Chains of one word that begin anywhere, on small boards: node by node, with one small table for all of them. */
export function firstLevel({ bits, full, from, ends, masks }: WordTable): Level {
  const size = masks.length;
  const nodes = new Uint8Array(size);
  const needs = new Int32Array(size);
  const counts = new Float64Array(size);
  const places = new Uint32Array(1 << bits);
  const { from: intoFrom, items: into } = groupBy(ends, from.length - 1);
  let found = 0;
  for (let node = 0; node < from.length - 1; node++) {
    const first = found;
    for (let at = intoFrom[node]!; at < intoFrom[node + 1]!; at++) {
      const need = full & ~masks[into[at]!]!;
      const place = places[need]!;
      if (place > first) counts[place - 1]!++;
      else {
        nodes[found] = node;
        needs[found] = need;
        counts[found] = 1;
        places[need] = ++found;
      }
    }
  }
  return {
    words: 1,
    nodes: nodes.subarray(0, found),
    needs: needs.subarray(0, found),
    counts: counts.subarray(0, found),
  };
}

/** Up to this many places, the place of a state in a level is looked up in a table. */
const DENSE_PLACES = 2 ** 18;
/** A level of more states than this does not fit the memory that one search may take. */
const MOST_STATES = 4_000_000;
/** A level that takes more steps than this would end like that, or take many seconds. */
const MOST_STEPS = 100_000_000;

/** Ends the count before it begins with a level that is too large. */
export function checkLevel(states: number, edges: number, nodes: number): void {
  if ((states * edges) / nodes > MOST_STEPS) throw new Stopped();
}

export class MergedLevel implements Level {
  readonly words: number;
  readonly nodes: number[] = [];
  readonly needs: number[] = [];
  readonly counts: number[] = [];
  readonly #room: number;
  /** By state, its place in the level plus one. */
  readonly #places: Uint16Array | Uint32Array | Map<number, number>;

  constructor(words: number, bits: number, nodes: number) {
    this.words = words;
    this.#room = 2 ** bits;
    const places = nodes * this.#room;
    if (places < 2 ** 16) this.#places = new Uint16Array(places);
    else this.#places = places <= DENSE_PLACES ? new Uint32Array(places) : new Map();
  }

  add(node: number, need: number, count: number): void {
    const key = node * this.#room + need;
    const places = this.#places;
    const place = places instanceof Map ? (places.get(key) ?? 0) : places[key]!;
    if (place > 0) {
      this.counts[place - 1]! += count;
      return;
    }
    if (this.counts.length >= MOST_STATES) throw new Stopped();
    this.nodes.push(node);
    this.needs.push(need);
    const added = this.counts.push(count);
    if (places instanceof Map) places.set(key, added);
    else places[key] = added;
  }
}
