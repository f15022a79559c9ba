import type { AnswerWork } from '../answers/answer-work.ts';
import type { Recap } from '../answers/finds.ts';
import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { counted, grouped } from '../core/text.ts';
import type { DayReviews, ReviewedDay } from '../daily/delivery/attempt.ts';
import { parseStored } from '../daily/settings/settings.ts';
import type { DailySettings } from '../daily/types.ts';
import { addDays, weekdayOf } from '../puzzle/calendar.ts';
import type { PuzzleService } from '../puzzle/types.ts';
import { present } from '../reply/model/text.ts';
import type { Block, Inline, Line } from '../reply/model/types.ts';
import { huntOfWeekBlocks } from '../reply/replies/hunt.ts';
import { dayReviewBlocks, frozenBlocks, monthReviewBlocks } from '../reply/replies/reviews.ts';
import type { Streak } from '../reply/replies/stats.ts';
import type { ReadingStore, Store } from '../store/store.ts';
import type { AnonymizedPath, ChannelResults, Result } from '../store/tables/results.ts';
import { huntIn, huntsOfWeek, openHunt } from './hunt/standings.ts';
import { compareScores, isOnTime } from './results/score.ts';
import { BEGINNING, periodOf, type Standing, standingsOf } from './results/standings.ts';
import { puzzleDays, streakOf } from './results/stats.ts';
import { dayGameKey } from './solo/results-elsewhere.ts';

/** A day of a channel that is over, and what its people have chosen. */
export type DayToReview = Omit<ReviewedDay, 'settings'> & ReviewSettings;

export interface ReviewTools {
  readonly store: Store;
  readonly log: Pick<Log, 'warn'>;
  readonly work: Pick<AnswerWork, 'run'>;
  readonly puzzles: Pick<PuzzleService, 'wordSource' | 'spanOf' | 'dateAt'>;
}

/** Paths that are drawn side by side. */
const MOST_PATHS = 3;

/**
 * How a day went in a channel, for the last message of its thread; after the last day of a month also how the month
 * went. Hidden people and late results count nowhere in it.
 */
export function reviewDays(tools: ReviewTools): (day: DayToReview) => Promise<readonly Block[]> {
  return async (day) => {
    const { store, puzzles } = tools;
    const { tenant, channel, date, names, now } = day;
    const { channelResults } = store.tenant(tenant);
    const all = await channelResults.between(channel, date, date);
    const counting = all.filter((result) => !result.hidden && isOnTime(result)).toSorted(compareScores);
    const line = await dayLine(store, day, date, names);
    const solutions = [...new Set(counting.flatMap(({ solution }) => solution ?? []))];
    const isOver = now >= puzzles.spanOf(date).to;
    const recap = counting.length > 0 && isOver ? await recapOf(tools, day, solutions) : undefined;
    const months: Block[] = [];
    for (const month of day.months)
      months.push(...(await monthReview(tools, { ...day, date: periodOf('month', month).to })));
    return [
      ...dayReviewBlocks({
        line,
        results: counting,
        names,
        streak: await channelStreak(store, day),
        solutions: solutions.length,
        recap,
        paths: isOver ? pathsOf(counting) : [],
        hunt: isOver ? await huntOfDay(store, day) : undefined,
      }),
      ...(weekdayOf(date) === SUNDAY
        ? huntOfWeekBlocks(await huntsOfWeek(store, day, periodOf('week', date)), names)
        : []),
      ...months,
    ];
  };
}

/** What the daily thread says, by the channel's settings. Failures are logged, so that a day opens in any case. */
export function dayReviews(tools: ReviewTools): DayReviews {
  const review = reviewDays(tools);
  return {
    closing: ({ settings, ...day }) => review({ ...day, ...reviewSettingsOf(settings) }),

    async opening({ settings, puzzle, now, before: date, ...channel }) {
      try {
        await openHunt(tools, puzzle, now);
        if (date === undefined) return [];
        const day = { ...channel, date, ...reviewSettingsOf(settings) };
        return frozenBlocks(date, await channelStreak(tools.store, day));
      } catch (error) {
        tools.log.warn({ ...channel, error: String(error) }, 'a day opens without a word about its streak');
        return [];
      }
    },
  };
}

/** Days in a row, up to this one, on which somebody solved the board. */
async function channelStreak(
  store: ReadingStore,
  { tenant, channel, date, isOff }: Pick<DayToReview, 'tenant' | 'channel' | 'date' | 'isOff'>,
): Promise<Streak> {
  const days = await store.tenant(tenant).channelResults.byDay(channel, BEGINNING, date);
  const known = [...(await puzzleDays(store))].filter((one) => one <= date && (one === date || !isOff(one)));
  const solved = days.map((day) => day.date);
  // The day itself is over, so it breaks the streak if nobody solved it.
  return streakOf(solved, [...known, date], addDays(date, 1));
}

async function huntOfDay(store: ReadingStore, { puzzle, ...day }: DayToReview) {
  return puzzle && huntIn(store, day, dayGameKey(puzzle));
}

