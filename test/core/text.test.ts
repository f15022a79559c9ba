import { expect, test } from 'vitest';
import { nearest, shorten } from '../../src/core/text.ts';

const NAMES = ['today', 'hint', 'reveal', 'solve', 'check', 'generate', 'words'];

test.each([
  ['hnt', 'hint'],
  ['HINT', 'hint'],
  ['ihnt', 'hint'],
  ['slove', 'solve'],
  ['genrate', 'generate'],
  ['gener', 'generate'],
  ['genrte', 'generate'],
  ['Wordle', undefined],
  ['tody', 'today'],
  ['xyzzy', undefined],
  ['', undefined],
  ['ozu', undefined],
  ['x'.repeat(100_000), undefined],
])('%j is nearest to %j', (typed, name) => {
  expect(nearest(typed, NAMES)).toBe(name);
});

test('a text is shortened between characters, never within one', () => {
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('abcd', 4)).toBe('abcd');
});
