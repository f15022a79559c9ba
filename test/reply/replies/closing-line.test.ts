import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import { Random } from '../../../src/core/random.ts';
import { plainText, textBlock } from '../../../src/reply/model/text.ts';
import { closingLine, type DayPlayed } from '../../../src/reply/replies/closing-line.ts';

type Played = DayPlayed['results'][number];

const DAY_ENDS = 1_000 * HOUR;
/** Results in words, of people with the letters of the alphabet as names, each an hour after the other. */
const played = (...words: number[]): Played[] =>
  words.map((number, index) => ({
    person: 'abcdefghijkl'[index]!,
    rank: index + 1,
    words: number,
    letters: 20,
    hints: 1,
    solvedAt: DAY_ENDS - 12 * HOUR + index * HOUR,
    sinceOpening: (1 + index) * HOUR,
    solution: `s${index}`,
  }));

/** Everything that may be said of a day. */
function linesOf(day: Partial<DayPlayed>): string[] {
  const whole = { results: [], names: true, to: DAY_ENDS, spots: 12, seed: '', ...day };
  const lines = Array.from({ length: 120 }, (_, seed) => closingLine({ ...whole, seed: `day ${seed}` }));
  return [...new Set(lines.map((line) => plainText({ title: '', blocks: textBlock([line]) }).trim()))];
}

const withFirst = (results: readonly Played[], change: Partial<Played>) =>
  results.map((result, index) => (index === 0 ? { ...result, ...change } : result));

describe('the closing says one thing about how people did', () => {
  test.each<[string, Partial<DayPlayed>]>([
    ['@a used 13 letters, and not one was wasted.', { results: withFirst(played(2, 3), { letters: 13 }) }],
    ['Only @a did it in 2 words.', { results: played(2, 3, 3) }],
    ['Only one person did it in 2 words.', { results: played(2, 3, 3), names: false }],
    ['Only @a took no hint.', { results: withFirst(played(3, 3, 3), { hints: 0 }) }],
    ['Nobody took a hint.', { results: played(3, 4).map((result) => ({ ...result, hints: 0 })) }],
    ['All 3 took 3 words.', { results: played(3, 3, 3) }],
    [
      'Both of them found the same solution.',
      { results: played(3, 3).map((result) => ({ ...result, solution: 'same' })) },
    ],
    ['3 people, and no two had the same solution.', { results: played(2, 2, 3) }],
    ['1 of 2 came up with the answer below.', { results: played(2, 3), answer: 's0' }],
    ['Only @a came up with the answer below.', { results: played(2, 3, 3), answer: 's0' }],
    [
      'Both came up with the answer below.',
      { results: played(2, 2).map((one) => ({ ...one, solution: 'x' })), answer: 'x' },
    ],
    ['Both met the par of 4.', { results: played(2, 4), par: 4 }],
    ['1 of 3 met the par of 3.', { results: played(3, 4, 4), par: 3 }],
    ['Nobody met the par of 3.', { results: played(4, 5), par: 3 }],
    ['It was solved within the par of 4.', { results: played(4), par: 4 }],
    [
      'The first solution came 7 minutes after the opening.',
      { results: withFirst(played(4, 4), { sinceOpening: 7.5 * MINUTE }) },
    ],
    ['@a solved it in the last hour.', { results: withFirst(played(4, 4), { solvedAt: DAY_ENDS - MINUTE }) }],
    [
      'One person solved it in the last hour.',
      { results: withFirst(played(4), { solvedAt: DAY_ENDS - MINUTE }), names: false },
    ],
  ])('%s', (line, day) => {
    expect(linesOf(day)).toContain(line);
  });

  test('nothing of all that the list contradicts', () => {
    const all = [
      { ...played(2)[0]!, solution: 'x' },
      ...played(2, 2, 2, 2).map((one) => ({ ...one, solution: 'x' })),
    ].map((one, index) => ({ ...one, hints: 0, person: 'abcde'[index]!, rank: index + 1 }));
    const said = (change: Partial<Played>) =>
      linesOf({ results: all.with(4, { ...all[4]!, ...change }), par: 4, answer: 'x' }).toSorted();
    const rest = ['4 of 5 came up with the answer below.', 'All 5 took 2 words.'];
    expect(said({ afterSolution: true })).toEqual(rest);
    const met = 'All 5 met the par of 4.';
    expect(said({ reported: true, solution: undefined })).toEqual(
      [...rest, met, 'Nobody took a hint.'].toSorted(),
    );
    const one = [
      ...played(2, 3, 3),
      { ...played(2)[0]!, person: 'eve', rank: 4, afterSolution: true as const },
    ];
    expect(linesOf({ results: one }).filter((line) => line.startsWith('Only'))).toEqual([]);
  });

  test('nothing of nobody, of reported results, or of one among two', () => {
    expect(linesOf({ par: 4, answer: 'x' })).toEqual(['']);
    const reported = played(2, 3, 3).map((result) => ({ ...result, reported: true as const, letters: 0 }));
    expect(linesOf({ results: reported, par: 4, answer: 'x' })).toEqual(['']);
    expect(linesOf({ results: played(2, 3) })).toEqual(['']);
  });

  test('in a year of twelve people, nearly every day, in many ways, and names nobody where names are off', () => {
    const random = new Random('a year of closings');
    const said: string[] = [];
    for (let day = 0; day < 365; day++) {
      const words = Array.from({ length: random.below(8) }, () => 2 + random.below(4)).sort();
      const results = played(...words).map((result) => ({
        ...result,
        letters: 13 + random.below(12),
        hints: random.below(3),
        sinceOpening: (1 + random.below(600)) * MINUTE,
      }));
      const shown = { results, to: DAY_ENDS, spots: 12, par: 4, answer: 's1', seed: String(day) };
      const blocks = (names: boolean) => textBlock([closingLine({ ...shown, names })]);
      const text = plainText({ title: '', blocks: blocks(true) }).trim();
      said.push(text);
      const named = [...text.matchAll(/@(\w+)/g)].map(([, person]) => person);
      for (const person of named) expect(results.map((one) => one.person)).toContain(person);
      expect(plainText({ title: '', blocks: blocks(false) })).not.toContain('@');
      if (results.length > 0) expect(text).not.toBe('');
    }
    const most = Math.max(
      ...Map.groupBy(said, (text) => text)
        .values()
        .map(({ length }) => length),
    );
    expect(new Set(said).size).toBeGreaterThan(40);
    expect(most).toBeLessThan(80);
  });
});
