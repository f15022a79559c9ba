import { clip, counted } from '../core/text.ts';
import { lowest, popcount } from './bits.ts';
import { endsOf, type Spots, shownCharacter, spotsOf, stuckAt } from './board.ts';
import { walkWords } from './playable.ts';
import type { Search } from './search.ts';
import type { Board } from './types.ts';

/** In the order they are looked for: of a word, the first one found is reported. */
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
  readonly word: string;
  readonly broken?: Broken;
}

/** Which words can be played one after the other, and what they cover. */
interface JudgedWords {
  readonly words: readonly CheckedWord[];
  /** Letters of the spots still to cover, in the order of the board. */
  readonly left: readonly string[];
  readonly solved: boolean;
}

export interface CheckResult extends JudgedWords {
  /** How many more words could finish after the words before the first broken one; undefined if none can. */
  readonly fewestMore: number | undefined;
  /** Set when `fewestMore` was not found in time: where the search was cut. */
  readonly cut: string | undefined;
  /** Whether no word of the game begins where the last one ends, if that was looked up. */
  readonly isDeadEnd?: boolean;
}

const MIN_LENGTH = 3;
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
  const judged = judgeWords(board, words, isWord);
  const right = rightWords(judged);
  if (judged.left.length === 0 && right.length > 0) return { ...judged, fewestMore: 0, cut: undefined };
  const onwards = search.after(right);
  return { ...judged, fewestMore: onwards.fewest, cut: onwards.cut };
}

/** The same without a search: how many more words could finish is left out. */
export function judgeWords(
  board: Board,
  words: readonly string[],
  isWord: (word: string) => boolean,
): JudgedWords {
  const checked: CheckedWord[] = [];
  /** Spots the next word may begin on; undefined for any. */
  let open: Spots | undefined;
  let isRight = true;
  for (const word of words) {
    const letters = Array.from(plainText(word));
    const broken: Broken | undefined =
      findBroken(board, letters, open) ??
      (isWord(letters.join('')) ? undefined : { rule: 'not-a-word', position: 0, letter: letters[0] ?? '' });
    checked.push(broken === undefined ? { word } : { word, broken });
    isRight &&= broken === undefined;
    // A broken word may end on a letter that is not on the board: then the next one may begin anywhere.
    open = isRight ? endsOf(board, letters, open) : spotsOf(board, letters.at(-1) ?? '') || undefined;
  }
  const right = rightWords({ words: checked });
  const covered = coveredBy(board, right);
  const left = Array.from(board.letters).filter((_, spot) => !(covered & (1 << spot)));
  return { words: checked, left, solved: isRight && right.length > 0 && left.length === 0 };
}

/** The words before the first broken one, in lower case. */
export function rightWords({ words }: Pick<JudgedWords, 'words'>): string[] {
  const wrong = words.findIndex(({ broken }) => broken !== undefined);
  return words.slice(0, wrong < 0 ? undefined : wrong).map(({ word }) => plainText(word));
}

/** Only a to z: other letters may become longer in lower case. */
function plainText(word: string): string {
  return Array.from(word, (character) =>
    PLAIN_LETTER.test(character) ? character.toLowerCase() : character,
  ).join('');
}

/** All rules but the word list. Walks over sets of spots, so that a long word of junk costs no more than its length. */
function findBroken(board: Board, letters: readonly string[], open: Spots | undefined): Broken | undefined {
  const at = (position: number, rule: BrokenRule): Broken => ({
    rule,
    position,
    letter: letters[position] ?? '',
  });
  const unknown = letters.findIndex((letter) => spotsOf(board, letter) === 0);
  if (unknown >= 0) return at(unknown, 'unknown-letter');
  const stuck = stuckAt(board, letters);
  if (stuck !== undefined) return at(stuck, 'same-side');
  if (letters.length < MIN_LENGTH) return at(letters.length, 'too-short');
  if (open !== undefined && endsOf(board, letters, open) === 0) {
    return { ...at(0, 'does-not-chain'), expected: board.letters[lowest(open)]! };
  }
  return undefined;
}

/**
 * The most states that `walkWords` keeps after a letter. A board of two letters would have thousands, which take seconds. On
 * 1,300 chains of boards with repeated letters, 32 were enough to find the walk that covers most.
 */
const MAX_STATES = 256;

/** The spots that words cover. With repeated letters, the walk that covers most counts. */
export function coveredBy(board: Board, words: readonly string[]): Spots {
  const masks = walkWords(board, words, MAX_STATES).map(({ need }) => board.full & ~need);
  return masks.sort((a, b) => popcount(b) - popcount(a) || a - b)[0] ?? 0;
}

/**
 * Why a word can't be played, in one plain sentence.
 *
 * @example explainBroken('moor', broken, board) // 'MOOR needs O twice in a row, but O is on one side only (OZU).'
 */
export function explainBroken(word: string, broken: Broken, board: Board): string {
  const shown =
    word === '' ? 'An empty word' : /^[a-z]+$/i.test(word) ? clip(word).toUpperCase() : `"${clip(word)}"`;
  const { rule, position, letter } = broken;
  const characters = Array.from(word);
  switch (rule) {
    case 'unknown-letter':
      return `${shown} has ${PLAIN_LETTER.test(letter) ? letter.toUpperCase() : shownCharacter(letter)}, which is not on this board.`;
    case 'same-side':
      return `${shown} ${stuck((characters[position - 1] ?? '').toLowerCase(), letter, position, board)}`;
    case 'too-short':
      return `${shown} has ${counted(position, 'letter')}; a word has at least 3.`;
    case 'does-not-chain':
      return letter === broken.expected
        ? `${shown} can’t start on the ${letter.toUpperCase()} that the word before ends on; it would need the other one.`
        : `${shown} has to start with ${(broken.expected ?? '').toUpperCase()}, the last letter of the word before.`;
    case 'not-a-word':
      return `${shown} fits the board, but it is not in the word list.`;
  }
}

function stuck(from: string, to: string, position: number, board: Board): string {
  const sides = board.sides.filter((side) => side.includes(to));
  const where = sides.length === 1 ? ` (${sides[0]!.toUpperCase()})` : '';
  const [before, next] = [from.toUpperCase(), to.toUpperCase()];
  if (from === to) {
    return sides.length === 1
      ? `needs ${next} twice in a row, but ${next} is on one side only${where}.`
      : `needs another ${next} at letter ${position + 1}, but no other side has one left.`;
  }
  return sides.length === 1 && sides[0]!.includes(from)
    ? `goes from ${before} to ${next}, but both are on the same side${where}.`
    : `can’t reach ${next} at letter ${position + 1}: the ${before} before it is on the same side by then.`;
}