/** Undefined after a failure: a search that takes too long must not stop the rest of the message. */
async function recapOf(
  { log, work, puzzles }: ReviewTools,
  { puzzle, tenant, channel, date }: DayToReview,
  found: readonly string[],
): Promise<Recap | undefined> {
  if (puzzle === undefined) return undefined;
  try {
    const source = await puzzles.wordSource(puzzle);
    return await work.run('recap', { board: puzzle.board, source, found }, { channel: 'daily' });
  } catch (error) {
    log.warn({ tenant, channel, date, error: String(error) }, 'a day is closed without its hardest letter');
    return undefined;
  }
}

/** The paths of different solutions, the best first: without letters, and nobody is named. */
function pathsOf(results: readonly Result[]): AnonymizedPath[] {
  const different = new Map(results.toReversed().map((result) => [result.solution, result.path]));
  return present([...different.values()].toReversed()).slice(0, MOST_PATHS);
}

const SUNDAY = 7;
/** Ranks of a week or a month that are named, and how many people at most. */
const MOST_RANKS = 3;
const MOST_NAMED = 5;

const leadersOf = (standings: readonly Standing[]) =>
  standings.filter(({ rank }) => rank <= MOST_RANKS).slice(0, MOST_NAMED);

/**
 * The results of a day in a channel, for its thread's last message, which also lists the best: how many solved it, and
 * after a Sunday who were the best of the week, by name or only in numbers. Hidden people are not counted. Undefined
 * when nobody solved it.
 *
 * @example await dayLine(store, { tenant: 'discord:123', channel: '456' }, '2026-11-20', true) // ['3 people solved it.']
 */
export async function dayLine(
  store: Pick<Store, 'tenant'>,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
  names: boolean,
): Promise<Line | undefined> {
  const { channelResults } = store.tenant(tenant);
  const all = await channelResults.between(channel, date, date);
  const solvers = all.filter((result) => !result.hidden && isOnTime(result)).length;
  const solved = solvers === 1 ? 'One person solved it.' : `${grouped(solvers)} people solved it.`;
  const day = solvers === 0 ? [] : [solved];
  const week = weekdayOf(date) === SUNDAY ? await weekOf(channelResults, channel, date, names) : [];
  const pieces = [...day, ...(day.length > 0 && week.length > 0 ? [' '] : []), ...week];
  return pieces.length === 0 ? undefined : pieces;
}

async function weekOf(
  channelResults: ChannelResults,
  channel: string,
  date: PuzzleDate,
  names: boolean,
): Promise<Inline[]> {
  const { from, to } = periodOf('week', date);
  const leading = leadersOf(standingsOf(await channelResults.sums(channel, from, to)));
  if (leading.length === 0) return [];
  const named = leading.flatMap(({ rank, person, days }, index): Inline[] => [
    `${index === 0 ? '' : ', '}${rank}. `,
    ...(names ? [{ person }, ` (${counted(days, 'day')})`] : [counted(days, 'day')]),
  ]);
  return ['Best of the week: ', ...named, '.'];
}

const SATURDAY = 6;

/** The settings of a channel that its reviews follow. */
export interface ReviewSettings {
  /** Whether people are named. */
  readonly names: boolean;
  /** Dates without a thread here, which break no streak. */
  readonly isOff: (date: PuzzleDate) => boolean;
}

export function reviewSettingsOf({
  names,
  weekends,
}: Pick<DailySettings, 'names' | 'weekends'>): ReviewSettings {
  return { names, isOff: (date: PuzzleDate) => !weekends && weekdayOf(date) >= SATURDAY };
}

/** The same of a channel, with or without a daily thread. */
export async function reviewSettings(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
): Promise<ReviewSettings> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  return reviewSettingsOf(parseStored(subscription?.settings ?? {}));
}

export interface MonthToReview extends ChannelRef, ReviewSettings {
  /** Any date of the month; dates after it are not counted yet. */
  readonly date: PuzzleDate;
}

/** How a month went in a channel, up to a date. Hidden people and late results count nowhere in it. */
export async function monthReview(
  { store }: { readonly store: ReadingStore },
  { tenant, channel, date, names, isOff }: MonthToReview,
): Promise<Block[]> {
  const { channelResults } = store.tenant(tenant);
  const { from } = periodOf('month', date);
  const days = await channelResults.byDay(channel, from, date);
  const people = new Map(days.map((day) => [day.date, day.people]));
  const known = await puzzleDays(store);
  const dates: PuzzleDate[] = [];
  for (let one = from; one <= date; one = addDays(one, 1)) dates.push(one);
  const counted = dates.filter((one) => people.has(one) || (known.has(one) && !isOff(one)));
  const standings = standingsOf(await channelResults.sums(channel, from, date));
  const { frozen } = await channelStreak(store, { tenant, channel, date, isOff });
  return monthReviewBlocks({
    from,
    days: dates.map((one) => ({ date: one, people: people.get(one) ?? 0 })),
    boards: counted.length,
    solved: people.size,
    longest: streakOf(people.keys(), counted, addDays(date, 1), frozen, 0).longest,
    people: standings.length,
    best: leadersOf(standings),
    names,
  });
}
