import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { plainText } from '../../../src/reply/model/text.ts';
import { playersText } from '../../../src/reply/replies/opening.ts';
import { featsOf, praise, titleOf } from '../../../src/reply/replies/praise.ts';
import { storedReply } from '../../../src/reply/replies/privacy.ts';
import { sharedReply, solvedPlayReply } from '../../../src/reply/replies/result.ts';
import {
  durationText,
  type Players,
  placeText,
  playersHereText,
  type ResultShown,
  squaresOf,
} from '../../../src/reply/replies/result-line.ts';
import { headlineOf, type SolvedShown, shownPoints, solvedLines } from '../../../src/reply/replies/solved.ts';
import { DAY } from '../look.ts';

const WORDS = ['bfjmcg', 'gkdhlnbp'];
const RESULT = {
  date: '2026-11-20' as const,
  words: 2,
  letters: 14,
  hints: 1,
  sinceOpening: 90_000,
};
const day = { best: RESULT, isOver: false, recorded: {}, streak: { current: 4 } };
const feats = { date: RESULT.date, spots: 12, longest: 8, isFirstTry: false };
const solved = { words: 2, letters: 14, feats, day };
const said = (more: Partial<SolvedShown['day']> = {}, isListExact = true) =>
  plainText(solvedPlayReply(DAY, WORDS, { ...solved, day: { ...day, ...more } }, isListExact));

test('thousands of people are counted with commas', () => {
  const many: Players = { playing: 1_200, solved: 2_000, best: undefined };
  expect([placeText({ rank: 1_159, of: 1_843 }), playersText(many), playersHereText(many, RESULT)]).toEqual([
    '1,159th of 1,843',
    '1,200 playing, 2,000 solved.',
    '2,000 of 3,200 here solved it.',
  ]);
  const some = { hints: 1_000, results: 3_438, otherResults: 0, madeBoardResults: 0, boards: 0 };
  const stored = { ...some, madeBoards: 0, settings: 0, games: 0, soloGames: 0, finds: 0, comparisons: 0 };
  const choices = { hidden: false, listed: false, calm: false, inSummaries: false, reminders: 0 };
  const shown = plainText(storedReply([{ ...stored, ...choices }]));
  expect(shown).toMatch(/Results: 3,438\nHints seen: 1,000\n/);
});

describe('a result, for the person alone', () => {
  test('says in sentences what it is worth, with what to press above what to copy', () => {
    const reply = solvedPlayReply(DAY, WORDS, { ...solved, par: 4 }, true);
    expect(reply.blocks[0]).toEqual({
      kind: 'text',
      lines: [
        'Brilliant! 14 letters and 1 hint point. Par is 4.',
        'Solved 1 minute after the board was posted.',
        'Your streak is 4 days.',
      ],
    });
    expect(reply.blocks.map(({ kind }) => kind)).toEqual(['text', 'picture', 'buttons', 'menu', 'text']);
    expect(said({ rank: { rank: 2, of: 7, behind: 5 } })).toContain(
      'Better than 5 of the 6 others here, 1 minute after the board was posted.',
    );
  });

  test('has a picture of its ending, without points where there is a better solution', () => {
    const endingOf = (more: Partial<SolvedShown>) => {
      const { blocks } = solvedPlayReply(DAY, WORDS, { ...solved, ...more, day }, true);
      return blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture.ending] : []));
    };
    expect(endingOf({ par: 4, score: { fewest: 2, points: 93 } })).toEqual([
      { title: 'Virtuoso', points: 93 },
    ]);
    expect(endingOf({ par: 4, score: { fewest: 1, points: 60 } })).toEqual([{ title: 'Under par' }]);
    expect(endingOf({ par: 1, score: { fewest: 1, points: 9 } })).toEqual([{ title: 'You did it' }]);
  });

  test('says how its channel did: the best only once everybody may know, and only where it took fewer words', () => {
    const here = (rank: number, players: Players) =>
      /.* here (?:solved|took).*/.exec(said({ rank: { rank, of: players.solved }, players }))?.[0];
    expect(here(2, { playing: 1, solved: 5 })).toBe('5 of 6 here solved it.');
    expect(here(2, { playing: 1, solved: 5, best: 1 })).toBe('5 of 6 here solved it, the best in 1 word.');
    expect(here(1, { playing: 1, solved: 5, best: 2 })).toBe('5 of 6 here solved it.');
    expect(here(2, { playing: 0, solved: 5, best: 1 })).toBe('The best here took 1 word.');
    expect(here(2, { playing: 0, solved: 5 })).toBeUndefined();
  });

  test('ranks after others only if it counts, and came after the solution', () => {
    const ranks = (best: Partial<ResultShown>) =>
      said({ best: { ...RESULT, afterSolution: true, ...best } }).includes('It ranks after');
    expect(ranks({})).toBe(true);
    expect(ranks({ late: true })).toBe(false);
    expect(ranks({ sinceOpening: null })).toBe(false);
  });

  test('says which word list judged it when it is not the game’s own', () => {
    expect(said()).not.toContain('rare words');
    expect(said({}, false)).toContain('rare words');
  });
});

