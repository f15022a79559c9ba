/** Follows docs/add-a-command.md to the letter, in a copy of the repository. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';
import { IS_LONG } from '../fakes/sample.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'letterboxed-recipe-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

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

const blocks = blocksOf(readFileSync(join(ROOT, 'docs/add-a-command.md'), 'utf8'));
const [, file = ''] = /^ts (commands\/[\w-]+\.ts)$/m.exec([...blocks.keys()].join('\n')) ?? [];

beforeAll(() => {
  for (const part of ['commands', 'src', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'build']) symlinkSync(join(ROOT, part), join(copy, part));
  writeFileSync(join(copy, file), `${blocks.get(`ts ${file}`)}\n`);
  const index = join(copy, 'commands/index.ts');
  const [head = '', list = ''] = readFileSync(index, 'utf8').split(/(?<=name: 'Tools', commands: \[)/);
  const imports = head.replace(/^import /m, `${blocks.get('ts import')}\nimport `);
  writeFileSync(index, `${imports}${blocks.get('ts entry')}\n${list}`);
});

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...bareEnvironment(), DATA_DIR: join(copy, 'data'), PUZZLE_SOURCE: 'house' },
  });

test.runIf(IS_LONG)('the new command answers as the page says', () => {
  const [, typed = ''] = /letterboxed -- (.*)/.exec(blocks.get('sh') ?? '') ?? [];
  const { stdout, stderr } = run(process.execPath, ['bin/letterboxed.js', ...typed.split(' ')]);
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: blocks.get('text'), stderr: '' });
});

test.runIf(IS_LONG)('help knows it', () => {
  const { stdout } = run(process.execPath, ['bin/letterboxed.js', 'help']);
  expect(stdout).toMatch(/^ {2}vowels +How many vowels the board has$/m);
});

test.runIf(IS_LONG)('it passes the type check', () => {
  const { stdout } = run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'tsconfig.json']);
  expect(
    stdout.split('\n').filter((line) => line.startsWith(file) || line.startsWith('commands/index.ts')),
  ).toEqual([]);
});
