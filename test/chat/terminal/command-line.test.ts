import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { random } from '../../solver/random-boards.ts';

const BIN = fileURLToPath(new URL('../../../bin/letterboxed.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'letterboxed-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  code: number | null;
  out: string;
  err: string;
}

function letterboxed(args: readonly string[], input = ''): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { timeout: 20_000 });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    // A child that refuses its arguments closes its input before it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

describe('the command line', () => {
  it('solves as JSON, in the promised shape', async () => {
    const { code, out } = await letterboxed(['solve', '--json', 'tub pxi snq oja']);
    const answer = JSON.parse(out);
    expect(code).toBe(0);
    expect(Object.keys(answer)).toEqual(['sides', 'playable', 'fewest', 'counts', 'shortest', 'surest']);
    expect(answer.shortest[0].words).toEqual(['juxtaposition', 'niqab']);
    expect(answer.counts['2']).toBe(2);
  });

  it('takes exclusions, exact lengths and limits', async () => {
    const { out } = await letterboxed([
      'solve',
      '--json',
      '-n',
      '2',
      '-e',
      'niqab',
      '--limit',
      '1',
      'tub',
      'pxi',
      'snq',
      'oja',
    ]);
    expect(JSON.parse(out).shortest.map((solution: { words: string[] }) => solution.words)).toEqual([
      ['juxtaposition', 'niqabs'],
    ]);
  });

  it('solves a batch, one line each, and tells of the line that is no board', async () => {
    const { code, out } = await letterboxed(
      ['solve', '--batch', '--limit', '1'],
      'ozu nri lfa mbt\nnonsense\n\njli cud btk asr\n',
    );
    const lines = out
      .trim()
      .split('\n')
      .slice(0, 3)
      .map((line) => JSON.parse(line));
    expect(code).toBe(2);
    expect(lines[0].fewest).toBe(2);
    expect(lines[1]).toEqual({ line: 2, error: expect.stringContaining('run together') });
    expect(lines[2].sides).toEqual(['jli', 'cud', 'btk', 'asr']);
  });

  it('hints one step at a time and keeps the solution back', async () => {
    const { out } = await letterboxed(['hint', '--step', 'count', 'tub pxi snq oja']);
    expect(out).toContain('Words needed: 2 (2 such solutions)');
    expect(out).not.toContain('niqab');
  });

  it('checks words and says which rule is broken', async () => {
    const { code, out } = await letterboxed(['check', 'unform,nope,mobilization', 'ozu nri lfa mbt']);
    expect(code).toBe(0);
    expect(out).toMatch(/right {2}unform\nwrong {2}"nope"/);
  });

  it('makes the same board of the same seed', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => letterboxed(['generate', '--seed', 'tea', '--difficulty', 'easy'])),
    );
    expect(first).toEqual(second);
    expect(first?.code).toBe(0);
  });

  it('exits 1 when there is no solution, and says why', async () => {
    const { code, out } = await letterboxed(['solve', 'bcd fgh jkl mnp']);
    expect(code).toBe(1);
    expect(out).toContain('No word of the list can be played on this board.');
  });

  it.each([
    [['solve'], /No sides given/],
    [['solve', '--foo', 'x'], /Unknown option '--foo'/],
    [['solve', '-n', 'two', 'ozu nri lfa mbt'], /--words-exactly "two" should be a whole number from 1 to 8/],
    [['hint', '--step', 'everything', 'ozu nri lfa mbt'], /should be one of: start, count/],
    [['fly'], /There is no "fly" here; there is: solve/],
    [['solve', '--words', join(folder, 'gone.txt'), 'ozu nri lfa mbt'], /gone\.txt" can't be read/],
    [['check', 'forum'], /check takes the words, then the sides/],
  ])('exits 2 on %j with one clear line', async (args, message) => {
    const { code, err } = await letterboxed(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('uses a word list of one’s own', async () => {
    const file = join(folder, 'own.txt');
    writeFileSync(file, 'adgjbehkcfil\n');
    const { out } = await letterboxed(['solve', '--json', '--words', file, 'abc def ghi jkl']);
    expect(JSON.parse(out)).toMatchObject({
      playable: 1,
      fewest: 1,
      shortest: [{ words: ['adgjbehkcfil'], likelihood: 1 }],
    });
  });

  it('meets garbage with an exit status of its own and no stack trace', async () => {
    const next = random(11);
    const bits = [
      'solve',
      'hint',
      'check',
      'words',
      '--json',
      '-n',
      '9999',
      '--limit',
      '🙂',
      'אבג',
      '\u202e',
      'ozu',
      '[[',
      ']]',
      '""',
      '-',
      '--',
      '%s',
      '{}',
      'x'.repeat(5000),
    ];
    const pick = () => bits[Math.floor(next() * bits.length)]!;
    for (let round = 0; round < 40; round++) {
      const args = Array.from({ length: 1 + Math.floor(next() * 5) }, pick);
      const { code, err } = await letterboxed(args, '🙂\u0000nonsense\n'.repeat(3));
      expect([0, 1, 2], JSON.stringify(args)).toContain(code);
      expect(err, JSON.stringify(args)).not.toMatch(/\n\s+at /);
    }
  });

  it('reads a megabyte of garbage without a hang', async () => {
    const { code, out } = await letterboxed(
      ['solve', '--batch'],
      `${'z'.repeat(1_000_000)}\nozu nri lfa mbt\n`,
    );
    expect(code).toBe(2);
    expect(out).toContain('far too many for a board');
    expect(out).toContain('"fewest":2');
  });
});
