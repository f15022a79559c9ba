import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { makeJudge } from '../../src/puzzle/judge.ts';
import {
  type BoardToJudge,
  type ChannelSource,
  type DayWord,
  type Puzzle,
  wordSourceOf,
} from '../../src/puzzle/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeSearch } from '../../src/solver/search.ts';
import {
  ADDITIONS,
  type FakeNewspaper,
  json,
  MAIN,
  OBSCURE,
  payload,
  startNewspaper,
  status,
} from '../fakes/newspaper.ts';
import {
  HERE,
  lexicon,
  makePuzzleFixture,
  NOON,
  newRepository,
  type PuzzleFixtureOptions,
  TODAY,
  typedBoard,
} from './fixture.ts';

const ELSEWHERE = [
  { ...HERE, channel: '11' },
  { ...HERE, tenant: 'slack:T1' },
];
const SAME = ['cos', 'mpa', 'tne', 'lir'];
const OTHER = ['abd', 'ent', 'ril', 'ocs'];

let newspaper: FakeNewspaper;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());
beforeEach(() => {
  newspaper.requests.length = 0;
  newspaper.play(json(payload(TODAY)));
});
const setting = (options?: PuzzleFixtureOptions) => makePuzzleFixture(newspaper, options);

describe('which source', () => {
  const withSource = (
    source: ChannelSource['source'],
    otherwise: ChannelSource['otherwise'] = 'nothing',
  ) => ({
    channelSource: { source, otherwise },
  });

  test.each([
    ['newspaper', 'newspaper', 'newspaper', 1],
    ['newspaper', 'house', 'house', 0],
    ['house', 'newspaper', 'house', 0],
    ['house', 'house', 'house', 0],
    ['newspaper', 'off', 'puzzle.off', 0],
    ['house', 'off', 'puzzle.off', 0],
    ['off', 'newspaper', 'puzzle.off', 0],
    ['off', 'house', 'puzzle.off', 0],
  ] as const)('operator chose %s, channel chose %s: %s', async (operator, wanted, got, requests) => {
    const { service } = await setting({ source: operator, ...withSource(wanted, 'house') });
    const outcome = await service.puzzleOf(TODAY, HERE).then(
      ({ source }) => source,
      (error) => error.code,
    );
    expect(outcome).toBe(got);
    expect(newspaper.requests).toHaveLength(requests);
  });

  test('off: the message says what to type', async () => {
    const { service } = await setting(withSource('off'));
    await expect(service.puzzleOf(TODAY, HERE)).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/Add the sides .*: set ozu nri lfa mbt\./),
    });
  });

  test('a house board is made once and stays, whatever the generator makes later', async () => {
    const repository = await newRepository();
    const first = await (await setting({ repository, ...withSource('house') })).service.puzzleOf(TODAY, HERE);
    expect(first).toMatchObject({ source: 'house', date: TODAY });
    const again = await (
      await setting({ repository, houseSides: OTHER, ...withSource('house') })
    ).service.puzzleOf(TODAY, HERE);
    expect(again).toEqual(first);
  });

  test('a house board that many channels ask for at once is made once', async () => {
    const memory = await newRepository();
    let made = 0;
    const keepPuzzle = async (puzzle: Puzzle) => {
      made++;
      await memory.keepPuzzle(puzzle);
    };
    const { service } = await setting({ repository: { ...memory, keepPuzzle }, ...withSource('house') });
    await Promise.all(['1', '2', '3'].map((channel) => service.puzzleOf(TODAY, { ...HERE, channel })));
    expect(made).toBe(1);
  });

  test('a house board that another process has stored meanwhile is the board of both', async () => {
    const memory = await newRepository();
    const keepPuzzle = async (puzzle: Puzzle) => {
      await memory.keepPuzzle({ ...puzzle, board: makeBoard(OTHER) });
      await memory.keepPuzzle(puzzle);
    };
    const { service } = await setting({ repository: { ...memory, keepPuzzle }, ...withSource('house') });
    expect((await service.puzzleOf(TODAY, HERE)).board.sides).toEqual(OTHER);
  });

  test('the board of tomorrow is known where it is stored already, without a request', async () => {
    const repository = await newRepository();
    const { service } = await setting({ repository });
    const [date, board] = [addDays(TODAY, 1), makeBoard(OTHER)];
    await repository.keepPuzzle({ date, source: 'newspaper', board });
    expect(await service.knownDayOf(board, HERE)).toBe(date);
    expect(newspaper.requests).toEqual([]);
  });

  test("today's house board is used until the newspaper can be reached again", async () => {
    newspaper.play(status(500));
    const { service, clock } = await setting(withSource('newspaper', 'house'));
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('house');
    newspaper.play(json(payload(TODAY)));
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('house');
    clock.now += 60_000;
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
  });

  test("a past day's house board is used only if it was used on that day", async () => {
    newspaper.play(status(404));
    const { service, clock } = await setting(withSource('newspaper', 'house'));
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('house');
    clock.now += DAY;
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('house');
    await expect(service.puzzleOf(addDays(TODAY, -1), HERE)).rejects.toMatchObject({
      code: 'puzzle.missing',
      // With both, a command would be refused.
      message: expect.stringMatching(
        /don’t have the board of Thursday, November 19, 2026.* Type its sides instead of the date, like play ozu nri lfa mbt\.$/,
      ),
    });
  });
});

