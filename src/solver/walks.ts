import { lowest, popcount } from './bits.ts';
import type { Stopper } from './stopper.ts';
import type { Nodes } from './table.ts';
import type { Board, Columns, Walk } from './types.ts';

/** States kept for each letter at first: nearly every text that can be walked is found with so few. */
const NARROW = [4, 48] as const;
/**
 * States kept where so few have found no way, which is the bound on the work: this many for each letter of
 * the text. A text that outgrows it is neither confirmed nor refuted.
 */
const WIDE = 60_000;
/** What a letter costs beside its states. */
const STEPS_OF_LETTER = 16;
/** Up to this many states, a state that covers less than another is taken out. */
const COMPARED = 64;

/** The spots of one letter on one side. It never matters which of them is touched first. */
interface Group {
  readonly side: number;
  readonly bits: number;
}

/** A spot of the board stood on and the spots covered, as one number. */
export type Place = number;
const MASK_ROOM = 2 ** 26;
export const spotOf = (place: Place): number => Math.floor(place / MASK_ROOM);
export const coveredOf = (place: Place): number => place % MASK_ROOM;

/** All the ways to have walked a text so far: by the group of its last letter, what may have been covered. */
export interface Standing {
  readonly groups: readonly number[];
  /** Of each group, in the same order. */
  readonly masks: readonly (readonly number[])[];
  /** The group that each of those ways began on. */
  readonly origins: readonly (readonly number[])[];
  /** Set when there were more ways than were kept. */
  readonly cut: boolean;
}

/**
 * Which spots a text can touch when it is walked over a board with repeated letters. Words that are joined
 * are one text, the joining letters written once. The ways are states (last spot, spots covered), each kept
 * once; spots of one letter on one side are interchangeable.
 */
export class Walks {
  readonly #groups: Group[] = [];
  readonly #groupsOf: number[][] = Array.from({ length: 26 }, () => []);
  readonly #spotsOf = new Int32Array(26);
  readonly #full: number;
  readonly #stopper: Stopper | undefined;

