import { describe, expect, test } from 'vitest';
import { makeAction, parseAction } from '../../src/reply/action.ts';
import { checkedReply } from '../../src/reply/checked.ts';
import { generatedReply } from '../../src/reply/generated.ts';
import { hintReply } from '../../src/reply/hint.ts';
import { lineText, plainText } from '../../src/reply/markup.ts';
import { nextReply } from '../../src/reply/next.ts';
import { openingReply } from '../../src/reply/opening.ts';
import { isPadded } from '../../src/reply/padding.ts';
import { solutionReply } from '../../src/reply/solution.ts';
import { percent } from '../../src/reply/solution-line.ts';
import { solvedReply } from '../../src/reply/solved.ts';
import { sourceLabel } from '../../src/reply/source-label.ts';
import { longDate, subjectOfBoard, subjectOfDay } from '../../src/reply/subject.ts';
import type { Reply } from '../../src/reply/types.ts';
import { pickWords, wordsReply } from '../../src/reply/words.ts';
import { checkWords } from '../../src/solver/check.ts';
import { HINT_STEPS, type HintStep } from '../../src/solver/hints.ts';
import { BOARD, PUZZLE, searchOf, WORDS } from './setting.ts';

const DAY = subjectOfDay(PUZZLE);
const SIDES = subjectOfBoard(BOARD);
const asker = 'asker' as const;

const buttons = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
const labels = (reply: Reply) => buttons(reply).map(({ label }) => label);
const facts = (reply: Reply) =>
  Object.fromEntries(
    reply.blocks.flatMap((block) =>
      block.kind === 'facts' ? block.facts.map(({ label, value }) => [label, value]) : [],
    ),
  );
const hidden = (reply: Reply) =>
  Object.fromEntries(
    reply.blocks.flatMap((block) =>
      block.kind === 'spoiler' ? [[block.label, block.hidden.map((line) => lineText(line))]] : [],
    ),
  );
const check = (words: string[]) =>
  checkWords(BOARD, words, searchOf(), (word) => WORDS.some((other) => other.word === word));

