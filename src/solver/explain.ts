import { clip, counted } from '../core/text.ts';
import type { Broken } from './check.ts';
import type { Board } from './types.ts';

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
      return `${shown} has ${name(letter)}, which is not on this board.`;
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

/** A character to show; invisible ones by their number. */
function name(character: string): string {
  if (/^[a-z]$/i.test(character)) return character.toUpperCase();
  if (/^\p{L}\p{M}*$|^[\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === ' ' ? 'a space' : `an invisible character (U+${code})`;
}
