import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('is the only way to skip a test: whoever runs the tests reads why', () => {
  const skips = /\.(?:skipIf|runIf|todo)\(|\b(?:it|test|describe|context)\.(?:skip|only)\b|\bskip: true/;
  const files = globSync('test/**/*.ts').filter((file) => !/^test\/fakes\/needs\b/.test(file));
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => skips.test(readFileSync(file, 'utf8')))).toEqual([]);
});
