import { describe, expect, test } from 'vitest';
import { judgeBoard, verdictsOf } from '../../src/puzzle/judge.ts';
import type { DayWord } from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { ADDITIONS, MAIN, OBSCURE } from '../fakes/newspaper.ts';
import { lexicon } from './fixture.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const dictionary: DayWord[] = [
  ...[...MAIN, ...ADDITIONS].map((word) => ({ word, obscure: false })),
  ...OBSCURE.map((word) => ({ word, obscure: true })),
];
const noVerdicts = async () => new Map<string, boolean>();
const never = () => Promise.reject(new Error('asked for verdicts'));

describe('with the dictionary of the day', () => {
  test('its words are the words, neither more nor fewer, and nothing else is asked', async () => {
    const judge = await judgeBoard({ board, dictionary }, lexicon, never);
    expect(judge.isListExact).toBe(true);
    expect(judge.words.map(({ word }) => word)).toEqual(dictionary.map(({ word }) => word).sort());
    expect(judge.isWord('actor')).toBe(true);
    expect(judge.isWord('ACTOR')).toBe(true);
    expect(judge.isWord('clear')).toBe(false);
  });

  test('words that are not in our lists are accepted all the same; words that cannot be walked are not', async () => {
    const odd = [...dictionary, { word: 'lilo', obscure: false }, { word: 'toenail', obscure: false }];
    const judge = await judgeBoard({ board, dictionary: odd }, lexicon, never);
    expect(judge.isWord('toenail')).toBe(false);
    expect(judge.isWord('lilo')).toBe(false);
    const doubled = await judgeBoard(
      { board, dictionary: [{ word: 'pontoon', obscure: false }] },
      lexicon,
      never,
    );
    expect(doubled.words).toEqual([]);
    const unlisted = await judgeBoard(
      { board, dictionary: [{ word: 'melon', obscure: false }] },
      lexicon,
      never,
    );
    expect(unlisted.words).toMatchObject([{ word: 'melon', tier: 'wide', likelihood: 0.9, length: 5 }]);
  });

  test('ranks by familiarity: everyday, then rarer, then words that are not in our lists, and the obscure tail last', async () => {
    const more = [...dictionary, { word: 'clear', obscure: false }, { word: 'melon', obscure: false }];
    const { words } = await judgeBoard({ board, dictionary: more }, lexicon, never);
    const likelihood = new Map(words.map((each) => [each.word, each.likelihood]));
    const order = ['actor', 'clear', 'canola', 'melon', 'almes'].map((word) => likelihood.get(word)!);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(new Set(order).size).toBe(5);
    expect(words.every((each) => each.likelihood > 0 && each.likelihood <= 1)).toBe(true);
  });

  test('a solution with an obscure word comes after every other of its length', async () => {
    const obscure = (word: string) => ({ word, obscure: ['monitors'].includes(word) });
    const { words } = await judgeBoard(
      { board, dictionary: [...MAIN, ...ADDITIONS].map(obscure) },
      lexicon,
      never,
    );
    const found = makeSearch(board, words)
      .solutions('shortest', { exactly: 2 })
      .map((solution) => solution.words.join(' '))
      .toArray();
    expect(found).toEqual(['monitor replaces', 'monitors special']);
  });
});

describe('without it', () => {
  test('our lists decide, and say so', async () => {
    const judge = await judgeBoard({ board }, lexicon, noVerdicts);
    expect(judge.isListExact).toBe(false);
    expect(judge.isWord('clear')).toBe(true);
    expect(judge.isWord('zigzag')).toBe(false);
    expect(judge.words.find(({ word }) => word === 'canola')?.likelihood).toBeCloseTo(0.7, 1);
  });

  test('verdicts outweigh them', async () => {
    const verdicts = async (letters: string) => {
      expect(letters).toBe('pamentrilocs');
      return new Map([
        ['canola', true],
        ['clear', false],
        ['melon', true],
        ['mat', true],
      ]);
    };
    const judge = await judgeBoard({ board }, lexicon, verdicts);
    expect(judge.isWord('clear')).toBe(false);
    const sure = judge.words.find(({ word }) => word === 'canola')!.likelihood;
    expect(sure).toBeGreaterThanOrEqual(0.97);
    // Rated almost certain, in the order of our estimates; the last is one that our lists lack.
    const melon = judge.words.find(({ word }) => word === 'melon')!.likelihood;
    expect(sure).toBeGreaterThan(melon);
    expect(melon).toBeGreaterThanOrEqual(0.99);
    // The last can't be walked here.
    expect(judge.isWord('melon')).toBe(true);
    expect(judge.isWord('mat')).toBe(false);
  });
});

test('a dictionary accepts its words, rejects our other playable ones, and gives no verdict on others', () => {
  const verdicts = verdictsOf(findPlayable(board, lexicon), ['actor', 'melon']);
  expect([verdicts.get('actor'), verdicts.get('melon'), verdicts.get('clear')]).toEqual([true, true, false]);
  expect(verdicts.has('zigzag')).toBe(false);
});