describe("the day's board", () => {
  test('has a picture, its par, when the next one comes, its source, and a button for everything', () => {
    const reply = openingReply({ puzzle: { ...PUZZLE, par: 4 }, until: 1000, audience: 'everyone' });
    expect(reply.title).toBe('Letter Boxed, Friday 20 November 2026');
    expect(reply.audience).toBe('everyone');
    expect(facts(reply)).toEqual({ Par: '4 words', 'Next board': { moment: 1000, style: 'relative' } });
    expect(plainText(reply)).toContain(
      "House board of Friday 20 November 2026 (generated, not the newspaper's).",
    );
    expect(labels(reply)).toHaveLength(HINT_STEPS.length + 2);
    for (const { action } of buttons(reply)) {
      expect(action.options.date).toBe('2026-11-20');
      expect(parseAction(makeAction(action))).toEqual(action);
    }
    expect(reply.again).toEqual({ command: 'today', options: { date: '2026-11-20' } });
  });

  test('leaves out what is not known, and offers only the steps asked for', () => {
    const reply = openingReply({ puzzle: PUZZLE, audience: asker, steps: ['start'] });
    expect(facts(reply)).toEqual({});
    expect(labels(reply)).toEqual(['Start letters', 'Check my words', 'Reveal']);
  });

  test.each([
    [
      { source: 'newspaper', editor: 'A. Editor' } as const,
      /New York Times' Letter Boxed of .*, edited by A\. Editor\.$/,
    ],
    [{ source: 'house' } as const, /^House board of .* \(generated, not the newspaper's\)\.$/],
    [{ source: 'hand', typedAt: 0 } as const, /^Typed by hand for .*, 1970-01-01 00:00 UTC\. Not checked/],
    [{ source: 'hand' } as const, /^Typed by hand for Friday 20 November 2026\. Not checked/],
  ])('says where it comes from: %o', (puzzle, label) => {
    expect(lineText(sourceLabel({ date: '2026-11-20', ...puzzle }))).toMatch(label);
  });

  test('dates in full', () => {
    expect(longDate('2027-01-03')).toBe('Sunday 3 January 2027');
    expect(longDate('2024-02-29')).toBe('Thursday 29 February 2024');
  });
});

describe('hints', () => {
  const told = (step: HintStep, options = {}) =>
    Object.values(
      hidden(hintReply({ subject: DAY, search: searchOf(options), step, audience: asker })),
    ).flat();

  test('each step tells its own', () => {
    expect(told('start')[0]).toBe('Best first: B.');
    expect(told('start')[1]).toMatch(/^No shortest solution starts with C, D, .* or P\.$/);
    expect(told('count')).toEqual(['2 words can do it, in 2 ways.']);
    expect(told('hardest')[0]).toBe('C: 2 words can use it');
    expect(told('lengths')).toEqual(['In order: 6, then 8 letters.']);
    expect(told('joint')).toEqual(['The words join on G.']);
    expect(told('masked')).toEqual(['B_J_C_', 'G_D_L_B_']);
    expect(told('first')).toEqual(['Start with BFJMCG.']);
  });

  test('go on from words that were played', () => {
    const played = ['bfjmcg'];
    expect(told('start', { played })).toEqual(['The next word starts with G.']);
    expect(told('count', { played })).toEqual(['1 more word can do it, in 1 way.']);
    expect(told('hardest', { played })).not.toContain('C: 2 words can use it');
    expect(told('lengths', { played })).toEqual(['One word of 8 letters.']);
    expect(told('joint', { played })).toEqual(['Nowhere: one more word does it all.']);
    expect(told('first', { played })).toEqual(['Go on with GKDHLNBP.']);
    const reply = hintReply({ subject: DAY, search: searchOf({ played }), step: 'count', audience: asker });
    expect(reply.again?.options).toEqual({ date: '2026-11-20', step: 'count', words: 'bfjmcg' });
    expect(buttons(reply)[0]?.action.options).toEqual({
      date: '2026-11-20',
      step: 'hardest',
      words: 'bfjmcg',
    });
  });

  test('lead on to the next step, and the last one to none', () => {
    const next = HINT_STEPS.map(
      (step) =>
        buttons(hintReply({ subject: SIDES, search: searchOf(), step, audience: asker })).find(
          ({ action }) => action.command === 'hint',
        )?.action.options,
    );
    expect(next.map((options) => options?.step)).toEqual([...HINT_STEPS.slice(1), undefined]);
    expect(next[0]?.sides).toBe('bcd-fgh-jkl-mnp');
  });

  test('say so when there is nothing to hint at', () => {
    const text = (options: object) =>
      plainText(hintReply({ subject: DAY, search: searchOf(options), step: 'first', audience: asker }), {
        reveal: true,
      });
    expect(text({ exclude: ['bfjm', 'bfjmcg'] })).toContain('No solution of this board is known');
    expect(text({ played: ['nbp'], exclude: ['bfjm'] })).toContain('can finish from here');
    expect(text({ played: ['bfjmcg', 'gkdhlnbp'] })).toContain('solved');
    expect(text({ stop: () => true, maxWords: 3 })).not.toContain('undefined');
  });
});

describe('the solution', () => {
  const reply = solutionReply({
    subject: DAY,
    search: searchOf(),
    certain: false,
    official: { words: ['bfjm', 'mcgkdhlnbp'], source: 'newspaper' },
    audience: asker,
    source: 'where from',
  });

  test("the newspaper's own, the shortest and the surest, all hidden, and a picture", () => {
    expect(hidden(reply)).toEqual({
      "The newspaper's own solution": ['BFJM – MCGKDHLNBP'],
      'The shortest': ['BFJMCG – GKDHLNBP (38 %)', 'BFJM – MCGKDHLNBP (24 %)'],
      'The surest, even if longer': [
        'BFJMCG – GKDHLN – NBP (86 %)',
        'BFJMCG – GKDHLNBP (38 %)',
        'BFJM – MCGKDHLNBP (24 %)',
      ],
    });
    const picture = reply.blocks.find((block) => block.kind === 'picture');
    expect(picture).toMatchObject({ spoiler: true });
    expect(picture?.kind === 'picture' && picture.picture.path?.words).toHaveLength(2);
    expect(plainText(reply)).toContain('where from');
  });

  test('no percentages where the words are certain', () => {
    const certain = solutionReply({ subject: DAY, search: searchOf(), certain: true, audience: asker });
    expect(plainText(certain, { reveal: true })).not.toContain('%');
  });

  test('without any of ours, the own one is still shown', () => {
    const search = searchOf({ tier: 'everyday', exclude: WORDS.map(({ word }) => word) });
    const own = solutionReply({
      subject: DAY,
      search,
      certain: false,
      official: { words: ['bfjm', 'mcgkdhlnbp'], source: 'house' },
      audience: asker,
    });
    expect(hidden(own)).toEqual({ 'The words the board was built around': ['BFJM – MCGKDHLNBP'] });
    expect(plainText(own)).toContain('Our word list has no solution');
  });

  test('a solution with a word to spare is padded', () => {
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp'])).toBe(false);
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp', 'pbp'])).toBe(true);
    expect(isPadded(BOARD, ['pkb', 'bfjmcg', 'gkdhlnbp'])).toBe(true);
    expect(isPadded(BOARD, ['bfjmcg', 'gmg', 'gkdhlnbp'])).toBe(true);
  });

  test('percentages never claim what is not so', () => {
    expect([0.001, 0.04, 0.5, 0.9999, 1].map(percent)).toEqual([
      'under 1 %',
      '4 %',
      '50 %',
      'over 99 %',
      '100 %',
    ]);
  });
});

describe('a solved board', () => {
  const solve = (more: object = {}, options = {}) =>
    solvedReply({ subject: SIDES, search: searchOf(options), certain: false, audience: asker, ...more });

  test('counts in the open, solutions hidden', () => {
    const reply = solve();
    expect(reply.title).toBe('Solved: BCD FGH JKL MNP');
    expect(facts(reply)).toEqual({
      'Playable words': '6',
      'Fewest words': '2',
      'Solutions with 2 words': '2',
      'Solutions with 3 words': '1',
    });
    expect(hidden(reply)['Shortest first']?.[0]).toBe('BFJMCG – GKDHLNBP (38 %)');
    expect(hidden(reply)['Surest first, even if longer']?.[0]).toBe('BFJMCG – GKDHLN – NBP (86 %)');
    expect(reply.replaces).toBeUndefined();
    expect(reply.again?.options).toEqual({ sides: 'bcd-fgh-jkl-mnp', page: 1 });
  });

  test('exactly so many words, or all with the fewest', () => {
    expect(hidden(solve({ exactly: 3 }))).toEqual({ 'With 3 words': ['BFJMCG – GKDHLN – NBP (86 %)'] });
    expect(facts(solve({ exactly: 4 }))['Solutions with 4 words']).toBe('0');
    expect(plainText(solve({ exactly: 4 }))).toContain('No chain of exactly 4 words uses every letter.');
    expect(Object.values(hidden(solve({ all: true })))).toEqual([
      ['BFJMCG – GKDHLNBP (38 %)', 'BFJM – MCGKDHLNBP (24 %)'],
    ]);
  });

  test('a further page changes the message, keeps what was asked for, and may be empty', () => {
    const reply = solve({ page: 2, options: { exclude: 'nbp' } });
    expect(reply.replaces).toBe(true);
    expect(plainText(reply)).toContain('There are no more solutions on this page.');
    expect(buttons(reply).map(({ label, action }) => [label, action.options])).toEqual([
      ['Back', { sides: 'bcd-fgh-jkl-mnp', exclude: 'nbp', page: 1 }],
    ]);
  });

  test('says so when there is none, or when the time ran out', () => {
    const none = solve({}, { exclude: ['bfjm', 'bfjmcg'] });
    expect(none.title).toMatch(/^No solution found/);
    expect(plainText(none)).toContain('No chain of up to 8 words of our list uses every letter.');
    expect(plainText(solve({}, { exclude: WORDS.map(({ word }) => word) }))).toContain('No word of our list');
  });
});

describe('checked words', () => {
  const reply = (words: string[], certain = false) =>
    checkedReply({ subject: DAY, result: check(words), certain, audience: asker });

  test('right ones, what is left, and how to go on', () => {
    const right = reply(['bfjmcg']);
    expect(right.title).toBe('That word is right (Friday 20 November 2026)');
    expect(facts(right)).toEqual({ 'Letters left': 'D H K L N P', 'Words still needed': 'at least 1' });
    expect(labels(right)).toEqual(['Hint from here', 'Best next word', 'Check again', 'Reveal']);
    expect(buttons(right)[0]?.action.options).toEqual({ date: '2026-11-20', words: 'bfjmcg' });
    const picture = right.blocks.find((block) => block.kind === 'picture');
    expect(picture?.kind === 'picture' && picture.picture.path?.words).toEqual([[0, 3, 6, 9, 1, 4]]);
  });

  test('wrong ones with the rule they break', () => {
    const wrong = reply(['bfjmcg', 'gkk', 'xyz']);
    expect(wrong.title).toMatch(/^2 of 3 words do not work/);
    const text = plainText(wrong);
    expect(text).toContain('✓ BFJMCG');
    expect(text).toContain('✗ "gkk" needs k twice in a row');
    expect(text).toContain('✗ "xyz" has "x"');
    expect(reply(['xyz']).title).toMatch(/^That word does not work/);
    expect(labels(reply(['xyz']))).toEqual(['Check again', 'Reveal']);
  });

  test('a solved board is told from one that is not', () => {
    const solved = reply(['bfjmcg', 'gkdhlnbp']);
    expect(solved.title).toMatch(/^Solved in 2 words/);
    expect(facts(solved)).toEqual({});
    expect(plainText(reply(['nbp', 'pbp']))).not.toContain('Solved');
    expect(facts(reply(['nbp']))['Words still needed']).toBe('none of our words can finish from here');
  });

  test('warns of rare words only where the list is not the game’s own', () => {
    expect(plainText(reply(['nbp']))).toContain('may judge a rare word otherwise');
    expect(plainText(reply(['nbp'], true))).not.toContain('may judge');
  });
});

describe('the next word', () => {
  const next = (played: string[], certain = false) =>
    nextReply({ subject: DAY, search: searchOf({ played }), certain, audience: asker });

  test('how many more in the open, the word and the way hidden', () => {
    expect(facts(next([]))).toEqual({ 'Words still needed': '2' });
    expect(hidden(next([]))).toEqual({
      'The best next word': ['BFJMCG (96 %)'],
      'The whole way from here': ['BFJMCG – GKDHLNBP (38 %)', 'BFJM – MCGKDHLNBP (24 %)'],
    });
    expect(hidden(next(['bfjm'], true))).toEqual({ 'The best next word': ['MCGKDHLNBP'] });
    expect(next(['bfjm']).again?.options).toEqual({ date: '2026-11-20', words: 'bfjm' });
  });

  test('nothing left, or no way on', () => {
    expect(plainText(next(['bfjm', 'mcgkdhlnbp']))).toContain('the board is solved');
    expect(plainText(next(['nbp']))).toContain('Take back the last word');
  });
});

describe('playable words', () => {
  test('filters and orders', () => {
    const found = (filter: object) => pickWords(WORDS, filter).map(({ word }) => word);
    expect(found({})[0]).toBe('nbp');
    expect(found({ sort: 'length' })[0]).toBe('mcgkdhlnbp');
    expect(found({ sort: 'coverage' })[0]).toBe('mcgkdhlnbp');
    expect(found({ starts: 'B' })).toEqual(['bfjmcg', 'bfjm']);
    expect(found({ ends: 'p', uses: 'KC' })).toEqual(['mcgkdhlnbp']);
  });

  test('are hidden, counted and paged', () => {
    const filter = { starts: 'b', sort: 'length' } as const;
    const reply = wordsReply({ subject: DAY, words: WORDS, filter, certain: false, audience: asker });
    expect(facts(reply)).toEqual({ 'Playable words': '6', 'As you asked for': '2' });
    expect(hidden(reply)).toEqual({ 'Words, the longest first': ['BFJMCG (6), BFJM (4)'] });
    expect(reply.blocks.some(({ kind }) => kind === 'buttons')).toBe(false);
    const many = Array.from({ length: 90 }, (_, index) => ({ ...WORDS[index % WORDS.length]! }));
    const second = wordsReply({
      subject: DAY,
      words: many,
      filter: {},
      certain: true,
      page: 2,
      audience: asker,
    });
    expect(plainText(second)).toContain('Words 41 to 80 of 90.');
    expect(buttons(second).map(({ label, action }) => [label, action.options])).toEqual([
      ['Back', { date: '2026-11-20', sort: 'likely', page: 1 }],
      ['More', { date: '2026-11-20', sort: 'likely', page: 3 }],
    ]);
    expect(second.replaces).toBe(true);
    expect(plainText(second, { reveal: true })).not.toContain('%');
  });

  test('none is said in words', () => {
    const reply = wordsReply({
      subject: DAY,
      words: WORDS,
      filter: { uses: 'z' },
      certain: true,
      audience: asker,
    });
    expect(plainText(reply)).toContain('No such word');
  });
});

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
