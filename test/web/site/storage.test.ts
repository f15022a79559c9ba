import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { GAME_LIMITS } from '../../../src/play/game.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import {
  type Day,
  exportFile,
  importFile,
  MAX_FOUND,
  readDays,
  readGame,
  storeDays,
  storeGame,
  streakOf,
  weekOf,
} from '../../../src/web/site/storage.ts';

const TODAY = '2026-11-20';
/** More days than the site has had for twenty years. */
const KNOWN = Array.from({ length: 7_300 }, (_, days) => addDays(TODAY, -days));
const SOLVED: Day = { words: 3, isSolved: true, isLate: false };

/** Of a browser, with nothing in it yet. */
function stubStorage(
  setItem = (kept: Map<string, string>, key: string, value: string) => void kept.set(key, value),
): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => setItem(kept, key, value),
  });
}

beforeEach(() => {
  stubStorage();
  onTestFinished(() => void vi.unstubAllGlobals());
});

const fileOf = (days: readonly [string, Day][], games: readonly [string, object][] = []) =>
  JSON.stringify({ letterboxed: 1, days, games });

function keep(days: readonly string[], played: Day): void {
  importFile(fileOf(days.map((day) => [day, played])), KNOWN);
}

it('reads only days that had a board, and loses none that it has', () => {
  keep(KNOWN, SOLVED);
  const claimed = Array.from({ length: 9_000 }, (_, days): [string, Day] => [
    addDays('2026-11-21', days),
    SOLVED,
  ]);
  const others: [string, Day][] = [
    ['2026-02-31', SOLVED],
    ['0000-00-00', SOLVED],
    ['2001-01-01', SOLVED],
  ];
  expect(importFile(fileOf([...claimed, ...others]), KNOWN)).toEqual({ days: 0, games: 0 });
  expect([...readDays().keys()].toSorted()).toEqual(KNOWN.toSorted());
});

it('has every day of two browsers after each has read the other one’s file, with the better result', () => {
  const half = (odd: number) => KNOWN.filter((_, index) => index % 2 === odd || index % 3 === 0);
  keep(half(0), { ...SOLVED, words: 2 });
  const first = exportFile();
  stubStorage();
  keep(half(1), SOLVED);
  expect(importFile(first, KNOWN)).toEqual({ days: half(0).length, games: 0 });
  const days = readDays();
  expect(days.size).toBe(KNOWN.length);
  for (const [index, day] of KNOWN.entries())
    expect(days.get(day)?.words, day).toBe(index % 2 === 0 || index % 3 === 0 ? 2 : 3);
});

it('keeps a result that was on time, and no late one beside it, in whichever order they come', () => {
  const [late, onTime] = [
    { ...SOLVED, words: 2, isLate: true },
    { ...SOLVED, words: 4 },
  ];
  const yesterday = addDays(TODAY, -1);
  keep([TODAY], onTime);
  keep([TODAY, yesterday], late);
  keep([yesterday], onTime);
  for (const day of [TODAY, yesterday]) expect(readDays().get(day), day).toEqual(onTime);
});

it('keeps the first of two results with as many words, and any rather than a day that was begun', () => {
  keep([TODAY], { ...SOLVED, words: 1, isSolved: false });
  for (const points of [80, 60, 90]) keep([TODAY], { ...SOLVED, points });
  keep([TODAY], { ...SOLVED, words: 1, isSolved: false });
  expect(readDays().get(TODAY)).toEqual({ ...SOLVED, points: 80 });
});

it('counts the days in a row, with today’s once it is solved', () => {
  const days = KNOWN.slice(0, 5);
  keep([days[1]!, days[2]!, days[4]!], SOLVED);
  expect(streakOf(days)).toBe(2);
  keep([days[0]!], SOLVED);
  expect(streakOf(days)).toBe(3);
  // A day that was solved late, and one that was begun, end it.
  keep([days[3]!], { ...SOLVED, isLate: true });
  expect(streakOf(days)).toBe(3);
  const begun = KNOWN[5]!;
  keep([begun], { ...SOLVED, isSolved: false });
  expect([streakOf([begun]), streakOf(days.slice(0, 3))]).toEqual([0, 3]);
  expect(weekOf(KNOWN).map(({ name, is }) => `${name} ${is}`)).toEqual([
    'Saturday none',
    'Sunday begun',
    'Monday solved',
    'Tuesday late',
    'Wednesday solved',
    'Thursday solved',
    'Friday solved',
  ]);
});

it('keeps the games that are here before those of a file, and says how many it took', () => {
  const sides = (number: number) =>
    `abc-def-ghi-${number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}`;
  for (let game = 0; game < 150; game++) storeGame(sides(game), { version: 1, saved: { here: true } });
  const games = Array.from({ length: 120 }, (_, game): [string, object] => [
    sides(100 + game),
    { version: 2, saved: {} },
  ]);
  // 50 of them are here already, and 50 more have room.
  expect(importFile(fileOf([], games), KNOWN)).toEqual({ days: 0, games: 100 });
  for (let game = 0; game < 150; game++) expect(readGame(sides(game)).saved).toEqual({ here: true });
  expect(readGame(sides(199)).version).toBe(2);
  expect(readGame(sides(219)).version).toBe(0);
});

