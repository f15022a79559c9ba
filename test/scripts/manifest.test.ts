import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onlyLong } from '../fakes/sample.ts';

const script = (...typed: string[]) =>
  spawnSync(process.execPath, ['scripts/manifest.ts', ...typed], { encoding: 'utf8' });

const MISTYPED: (readonly [string[], RegExp])[] = [
  [['--url', 'bot'], /^--url "bot" should be an address/],
  [['--help'], /^npx node scripts\/manifest\.ts /],
  [['--urk', 'https://bot.example.org'], /^npx node scripts\/manifest\.ts /],
  [['--url'], /^npx node scripts\/manifest\.ts /],
];

test.each(MISTYPED)('%j writes nothing, and says what to type', onlyLong, (typed, message) => {
  const before = readFileSync('manifest.json', 'utf8');
  const { status, stdout, stderr } = script(...typed);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
  expect(readFileSync('manifest.json', 'utf8')).toBe(before);
});

test('for an address, and for tokens that change, it is printed', () => {
  const manifest = JSON.parse(script('--url', 'https://bot.example.org', '--rotation').stdout);
  expect(manifest.settings).toMatchObject({ socket_mode_enabled: false, token_rotation_enabled: true });
});
