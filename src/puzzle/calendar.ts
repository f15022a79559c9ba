import { DAY, HOUR, type LocalDate, MINUTE, type PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { clip, counted, longDate, MONTHS, shortDate, WEEKDAYS } from '../core/text.ts';
import { GRADES, type Grade } from '../solver/types.ts';

/** Where and at what hour the newspaper changes the puzzle. */
const PUZZLE_ZONE = 'America/New_York';
const ROLLOVER_HOUR = 3;
/** Hours by which New York is behind UTC in summer. */
const SUMMER_OFFSET_HOURS = 4;

/** A date's puzzle is on from `from` up to, not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans by date. They never change, and each channel's schedule asks for some that it shares with the others. */
const spans = new Map<PuzzleDate, Span>();
/** Room for many dates and for the Wednesdays of two years, for which `releaseTimes` asks in each zone. */
const MAX_SPANS = 400;

/**
 * The newspaper's date at a moment.
 *
 * @example dateAt(Date.UTC(2026, 10, 20, 7, 59)) // '2026-11-19': 02:59 in New York
 */
export function dateAt(moment: number): PuzzleDate {
  // In winter, the puzzle changes an hour later.
  const inSummer = dateIn(moment - (ROLLOVER_HOUR + SUMMER_OFFSET_HOURS) * HOUR);
  return moment < spanOf(inSummer).from ? addDays(inSummer, -1) : inSummer;
}

/** The moment a date's puzzle comes out and the moment the next one replaces it: 23, 24 or 25 hours. */
export function spanOf(date: PuzzleDate): Span {
  const known = spans.get(date);
  if (known !== undefined) return known;
  const span = { from: rolloverOf(date), to: rolloverOf(addDays(date, 1)) };
  if (spans.size === MAX_SPANS) spans.clear();
  spans.set(date, span);
  return span;
}

/** Milliseconds from the beginning of a date in UTC to the end of its puzzle, in summer and in winter. */
const EARLIEST_END_MS = 31 * HOUR;
const LATEST_END_MS = 32 * HOUR;

/**
 * Whether a moment is before the end of a date's puzzle. Only the few moments near it depend on New York's clocks, which
 * take long to ask for thousands of dates.
 */
export function isBeforeEnd(date: PuzzleDate, at: number): boolean {
  const since = at - Date.parse(date + MIDNIGHT);
  return since < EARLIEST_END_MS || (since < LATEST_END_MS && at < spanOf(date).to);
}

const MIDNIGHT = 'T00:00:00.000Z';

/** The date a number of days later, or earlier when it is negative. */
export function addDays(date: LocalDate, days: number): LocalDate;
export function addDays(date: PuzzleDate, days: number): PuzzleDate;
export function addDays(date: string, days: number): string {
  return dateIn(Date.parse(date + MIDNIGHT) + days * DAY);
}

/** The date in UTC, where all days are equally long. */
function dateIn(moment: number): PuzzleDate {
  return new Date(moment).toISOString().slice(0, -MIDNIGHT.length) as PuzzleDate;
}

/** @example firstOfMonth('2026-11-20') // '2026-11-01' */
export function firstOfMonth(date: PuzzleDate): PuzzleDate {
  return `${date.slice(0, 8)}01` as PuzzleDate;
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(date: PuzzleDate | LocalDate): number {
  return new Date(date).getUTCDay() || 7;
}

/** Created on first use: the zones take long to load. */
let hourThere: Intl.DateTimeFormat | undefined;

/** The moment at which a date's puzzle comes out. In winter, 3:00 in New York is an hour later in UTC. */
function rolloverOf(date: PuzzleDate): number {
  hourThere ??= new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: PUZZLE_ZONE,
  });
  const inSummer = Date.parse(date + MIDNIGHT) + (ROLLOVER_HOUR + SUMMER_OFFSET_HOURS) * HOUR;
  return Number(hourThere.format(inSummer)) === ROLLOVER_HOUR ? inSummer : inSummer + HOUR;
}

