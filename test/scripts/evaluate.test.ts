import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../scripts/evaluate.ts';
import { formatBoard, parseBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { runHere } from '../chat/terminal/run.ts';
import { makeFolder } from '../fakes/folder.ts';

const BOARDS = ['ozu nri lfa mbt', 'eci axy otu hrn', 'riu pgh lcs yao'];
const DAYS = 3;
const folder = makeFolder();

/** Made-up days: the dictionaries agree on half of the words, and the solutions are our own first answers. */
beforeAll(() => {
  const lexicon = readLexicon();
  const days = BOARDS.map((text) => {
    const board = parseBoard(text);
    const playable = findPlayable(board, lexicon);
    const [best] = makeSearch(board, playable).solutions('shortest');
    return { board, playable, solution: best!.words };
  });
  const solutions = new Set(days.flatMap(({ solution }) => solution));
  const isAccepted = (word: string) => solutions.has(word) || word.charCodeAt(1) % 2 === 0;
  const files = days.map(({ board, playable, solution }) =>
    JSON.stringify({
      sides: formatBoard(board).toUpperCase().split(' '),
      dictionary: playable
        .map(({ word }) => word.toUpperCase())
        .filter((word) => isAccepted(word.toLowerCase())),
      ourSolution: solution.map((word) => word.toUpperCase()),
    }),
  );
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    writeFileSync(join(folder, `${date}.json`), files[day % files.length]!);
  }
});

const evaluate = (from?: string) => runHere(() => main(from));

describe('npm run evaluate', () => {
  it('measures a folder of days', async () => {
    const { out: stdout } = await evaluate(folder);
    expect(stdout).toContain(`| ${DAYS} days, 2020-01-01 to 2020-01-03 |  |`);
    expect(stdout).toContain('| official solution first in rank | 100.0 % |');
    expect(stdout).toContain('| first *shortest* answer accepted | 100.0 % |');
  });

  it('says what is wrong with a folder, and exits with 2', async () => {
    writeFileSync(join(folder, '2020-03-01.json'), '{"sides":["abc"],"dictionary":7}');
    for (const [from, message] of [
      [undefined, 'save each day’s answer in a folder of your own'],
      ['/no/such/folder', 'no such file'],
      [folder, '2020-03-01.json: '],
    ] as const)
      expect(await evaluate(from)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});
