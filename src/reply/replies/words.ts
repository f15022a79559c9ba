import { grouped } from '../../core/text.ts';
import { popcount } from '../../solver/bits.ts';
import type { PlayableWord } from '../../solver/types.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';
import { pageButtons, pageNote, pageOf } from '../model/paging.ts';
import { buttonsBlock, type Subject } from '../model/subject.ts';
import type { Action, Reply } from '../model/types.ts';
import { likelihoodNote, percent } from './solution-parts.ts';

const PAGE = 40;

export const WORD_SORTS = ['likely', 'coverage', 'length'] as const;
export type WordSort = (typeof WORD_SORTS)[number];

export interface WordFilter {
  readonly starts?: string;
  readonly ends?: string;
  /** Letters that must all be in the word. */
  readonly uses?: string;
  /** Only words most people know. */
  readonly everyday?: true;
  readonly sort?: WordSort;
}

export interface WordsRequest {
  readonly subject: Subject;
  readonly words: readonly PlayableWord[];
  readonly filter: WordFilter;
  readonly certain: boolean;
  readonly page?: number;
  readonly audience: Reply['audience'];
}

/** The playable words that were asked for, hidden and page by page. */
export function wordsReply({ subject, words, filter, certain, page, audience }: WordsRequest): Reply {
  const { sort = 'likely', ...asked } = filter;
  const found = pickWords(words, filter);
  const shown = pageOf(found, page ?? 1, PAGE);
  const options: Action['options'] = { ...subject.options, ...asked, sort };
  const isNarrowed = Object.values(asked).some((letters) => letters !== undefined && letters !== '');
  return {
    title: `Playable words of ${subject.name}`,
    blocks: [
      {
        kind: 'facts',
        facts: [
          { label: 'Playable words', value: grouped(words.length) },
          ...(isNarrowed ? [{ label: 'As you asked for', value: grouped(found.length) }] : []),
        ],
      },
      ...(found.length === 0
        ? [{ kind: 'text' as const, lines: ['No such word can be played on this board.'] }]
        : [
            {
              kind: 'spoiler' as const,
              label: LABELS[sort],
              hidden: [shown.items.map((word) => describe(word, sort, certain)).join(', ')],
            },
            ...(sort === 'likely' ? likelihoodNote(certain) : []),
            ...pageNote('Words', shown),
          ]),
      ...buttonsBlock(pageButtons({ command: 'words', options }, shown)),
    ],
    audience,
    ...(found.length === 0 && { notFound: 'none' as const }),
    again: { command: 'words', options: { ...options, page: shown.number } },
    ...(page !== undefined && { replaces: true }),
  };
}

/** The matching words in the order asked for, offensive ones last; ties by likelihood, then alphabetically. */
export function pickWords(
  words: readonly PlayableWord[],
  { starts = '', ends = '', uses = '', everyday, sort = 'likely' }: WordFilter,
): PlayableWord[] {
  const key = KEYS[sort];
  const offensive = new Set(words.filter(({ word }) => isOffensive(word)));
  const demoted = (word: PlayableWord) => (offensive.has(word) ? 1 : 0);
  const [first, last, letters] = [starts.toLowerCase(), ends.toLowerCase(), [...uses.toLowerCase()]];
  return words
    .filter(({ tier }) => !everyday || tier === 'everyday')
    .filter(({ word }) => word.startsWith(first) && word.endsWith(last))
    .filter(({ word }) => letters.every((letter) => word.includes(letter)))
    .sort(
      (a, b) =>
        demoted(a) - demoted(b) ||
        key(b) - key(a) ||
        b.likelihood - a.likelihood ||
        (a.word < b.word ? -1 : 1),
    );
}

/** The most spots that a walk of the word touches. */
export const coverageOf = ({ walks }: PlayableWord) => Math.max(...walks.map(({ mask }) => popcount(mask)));

const KEYS: Readonly<Record<WordSort, (word: PlayableWord) => number>> = {
  likely: ({ likelihood }) => likelihood,
  coverage: coverageOf,
  length: ({ length }) => length,
};

const LABELS: Readonly<Record<WordSort, string>> = {
  likely: 'Words, the likeliest first',
  coverage: 'Words, those that use the most of the board first',
  length: 'Words, the longest first',
};

function describe(word: PlayableWord, sort: WordSort, certain: boolean): string {
  const shown = word.word.toUpperCase();
  switch (sort) {
    case 'likely':
      return certain ? shown : `${shown} (${percent(word.likelihood)})`;
    case 'coverage':
      return `${shown} (uses ${coverageOf(word)})`;
    case 'length':
      return `${shown} (${word.length})`;
  }
}