describe('a shared result', () => {
  test('says nothing of the length of words until the day is over', () => {
    const path = { sides: [3, 3, 3, 3], words: [[0, 3, 6, 9]] };
    const shared = (letters: number, isOver: boolean) =>
      sharedReply(DAY, '42', { ...RESULT, par: 4, letters, path }, { isOver });
    expect(shared(14, false)).toEqual(shared(22, false));
    expect(shared(14, false).blocks.map(({ kind }) => kind)).toEqual(['text', 'buttons']);
    const over = shared(14, true).blocks;
    expect(over.map(({ kind }) => kind)).toEqual(['text', 'picture', 'buttons']);
    expect(over[1]).toMatchObject({ picture: { letters: false, ending: { title: 'Solved in 2 words' } } });
  });

  test('has no picture if the path is unknown, and no time after its day was over', () => {
    const reply = sharedReply(DAY, '42', { ...RESULT, sinceOpening: null }, { isOver: true });
    expect(reply.blocks.map(({ kind }) => kind)).toEqual(['text', 'buttons']);
    expect(plainText(reply)).toContain('@42 solved it after its day was over.\n🟦🟧\n');
  });
});

describe('a solved board', () => {
  test('of no day has its number of words only on a page, and par only elsewhere', () => {
    const undated = { words: 6, letters: 30, par: 5 };
    expect(solvedLines(undated)).toEqual(['30 letters.', 'Par is 5.']);
    expect(solvedLines(undated, { isBrief: true })).toEqual(['6 words, 30 letters.']);
  });

  const best = { words: 2, letters: 14, hints: 1, sinceOpening: 60_000 };
  const day = { best, isOver: false, streak: { current: 3 } };

  test('is no first try if it beats an earlier result', () => {
    const first = { ...feats, date: '2026-11-21', isFirstTry: true } as const;
    const said = (recorded: object) =>
      solvedLines({ words: 2, letters: 14, par: 5, feats: first, day: { ...day, recorded } })[0];
    expect(said({})).toContain('On the first try!');
    const games = [{}, { again: true }] as const;
    expect(games.map((game) => featsOf(['abc'], 12, game).isFirstTry)).toEqual([true, false]);
    expect(said({ beaten: { ...best, words: 3 } })).toContain('Superb!');
  });

  test('has its title and points only if nobody can do it in fewer words', () => {
    const title = (fewest: number) =>
      solvedLines({ words: 2, letters: 14, day, score: { fewest, points: 93 } }).find((line) =>
        line.includes('points.'),
      );
    expect(title(2)).toBe('Virtuoso: 93 of 100 points. It can’t be done in fewer words.');
    expect(title(1)).toBeUndefined();
  });
});

const SCORE = { fewest: 2, points: 30 };
test.each([
  ['Explorer', true, { words: 2, par: 4, score: SCORE }],
  ['Under par', false, { words: 3, par: 4, score: SCORE }],
  ['Explorer', true, { words: 3, par: 4, score: { ...SCORE, mayTellOfBetter: true } }],
  ['At par', false, { words: 4, par: 4, score: { ...SCORE, mayTellOfBetter: true } }],
  ['At par', false, { words: 4, par: 4 }],
  ['You did it', false, { words: 5, par: 4, score: { ...SCORE, mayTellOfBetter: true } }],
  ['You did it', false, { words: 5 }],
  ['Solved', false, { words: 2, par: 4, isAfterSolution: true, score: SCORE }],
] as const)('ranks a solution as %s, with its points: %s', (rank, hasPoints, how) => {
  expect(headlineOf({ letters: 20, ...how })).toBe(rank);
  expect(shownPoints(how)).toEqual(hasPoints ? 30 : undefined);
});

