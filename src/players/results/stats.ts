import { setImmediate } from 'node:timers/promises';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { weekdayName } from '../../core/text.ts';
import { isCountPublic } from '../../daily/day-thread.ts';
import type { Asker, ReadingApp } from '../../dispatch/contract.ts';
import { addDays, dateAt, firstOfMonth, isBeforeEnd, weekdayOf } from '../../puzzle/calendar.ts';
import {
  type ChannelSource,
  type DayBoard,
  dayGameKey,
  KEPT_SOURCES,
  type KeptSource,
} from '../../puzzle/types.ts';
import type { WeekDay } from '../../reply/model/types.ts';
import type { Place, Players } from '../../reply/replies/result-line.ts';
import type { Period, PeriodName, Standing } from '../../reply/replies/standings.ts';
import type { Stats, Streak } from '../../reply/replies/stats.ts';
import type { ReadingStore, Store } from '../../store/store.ts';
import type { Choices } from '../../store/tables/personal-data.ts';
import type { DayScore, Result, ResultSums } from '../../store/tables/results.ts';

/** The parts of a result that `compareScores` compares. `Results.record` compares them in the same order. */
export type Score = Pick<Result, 'words' | 'letters' | 'hints' | 'solvedAt' | 'reported' | 'afterSolution'>;

/**
 * Negative when the first is better: played rather than reported, then before any solution was seen, then fewer words, fewer
 * letters, fewer hints, and the earlier.
 */
export function compareScores(a: Score, b: Score): number {
  return (
    Number(a.reported ?? false) - Number(b.reported ?? false) ||
    Number(wasSolutionSeen(a)) - Number(wasSolutionSeen(b)) ||
    a.words - b.words ||
    (a.letters || UNKNOWN_LETTERS) - (b.letters || UNKNOWN_LETTERS) ||
    a.hints - b.hints ||
    a.solvedAt - b.solvedAt
  );
}

/** Whether a solution was seen before. Nobody knows for reported results. */
const wasSolutionSeen = ({ reported, afterSolution }: Score) => afterSolution === true && !reported;

/** Sorts results with an unknown number of letters, which is stored as 0, after results with a known one. */
const UNKNOWN_LETTERS = 1_000_000;

/** Whether the board was solved while its puzzle was on. Other results count for no streak and no leaderboard. */
export function isSolvedOnItsDay({ sinceOpening }: Pick<Result, 'sinceOpening'>): boolean {
  return sinceOpening !== null;
}

