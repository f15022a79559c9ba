import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import type { ChannelSource } from '../../src/puzzle/service.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { json, payload, type StandIn, startNewspaper, status } from '../fakes/newspaper.ts';
import { memoryShelf } from '../fakes/shelf.ts';
import { HERE, makeSetting, NOON, type SettingOptions, TODAY, typedBoard } from './setting.ts';

const DAY = 24 * 3_600_000;
const ELSEWHERE = [
  { ...HERE, channel: '11' },
  { ...HERE, tenant: 'slack:T1' },
];
const SAME = ['cos', 'mpa', 'tne', 'lir'];
const OTHER = ['abd', 'ent', 'ril', 'ocs'];
const failure = (promise: Promise<Puzzle>) =>
  promise.then(
    (puzzle) => Promise.reject(new Error(`got a ${puzzle.source} puzzle`)),
    (error: unknown) => error,
  );

let newspaper: StandIn;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());
beforeEach(() => {
  newspaper.requests.length = 0;
  newspaper.play(json(payload(TODAY)));
});
const setting = (options?: SettingOptions) => makeSetting(newspaper, options);

describe('which source', () => {
  const place = (source: ChannelSource['source'], otherwise: ChannelSource['otherwise'] = 'nothing') => ({
    place: { source, otherwise },
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
  ] as const)('operator says %s, place says %s: %s', async (operator, wanted, got, requests) => {
    const { book } = setting({ source: operator, ...place(wanted, 'house') });
    const outcome = await book.puzzleOf(TODAY, HERE).then(
      ({ source }) => source,
      (error) => error.code,
    );
    expect(outcome).toBe(got);
    expect(newspaper.requests).toHaveLength(requests);
  });

  test('off: the message says what to type and what the operator can set', async () => {
    expect(await failure(setting(place('off')).book.puzzleOf(TODAY, HERE))).toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/\/letterboxed set .*PUZZLE_SOURCE=house/),
    });
  });

  test('a house board is made once and stays, whatever the generator makes later', async () => {
    const shelf = memoryShelf();
    const first = await setting({ shelf, ...place('house') }).book.puzzleOf(TODAY, HERE);
    expect(first).toMatchObject({ source: 'house', date: TODAY });
    const again = await setting({ shelf, houseSides: OTHER, ...place('house') }).book.puzzleOf(TODAY, HERE);
    expect(again).toEqual(first);
  });

  test('the house stands in today; when the newspaper is back, it has its place again', async () => {
    newspaper.play(status(500));
    const { book, clock } = setting(place('newspaper', 'house'));
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('house');
    newspaper.play(json(payload(TODAY)));
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('house');
    clock.now += 60_000;
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
  });

  test('of past days the house stands in only if it did on the day', async () => {
    newspaper.play(status(404));
    const { book, clock } = setting(place('newspaper', 'house'));
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('house');
    clock.now += DAY;
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('house');
    expect(await failure(book.puzzleOf(addDays(TODAY, -1), HERE))).toMatchObject({
      code: 'puzzle.missing',
      message: expect.stringContaining('has not seen the board of 2026-11-19'),
    });
  });
});

