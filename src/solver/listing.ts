import type { Ranked } from './batch.ts';
import { BestChains, type Ranking } from './best-chains.ts';
import { collectTriples } from './collect.ts';
import type { Guard } from './guard.ts';
import type { Parts } from './parts.ts';
import type { QuickChains } from './quick.ts';
import { Ranker } from './rank.ts';
import { SortedPairs } from './sorted-pairs.ts';

export interface Listing {
  /** Only solutions with exactly this many words. */
  readonly exactly?: number;
  /** At most one solution, the best, for each first word. */
  readonly oneEach?: boolean;
  /** Only solutions whose first word begins with this letter. */
  readonly startLetter?: string;
}

/** On large boards, chains of three words are collected and sorted as long as there are not more. */
const MOST_COLLECTED = 100_000;

/** Up to this many words, chains are found in batches. */
const IN_BATCHES = 3;

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

  /** Ends where it is stopped. What of it was found without being certain to be the best says so. */
  chains(words: number, listing: Listing): Iterable<Ranked> {
    const chains = this.#listed(words, listing) ?? this.#searched(words, listing);
    return listing.startLetter === undefined ? chains : this.#beginningWith(listing.startLetter, chains);
  }

  /** Where all of a length are known at once. */
  #listed(words: number, { startLetter }: Listing): Iterable<Ranked> | undefined {
    if (words === 2) return this.#sortedPairs(startLetter);
    if (this.#parts.isSmall || words < 3) return undefined;
    if (words > 3) return this.#quickest(words);
    const collected = this.#guard.run('the list of solutions', () => this.#collected());
    return collected === 'many' ? undefined : collected;
  }

  *#searched(words: number, { oneEach = false, startLetter }: Listing): Generator<Ranked> {
    const { confirmer, nodes } = this.#parts;
    const ranking: Ranking = {
      oneEach,
      ...(startLetter !== undefined && { firstNode: nodes.letters.indexOf(startLetter) }),
      ...(confirmer !== undefined && { isRight: (chain) => this.#parts.isRight(chain) }),
    };
    const source = words > IN_BATCHES ? this.#oneByOne(words, ranking) : this.#best.batches(words, ranking);
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

  *#oneByOne(words: number, ranking: Ranking): Generator<readonly Ranked[]> {
    for (const chain of new Ranker(this.#parts, ranking).chains(words)) yield [chain];
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
  #sortedPairs(startLetter?: string): Iterable<Ranked> | undefined {
    const { joined, nodes, table } = this.#parts;
    if (joined === undefined || joined.size > joined.firsts.length) return undefined;
    this.#pairs ??= new SortedPairs(joined, table);
    return startLetter === undefined
      ? this.#pairs
      : this.#pairs.beginningOn(nodes.letters.indexOf(startLetter));
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
