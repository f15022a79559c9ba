import { popcount } from './bits.ts';
import type { Columns, Nodes } from './columns.ts';
import type { Stopper } from './stopper.ts';
import type { Board } from './types.ts';
import { coveredOf, type Place, type Standing, spotOf, Walks } from './walks.ts';

/** Walks kept of a word, and of all words together: past that, chains are walked letter by letter instead. */
const WALKS_OF_WORD = 64;
const WALKS_IN_ALL = 60_000;
/** States of the words played that chains are continued from; with more, the whole text is walked again. */
const STANDING = 1000;
const QUICK_STANDING = 16;

interface ConfirmerOptions {
  readonly board: Board;
  readonly words: Columns;
  readonly nodes: Nodes;
  /** Words played before the chains that it is asked about. */
  readonly played: readonly string[];
  readonly stopper: Stopper;
}

/**
 * Which chains of words can truly be walked over a board with repeated letters so that they touch every
 * spot. Where words have few walks those are kept and joined; on other boards a chain's text is walked.
 */
export class Confirmer {
  readonly board: Board;
  readonly #words: Columns;
  readonly #nodes: Nodes;
  readonly #walks: Walks;
  readonly #played: string;
  readonly #relations: (Relation | undefined)[] = [];
  readonly #needs = new Map<number, number>();
  readonly #spotsOf: Int32Array;
  #room = WALKS_IN_ALL;
  #isListed: boolean;
  #before: readonly Place[] | undefined;
  #standing: Standing | undefined | 'unknown' = 'unknown';
  #fullest: Standing | undefined;

  constructor({ board, words, nodes, played, stopper }: ConfirmerOptions) {
    this.board = board;
    this.#words = words;
    this.#nodes = nodes;
    this.#walks = new Walks(board, stopper);
    this.#played = textOf(played);
    this.#spotsOf = Int32Array.from(nodes.letters, (letter) =>
      Array.from(board.letters).reduce(
        (spots, other, spot) => (other === letter ? spots | (1 << spot) : spots),
        0,
      ),
    );
    // A side that has a letter twice makes walks that can't be joined: which of its spots came first is not kept.
    this.#isListed = board.sides.every((side) => new Set(side).size === side.length);
    if (this.#isListed && played.length > 0) {
      // Bounded, and done before anything that can be cut.
      const standing = stopper.unstopped(() => this.#walks.stand(this.#played, undefined, STANDING));
      if (standing === undefined || standing.cut) this.#isListed = false;
      else this.#before = prunePlaces(this.#walks.places(standing));
    }
  }

