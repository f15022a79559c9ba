import { describe, expect, it } from 'vitest';
import { makeBoard, parseBoard } from '../../src/solver/board.ts';
import { type Broken, checkWords, explainBroken, judgeWords } from '../../src/solver/check.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { Board } from '../../src/solver/types.ts';
import fc, { anyCharacter, anyGrapheme } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';
import { allSolutions, type BruteWord, runsOf, spellings, step, type Way } from './brute.ts';
import { playableOn, random, randomCase } from './random-boards.ts';

/** Characters of the longest input that is read. */
const MANY = sample(1_200_000, 120_000);
/** Random boards that are compared with brute force. */
const BOARDS = sample(2000, 100);

const search = (board: Board, entries: readonly BruteWord[]) =>
  makeSearch(board, playableOn(board, entries), { maxWords: 3 });
const made = (list: string[]) => list.map((word) => ({ word, likelihood: 0.5 }));
const check = (board: Board, list: string[], played: string[]) =>
  checkWords(board, played, search(board, made(list)), (word) => list.includes(word));
const brokenOf = (board: Board, list: string[], played: string[]) =>
  check(board, list, played).words.map(({ broken }) => broken);

describe('checkWords', () => {
  const board = parseBoard('ozu nri lfa mbt');
  const list = ['unform', 'mobilization', 'tan', 'nut', 'forum'];

  it('reads capitals as letters', () => {
    expect(check(board, list, ['UNFORM', 'Mobilization']).solved).toBe(true);
  });

  const cases: [words: string[], rule: Broken['rule'], position: number, letter: string, why: string][] = [
    [['zoo'], 'same-side', 1, 'o', 'ZOO goes from Z to O, but both are on the same side (OZU).'],
    [['nutt'], 'same-side', 3, 't', 'NUTT needs T twice in a row, but T is on one side only (MBT).'],
    [['toe'], 'unknown-letter', 2, 'e', 'TOE has E, which is not on this board.'],
    [['zoe'], 'unknown-letter', 2, 'e', 'ZOE has E, which is not on this board.'],
    [['ta'], 'too-short', 2, '', 'TA has 2 letters; a word has at least 3.'],
    [[''], 'too-short', 0, '', 'An empty word has 0 letters; a word has at least 3.'],
    [
      ['tan', 'tan'],
      'does-not-chain',
      0,
      't',
      'TAN has to start with N, the last letter of the word before.',
    ],
    [['tat'], 'not-a-word', 0, 't', 'TAT fits the board, but it is not in the word list.'],
    [['n🙂t'], 'unknown-letter', 1, '🙂', '"n🙂t" has "🙂", which is not on this board.'],
    [['🙂🙂a\u202et'], 'unknown-letter', 0, '🙂', '"🙂🙂a�t" has "🙂", which is not on this board.'],
    [
      ['tan\0'],
      'unknown-letter',
      3,
      '\0',
      '"tan�" has an invisible character (U+0000), which is not on this board.',
    ],
    [['tan nut'], 'unknown-letter', 3, ' ', '"tan nut" has a space, which is not on this board.'],
  ];
  it.each(cases)(
    'tells the first broken rule of %j, and says it plainly',
    (words, rule, position, letter, why) => {
      const found = brokenOf(board, list, words);
      const expected = rule === 'does-not-chain' ? { expected: 'n' } : {};
      expect(found).toEqual([
        ...words.slice(1).map(() => undefined),
        { rule, position, letter, ...expected },
      ]);
      expect(explainBroken(words.at(-1)!, found.at(-1)!, board)).toBe(why);
    },
  );

  it('reads on after a broken word as if it had been played, but counts nothing more', () => {
    const result = check(board, list, ['unform', 'mat', 'tan', 'nut', 'forum']);
    expect(result.words.map(({ broken }) => broken?.rule)).toEqual([
      undefined,
      'not-a-word',
      undefined,
      undefined,
      'does-not-chain',
    ]);
    expect(result.left).toEqual(['z', 'i', 'l', 'a', 'b', 't']);
    expect(result.solved).toBe(false);
    expect(result.fewestMore).toBe(1);
  });

  it('lets any word follow one whose end is not on the board', () => {
    expect(brokenOf(board, list, ['une', 'tan']).map((broken) => broken?.rule)).toEqual([
      'unknown-letter',
      undefined,
    ]);
  });

  it('takes letters of other scripts that look or fold like ours for what they are', () => {
    // Kelvin sign, dotted capital I, full-width n, Cyrillic а.
    const kelvin = parseBoard('kzu nri lfa mbt');
    expect(brokenOf(kelvin, ['kan'], ['\u212aan'])[0]).toMatchObject({ rule: 'unknown-letter', position: 0 });
    for (const letter of ['\u0130', '\uff4e', '\u0430', 'n\u0301'.slice(1)]) {
      expect(brokenOf(board, list, [`ta${letter}`])[0]).toEqual({
        rule: 'unknown-letter',
        position: 2,
        letter,
      });
    }
  });

  it('says so when the search for what comes next was cut', () => {
    const words = search(board, made(list)).words;
    const stopped = makeSearch(board, words, { stop: () => true });
    const large = makeBoard(['abcde', 'fghij', 'klmno', 'pqrst']);
    const many = [...'abcde'].flatMap((a) =>
      [...'fghij'].flatMap((b) => [...'klmno'].flatMap((c) => [...'pqrst'].map((d) => a + b + c + d + a))),
    );
    const cut = checkWords(
      large,
      ['afkpa'],
      makeSearch(large, search(large, made(many)).words, { stop: () => true }),
      () => true,
    );
    expect(cut.cut).toMatch(/time ran out/);
    expect(cut.fewestMore).toBeUndefined();
    // A small search ends before it looks at the clock at all.
    expect(checkWords(board, ['unform'], stopped, () => true)).toMatchObject({
      fewestMore: 1,
      cut: undefined,
    });
  });

  describe('with repeated letters', () => {
    // Two e's: spot 0 with a and b, spot 3 with c and d.
    const twin = makeBoard(['eab', 'ecd', 'fgh']);

    it('walks a double letter from one side to the other', () => {
      expect(brokenOf(twin, ['feef'], ['feef'])).toEqual([undefined]);
      const broken: Broken = { rule: 'same-side', position: 3, letter: 'a' };
      expect(
        brokenOf(
          twin,
          [],
          ['fega'].map((word) => word.replace('g', 'b')),
        ),
      ).toEqual([broken]);
      expect(explainBroken('feba', broken, twin)).toBe(
        'FEBA goes from B to A, but both are on the same side (EAB).',
      );
    });

    it('keeps every way open until a later word decides', () => {
      // fae can only end on spot 3, so a word from there must not go to c or d.
      expect(brokenOf(twin, ['fae', 'ecf', 'eaf'], ['fae', 'eaf'])).toEqual([undefined, undefined]);
      const [, broken] = brokenOf(twin, ['fae', 'ecf'], ['fae', 'ecf']);
      expect(broken).toEqual({ rule: 'does-not-chain', position: 0, letter: 'e', expected: 'e' });
      expect(explainBroken('ecf', broken!, twin)).toBe(
        'ECF can’t start on the E that the word before ends on; it would need the other one.',
      );
      // bfe may end on either, and both go on.
      expect(brokenOf(twin, ['bfe', 'ecf', 'eaf'], ['bfe', 'ecf'])).toEqual([undefined, undefined]);
      expect(brokenOf(twin, ['bfe', 'ecf', 'eaf'], ['bfe', 'eaf'])).toEqual([undefined, undefined]);
    });

    it('takes few steps where two letters stand on every side', () => {
      const pairs = makeBoard(Array.from({ length: 8 }, () => 'se'));
      let steps = 0;
      const sideOf = new Proxy(pairs.sideOf, {
        get(sides, at) {
          steps++;
          return Reflect.get(sides, at);
        },
      });
      const counted = (played: string[]) => judgeWords({ ...pairs, sideOf }, played, () => true);
      expect(counted(['seseses', 'seseses']).left).toHaveLength(3);
      expect(counted(['seseseseses', 'seseseseses']).solved).toBe(true);
      expect(steps).toBeLessThan(200_000);
    });
  });

  it(`agrees with brute force on chains of words on ${BOARDS} random boards`, () => {
    const seen: Record<string, number> = { solved: 0, finishes: 0 };
    for (let seed = 40_001; seed <= 40_000 + BOARDS; seed++) {
      const { board: on, entries } = randomCase(seed);
      const next = random(seed);
      const known = new Set(entries.map(({ word }) => word));
      const played = Array.from(
        { length: 1 + Math.floor(next() * 3) },
        () => entries[Math.floor(next() * entries.length)]!.word,
      );
      if (next() < 0.3) played[0] = played[0]!.slice(0, 3);
      const playable = entries.filter(({ word }) => spellings(on.sides, word).length > 0);
      const chain = longestChain(on.sides, played, known);
      const label = `seed ${seed}: ${on.sides.join(' ')} / ${played.join(' ')}`;
      const result = checkWords(on, played, search(on, entries), (word) => known.has(word));
      const firstBroken = result.words.findIndex(({ broken }) => broken !== undefined);
      expect(firstBroken < 0 ? played.length : firstBroken, label).toBe(chain.right);
      expect(result.left.length, label).toBe(on.letters.length - chain.covered);
      expect(result.solved, label).toBe(chain.right === played.length && chain.covered === on.letters.length);
      const onwards = allSolutions(
        on.sides,
        playable.length > 9 ? playable.slice(0, 9) : playable,
        2,
        played.slice(0, chain.right),
      );
      if (playable.length <= 9) {
        const fewest =
          onwards.length === 0 ? undefined : Math.min(...onwards.map(({ words }) => words.length));
        const expected = result.fewestMore === 3 ? undefined : result.fewestMore;
        expect(expected, label).toBe(fewest);
        if (fewest !== undefined && fewest > 0) seen.finishes!++;
      }
      for (const { broken } of result.words) if (broken) seen[broken.rule] = (seen[broken.rule] ?? 0) + 1;
      if (result.solved) seen.solved!++;
    }
    for (const rule of ['same-side', 'does-not-chain', 'not-a-word', 'solved', 'finishes'])
      expect(seen[rule], rule).toBeGreaterThan(BOARDS / 100);
  });

  it('never crashes, and points at a character that is there, whatever is typed', () => {
    const nasty = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 12 }),
      fc.string({ unit: anyGrapheme, maxLength: 12 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
        .map((units) => String.fromCharCode(...units)),
      fc.stringMatching(/^[ozunrilfambtOZUNRILFAMBT]{0,12}$/),
      fc.constantFrom('\u202eabc', '\0', '__proto__', 'constructor', '\ud800', 'שלום', 'ＡＢＣ'),
    );
    const words = search(board, made(list));
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 6 }), (played) => {
        const result = checkWords(board, played, words, (word) => list.includes(word));
        expect(result.words.map(({ word }) => word)).toEqual(played);
        for (const { word, broken } of result.words) {
          if (broken === undefined) continue;
          const characters = Array.from(word);
          if (broken.rule === 'too-short') expect(broken.position).toBe(characters.length);
          else expect(characters[broken.position]!.toLowerCase()).toBe(broken.letter.toLowerCase());
          const sentence = explainBroken(word, broken, board);
          expect(sentence).toMatch(/^[^\p{C}]+\.$/u);
          expect(Array.from(sentence).length).toBeLessThan(200);
        }
      }),
      { numRuns: sample(2000, 30) },
    );
  });

  it('reads very long input in one go', () => {
    for (const word of ['a'.repeat(MANY), 'tan'.repeat(MANY / 3), '🙂'.repeat(MANY / 2)]) {
      expect(check(board, list, [word]).words[0]!.broken).toBeDefined();
    }
    const same = makeBoard(['aaaa', 'aaaa', 'aaaa', 'aaaa']);
    expect(check(same, [], ['a'.repeat(MANY / 10)]).words[0]!.broken?.rule).toBe('not-a-word');
    expect(check(board, list, new Array(MANY / 20).fill('tan')).words).toHaveLength(MANY / 20);
  });
});

/** How many words from the first on are right, and how many spots the best way of walking them covers. */
function longestChain(sides: readonly string[], played: readonly string[], known: ReadonlySet<string>) {
  let ways: Way[] | undefined;
  let right = 0;
  for (const word of played) {
    const next = known.has(word) ? step(ways, runsOf(sides, word)) : [];
    if (next.length === 0) break;
    ways = next;
    right++;
  }
  const sizes = (ways ?? []).map(({ covered }) => covered.toString(2).replaceAll('0', '').length);
  return { right, covered: Math.max(0, ...sizes) };
}
