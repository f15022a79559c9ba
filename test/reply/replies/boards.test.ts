import { describe, expect, test } from 'vitest';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { dayBoardReply, generatedReply, sourceLabel } from '../../../src/reply/replies/board.ts';
import { isPadded } from '../../../src/reply/replies/chosen-solutions.ts';
import { explainReply } from '../../../src/reply/replies/explain.ts';
import { missingReply } from '../../../src/reply/replies/missing.ts';
import { solutionReply } from '../../../src/reply/replies/reveal.ts';
import { percent } from '../../../src/reply/replies/solution-lists.ts';
import { solveData, solveReply } from '../../../src/reply/replies/solutions.ts';
import { statsReply } from '../../../src/reply/replies/stats.ts';
import { matcherOf, wordsReply } from '../../../src/reply/replies/words.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { findPlayable } from '../../../src/solver/playable.ts';
import { makeSearch, type Search } from '../../../src/solver/search.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import fc from '../../fakes/fast-check.ts';
import { transcripts } from '../../fakes/transcript.ts';
import { asker, buttons, DAY, facts, hidden, SIDES } from '../look.ts';
import { BOARD, PUZZLE, playable, searchOf, WORDS } from '../setting.ts';

/** Answers about a board, as far as conversations don't reach them. */

transcripts(import.meta.resolve('./replies.txt'));

describe("the day's board", () => {
  test('shows its par, until when it is on, and no fact that is unknown', () => {
    const opening = dayBoardReply({ ...PUZZLE, par: 4 }, 1000);
    expect(opening.audience).toBe('everyone');
    expect(facts(opening)).toEqual({ Par: '4 words', 'On until': { moment: 1000, style: 'full' } });
    for (const { action } of buttons(opening)) expect(action.options.date).toBe('2026-11-20');
    expect(opening.rerun).toEqual({ command: 'today', options: { date: '2026-11-20' } });
    expect(facts(dayBoardReply(PUZZLE))).toEqual({});
    const first = (reply: Reply) => buttons(reply)[0]!.label;
    expect([first(opening), first(dayBoardReply(PUZZLE))]).toEqual(['Play', 'Solution']);
  });

  test.each([
    [{ source: 'newspaper', editor: 'A. Editor' } as const, /New York Times’ board, edited by A\. Editor\.$/],
    [{ source: 'house' } as const, /^Made by this bot\.$/],
    [{ source: 'hand', typedAt: 0 } as const, /^Typed by hand 1970-01-01 00:00 UTC\. Not checked/],
    [{ source: 'hand' } as const, /^Typed by hand\. Not checked/],
  ])('says where the board comes from: %o', (puzzle, label) => {
    expect(lineText(sourceLabel(puzzle))).toMatch(label);
  });
});

test('a generated board says when it is not as hard as asked for, and repeats with its seed', () => {
  const solution = { words: ['bfjm'], likelihood: 1 };
  const generated = { board: BOARD, seed: 'x y', difficulty: 'medium', solution, par: 5 } as const;
  const reply = (wanted?: 'hard') => generatedReply({ ...generated, wanted }, { difficulty: 'hard' });
  const sentence = 'I found no hard board for this seed. Here is another one.';
  expect(plainText(reply('hard'))).toContain(sentence);
  expect(plainText(reply())).not.toContain('I found no');
  expect(reply().rerun).toEqual({ command: 'generate', options: { difficulty: 'hard', seed: 'x y' } });
  expect(buttons(reply()).at(-1)?.action).toEqual({ command: 'generate', options: { difficulty: 'hard' } });
});

