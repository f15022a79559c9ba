import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import { skeletonOf } from '../../wordlists/confusables.ts';
import { hasOffensiveWord } from '../../wordlists/offensive-names.ts';
import { spellsCrude } from '../../wordlists/offensive-words.ts';

type IsWord = (word: string) => boolean;

/** Characters: with its number of solvers, a name still fits on a button. */
const MAX_NAME_LENGTH = 30;
/** The most characters of a maker's note to the people who have solved their board. */
const MAX_NOTE_LENGTH = 140;
const ALLOWED_CHARACTERS = /^[\p{L}\p{M}\p{N} '’.,!?&+()-]+$/u;
/** Persian words have a character of no width between two letters, which are otherwise written as one. */
const PERSIAN_GAP = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** More than two marks on a letter, or a mark without one. Vietnamese has letters with two. */
const STRAY_MARKS = /\p{M}{3}|(?<![\p{L}\p{M}\p{N}])\p{M}/u;

const WRITTEN = {
  name: { most: MAX_NAME_LENGTH, like: 'name:"Tea time"' },
  note: { most: MAX_NOTE_LENGTH, like: 'note:"For Ada, who loves tea"' },
};

/**
 * What somebody writes on their board: its name, or a note to the people who have solved it.
 *
 * @throws UserError if it can't be one
 */
export function readWritten(what: keyof typeof WRITTEN, text: string, isWord: IsWord): string {
  const { most, like } = WRITTEN[what];
  const written = text.normalize('NFC').trim();
  if (lengthOf(written) > most)
    throw new UserError(`board.${what}-long`, `That ${what} is too long. It can have ${most} characters.`);
  const shown = written.replace(PERSIAN_GAP, '');
  const isOfLetters = ALLOWED_CHARACTERS.test(shown) && /[\p{L}\p{N}]/u.test(shown);
  if (!isOfLetters || INVISIBLE.test(shown) || STRAY_MARKS.test(shown.normalize('NFD'))) {
    throw new UserError(
      `board.${what}`,
      `"${clip(written)}" can’t be a ${what}. Use letters, digits and spaces, like ${like}`,
    );
  }
  if (hasOffensiveWord(written, isWord))
    throw new UserError(`board.${what}-offensive`, `I don’t post that ${what} here. Choose another one.`);
  return written;
}

/**
 * The larger of two numbers: the characters, and half of the characters in NFKC. There ﷺ is a phrase of eighteen, an ordinary
 * ligature two. A Korean syllable is one character in both forms.
 */
function lengthOf(text: string): number {
  return Math.max(Array.from(text).length, Math.ceil(Array.from(text.normalize('NFKC')).length / 2));
}

/** @throws UserError if the letters of a board, read side by side in their order, spell an offensive word */
export function refuseOffensiveBoard({ letters }: Board): void {
  if (!spellsCrude(letters)) return;
  throw new UserError(
    'board.offensive',
    'The letters of this board spell a word that I don’t post. Put its sides or letters in another order.',
  );
}

/**
 * A name for a board without one: a letter of each side, which together make no word.
 *
 * @example madeName(parseBoard('ozu nri lfa mbt'), isWord, () => false) // 'Board ONLM'
 */
export function madeName({ sides }: Board, isWord: IsWord, isTaken: (name: string) => boolean): string {
  const longest = Math.max(...sides.map(({ length }) => length));
  for (let at = 0; at < longest; at++) {
    const letters = sides.map((side) => side[at % side.length]).join('');
    const name = `Board ${letters.toUpperCase()}`;
    if (!isWord(letters) && !spellsCrude(letters) && !isTaken(name)) return name;
  }
  let number = 1;
  while (isTaken(`Board ${number}`)) number++;
  return `Board ${number}`;
}

/** Finds the names that people would confuse with this one: none if it is too long to be a name. */
export function sameNameAs(name: string): (other: string) => boolean {
  // Sliced before it is normalized, since people may type thousands of characters: what is left of these is too long, too.
  if (lengthOf(name.slice(0, MAX_NAME_LENGTH * 4).normalize('NFC')) > MAX_NAME_LENGTH) return () => false;
  const plain = (one: string) => skeletonOf(one).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  const wanted = plain(name);
  return (other) => plain(other) === wanted;
}
