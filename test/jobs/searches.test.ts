import { expect, test } from 'vitest';
import { SearchCache } from '../../src/jobs/jobs.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { TakesLong } from '../../src/work/job.ts';
import { BOARD, playable, WORDS } from '../reply/setting.ts';

const judge = { words: WORDS, isListExact: false, isWord: () => true };
const target = { board: BOARD, judge };
const never = () => false;
const searches = new SearchCache();

test('judges a board once for each dictionary, lexicon and order of its sides', () => {
  const [board, lexicon] = [makeBoard(['ozu', 'nri', 'lfa', 'mbt']), readLexicon()];
  const dictionary = ['forum', 'mobilization'].map((word) => ({ word, obscure: false }));
  const first = searches.judge(board, { dictionary, official: ['forum'] }, { lexicon }).judge;
  const same = searches.judge(makeBoard(board.sides), { dictionary }, { lexicon }).judge;
  expect(same.words).toBe(first.words);
  expect([first.official, same.official]).toEqual([['forum'], undefined]);
  const turned = searches.judge(makeBoard(board.sides.toReversed()), { dictionary }, { lexicon }).judge;
  expect(turned.words.map(({ walks }) => walks)).not.toEqual(first.words.map(({ walks }) => walks));
  expect(searches.judge(board, { dictionary: dictionary.slice(1) }, { lexicon }).judge.words).toHaveLength(1);
  const verdicts = new Map([['forum', false]]);
  expect(searches.judge(board, { verdicts, decides: true }, { lexicon }).judge.isListExact).toBe(true);
  expect(searches.judge(board, { verdicts }, { lexicon }).judge.isListExact).toBe(false);
});

test('keeps nothing of boards that take much memory', () => {
  const board = makeBoard(['aeio', 'dgl', 'nst', 'oru']);
  const [verdicts, lexicon] = [new Map<string, boolean>(), readLexicon()];
  const words = () => searches.judge(board, { verdicts }, { lexicon }).judge.words;
  expect(words()).not.toBe(words());
});

test('makes a new search once verdicts have changed the words', () => {
  const search = searches.of(target, {}, never);
  const surer = WORDS.map((word) => (word.word === 'nbp' ? { ...word, likelihood: 1 } : word));
  expect(searches.of({ board: BOARD, judge: { ...judge, words: surer } }, {}, never)).not.toBe(search);
  const others = playable(BOARD, {
    bfjmcg: 0.96,
    gkdhlnbp: 0.4,
    gkdhln: 0.9,
    nbp: 0.995,
    bfjm: 0.8,
    mcgj: 0.3,
  });
  expect(searches.of({ board: BOARD, judge: { ...judge, words: others } }, {}, never).fewest).toBe(2);
});

test('distinguishes boards of the same letters by their sides', () => {
  const search = searches.of(target, {}, never);
  const turned = makeBoard(['fgh', 'bcd', 'jkl', 'mnp']);
  expect(searches.of({ board: turned, judge }, {}, never).board.sides).toEqual(turned.sides);
  expect(searches.of(target, {}, never)).toBe(search);
});

test('stops a search that was kept by the time limit of the question asked last', () => {
  const asked = new Set<string>();
  const stopOf = (name: string) => () => asked.add(name).size < 0;
  const board = makeBoard(['ozu', 'nri', 'lfa', 'mbt']);
  const judged = { board, judge: { ...judge, words: findPlayable(board, readLexicon()) } };
  const search = searches.of(judged, {}, stopOf('first'));
  expect(searches.of(judged, {}, stopOf('second'))).toBe(search);
  expect(search.count(4)).toBeGreaterThan(0);
  expect([...asked]).toEqual(['second']);
});

test('keeps no search that a job has left in the middle', () => {
  const board = makeBoard(['ozu', 'nri', 'lfa', 'mbt']);
  const judged = { board, judge: { ...judge, words: findPlayable(board, readLexicon()) } };
  const kept = new SearchCache();
  const left = kept.of(judged, {}, () => {
    throw new TakesLong();
  });
  expect(() => left.count(4)).toThrow(TakesLong);
  const search = kept.of(judged, {}, never);
  expect(search).not.toBe(left);
  expect(search.count(4)).toBeGreaterThan(0);
});

test('keeps no search that was cut off', () => {
  const board = makeBoard(['ozu', 'nri', 'lfa', 'mbt']);
  const judged = { board, judge: { ...judge, words: findPlayable(board, readLexicon()) } };
  const kept = new SearchCache();
  const cut = kept.of(judged, {}, () => true);
  cut.count(4);
  expect(cut.cut).toBeDefined();
  expect(kept.of(judged, {}, never).cut).toBeUndefined();
});
