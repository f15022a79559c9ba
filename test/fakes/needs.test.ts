import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const filesWith = (pattern: RegExp, but: RegExp) =>
  globSync('test/**/*.ts').filter((file) => !but.test(file) && pattern.test(readFileSync(file, 'utf8')));

it('is the only way to skip a test: whoever runs the tests reads why', () => {
  const skips = /\.(?:skipIf|runIf|todo)\(|\b(?:it|test|describe|context)\.(?:skip|only)\b|\bskip: true/;
  expect(filesWith(/^import .* from 'vitest';/m, /^$/).length).toBeGreaterThan(100);
  expect(filesWith(skips, /^test\/fakes\/needs\b/)).toEqual([]);
});

it('knows of every test with fast-check, so that `npm run test:long` checks other cases of it', () => {
  expect(filesWith(/^import .* from 'fast-check';/m, /^test\/fakes\/fast-check\.ts$/)).toEqual([]);
});