/** The best result of each day, over all channels. One solved on its day is better than any other. */
export function bestOfEachDay<One extends DayScore>(results: readonly One[]): One[] {
  const days = [...Map.groupBy(results, ({ date }) => date).values()];
  return days.map((all) => all.toSorted(bestFirst)[0]!).sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Whether two results have the same numbers, so that they look the same to people. */
export function hasSameNumbers(a: DayScore, b: DayScore): boolean {
  return bestFirst(a, { ...b, solvedAt: a.solvedAt }) === 0;
}

/** @example results.toSorted(bestFirst)[0] // the best of a day; one solved on its day is better than any other */
export function bestFirst(a: DayScore, b: DayScore): number {
  return Number(isSolvedOnItsDay(b)) - Number(isSolvedOnItsDay(a)) || compareScores(a, b);
}

/** No puzzle of this bot has an earlier date. */
const FIRST_DATE: PuzzleDate = '2000-01-01';

const LAST_DATE: PuzzleDate = '9999-12-31';

/**
 * The period that contains a puzzle's date: weeks begin on Monday, months on the first.
 *
 * @example periodOf('week', '2026-11-20') // { name: 'week', from: '2026-11-16', to: '2026-11-22' }
 */
export function periodOf(name: PeriodName, date: PuzzleDate): Period {
  const monday = addDays(date, 1 - weekdayOf(date));
  const first = firstOfMonth(date);
  const spans = {
    day: [date, date],
    week: [monday, addDays(monday, 6)],
    month: [first, addDays(firstOfMonth(addDays(first, 31)), -1)],
    all: [FIRST_DATE, LAST_DATE],
  } as const;
  const [from, to] = spans[name];
  return { name, from, to };
}

/** The period before; undefined for all time. */
export function periodBefore({ name, from }: Period): Period | undefined {
  return name === 'all' ? undefined : periodOf(name, addDays(from, -1));
}

/** Days that are summed at a stretch, before others have their turn: a query of SQLite holds the thread. */
const DAYS_AT_ONCE = 31;

interface Summed<Sums> {
  span(channel: string): Promise<Pick<Period, 'from' | 'to'> | undefined>;
  sums(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<Sums[]>;
}

/** The sums of a channel's results in a period, for each stretch of days. */
export async function sumsIn<Sums>(
  table: Summed<Sums>,
  channel: string,
  period: Pick<Period, 'from' | 'to'>,
): Promise<Sums[]> {
  const sums: Sums[][] = [];
  const span = await table.span(channel);
  if (span === undefined) return [];
  const first = span.from > period.from ? span.from : period.from;
  const last = span.to < period.to ? span.to : period.to;
  for (let from = first; from <= last; from = addDays(from, DAYS_AT_ONCE)) {
    const to = addDays(from, DAYS_AT_ONCE - 1);
    sums.push(await table.sums(channel, from, to < last ? to : last));
    await setImmediate();
  }
  return sums.flat();
}

/** The sums of each person, from those of several stretches of days. */
function addedUp(sums: readonly ResultSums[]): ResultSums[] {
  const people = Map.groupBy(sums, ({ person }) => person);
  return Array.from(people, ([person, own]) => {
    const total = (key: Exclude<keyof ResultSums, 'person'>) => own.reduce((sum, one) => sum + one[key], 0);
    return {
      person,
      days: total('days'),
      reported: total('reported'),
      afterSolution: total('afterSolution'),
      counted: total('counted'),
      words: total('words'),
      letters: total('letters'),
      hints: total('hints'),
      solvedAt: total('solvedAt'),
    };
  });
}

/**
 * Ranks people by most days played before any solution was seen, then most other days played, most days reported, fewest
 * words, fewest letters, fewest hints, and the earliest. People compared by words have equally many days, so sums rank them
 * as averages would. People who did not say how many letters they took come after people who did.
 *
 * @example standingsOf(await channelResults.sums('456', '2026-11-16', '2026-11-22'))[0]?.rank // 1
 */
export function standingsOf(sums: readonly ResultSums[]): Standing[] {
  return ranked(sums, compareStandings);
}

const NO_SUMS = { days: 0, reported: 0, afterSolution: 0, counted: 0, words: 0, letters: 0, hints: 0 };

/**
 * The standings of a channel's days. Averages and places leave today's words out as long as the channel may not know how few its
 * board takes.
 */
export async function standingsIn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  { from, to }: Pick<Period, 'from' | 'to'>,
  now: number,
): Promise<(Standing & { readonly averaged?: Omit<ResultSums, 'person' | 'solvedAt'> })[]> {
  const { channelResults } = store.tenant(tenant);
  const date = dateAt(now);
  const yesterday = addDays(date, -1);
  const untilYesterday = addedUp(
    await sumsIn(channelResults, channel, { from, to: to < yesterday ? to : yesterday }),
  );
  if (to < date) return standingsOf(untilYesterday);
  const today = await channelResults.sums(channel, date, to);
  if (await isCountPublic(store, { tenant, channel }, { date, now }))
    return standingsOf(addedUp([...untilYesterday, ...today]));
  const withoutWords = today.map((one) => ({ ...one, counted: 0, words: 0, letters: 0, hints: 0 }));
  const sums = new Map(untilYesterday.map((one) => [one.person, one]));
  const standings = standingsOf(addedUp([...untilYesterday, ...withoutWords]));
  return standings.map((one) => ({ ...one, averaged: sums.get(one.person) ?? NO_SUMS }));
}

/** The best first. People who are equal share a rank, in the order of their ids, and the next rank is skipped. */
export function ranked<One extends { readonly person: string }>(
  unranked: readonly One[],
  compare: (a: One, b: One) => number,
): (One & { readonly rank: number })[] {
  const sorted = unranked.toSorted((a, b) => compare(a, b) || (a.person < b.person ? -1 : 1));
  let rank = 0;
  return sorted.map((one, index) => {
    if (index === 0 || compare(sorted[index - 1]!, one) !== 0) rank = index + 1;
    return { ...one, rank };
  });
}

/** A result that counts in a channel, with its place among the results of its day. */
export type RankedResult = Result & { readonly rank: number };

/** All results that a channel lists on a date, ranked as on that day's leaderboard: those that came late are behind the others. */
export async function listedDay(
  { store }: Pick<ReadingApp, 'store'>,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<RankedResult[]> {
  const results = await store.tenant(tenant).channelResults.ofDay(channel, date);
  return ranked(results, (a, b) => Number(a.late ?? 0) - Number(b.late ?? 0) || compareScores(a, b));
}

/** For where numbers of words are hidden: the order of ranks would tell who needed fewer. */
export function inOrderOfTime<One extends Pick<Result, 'solvedAt'>>(results: readonly One[]): One[] {
  return results.toSorted((a, b) => a.solvedAt - b.solvedAt);
}

/** The results that count in a channel on a date: the same without late ones, so that nothing changes what its closing said. */
export async function channelDay(
  app: Pick<ReadingApp, 'store'>,
  channel: ChannelRef,
  date: PuzzleDate,
): Promise<RankedResult[]> {
  return (await listedDay(app, channel, date)).filter(({ late }) => !late);
}

/** The results of a day's board in a channel, and its players in numbers. */
export async function dayInChannel(
  { store }: { readonly store: ReadingStore },
  channel: ChannelRef,
  puzzle: DayBoard,
  now: number,
): Promise<{ readonly results: readonly RankedResult[]; readonly players: Players }> {
  const { date } = puzzle;
  const { soloGames } = store.tenant(channel.tenant);
  const playing = await soloGames.playing(channel.channel, dayGameKey(puzzle), date, now);
  const results = await channelDay({ store }, channel, date);
  const calm = await store.tenant(channel.tenant).channelResults.calmSolvers(channel.channel, date);
  const [first] = results;
  // The best result reveals an upper bound of the words needed.
  const isShown = first !== undefined && (await isCountPublic(store, channel, { date, now }));
  return {
    results,
    players: { playing, solved: results.length + calm.length, best: isShown ? first.words : undefined },
  };
}

function compareStandings(a: ResultSums, b: ResultSums): number {
  return (
    playedDays(b) - b.afterSolution - (playedDays(a) - a.afterSolution) ||
    playedDays(b) - playedDays(a) ||
    b.days - a.days ||
    a.words - b.words ||
    // Days without a count of letters add no letters to the sum.
    b.counted - a.counted ||
    a.letters - b.letters ||
    a.hints - b.hints ||
    a.solvedAt - b.solvedAt
  );
}

function playedDays({ days, reported }: ResultSums): number {
  return days - reported;
}

/** A person's place among ranked people; undefined if they are not among them, or alone. */
export function placeAmong(
  people: readonly { readonly person: string; readonly rank: number }[],
  id: string,
): Place | undefined {
  const own = people.find(({ person }) => person === id);
  if (own === undefined || people.length === 1) return undefined;
  return { rank: own.rank, of: people.length, behind: people.filter(({ rank }) => rank > own.rank).length };
}

/**
 * A person's results so far, in all channels and tenants of a door.
 *
 * @param known dates that had a puzzle
 */
export function statsOf(
  results: readonly DayScore[],
  known: Iterable<string>,
  today: string,
): Required<Stats> {
  const days = bestOfEachDay(results);
  const averageOf = (key: 'words' | 'letters' | 'hints', some: readonly DayScore[]) =>
    some.length === 0 ? undefined : some.reduce((sum, day) => sum + day[key], 0) / some.length;
  const onItsDay = days.filter(isSolvedOnItsDay).map(({ date }) => date);
  // Days on which the solution was seen say nothing about hints: none is needed after it.
  const unseen = days.filter(({ afterSolution }) => !afterSolution);
  const times = Map.groupBy(days, ({ words }) => words);
  return {
    streak: streakOf(onItsDay, known, today),
    solved: days.length,
    afterDay: days.length - onItsDay.length,
    reported: days.filter(({ reported }) => reported).length,
    afterSolution: days.filter(wasSolutionSeen).length,
    words: averageOf('words', days),
    letters: averageOf(
      'letters',
      days.filter(({ letters }) => letters > 0),
    ),
    hints: averageOf('hints', unseen),
    withoutHints: unseen.filter(({ hints }) => hints === 0).length,
    best: days.toSorted(compareScores)[0],
    byWords: [...times]
      .map(([words, some]) => ({ words, times: some.length }))
      .sort((a, b) => a.words - b.words),
  };
}

const DAYS_PER_FREEZE = 10;
const MAX_FREEZES = 2;

interface StreakRules {
  readonly skipped?: Iterable<string>;
  readonly mostFreezes?: number;
}

/**
 * A streak follows the puzzles' dates, not the calendar: days without a puzzle are skipped. A freeze that was earned before a
 * missed day saves the streak on that day; one that is earned later repairs nothing.
 *
 * @param solved dates solved while their puzzle was on
 * @param known dates that had a puzzle; dates solved had one in any case
 * @param options.skipped dates that neither break the streak nor count for it
 * @param options.mostFreezes 0 for a streak without
 */
export function streakOf(
  solved: Iterable<string>,
  known: Iterable<string>,
  today: string,
  { skipped = [], mostFreezes = MAX_FREEZES }: StreakRules = {},
): Streak {
  const done = new Set(solved);
  const off = new Set(skipped);
  const dates = [...new Set([...known, ...done])].filter((date) => date <= today).sort();
  let current = 0;
  let longest = 0;
  let freezes = 0;
  let solvedDays = 0;
  /** The missed days that freezes saved. */
  const frozen: string[] = [];
  for (const date of dates) {
    if (done.has(date)) {
      current++;
      solvedDays++;
      if (solvedDays % DAYS_PER_FREEZE === 0) freezes = Math.min(mostFreezes, freezes + 1);
    } else if (date !== today && !off.has(date)) {
      if (freezes > 0) {
        freezes--;
        frozen.push(date);
      } else current = 0;
    }
    longest = Math.max(longest, current);
  }
  return { current, longest, isTodaySolved: done.has(today), freezes, frozen };
}

/** Whether a person wants no streaks, ranks, reminders or comparison. */
export function isCalm(
  { where, who }: Pick<Asker, 'where' | 'who'>,
  { store }: Pick<ReadingApp, 'store'>,
): Promise<boolean> {
  return store.allPeople.isCalm(where.tenant, who.id);
}

/** A person's current streak, and their seven days up to today, from everything they entered at this door. */
export async function streakNow(
  { where, who }: Asker,
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
): Promise<Streak & { readonly week: WeekDay[] }> {
  const scores = await store.allPeople.scoresOf(where.tenant, who.id);
  const solved = scores.filter(isSolvedOnItsDay).map(({ date }) => date);
  const today = dateAt(clock.now());
  const week = Array.from({ length: 7 }, (_, index): WeekDay => {
    const date = addDays(today, index - 6);
    const isLate = scores.some((score) => score.date === date);
    return { name: weekdayName(date), is: solved.includes(date) ? 'solved' : isLate ? 'late' : 'none' };
  });
  const known = await puzzleDays(store, store.allPeople.typedDays(where.tenant, who.id));
  return { ...streakOf(solved, known, today), week };
}

/**
 * The dates whose puzzle this bot had while it was on. Boards of past days that were fetched or typed later don't
 * count, since looking at an old board would break everybody's streak.
 *
 * @param typed the days with a board that was typed
 */
export async function puzzleDays(
  { puzzles }: Pick<ReadingStore, 'puzzles'>,
  typed: Promise<readonly { readonly date: PuzzleDate; readonly at: number }[]>,
  sources: readonly KeptSource[] = KEPT_SOURCES,
): Promise<Set<PuzzleDate>> {
  const kept = await Promise.all([typed, ...sources.map((source) => puzzles.kept(source))]);
  return new Set(kept.flat().flatMap(({ date, at }) => (isBeforeEnd(date, at) ? [date] : [])));
}

/** The dates that had a puzzle in a channel: where only typed boards are wanted, those of other channels were none there. */
export function channelPuzzleDays(
  store: ReadingStore,
  { tenant, channel, settings }: ChannelRef & { readonly settings: Pick<ChannelSource, 'source'> },
): Promise<Set<PuzzleDate>> {
  const typed = store.tenant(tenant).boards.days(channel);
  return puzzleDays(store, typed, settings.source === 'off' ? [] : KEPT_SOURCES);
}

/** Stores what a person chose in this tenant, and in all others at the door where something of theirs is stored. */
export async function chooseEverywhere(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { tenant, person }: { readonly tenant: string; readonly person: string },
  choices: Partial<Choices>,
): Promise<void> {
  for (const one of new Set([tenant, ...(await store.allPeople.tenantsOf(tenant, person))]))
    await store.tenant(one).people.choose(person, choices);
}

/** Copies the choices of a person who hides or is calm in another tenant, when they first play or make a board here. */
export async function inheritChoices(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { tenant, person }: { readonly tenant: string; readonly person: string },
): Promise<void> {
  const isHidden = await store.allPeople.isHidden(tenant, person);
  const isCalm = await store.allPeople.isCalm(tenant, person);
  const { people, results } = store.tenant(tenant);
  if (!(isHidden || isCalm) || (await results.days(person)) > 0) return;
  if (isHidden) await people.choose(person, { hidden: true });
  if (isCalm) await people.choose(person, { calm: true });
}