  constructor(board: Board, stopper?: Stopper) {
    this.#full = board.full;
    this.#stopper = stopper;
    /** By letter and side, the group. */
    const groupAt = new Map<number, number>();
    for (let spot = 0; spot < board.letters.length; spot++) {
      const code = board.letters.charCodeAt(spot) - 97;
      const side = board.sideOf[spot]!;
      const bit = 1 << spot;
      this.#spotsOf[code]! |= bit;
      const known = groupAt.get(32 * side + code);
      if (known !== undefined) this.#groups[known] = { side, bits: this.#groups[known]!.bits | bit };
      else {
        groupAt.set(32 * side + code, this.#groups.length);
        this.#groupsOf[code]!.push(this.#groups.length);
        this.#groups.push({ side, bits: bit });
      }
    }
  }

  /**
   * Whether the text can be walked so that it touches every spot; undefined where that took too many states.
   *
   * @param from where the text goes on from, its first letter being the last of what was walked before
   * @param isQuick to be content with the few states that nearly always suffice
   */
  covers(text: string, from?: Standing, isQuick = false): boolean | undefined {
    for (const most of NARROW) {
      const covers = this.#covers(text, from, most);
      if (covers !== undefined) return covers;
    }
    return isQuick ? undefined : this.#covers(text, from, WIDE);
  }

  /** All ways to walk a text, further from a standing; its first letter is then the one stood on. */
  stand(text: string, from?: Standing, most = WIDE): Standing | undefined {
    let standing = from;
    for (let at = from === undefined ? 0 : 1; at < text.length; at++) {
      standing = this.#step(standing, text.charCodeAt(at) - 97, most, -1);
      if (standing === undefined) return undefined;
    }
    return standing;
  }

  /** A standing for each group that a text may begin on. */
  beginnings(text: string): Standing[] {
    const groups = this.#groupsOf[text.charCodeAt(0) - 97] ?? [];
    return groups.map((group) => {
      const { bits } = this.#groups[group]!;
      return { groups: [group], masks: [[bits & -bits]], origins: [[group]], cut: false };
    });
  }

  /** The same as places; only where no side has a letter twice. */
  places({ groups, masks }: Standing): Place[] {
    return groups.flatMap((group, at) => {
      const spot = lowest(this.#groups[group]!.bits);
      return masks[at]!.map((mask) => spot * MASK_ROOM + mask);
    });
  }

  /** The way that covers most. */
  fullest({ groups, masks, origins }: Standing): Walk {
    let best = 0;
    let walk: Walk | undefined;
    groups.forEach((group, at) => {
      masks[at]!.forEach((mask, index) => {
        if (walk !== undefined && popcount(mask) <= best) return;
        best = popcount(mask);
        const start = lowest(this.#groups[origins[at]![index]!]!.bits);
        walk = { start, end: lowest(this.#groups[group]!.bits), mask };
      });
    });
    return walk!;
  }

  #covers(text: string, from: Standing | undefined, most: number): boolean | undefined {
    const left = new Uint16Array(26);
    for (let at = 0; at < text.length; at++) left[text.charCodeAt(at) - 97]!++;
    let standing = from;
    let cut = from?.cut ?? false;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at) - 97;
      left[letter]!--;
      if (at === 0 && from !== undefined) continue;
      standing = this.#step(standing, letter, most, left[letter]!);
      if (standing === undefined) return cut ? undefined : false;
      cut ||= standing.cut;
    }
    if (standing?.masks.some((masks) => masks.includes(this.#full))) return true;
    return cut ? undefined : false;
  }

  /**
   * One letter further. A way that touches nothing new is given up if the text does not have enough of the
   * letter left (−1 where that is not known).
   */
  #step(from: Standing | undefined, letter: number, most: number, left: number): Standing | undefined {
    const groups: number[] = [];
    const masks: number[][] = [];
    const origins: number[][] = [];
    const spots = this.#spotsOf[letter]!;
    const seen: Set<number>[] = [];
    let total = 0;
    this.#stopper?.step(STEPS_OF_LETTER);
    const keep = (group: number, covered: number, origin: number) => {
      let place = groups.indexOf(group);
      if (place < 0) {
        place = groups.length;
        groups.push(group);
        masks.push([]);
        origins.push([]);
        seen.push(new Set());
      }
      if (seen[place]!.has(covered)) return;
      seen[place]!.add(covered);
      masks[place]!.push(covered);
      origins[place]!.push(origin);
      total++;
    };
    for (const to of this.#groupsOf[letter]!) {
      const { side, bits } = this.#groups[to]!;
      if (from === undefined) {
        keep(to, bits & -bits, to);
        continue;
      }
      for (let at = 0; at < from.groups.length; at++) {
        if (this.#groups[from.groups[at]!]!.side === side) continue;
        const list = from.masks[at]!;
        this.#stopper?.step(list.length);
        for (let index = 0; index < list.length; index++) {
          const mask = list[index]!;
          const free = bits & ~mask;
          if (free === 0 && left >= 0 && popcount(spots & ~mask) > left) continue;
          keep(to, free === 0 ? mask : mask | (free & -free), from.origins[at]![index]!);
        }
      }
    }
    if (total === 0) return undefined;
    total = keepBest(masks, origins);
    if (total <= COMPARED) prune(masks, origins);
    const cut = total > most;
    if (cut) keepFullest(masks, origins, most);
    return { groups, masks, origins, cut: cut || (from?.cut ?? false) };
  }
}

/** Where one way covers all that any other on the same spot does, only that one is kept; returns how many are left. */
function keepBest(masks: number[][], origins: number[][]): number {
  let total = 0;
  for (let at = 0; at < masks.length; at++) {
    let all = 0;
    for (const mask of masks[at]!) all |= mask;
    const best = masks[at]!.indexOf(all);
    if (best >= 0) {
      masks[at] = [all];
      origins[at] = [origins[at]![best]!];
    }
    total += masks[at]!.length;
  }
  return total;
}

/** Takes out what covers no more than another way that stands on the same spot. */
function prune(masks: number[][], origins: number[][]): void {
  for (let at = 0; at < masks.length; at++) {
    const list = masks[at]!;
    if (list.length < 2) continue;
    const isKept = list.map((mask) => !list.some((other) => other !== mask && (other | mask) === other));
    masks[at] = list.filter((_, index) => isKept[index]);
    origins[at] = origins[at]!.filter((_, index) => isKept[index]);
  }
}

/** Keeps about as many as are wanted: the ones that cover most. */
function keepFullest(masks: number[][], origins: number[][], most: number): void {
  const covering = new Uint32Array(33);
  for (const list of masks) for (const mask of list) covering[popcount(mask)]!++;
  let least = 32;
  let room = most;
  while (least > 0 && room >= covering[least]!) room -= covering[least--]!;
  for (let at = 0; at < masks.length; at++) {
    const list = masks[at]!;
    const isKept = list.map((mask) => {
      const covered = popcount(mask);
      return covered > least || (covered === least && room-- > 0);
    });
    masks[at] = list.filter((_, index) => isKept[index]);
    origins[at] = origins[at]!.filter((_, index) => isKept[index]);
  }
}

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