describe('boards typed by hand', () => {
  test('stand in while the newspaper is out, for their own channel and tenant only, with who and when', async () => {
    newspaper.play(status(500));
    const { book } = setting();
    expect(await book.setByHand(typedBoard(OTHER), HERE)).toEqual({});
    expect(await book.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    for (const asker of ELSEWHERE) {
      expect(await failure(book.puzzleOf(TODAY, asker))).toMatchObject({ name: 'UserError' });
    }
  });

  test.each(['house', 'off'] as const)('come before source %s, without a request', async (source) => {
    const { book } = setting({ source });
    await book.setByHand(typedBoard(OTHER), HERE);
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('hand');
    expect(newspaper.requests).toHaveLength(0);
  });

  test('give way to a fetched board that agrees, in whatever order the sides were typed', async () => {
    const { book, disagreements } = setting();
    await book.setByHand(typedBoard(SAME), HERE);
    expect(await book.puzzleOf(TODAY, HERE)).toMatchObject({ source: 'newspaper', par: 4 });
    expect(disagreements).toEqual([]);
  });

  test('a later fetch that disagrees is reported once, over restarts, and swaps nothing', async () => {
    newspaper.play(status(500));
    const { book, shelf, clock, disagreements } = setting();
    await book.setByHand(typedBoard(OTHER), HERE);
    await book.puzzleOf(TODAY, HERE);
    newspaper.play(json(payload(TODAY)));
    clock.now += 60_000;
    expect(await book.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    expect(await book.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    const restarted = setting({ shelf });
    expect(await restarted.book.puzzleOf(TODAY, HERE)).toEqual(typedBoard(OTHER));
    expect(restarted.disagreements).toEqual([]);
    expect(disagreements).toEqual([
      [HERE, typedBoard(OTHER), expect.objectContaining({ source: 'newspaper' })],
    ]);
    expect(await book.puzzleOf(TODAY, ELSEWHERE[0]!)).toMatchObject({ source: 'newspaper' });
  });

  test('typed over a fetched board: the answer tells, and nobody is told twice', async () => {
    const { book, disagreements } = setting();
    await book.puzzleOf(TODAY, HERE);
    const { disagrees } = await book.setByHand(typedBoard(OTHER), HERE);
    expect(disagrees).toMatchObject({ source: 'newspaper', board: { letters: 'pamentrilocs' } });
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('hand');
    expect(disagreements).toEqual([]);
    expect(await book.setByHand(typedBoard(SAME), HERE)).toEqual({});
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
  });

  test('are not kept for a day still to come', async () => {
    const { book } = setting();
    const early = book.setByHand(typedBoard(OTHER, '2026-11-21'), HERE);
    await expect(early).rejects.toMatchObject({ code: 'date.to-come' });
  });
});

describe('learning', () => {
  const words = async ({ book }: ReturnType<typeof setting>) => {
    const { words, certain } = await book.judge({ board: typedBoard(SAME).board });
    return { words: words.map(({ word }) => word), certain };
  };

  test("a board typed by hand profits from what an earlier day's dictionary taught", async () => {
    const shelf = memoryShelf();
    expect((await words(setting({ shelf }))).words).toContain('clear');
    await setting({ shelf }).book.puzzleOf(TODAY, HERE);
    const after = await words(setting({ shelf, clock: { now: NOON + DAY } }));
    expect(after.words).not.toContain('clear');
    expect(after.words).toContain('almes');
    expect(after.certain).toBe(false);
  });

  test('can be turned off, for keeping and for using, and erased', async () => {
    const shelf = memoryShelf();
    await setting({ shelf, learn: false }).book.puzzleOf(TODAY, HERE);
    expect((await words(setting({ shelf }))).words).toContain('clear');

    const taught = memoryShelf();
    await setting({ shelf: taught }).book.puzzleOf(TODAY, HERE);
    expect((await words(setting({ shelf: taught, learn: false }))).words).toContain('clear');
    await taught.eraseVerdicts();
    expect((await words(setting({ shelf: taught }))).words).toContain('clear');
  });

  test('a dictionary that was cut short teaches nothing', async () => {
    newspaper.play(json(payload(TODAY, { dictionary: ['ACTOR', 'ARTIST'] })));
    const { book, shelf, logged } = setting();
    await book.puzzleOf(TODAY, HERE);
    expect(await shelf.verdicts('pamentrilocs')).toEqual(new Map());
    expect(logged.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('cut short') });
  });

  test('a store that fails to keep it costs nobody the puzzle', async () => {
    const shelf = { ...memoryShelf(), keepVerdicts: () => Promise.reject(new Error('disk full')) };
    const { book, logged } = setting({ shelf });
    expect((await book.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
    expect(logged.at(-1)).toMatchObject({ level: 'warn', fields: { err: expect.any(Error) } });
  });
});
