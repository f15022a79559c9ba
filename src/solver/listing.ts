import { BestChains, compareWords, type Ranked, type Ranking } from './best-chains.ts';
import { sortNumbers } from './bits.ts';
import type { Guard, Parts } from './parts.ts';
import type { QuickChains } from './quick.ts';
import type { WordTable } from './table.ts';
import type { JoinedPairs } from './two-words.ts';

export interface Listing {
  /** Only solutions with exactly this many words. */
  readonly exactly?: number;
  /** At most one solution, the best, for each first word. */
  readonly oneEach?: boolean;
  /** Only solutions whose first word begins with this letter. */
  readonly startLetter?: string;
}

/** On large boards, chains of three words are collected and sorted if there are no more than this. */
const MOST_COLLECTED = 100_000;

/** Lists the solutions of one length, the lightest first. */
export class Lists {
  readonly #parts: Parts;
  readonly #guard: Guard;
  readonly #quick: QuickChains;
  readonly #best: BestChains;
  #pairs: SortedPairs | undefined;
  #triples: readonly Ranked[] | undefined | 'many';
  #wasCut = false;

  constructor(parts: Parts, guard: Guard, quick: QuickChains) {
    this.#parts = parts;
    this.#guard = guard;
    this.#quick = quick;
    this.#best = new BestChains(parts);
  }

  /** Whether a list was stopped before its end, so that it may lack some. */
  get wasCut(): boolean {
    return this.#wasCut;
  }

  /** Ends where it is stopped. Chains that are not certain to be the best say so. */
  chains(words: number, listing: Listing): Iterable<Ranked> {
    const chains = this.#listed(words) ?? this.#searched(words, listing);
    return listing.startLetter === undefined ? chains : this.#beginningWith(listing.startLetter, chains);
  }

  /** Where all of a length are known at once. */
  #listed(words: number): Iterable<Ranked> | undefined {
    if (words === 2) return this.#sortedPairs();
    if (this.#parts.isSmall || words < 3) return undefined;
    if (words > 3) return this.#quickest(words);
    const collected = this.#guard.run('the list of solutions', () => this.#collected());
    return collected === 'many' ? undefined : collected;
  }

  *#searched(words: number, { oneEach = false, startLetter }: Listing): Generator<Ranked> {
    const { confirmer, nodes } = this.#parts;
    const ranking: Ranking = {
      oneEach,
      firstNode: startLetter === undefined ? undefined : nodes.letters.indexOf(startLetter),
      isRight: confirmer && ((chain) => this.#parts.isRight(chain)),
    };
    const source = this.#best.batches(words, ranking);
    const next = () => source.next();
    for (let isEmpty = true; ; isEmpty = false) {
      const result = this.#parts.isFirst(words)
        ? this.#guard.always('the list of solutions', next)
        : this.#guard.run('the list of solutions', next);
      if (result === undefined) {
        this.#wasCut = true;
        if (isEmpty) yield* this.#quickest(words);
        return;
      }
      if (result.done) return;
      yield* result.value;
    }
  }

  *#beginningWith(letter: string, chains: Iterable<Ranked>): Generator<Ranked> {
    const { start, nodes, columns } = this.#parts;
    for (const chain of chains) {
      const [first] = chain.words;
      const isOn = first !== undefined && nodes.letters[columns.starts[first]!] === letter;
      if (start !== 'anywhere' || isOn) yield chain;
    }
  }

  /** All of two words, where they were joined and are not too many to sort. */
  #sortedPairs(): Iterable<Ranked> | undefined {
    const { joined, table } = this.#parts;
    if (joined === undefined || joined.size > joined.firsts.length) return undefined;
    this.#pairs ??= new SortedPairs(joined, table);
    return this.#pairs;
  }

  /** All of three words on a large board, unless there are too many. */
  #collected(): readonly Ranked[] | 'many' {
    this.#triples ??= collectTriples(this.#parts, MOST_COLLECTED) ?? 'many';
    return this.#triples;
  }

  /** The best found, where looking for the best of all takes too long. */
  #quickest(words: number): readonly Ranked[] {
    const { weights } = this.#parts.columns;
    const found = this.#quick.chains();
    const chains = found[0]?.length === words ? found : this.#quick.chains(words);
    return chains.map((chain) => ({
      words: chain,
      weight: chain.reduce((weight, word) => weight + weights[word]!, 0),
      bestFound: true,
    }));
  }
}

