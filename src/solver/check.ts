import { lowest, popcount } from './bits.ts';
import { walkWord } from './playable.ts';
import { makeSearch, type Search } from './search.ts';
import { prune, type State } from './state.ts';
import type { Board } from './types.ts';

/** In the order they are looked for: a word is told its first. */
export const BROKEN_RULES = [
  'unknown-letter',
  'same-side',
  'too-short',
  'does-not-chain',
  'not-a-word',
] as const;
export type BrokenRule = (typeof BROKEN_RULES)[number];

export interface Broken {
  readonly rule: BrokenRule;
  /** Where in the word, counted in characters from 0; for `too-short`, where the next letter should be. */
  readonly position: number;
  /** The character there; empty for `too-short`. */
  readonly letter: string;
  /** For `does-not-chain`: the letter the word has to begin with. */
  readonly expected?: string;
}

export interface CheckedWord {
  /** As it was given. */
  readonly word: string;
  readonly broken?: Broken;
}

export interface CheckResult {
  readonly words: readonly CheckedWord[];
  /** A bit for each spot covered by the words before the first broken one. */
  readonly covered: number;
  /** Letters of the spots still to cover, in the order of the board. */
  readonly left: readonly string[];
  /** Every word is right and every spot is covered. */
  readonly solved: boolean;
  /** How many more words could finish after the words before the first broken one; undefined if none can. */
  readonly fewestMore: number | undefined;
  /** Set when `fewestMore` was not found in time: where the search was cut. */
  readonly cut: string | undefined;
}

const SHORTEST = 3;
const PLAIN_LETTER = /^[a-z]$/i;

/**
 * Judges words in the order they were played. `search` is one of the whole board; `isWord` says what the
 * game takes. Words after a broken one are judged too, as if it had been played, but cover nothing.
 *
 * @example checkWords(board, ['unform', 'mobilization'], search, (word) => lexicon.find(word) !== undefined).solved // true
 */
export function checkWords(
  board: Board,
  words: readonly string[],
  search: Search,
  isWord: (word: string) => boolean,
): CheckResult {
  const checked: CheckedWord[] = [];
  const right: string[] = [];
  /** Spots the next word may begin on; undefined for any. */
  let open: Spots | undefined;
  let states: readonly State[] = [];
  let isRight = true;
  for (const word of words) {
    const letters = Array.from(word, (character) =>
      PLAIN_LETTER.test(character) ? character.toLowerCase() : character,
    );
    const plain = letters.join('');
    const broken = findBroken(board, letters, open) ?? (isWord(plain) ? undefined : notAWord(letters));
    checked.push(broken === undefined ? { word } : { word, broken });
    isRight &&= broken === undefined;
    if (isRight) {
      states = playOn(board, right.length === 0 ? undefined : states, plain);
      right.push(plain);
    }
    open = isRight ? spotsIn(states) : endSpots(board, letters);
  }
  const covered = fullest(states);
  const left = Array.from(board.letters).filter((_, spot) => !(covered & (1 << spot)));
  const solved = isRight && right.length > 0 && left.length === 0;
  if (left.length === 0 && right.length > 0) {
    return { words: checked, covered, left, solved, fewestMore: 0, cut: undefined };
  }
  const onwards = makeSearch(board, search.words, { ...search.options, played: right });
  return { words: checked, covered, left, solved, fewestMore: onwards.fewest, cut: onwards.cut };
}

/** A bit for each spot. */
type Spots = number;

/** All rules but the word list. Walks over sets of spots, so that a long word of junk costs no more than its length. */
function findBroken(board: Board, letters: readonly string[], open: Spots | undefined): Broken | undefined {
  const at = (position: number, rule: BrokenRule): Broken => ({
    rule,
    position,
    letter: letters[position] ?? '',
  });
  const unknown = letters.findIndex((letter) => spotsOf(board, letter) === 0);
  if (unknown >= 0) return at(unknown, 'unknown-letter');
  const stuck = walk(board, letters);
  if (stuck !== undefined) return at(stuck, 'same-side');
  if (letters.length < SHORTEST) return at(letters.length, 'too-short');
  if (open !== undefined && walk(board, letters, open) !== undefined) {
    return { ...at(0, 'does-not-chain'), expected: board.letters[lowest(open)]! };
  }
  return undefined;
}

function notAWord(letters: readonly string[]): Broken {
  return { rule: 'not-a-word', position: 0, letter: letters[0] ?? '' };
}

/** The position of the letter that can't be reached from these spots; undefined when all can. */
function walk(board: Board, letters: readonly string[], from: Spots = board.full): number | undefined {
  let spots = from;
  for (const [position, letter] of letters.entries()) {
    spots = spotsOf(board, letter) & (position === 0 ? from : reachable(board, spots));
    if (spots === 0) return position;
  }
  return undefined;
}

/** All spots that lie on another side than one of these. */
function reachable(board: Board, spots: Spots): Spots {
  const sides = new Set<number>();
  let own = 0;
  board.sideOf.forEach((side, spot) => {
    if (spots & (1 << spot)) sides.add(side);
  });
  if (sides.size > 1) return board.full;
  board.sideOf.forEach((side, spot) => {
    if (sides.has(side)) own |= 1 << spot;
  });
  return board.full & ~own;
}

function spotsOf(board: Board, letter: string): Spots {
  let spots = 0;
  for (let spot = 0; spot < board.letters.length; spot++)
    if (board.letters[spot] === letter) spots |= 1 << spot;
  return spots;
}

/** The states a chain may stand in after one more word that can be walked from there. */
function playOn(board: Board, states: readonly State[] | undefined, word: string): State[] {
  const reached: State[] = [];
  for (const { start, end, mask } of walkWord(board, word)) {
    if (states === undefined) reached.push({ spot: end, mask });
    else {
      for (const state of states)
        if (state.spot === start) reached.push({ spot: end, mask: state.mask | mask });
    }
  }
  return prune(reached);
}

function spotsIn(states: readonly State[]): Spots {
  return states.reduce((spots, { spot }) => spots | (1 << spot), 0);
}

/** With repeated letters a chain may have covered one set of spots or another: the largest counts. */
function fullest(states: readonly State[]): Spots {
  return states.reduce((best, { mask }) => (popcount(mask) > popcount(best) ? mask : best), 0);
}

/** The spots a word ends on, right or not; undefined when its end isn't on the board. */
function endSpots(board: Board, letters: readonly string[]): Spots | undefined {
  const spots = spotsOf(board, letters.at(-1) ?? '');
  return spots === 0 ? undefined : spots;
}
