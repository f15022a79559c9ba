import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatBoard, parseBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { IS_LONG } from '../fakes/sample.ts';

const run = promisify(execFile);
const BOARDS = ['ozu nri lfa mbt', 'eci axy otu hrn', 'riu pgh lcs yao'];
const DAYS = 3;
let folder: string;

/** Made-up days: the dictionaries agree on half of the words, and the solutions are our own first answers. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'letterboxed-days-'));
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

afterAll(() => rmSync(folder, { recursive: true }));

const evaluate = (...args: string[]) => run(process.execPath, ['scripts/evaluate.ts', ...args]);

describe('npm run evaluate', () => {
  it('measures a folder of days', async () => {
    const { stdout } = await evaluate(folder);
    expect(stdout).toContain(`| ${DAYS} days, 2020-01-01 to 2020-01-03 |  |`);
    expect(stdout).toContain('| official solution first in rank | 100.0 % |');
    expect(stdout).toContain('| first *shortest* answer accepted | 100.0 % |');
  });

  it('says what is wrong with a folder, and exits with 2', async () => {
    const failure = (...args: string[]) => evaluate(...args).catch((error) => error);
    if (IS_LONG) {
      expect(await failure()).toMatchObject({ code: 2, stderr: expect.stringContaining('-- FOLDER') });
      expect(await failure('/no/such/folder')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('no such file'),
      });
    }
    writeFileSync(join(folder, '2020-03-01.json'), '{"sides":["abc"],"dictionary":7}');
    expect(await failure(folder)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2020-03-01\.json: "(sides|dictionary)"|2020-03-01\.json: /),
    });
  });
});
