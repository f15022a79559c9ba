import { counted, listed } from '../../core/text.ts';
import {
  firstWord,
  type HintStep,
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
import { pathOf } from '../picture/path.ts';

/** The most letters that one step names. */
const SHOWN = 5;

type HintLines = (search: Search, best: Solution) => Line[];

/** What each step says of the best solution. All of it is hidden until it is asked for. */
export const HINT_LINES: Readonly<Record<HintStep, HintLines>> = {
  /** Without counts, which would add up to those of the next step. */
  start: (search) => {
    const good = startLetters(search).map(({ letter }) => letter.toUpperCase());
    if (search.options.played?.length) return [['The next word starts with ', bold(good[0] ?? ''), '.']];
    if (good.length === 0) return ['There was not enough time to compare the letters.'];
    const rest = [...new Set(search.board.letters.toUpperCase())].filter((letter) => !good.includes(letter));
    return [
      ['Best first: ', ...joined(good.slice(0, SHOWN).map(bold), ', '), '.'],
      ...(rest.length === 0 ? [] : [`No shortest solution starts with ${listed(rest, 'or')}.`]),
    ];
  },
  count: (search) => {
    const { fewest = 0, solutions } = wordsNeeded(search) ?? {};
    const more = search.options.played?.length ? ' more' : '';
    const ways = solutions === undefined ? '.' : `, in ${counted(solutions, 'way')}.`;
    return [[bold(`${fewest}${more} word${fewest === 1 ? '' : 's'}`), ` can do it${ways}`]];
  },
  hardest: (search) => {
    const covered = new Set(pathOf(search.board, search.options.played ?? []).words.flat());
    return hardestLetters(search)
      .filter(({ spot }) => !covered.has(spot))
      .slice(0, SHOWN)
      .map(({ letter, words }) => [bold(letter.toUpperCase()), `: ${counted(words, 'word')} can use it`]);
  },
  lengths: (_, best) => {
    const lengths = wordLengths(best);
    return lengths.length === 1
      ? [['One word of ', bold(counted(lengths[0]!, 'letter')), '.']]
      : [
          [
            'In order: ',
            ...joined(
              lengths.map((length) => bold(String(length))),
              ', then ',
            ),
            ' letters.',
          ],
        ];
  },
  joint: (search, best) => {
    const letters = joiningLetters(best).map((letter) => bold(letter.toUpperCase()));
    return letters.length === 0
      ? [`Nowhere: one ${search.options.played?.length ? 'more ' : ''}word is enough.`]
      : [['The words join on ', ...joined(letters, ', then on '), '.']];
  },
  meaning: (_, { words }) =>
    clues(words).map((clue, index) => [
      words.length === 1 ? '' : `Word ${index + 1}: `,
      clue ?? 'no short definition for this one',
      '.',
    ]),
  masked: (_, best) => maskedWords(best).map(code),
  first: (search, best) => [
    [search.options.played?.length ? 'Go on with ' : 'Start with ', bold(firstWord(best).toUpperCase()), '.'],
  ],
};

/** What each word means; undefined for a word without a clue, or whose clue names another word of the solution. */
export function clues(words: readonly string[]): (string | undefined)[] {
  return words.map((word) => {
    const clue = readClue(word);
    const tokens = new Set(clue?.toLowerCase().match(/[a-z]+/g));
    return words.some((one) => tokens.has(one)) ? undefined : clue;
  });
}
