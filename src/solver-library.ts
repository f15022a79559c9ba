/**
 * The part of this program for other programs: the solver, as `letterboxed-bot/solver`. It loads no chat platform. Programs
 * that need nothing else, and browsers, take the package `letterboxed-solver` (packages/solver), made of the same files.
 *
 * @example
 * import { makeSearch, parseBoard, readLexicon, walkBoard } from 'letterboxed-bot/solver';
 *
 * const board = parseBoard('ozu nri lfa mbt');
 * const search = makeSearch(board, walkBoard(board, readLexicon()));
 * console.log(search.fewest, search.count(2)); // 2 22
 * for (const { words } of search.solutions('shortest')) console.log(words.join(' '));
 */
export * from './solver/index.ts';
export { lexiconFromText, readLexicon } from './wordlists/load.ts';
