/**
 * The functions of the solver that people call with words and boards of their own. TypeScript checks their arguments; for others
 * this says in a sentence what is wrong with them.
 */
import { UserError } from '../../src/core/errors.ts';
import * as boards from '../../src/solver/board.ts';
import * as checks from '../../src/solver/check.ts';
import * as boardMaking from '../../src/solver/generate.ts';
import * as hints from '../../src/solver/hints.ts';
import * as lexicons from '../../src/solver/lexicon.ts';
import * as playable from '../../src/solver/playable.ts';
import * as searches from '../../src/solver/search.ts';
import { type Board, type BoardWords, type PlayableWord, TIERS, type Tier } from '../../src/solver/types.ts';

/** A word of a list of your own, with a likelihood of 1 and the tier `everyday` unless it says otherwise. */
export interface OwnWord {
  readonly word: string;
  /** Above 0 and at most 1. */
  readonly likelihood?: number;
  /** `everyday` or `wide`. */
  readonly tier?: string;
}

/**
 * Reads the sides of a board in any form that people type.
 *
 * @example parseBoard('OZU, NRI, LFA, MBT').sides // ['ozu', 'nri', 'lfa', 'mbt']
 * @throws UserError, which says what is wrong with the text
 */
export function parseBoard(text: string): Board {
  if (typeof text !== 'string') throw wrong('parseBoard takes a text, such as "ozu nri lfa mbt"');
  return boards.parseBoard(text);
}

/**
 * A board of sides that are already apart.
 *
 * @example makeBoard(['OZU', 'NRI', 'LFA', 'MBT']).sides // ['ozu', 'nri', 'lfa', 'mbt']
 * @throws UserError, which says what is wrong with the sides
 */
export function makeBoard(sides: readonly string[]): Board {
  if (!areTexts(sides)) throw wrong('makeBoard takes a list of sides, such as ["ozu", "nri", "lfa", "mbt"]');
  return boards.makeBoard(sides.map((side: string) => side.toLowerCase()));
}

/**
 * Compiles words for `loadLexicon`. The last of equal words counts.
 *
 * @example loadLexicon(compileLexicon(['forum', { word: 'mobilization', likelihood: 0.9 }])).size // 2
 * @throws UserError for what is no word of three plain letters or more
 */
export function compileLexicon(words: Iterable<string | OwnWord>): Uint8Array<ArrayBuffer> {
  if (typeof words === 'string' || typeof words?.[Symbol.iterator] !== 'function')
    throw wrong('compileLexicon takes a list of words, such as ["forum", "mobilization"]');
  return lexicons.compileLexicon(Array.from(words, entryOf)) as Uint8Array<ArrayBuffer>;
}

function entryOf(own: string | OwnWord): lexicons.LexiconEntry {
  const { word, likelihood = 1, tier = 'everyday' } = typeof own === 'string' ? { word: own } : (own ?? {});
  const plain = typeof word === 'string' ? word.toLowerCase() : '';
  if (!/^[a-z]{3,255}$/.test(plain))
    throw wrong(`${shown(word)} is no word for the list: words have 3 to 255 letters from a to z`);
  if (!(likelihood > 0 && likelihood <= 1))
    throw wrong(`The likelihood of ${shown(word)} should be above 0 and at most 1`);
  if (!TIERS.includes(tier as Tier)) throw wrong(`The tier of ${shown(word)} should be everyday or wide`);
  return { word: plain, likelihood, tier: tier as Tier };
}

/**
 * The words that can be walked on a board.
 *
 * @example walkBoard(parseBoard('ozu nri lfa mbt'), await loadWords()).size // 890
 */
export function walkBoard(board: Board, lexicon: lexicons.Lexicon): BoardWords {
  refuseOtherBoard('walkBoard', board);
  refuseOtherList('walkBoard', 'second', lexicon);
  return playable.walkBoard(board, lexicon);
}

/**
 * The search of a board and its words; see `Search` for what can be asked.
 *
 * @example makeSearch(board, walkBoard(board, words), { exclude: ['forum'] }).count(2) // 21
 */
export function makeSearch(
  board: Board,
  words: readonly PlayableWord[] | BoardWords,
  options?: searches.SearchOptions,
): searches.Search {
  refuseOtherBoard('makeSearch', board);
  const areWords = Array.isArray(words)
    ? words.every((one) => typeof one === 'object' && Array.isArray(one?.walks))
    : (words as BoardWords)?.weights instanceof Float64Array;
  if (!areWords)
    throw wrong('makeSearch takes the words of the board as its second argument: walkBoard(board, words)');
  refuseOtherOptions('makeSearch', options);
  return searches.makeSearch(board, words, options);
}

/** The words of `walkBoard` as objects, most likely first. */
export function findPlayable(board: Board, lexicon: lexicons.Lexicon): readonly PlayableWord[] {
  refuseOtherBoard('findPlayable', board);
  refuseOtherList('findPlayable', 'second', lexicon);
  return playable.findPlayable(board, lexicon);
}

