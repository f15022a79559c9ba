import type { PuzzleDate } from '../../src/core/clock.ts';
import { makeLog } from '../../src/operations/observability/log.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { generate } from '../../src/solver/generate.ts';
import type { Lexicon } from '../../src/solver/lexicon.ts';
import { walkBoard } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Logged } from './app.ts';

/** Tokens of either platform, no matter which test made them up. */
const TOKEN = /xox[a-z]-[\w-]{6}|xapp-[\w-]{6}|[\w-]{20,}\.[\w-]{6}\.[\w-]{20,}/;
/** Shorter ones stand in any sentence. */
const SHORTEST = 4;
const LOOKED_AT = 20;

/**
 * What a log must not hold, written as the bot writes it: tokens, and words that solve the day's board. Each
 * test app is asked as it closes, so that the logs of the whole test run are searched.
 */
export function spoilersIn(
  logged: readonly Logged[],
  lexicon: Lexicon,
  puzzle: Puzzle | undefined,
): string[] {
  const lines: string[] = [];
  const log = makeLog({ level: 'debug', secrets: [], write: (line) => lines.push(line) });
  for (const { level, fields, message } of logged) log[level](fields, message);
  const text = lines.join('');
  const words = puzzle === undefined ? [] : solvingWords(lexicon, puzzle);
  const found = words.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(text));
  const [token] = TOKEN.exec(text) ?? [];
  return token === undefined ? found : [...found, token];
}

function solvingWords(lexicon: Lexicon, { board, official = [] }: Puzzle): string[] {
  const solutions = makeSearch(board, walkBoard(board, lexicon)).solutions('shortest').take(LOOKED_AT);
  const words = new Set([...official, ...solutions.flatMap((solution) => solution.words)]);
  return [...words].filter((word) => word.length >= SHORTEST);
}

/** The board of the day that an app without one of its own makes up. */
export function houseOf(lexicon: Lexicon, date: PuzzleDate): Puzzle {
  let boards = houses.get(lexicon);
  if (boards === undefined) {
    boards = new Map();
    houses.set(lexicon, boards);
  }
  let puzzle = boards.get(date);
  if (puzzle === undefined) {
    puzzle = housePuzzle(date, (wanted) => generate(lexicon, wanted));
    boards.set(date, puzzle);
  }
  return puzzle;
}
const houses = new WeakMap<Lexicon, Map<PuzzleDate, Puzzle>>();
