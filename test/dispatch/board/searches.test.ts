import { expect, test } from 'vitest';
import { Searches, timeLimit } from '../../../src/dispatch/board/searches.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import { BOARD, playable, WORDS } from '../../reply/setting.ts';

const judge = { words: WORDS, certain: false, isWord: () => true };
const topic = { board: BOARD, judge };
const searches = new Searches();

test('gives the same search for the same question on the same board', () => {
  const search = searches.of(topic);
  expect(search.fewest).toBe(2);
  expect(searches.of({ board: makeBoard(BOARD.sides), judge: { ...judge, words: [...WORDS] } })).toBe(search);
  expect(searches.of(topic, { played: ['bfjm'] })).not.toBe(search);
  expect(searches.of(topic, { played: ['bfjm'] })).toBe(searches.of(topic, { played: ['bfjm'] }));
});

test('makes a new search once verdicts have changed the words', () => {
  const search = searches.of(topic);
  const surer = WORDS.map((word) => (word.word === 'nbp' ? { ...word, likelihood: 1 } : word));
  expect(searches.of({ board: BOARD, judge: { ...judge, words: surer } })).not.toBe(search);
  const others = playable(BOARD, {
    bfjmcg: 0.96,
    gkdhlnbp: 0.4,
    gkdhln: 0.9,
    nbp: 0.995,
    bfjm: 0.8,
    mcgj: 0.3,
  });
  expect(searches.of({ board: BOARD, judge: { ...judge, words: others } }).fewest).toBe(2);
});

test('distinguishes boards of the same letters by their sides', () => {
  const search = searches.of(topic);
  const turned = makeBoard(['fgh', 'bcd', 'jkl', 'mnp']);
  expect(searches.of({ board: turned, judge }).board.sides).toEqual(turned.sides);
  expect(searches.of(topic)).toBe(search);
});

test('restarts the time limit for each question', () => {
  let now = 0;
  const limit = timeLimit(40, () => now);
  now = 40;
  expect(limit.stop()).toBe(false);
  now = 41;
  expect(limit.stop()).toBe(true);
  limit.restart();
  expect(limit.stop()).toBe(false);
});

test('keeps the four boards that were requested last', () => {
  const few = new Searches();
  const first = few.of(topic);
  const boards = ['bcd fgh jkl mn', 'bcd fgh jk mnp', 'bcd fg jkl mnp', 'bc fgh jkl mnp'].map((sides) => ({
    board: makeBoard(sides.split(' ')),
    judge: { ...judge, words: [] },
  }));
  for (const one of boards.slice(0, 3)) few.of(one);
  expect(few.of(topic)).toBe(first);
  for (const one of boards) few.of(one);
  expect(few.of(topic)).not.toBe(first);
});