  /** Whether the words' walks are few enough to be kept, so that chains can be joined from them. */
  get isListed(): boolean {
    if (!this.#isListed) return false;
    for (let word = 0; word < this.#words.size && this.#isListed; word++) this.#relationOf(word);
    return this.#isListed;
  }

  /** Where the words played leave a chain; undefined where none were. */
  get before(): readonly Place[] | undefined {
    return this.#before;
  }

  /**
   * Whether words by number, after the words played, touch every spot. Undefined where telling took too long: more than
   * some 10,000 states if `isQuick`, otherwise some millions.
   */
  covers(chain: readonly number[], isQuick = false): boolean | undefined {
    if (this.#isListed) {
      let places = this.#before;
      for (const word of chain) {
        const relation = this.#relationOf(word);
        if (relation === undefined) break;
        places = this.after(places, word);
        if (places.length === 0) return false;
      }
      if (this.#isListed) return places?.some((place) => coveredOf(place) === this.board.full) ?? false;
    }
    const words = chain.map((word) => this.#words.word(word).word);
    if (this.#played === '') return this.#walks.covers(textOf(words), undefined, isQuick);
    const last = this.#played.at(-1)!;
    if (isQuick) {
      // A few of the ways to have played so far: the ones that cover most.
      this.#fullest ??= this.#walks.stand(this.#played, undefined, QUICK_STANDING);
      return this.#fullest && this.#walks.covers(textOf([last, ...words]), this.#fullest, true);
    }
    if (this.#standing === 'unknown') this.#standing = this.#walks.stand(this.#played, undefined, STANDING);
    if (this.#standing === undefined) return false;
    return this.#standing.cut
      ? this.#walks.covers(textOf([this.#played, ...words]))
      : this.#walks.covers(textOf([last, ...words]), this.#standing);
  }

  /** The places that a word leads to from the given ones, without places that another outdoes. Only where walks are listed. */
  after(places: readonly Place[] | undefined, word: number): Place[] {
    const { starts, ends } = this.#relationOf(word)!;
    const reached: Place[] = [];
    for (let at = 0; at < starts.length; at++) {
      const end = ends[at]!;
      if (places === undefined) {
        reached.push(end);
        continue;
      }
      for (let index = 0; index < places.length; index++) {
        const place = places[index]!;
        if (spotOf(place) === starts[at]!)
          reached.push(end - coveredOf(end) + (coveredOf(place) | coveredOf(end)));
      }
    }
    return prunePlaces(reached);
  }

  /** Whether a word from a place, or from anywhere, covers all that is left. Only where walks are listed. */
  finishes(place: Place | undefined, word: number): boolean {
    const { starts, ends } = this.#relationOf(word)!;
    const { full } = this.board;
    const spot = place === undefined ? -1 : spotOf(place);
    const covered = place === undefined ? 0 : coveredOf(place);
    for (let at = 0; at < starts.length; at++)
      if ((spot < 0 || starts[at] === spot) && (covered | coveredOf(ends[at]!)) === full) return true;
    return false;
  }

  /** What a place still needs, letter by letter. */
  needOf(place: Place): number {
    const covered = coveredOf(place);
    const known = this.#needs.get(covered);
    if (known !== undefined) return known;
    let need = 0;
    for (let node = 0; node < this.#spotsOf.length; node++)
      need |= (2 ** popcount(this.#spotsOf[node]! & ~covered) - 1) * this.#nodes.lows[node]!;
    this.#needs.set(covered, need);
    return need;
  }

  #relationOf(word: number): Relation | undefined {
    const known = this.#relations[word];
    if (known !== undefined) return known;
    const starts: number[] = [];
    const ends: Place[] = [];
    const { word: text } = this.#words.word(word);
    for (const beginning of this.#walks.beginnings(text)) {
      const standing = this.#walks.stand(text, beginning, 4 * WALKS_OF_WORD);
      if (standing === undefined) continue;
      for (const place of this.#walks.places(standing)) {
        starts.push(spotOf(this.#walks.places(beginning)[0]!));
        ends.push(place);
      }
      this.#isListed &&= !standing.cut;
    }
    this.#room -= starts.length;
    if (starts.length > WALKS_OF_WORD || this.#room < 0) this.#isListed = false;
    if (!this.#isListed) return undefined;
    const relation = { starts: Uint8Array.from(starts), ends };
    this.#relations[word] = relation;
    return relation;
  }
}

/** Each way to walk a word: the spot it begins on, and the place it leads to. */
interface Relation {
  readonly starts: Uint8Array;
  readonly ends: readonly Place[];
}

/** Words that are played one after the other, the joining letters written once. */
export function textOf(words: readonly string[]): string {
  return words.map((word, at) => (at === 0 ? word : word.slice(1))).join('');
}

/** Without places that cover no more than another one on the same spot; in a fixed order. */
function prunePlaces(places: readonly Place[]): Place[] {
  if (places.length < 2) return [...places];
  const unique = [...new Set(places)];
  const kept = unique.filter((place) => {
    const spot = spotOf(place);
    const covered = coveredOf(place);
    return !unique.some(
      (other) =>
        other !== place && spotOf(other) === spot && (coveredOf(other) | covered) === coveredOf(other),
    );
  });
  return kept.sort((a, b) => a - b);
}
