/** Measures the quality of answers on a folder of past days: `npm run evaluate -- FOLDER`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Progress, screenOf } from '../src/chat/terminal/screen.ts';
import { makeBoard } from '../src/solver/board.ts';
import { findPlayable } from '../src/solver/playable.ts';
import { makeSearch } from '../src/solver/search.ts';
import type { Board, PlayableWord, Solution } from '../src/solver/types.ts';
import { readLexicon } from '../src/wordlists/load.ts';

/** One past day, from a file of the newspaper. Such files are only read for measurements, never stored. */
export interface PastDay {
  readonly date: string;
  readonly board: Board;
  readonly dictionary: ReadonlySet<string>;
  readonly official: readonly string[];
}

const Words = v.array(v.pipe(v.string(), v.toLowerCase()));
const DayFile = v.object({ sides: Words, dictionary: Words, ourSolution: Words });

/** Reads a folder of `YYYY-MM-DD.json` files, in order of date. @throws Error that says what is wrong with it */
export function readDays(folder: string | undefined): PastDay[] {
  let file = folder ?? 'npm run evaluate -- FOLDER';
  try {
    if (folder === undefined) throw new Error('FOLDER is a folder of day files.');
    const names = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.json$/.test(name));
    if (names.length === 0) throw new Error('It holds no day files (named like 2024-05-01.json).');
    return names.sort().map((name) => {
      file = join(folder, name);
      const day = v.parse(DayFile, JSON.parse(readFileSync(file, 'utf8')));
      return {
        date: name.slice(0, 10),
        board: makeBoard(day.sides),
        dictionary: new Set(day.dictionary),
        official: day.ourSolution,
      };
    });
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** Quality of answers that were made without the day's dictionary; the dictionary only decides which were right. */
interface QualityMetrics {
  days: number;
  safestAccepted: number;
  shortestAccepted: number;
  /** Days whose official solution is among ours, and those on which it comes first in the *shortest* order. */
  listed: number;
  first: number;
  /** Words in the dictionaries, how many of them are in our list, and how many words of our list are playable. */
  accepted: number;
  known: number;
  playable: number;
  loss: number;
}

export function makeMetrics(): QualityMetrics {
  return { days: 0, safestAccepted: 0, shortestAccepted: 0, listed: 0, first: 0, accepted: 0, known: 0, playable: 0, loss: 0 }; // biome-ignore format: one line reads better
}

/** Solves one day with these words and adds the result. */
export function addDay(metrics: QualityMetrics, day: PastDay, words: readonly PlayableWord[]): void {
  const search = makeSearch(day.board, words);
  metrics.days++;
  if (isAccepted(day, search.solutions('safest').next().value)) metrics.safestAccepted++;
  if (isAccepted(day, search.solutions('shortest').next().value)) metrics.shortestAccepted++;
  const index = search
    .solutions('shortest', { exactly: day.official.length })
    .toArray()
    .findIndex((solution) => solution.words.join(' ') === day.official.join(' '));
  if (index >= 0) metrics.listed++;
  if (index === 0 && search.fewest === day.official.length) metrics.first++;
  metrics.accepted += day.dictionary.size;
  metrics.playable += words.length;
  for (const { word, likelihood } of words) {
    const accepted = day.dictionary.has(word);
    if (accepted) metrics.known++;
    metrics.loss -= Math.log(accepted ? likelihood : 1 - likelihood);
  }
}

function isAccepted(day: PastDay, solution: Solution | undefined): boolean {
  return solution?.words.every((word) => day.dictionary.has(word)) ?? false;
}

/** The table of docs/measurements.md. */
export function formatMetrics(metrics: QualityMetrics, title: string): string {
  const { days, accepted, known, playable, loss } = metrics;
  const percent = (part: number, whole = days) => `${((100 * part) / whole).toFixed(1)} %`;
  const rows = [
    [title, ''],
    ['---', '---'],
    ['first *safest* answer accepted', percent(metrics.safestAccepted)],
    ['first *shortest* answer accepted', percent(metrics.shortestAccepted)],
    ['official solution among ours', percent(metrics.listed)],
    ['official solution first in rank', percent(metrics.first)],
    ['share of accepted words known', percent(known, accepted)],
    ['share of playable words accepted', percent(known, playable)],
    ["log loss of a word's likelihood", (loss / playable).toFixed(4)],
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv[2]);

/** @returns the exit status */
export async function main(folder: string | undefined): Promise<number> {
  let days: PastDay[];
  try {
    days = readDays(folder);
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  const lexicon = readLexicon();
  const metrics = makeMetrics();
  const progress = new Progress(screenOf(process.stderr, process.env));
  for (const [index, day] of days.entries()) {
    addDay(metrics, day, findPlayable(day.board, lexicon));
    progress.show(() => `${index + 1} of ${days.length} days`);
  }
  progress.clear();
  console.log(formatMetrics(metrics, `${days.length} days, ${days[0]!.date} to ${days.at(-1)!.date}`));
  return 0;
}
