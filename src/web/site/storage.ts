/** The games and played days that a browser keeps for a visitor. */
import type { WeekDay } from '../../reply/model/types.ts';

/** The most boards to keep; the one played longest ago is dropped first. */
const MAX_GAMES = 200;
/** The most solutions of a board to keep. */
export const MAX_FOUND = 60;
export const GAMES_KEY = 'letterboxed-games';
const DAYS_KEY = 'letterboxed-days';

interface Game {
  saved?: unknown;
  /** How often it was saved. */
  version: number;
  /** The names of the hints that were shown. */
  taken?: string[];
  isRevealed?: boolean;
  /** The solutions that were found. */
  found?: string[];
}
export interface Day {
  words: number;
  isSolved: boolean;
  isLate: boolean;
  /** The points of its review, out of 100. */
  points?: number | undefined;
  /** The line of the solution, as the points of an SVG polyline. */
  path?: string;
}

/** What a browser did not store, since it stores nothing or has no room left. */
const unstored = new Map<string, [string, unknown][]>();

function read<Value>(key: string): [string, Value][] {
  const entries = unstored.get(key);
  if (entries !== undefined) return entries as [string, Value][];
  try {
    const kept = JSON.parse(String(localStorage.getItem(key)));
    return kept.filter((entry: unknown) => Array.isArray(entry));
  } catch {
    // Storage is switched off, empty, or holds something else.
    return [];
  }
}

/** @returns whether it lasts longer than the page */
function write(key: string, entries: [string, unknown][]) {
  try {
    localStorage.setItem(key, JSON.stringify(entries));
    unstored.delete(key);
  } catch {
    unstored.set(key, entries);
  }
  return !unstored.has(key);
}

export function readGame(sides: string): Game {
  const kept = read<Game>(GAMES_KEY).find(([other]) => other === sides)?.[1];
  return typeof kept?.version === 'number' ? kept : { version: 0 };
}

export function storeGame(sides: string, change: Partial<Game>) {
  const others = read(GAMES_KEY).filter(([other]) => other !== sides);
  const latest: [string, unknown] = [sides, { ...readGame(sides), ...change }];
  write(GAMES_KEY, [latest, ...others].slice(0, MAX_GAMES));
}

export function readDays(): Map<string, Day> {
  return new Map(read<Day>(DAYS_KEY));
}

/** Stores each result, unless its day has a solved one that is as good or better: on time before late, then fewer words. */
export function storeDays(entries: readonly [string, Day][]) {
  const days = readDays();
  for (const [day, played] of entries) {
    const kept = days.get(day);
    if (!kept?.isSolved || (played.isSolved && isBetter(played, kept))) days.set(day, played);
  }
  return write(DAYS_KEY, [...days]);
}

function isBetter(played: Day, kept: Day) {
  return played.isLate === kept.isLate ? played.words < kept.words : kept.isLate;
}

/** Everything that is stored, as a file. */
export function exportFile() {
  return JSON.stringify({ letterboxed: 1, days: read(DAYS_KEY), games: read(GAMES_KEY) });
}

/** Characters of a file to read: more than our files ever have. */
export const MAX_FILE_LENGTH = 4_000_000;
/** More than a game has with `MAX_FOUND` of the longest solutions. */
const MAX_GAME_LENGTH = 18_000;

/**
 * Adds the contents of an exported file. Nothing here is lost: a game that was begun here stays, and so does a better result.
 * Days without a board, such as future ones, are left out, so that a file can't add more days than there were boards.
 *
 * @param known the days that had a board
 * @throws Error with a sentence for people
 */
export function importFile(text: string, known: readonly string[]) {
  const { days: played, games } = parseFile(text);
  const boards = new Set(known);
  const days = new Map(played.filter(([day]) => boards.has(day)));
  const here = new Map(read<Game>(GAMES_KEY));
  for (const [sides, game] of games) here.set(sides, mergeGames(here.get(sides), game));
  const kept = [...here].slice(0, MAX_GAMES);
  const areStored = [write(GAMES_KEY, kept), storeDays([...days])];
  if (areStored.includes(false)) throw new Error('This browser keeps nothing, or has no room left.');
  const added = new Set(games.map(([sides]) => sides));
  return { days: days.size, games: kept.filter(([sides]) => added.has(sides)).length };
}

/** Hints and solutions of both browsers count. The moves and their version are those made here or, without any, there. */
function mergeGames(here: Game | undefined, there: Game): Game {
  const taken = [...new Set([...(there.taken ?? []), ...(here?.taken ?? [])])];
  return {
    ...(here?.saved === undefined ? there : here),
    taken,
    isRevealed: Boolean(here?.isRevealed || there.isRevealed),
    found: [...new Set([...(there.found ?? []), ...(here?.found ?? [])])].slice(-MAX_FOUND),
  };
}

function parseFile(text: string): { days: [string, Day][]; games: [string, Game][] } {
  try {
    const { letterboxed, days, games } = JSON.parse(text);
    if (letterboxed === 1 && days.every(isDay) && games.every(isGame)) return { days, games };
  } catch {
    // The file is something else.
  }
  throw new Error('This is no file that was saved here, or it has been changed. Nothing was read from it.');
}

function isWhole(number: unknown, least: number) {
  return Number.isSafeInteger(number) && Number(number) >= least;
}

function isDay([day, { words, isSolved, isLate, points = 0, path = '' }]: [string, Day]) {
  // A point for each letter of the longest solution (`GAME_LIMITS`).
  const isPath = /^(\d{1,3},\d{1,3}( |$)){0,240}$/.test(path);
  const areFlags = typeof isSolved === 'boolean' && typeof isLate === 'boolean';
  return /^\d{4}-\d\d-\d\d$/.test(day) && isWhole(words, 1) && areFlags && isWhole(points, 0) && isPath;
}

/** Games are checked when they are shown, like everything else that a browser has stored. */
function isGame([sides, game]: [string, Game]) {
  const { version, taken = [], isRevealed = false, found = [] } = game;
  const isShort = JSON.stringify(game).length <= MAX_GAME_LENGTH;
  const areTexts = [found, taken].every(
    (list) => Array.isArray(list) && list.every((one: unknown) => typeof one === 'string'),
  );
  const isKnown = isWhole(version, 0) && typeof isRevealed === 'boolean' && areTexts;
  return /^[a-z]{1,12}(-[a-z]{1,12}){1,11}$/.test(sides) && isShort && isKnown;
}

/** How many days in a row were solved on time. @param boardDays today and those before it, the newest first */
export function streakOf(boardDays: readonly string[]) {
  const [today = '', ...past] = boardDays;
  const days = readDays();
  const isOnTime = (day: string) => days.get(day)?.isSolved === true && !days.get(day)?.isLate;
  const missed = past.findIndex((day) => !isOnTime(day));
  const before = missed < 0 ? past.length : missed;
  // Today adds to the streak, and does not end it while its board may still be solved.
  return before + (isOnTime(today) ? 1 : 0);
}

/** How the last seven days that had a board went, the oldest first. @param boardDays the newest first */
export function weekOf(boardDays: readonly string[]): WeekDay[] {
  const days = readDays();
  return boardDays
    .slice(0, 7)
    .reverse()
    .map((day) => {
      const name = new Date(day).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
      const played = days.get(day);
      if (!played?.isSolved) return { name, is: played === undefined ? 'none' : 'begun' };
      return { name, is: played.isLate ? 'late' : 'solved' };
    });
}
