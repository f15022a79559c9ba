import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WORD_LOOKS } from '../../src/reply/picture/svg.ts';

it('draws words on pages with the colours and dashes that they have in pictures', () => {
  const theme = readFileSync('src/web/board/theme.css', 'utf8');
  const valuesOf = (name: string) =>
    [...theme.matchAll(new RegExp(`${name}: ([^;]+);`, 'g'))].map(([, value]) => value);
  const colours = WORD_LOOKS.map((_, nth) => valuesOf(`--word-${nth}`));
  expect(colours).toEqual(WORD_LOOKS.map(({ colour, onDark }) => [colour, onDark]));
  expect(valuesOf('--dashes')).toEqual(WORD_LOOKS.map(({ dashes = 'none' }) => dashes));
});