/** Streams in order of weight, as one. */
export function* merge(streams: readonly Iterable<Ranked>[]): Generator<Ranked> {
  const heads = streams.map((each) => {
    const stream = each[Symbol.iterator]();
    return { stream, head: stream.next() };
  });
  for (;;) {
    let lightest: (typeof heads)[number] | undefined;
    for (const candidate of heads) {
      if (candidate.head.done) continue;
      if (lightest === undefined || candidate.head.value.weight < lightest.head.value.weight)
        lightest = candidate;
    }
    if (lightest === undefined) return;
    yield lightest.head.value;
    lightest.head = lightest.stream.next();
  }
}

/** Bits of a pair's place in alphabetical order; there are no more pairs in a list. */
const PLACE_BITS = 18;
const PLACES = 2 ** PLACE_BITS;
/** Bits of the weight of two words. */
const WEIGHT_BITS = 35;

/**
 * All two-word chains of a small board, lightest first, chains of equal weight in alphabetical order. Only plain numbers
 * are sorted.
 */
class SortedPairs {
  readonly #table: WordTable;
  /** The words of each pair, in alphabetical order: word numbers are in that order, and both make one number. */
  readonly #spelled: Float64Array;
  /** The weight and the place of each pair, lightest first. */
  readonly #keys: Float64Array;

  constructor({ firsts, seconds }: JoinedPairs, table: WordTable) {
    const { words, wordOf } = table;
    const { size, weights } = words;
    const spelled = new Float64Array(firsts.length);
    for (let pair = 0; pair < spelled.length; pair++)
      spelled[pair] = wordOf[firsts[pair]!]! * size + wordOf[seconds[pair]!]!;
    this.#table = table;
    this.#spelled = sortNumbers(spelled, 0, Math.ceil(2 * Math.log2(size + 1)));
    const keys = new Float64Array(firsts.length);
    for (let place = 0; place < keys.length; place++) {
      const pair = this.#spelled[place]!;
      const first = Math.floor(pair / size);
      keys[place] = (weights[first]! + weights[pair - first * size]!) * PLACES + place;
    }
    this.#keys = sortNumbers(keys, PLACE_BITS, PLACE_BITS + WEIGHT_BITS);
  }

  /** Not a generator, which takes several times as long for lists of ten thousands. */
  [Symbol.iterator](): Iterator<Ranked> {
    const keys = this.#keys;
    const spelled = this.#spelled;
    const { size } = this.#table.words;
    let at = 0;
    return {
      next() {
        if (at === keys.length) return { done: true, value: undefined };
        const key = keys[at++]!;
        const weight = Math.floor(key / PLACES);
        const pair = spelled[key - weight * PLACES]!;
        const first = Math.floor(pair / size);
        return { done: false, value: { weight, words: [first, pair - first * size] } };
      },
    };
  }
}

/**
 * All chains of three words, the lightest first, chains of equal weight in alphabetical order; undefined if there are
 * more than `most`. For large boards, where few chains cover everything, and looking for the lightest one would look
 * through all of them anyway.
 */
function collectTriples(parts: Parts, most: number): Ranked[] | undefined {
  const { table, finisher, lastTwo, start, stopper } = parts;
  const { from, ends, masks, wordOf, weights } = table;
  const found: Ranked[] = [];
  const starts =
    start === 'anywhere'
      ? Array.from(table.nodes.letters, (_, node) => ({ node, need: table.needOn(node) }))
      : start;
  for (const { node, need } of starts) {
    for (let first = from[node]!; first < from[node + 1]!; first++) {
      const looked = lastTwo.each(ends[first]!, table.rest(need, masks[first]!), (second, rest) => {
        for (const last of finisher.all(ends[second]!, rest)) {
          const words = [wordOf[first]!, wordOf[second]!, wordOf[last]!];
          if (found.length <= most && parts.isRight(words))
            found.push({ words, weight: weights[first]! + weights[second]! + weights[last]! });
        }
      });
      stopper.step(looked);
      if (found.length > most) return undefined;
    }
  }
  return found.sort((a, b) => a.weight - b.weight || compareWords(a.words, b.words));
}