it('keeps the games that were played last, and the solutions that were found here', () => {
  const sides = (game: number) =>
    `${String.fromCharCode(97 + (game % 26))}-${'b'.repeat(1 + Math.floor(game / 26))}`;
  for (let game = 0; game <= 200; game++) storeGame(sides(game), { version: 1 });
  expect([0, 1, 200].map((game) => readGame(sides(game)).version)).toEqual([0, 1, 1]);
  const found = (where: string) => Array.from({ length: 60 }, (_, solution) => `${where} ${solution}`);
  storeGame('abc-def-ghi-jkl', { version: 1, found: found('here') });
  importFile(fileOf([], [['abc-def-ghi-jkl', { version: 1, found: found('there') }]]), KNOWN);
  expect(readGame('abc-def-ghi-jkl')).toMatchObject({ found: found('here') });
});

it.each([
  ['a game without moves', {}, { saved: { there: true } }],
  ['a game with moves', { saved: { here: true } }, { saved: { here: true } }],
])(
  'keeps hints, solutions that were opened and finds of both browsers, for %s here',
  (_, begun, expected) => {
    storeGame('abc-def-ghi-jkl', { ...begun, taken: ['start'], found: ['abc', 'def'] });
    storeGame('mno-pqr-stu-vwx', { ...begun, isRevealed: true });
    const [played, other] = [
      { version: 4, saved: { there: true }, isRevealed: true, found: ['def', 'ghi'] },
      { version: 4, saved: { there: true }, taken: ['start', 'count'], isRevealed: false },
    ];
    const games: [string, object][] = [
      ['abc-def-ghi-jkl', played],
      ['mno-pqr-stu-vwx', other],
    ];
    expect(importFile(fileOf([], games), KNOWN)).toEqual({ days: 0, games: 2 });
    expect(readGame('abc-def-ghi-jkl')).toMatchObject({ ...expected, isRevealed: true });
    expect(readGame('abc-def-ghi-jkl')).toMatchObject({ found: ['def', 'ghi', 'abc'] });
    expect(readGame('abc-def-ghi-jkl')).toMatchObject({ taken: ['start'] });
    expect(readGame('mno-pqr-stu-vwx')).toMatchObject({ ...expected, isRevealed: true });
    expect(readGame('mno-pqr-stu-vwx')).toMatchObject({ taken: ['start', 'count'] });
  },
);

it.each([
  ...['', 'null', '{"letterboxed":1}', '['.repeat(200_000)],
  fileOf([null as never]),
  fileOf([['2026-11-18', { ...SOLVED, words: -1 }]]),
  fileOf([['2026-11-18', { ...SOLVED, path: 'M0 0' }]]),
  fileOf([['<img src=x>', SOLVED]]),
  ...[
    { words: 0 },
    { words: 1.5 },
    { isSolved: 1 },
    { isLate: undefined },
    { points: -1 },
    { points: '9' },
    { path: '3,20 9' },
    { path: '3,2020,9' },
    { path: '3,20 '.repeat(241) },
  ].map((fields) => fileOf([[TODAY, { ...SOLVED, ...fields } as Day]])),
  fileOf([['2026-11-180', SOLVED]]),
  fileOf([], [['__proto__', { version: 1 }]]),
  ...[{ version: -1 }, { isRevealed: 1 }, { taken: ['start', 1] }, { taken: 'start' }, { found: [null] }].map(
    (fields) => fileOf([], [['abc-def-ghi-jkl', { version: 1, ...fields }]]),
  ),
  fileOf([], [['abc', { version: 1 }]]),
  fileOf([], [['abc-def-ghi-jkl', { version: 1, saved: 'x'.repeat(20_000) }]]),
])('reads nothing from no file of ours, case %#', (text) => {
  expect(() => importFile(text, KNOWN)).toThrow('This is no file that was saved here');
  expect(exportFile()).toBe(fileOf([]));
});

it('reads the longest games and solutions that it has written', () => {
  const { words, letters, lettersOfWord } = GAME_LIMITS;
  const found = Array.from({ length: MAX_FOUND }, () => 'a'.repeat(letters + words - 1));
  const entries = Array.from({ length: words }, () => 'a'.repeat(letters / words));
  const sides = 'ozu-nri-lfa-mbt';
  const saved = { version: 1, sides: sides.split('-'), words: entries, word: 'a'.repeat(lettersOfWord) };
  storeGame(sides, { version: 9, saved, found, taken: [...HINT_STEPS] });
  storeDays([[TODAY, { ...SOLVED, words, path: Array(letters).fill('100,100').join(' ') }]]);
  expect(importFile(exportFile(), KNOWN)).toEqual({ days: 1, games: 1 });
});

it('says so where there is room for the days of a file and not for its games', () => {
  stubStorage((kept, key, value) => {
    if (key === 'letterboxed-games') throw new Error('QuotaExceededError');
    kept.set(key, value);
  });
  const file = fileOf([[TODAY, SOLVED]], [['abc-def-ghi-jkl', { version: 1 }]]);
  expect(() => importFile(file, KNOWN)).toThrow('no room left');
  stubStorage();
  storeGame('abc-def-ghi-jkl', { version: 1 });
});

// The last test: what could not be kept is remembered.
it('keeps a game as long as the page where the browser has no room left, and reads no file there', () => {
  stubStorage(() => {
    throw new Error('QuotaExceededError');
  });
  storeGame('abc-def-ghi-jkl', { version: 1, saved: {} });
  storeGame('abc-def-ghi-jkl', { taken: [] });
  expect(readGame('abc-def-ghi-jkl')).toEqual({ version: 1, saved: {}, taken: [] });
  expect(() => importFile(fileOf([[TODAY, SOLVED]]), KNOWN)).toThrow('no room left');
});
