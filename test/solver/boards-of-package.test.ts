import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatBoard, parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { walkBoard } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { countSolutions } from './brute.ts';

const read = (name: string) => readFileSync(`packages/solver/boards/${name}`, 'utf8').trim().split('\n');
const words = read('words.txt');
const [heading, ...rows] = read('boards.csv');
const boards = rows.map((row) => {
  const [sides = '', ...counts] = row.split(',');
  return { sides, counts: counts.map(Number) };
});
/** With LONG=1 of four words, too: a plain enumeration takes 15 s for each. */
const CONFIRMED = sample(25, 1);
const MOST_WORDS = IS_LONG ? 4 : 3;

describe('the boards for other solvers', () => {
  it('are a thousand different ones in the one way to write them', () => {
    expect(heading).toBe('sides,one,two,three,four');
    expect(new Set(boards.map(({ sides }) => sides)).size).toBe(1000);
    for (const { sides } of boards) expect(formatBoard(parseBoard(sides))).toBe(sides);
  });

  it('have the counts of our solver', () => {
    const entries = words.map((word) => ({ word, likelihood: 1, tier: 'everyday' as const }));
    const lexicon = loadLexicon(compileLexicon(entries));
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
