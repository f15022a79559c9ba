import { isPadded, offends, shortestOf } from '../reply/replies/chosen-solutions.ts';
import { hardestLetters } from '../solver/hints.ts';
import { Random } from '../solver/random.ts';
import type { Search } from '../solver/search.ts';

/** Enough for a long hunt, and few enough that people can find them all. */
const TO_FIND = { least: 10, most: 15 };
/** Solutions that are looked through for them. */
const MOST_HUNTED = 1_000;

/**
 * The solutions of a board that people hunt for, shortest first and then the likeliest. Solutions that only add a word to a
 * shorter one are left out, unless there would be too few.
 */
export function toFind(search: Search): (readonly string[])[] {
  const { board, fewest = 0 } = search;
  const found: (readonly string[])[] = [];
  const padded: (readonly string[])[] = [];
  for (const { words } of shortestOf(search).take(MOST_HUNTED)) {
    if (words.length === fewest || !isPadded(board, words)) found.push(words);
    else if (words.length === fewest + 1) padded.push(words);
    if (found.length === TO_FIND.most) break;
  }
  return [...found, ...padded.slice(0, Math.max(0, TO_FIND.least - found.length))];
}

/** What can be said about a board once it is over, beside what people have found. */
export interface Recap {
  /** The letter that the fewest words use. */
  readonly hardest?: string;
  /** The best of the shortest solutions that nobody found; none that may offend. */
  readonly unfound?: readonly string[];
}

/** Solutions that are looked through for one that nobody found. */
const MOST_SOLUTIONS = 200;
/** Letters and digits: enough to tell the solutions of one board apart. */
const CHECKSUM = 12;

/** @param found the checksums of the solutions that people found */
export function recapOf(search: Search, found: readonly string[]): Recap {
  const [hardest] = hardestLetters(search);
  const known = new Set(found);
  const unfound = shortestOf(search)
    .take(MOST_SOLUTIONS)
    .find(({ words }) => !known.has(solutionChecksum(words)) && !offends(search, words));
  return {
    hardest: hardest?.letter,
    unfound: unfound?.words,
  };
}

/** A checksum of the words of a solution: the words themselves are not stored with results. */
export function solutionChecksum(words: readonly string[]): string {
  const random = new Random(words.join(' '));
  return Array.from({ length: CHECKSUM }, () => random.below(36).toString(36)).join('');
}
