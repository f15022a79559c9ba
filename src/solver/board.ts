import { UserError } from '../core/errors.ts';
import { clip, counted } from '../core/text.ts';
import { lettersIn, popcount } from './bits.ts';
import type { Board } from './types.ts';

export const LIMITS = { sides: [3, 8], lettersPerSide: [1, 6], spots: [4, 26] } as const;

const EXAMPLE = 'Type the sides like this: ozu nri lfa mbt';
/** Longest text worth reading: 26 spots with brackets, quotes and commas fit many times over. */
const LONGEST = 400;
const SEPARATORS = /[\s,;:/|\\\-_.+·•'"`‘’“”–—]+/u;
const INNERMOST = /[[({<]([^[\](){}<>]*)[\])}>]/gu;

/**
 * Reads the sides of a board in any form a person types: `ozu nri lfa mbt`, `OZU,NRI,LFA,MBT`,
 * `ozu-nri-lfa-mbt`, `[[ozu],[nri],[lfa],[mbt]]`, or twelve letters run together.
 *
 * @example parseBoard('OZU,NRI,LFA,MBT').sides // ['ozu', 'nri', 'lfa', 'mbt']
 */
export function parseBoard(text: string): Board {
  if (text.length > LONGEST) {
    throw new UserError('board.long', `That is too long for a board. ${EXAMPLE}`);
  }
  const sides = splitSides(text.normalize('NFC').toLowerCase());
  if (sides.length === 0) throw new UserError('board.empty', `The sides are missing. ${EXAMPLE}`);
  const [only = ''] = sides;
  if (sides.length === 1 && /^[a-z]+$/.test(only)) {
    throw new UserError('board.sides', `I can’t tell where a side ends in "${clip(only)}". ${EXAMPLE}`);
  }
  return makeBoard(sides);
}

/** Checks sides that are already apart. */
export function makeBoard(sides: readonly string[]): Board {
  sides.forEach((side, index) => {
    checkLetters(side, index);
  });
  checkNumber('sides', sides.length, counted(sides.length, 'side'));
  sides.forEach((side, index) => {
    const [least, most] = LIMITS.lettersPerSide;
    if (side.length < least || side.length > most) {
      throw new UserError(
        'board.side-length',
        `Side ${index + 1}, "${clip(side)}", has ${counted(side.length, 'letter')}. A side has ${least} to ${most}. ${EXAMPLE}`,
      );
    }
  });
  const letters = sides.join('');
  checkNumber('spots', letters.length, `${counted(letters.length, 'letter')} in all`);
  return {
    sides: [...sides],
    letters,
    sideOf: sides.flatMap((side, index) => Array.from(side, () => index)),
    full: 2 ** letters.length - 1,
  };
}

/** The one way a board is written out: `ozu nri lfa mbt`. */
export function formatBoard(board: Pick<Board, 'sides'>): string {
  return board.sides.join(' ');
}

/** True when a letter stands on more than one spot; the newspaper's boards never have that. */
export function hasRepeats(board: Board): boolean {
  return popcount(lettersIn(board.letters)) < board.letters.length;
}

function splitSides(text: string): string[] {
  const groups = [...text.matchAll(INNERMOST)].map((match) => match[1] ?? '');
  if (groups.length > 1) return groups.map((group) => group.split(SEPARATORS).join(''));
  const tokens = (groups[0] ?? text).split(SEPARATORS).filter((token) => token !== '');
  const joined = tokens.join('');
  // Twelve letters, run together or each apart, are the newspaper's shape.
  const isTwelve = /^[a-z]{12}$/.test(joined) && (tokens.length === 1 || tokens.length === 12);
  return isTwelve ? (joined.match(/.{3}/g) ?? []) : tokens;
}

function checkLetters(side: string, index: number): void {
  const stray = Array.from(side).find((character) => !/^[a-z]$/.test(character));
  if (stray === undefined) return;
  const shown = /^\p{C}$/u.test(stray)
    ? `an invisible character (U+${stray.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')})`
    : `"${stray}"`;
  throw new UserError(
    'board.letters',
    `Side ${index + 1}, "${clip(side)}", has ${shown} in it. Sides have letters from a to z only. ${EXAMPLE}`,
  );
}

function checkNumber(what: 'sides' | 'spots', number: number, made: string): void {
  const [least, most] = LIMITS[what];
  if (number >= least && number <= most) return;
  throw new UserError(`board.${what}`, `That makes ${made}. A board has ${least} to ${most}. ${EXAMPLE}`);
}
