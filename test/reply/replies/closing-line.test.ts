import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import { plainText, textBlock } from '../../../src/reply/model/text.ts';
import type { Line } from '../../../src/reply/model/types.ts';
import { solutionChecksum } from '../../../src/reply/replies/chosen-solutions.ts';
import { closingRemark, type DayPlayed } from '../../../src/reply/replies/closing-line.ts';

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
    solution: solutionChecksum([`s${index}`]),
  }));

const NOTHING: DayPlayed = {
  results: [],
  finds: [],
  hasCalm: false,
  names: true,
  to: DAY_ENDS,
  spots: 12,
  likelihoodOf: () => 0.5,
  heard: [],
  seed: '',
};

const textOf = (line: Line | undefined) => plainText({ title: '', blocks: textBlock([line]) }).trim();

/** Everything that may be said of a day: what names words of the board, or all else. */
function linesOf(day: Partial<DayPlayed>, isSecret = false): string[] {
  const remarks = Array.from({ length: 60 }, (_, seed) =>
    closingRemark({ ...NOTHING, ...day, seed: `day ${seed}` }),
  );
  const said = remarks.filter((remark) => remark === undefined || remark.isSecret === isSecret);
  return [...new Set(said.map((remark) => textOf(remark?.line)))];
}

const withFirst = (results: readonly Played[], change: Partial<Played>) =>
  results.map((result, index) => (index === 0 ? { ...result, ...change } : result));