/**
 * Judges words in the order in which they were played.
 *
 * @param search one of the whole board
 * @param isWord what the game takes
 * @example checkWords(board, ['unform', 'mobilization'], search, (word) => words.find(word) !== undefined).solved // true
 */
export function checkWords(
  board: Board,
  words: readonly string[],
  search: searches.Search,
  isWord: (word: string) => boolean,
): checks.CheckResult {
  refuseOtherBoard('checkWords', board);
  if (!areTexts(words))
    throw wrong('checkWords takes a list of words as its second argument, such as ["forum", "mozart"]');
  refuseOtherSearch('checkWords', 'third', search);
  if (typeof isWord !== 'function')
    throw wrong(
      'checkWords takes a function as its fourth argument: (word) => words.find(word) !== undefined',
    );
  return checks.checkWords(board, words, search, (word) => {
    const answer: unknown = isWord(word);
    if (answer instanceof Promise)
      throw wrong('checkWords takes a function that answers at once, not with a promise');
    return Boolean(answer);
  });
}

/**
 * Makes a board. The same word list, seed and shape give the same board.
 *
 * @example generate(await loadWords(), { seed: 'tea', difficulty: 'easy' }).board.sides // four sides of three letters
 */
export function generate(
  lexicon: lexicons.Lexicon,
  options: boardMaking.GenerateOptions,
): boardMaking.GeneratedBoard {
  refuseOtherList('generate', 'first', lexicon);
  if (typeof options?.seed !== 'string')
    throw wrong('generate takes a seed in its second argument: { seed: "tea" }');
  return boardMaking.generate(lexicon, options);
}

/**
 * The letters that fewest-word solutions begin with, best first. Empty when there is no solution, or when a count was cut.
 *
 * @example startLetters(search)[0]?.letter // 'f'
 */
export function startLetters(search: searches.Search): ReturnType<typeof hints.startLetters> {
  refuseOtherSearch('startLetters', 'first', search);
  return hints.startLetters(search);
}

/**
 * Every spot of the board; the spots that the fewest words touch come first.
 *
 * @example hardestLetters(search)[0]?.letter // 'z'
 */
export function hardestLetters(search: searches.Search): ReturnType<typeof hints.hardestLetters> {
  refuseOtherSearch('hardestLetters', 'first', search);
  return hints.hardestLetters(search);
}

/**
 * Every letter of the board as the first and as the last of a fewest-word solution, the good ones first. For a search of a whole
 * board, with nothing played; when it was cut, both lists are empty and `cut` says where.
 *
 * @example edgeLetters(search).last[0]?.letter // 'n'
 */
export function edgeLetters(search: searches.Search): ReturnType<typeof hints.edgeLetters> {
  refuseOtherSearch('edgeLetters', 'first', search);
  return hints.edgeLetters(search);
}

/**
 * What each stage of the filter leaves of a word list on a board, with examples.
 *
 * @example explainFilter(board, words).map(({ left }) => left) // [276720, 3000, 890]
 */
export function explainFilter(
  board: Board,
  lexicon: lexicons.Lexicon,
  options?: Pick<searches.SearchOptions, 'tier' | 'exclude'>,
  examples?: number,
): hints.FilteredWords[] {
  refuseOtherBoard('explainFilter', board);
  refuseOtherList('explainFilter', 'second', lexicon);
  refuseOtherOptions('explainFilter', options);
  return hints.explainFilter(board, lexicon, options, examples);
}

function refuseOtherBoard(name: string, board: Board): void {
  if (!Array.isArray(board?.sideOf))
    throw wrong(`${name} takes a board as its first argument: parseBoard("ozu nri lfa mbt")`);
}

function refuseOtherList(name: string, place: string, lexicon: lexicons.Lexicon): void {
  if (!(lexicon?.graph instanceof Int32Array))
    throw wrong(`${name} takes a word list as its ${place} argument: await loadWords(), or loadLexicon(…)`);
}

function refuseOtherOptions(name: string, options: searches.SearchOptions = {}): void {
  for (const option of ['played', 'exclude', 'require'] as const)
    if (options[option] !== undefined && !areTexts(options[option]))
      throw wrong(`${name} takes a list of words as ${option}: ["forum"]`);
  if (!TIERS.includes(options.tier ?? 'wide')) throw wrong(`${name} takes everyday or wide as tier`);
  if (!Number.isInteger(options.maxWords ?? 1)) throw wrong(`${name} takes a whole number as maxWords`);
}

function areTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
}

function refuseOtherSearch(name: string, place: string, search: searches.Search): void {
  if (!(search instanceof searches.Search))
    throw wrong(
      `${name} takes a search as its ${place} argument: makeSearch(board, walkBoard(board, words))`,
    );
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}

function wrong(what: string): UserError {
  return new UserError('arguments', `${what}.`);
}