test('past days with a house board are those whose board was made while it was on, newest first', async () => {
  const day = (days: number, at: (span: { from: number; to: number }) => number) => {
    const date = addDays(TODAY, -days);
    return { date, at: at(spanOf(date)) };
  };
  const days = [
    day(4, ({ from }) => from),
    day(3, ({ to }) => to),
    day(2, ({ to }) => to - 1),
    day(0, () => NOON),
  ];
  const repository = { ...(await newRepository()), days: async () => days };
  const { service } = await setting({ repository, channelSource: { source: 'house', otherwise: 'nothing' } });
  const listed = [addDays(TODAY, -2), addDays(TODAY, -4)];
  expect(await service.daysOf(HERE)).toEqual(listed);
  // A channel of the newspaper's has none of them.
  expect(await (await setting({ repository })).service.daysOf(HERE)).toEqual([]);
});

test("the house's board of today is made ahead of who asks where the house is the source, and nowhere else", async () => {
  for (const source of ['house', 'newspaper', 'off'] as const) {
    const repository = await newRepository();
    await (await setting({ repository, source })).service.makeToday();
    expect((await repository.puzzle(TODAY, 'house')) !== undefined).toBe(source === 'house');
  }
});

describe('boards typed by hand', () => {
  test('are used while the newspaper cannot be reached, in their own channel and tenant only, with author and time', async () => {
    newspaper.play(status(500));
    const { service } = await setting();
    expect(await service.setByHand(typedBoard(OTHER), HERE)).toEqual({});
    expect(await service.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    for (const asker of ELSEWHERE) {
      await expect(service.puzzleOf(TODAY, asker)).rejects.toMatchObject({ name: 'UserError' });
    }
  });

  test.each(['house', 'off'] as const)('come before source %s, without a request', async (source) => {
    const { service } = await setting({ source });
    await service.setByHand(typedBoard(OTHER), HERE);
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('hand');
    expect(newspaper.requests).toHaveLength(0);
  });

  test('are replaced by a fetched board that agrees, whatever the order of the typed sides', async () => {
    const { service, disagreements } = await setting();
    await service.setByHand(typedBoard(SAME), HERE);
    expect(await service.puzzleOf(TODAY, HERE)).toMatchObject({ source: 'newspaper', par: 4 });
    expect(disagreements).toEqual([]);
  });

  test('a later fetch that disagrees is reported once, over restarts, and swaps nothing', async () => {
    newspaper.play(status(500));
    const { service, repository, clock, disagreements } = await setting();
    await service.setByHand(typedBoard(OTHER), HERE);
    await service.puzzleOf(TODAY, HERE);
    newspaper.play(json(payload(TODAY)));
    clock.now += 60_000;
    expect(await service.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    expect(await service.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    const restarted = await setting({ repository });
    expect(await restarted.service.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    expect(restarted.disagreements).toEqual([]);
    expect(disagreements).toEqual([
      [HERE, typedBoard(OTHER), expect.objectContaining({ source: 'newspaper' })],
    ]);
    expect(await service.puzzleOf(TODAY, ELSEWHERE[0]!)).toMatchObject({ source: 'newspaper' });
  });

  test('typed over a fetched board: the answer says that they differ, and nothing else reports it', async () => {
    const { service, disagreements } = await setting();
    await service.puzzleOf(TODAY, HERE);
    const { newspaper } = await service.setByHand(typedBoard(OTHER), HERE);
    expect(newspaper).toMatchObject({ source: 'newspaper', board: { letters: 'pamentrilocs' } });
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('hand');
    expect(disagreements).toEqual([]);
    expect(await service.setByHand(typedBoard(SAME), HERE)).toEqual({});
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
  });

  test('are recognized as the day’s in their whole tenant, in whatever order, and so is the newspaper’s', async () => {
    const { service, clock } = await setting();
    await service.setByHand(typedBoard(OTHER), HERE);
    const mixed = (sides: readonly string[]) => ({
      sides: sides.map((side) => [...side].reverse().join('')).reverse(),
    });
    const other = mixed(typedBoard(OTHER).board.sides);
    const here = { ...HERE, channel: 'another' };
    expect(await service.dayOf(other, here)).toBe(TODAY);
    expect(await service.dayOf(mixed(typedBoard(SAME).board.sides), here)).toBe(TODAY);
    const [elsewhere] = ELSEWHERE.filter(({ tenant }) => tenant !== HERE.tenant);
    expect(await service.dayOf(other, elsewhere!)).toBeUndefined();
    clock.now += 24 * 60 * 60_000;
    newspaper.play(status(500));
    expect(await service.dayOf(other, here)).toBeUndefined();
  });

  test('are not kept for a day still to come', async () => {
    const { service } = await setting();
    const early = service.setByHand(typedBoard(OTHER, '2026-11-21'), HERE);
    await expect(early).rejects.toMatchObject({ code: 'date.to-come' });
  });
});

describe('learning', () => {
  const words = async ({ service }: Awaited<ReturnType<typeof setting>>) => {
    const { board } = typedBoard(SAME);
    const { words, isListExact } = makeJudge(board, await service.wordSource({ board }), lexicon);
    return { words: words.map(({ word }) => word), isListExact };
  };

  test("a board typed by hand is judged with what an earlier day's dictionary taught", async () => {
    const repository = await newRepository();
    expect((await words(await setting({ repository }))).words).toContain('clear');
    await (await setting({ repository })).service.puzzleOf(TODAY, HERE);
    const after = await words(await setting({ repository, clock: { now: NOON + DAY } }));
    expect(after.words).not.toContain('clear');
    expect(after.words).toContain('almes');
    expect(new Set(after.words).size).toBe(after.words.length);
    expect(after.isListExact).toBe(false);
  });

  test("a day's own dictionary is used without reading what other days taught", async () => {
    const stored = await newRepository();
    const madeOf = () => Promise.reject(new Error('verdicts were read'));
    const repository = { ...stored, verdicts: { ...stored.verdicts, madeOf } };
    const { service } = await setting({ repository });
    const puzzle = await service.puzzleOf(TODAY, HERE);
    expect(puzzle.dictionary).toBeDefined();
    expect(await service.wordSource(puzzle)).toEqual(wordSourceOf(puzzle));
  });

  test('a dictionary that was cut short teaches nothing', async () => {
    newspaper.play(json(payload(TODAY, { dictionary: ['ACTOR', 'ARTIST'] })));
    const { service, repository, logged } = await setting();
    await service.puzzleOf(TODAY, HERE);
    expect(await repository.verdicts.madeOf('pamentrilocs')).toEqual(new Map());
    expect(logged.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('cut short') });
  });

  test('a store that fails to keep what was learned does not fail the puzzle', async () => {
    const stored = await newRepository();
    const keep = () => Promise.reject(new Error('disk full'));
    const repository = { ...stored, verdicts: { ...stored.verdicts, keep } };
    const { service, logged } = await setting({ repository });
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
    expect(logged.at(-1)).toMatchObject({ level: 'warn', fields: { err: expect.any(Error) } });
  });
});

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const dictionary: DayWord[] = [
  ...[...MAIN, ...ADDITIONS].map((word) => ({ word, obscure: false })),
  ...OBSCURE.map((word) => ({ word, obscure: true })),
];
const judged = (asked: Omit<BoardToJudge, 'board'>, verdicts?: ReadonlyMap<string, boolean>) =>
  makeJudge(board, wordSourceOf(asked, verdicts), lexicon);

describe('with the dictionary of the day', () => {
  test('its words are the words, neither more nor fewer', () => {
    const judge = judged({ dictionary });
    expect(judge.isListExact).toBe(true);
    expect(judge.words.map(({ word }) => word)).toEqual(dictionary.map(({ word }) => word).sort());
    expect(judge.isWord('actor')).toBe(true);
    expect(judge.isWord('ACTOR')).toBe(true);
    expect(judge.isWord('clear')).toBe(false);
  });

  test('words that are not in our lists are accepted all the same; words that cannot be walked are not', () => {
    const odd = [...dictionary, { word: 'lilo', obscure: false }, { word: 'toenail', obscure: false }];
    const judge = judged({ dictionary: odd });
    expect(judge.isWord('toenail')).toBe(false);
    expect(judge.isWord('lilo')).toBe(false);
    const doubled = judged({ dictionary: [{ word: 'pontoon', obscure: false }] });
    expect(doubled.words).toEqual([]);
    const unlisted = judged({ dictionary: [{ word: 'melon', obscure: false }] });
    expect(unlisted.words).toMatchObject([{ word: 'melon', tier: 'wide', likelihood: 0.9, length: 5 }]);
  });

  test('ranks by familiarity: everyday, then rarer, then words that are not in our lists, and the obscure tail last', () => {
    const more = [...dictionary, { word: 'clear', obscure: false }, { word: 'melon', obscure: false }];
    const { words } = judged({ dictionary: more });
    const likelihood = new Map(words.map((each) => [each.word, each.likelihood]));
    const order = ['actor', 'clear', 'canola', 'melon', 'almes'].map((word) => likelihood.get(word)!);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(new Set(order).size).toBe(5);
    expect(words.every((each) => each.likelihood > 0 && each.likelihood <= 1)).toBe(true);
  });

  test('a solution with an obscure word comes after every other of its length', () => {
    const obscure = (word: string) => ({ word, obscure: ['monitors'].includes(word) });
    const { words } = judged({ dictionary: [...MAIN, ...ADDITIONS].map(obscure) });
    const found = makeSearch(board, words)
      .solutions('shortest', { exactly: 2 })
      .map((solution) => solution.words.join(' '))
      .toArray();
    expect(found).toEqual(['monitor replaces', 'monitors special']);
  });
});

describe('without it', () => {
  test('our lists decide, and say so', () => {
    const judge = judged({});
    expect(judge.isListExact).toBe(false);
    expect(judge.isWord('clear')).toBe(true);
    expect(judge.isWord('zigzag')).toBe(false);
    expect(judge.words.find(({ word }) => word === 'canola')?.likelihood).toBeCloseTo(0.7, 1);
  });

  test('verdicts outweigh them', () => {
    const verdicts = new Map([
      ['canola', true],
      ['clear', false],
      ['melon', true],
      ['mat', true],
    ]);
    const judge = judged({}, verdicts);
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