describe('the closing says one thing about how people did', () => {
  const open: [string, Partial<DayPlayed>][] = [
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
    ['1 of 2 came up with the answer below.', { results: played(2, 3), answer: ['s0'] }],
    ['Only @a came up with my pick below.', { results: played(2, 3, 3), answer: ['s0'], isPick: true }],
    ['Only @a came up with the answer below.', { results: played(2, 3, 3), answer: ['s0'] }],
    [
      'Both came up with the answer below.',
      { results: played(2, 2).map((one) => ({ ...one, solution: solutionChecksum(['x']) })), answer: ['x'] },
    ],
    ['Both met the par of 4.', { results: played(2, 4), par: 4 }],
    ['1 of 3 met the par of 3.', { results: played(3, 4, 4), par: 3 }],
    ['Nobody met the par of 3.', { results: played(4, 5), par: 3 }],
    ['It was solved within the par of 4.', { results: played(4), par: 4 }],
    [
      'The first solution came 7 minutes after the opening.',
      { results: withFirst(played(4, 4), { sinceOpening: 7.5 * MINUTE }), names: false },
    ],
    [
      '@a was first, 7 minutes after the opening.',
      { results: withFirst(played(4, 4), { sinceOpening: 7.5 * MINUTE }) },
    ],
    ['@a and @b were one letter apart.', { results: withFirst(played(2, 2, 3), { letters: 19 }) }],
    [
      'Two people were one letter apart.',
      { results: withFirst(played(2, 2, 3), { letters: 19 }), names: false },
    ],
    ['It took from 2 words to 5.', { results: played(2, 3, 5) }],
    ['Everybody took at least one hint.', { results: played(2, 3, 3) }],
    [
      'All 3 had solved it within an hour.',
      { results: played(2, 3, 3).map((one) => ({ ...one, sinceOpening: 50 * MINUTE })) },
    ],
    [
      '@b and @a solved it within a minute of each other.',
      { results: withFirst(played(2, 3, 3), { solvedAt: DAY_ENDS - 11 * HOUR + MINUTE / 2 }) },
    ],
    ['@a solved it in the last hour.', { results: withFirst(played(4, 4), { solvedAt: DAY_ENDS - MINUTE }) }],
    [
      'One person solved it in the last hour.',
      { results: withFirst(played(4), { solvedAt: DAY_ENDS - MINUTE }), names: false },
    ],
  ];
  test.each(open)('%s', (line, day) => {
    expect(linesOf(day)).toContain(line);
  });

  test('nothing of all that the list contradicts', () => {
    const all = [
      { ...played(2)[0]!, solution: solutionChecksum(['x']), solvedAt: DAY_ENDS - 13 * HOUR },
      ...played(2, 2, 2, 2).map((one) => ({ ...one, solution: solutionChecksum(['x']) })),
    ].map((one, index) => ({ ...one, hints: 0, person: 'abcde'[index]!, rank: index + 1 }));
    const said = (change: Partial<Played>) =>
      linesOf({ results: all.with(4, { ...all[4]!, ...change }), par: 4, answer: ['x'] }).toSorted();
    const rest = ['4 of 5 came up with the answer below.', 'All 5 took 2 words.'];
    expect(said({ afterSolution: true, solution: undefined })).toEqual(rest);
    // The list has the answer five times.
    expect(said({ afterSolution: true })).toEqual(rest.slice(1));
    const met = 'All 5 met the par of 4.';
    // What was only reported may have been the answer.
    expect(said({ reported: true, solution: undefined })).toEqual([met, rest[1], 'Nobody took a hint.']);
    const one = [
      ...played(2, 3, 3),
      { ...played(2)[0]!, person: 'eve', rank: 4, afterSolution: true as const },
    ];
    expect(linesOf({ results: one }).filter((line) => line.startsWith('Only'))).toEqual([]);
    // Who needed no hint after the solution has none, too.
    const none = withFirst(played(3, 3, 3, 3), { hints: 0 });
    expect(linesOf({ results: none })).toContain('Only @a took no hint.');
    const shown = none.with(3, { ...none[3]!, hints: 0, afterSolution: true });
    expect(linesOf({ results: shown })).not.toContain('Only @a took no hint.');
  });

  test('nothing of nobody, of reported results, or of one among two', () => {
    expect(linesOf({ par: 4, answer: ['x'] })).toEqual(['']);
    const reported = played(2, 3, 3).map((result) => ({ ...result, reported: true as const, letters: 0 }));
    expect(linesOf({ results: reported, par: 4, answer: ['x'] })).toEqual(['']);
    expect(linesOf({ results: played(2, 3) })).toEqual(['']);
    const unknown = played(3, 3, 3).map((result) => ({ ...result, solution: undefined }));
    for (const results of [unknown, withFirst(played(3, 3, 3), { solution: undefined })])
      expect(linesOf({ results }).join()).not.toMatch(/same solution|no two/);
  });

  /** People with the letters of the alphabet as names, each with a solution that the hunt knows. */
  function chains(...solutions: string[]): Pick<DayPlayed, 'results' | 'finds'> {
    const lists = solutions.map((solution) => solution.split(' '));
    const results = played(...lists.map(({ length }) => length));
    return {
      results: results.map((one, at) => ({ ...one, solution: solutionChecksum(lists[at]!) })),
      finds: results.map(({ person }, at) => ({ person, words: lists[at]! })),
    };
  }
  const HALVES = chains('bequeath harp', 'blotch howitzer', 'strong ghost');
  const answer = ['bequeath', 'howitzer'];
  const reported = { ...played(3)[0]!, person: 'z', reported: true as const, solution: undefined };
  const rare = (name: string) => (word: string) => (word === name ? 0.1 : 0.999);

  const secret: [string, Partial<DayPlayed>][] = [
    ['@a had BEQUEATH and @b HOWITZER, but nobody had both.', { ...HALVES, answer }],
    [
      'One person had BEQUEATH and one person HOWITZER, but nobody had both.',
      { ...HALVES, answer, names: false },
    ],
    [
      'Two people had BEQUEATH and one person HOWITZER, but nobody had both.',
      { ...chains('bequeath harp', 'bequeath hulk', 'blotch howitzer'), answer },
    ],
    [
      'Only @b thought of HOWITZER.',
      { ...chains('bequeath harp', 'bequeath howitzer', 'bequeath hulk'), answer },
    ],
    ['Only @c thought of GHOST.', { ...HALVES, likelihoodOf: rare('ghost') }],
    ['Only one person thought of GHOST.', { ...HALVES, likelihoodOf: rare('ghost'), names: false }],
    // What was only reported may have had it, too.
    [
      '@c thought of GHOST.',
      { ...HALVES, results: [...HALVES.results, reported], likelihoodOf: rare('ghost') },
    ],
    ['Two of you opened with STRONG.', chains('strong ghoul', 'strong ghost', 'blotch howitzer')],
    ['All three of you opened with STRONG.', chains('strong ghoul', 'strong ghost', 'strong gulp')],
    ['Both of you opened with STRONG.', chains('strong ghoul', 'strong ghost')],
    ['Two of you finished with GHOST.', chains('strong ghost', 'blotting ghost', 'blotch howitzer')],
    ['@a and @c had the same idea: STRONG – GHOUL.', chains('strong ghoul', 'blotch hulk', 'strong ghoul')],
    [
      'Two people had the same idea: STRONG – GHOUL.',
      { ...chains('strong ghoul', 'blotch hulk', 'strong ghoul'), names: false },
    ],
    [
      'The longest word was CHRYSANTHEMUM, by @b.',
      chains('strong ghost', 'chrysanthemum muck', 'blotch hulk'),
    ],
    ['All three of you joined two words at G.', chains('strong ghost', 'blotting ghoul', 'being gulps')],
  ];
  test.each(secret)('and may name words: %s', (line, day) => {
    expect(linesOf(day, true)).toContain(line);
    expect(linesOf(day)).not.toContain(line);
  });

  test('nobody by name where names are off', () => {
    const said = [...open, ...secret].flatMap(([, day]) =>
      [false, true].flatMap((isSecret) => linesOf({ ...day, names: false }, isSecret)),
    );
    expect(said).toContain('Only one person thought of GHOST.');
    expect(said.join()).not.toContain('@');
  });

  test('nothing of everybody where calm people solved it, too', () => {
    const said = [...open, ...secret].flatMap(([, day]) =>
      [false, true].flatMap((isSecret) => linesOf({ ...day, hasCalm: true }, isSecret)),
    );
    expect(new Set(said)).toContain('@c thought of GHOST.');
    const others = said.filter((line) => !/^(@|One person|Two people|(Two|Three) of you )/.test(line));
    expect([...new Set(others)]).toEqual(['']);
    expect(said.join()).not.toMatch(/was first|nobody/);
  });

  test('nothing that other finds of the same people contradict', () => {
    const said = (day: Partial<DayPlayed>) => [...linesOf(day), ...linesOf(day, true)].join('\n');
    const day = chains('strong ghost', 'chrysanthemum muck', 'blotch hulk');
    const also = (words: string) => ({
      ...day,
      finds: [...day.finds, { person: 'a', words: words.split(' ') }],
      answer: ['blotch', 'hulk'],
    });
    expect(said({ ...day, answer: ['blotch', 'hulk'] })).toMatch(/Only @c came up[\s\S]*longest word/);
    expect(said(day)).toContain('no two had the same solution');
    const same = said(also('blotch hulk'));
    expect(same).toContain('2 of 3 came up with the answer below.');
    expect(same).not.toMatch(/Only @c|no two/);
    expect(said(also('chrysanthemum ghost'))).not.toContain('longest');
    expect(said(also('uncopyrightables'))).toContain('The longest word was UNCOPYRIGHTABLES, by @a.');
  });

  test('of who was first, nothing that a solution which does not count as checked contradicts', () => {
    const [first, ...rest] = withFirst(played(4, 4), { sinceOpening: 7.5 * MINUTE });
    const early = { ...first!, person: 'eve', sinceOpening: 2 * MINUTE, afterSolution: true as const };
    expect(linesOf({ results: [first!, ...rest, early] }).join()).not.toContain('after the opening');
  });

  test('no word that it cannot be sure of, that would offend, or that two people had', () => {
    const said = (day: Partial<DayPlayed>) => linesOf(day, true).join('\n');
    const other = { person: 'a', words: ['blotch', 'howitzer'] };
    expect(said({ ...HALVES, finds: [...HALVES.finds, other], answer })).not.toContain('HOWITZER');
    for (const half of ['bequeath harp', 'blotch howitzer'])
      expect(said({ ...chains(half, half, 'strong ghost'), answer })).not.toContain('nobody had both');
    expect(said({ ...HALVES, results: [...HALVES.results, reported], answer })).not.toMatch(/nobody|Only/);
    expect(said(chains('shit tags', 'shit tongs', 'shit trunk'))).not.toContain('SHIT');
    // They did not only finish with the same word.
    expect(said(chains('strong ghost', 'strong ghost', 'blotch hulk'))).not.toMatch(/opened|finished/);
    // The words of another of their solutions, such as a longer one.
    expect(said({ ...HALVES, results: HALVES.results.map((one) => ({ ...one, solution: 'other' })) })).toBe(
      '',
    );
    expect(said({ ...HALVES, likelihoodOf: () => 0.999 })).not.toContain('thought of');
  });

  test('nothing that the closings before have said, and nothing at all rather than the same again', () => {
    const day = { results: withFirst(played(2, 4), { letters: 13 }), par: 4 };
    const both = ['Both met the par of 4.', '@a used 13 letters, and not one was wasted.'];
    expect(linesOf(day).toSorted()).toEqual(both.toSorted());
    expect(linesOf({ ...day, heard: [undefined, undefined, 'par'] })).toEqual([both[1]]);
    expect(linesOf({ ...day, heard: ['par', undefined, 'no letter wasted'] })).toEqual([both[1]]);
    expect(linesOf({ ...day, heard: ['par', 'no letter wasted'] })).toEqual(['']);
  });
});

test('the work for many people and finds grows with their number, not with its square', () => {
  let looks = 0;
  const finds = Array.from({ length: 900 }, (_, index) => ({
    words: [`s${index}`],
    get person() {
      looks++;
      return `p${index % 300}`;
    },
  }));
  const results = Array.from({ length: 300 }, (_, index) => ({ ...played(3)[0]!, person: `p${index}` }));
  closingRemark({ ...NOTHING, results, finds });
  expect(looks).toBeLessThan(10 * finds.length);
});
