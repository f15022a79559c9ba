import { counted, grouped, listed } from '../../core/text.ts';
import {
  edgeLetters,
  firstWord,
  hardestLetters,
  joiningLetters,
  maskedWords,
  startLetters,
  wordLengths,
  wordsNeeded,
} from '../../solver/hints.ts';
import type { Search } from '../../solver/search.ts';
import type { Solution } from '../../solver/types.ts';
import { readClue } from '../../wordlists/clues.ts';
import { bold, code, joined } from '../model/text.ts';
import type { Line } from '../model/types.ts';
import { pathOf } from '../picture/layout.ts';

/** Everything that is said about one step. A step never tells more than the steps after it. */
export interface Hint {
  /** How much it gives away, in units of the faintest. Results add up these weights. */
  readonly weight: number;
  /** Shown on buttons and in titles. */
  readonly name: string;
  /** The label of its spoiler, and of the step in menus. */
  readonly label: string;
  /** Its option in the settings of the daily thread. */
  readonly setting: string;
  /** Whether it holds for the whole board, or is about the best of the shortest solutions. */
  readonly about: 'board' | 'solution';
  /** How it reads. All of it is hidden until somebody asks for it. */
  readonly lines: (search: Search, best: Solution) => Line[];
  /** Whether it says anything that the board and the words played don't say; always, if left out. */
  readonly tells?: (search: Search, best: Solution) => boolean;
  /** Words whose letters it shows. */
  readonly spells?: (best: Solution) => readonly string[];
  /** The same for programs, with `--json`. */
  readonly data: (search: Search, best: Solution) => unknown;
  /** When the time ran out, and the solution may not be the shortest; left out where the same can be said. */
  readonly hurried?: {
    readonly lines: (search: Search, found: Solution) => Line[];
    readonly data: (search: Search, found: Solution) => unknown;
  };
}

/** The most letters that one step names. */
const SHOWN = 5;

