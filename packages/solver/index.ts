/**
 * The solver for other programs and for browsers: the package `letterboxed-solver`, and `letterboxed-bot/solver`. It loads no
 * chat platform.
 *
 * @example
 * import { loadWords, makeSearch, parseBoard, walkBoard } from 'letterboxed-solver';
 *
 * const board = parseBoard('ozu nri lfa mbt');
 * const search = makeSearch(board, walkBoard(board, await loadWords()));
 * console.log(search.fewest, search.count(2)); // 2 22
 * for (const { words } of search.solutions('shortest', { limit: 2 })) console.log(words.join(' '));
 * // forum mobilization
 * // multiform mobilization
 */
import { type Lexicon, loadLexicon } from '../../src/solver/lexicon.ts';

export { UserError } from '../../src/core/errors.ts';
export { formatBoard, hasRepeats, LIMITS } from '../../src/solver/board.ts';
export {
  BROKEN_RULES,
  type Broken,
  type BrokenRule,
  type CheckedWord,
  type CheckResult,
  explainBroken,
} from '../../src/solver/check.ts';
export type { GeneratedBoard, GenerateOptions } from '../../src/solver/generate.ts';
export type { FilteredWords, FilterStage } from '../../src/solver/hints.ts';
export { type Lexicon, type LexiconEntry, LexiconError, loadLexicon } from '../../src/solver/lexicon.ts';
export {
  type Bounds,
  type Count,
  type Listing,
  MAX_WORDS,
  type Search,
  type SearchOptions,
} from '../../src/solver/search.ts';
export * from '../../src/solver/types.ts';
export {
  checkWords,
  compileLexicon,
  edgeLetters,
  explainFilter,
  findPlayable,
  generate,
  hardestLetters,
  makeBoard,
  makeSearch,
  type OwnWord,
  parseBoard,
  startLetters,
  walkBoard,
} from './checked.ts';

const GZIP_MAGIC = 0x1f;

/**
 * The word list of the package, about 1 MB: read from the disk in Node, fetched in browsers.
 *
 * @param url where the list is, if a bundler or a server has put it elsewhere than beside this module
 */
export async function loadWords(
  url: { readonly href: string } | string = import.meta.resolve('#lexicon'),
): Promise<Lexicon> {
  const address = typeof url === 'string' ? url : url.href;
  // Bundlers for browsers refuse a module that imports one of Node.
  const bytes = address.startsWith('file:')
    ? await process.getBuiltinModule('node:fs/promises').readFile(new URL(address))
    : await fetched(address);
  if (bytes[0] !== GZIP_MAGIC) return loadLexicon(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return loadLexicon(new Uint8Array(await new Response(stream).arrayBuffer()));
}

async function fetched(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The word list can't be fetched: ${address} answers ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
