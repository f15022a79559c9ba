/** Follows docs/add-a-command.md to the letter, in a copy of the repository. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong } from '../fakes/sample.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/.bin/vitest');
const copy = makeFolder();

/** The page's code blocks by the words after their fence, such as `ts entry`, without the list's indentation. */
function blocksOf(page: string): Map<string, string> {
  const blocks = page.matchAll(/^( *)```(\S.*)\n([\s\S]*?)\n\1```$/gm);
  return new Map(
    Array.from(blocks, ([, indent = '', name = '', code = '']) => [
      name,
      code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    ]),
  );
}

const page = readFileSync(join(ROOT, 'docs/add-a-command.md'), 'utf8');
const blocks = blocksOf(page);
const [, file = ''] = /^ts (commands\/[\w-]+\.ts)$/m.exec([...blocks.keys()].join('\n')) ?? [];

beforeAll(() => {
  const parts = [
    'bin',
    'commands',
    'scripts',
    'src',
    'test',
    '.gitignore',
    'biome.json',
    'manifest.json',
    'package.json',
  ];
  for (const part of [...parts, 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'build']) symlinkSync(join(ROOT, part), join(copy, part));
  writeFileSync(join(copy, file), `${blocks.get(`ts ${file}`)}\n`);
  const index = join(copy, 'commands/index.ts');
  const [head = '', list = ''] = readFileSync(index, 'utf8').split(/(?<=name: 'Tools', commands: \[)/);
  const imports = head.replace(/^import /m, `${blocks.get('ts import')}\nimport `);
  writeFileSync(index, `${imports}${blocks.get('ts entry')}\n${list}`);
  const names = join(copy, 'commands/names.ts');
  const named = readFileSync(names, 'utf8').replace('  solve: ', `  ${blocks.get('ts name')}\n  solve: `);
  writeFileSync(names, named);
});

/** What follows `npx node` or `npx vitest` in a line of the page. */
const called = (program: string) =>
  new RegExp(`\`npx ${program} ([^\`]+)\``).exec(page)?.[1]?.split(' ') ?? [];

const run = (command: string, args: readonly string[], settings = {}) =>
  spawnSync(command, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...bareEnvironment(), DATA_DIR: join(copy, 'data'), PUZZLE_SOURCE: 'house', ...settings },
  });

test('the new command answers as the page says', onlyLong, () => {
  const [, line = ''] = /letterboxed -- (.*)/.exec(blocks.get('sh') ?? '') ?? [];
  const { stdout, stderr } = run(process.execPath, ['bin/letterboxed.js', ...line.split(' ')]);
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: blocks.get('text'), stderr: '' });
});

test('help knows it', onlyLong, () => {
  const { stdout } = run(process.execPath, ['bin/letterboxed.js', 'help']);
  expect(stdout).toMatch(/^ {2}vowels +How many vowels the board has$/m);
});

test('it passes the type check', onlyLong, () => {
  const { stdout } = run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'tsconfig.json']);
  expect(
    stdout.split('\n').filter((line) => line.startsWith(file) || line.startsWith('commands/index.ts')),
  ).toEqual([]);
});

test('the manifest is written with it, and the imports are sorted', onlyLong, () => {
  expect(run(process.execPath, called('node')).stderr).toBe('');
  expect(readFileSync(join(copy, 'manifest.json'), 'utf8')).toContain('vowels');
  const files = ['--write', '--vcs-enabled=false', file, 'commands/index.ts'];
  expect(run(join(ROOT, 'node_modules/.bin/biome'), ['check', ...files]).status).toBe(0);
});

test('the tests that are made from declarations pass with it, and a transcript is written', onlyLong, () => {
  const { status, stdout } = run(VITEST, called('vitest'));
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests .*passed/) });
  const transcript = join(copy, 'test/commands/transcripts/vowels.txt');
  writeFileSync(transcript, `${blocks.get('text transcript')}\n`);
  const typed = ['run', 'test/commands/transcripts.test.ts', '-t', 'vowels'];
  const written = run(VITEST, typed, { TRANSCRIPTS: 'write' });
  expect(written.stdout).toMatch(/Tests .*1 passed/);
  expect(readFileSync(transcript, 'utf8')).toContain('Which they are (hidden):');
});
