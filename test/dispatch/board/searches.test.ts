import { expect, test } from 'vitest';
import { searchOf } from '../../../src/dispatch/board/searches.ts';
import { timeLimit } from '../../../src/dispatch/board/time-limit.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { BOARD, playable, WORDS } from '../../reply/setting.ts';

const judge = { words: WORDS, certain: false, isWord: () => true };
const topic = { board: BOARD, judge };

test('the same question on the same board is the same search, with all it knows', () => {
  const search = searchOf(topic, {});
  expect(search.fewest).toBe(2);
  expect(searchOf({ board: makeBoard(BOARD.sides), judge: { ...judge, words: [...WORDS] } }, {})).toBe(
    search,
  );
  expect(searchOf(topic, {}, { played: ['bfjm'] })).not.toBe(search);
  expect(searchOf(topic, {}, { played: ['bfjm'] })).toBe(searchOf(topic, {}, { played: ['bfjm'] }));
});

test('words that a dictionary has taught since make a new one', () => {
  const search = searchOf(topic, {});
  const surer = WORDS.map((word) => (word.word === 'nbp' ? { ...word, likelihood: 1 } : word));
  expect(searchOf({ board: BOARD, judge: { ...judge, words: surer } }, {})).not.toBe(search);
  const others = playable(BOARD, {
    bfjmcg: 0.96,
    gkdhlnbp: 0.4,
    gkdhln: 0.9,
    nbp: 0.995,
    bfjm: 0.8,
    mcgj: 0.3,
  });
  expect(searchOf({ board: BOARD, judge: { ...judge, words: others } }, {}).fewest).toBe(2);
});

test('the board counts, not its letters', () => {
  const search = searchOf(topic, {});
  const turned = makeBoard(['fgh', 'bcd', 'jkl', 'mnp']);
  expect(searchOf({ board: turned, judge }, {}).board.sides).toEqual(turned.sides);
  expect(searchOf(topic, {})).toBe(search);
});

test('each question has its time anew', () => {
  let now = 0;
  const limit = timeLimit(40, () => now);
  now = 40;
  expect(limit.stop()).toBe(false);
  now = 41;
  expect(limit.stop()).toBe(true);
  limit.restart();
  expect(limit.stop()).toBe(false);
});
