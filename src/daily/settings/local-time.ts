import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { DAY, findClockTime, type LocalDate, MINUTE } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import { UserError } from '../../core/errors.ts';
import { clip, editDistance, listed } from '../../core/text.ts';

/** A clock time in the channel's zone, `HH:MM` with `00` to `23` hours. */
export type ClockTime = `${number}:${number}`;

/**
 * Reads a time of day: `08:00`, `8:00`, `8`, `8pm`, `20.30`, `noon`. Throws UserError for anything else.
 *
 * @example readClockTime('8:30 pm', 'opening') // '20:30'
 */
export function readClockTime(text: string, what: string): ClockTime {
  const time = findClockTime(text);
  if (time !== undefined) return time;
  throw new UserError(
    'daily.time',
    `"${clip(text)}" isn’t a time for ${what}. Type one like 08:00 or 20:30.`,
  );
}

/** Whether `readClockTime` reads it. */
export function isTypedTime(text: string): boolean {
  return findClockTime(text) !== undefined;
}

export function isClockTime(value: unknown): value is ClockTime {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
}

/** Minutes since midnight. */
export function minutesOf(time: ClockTime): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/**
 * The moment at which clocks in a time zone show a time on a date. For a time that daylight saving skips, it is
 * the moment right after the gap; for one that occurs twice, the first.
 *
 * @example momentAt('2026-03-29', '02:30', 'Europe/Berlin') // 03:00 there, 01:00 UTC
 */
export function momentAt(date: LocalDate, time: ClockTime, zone: string): number {
  const { before, after, changeAt } = clocksAround(date, zone);
  const shown = Date.parse(date) + minutesOf(time) * MINUTE;
  return shown - before < changeAt ? shown - before : Math.max(changeAt, shown - after);
}

/** What the clocks of a zone do around a date. */
interface Clocks {
  /** Milliseconds by which they are ahead of UTC before and after the change. */
  readonly before: number;
  readonly after: number;
  /** Infinity if they do not change. */
  readonly changeAt: number;
}

/** Dates in zones whose clocks are kept: those around today. */
const MAX_CACHED_CLOCKS = 2_000;
const cachedClocks = new LRUCache<string, Clocks>(atMost(MAX_CACHED_CLOCKS));

/** Cached: Temporal took most of the time of a plan. */
function clocksAround(date: LocalDate, zone: string): Clocks {
  const key = `${zone} ${date}`;
  const known = cachedClocks.get(key);
  if (known !== undefined) return known;
  // The date begins up to 14 hours before it does in UTC and ends up to 12 hours later.
  const from = Date.parse(date) - DAY;
  const [before, after] = [offsetAt(from, zone), offsetAt(from + 3 * DAY, zone)];
  const change = before === after ? null : zonedAt(from, zone).getTimeZoneTransition('next');
  const clocks = { before, after, changeAt: change?.epochMilliseconds ?? Number.POSITIVE_INFINITY };
  cachedClocks.set(key, clocks);
  return clocks;
}

export function zonedAt(moment: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(moment)).toZonedDateTimeISO(zone);
}

/** Milliseconds by which clocks in a time zone are ahead of UTC at a moment. */
export function offsetAt(moment: number, zone: string): number {
  return zonedAt(moment, zone).offsetNanoseconds / 1e6;
}

/** The date that calendars in a time zone show at a moment. */
export function dateThere(moment: number, zone: string): LocalDate {
  return zonedAt(moment, zone).toPlainDate().toString() as LocalDate;
}

/** Names that the runtime reads but does not list, because it lists their older spelling. */
const NEWER_ZONE_NAMES =
  'America/Argentina/Buenos_Aires America/Nuuk Asia/Ho_Chi_Minh Asia/Kathmandu Asia/Kolkata Asia/Yangon ' +
  'Atlantic/Faroe Europe/Kyiv Pacific/Pohnpei UTC';
/**
 * What people call a zone beside its own name: cities that no zone is named after, and names of its time. Daylight saving comes
 * with the zone, whichever of its two names they type.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Africa/Johannesburg': 'cape town',
  'America/Anchorage': 'akst, akdt, alaska',
  'America/Chicago': 'austin, dallas, houston, ct, cst, cdt, central, us central',
  'America/Denver': 'mt, mst, mdt, mountain',
  'America/Los_Angeles':
    'las vegas, portland, san diego, san francisco, seattle, pt, pst, pdt, pacific, us pacific',
  'America/New_York': 'atlanta, boston, miami, philadelphia, washington, et, est, edt, eastern, us eastern',
  'America/Sao_Paulo': 'rio de janeiro',
  'America/Toronto': 'montreal, ottawa',
  'Asia/Dubai': 'abu dhabi',
  'Asia/Ho_Chi_Minh': 'hanoi',
  'Asia/Jerusalem': 'tel aviv',
  'Asia/Kolkata': 'bangalore, chennai, delhi, mumbai',
  'Asia/Seoul': 'kst, korea',
  'Asia/Shanghai': 'beijing',
  'Asia/Tokyo': 'osaka, jst, japan',
  'Australia/Perth': 'awst',
  'Australia/Sydney': 'canberra, aest, aedt',
  'Europe/Athens': 'eet, eest, eastern european',
  'Europe/Berlin': 'cologne, frankfurt, hamburg, munich, cet, cest, mez, mesz, central european',
  'Europe/London': 'edinburgh, manchester, uk',
  'Europe/Madrid': 'barcelona',
  'Europe/Moscow': 'st petersburg',
  'Europe/Rome': 'milan',
  'Europe/Zurich': 'geneva',
  'Pacific/Auckland': 'wellington, nzst, nzdt, new zealand',
  'Pacific/Honolulu': 'hst, hawaii',
};
/** Names that stand for the time of more than one place. */
const AMBIGUOUS_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['gmt', ['Europe/London', 'UTC']],
  ['bst', ['Europe/London', 'Asia/Dhaka']],
  ['ist', ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem']],
]);

