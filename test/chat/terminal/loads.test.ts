/** What a command of the shell loads. Most of its time is loading, so modules are counted. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';

const LISTED = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) console.error(url);
    return next(url, context);
  },
});`;

function loadedBy(...typed: string[]): string[] {
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(LISTED)}`, 'bin/letterboxed.js', ...typed],
    { encoding: 'utf8', env: bareEnvironment() },
  );
  return stderr.match(/(?<=^file:).*$/gm) ?? [];
}

test.each([
  [['--help'], 40],
  [['blorp'], 50],
  [['vro', 'wal'], 50],
  [['vro', 'wal', 'eth', 'bdi'], 72],
])('%j loads no other commands, no store and no more than %i modules', (typed, most) => {
  const loaded = loadedBy(...typed);
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.length).toBeLessThanOrEqual(most);
  expect(loaded.filter((file) => /kysely|valibot|temporal|sqlite|commands\/index/.test(file))).toEqual([]);
});
