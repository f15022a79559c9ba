import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { botEnvironment } from '../bare-environment.ts';

it('bin/letterboxed.js starts the bot with the word start, as npx does from a package', () => {
  const run = (...typed: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, typed, {
      encoding: 'utf8',
      env: botEnvironment(),
    });
    return { status, stderr };
  };
  const usage = run('bin/letterboxed.js', 'start', '--help');
  expect(usage.stderr).toMatch(/^npm start: runs the bot\./);
  expect(usage).toEqual(run('bin/start.js', '--help'));
});
