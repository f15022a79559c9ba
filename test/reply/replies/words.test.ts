import { expect, test } from 'vitest';
import { isSpelled } from '../../../src/reply/replies/words.ts';
import fc from '../../fakes/fast-check.ts';

test('a pattern fits the words that the same regular expression fits', () => {
  const text = (signs: string) => fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 });
  fc.assert(
    fc.property(text('ab'), text('ab?*'), (word, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`);
      expect(isSpelled(word, pattern)).toBe(expression.test(word));
    }),
  );
});

test('a pattern of many stars is read as soon as any other', () => {
  expect(isSpelled('a'.repeat(40), `${'*a'.repeat(19)}*b`)).toBe(false);
});
