import { compilePattern } from '../../core/letter-pattern.ts';
import { clip, counted, grouped, listed } from '../../core/text.ts';
import { popcount } from '../../solver/bits.ts';
import type { PlayableWord } from '../../solver/types.ts';
import { isOffensive } from '../../wordlists/offensive-words.ts';
import type { NamedBoard } from '../model/named-board.ts';
import { aboutPage, itemsBefore, pageButtons, pageNote, pageOf } from '../model/page.ts';
import {
  bold,
  buttonsBlock,
  factsBlock,
  type Maybe,
  notes,
  present,
  textBlock,
  toAsker,
} from '../model/text.ts';
import { type Action, type Block, type BoardReply, dataReply, type Line } from '../model/types.ts';
import { PERCENT_MEANS, percent, withWarning } from './solution-lists.ts';

const WORDS_PER_PAGE = 40;

export const WORD_SORTS = ['likely', 'coverage', 'length', 'alpha'] as const;
type WordSort = (typeof WORD_SORTS)[number];

export interface WordFilter {
  readonly starts?: string;
  readonly ends?: string;
  /** A pattern for the whole word, in which `?` is one letter and `*` any number of them; or `/…/`, see `compilePattern`. */
  readonly pattern?: string;
  /** The fewest and the most letters, such as 5-7. */
  readonly length?: string;
  /** Only words in which no letter comes twice. */
  readonly once?: true;
  /** Letters that must all be in the word. */
  readonly uses?: string;
  /** Only words most people know. */
  readonly everyday?: true;
  readonly sort?: WordSort;
}

export interface WordsRequest {
  readonly namedBoard: NamedBoard;
  readonly words: readonly PlayableWord[];
  readonly filter: WordFilter;
  /**
   * Whether the word list of the game is known (`Judge.isListExact`). The game then takes every word of it, and likelihoods only
   * rank how well known the words are; otherwise a likelihood is the chance that the game takes a word.
   */
  readonly isListExact: boolean;
  readonly page?: number;
}

/** The playable words that match, hidden and page by page. */
export function wordsReply({ namedBoard, words, filter, isListExact, page }: WordsRequest): BoardReply {
  const { sort = 'likely', ...asked } = filter;
  const found = pickWords(words, filter);
  const shown = pageOf(found, page ?? 1, WORDS_PER_PAGE);
  const action: Action = { command: 'words', options: { ...namedBoard.options, ...asked, sort } };
  const filters = filterTexts(asked);
  const isEmpty = found.length === 0;
  const label = sort === 'likely' && isListExact ? 'Words, best known first' : SORT_LABELS[sort];
  const spoiler = (name: string, some: readonly PlayableWord[]): Maybe<Block> =>
    some.length > 0 && {
      kind: 'spoiler',
      label: name,
      hidden: groupedLines(some, GROUPS_BY_SORT[sort](isListExact)),
      reveals: undefined,
    };
  const offensive = shown.items.filter(({ word }) => isOffensive(word));
  const inoffensive = shown.items.filter((word) => !offensive.includes(word));
  const blocks = [
    factsBlock({
      'Playable words': grouped(words.length),
      Matching: filters.length > 0 && [grouped(found.length), ...filters].join(', '),
    }),
    textBlock([isEmpty && 'No playable word matches.']),
    spoiler(label, inoffensive),
    spoiler(withWarning(label), offensive),
    notes(!isEmpty && sort === 'likely' && !isListExact && `${PERCENT_MEANS}.`),
    pageNote('Word', shown),
    buttonsBlock(pageButtons(action, shown)),
  ];
  return toAsker(`Playable words: ${namedBoard.name}`, blocks, {
    reveals: [],
    notFound: isEmpty ? 'none' : undefined,
    ...aboutPage(action, shown, page !== undefined),
  });
}

/** What a filter asks for: typed sentences may be understood otherwise than they were meant. */
function filterTexts({ starts, ends, pattern, length, once, uses, everyday }: WordFilter): string[] {
  const letters = (some: string) => listed(Array.from(some.toUpperCase()));
  // The pattern that a sentence with "without" gives, see `put` in wish-values.ts.
  const [, without] = /^\/\^\[\^([a-z]+)\]\*\$\/$/.exec(pattern ?? '') ?? [];
  return present([
    starts && `starting with ${starts.toUpperCase()}`,
    ends && `ending with ${ends.toUpperCase()}`,
    uses && `with ${letters(uses)}`,
    without ? `without ${letters(without)}` : pattern && `like ${clip(pattern)}`,
    length && `of ${length.replace(/^(\d+)-\1$/, '$1')} letter${length === '1-1' ? '' : 's'}`,
    once && 'no letter twice',
    everyday && 'well known',
  ]);
}

