import type { PuzzleDate } from './clock.ts';

/** A text that a person typed, made safe to quote: shortened, and without invisible characters. */
export function clip(text: string, most = 40): string {
  const visible = text.slice(0, most * 4).replace(/\p{C}/gu, '\uFFFD');
  const characters = Array.from(visible);
  return characters.length > most || text.length > most * 4
    ? `${characters.slice(0, most).join('')}…`
    : visible;
}

/** A person's display name, safe to put within a line: without line breaks or marks that change the direction of writing. */
export function displayName(name: string): string {
  return name
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * A text of at most `most` characters; the last one is an ellipsis if the text was shortened.
 *
 * @example shorten('Next: joining letter', 10) // 'Next: joi…'
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** 1,234 for people; exact for bigints too. `toLocaleString` is not used: its tables take long to load. */
export function grouped(number: number | bigint): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * A number with its noun.
 *
 * @example counted(2, 'word') // '2 words'
 */
export function counted(number: number | bigint, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 || number === 1n ? '' : 's'}`;
}

/** @example capitalized('the solution') // 'The solution' */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// `PURE`: bundles that need none of these lists, such as the solver's package, leave them out.
const NUMBERS = /* @__PURE__ */ 'no one two three four five six seven eight nine ten eleven twelve'.split(
  ' ',
);

/** @example spelled(4) // 'four' */
export const spelled = (number: number) => NUMBERS[number] ?? grouped(number);

/** @example ordinal(2) // '2nd' */
export function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${grouped(number)}${(isTeen ? undefined : [undefined, 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** `a, b and c` */
export function listed(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

export function letterCount(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Words as people type or paste them: commas, spaces, dashes or arrows between them, in any case, also in brackets,
 * numbered, or with a percentage as in our own lists.
 *
 * @example splitWords('1. Forum – MOZART (94%)') // ['forum', 'mozart']
 */
export function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;>/|→+&\u2010-\u2015-]+/u)
    .map((word) => word.replace(SURROUNDING_MARKS, ''))
    .filter((word) => word !== '' && !/^\d+%?$/.test(word));
}

const MARKS = '["\'“”„‘’()[\\]{}*_~`•·.:!?]';
/** Punctuation around words. Without the look-behind, a long row of marks within a word would take quadratic time. */
const SURROUNDING_MARKS = new RegExp(`^${MARKS}+|(?<!${MARKS})${MARKS}+$`, 'gu');

/**
 * The name that was probably meant, if one is near enough: one edit in up to seven letters, two in up to eleven, and so on. The
 * beginning of a name, from three letters on, counts as one. With more edits, most words of a language would be mistyped names.
 *
 * @example nearest('lenghts', ['start', 'lengths']) // 'lengths'
 */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const text = typed.toLowerCase();
  if (text.length > 40) return undefined;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const most = Math.max(1, Math.floor(Math.max(text.length, name.length) / 4));
    const begins = name.length > text.length && text.length >= 3 && name.startsWith(text);
    const far = begins ? 1 : editDistance(text, name, most);
    if (far <= most && far < least) [best, least] = [name, far];
  }
  return best;
}

/**
 * Edit distance: letters to insert, delete, replace, or swap with their neighbour (Damerau-Levenshtein). Infinite if it is more
 * than `most`, which is soon seen of most words.
 */
export function editDistance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    // No later row has less.
    if (Math.min(...row) > most) return Number.POSITIVE_INFINITY;
    before = above;
  }
  return row[to.length]!;
}

export const WEEKDAYS = /* @__PURE__ */ 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
export const MONTHS =
  /* @__PURE__ */ 'January February March April May June July August September October November December'.split(
    ' ',
  );

/** @example longDate('2026-11-20') // 'Friday, November 20, 2026' */
export function longDate(date: PuzzleDate): string {
  const { weekday, day, month, year } = partsOf(date);
  return `${weekday}, ${month} ${day}, ${year}`;
}

/** @example weekdayName('2026-11-20') // 'Friday' */
export function weekdayName(date: PuzzleDate): string {
  return partsOf(date).weekday;
}

/** @example shortDate('2026-11-20') // 'November 20' */
export function shortDate(date: PuzzleDate): string {
  const { day, month } = partsOf(date);
  return `${month} ${day}`;
}

/** A short form for where there is little room. @example briefDate('2026-11-20') // 'Nov 20' */
export function briefDate(date: PuzzleDate): string {
  const { day, month } = partsOf(date);
  return `${month.slice(0, 3)} ${day}`;
}

/** @example monthOf('2026-11-20') // 'November 2026' */
export function monthOf(date: PuzzleDate): string {
  const { month, year } = partsOf(date);
  return `${month} ${year}`;
}

function partsOf(date: PuzzleDate) {
  const at = new Date(`${date}T00:00:00Z`);
  return {
    weekday: WEEKDAYS[at.getUTCDay()]!,
    day: at.getUTCDate(),
    month: MONTHS[at.getUTCMonth()]!,
    year: at.getUTCFullYear(),
  };
}

/** @example spokenTime('20:00') // '8:00 PM' */
export function spokenTime(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
