/** Measures the quality of answers on a folder of past days: `npm run evaluate -- FOLDER`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { heading, row } from '../bench/table.ts';
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
    if (folder === undefined)
      throw new Error(
        'FOLDER has a file for each past day of the newspaper, such as 2024-05-01.json, with its "sides", "dictionary" and "ourSolution" as the service returned them. They are the newspaper’s, so this repository has none: save each day’s answer in a folder of your own.',
      );
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

/** How good the answers of one day are that were made without its dictionary, which only decides what was right. */
export type Quality = ReturnType<typeof qualityOf>;

/** Solves a day with these words. */
export function qualityOf({ board, dictionary, official }: PastDay, words: readonly PlayableWord[]) {
  const search = makeSearch(board, words);
  const isAccepted = (solution: Solution | undefined) =>
    solution?.words.every((word) => dictionary.has(word)) ?? false;
  const ours = search.solutions('shortest', { exactly: official.length });
  const place = ours.toArray().findIndex((solution) => solution.words.join(' ') === official.join(' '));
  const losses = words.map(({ word, likelihood }) =>
    Math.log(dictionary.has(word) ? likelihood : 1 - likelihood),
  );
  return {
    safest: isAccepted(search.solutions('safest').next().value),
    shortest: isAccepted(search.solutions('shortest').next().value),
    isListed: place >= 0,
    isFirst: place === 0 && search.fewest === official.length,
    accepted: dictionary.size,
    known: words.filter(({ word }) => dictionary.has(word)).length,
    playable: words.length,
    loss: -losses.reduce((sum, loss) => sum + loss, 0),
  };
}

/** The table of docs/measurements.md. */
export function printQuality(days: readonly Quality[], title: string): void {
  const sum = (figure: keyof Quality) => days.reduce((all, day) => all + Number(day[figure]), 0);
  const percent = (part: keyof Quality, whole = days.length) => `${((100 * sum(part)) / whole).toFixed(1)} %`;
  heading(title, '');
  row('first *safest* answer accepted', percent('safest'));
  row('first *shortest* answer accepted', percent('shortest'));
  row('official solution among ours', percent('isListed'));
  row('official solution first in rank', percent('isFirst'));
  row('share of accepted words known', percent('known', sum('accepted')));
  row('share of playable words accepted', percent('known', sum('playable')));
  row("log loss of a word's likelihood", (sum('loss') / sum('playable')).toFixed(4));
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
  const progress = new Progress(screenOf(process.stderr, process.env));
  const measured = days.map((day, index) => {
    progress.show(() => `${index + 1} of ${days.length} days`);
    return qualityOf(day, findPlayable(day.board, lexicon));
  });
  progress.clear();
  printQuality(measured, `${days.length} days, ${days[0]!.date} to ${days.at(-1)!.date}`);
  return 0;
}
