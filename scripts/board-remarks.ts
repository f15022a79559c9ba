/**
 * Counts how many of 1,000 house boards each kind of sentence in src/puzzle/remark.ts is true of (its `share`), and how
 * often a channel gets it in 3,650 days: `node scripts/board-remarks.ts`. The same boards every time; three minutes.
 */
import type { PuzzleDate } from '../src/core/clock.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import { housePuzzle } from '../src/puzzle/house.ts';
import { REMARK_KINDS, REMARK_REPEAT_DAYS, remarkOn, remarksOn } from '../src/puzzle/remark.ts';
import { generate } from '../src/solver/generate.ts';
import { readLexicon } from '../src/wordlists/load.ts';

const lexicon = readLexicon();
const boardsFrom = (first: PuzzleDate, days: number) =>
  Array.from(
    { length: days },
    (_, day) => housePuzzle(addDays(first, day), (options) => generate(lexicon, options)).board,
  );

const shares = new Map<string, number>();
for (const board of boardsFrom('2020-01-01', 1_000))
  for (const { kind } of remarksOn(board)) shares.set(kind, (shares.get(kind) ?? 0) + 1);

const said: string[] = [];
for (const board of boardsFrom('2026-11-26', 3_650))
  said.push(remarkOn(board, said.slice(-REMARK_REPEAT_DAYS))?.kind ?? 'nothing');
const times = new Map([...Map.groupBy(said, (kind) => kind)].map(([kind, those]) => [kind, those.length]));

console.log('| kind | of 1,000 boards | in 3,650 days |\n| --- | ---: | ---: |');
for (const kind of [...REMARK_KINDS, 'nothing'])
  console.log(`| ${kind} | ${shares.get(kind) ?? 0} | ${times.get(kind) ?? 0} |`);
