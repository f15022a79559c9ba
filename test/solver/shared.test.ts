import { expect, it } from 'vitest';
import { parseBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon, makeLexicon, shareLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable } from '../../src/solver/playable.ts';

it('a lexicon made from shared parts copies nothing and finds the same words', () => {
  const entries = ['fun', 'form', 'forum', 'moor', 'zoo'].map((word) => ({
    word,
    likelihood: 0.5,
    tier: 'wide' as const,
  }));
  const lexicon = loadLexicon(compileLexicon(entries));
  const parts = shareLexicon(lexicon);
  const other = makeLexicon(structuredClone(parts));
  expect(other.graph.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(shareLexicon(other).graph.buffer).toBe(other.graph.buffer);
  expect([...other.entries()]).toEqual([...lexicon.entries()]);
  const board = parseBoard('ozu nri lfa mbt');
  const spelled = (words: ReturnType<typeof findPlayable>) => words.map(({ word }) => word);
  expect(spelled(findPlayable(board, other))).toEqual(spelled(findPlayable(board, lexicon)));
});