const MONTH_NAMES = MONTHS.map((name) => name.toLowerCase());
/** Whether a word is a month as people type it: whole, or its first three letters. */
const isMonth = (word: string) =>
  word === 'sept' || MONTH_NAMES.some((name) => word === name || word === name.slice(0, 3));
const EARLIEST_DATE: PuzzleDate = '2000-01-01';
/** Years that are looked at for a date without a year: there is a 29 February in each 8, even around 2100. */
const MAX_YEARS = 8;

/**
 * Reads the date of a puzzle that is out, such as `today`, `2026-11-18` or `last friday`.
 *
 * @example readDate('yesterday', Date.UTC(2026, 10, 20, 12)) // '2026-11-19'
 */
export function readDate(text: string, now: number): PuzzleDate {
  const today = dateAt(now);
  const date = text.trim() === '' ? today : findDate(text, today);
  if (date === undefined) throw unreadableDateError(text, today);
  // Dates of this form sort as text.
  if (date > today) throw notOutYetError(date, now);
  if (date < EARLIEST_DATE)
    throw new UserError('date.early', `The first board is that of ${longDate(EARLIEST_DATE)}.`);
  return date;
}

const NAMED_DAYS: Readonly<Record<string, number>> = {
  today: 0,
  yesterday: -1,
  tomorrow: 1,
  'before yesterday': -2,
  'day before yesterday': -2,
  'the day before yesterday': -2,
};

/**
 * The date that a text names: `yesterday`, `2 weeks ago`, `2026-11-18`, `18 nov`, `Nov 18, 2026`, `18.11.`, `the 18th`, a
 * weekday, or `last` with a weekday for the latest one before today. Of days that come again, it is the latest up to today or,
 * if `isToCome`, the next after it. 11/18 and 18/11 are read, but not 11/10, which is two different days depending on who
 * types it.
 */
export function findDate(
  text: string,
  today: PuzzleDate,
  { isToCome = false }: { readonly isToCome?: boolean } = {},
): PuzzleDate | undefined {
  const named = text
    .trim()
    .replace(/^(?:for|of)\s+/i, '')
    .replace(/^(\d\d?)\/(\d\d?)(?=\/\d{4}$|$)\/?/, (slashed, first, second) => {
      const [month, day] = Number(first) > 12 ? [second, first] : [first, second];
      return Number(day) > 12 || day === month ? `${day} ${MONTHS[month - 1] ?? month} ` : slashed;
    })
    .replace(/^(\d\d?)\.(\d\d?)\.?(?=\d{4}$|$)/, (_, day, month) => `${day} ${MONTHS[month - 1] ?? month} `);
  const words = wordsOf(named);
  const joined = words.join(' ');
  if (Object.hasOwn(NAMED_DAYS, joined)) return addDays(today, NAMED_DAYS[joined]!);
  const [, count, unit] = /^(\d{1,4}|an?|one) (day|week)s? (?:ago|back)$/.exec(joined) ?? [];
  if (count !== undefined)
    return addDays(today, -Number(/\d/.test(count) ? count : 1) * (unit === 'week' ? 7 : 1));
  return readWeekday(words, today, isToCome) ?? readNumbers(joined) ?? readMonth(words, today, isToCome);
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, 100)
    .toLowerCase()
    .split(/[\s,.]+/)
    .filter((word) => word !== '');
}

/** By its first three letters or more, in small letters: `weekdayOf` modulo 7, so 0 for Sunday; −1 if it is no weekday. */
function weekdayNamed(word: string): number {
  return word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.toLowerCase().startsWith(word));
}

/** Words before a date. */
const BESIDE_DATE = /^(?:from|of|on|the)$/;

