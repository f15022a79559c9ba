import { editDistance, MONTHS } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { IsWord } from './typed-board.ts';
import { CLASS_TABLE, FILLERS, WISH_TABLE, WISH_WORDS } from './wish-table.ts';

/** What a line names, by the capital letters that stand for it in the table. */
export interface Values {
  /** The sides of a board. */
  B?: string;
  /** The name of a command. */
  C?: string;
  /** A date. */
  D?: string;
  /** Letters that words end with. */
  E?: string;
  /** How many letters words have. */
  K?: string;
  /** Letters that words have. */
  L?: string;
  /** The whole line, for a result that it reports. */
  M?: string;
  N?: string;
  /** Letters that words start with. */
  S?: string;
  /** A time of day. */
  T?: string;
  /** Until when, or for how long. */
  U?: string;
  /** Words to play or to check. */
  W?: string;
  /** A time zone. */
  Z?: string;
}
export type Value = keyof Values;

export interface Row {
  /** Its command with its options, as in the table. */
  readonly key: string;
  readonly label: string;
  readonly action?: Action;
  readonly isOffered: boolean;
  /** Without these it is no wish. */
  readonly needs: readonly Value[];
}
export interface Token {
  readonly raw: string;
  /** Where it is in the line. */
  readonly from: number;
  readonly word: string;
  /** The word that stands for all that mean the same. */
  readonly meaning: string;
  readonly isFiller: boolean;
}

const wordsOf = (text: string) => text.trim().split(/\s+/);
export const isValue = (word: string): word is Value => /^[A-Z]$/.test(word);
const fillers = new Set(wordsOf(FILLERS));

/** Whether a word carries no wish by itself. */
export function isFiller(word: string): boolean {
  return fillers.has(word.toLowerCase());
}

const meanings = new Map<string, string>();
for (const [name = '', ...others] of CLASS_TABLE.split(';').map(wordsOf))
  for (const one of [name, ...others]) if (!meanings.has(one)) meanings.set(one, name);
const vocabulary = new Set([...meanings.values(), ...wordsOf(WISH_WORDS)]);
/** Endings without which a word may be one of the table, such as "reminded" or "options". */
const ENDINGS = ['s', 'es', 'd', 'ed', 'ing'];

function meaningOf(word: string): string {
  const known = meanings.get(word);
  if (known !== undefined || word.length < 4 || vocabulary.has(word) || fillers.has(word))
    return known ?? word;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, -ending.length),
  );
  const stem = stems.find((one) => meanings.has(one) || vocabulary.has(one));
  return stem === undefined ? word : (meanings.get(stem) ?? stem);
}

/** The rows of the table, by their commands with options. */
export const wishRows: ReadonlyMap<string, Row> = new Map(
  WISH_TABLE.trim()
    .split('\n')
    .map((line): [string, Row] => {
      const [, offered, key = '', label = ''] = /^(!?)([^=]*) = (.*)$/.exec(line) ?? [];
      const [command = '', ...options] = wordsOf(key);
      const action = { command, options: Object.fromEntries(options.map((one) => one.split(':'))) };
      const taken: readonly string[] = key.match(/\b[A-Z]\b/g) ?? [];
      const shown: readonly string[] = label.replace(/\[[^\]]*\]/g, '').match(/\b[A-Z]\b/g) ?? [];
      const needs = shown.filter((one): one is Value => isValue(one) && taken.includes(one));
      return [key, { key, label, ...(command !== 'say' && { action }), isOffered: offered === '!', needs }];
    }),
);

/** Whether a word carries no wish, and is not among those around one. */
export function isMeaningless(typed: string): boolean {
  const word = unstretched(typed);
  return !vocabulary.has(meaningOf(word)) && !fillers.has(word);
}

const PARTS =
  /[\s,;!…?¿¡()"“”„*_]+|\.(?=\s|$)|(?<=\p{L})[:/](?=\s|$|["“])|[-–—/](?=\s)|(?<=\s)[-–—](?=\s)|-(?=(?:word|letter|day|moi)s?\b)|(?<=\p{L}{4})-(?=\p{L}{4})/u;

/** "plsss" and "againnn" as they are spelled. */
const unstretched = (word: string) => word.replace(/(\p{L})\1{2,}/gu, '$1');

export function tokensOf(line: string, isWord: IsWord): Token[] {
  let from = 0;
  const parts = line.split(PARTS);
  return parts.flatMap((raw) => {
    const at = line.indexOf(raw, from);
    from = at + raw.length;
    const typed = unstretched(raw.toLowerCase()).replace(
      /['’`\p{Extended_Pictographic}]|\u200d|\ufe0f|^#(?=\d+$)/gu,
      '',
    );
    const word =
      meanings.has(typed) || fillers.has(typed)
        ? typed
        : withoutSlip(typed.normalize('NFD').replace(/\p{M}/gu, ''), isWord, parts.length < 4);
    const meaning = meaningOf(word);
    const isFiller = fillers.has(word) || fillers.has(meaning);
    // Not the name of a channel.
    return /^[^#]*[\p{L}\d]/u.test(word) ? [{ raw, from: at, word, meaning, isFiller }] : [];
  });
}

/** Names of days, with the one that stands for them. */
export const DAYS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'today todays tonight tdy 2day heute hoy oggi hoje aujourdhui',
    'yesterday yesterdays yday gestern ayer hier dhier ieri ontem',
    'tomorrow tomorrows tmrw tomorow morgen manana demain domani amanha',
    'monday montag lunes lundi lunedi',
    'tuesday tuseday dienstag martes mardi martedi',
    'wednesday wensday wendsday mittwoch miercoles mercredi mercoledi',
    'thursday thrusday donnerstag jueves jeudi giovedi',
    'friday freitag viernes vendredi venerdi',
    'saturday saterday samstag sabado samedi sabato',
    'sunday sonntag domingo dimanche domenica',
  ].flatMap((days) => wordsOf(days).map((day, _, [name]) => [day, name!])),
);

/** All words that mean something, by their first letter. */
const byInitial = Map.groupBy(
  [
    ...new Set([
      ...meanings.keys(),
      ...vocabulary,
      ...Object.keys(DAYS),
      ...MONTHS.map((name) => name.toLowerCase()),
    ]),
  ]
    .flatMap((word) => (word.length > 5 ? [word, `${word}s`] : [word]))
    .filter(({ length }) => length > 3),
  ([initial]) => initial!,
);

/** The word of the table that was meant by one that is in no list, such as "leaderbord" or "ystrday". */
function withoutSlip(word: string, isWord: IsWord, isBrief: boolean): string {
  if (!/^[a-z]{3,14}$/.test(word) || !isMeaningless(word) || isWord(word) || Object.hasOwn(DAYS, word))
    return word;
  const isShortened =
    word.length > 3 ? /^[^aeiou]+[aeiou]?[^aeiou]*$/.test(word) : isBrief && /^[^aeiou]{3}$/.test(word);
  const sound = consonants(word);
  const letters = lettersOf(word);
  const isNear = (known: string) =>
    ((word.length > 4 || (word.length === 4 && lettersOf(known) === letters)) &&
      Math.abs(known.length - word.length) < 2 &&
      editDistance(word, known) === 1) ||
    (isShortened && known.length > word.length && consonants(known) === sound);
  const known = byInitial.get(word[0]!) ?? [];
  return known.includes(word) ? word : (known.find(isNear) ?? word);
}

const lettersOf = (word: string) => [...word].sort().join('');
const consonants = (word: string) => word.replace(/[aeiou]/g, '');