describe('the solution', () => {
  const solution = (more: object) =>
    solutionReply({ namedBoard: DAY, search: searchOf(), isListExact: false, audience: asker, ...more });

  test("shows the newspaper's own first and draws it, hidden", () => {
    const official = { words: ['bfjm', 'mcgkdhlnbp'], source: 'newspaper' };
    const reply = solution({ official, source: 'where from' });
    expect(Object.entries(hidden(reply))[0]).toEqual(['The newspaper’s solution', ['BFJM – MCGKDHLNBP']]);
    const picture = reply.blocks.find((block) => block.kind === 'picture');
    expect(picture).toMatchObject({ spoiler: true });
    expect(picture?.kind === 'picture' && picture.picture.path).toHaveLength(2);
    expect(plainText(reply)).toContain('where from');
  });

  test('of twelve sides of one letter leads to their other solutions', () => {
    const namedBoard = namedBoardOf(parseBoard('b|c|d|f|g|h|j|k|l|m|n|p'));
    const { options } = buttons(solution({ namedBoard })).find(
      ({ label }) => label === 'All solutions',
    )!.action;
    expect(parseBoard(String(options.sides))).toEqual(namedBoard.board);
  });

  test('is the official one when our list has none', () => {
    const search = searchOf({ tier: 'everyday', exclude: WORDS.map(({ word }) => word) });
    const own = solution({ search, official: { words: ['bfjm', 'mcgkdhlnbp'], source: 'house' } });
    expect(hidden(own)).toEqual({ 'The board’s own solution': ['BFJM – MCGKDHLNBP'] });
    expect(plainText(own)).toContain('No solution found');
  });

  test('with an unnecessary word is padded', () => {
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp'])).toBe(false);
    expect(isPadded(BOARD, ['bfjmcg', 'gkdhlnbp', 'pbp'])).toBe(true);
    expect(isPadded(BOARD, ['pkb', 'bfjmcg', 'gkdhlnbp'])).toBe(true);
    expect(isPadded(BOARD, ['bfjmcg', 'gmg', 'gkdhlnbp'])).toBe(true);
  });

  test('has no percentage of 0% or 100% for what is not certain', () => {
    expect([0.001, 0.04, 0.5, 0.9999, 1].map(percent)).toEqual(['1%', '4%', '50%', '99%', '100%']);
  });
});

describe('a solved board', () => {
  test('lists no more solutions at a terminal than fit in memory, and says how all are printed', () => {
    const long = Array.from({ length: 100_001 }, () => ({ words: ['bfjm', 'mcgkdhlnbp'], likelihood: 1 }));
    const search = searchOf({});
    Object.defineProperty(search, 'solutions', { value: () => long.values() });
    const request = { namedBoard: SIDES, search, isListExact: true, all: true };
    const text = plainText(solveReply({ ...request, terminal: { limit: Number.POSITIVE_INFINITY } }));
    expect(text).toContain('Solutions 1 to 100,000.\n\nAdd --plain to print all of them.');
  });

  test('with exactly so many words is not found where the time ran out', () => {
    const board = parseBoard('aeto rnsi lcdu mphg bykf vwxj');
    const search = makeSearch(board, findPlayable(board, readLexicon()), { stop: () => true });
    const request = { namedBoard: namedBoardOf(board), search, isListExact: false };
    expect(plainText(solveReply({ ...request, exactly: 2 }))).toContain('No solution was found in the time');
    // Nothing is known of a count that was not begun.
    expect(plainText(solveReply({ ...request, exactly: 5 }))).not.toContain('at least 0');
    expect(plainText(solveReply({ ...request, lengthToCount: 7 }))).toContain(
      'Seven-word solutions: not counted in the time there was',
    );
  });

  test('counts the same lengths for people and for programs, and those that are asked for', () => {
    const search = searchOf({ maxWords: 2 });
    for (const [asked, lengths] of [
      [{}, [1, 2]],
      [{ lengthToCount: 4 }, [1, 2, 4]],
      [{ exactly: 12 }, [1, 2]],
    ] as const) {
      const request = { namedBoard: SIDES, search, isListExact: true, ...asked };
      const { counts } = solveData(request).data as { counts: object };
      expect(Object.keys(counts).map(Number)).toEqual(lengths);
      const isCounted = 'lengthToCount' in asked;
      expect(plainText(solveReply(request)).includes('Four-word solutions')).toBe(isCounted);
    }
  });

  test('sorts by likelihood what all solutions are, for people and for programs', () => {
    const search = searchOf({ maxWords: 3 });
    const request = { namedBoard: SIDES, search, isListExact: true };
    const shortest = (more: object) =>
      (solveData({ ...request, ...more }).data as { shortest: readonly { words: readonly string[] }[] })
        .shortest;
    expect(shortest({ sort: 'likely' })).toEqual(shortest({ all: true }));
    const lists = (more: object) => hidden(solveReply({ ...request, ...more }));
    expect(lists({ sort: 'likely' })).toEqual(lists({ all: true }));
  });

  test('lists what its label says, in each order', () => {
    const request = { namedBoard: SIDES, search: searchOf({ maxWords: 3 }), isListExact: true };
    const lists = (more: object) => hidden(solveReply({ ...request, ...more }));
    const [first, second, third] = ['BFJM – MCGKDHLNBP', 'BFJMCG – GKDHLNBP', 'BFJMCG – GKDHLN – NBP'];
    const upTo = 'All solutions with up to 3 words';
    expect(lists({ sort: 'alpha' })).toEqual({ [`${upTo}, by the alphabet`]: [first, third, second] });
    expect(lists({ sort: 'length' })).toEqual({ [`${upTo}, fewest letters first`]: [first, second, third] });
    const each = 'One for each first word, by the alphabet';
    expect(lists({ sort: 'alpha', each: true })).toEqual({ [each]: [first, second] });
  });

  test('explains that not our list alone has chosen the words, where the game’s own is known', () => {
    const lexicon = readLexicon();
    const ours = findPlayable(BOARD, lexicon);
    const explained = (search: Search) => explainReply({ namedBoard: SIDES, search, lexicon });
    const decided = 'After what the game is known to accept';
    expect(facts(explained(searchOf()))[decided]).toBe(String(WORDS.length));
    expect(facts(explained(makeSearch(BOARD, ours)))).not.toHaveProperty(decided);
  });

  test('says for exit statuses that there is no solution', () => {
    const search = searchOf({ exclude: ['bfjm', 'bfjmcg'] });
    expect(solveReply({ namedBoard: SIDES, search, isListExact: false }).notFound).toBe('none');
  });
});

