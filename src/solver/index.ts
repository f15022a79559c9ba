/** What the solver offers to other programs: of the package `letterboxed-solver`, and of `letterboxed-bot/solver`. */
export { UserError } from '../core/errors.ts';
export { formatBoard, hasRepeats, LIMITS, makeBoard, parseBoard } from './board.ts';
export {
  BROKEN_RULES,
  type Broken,
  type BrokenRule,
  type CheckedWord,
  type CheckResult,
  checkWords,
  explainBroken,
} from './check.ts';
export { type GeneratedBoard, type GenerateOptions, generate } from './generate.ts';
export {
  edgeLetters,
  explainFilter,
  type FilteredWords,
  type FilterStage,
  hardestLetters,
  startLetters,
} from './hints.ts';
export { compileLexicon, type Lexicon, type LexiconEntry, LexiconError, loadLexicon } from './lexicon.ts';
export { findPlayable, walkBoard } from './playable.ts';
export {
  type Bounds,
  type Count,
  type Listing,
  MAX_WORDS,
  makeSearch,
  type Search,
  type SearchOptions,
} from './search.ts';
export * from './types.ts';
