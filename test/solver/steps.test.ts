import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wholeAnswer } from '../../bench/solver-comparison.ts';
import { formatBoard, hasRepeats, parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { walkBoard } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Board } from '../../src/solver/types.ts';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { countSolutions } from './brute.ts';

/** Steps are the same on every machine, so a little more of them is more work, and no chance. */
const MOST_MORE = 1.02;
/** Boards of this size take tens of milliseconds each, so one in ten is enough; of boards like the newspaper's there are 600. */
const LARGE = 16;
const ONE_LARGE_IN = 10;
const USUAL = '4 sides, 12 letters';
const ONE_USUAL_IN = 4;
const FILE = new URL('steps.json', import.meta.url);

/** With LONG=1 of four words, too: a plain enumeration takes 15 s for each. */
const CONFIRMED = sample(25, 1);
const MOST_WORDS = IS_LONG ? 4 : 3;

const read = (name: string) => readFileSync(`packages/solver/boards/${name}`, 'utf8').trim().split('\n');
const words = read('words.txt');
// Likelihoods as far apart as real ones: among equal ones, no order of trying words would be better than another.
const entries = words.map((word, at) => ({
  word,
  likelihood: 1 / (1 + ((at * 7919) % 1000) / 100),
  tier: 'everyday' as const,
}));
const lexicon = loadLexicon(compileLexicon(entries));
const [heading, ...rows] = read('boards.csv');
const boards = rows.map((row) => {
  const [sides = '', ...counts] = row.split(',');
  return { sides, counts: counts.map(Number) };
});

describe('the boards for other solvers', () => {
  it('are a thousand different ones in the one way to write them', () => {
    expect(heading).toBe('sides,one,two,three,four');
    expect(new Set(boards.map(({ sides }) => sides)).size).toBe(1000);
    for (const { sides } of boards) expect(formatBoard(parseBoard(sides))).toBe(sides);
  });

  it('have the counts of our solver', () => {
    for (const [index, { sides, counts }] of boards.entries()) {
      if (index % sample(1, 100) !== 0) continue;
      const board = parseBoard(sides);
      const search = makeSearch(board, walkBoard(board, lexicon), { padded: true });
      const counted = [1, 2, 3, 4].map((words) => search.count(words));
      expect(counted, sides).toEqual(counts);
    }
  });

  it(`have the counts of a plain enumeration, on ${CONFIRMED} of them`, () => {
    for (let index = 0; index < CONFIRMED; index++) {
      const { sides, counts } = boards[Math.floor(((index + 0.5) * boards.length) / CONFIRMED)]!;
      const plain = countSolutions(parseBoard(sides).sides, words, MOST_WORDS);
      expect(plain, sides).toEqual(counts.slice(0, MOST_WORDS));
    }
  }, 0);
});

interface Steps {
  readonly boards: number;
  /** Of all these boards, and of the board that takes most. */
  readonly steps: number;
  readonly most: number;
}

it('answers the boards for other solvers wholly in as many steps as before, in each class of boards', () => {
  const steps = stepsByClass();
  if (process.env.UPDATE_STEPS !== undefined) writeFileSync(FILE, `${JSON.stringify(steps, undefined, 2)}\n`);
  const before = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Steps>;
  expect(Object.keys(steps)).toEqual(Object.keys(before));
  const more = Object.entries(steps).flatMap(([name, { steps: all, most }]) => {
    const known = before[name]!;
    const ratios = [all / known.steps, most / known.most];
    // Fewer may be steps that are not counted, before which no search is stopped.
    const isOff = ratios.some((ratio) => Math.max(ratio, 1 / ratio) > MOST_MORE);
    return isOff
      ? [`${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} times as many steps`]
      : [];
  });
  // If it is meant: UPDATE_STEPS=1 npx vitest run test/solver/steps.test.ts
  expect(more).toEqual([]);
});

function stepsByClass(): Record<string, Steps> {
  const classes: Record<string, Steps> = {};
  for (const [index, { sides }] of boards.entries()) {
    const board = parseBoard(sides);
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
