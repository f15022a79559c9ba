import { clip } from '../core/text.ts';
import type { Broken } from './check.ts';
import type { Board } from './types.ts';

/**
 * Why a word can't be played, in one plain sentence.
 *
 * @example explainBroken('zoo', broken, board) // '"zoo" needs o twice in a row, and o is only on one side (ozu).'
 */
export function explainBroken(word: string, broken: Broken, board: Board): string {
  const quoted = word === '' ? 'An empty word' : `"${clip(word)}"`;
  const { rule, position, letter } = broken;
  const characters = Array.from(word);
  switch (rule) {
    case 'unknown-letter':
      return `${quoted} has ${name(letter)} as its ${ordinal(position + 1)} character, which is not on this board.`;
    case 'same-side':
      return `${quoted} ${stuck((characters[position - 1] ?? '').toLowerCase(), letter, position, board)}`;
    case 'too-short':
      return `${quoted} has ${position} letter${position === 1 ? '' : 's'}; a word has at least 3.`;
    case 'does-not-chain':
      return letter === broken.expected
        ? `${quoted} can't go on from the ${letter} that the word before it ends on; it would need the other ${letter}.`
        : `${quoted} begins with ${letter}, but the word before it ends on ${broken.expected}, so it has to begin with ${broken.expected}.`;
    case 'not-a-word':
      return `${quoted} can be walked here, but it is not in the word list.`;
  }
}

function stuck(from: string, to: string, position: number, board: Board): string {
  const sides = board.sides.filter((side) => side.includes(to));
  const where = sides.length === 1 ? ` (${sides[0]})` : '';
  if (from === to) {
    return sides.length === 1
      ? `needs ${to} twice in a row, and ${to} is only on one side${where}.`
      : `needs ${to} once more at letter ${position + 1}, and by then there is none on another side.`;
  }
  return sides.length === 1 && sides[0]!.includes(from)
    ? `goes from ${from} to ${to} at letter ${position + 1}, and both are on the same side${where}.`
    : `can't reach ${to} at letter ${position + 1}: by then the ${from} before it is on the same side.`;
}

/** A character to show; invisible ones by their number. */
function name(character: string): string {
  if (/^\p{L}\p{M}*$|^[\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === ' ' ? 'a space' : `an invisible character (U+${code})`;
}

function ordinal(number: number): string {
  const tens = number % 100;
  if (tens >= 11 && tens <= 13) return `${number}th`;
  return `${number}${['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'}`;
}