const DEFAULT_DATA_LIMIT = 50;

export function wordsData(
  { namedBoard, words, filter, page = 1 }: WordsRequest,
  limit = DEFAULT_DATA_LIMIT,
): BoardReply {
  const found = pickWords(words, filter);
  const before = itemsBefore(page, limit);
  const shown = found.slice(before, before + limit).map((one) => {
    const { word, likelihood, tier } = one;
    return { word, likelihood, tier, covers: coverageOf(one) };
  });
  return dataReply({ sides: namedBoard.board.sides, total: found.length, words: shown }, [], {
    notFound: found.length === 0 ? 'none' : undefined,
  });
}

/** The matching words in the requested order, offensive ones last; ties by likelihood, then alphabetically. */
function pickWords(
  words: readonly PlayableWord[],
  { starts = '', ends = '', uses = '', pattern, length, once, everyday, sort = 'likely' }: WordFilter,
): PlayableWord[] {
  const key = SORT_KEYS[sort];
  const offensive = new Set(words.filter(({ word }) => isOffensive(word)));
  const demoted = (word: PlayableWord) => (offensive.has(word) ? 1 : 0);
  const [shortest = 0, longest = shortest] = length?.split('-').map(Number) ?? [0, Number.POSITIVE_INFINITY];
  const matches = pattern === undefined ? () => true : matcherOf(pattern);
  const sorted = (letters: string) => Array.from(letters).sort();
  // A letter that is there twice has to be in the word twice.
  const needed = new RegExp(sorted(uses.toLowerCase()).join('.*'));
  return words
    .filter(({ tier }) => !everyday || tier === 'everyday')
    .filter(({ word }) => word.startsWith(starts.toLowerCase()) && word.endsWith(ends.toLowerCase()))
    .filter(({ word }) => uses === '' || needed.test(sorted(word).join('')))
    .filter(({ word }) => word.length >= shortest && word.length <= longest)
    .filter(({ word }) => !once || new Set(word).size === word.length)
    .filter(({ word }) => matches(word))
    .sort(
      (a, b) =>
        demoted(a) - demoted(b) ||
        key(b) - key(a) ||
        (sort === 'alpha' ? 0 : b.likelihood - a.likelihood) ||
        (a.word < b.word ? -1 : 1),
    );
}

/**
 * Whether words fit a `WordFilter.pattern`.
 *
 * @example matcherOf('f?r*m')('forum') // true
 */
export function matcherOf(pattern: string): (word: string) => boolean {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? [];
  return compilePattern(expression ?? `^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`);
}

/** The most spots that a walk of the word touches. */
const coverageOf = ({ walks }: PlayableWord) => Math.max(...walks.map(({ mask }) => popcount(mask)));

const SORT_KEYS: Readonly<Record<WordSort, (word: PlayableWord) => number>> = {
  likely: ({ likelihood }) => likelihood,
  coverage: coverageOf,
  length: ({ length }) => length,
  // All words are equal, so that their spelling decides.
  alpha: () => 0,
};

const SORT_LABELS: Readonly<Record<WordSort, string>> = {
  likely: 'Words, likeliest first',
  coverage: 'Words, by how much of the board they use',
  length: 'Words, longest first',
  alpha: 'Words, by the alphabet',
};

/** Names the group of a word. The words of a group share a line, and the groups follow the order of the words. */
type GroupName = (word: PlayableWord) => string | undefined;

/** Words are listed by bands of likelihood, since the exact likelihood of a word helps nobody. */
const LIKELIHOOD_BANDS = [0.9, 0.5];

const GROUPS_BY_SORT: Readonly<Record<WordSort, (isListExact: boolean) => GroupName>> = {
  likely: (isListExact) => (word) => (isListExact ? undefined : bandOf(word)),
  coverage: () => (word) => counted(coverageOf(word), 'letter'),
  length: () => (word) => counted(word.length, 'letter'),
  alpha:
    () =>
    ({ word }) =>
      word[0]!.toUpperCase(),
};

function bandOf({ likelihood }: PlayableWord): string {
  const band = LIKELIHOOD_BANDS.find((least) => likelihood >= least);
  return band === undefined ? `Under ${percent(LIKELIHOOD_BANDS.at(-1)!)}` : `${percent(band)} or more`;
}

/** A line for each group, so that its name appears once rather than beside every word. */
function groupedLines(words: readonly PlayableWord[], nameOf: GroupName): Line[] {
  return [...Map.groupBy(words, nameOf)].map(([name, group]) => {
    const shown = group.map(({ word }) => word.toUpperCase()).join(', ');
    return name === undefined ? shown : [bold(`${name}: `), shown];
  });
}
