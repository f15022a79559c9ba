import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { wholeAnswer } from '../../bench/solver-comparison.ts';
import { hasRepeats, parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import type { Board } from '../../src/solver/types.ts';

/** Steps are the same on every machine, so a little more of them is more work, and no chance. */
const MOST_MORE = 1.02;
/** Boards of this size take tens of milliseconds each, so one in ten is enough; of boards like the newspaper's there are 600. */
const LARGE = 16;
const ONE_LARGE_IN = 10;
const USUAL = '4 sides, 12 letters';
const ONE_USUAL_IN = 4;
const FILE = new URL('steps.json', import.meta.url);

interface Steps {
  readonly boards: number;
  /** Of all these boards, and of the board that takes most. */
  readonly steps: number;
  readonly most: number;
}

it('answers the public boards wholly in no more steps than before, in each class of boards', () => {
  const steps = stepsByClass();
  if (process.env.UPDATE_STEPS !== undefined) writeFileSync(FILE, `${JSON.stringify(steps, undefined, 2)}\n`);
  const before = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Steps>;
  expect(Object.keys(steps)).toEqual(Object.keys(before));
  const more = Object.entries(steps).flatMap(([name, { steps: all, most }]) => {
    const known = before[name]!;
    const ratio = Math.max(all / known.steps, most / known.most);
    return ratio > MOST_MORE ? [`${name}: ${ratio.toFixed(2)} times as many steps`] : [];
  });
  // If the work is meant: UPDATE_STEPS=1 npx vitest run test/solver/steps.test.ts
  expect(more).toEqual([]);
});

function stepsByClass(): Record<string, Steps> {
  const read = (name: string) => readFileSync(`packages/solver/boards/${name}`, 'utf8').trim().split('\n');
  // Likelihoods as far apart as real ones: among equal ones, no order of trying words would be better than another.
  const words = read('words.txt').map((word, at) => ({
    word,
    likelihood: 1 / (1 + ((at * 7919) % 1000) / 100),
    tier: 'everyday' as const,
  }));
  const lexicon = loadLexicon(compileLexicon(words));
  const boards = read('boards.csv').slice(1);
  const classes: Record<string, Steps> = {};
  for (const [index, row] of boards.entries()) {
    const board = parseBoard(row.slice(0, row.indexOf(',')));
    if (index % oneIn(board) !== 0) continue;
    const { search, fewest } = wholeAnswer(board, lexicon);
    const name = classOf(board, fewest);
    const known = classes[name] ?? { boards: 0, steps: 0, most: 0 };
    classes[name] = {
      boards: known.boards + 1,
      steps: known.steps + search.steps,
      most: Math.max(known.most, search.steps),
    };
  }
  return Object.fromEntries(Object.entries(classes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function oneIn(board: Board): number {
  if (board.letters.length === LARGE) return ONE_LARGE_IN;
  return sizeOf(board) === USUAL ? ONE_USUAL_IN : 1;
}

function classOf(board: Board, fewest: number | undefined): string {
  return `${sizeOf(board)}, fewest words ${fewest ?? 'none'}`;
}

function sizeOf(board: Board): string {
  const repeats = hasRepeats(board) ? ', repeats' : '';
  return `${board.sides.length} sides, ${board.letters.length} letters${repeats}`;
}
