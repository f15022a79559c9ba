import { describe, expect, test } from 'vitest';
import { altText } from '../../../src/reply/picture/drawing.ts';
import { pathOf } from '../../../src/reply/picture/layout.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { BOARD } from './boards.ts';

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
