import { expect, test } from 'vitest';
import { generatedReply } from '../../../src/reply/replies/generated.ts';
import { asker, buttons, labels } from '../look.ts';
import { BOARD } from '../setting.ts';

test('a fresh board can be had again, hinted at, revealed, and followed by another', () => {
  const reply = generatedReply({
    generated: {
      board: BOARD,
      seed: 'x y',
      difficulty: 'hard',
      solution: { words: ['bfjm'], likelihood: 1 },
    },
    options: { difficulty: 'hard' },
    audience: asker,
  });
  expect(reply.title).toBe('A fresh hard board: BCD FGH JKL MNP');
  expect(reply.again).toEqual({ command: 'generate', options: { difficulty: 'hard', seed: 'x y' } });
  expect(buttons(reply).at(-1)?.action).toEqual({ command: 'generate', options: { difficulty: 'hard' } });
  expect(labels(reply)).toContain('Reveal');
});
