import { describe, expect, test } from 'vitest';
import { applyVerdicts, verdictsOf } from '../../src/puzzle/judge.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable } from '../../src/solver/playable.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const lexicon = loadLexicon(
  compileLexicon([
    { word: 'actor', likelihood: 0.99, tier: 'everyday' },
    { word: 'canola', likelihood: 0.3, tier: 'wide' },
    { word: 'clear', likelihood: 0.9, tier: 'everyday' },
    { word: 'zigzag', likelihood: 0.9, tier: 'everyday' },
  ]),
);
const playable = findPlayable(board, lexicon);

test('a dictionary accepts its words, rejects our other playable ones, and gives no verdict on others', () => {
  expect(verdictsOf(playable, ['actor', 'melon'])).toEqual(
    new Map([
      ['actor', true],
      ['canola', false],
      ['clear', false],
      ['melon', true],
    ]),
  );
});

describe('a verdict outweighs the estimate', () => {
  const verdicts = new Map([
    ['actor', true],
    ['canola', true],
    ['clear', false],
    ['melon', true],
    ['tap', true],
    ['zap', true],
    ['opera', false],
  ]);
  const words = applyVerdicts(board, playable, verdicts);

  test('removes rejected words and adds accepted ones that are playable', () => {
    expect(words.map(({ word }) => word)).toEqual(['actor', 'canola', 'melon']);
    expect(words.at(-1)).toMatchObject({ length: 5, tier: 'wide', walks: [expect.anything()] });
  });

  test('rates accepted words almost certain, in the order of our estimates', () => {
    const [actor, canola, melon] = words.map(({ likelihood }) => likelihood);
    expect(actor).toBeGreaterThan(canola!);
    expect(canola).toBeGreaterThan(melon!);
    expect(melon).toBeGreaterThanOrEqual(0.99);
    expect(actor).toBeLessThanOrEqual(1);
  });

  test('leaves words without a verdict unchanged', () => {
    expect(applyVerdicts(board, playable, new Map([['actor', true]])).slice(1)).toEqual(playable.slice(1));
    expect(applyVerdicts(board, playable, new Map())).toEqual(playable);
  });
});
