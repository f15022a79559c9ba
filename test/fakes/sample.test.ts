import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const MODULE = 'test/fakes/sample.ts';

/** Each test or group with the tag, from its line to the one with the same indentation that ends it. */
function taggedIn(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!/tags: 'whole'/.test(line)) return [];
    const from = lines.findLastIndex((one, index) => index <= at && /^ *(it|test|describe)\b/.test(one));
    const indent = /^ */.exec(lines[from] ?? '')![0];
    const to = lines.findIndex(
      (one, index) => index > from && new RegExp(`^${indent}(\\}\\)|\\));`).test(one),
    );
    return [lines.slice(from, to + 1).join('\n')];
  });
}

/** What depends on the length of a run: the two exports, what fast-check draws, and constants that are made of them. */
function sampledIn(text: string): string[] {
  const sampled = ['sample', 'IS_LONG', 'fc'];
  for (const [, name = '', value = ''] of text.matchAll(/^const (\w+)[^=]*= ([\s\S]*?);$/gm))
    if (mentions(value, sampled)) sampled.push(name);
  return sampled;
}

function mentions(text: string, names: readonly string[]): boolean {
  return new RegExp(`\\b(${names.join('|')})\\b`).test(text);
}

function wrongIn(text: string): string[] {
  const sampled = sampledIn(text);
  return taggedIn(text).filter((one) => mentions(one, sampled));
}

it('is used by no test with the tag `whole`, which `npm run test:long` leaves out', () => {
  const files = globSync('test/**/*.test.ts').filter((file) => file !== 'test/fakes/sample.test.ts');
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  expect(texts.flatMap(wrongIn)).toEqual([]);
  // Groups and single tests, with the tag on a line of its own, too.
  expect(texts.flatMap(taggedIn).length).toBeGreaterThan(15);
});

it('is imported by whatever takes fast-check, so that `npm run test:long` checks other cases of that test', () => {
  const files = globSync('test/**/*.ts').filter((file) => file !== 'test/fakes/fast-check.ts');
  expect(files.filter((file) => /^import .* from 'fast-check';/m.test(readFileSync(file, 'utf8')))).toEqual(
    [],
  );
});

it.each([
  "const MANY = sample(9, 1);\nit('a', { tags: 'whole' }, () => {\n  use(MANY);\n});",
  "const A = IS_LONG ? 2 : 1;\nconst B = A + 1;\ndescribe('a', { tags: 'whole' }, () => {\n  it('b', () => {\n    use(B);\n  });\n});",
  "it('a', {\n  tags: 'whole',\n}, () => {\n  use(sample(9, 1));\n});",
  "it('a', { tags: 'whole' }, () => {\n  fc.assert(fc.property(fc.nat(), use));\n});",
])(`is found in %j, so that what imports ${MODULE} is checked`, (text) => {
  expect(wrongIn(text)).toHaveLength(1);
});
