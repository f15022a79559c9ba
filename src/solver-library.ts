/**
 * What other programs may use of this one: the solver, as `letterboxed-bot/solver`. It loads no chat platform.
 *
 * @example
 * import { makeSearch, parseBoard, readLexicon, walkBoard } from 'letterboxed-bot/solver';
 *
 * const board = parseBoard('ozu nri lfa mbt');
 * const search = makeSearch(board, walkBoard(board, readLexicon()));
 * console.log(search.fewest, search.count(2)); // 2 22
 * for (const { words } of search.solutions('shortest')) console.log(words.join(' '));
 */
export { UserError } from './core/errors.ts';
export { formatBoard, hasRepeats, LIMITS, makeBoard, parseBoard } from './solver/board.ts';
export {
  BROKEN_RULES,
  type Broken,
  type BrokenRule,
  type CheckedWord,
  type CheckResult,
  checkWords,
  explainBroken,
} from './solver/check.ts';
export type { Columns } from './solver/columns.ts';
export { type GeneratedBoard, type GenerateOptions, generate } from './solver/generate.ts';
export { type Lexicon, type LexiconEntry, LexiconError } from './solver/lexicon.ts';
export { findPlayable, walkBoard } from './solver/playable.ts';
export {
  type Bounds,
  type Count,
  type Listing,
  MAX_WORDS,
  makeSearch,
  type Search,
  type SearchOptions,
} from './solver/search.ts';
export * from './solver/types.ts';
export { lexiconFromText, readLexicon } from './wordlists/load.ts';
