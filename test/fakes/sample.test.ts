import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('is imported by whatever takes fast-check, so that `npm run test:long` checks other cases of that test', () => {
  const files = globSync('test/**/*.ts').filter((file) => file !== 'test/fakes/fast-check.ts');
  expect(files.filter((file) => /^import .* from 'fast-check';/m.test(readFileSync(file, 'utf8')))).toEqual(
    [],
  );
});