function readWeekday(words: readonly string[], today: PuzzleDate, isToCome: boolean): PuzzleDate | undefined {
  const isLast = words[0] === 'last';
  const [name = '', ...more] = isLast || BESIDE_DATE.test(words[0] ?? '') ? words.slice(1) : words;
  const index = weekdayNamed(name);
  if (index < 0 || more.length > 0) return undefined;
  if (isToCome) return addDays(today, (index - weekdayOf(today) + 7) % 7 || 7);
  const days = (weekdayOf(today) - index + 7) % 7;
  return addDays(today, -(isLast && days === 0 ? 7 : days));
}

function readNumbers(text: string): PuzzleDate | undefined {
  const match = /^(\d{4})(?:(\d{2})(\d{2})|[-/ ](\d{1,2})[-/ ](\d{1,2}))$/.exec(text);
  if (match === null) return undefined;
  return makeDate(Number(match[1]), Number(match[2] ?? match[4]), Number(match[3] ?? match[5]));
}

/** A day alone. One digit needs "on" or "from" before it, since "the 2nd" may as well be a hint or a word. */
const DAY_ALONE = /^(?:(?:on|from) the \d{1,2}|(?:the )?\d\d)(?:st|nd|rd|th)$/;

/** A day and a month, perhaps with a year, or a day alone. */
function readMonth(words: readonly string[], today: PuzzleDate, isToCome: boolean): PuzzleDate | undefined {
  const months = words.filter(isMonth);
  const [first = '', year, ...more] = words.filter((word) => !isMonth(word) && !BESIDE_DATE.test(word));
  const month = MONTH_NAMES.findIndex((name) => months[0]?.startsWith(name.slice(0, 3))) + 1;
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(first)?.[1]);
  const isRead = months.length === 1 || DAY_ALONE.test(words.join(' '));
  if (!isRead || Number.isNaN(day) || more.length > 0) return undefined;
  if (year !== undefined) return /^\d{4}$/.test(year) ? makeDate(Number(year), month, day) : undefined;
  // Each month is a number, counted from year 0. Those from this one on are tried: all of them if the text names no month.
  const thisMonth = 12 * Number(today.slice(0, 4)) + Number(today.slice(5, 7)) - 1;
  for (let passed = 0; passed <= 12 * MAX_YEARS; passed++) {
    const at = thisMonth + (isToCome ? passed : -passed);
    if (month > 0 && (at % 12) + 1 !== month) continue;
    const date = makeDate(Math.floor(at / 12), (at % 12) + 1, day);
    if (date !== undefined && (isToCome ? date > today : date <= today)) return date;
  }
  return undefined;
}

function makeDate(year: number, month: number, day: number): PuzzleDate | undefined {
  const moment = new Date(Date.UTC(year, month - 1, day));
  const isReal = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
  return isReal ? dateIn(moment.getTime()) : undefined;
}

function unreadableDateError(text: string, today: PuzzleDate): UserError {
  return new UserError(
    'date.nonsense',
    `"${clip(text)}" isn’t a date. Try today, yesterday or ${shortDate(addDays(today, -2))}.`,
  );
}

/** The error for a date whose board is not out yet. The puzzle service throws it, too, for dates that were not typed. */
export function notOutYetError(date: PuzzleDate, now: number): UserError {
  const today = dateAt(now);
  // A time of day would need a zone that the reader knows.
  const left = spanOf(today).to - now;
  const wait =
    left < 2 * HOUR ? counted(Math.ceil(left / MINUTE), 'minute') : counted(Math.round(left / HOUR), 'hour');
  return new UserError(
    'date.to-come',
    `The board of ${longDate(date)} isn’t out yet. The newest is today’s, ${longDate(today)}. A new one comes in ${wait}.`,
  );
}

/** How hard the house's board of a date is: a week that starts gently and is hardest at its end. */
export function houseDifficulty(date: PuzzleDate): Grade {
  return GRADES[weekdayOf(date) - 1]!;
}