/** Every zone this machine knows by name. */
export function allZones(): readonly string[] {
  return [
    ...new Set([...Intl.supportedValuesOf('timeZone'), ...NEWER_ZONE_NAMES.split(' ').filter(isZone)]),
  ].sort();
}

/**
 * Whether moments can be computed in it. Offsets such as +05:30 are refused: they have no daylight saving. Names such as IST,
 * which the runtime reads, are refused by Temporal.
 */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zonedAt(0, name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a zone by its IANA name, by a city or by what people call its time. Throws UserError with the nearest names otherwise.
 *
 * @example readZone('new york') // 'America/New_York'
 */
export function readZone(text: string): string {
  const zone = findZone(text);
  if (zone !== undefined) return zone;
  const name = nameOf(text);
  const near = AMBIGUOUS_NAMES.get(name) ?? nearestZones(name, 3);
  throw new UserError(
    'daily.zone',
    `There is no time zone "${clip(text)}". ${near.length === 0 ? 'Type' : `Did you mean ${listed(near, 'or')}? Type`} ` +
      'a city or a name like Europe/Berlin.',
  );
}

/** Whether `readZone` reads it. */
export function isZoneName(text: string): boolean {
  return findZone(text) !== undefined;
}

/** Each name that people may type, in small letters, with its zone; a zone's own name counts before all others. */
let zonesByName: ReadonlyMap<string, string> | undefined;

function zoneNames(): ReadonlyMap<string, string> {
  if (zonesByName !== undefined) return zonesByName;
  // Of several zones with one city, the first counts.
  const zones = allZones().toReversed();
  zonesByName = new Map([
    ...zones.map((zone) => [cityOf(zone), zone] as const),
    ...otherNames(),
    ...zones.map((zone) => [plain(zone), zone] as const),
  ]);
  return zonesByName;
}

function otherNames(): (readonly [name: string, zone: string])[] {
  return Object.entries(OTHER_NAMES).flatMap(([zone, names]) =>
    names.split(', ').map((name) => [name, zone] as const),
  );
}

function findZone(text: string): string | undefined {
  const trimmed = text.trim();
  return (
    zoneNames().get(plain(text)) ??
    zoneNames().get(nameOf(text)) ??
    (trimmed.includes('/') && isZone(trimmed) ? trimmed : undefined)
  );
}

function nameOf(text: string): string {
  return plain(text).replace(/ (?:(?:standard|daylight|summer) )?time$/, '');
}

/** Zones to offer while one is typed: first zones whose city or name begins like this, then zones that contain it. */
export function completeZones(text: string): string[] {
  const typed = plain(text);
  const others = otherNames().flatMap(([name, zone]) =>
    name.startsWith(typed) && typed !== '' ? [zone] : [],
  );
  const zones = allZones();
  return [
    ...new Set([
      ...zones.filter((zone) => cityOf(zone).startsWith(typed)),
      ...others,
      ...zones.filter((zone) => plain(zone).includes(typed)),
    ]),
  ].slice(0, 25);
}

/** Longer than the name of any zone, even with a few extra letters. */
const MAX_ZONE_NAME_LENGTH = 40;

function nearestZones(typed: string, most: number): string[] {
  // Offsets such as UTC+2 are not close to any name.
  if (typed.length > MAX_ZONE_NAME_LENGTH || /\d/.test(typed)) return [];
  const near = Array.from(zoneNames(), ([name, zone]) => ({ zone, steps: editDistance(typed, name) }))
    .filter(({ steps }) => steps <= Math.max(2, typed.length / 3))
    .sort((a, b) => a.steps - b.steps);
  return [...new Set(near.map(({ zone }) => zone))].slice(0, most);
}

/** Lower case without accents, and with spaces for underscores. */
function plain(text: string): string {
  return text
    .slice(0, 100)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_\s.]+/g, ' ')
    .trim();
}

function cityOf(zone: string): string {
  return plain(zone.slice(zone.lastIndexOf('/') + 1));
}

/** @example spokenZone('America/New_York') // 'New York time' */
export function spokenZone(zone: string): string {
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ');
  return zone.includes('/') && !zone.startsWith('Etc/') ? `${city} time` : city;
}
