/** A text that a person typed, made safe to quote: shortened, and without invisible characters. */
export function clip(text: string, most = 40): string {
  const visible = text.slice(0, most * 4).replace(/\p{C}/gu, '\uFFFD');
  const characters = Array.from(visible);
  return characters.length > most || text.length > most * 4
    ? `${characters.slice(0, most).join('')}…`
    : visible;
}

/** 1,234 for people; exact for bigints too. Not by `toLocaleString`, whose tables take long to load. */
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

/** @example ordinal(2) // '2nd' */
export function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${grouped(number)}${(isTeen ? undefined : [undefined, 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** `a, b and c` */
export function listed(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

/** How many letters words have in all. */
export function lettersIn(words: readonly string[]): number {
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
    .split(/[\s,;>/|→+\u2010-\u2015-]+/u)
    .map((word) => word.replace(AROUND, ''))
    .filter((word) => word !== '' && !/^\d+%?$/.test(word));
}

/** Marks around words, of sentences, lists, quotations and Markdown. */
const AROUND = /^["'“”„‘’()[\]{}*_~`•·.:!?]+|["'“”„‘’()[\]{}*_~`•·.:!?]+$/gu;
