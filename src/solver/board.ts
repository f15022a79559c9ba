import { UserError } from '../core/errors.ts';
import { clip, counted } from '../core/text.ts';
import { lettersIn, popcount } from './bits.ts';
import type { Board } from './types.ts';

export interface Range {
  readonly least: number;
  readonly most: number;
}

export const LIMITS = {
  sides: { least: 2, most: 12 },
  lettersPerSide: { least: 1, most: 12 },
  spots: { least: 4, most: 26 },
} as const satisfies Record<string, Range>;
/** Boards of more spots have each letter once: others could not be solved exactly within seconds. */
export const MAX_SPOTS_WITH_REPEATS = 16;
/** Limits of generated boards, for which `difficulty.ts` has figures. */
export const GENERATED_LIMITS = {
  sides: { least: 3, most: 8 },
  lettersPerSide: { least: 1, most: 6 },
} as const satisfies Record<string, Range>;

const EXAMPLE = 'Type the sides like this: ozu nri lfa mbt';
/** Longest text worth reading: 26 spots with brackets, quotes and commas fit many times over. */
const MAX_TEXT_LENGTH = 400;
const SEPARATORS = /[\s,;:/|\\\-_.+·•'"`‘’“”–—]+/u;
const INNERMOST = /[[({<]([^[\](){}<>]*)[\])}>]/gu;

/**
 * Reads the sides of a board in any form a person types: `ozu nri lfa mbt`, `OZU,NRI,LFA,MBT`,
 * `ozu-nri-lfa-mbt`, `[[ozu],[nri],[lfa],[mbt]]`, or twelve letters run together.
 *
 * @example parseBoard('OZU,NRI,LFA,MBT').sides // ['ozu', 'nri', 'lfa', 'mbt']
 */
export function parseBoard(text: string): Board {
  return orThrow(readBoard(text));
}

/** Checks sides that are already apart. */
export function makeBoard(sides: readonly string[]): Board {
  return orThrow(checkedBoard(sides));
}

/** Makes the error that says why something is no board: a line of a chat is tried many times, and few need the error. */
type Refusal = () => UserError;

/** The board that a text spells, or why it spells none. */
export function readBoard(text: string): Board | Refusal {
  if (text.length > MAX_TEXT_LENGTH)
    return () => new UserError('board.long', `That is too long for a board. ${EXAMPLE}`);
  const sides = splitSides(text.normalize('NFC').toLowerCase());
  const [only] = sides;
  if (only === undefined) return () => new UserError('board.empty', `The sides are missing. ${EXAMPLE}`);
  if (sides.length === 1 && /^[a-z]+$/.test(only))
    return () =>
      new UserError('board.sides', `I can’t tell where a side ends in "${clip(only)}". ${EXAMPLE}`);
  return checkedBoard(sides);
}

function orThrow(read: Board | Refusal): Board {
  if (typeof read === 'function') throw read();
  return read;
}

function checkedBoard(sides: readonly string[]): Board | Refusal {
  const letters = sides.join('');
  const refusal =
    refuseLetters(sides) ??
    refuseNumber('sides', sides.length) ??
    refuseLengths(sides) ??
    refuseNumber('spots', letters.length) ??
    refuseRepeats(letters);
  if (refusal !== undefined) return refusal;
  return {
    sides: [...sides],
    letters,
    sideOf: sides.flatMap((side, index) => Array.from(side, () => index)),
    full: 2 ** letters.length - 1,
  };
}

/**
 * The one way a board is written out: `ozu nri lfa mbt`. Twelve sides of one letter get bars, since with spaces they would be
 * read as four sides of three.
 */
export function formatBoard({ sides }: Pick<Board, 'sides'>): string {
  return sides.join(
    sides.join('').length === NEWSPAPER_LETTERS && sides.length === NEWSPAPER_LETTERS ? '|' : ' ',
  );
}

/** True when a letter is on more than one spot; the newspaper's boards never have that. */
export function hasRepeats(board: Board): boolean {
  return popcount(lettersIn(board.letters)) < board.letters.length;
}

function splitSides(text: string): string[] {
  const groups = [...text.matchAll(INNERMOST)].map((match) => match[1] ?? '');
  if (groups.length > 1) return groups.map((group) => group.split(SEPARATORS).join(''));
  const tokens = (groups[0] ?? text).split(SEPARATORS).filter((token) => token !== '');
  const joined = tokens.join('');
  // Twelve letters, run together or each apart, are the newspaper's shape, unless bars part them.
  const isApart = tokens.length === 12 && !text.includes('|');
  const isTwelve = /^[a-z]{12}$/.test(joined) && (tokens.length === 1 || isApart);
  return isTwelve ? (joined.match(/.{3}/g) ?? []) : tokens;
}

function refuseLetters(sides: readonly string[]): Refusal | undefined {
  const index = sides.findIndex((side) => /[^a-z]/.test(side));
  const side = sides[index];
  if (side === undefined) return undefined;
  const shown = shownCharacter(/[^a-z]/u.exec(side)![0]);
  return () =>
    new UserError(
      'board.letters',
      `Side ${index + 1}, "${clip(side)}", has ${shown} in it. Sides have letters from a to z only. ${EXAMPLE}`,
    );
}

/** A character that is no letter from a to z; invisible ones by their number. */
export function shownCharacter(character: string): string {
  if (/^\p{L}\p{M}*$|^[\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === ' ' ? 'a space' : `an invisible character (U+${code})`;
}

function refuseNumber(what: 'sides' | 'spots', number: number): Refusal | undefined {
  const { least, most } = LIMITS[what];
  if (number >= least && number <= most) return undefined;
  return () => {
    const made = what === 'sides' ? counted(number, 'side') : `${counted(number, 'letter')} in all`;
    return new UserError(`board.${what}`, `That makes ${made}. A board has ${least} to ${most}. ${EXAMPLE}`);
  };
}

function refuseLengths(sides: readonly string[]): Refusal | undefined {
  const { least, most } = LIMITS.lettersPerSide;
  const index = sides.findIndex(({ length }) => length < least || length > most);
  const side = sides[index];
  if (side === undefined) return undefined;
  return () =>
    new UserError(
      'board.side-length',
      `Side ${index + 1}, "${clip(side)}", has ${counted(side.length, 'letter')}. A side has ${least} to ${most}. ${EXAMPLE}`,
    );
}

function refuseRepeats(letters: string): Refusal | undefined {
  if (letters.length <= MAX_SPOTS_WITH_REPEATS) return undefined;
  const repeated = Array.from(letters).find((letter, spot) => letters.indexOf(letter) < spot);
  if (repeated === undefined) return undefined;
  return () =>
    new UserError(
      'board.repeats',
      `That board has ${letters.length} letters and more than one ${repeated.toUpperCase()}. A board with more than ${MAX_SPOTS_WITH_REPEATS} letters has each of them once. ${EXAMPLE}`,
    );
}

/** A bit for each spot. */
export type Spots = number;

/**
 * The spots that each step of a walk may be on, after the steps before it: sets of bits, so that a long
 * text costs no more than its length. Ends with an empty set where the walk can't go on.
 *
 * @param wanted the spots that each step may be on, whatever comes before it
 */
export function reached(board: Board, wanted: Iterable<Spots>, from: Spots = board.full): Spots[] {
  const sets: Spots[] = [];
  let open = from;
  for (const step of wanted) {
    const spots = step & open;
    sets.push(spots);
    if (spots === 0) break;
    open = reachable(board, spots);
  }
  return sets;
}

/** The spots that a text can end on if it begins on one of `from`; 0 if it can't be walked. */
export function endsOf(board: Board, letters: readonly string[], from: Spots = board.full): Spots {
  return reached(board, wantedBy(board, letters), from).at(-1) ?? 0;
}

/** The position of the letter that can't be reached from anywhere; undefined when all can. */
export function stuckAt(board: Board, letters: readonly string[]): number | undefined {
  const sets = reached(board, wantedBy(board, letters));
  return sets.at(-1) === 0 ? sets.length - 1 : undefined;
}

/** What `reached` found, without the spots from which the rest of the walk can't be reached. */
export function walked(board: Board, sets: readonly Spots[]): Spots[] {
  let open = board.full;
  return sets
    .toReversed()
    .map((set) => {
      const spots = set & open;
      open = reachable(board, spots);
      return spots;
    })
    .reverse();
}

export function wantedBy(board: Board, letters: Iterable<string>): Spots[] {
  return Array.from(letters, (letter) => spotsOf(board, letter));
}

export function spotsOf(board: Board, letter: string): Spots {
  let spots = 0;
  for (let spot = 0; spot < board.letters.length; spot++)
    if (board.letters[spot] === letter) spots |= 1 << spot;
  return spots;
}

/** All spots that lie on another side than one of these; of an empty set, all spots. */
export function reachable({ full, sideOf }: Board, spots: Spots): Spots {
  let side = -1;
  let own = 0;
  for (let spot = 0; spot < sideOf.length; spot++) {
    if (!(spots & (1 << spot))) continue;
    if (side >= 0 && sideOf[spot] !== side) return full;
    side = sideOf[spot]!;
  }
  for (let spot = 0; spot < sideOf.length; spot++) if (sideOf[spot] === side) own |= 1 << spot;
  return full & ~own;
}

/** The shape of a board with the same number of letters on each side, as generated boards have. */
export interface BoardShape {
  readonly sides: number;
  readonly sideLength: number;
}

export const NEWSPAPER_LETTERS = 12;

export function letterCount({ sides, sideLength }: BoardShape): number {
  return sides * sideLength;
}

/** @example shapeKey({ sides: 4, sideLength: 3 }) // '4x3' */
export function shapeKey({ sides, sideLength }: BoardShape): string {
  return `${sides}x${sideLength}`;
}
