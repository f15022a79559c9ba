import { LRUCache } from 'lru-cache';
import { HOUR, type LocalDate, MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import { addDays, type Span, spanOf, weekdayOf } from '../../puzzle/calendar.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import { type ClockTime, dateThere, minutesOf, momentAt, offsetAt } from '../settings/local-time.ts';
import type { DailySettings } from '../settings/settings.ts';

/**
 * Everything that is posted once a day. `opening` is the message in the channel; everything else is in its thread. `closing`
 * is the last, due when the next day's thread is opened.
 */
export const DAY_STEPS = ['opening', ...THREAD_STEPS, 'closing'] as const;
export type DayStep = (typeof DAY_STEPS)[number];

const MINUTES_PER_DAY = 24 * 60;
/** Minutes that suffice for a board: one that would be replaced sooner after the opening is not opened; the next one is. */
const ENOUGH_MINUTES = 4 * 60;
/** A thread that opens later than this after its time is late, such as one that is switched on in the evening. */
const LATE_OPENING_MS = HOUR;
/** A late solution comes at least this long before the next opening, in case it can't be posted at once. */
const LATE_SOLUTION_MARGIN_MS = 15 * MINUTE;
/** A step that was due shortly before its puzzle ended may come this late. */
const STEP_GRACE_MS = HOUR;
const DAYS_PER_WEEK = 7;
const WEDNESDAY = 3;
const FRIDAY = 5;
/** Days whose schedules are kept for the same times. */
const MAX_CACHED_DAYS = 16;
/** Zones and years whose times are kept. */
const MAX_CACHED_RELEASES = 2_000;

/** When one puzzle's thread opens, posts its steps and closes, in one channel. */
export interface DaySchedule {
  /** The channel's time zone. */
  readonly zone: string;
  /** When the puzzle is on. */
  readonly span: Span;
  /** A moment within the span. */
  readonly opensAt: number;
  /** When the next puzzle's thread opens. */
  readonly closesAt: number;
  /** The steps in the order they come, from `opensAt` on and before `closesAt`. */
  readonly steps: readonly StepTime[];
  /** When the solution is due; Infinity if the thread has none. */
  readonly solutionAt: number;
}

interface StepTime {
  readonly step: ThreadStep;
  readonly dueAt: number;
  /** The moment after which it is too late for this step. */
  readonly endsAt: number;
}

export type Times = Pick<DailySettings, 'zone' | 'opening' | 'steps'>;
type OpeningTime = Pick<Times, 'zone' | 'opening'>;

function endOf({ span, closesAt }: Pick<DaySchedule, 'span' | 'closesAt'>, dueAt: number): number {
  return Math.min(closesAt, Math.max(span.to, dueAt + STEP_GRACE_MS));
}

/** Channels with the same settings share one object, see `parseStored`, and so their days. */
const daysOfSettings = new WeakMap<Times, Map<PuzzleDate, DaySchedule>>();

/**
 * When a puzzle's thread opens, posts its steps and closes, for these times of a channel. If it was opened late, at
 * `openedAt`, its solution may come later, too. Cached.
 *
 * Each puzzle has exactly one thread in a channel, opened while that puzzle is on. It opens at the channel's
 * opening time on a day that is the same for all puzzles of a year: the puzzle's own date, the date after
 * (far east of New York, where the puzzle comes out in the afternoon or at night) or the date before (far
 * west, for late openings). The choice is the day that keeps readers waiting least and leaves them the
 * board for at least four hours; if the puzzle is not out yet at that time, the thread waits for it.
 *
 * - New York, 08:00: on the puzzle's date at 08:00.
 * - Berlin, 08:00: at 09:00, when the puzzle comes out; at 08:00 only an hour of the old one would be left.
 * - Kolkata and Auckland, 08:00: at 08:00 on the date after, with the puzzle that is on since yesterday.
 */
export function scheduleOf(times: Times, date: PuzzleDate, openedAt: number | null = null): DaySchedule {
  let days = daysOfSettings.get(times);
  if (days === undefined || days.size > MAX_CACHED_DAYS) days = new Map();
  daysOfSettings.set(times, days);
  const schedule = days.get(date) ?? makeSchedule(times, date);
  days.set(date, schedule);
  const isLate = openedAt !== null && openedAt >= schedule.opensAt + LATE_OPENING_MS;
  return isLate ? delayed(schedule, openedAt) : schedule;
}

/**
 * After a late opening, the solution comes later, too, so that people have as long for the board as on other days, but at most
 * four hours, and not beyond the end of the puzzle.
 */
function delayed(day: DaySchedule, openedAt: number): DaySchedule {
  const { opensAt, closesAt, span, solutionAt } = day;
  const room = Math.min(ENOUGH_MINUTES * MINUTE, solutionAt - opensAt);
  const wanted = Math.ceil(Math.min(openedAt + room, span.to) / MINUTE) * MINUTE;
  const dueAt = Math.max(solutionAt, Math.min(wanted, closesAt - LATE_SOLUTION_MARGIN_MS));
  const later = { dueAt, endsAt: endOf(day, dueAt) };
  const steps = day.steps.map((time) => (time.step === 'solution' ? { ...time, ...later } : time));
  return { ...day, solutionAt: dueAt, steps: steps.sort((a, b) => a.dueAt - b.dueAt) };
}

function makeSchedule(times: Times, date: PuzzleDate): DaySchedule {
  const { opening, zone } = times;
  const span = spanOf(date);
  const { day, opensAt } = openingOf(times, date);
  const closesAt = openingOf(times, addDays(date, 1)).opensAt;
  const steps = times.steps.map(({ step, at }): StepTime => {
    const wantedAt = momentAt(at < opening ? addDays(day, 1) : day, at, zone);
    const dueAt = Math.max(opensAt, Math.min(wantedAt, closesAt - MINUTE));
    return { step, dueAt, endsAt: endOf({ span, closesAt }, dueAt) };
  });
  const solutionAt = steps.find(({ step }) => step === 'solution')?.dueAt ?? Number.POSITIVE_INFINITY;
  steps.sort((a, b) => a.dueAt - b.dueAt);
  return { zone, span, opensAt, closesAt, steps, solutionAt };
}

function openingOf({ zone, opening }: OpeningTime, date: PuzzleDate): { day: LocalDate; opensAt: number } {
  const span = spanOf(date);
  const day = addDays(date, shiftOf(zone, opening, date)) as string as LocalDate;
  const opensAt = Math.max(span.from, momentAt(day, opening, zone));
  // Only where a zone's rules change by hours within the year could the moment lie outside.
  return { day, opensAt: opensAt < span.to ? opensAt : span.from };
}

/** Days between the puzzle's date and the local date of its opening. */
function shiftOf(zone: string, opening: ClockTime, date: PuzzleDate): number {
  const minutes = minutesOf(opening);
  const { first, last } = releaseTimes(zone, Number(date.slice(0, 4)));
  let best = { shift: 0, wait: Number.POSITIVE_INFINITY };
  for (const shift of [0, 1, -1]) {
    const opens = minutes + shift * MINUTES_PER_DAY;
    const wait = Math.max(0, last - opens);
    const isOpenLong = first + MINUTES_PER_DAY - opens >= ENOUGH_MINUTES;
    if (isOpenLong && wait < best.wait) best = { shift, wait };
  }
  return best.shift;
}

/** In minutes since local midnight of the puzzle's date. */
interface ReleaseTimes {
  readonly first: number;
  readonly last: number;
}

const cachedReleases = new LRUCache<string, ReleaseTimes>(atMost(MAX_CACHED_RELEASES));

/** The earliest and the latest time at which puzzles come out in a zone in a year: clock changes make it two or three times. */
function releaseTimes(zone: string, year: number): ReleaseTimes {
  const key = `${zone} ${year}`;
  const known = cachedReleases.get(key);
  if (known !== undefined) return known;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const newYear = `${year}-01-01` as PuzzleDate;
  // On Wednesdays: clocks change at weekends, in New York some hours before they do so further west.
  let date = addDays(newYear, (WEDNESDAY + DAYS_PER_WEEK - weekdayOf(newYear)) % DAYS_PER_WEEK);
  for (; date <= `${year}-12-31`; date = addDays(date, DAYS_PER_WEEK)) {
    const { from } = spanOf(date);
    const minutes = (from + offsetAt(from, zone) - Date.parse(date)) / MINUTE;
    [first, last] = [Math.min(first, minutes), Math.max(last, minutes)];
  }
  const times = { first, last };
  cachedReleases.set(key, times);
  return times;
}

type Weekends = OpeningTime & Pick<DailySettings, 'weekends' | 'weekendsChanged'>;

/** Whether a date has no thread in a channel, since it opens on a weekend and there were none then. It breaks no streak there. */
export function isDayOff(settings: Weekends, date: PuzzleDate): boolean {
  const { weekends, weekendsChanged = [] } = settings;
  const laterChanges = weekendsChanged.filter((changed) => date < changed).length;
  const wereWeekendsOn = laterChanges % 2 === 0 ? weekends : !weekends;
  return !wereWeekendsOn && opensOnWeekend(settings, date);
}

/** Whether a date's thread opens on a Saturday or Sunday in the channel's zone. */
export function opensOnWeekend(time: OpeningTime, date: PuzzleDate): boolean {
  const { zone, opening } = time;
  const shift = shiftOf(zone, opening, date);
  if (shift >= 0) return weekdayOf(addDays(date, shift)) > FRIDAY;
  // On the evening before, it may wait past midnight for the puzzle.
  const { opensAt } = openingOf(time, date);
  return weekdayOf(dateThere(opensAt, zone)) > FRIDAY;
}
