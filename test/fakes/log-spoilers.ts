import { globSync, readFileSync } from 'node:fs';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { makeLog } from '../../src/operations/observability/log.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import { type Puzzle, SOURCES } from '../../src/puzzle/types.ts';
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
  // Without the names of files in stacks.
  const text = lines.join('').replaceAll(/\\n +at [^"\\]*/g, '');
  const words = puzzle === undefined ? [] : solvingWords(lexicon, puzzle);
  const found = words.filter((word) => isIn(text, word) && !isOrdinary(text, word));
  const [token] = TOKEN.exec(text) ?? [];
  return token === undefined ? found : [...found, token];
}

function isIn(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`, 'i').test(text);
}

/**
 * Whether a word stands only in sentences of the program or of errors that tests make up, or as the name of a source: some
 * days' boards are solved with "house" or "error".
 */
function isOrdinary(text: string, word: string): boolean {
  const places = text.match(new RegExp(`(?:\\w+ ){0,2}\\b${word}\\b(?: \\w+){0,2}`, 'gi')) ?? [];
  sentences ??= sentencesOf();
  return places.every((place) => isSource(place) || (place.includes(' ') && sentences!.includes(place)));
}
let sentences: string | undefined;

function isSource(name: string): boolean {
  return (SOURCES as readonly string[]).includes(name);
}

function sentencesOf(): string {
  const read = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, 'utf8'));
  const madeUp = read('test/**/*.ts').flatMap((code) => code.match(/Error\('[^']*'/g) ?? []);
  return [...read('{src,commands}/**/*.ts'), ...madeUp].join('\n');
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
    puzzle = housePuzzle(date, { lexicon, make: (options) => generate(lexicon, options) });
    boards.set(date, puzzle);
  }
  return puzzle;
}
const houses = new WeakMap<Lexicon, Map<PuzzleDate, Puzzle>>();