/** The steps in their order, from the faintest hint to the first word. */
const STEPS = {
  start: {
    weight: 1,
    name: 'Start letters',
    label: 'Best first letters',
    setting: 'When the best start letters come, or off',
    about: 'board',
    // Without counts, which would add up to the counts of the next step.
    lines: (search) => {
      const good = startLetters(search).map(({ letter }) => letter.toUpperCase());
      if (isOnwards(search)) return [['The next word starts with ', bold(good[0] ?? ''), '.']];
      if (good.length === 0) return ['There was not enough time to compare the letters.'];
      const letters = new Set(search.board.letters.toUpperCase());
      const rest = [...letters].filter((letter) => !good.includes(letter));
      return [
        [
          ...joined(good.slice(0, SHOWN).map(bold), ', '),
          rest.length === 0 ? '.' : `. Not ${listed(rest, 'or')}.`,
        ],
      ];
    },
    tells: (search) => !isOnwards(search),
    // The words played settle the first letter already.
    data: (search) => ({
      letters: startLetters(search),
      edges: isOnwards(search) ? undefined : edgeLetters(search),
    }),
    hurried: {
      lines: (search, found) => [
        [
          `A ${isOnwards(search) ? 'way on' : 'solution'} starts with `,
          bold(firstWord(found)[0]!.toUpperCase()),
          '.',
        ],
      ],
      data: (_, found) => ({ letters: [{ letter: firstWord(found)[0] }] }),
    },
  },
  count: {
    weight: 1,
    name: 'Words needed',
    label: 'How many words it takes',
    setting: 'When the number of words comes, or off',
    about: 'board',
    lines: (search) => {
      const { fewest = 0, solutions } = wordsNeeded(search) ?? {};
      const more = isOnwards(search) ? ' more' : '';
      const ways = solutions === undefined ? '.' : `, in ${counted(solutions, 'way')}.`;
      return [[bold(`${fewest}${more} word${fewest === 1 ? '' : 's'}`), ` can do it${ways}`]];
    },
    data: wordsNeeded,
    hurried: {
      lines: (_, { words }) => [[bold(counted(words.length, 'word')), ' can do it, maybe fewer.']],
      data: (_, { words }) => ({ most: words.length }),
    },
  },
  hardest: {
    weight: 1,
    name: 'Hardest letters',
    label: 'The letters that the fewest words use',
    setting: 'When the hardest letters come, or off',
    about: 'board',
    lines: (search) => {
      const covered = new Set(pathOf(search.board, search.options.played ?? []).words.flat());
      const hardest = hardestLetters(search)
        .filter(({ spot }) => !covered.has(spot))
        .slice(0, SHOWN)
        .flatMap(
          ({ letter, words }, index): Line => [
            index === 0 ? '' : ', ',
            bold(letter.toUpperCase()),
            ` in ${index === 0 ? counted(words, 'word') : grouped(words)}`,
          ],
        );
      return [[...hardest, '.']];
    },
    data: hardestLetters,
  },
  lengths: {
    weight: 2,
    name: 'Word lengths',
    label: 'How long the words are',
    setting: 'When the lengths of the words come, or off',
    about: 'solution',
    lines: (_, best) => {
      const lengths = wordLengths(best);
      if (lengths.length === 1) return [['One word of ', bold(counted(lengths[0]!, 'letter')), '.']];
      const parts = lengths.map((length) => bold(String(length)));
      return [['In order: ', ...joined(parts, ', then '), ' letters.']];
    },
    data: (_, best) => wordLengths(best),
  },
  joint: {
    weight: 2,
    name: 'Joining letter',
    label: 'Where the words join',
    setting: 'When the joining letter comes, or off',
    about: 'solution',
    lines: (search, best) => {
      const letters = joiningLetters(best).map((letter) => bold(letter.toUpperCase()));
      return letters.length === 0
        ? [`Nowhere: one ${isOnwards(search) ? 'more ' : ''}word is enough.`]
        : [['The words join on ', ...joined(letters, ', then on '), '.']];
    },
    tells: (_, { words }) => words.length > 1,
    data: (_, best) => joiningLetters(best),
  },
  meaning: {
    weight: 3,
    name: 'Meanings',
    label: 'What the words mean',
    setting: 'When the meanings of the words come, or off',
    about: 'solution',
    lines: (_, { words }) =>
      clues(words).map((clue, index) => [
        words.length === 1 ? '' : `Word ${index + 1}: `,
        clue ?? 'no short definition for this one',
        '.',
      ]),
    data: (_, { words }) => clues(words).map((clue) => clue ?? null),
  },
  masked: {
    weight: 4,
    name: 'Masked words',
    label: 'The words with every second letter hidden',
    setting: 'When the masked words come, or off',
    about: 'solution',
    lines: (_, best) => maskedWords(best).map(code),
    spells: ({ words }) => words,
    data: (_, best) => maskedWords(best),
  },
  first: {
    weight: 5,
    name: 'First word',
    label: 'The first word',
    setting: 'When the first word comes, or off',
    about: 'solution',
    lines: (search, best) => [
      [isOnwards(search) ? 'Go on with ' : 'Start with ', bold(firstWord(best).toUpperCase()), '.'],
    ],
    spells: (best) => [firstWord(best)],
    data: (_, best) => firstWord(best),
  },
} as const satisfies Record<string, Hint>;

export type HintStep = keyof typeof STEPS;
export const HINTS: Readonly<Record<HintStep, Hint>> = STEPS;
export const HINT_STEPS = Object.keys(STEPS) as readonly HintStep[];

/** The weight of all hints, and of a solution: after that there is nothing left to find. */
export const ALL_HINT_POINTS = hintPoints(HINT_STEPS);

/** How much some steps give away together. */
export function hintPoints(steps: readonly HintStep[]): number {
  return steps.reduce((sum, step) => sum + HINTS[step].weight, 0);
}

/** The place of a step in the order, as titles begin with it. */
export function hintNumber(step: HintStep): string {
  return `Hint ${HINT_STEPS.indexOf(step) + 1} of ${HINT_STEPS.length}`;
}

/**
 * The title of a card, with a filled dot for each hint on it. The last of the steps is the new one.
 *
 * @example hintTitle(['start', 'count']) // 'Hint 2 of 8 ●●○○○○○○'
 */
export function hintTitle(steps: readonly HintStep[]): string {
  const dots = HINT_STEPS.map((step) => (steps.includes(step) ? '●' : '○'));
  return `${hintNumber(steps.at(-1)!)} ${dots.join('')}`;
}

/** What each word means; undefined for a word without a clue, or whose clue names another word of the solution. */
export function clues(words: readonly string[]): (string | undefined)[] {
  return words.map((word) => {
    const clue = readClue(word);
    const tokens = new Set(clue?.toLowerCase().match(/[a-z]+/g));
    return words.some((one) => tokens.has(one)) ? undefined : clue;
  });
}

/** Whether the hints go on from words that were played. */
function isOnwards({ options }: Search): boolean {
  return Boolean(options.played?.length);
}
