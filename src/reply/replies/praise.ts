/** The praise for a solved board: 28 sentences. But for that of a single word, none comes twice in a week, whatever is done. */

import { DAY, type PuzzleDate } from '../../core/clock.ts';
import type { SavedGame } from '../../play/saved-game.ts';
import { wastesNothing } from './result-line.ts';

/** What somebody did on a day's board. */
export interface Feats {
  readonly words: number;
  readonly letters: number;
  readonly par: number | undefined;
  /** The day of the board; each sentence has its days of the week. */
  readonly date: PuzzleDate;
  /** The letters of the board, and the most of them that one word uses. */
  readonly spots: number;
  readonly longest: number;
  /** Whether no word was taken back. */
  readonly isFirstTry: boolean;
}

const SINGLE_WORD = 'A single word. Incredible!';
/** One for each day of the week, by how the words compare with par. */
const OVER_PAR = [
  'Every letter is used.',
  'No letter got away.',
  'Word by word, to the end.',
  'All of it, in your own way.',
  'The whole board is yours.',
  'That took some patience.',
  'One more board solved.',
];
const AT_PAR = [
  'Well done!',
  'Just right!',
  'Neatly solved!',
  'That’s how it’s done!',
  'Spot on!',
  'Cleanly done!',
  'Nice work!',
];
const UNDER_PAR = [
  'Excellent!',
  'Brilliant!',
  'Superb!',
  'Beautifully done!',
  'What a solve!',
  'Sharp work!',
  'Outstanding!',
];
/**
 * Feats with two sentences of their own: one for the day with the feat's index, one for `SECOND_AFTER` days later, so that no
 * day has two feats. Hints, letters and a beaten result are left out: the lines below the praise have them.
 */
const SPECIALS: readonly {
  readonly is: (feats: Feats) => boolean;
  readonly said: readonly [string, string];
}[] = [
  {
    is: ({ longest, spots }) => longest >= 0.75 * spots,
    said: ['What a word to find!', 'One word did most of it!'],
  },
  {
    is: (feats) => wastesNothing(feats, feats.spots),
    said: ['Not a letter wasted!', 'Not one letter too many!'],
  },
  { is: ({ isFirstTry }) => isFirstTry, said: ['On the first try!', 'In one go!'] },
];
const SECOND_AFTER = 3;
const WEEK = 7;

/**
 * @example praise(feats) // 'Brilliant!'
 * @example praise({ ...feats, words: 6, par: 4 }) // 'You did it. No letter got away.'
 */
export function praise(feats: Feats): string {
  const { words, par, date } = feats;
  const day = Math.floor(Date.parse(date) / DAY) % WEEK;
  if (words === 1) return SINGLE_WORD;
  const special = SPECIALS.map(({ is, said }, nth) => {
    const which = [nth, (nth + SECOND_AFTER) % WEEK].indexOf(day);
    return is(feats) ? said[which] : undefined;
  }).find((one) => one !== undefined);
  // Where par is unknown, two words are praised like those under par: the newspaper's own solutions have as many.
  if (words < (par ?? 3)) return special ?? UNDER_PAR[day]!;
  return words === par ? (special ?? AT_PAR[day]!) : `${DID_IT} ${special ?? OVER_PAR[day]}`;
}

/** What the praise of a solution over par begins with. */
export const DID_IT = 'You did it.';

/** What the words of a solution are like, and how they were found. */
export function featsOf(
  words: readonly string[],
  spots: number,
  { again }: Pick<SavedGame, 'again'>,
): Pick<Feats, 'spots' | 'longest' | 'isFirstTry'> {
  return { spots, longest: Math.max(...words.map((word) => new Set(word).size)), isFirstTry: !again };
}

/** The name of a result, by the least points of its review. */
const TITLES = [
  [100, 'Legend'],
  [90, 'Virtuoso'],
  [80, 'Architect'],
  [70, 'Wordsmith'],
  [55, 'Navigator'],
  [40, 'Pathfinder'],
  [0, 'Explorer'],
] as const;

/**
 * The title of a result, from the 0 to 100 points of its review. It says how close the result is to the fewest words, so it
 * is shown only where those may be revealed.
 *
 * @example titleOf(93) // 'Virtuoso'
 */
export function titleOf(points: number): string {
  return TITLES.find(([from]) => points >= from)![1];
}
