import { describe, expect, test } from 'vitest';
import { altText, drawBoard } from '../../../src/reply/picture/drawing.ts';
import { pathOf } from '../../../src/reply/picture/layout.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { BOARD, boards } from './boards.ts';

describe('the board in characters', () => {
  test('a box of four sides', () => {
    expect(drawBoard({ board: BOARD, path: pathOf(BOARD, ['forum']) })).toBe(
      [
        '    O   Z   U',
        '  ┌─●───○───●─┐',
        'M ●           ○ N',
        '  │           │',
        'B ○           ● R',
        '  │           │',
        'T ○           ○ I',
        '  └─○───●───○─┘',
        '    L   F   A',
        '',
        '1  FORUM',
      ].join('\n'),
    );
  });

  test('every letter and every spot of any board is there, and letters only when asked for', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const drawing = drawBoard({ board });
        const letters = (drawing.match(/[A-Z]/g) ?? []).sort().join('');
        expect(letters).toBe([...board.letters.toUpperCase()].sort().join(''));
        expect(drawing.match(/○/g)).toHaveLength(board.letters.length);
        expect(drawing).not.toMatch(/ $/m);
        expect(drawBoard({ board, letters: false })).not.toMatch(/[A-Z]/);
      }),
    );
  });
});

describe('alt text', () => {
  test('spells the sides', () => {
    expect(altText(BOARD)).toBe('Letter Boxed board. Top: O Z U; right: N R I; bottom: L F A; left: M B T.');
    expect(altText(parseBoard('ab c d'))).toBe('Letter Boxed board. Side 1: A B; side 2: C; side 3: D.');
  });

  test('never says which words are drawn', () => {
    const path = pathOf(BOARD, ['forum', 'mart']);
    expect(altText(BOARD, { path })).not.toMatch(/forum|mart/i);
    expect(altText(BOARD, { path, letters: false })).toBe(
      'A path across the board with 4 sides, without its letters.',
    );
  });
});