const FEATS = { ...RESULT, par: 4, spots: 12, longest: 8, isFirstTry: false };
const THURSDAY = '2026-11-19';

test.each([
  [THURSDAY, 'Well done!', { words: 4, letters: 20 }],
  [THURSDAY, 'What a word to find!', { longest: 9 }],
  [addDays(THURSDAY, 3), 'One word did most of it!', { longest: 9 }],
  [addDays(THURSDAY, 1), 'Not a letter wasted!', { letters: 13 }],
  [addDays(THURSDAY, 1), 'Brilliant!', { letters: 14 }],
  [addDays(THURSDAY, 2), 'On the first try!', { isFirstTry: true }],
  [addDays(THURSDAY, 5), 'In one go!', { isFirstTry: true }],
  [THURSDAY, 'You did it. Every letter is used.', { words: 5, letters: 30 }],
  [THURSDAY, 'A single word. Incredible!', { words: 1 }],
] as const)('on %s praises by what was done: %s', (date, said, how) => {
  expect(praise({ ...FEATS, date, ...how })).toBe(said);
});

test('has 28 sentences of praise, and none twice in a week, whatever was done', () => {
  const all = new Set<string>();
  let before: Set<string>[] = [];
  for (let day = 0; day < 28; day++) {
    const date = addDays(THURSDAY, day);
    const ways = [3, 4, 5].flatMap((words) =>
      [8, 9].flatMap((longest) =>
        [11, 30].flatMap((more) =>
          [true, false].map((isFirstTry) =>
            praise({ ...FEATS, date, words, longest, letters: words + more, isFirstTry }),
          ),
        ),
      ),
    );
    const today = new Set(ways.map((said) => said.replace('You did it. ', '')));
    expect(before.flatMap((said) => [...said].filter((one) => today.has(one)))).toEqual([]);
    before = [...before, today].slice(-6);
    for (const said of today) all.add(said);
  }
  expect(all.size + 1).toBe(28);
});

test.each([
  ['You did it. Every letter is used. 14 letters and no hints. Par is 1.', {}],
  ['You solved it!', { sinceOpening: null }],
  ['You solved it!', { afterSolution: true }],
] as const)('says %s with %o', (said, how) => {
  const feats = { date: THURSDAY, spots: 12, longest: 8, isFirstTry: false } as const;
  const over = { ...solved, par: 1, feats, day: { ...day, best: { ...RESULT, hints: 0, ...how } } };
  expect(solvedLines(over)[0]).toContain(said);
  // The headline of a page has said it.
  expect(solvedLines(over, { isBrief: true })[0]).toBe(
    said.startsWith('You did it') ? 'Every letter is used.' : said,
  );
});

test('draws a square for each word and empty ones up to par, as many as fit in a line', () => {
  expect(squaresOf({ words: 2 })).toBe('🟦🟧');
  expect(squaresOf({ words: 2, par: 5 })).toBe('🟦🟧⬜⬜⬜');
  expect(squaresOf({ words: 3, par: 2 })).toBe('🟦🟧🟩');
  expect(squaresOf({ words: 23 })).toMatch(/^🟦.{19} … 3 more words$/u);
  expect([...squaresOf({ words: 1, par: 1000 })]).toHaveLength(20);
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [3_900_000, '1 hour 5 minutes'],
  [7_200_000, '2 hours'],
  [90_061_000, '1 day 1 hour'],
  [86_400_000 + 60_000, '1 day'],
])('%i milliseconds are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test('gives each result one of seven titles, and a better one never a lesser title', () => {
  const titles = Array.from({ length: 101 }, (_, points) => titleOf(points));
  expect(titles.filter((title, points) => title !== titles[points - 1])).toEqual([
    'Explorer',
    'Pathfinder',
    'Navigator',
    'Wordsmith',
    'Architect',
    'Virtuoso',
    'Legend',
  ]);
  // In the fewest words, without a hint, however long; and in one word more, however short.
  expect([titleOf(90), titleOf(85)]).toEqual(['Virtuoso', 'Architect']);
});
