import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBoard } from '../src/solver/board.ts';
import type { Board } from '../src/solver/types.ts';

/** One past day, from a file of the newspaper. Such files are only read for measurements, never stored. */
export interface PastDay {
  readonly date: string;
  readonly board: Board;
  readonly dictionary: ReadonlySet<string>;
  readonly official: readonly string[];
}

/** For scripts: prints what is wrong with the folder, without a stack trace, and exits. */
export function readDaysOrExit(folder: string | undefined): PastDay[] {
  try {
    return readDays(folder);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** Reads a folder of `YYYY-MM-DD.json` day files, in order of date. */
export function readDays(folder: string | undefined): PastDay[] {
  if (folder === undefined) throw new Error('Name the folder of day files, after two dashes: -- FOLDER');
  if (!existsSync(folder)) throw new Error(`${folder} is not there. Name a folder of day files.`);
  const files = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.json$/.test(name));
  if (files.length === 0) throw new Error(`${folder} holds no day files (named like 2024-05-01.json).`);
  return files.sort().map((name) => {
    try {
      return readDay(name.slice(0, 10), JSON.parse(readFileSync(join(folder, name), 'utf8')));
    } catch (error) {
      throw new Error(`${join(folder, name)}: ${(error as Error).message}`, { cause: error });
    }
  });
}

function readDay(date: string, file: unknown): PastDay {
  if (typeof file !== 'object' || file === null)
    throw new Error('should be an object with "sides" and so on');
  const strings = (field: string): string[] => {
    const value = (file as Record<string, unknown>)[field];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      throw new Error(`"${field}" should be a list of words`);
    }
    return value.map((item: string) => item.toLowerCase());
  };
  return {
    date,
    board: makeBoard(strings('sides')),
    dictionary: new Set(strings('dictionary')),
    official: strings('ourSolution'),
  };
}