test('playable words are paged, and a page replaces the message', () => {
  const words = Array.from({ length: 90 }, (_, index) => ({ ...WORDS[index % WORDS.length]! }));
  const second = wordsReply({ namedBoard: DAY, words, filter: {}, isListExact: true, page: 2 });
  expect(plainText(second)).toContain('Words 41 to 80 of 90.');
  expect(buttons(second).map(({ label, action }) => [label, action.options])).toEqual([
    ['Back', { date: '2026-11-20', sort: 'likely', page: 1 }],
    ['More', { date: '2026-11-20', sort: 'likely', page: 3 }],
  ]);
  expect(second.replaces).toBe(true);
  expect(plainText(second, { reveal: true })).not.toContain('%');
});

test('playable words with a letter twice have it twice', () => {
  const words = playable(BOARD, { bfjm: 0.9, bfjb: 0.8, bfjbf: 0.7 });
  const found = (uses: string) =>
    hidden(wordsReply({ namedBoard: DAY, words, filter: { uses, sort: 'alpha' }, isListExact: true }));
  expect(found('b')).toEqual({ 'Words, by the alphabet': ['B: BFJB, BFJBF, BFJM'] });
  expect(found('bjb')).toEqual({ 'Words, by the alphabet': ['B: BFJB, BFJBF'] });
  expect(found('fbbf')).toEqual({ 'Words, by the alphabet': ['B: BFJBF'] });
});

/** Replies about people, as far as conversations don't reach them. */

test.each([
  [false, 'Not solved yet by @ann and @ben.'],
  [true, 'Not solved yet by @ann, @ben and others.'],
])('who is missing says that there are more: %s', (hasMore, sentence) => {
  const people = ['ann', 'ben'];
  const reply = missingReply({ date: '2026-11-20', people, hasRegulars: true, hasMore, solved: 3, days: 7 });
  expect(plainText(reply)).toContain(sentence);
});

test.each([
  [1, '1 word'],
  [1.04, '1 word'],
  [2.25, '2.3 words'],
])('an average of %d is %s', (words, average) => {
  const counts = { solved: 2, afterDay: 0, reported: 0, afterSolution: 0, withoutHints: 2 };
  const numbers = { ...counts, words, letters: undefined, hints: 0 };
  const streak = { current: 1, longest: 1, isTodaySolved: true, freezes: 0, frozen: [] };
  const stats = statsReply({ ...numbers, streak, best: undefined, byWords: [{ words: 1, times: 2 }] });
  expect(facts(stats)['On average']).toBe(average);
});

test('a pattern fits the words that the same regular expression fits', () => {
  const text = (signs: string) => fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 });
  fc.assert(
    fc.property(text('ab'), text('ab?*'), (word, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`);
      expect(matcherOf(pattern)(word)).toBe(expression.test(word));
    }),
  );
});

test('a pattern of many stars is read as soon as any other', () => {
  expect(matcherOf(`${'*a'.repeat(19)}*b`)('a'.repeat(40))).toBe(false);
});
