import { UserError } from '../core/errors.ts';
import { clip } from '../core/text.ts';
import { LIMITS, makeBoard } from './board.ts';
import { candidates } from './candidates.ts';
import { COUNTED_LETTERS, DIFFICULTIES, type Difficulty, difficultyOf, SHAPES } from './difficulty.ts';
import { familiarWords } from './familiar.ts';
import type { Lexicon } from './lexicon.ts';
import { placeOfBoard, placeOfSeed, SERIES_LETTERS } from './series.ts';
import type { Board, Solution } from './types.ts';

export { DIFFICULTIES, type Difficulty, SHAPES };

export interface GenerateOptions {
  /** Any text; the same one gives the same board. Seeds that end in a date share none for eleven years (`series.ts`). */
  readonly seed: string;
  /** Left out: whatever comes first. */
  readonly difficulty?: Difficulty;
  readonly sides?: number;
  /** Letters of each side. */
  readonly letters?: number;
}

export interface GeneratedBoard {
  readonly board: Board;
  readonly seed: string;
  readonly difficulty: Difficulty;
  /** The chain of familiar words that the board was built around. */
  readonly solution: Solution;
}

/** A third of the boards of a shape has each difficulty, so this many are always enough with a full word list. */
const MOST_MEASURED = 80;
/** One in 4096 boards is at a date's place in its series, so this many hold one of each difficulty. */
const MOST_LOOKED_AT = 200_000;

/**
 * A board that familiar words solve. The same seed and shape give the same board on every machine with
 * the same word list; a difficulty picks the first board of the seed's series that has it. No letter
 * stands on it twice: no shape has more spots than the alphabet has letters.
 *
 * @example generate(lexicon, { seed: 'house:2026-11-20', difficulty: 'easy' }).board.sides
 */
export function generate(lexicon: Lexicon, options: GenerateOptions): GeneratedBoard {
  const { seed, difficulty, sides = 4, letters = 3 } = options;
  checkShape(sides, letters);
  checkDifficulty(difficulty, sides * letters);
  const takesTurns = sides * letters >= SERIES_LETTERS.least && sides * letters <= SERIES_LETTERS.most;
  const place = takesTurns ? placeOfSeed(seed) : undefined;
  const found = first(lexicon, options, sides, letters, place);
  if (typeof found !== 'number') return found;
  // A small word list may have no board at the date's place: a board that may come again is better than none.
  const anywhere = place === undefined ? found : first(lexicon, options, sides, letters, undefined);
  if (typeof anywhere !== 'number') return anywhere;
  throw none(options, sides, letters, anywhere);
}

/** The first board of the seed that has the difficulty and the place, or how many were measured in vain. */
function first(
  lexicon: Lexicon,
  { seed, difficulty }: GenerateOptions,
  sides: number,
  letters: number,
  place: number | undefined,
): GeneratedBoard | number {
  let measured = 0;
  for (const candidate of candidates(lexicon, seed, sides, letters).take(MOST_LOOKED_AT)) {
    if (place !== undefined && placeOfBoard(candidate.sides) !== place) continue;
    if (measured === MOST_MEASURED) break;
    measured++;
    const found = difficultyOf(familiarWords(lexicon), candidate.sides, candidate.words.length);
    if (difficulty !== undefined && found !== difficulty) continue;
    const { words } = candidate;
    const likelihood = words.reduce((product, word) => product * (lexicon.find(word)?.likelihood ?? 0), 1);
    return { board: makeBoard(candidate.sides), seed, difficulty: found, solution: { words, likelihood } };
  }
  return measured;
}

function none(
  { seed, difficulty }: GenerateOptions,
  sides: number,
  letters: number,
  seen: number,
): UserError {
  const shape = `${sides} sides with ${letters} letter${letters === 1 ? '' : 's'} each`;
  return seen === 0
    ? new UserError(
        'generate.words',
        `The word list in use has no everyday words that make a board of ${shape}. Use a larger list, or another shape such as 4 sides with 3 letters each.`,
      )
    : new UserError(
        'generate.rare',
        `None of the first ${seen} boards of ${shape} from the seed "${clip(seed)}" is ${difficulty}. Try another seed, or leave the difficulty out.`,
      );
}

function checkShape(sides: number, letters: number): void {
  checkRange('sides', sides, LIMITS.sides);
  checkRange('letters', letters, LIMITS.lettersPerSide);
  const spots = sides * letters;
  const [least, most] = LIMITS.spots;
  if (spots >= least && spots <= most) return;
  throw new UserError(
    'generate.spots',
    `${sides} sides with ${letters} letter${letters === 1 ? '' : 's'} each make ${spots} letters; a board has ${least} to ${most} in all. Try 4 sides with 3 letters each.`,
  );
}

function checkRange(
  what: 'sides' | 'letters',
  number: number,
  [least, most]: readonly [number, number],
): void {
  if (Number.isInteger(number) && number >= least && number <= most) return;
  const whose = what === 'sides' ? 'A board has' : 'Each side has';
  throw new UserError(
    `generate.${what}`,
    `${whose} ${least} to ${most} ${what}, as a whole number, not ${number}. Try 4 sides with 3 letters each.`,
  );
}

function checkDifficulty(difficulty: Difficulty | undefined, spots: number): void {
  if (difficulty === undefined) return;
  if (!DIFFICULTIES.includes(difficulty)) {
    throw new UserError(
      'generate.difficulty',
      `"${clip(difficulty)}" is not a difficulty. It is one of: ${DIFFICULTIES.join(', ')}.`,
    );
  }
  if (spots > COUNTED_LETTERS && difficulty !== 'hard') {
    throw new UserError(
      'generate.large',
      `A board of ${spots} letters is always hard. For ${difficulty === 'easy' ? 'an easy' : 'a medium'} one, have at most ${COUNTED_LETTERS} letters in all.`,
    );
  }
}
