import { editDistance } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { IsWord } from './typed-board.ts';
import { CLASS_TABLE, FILLERS, WISH_TABLE } from './wish-table.ts';

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

interface Pattern {
  readonly row: Row;
  readonly words: readonly string[];
  readonly values: readonly Value[];
}
export interface Row {
  /** Its command with its options, as in the table. */
  readonly key: string;
  readonly label: string;
  readonly action?: Action;
  readonly isOffered: boolean;
  readonly takes: ReadonlySet<string>;
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

const rowsOf = (table: string) =>
  table
    .replace(/\n {2}/g, ' ')
    .trim()
    .split('\n');
const wordsOf = (text: string) => text.trim().split(/\s+/);
export const isValue = (word: string): word is Value => /^[A-Z]$/.test(word);
export const fillers = new Set(wordsOf(FILLERS));
const meanings = new Map<string, string>();
for (const [name = '', ...others] of CLASS_TABLE.split(';').map(wordsOf))
  for (const one of [name, ...others]) if (!meanings.has(one)) meanings.set(one, name);
/** Endings without which a word may be one of the table, such as "reminded" or "options". */
const ENDINGS = ['s', 'es', 'd', 'ed', 'ing'];

function meaningOf(word: string): string {
  const known = meanings.get(word);
  if (known !== undefined || word.length < 4 || table?.vocabulary.has(word) || fillers.has(word))
    return known ?? word;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, -ending.length),
  );
  const stem = stems.find((one) => meanings.has(one) || table?.vocabulary.has(one));
  return stem === undefined ? word : (meanings.get(stem) ?? stem);
}

/** Read when first needed, which takes as long as an answer. */
let table:
  | {
      readonly patterns: readonly Pattern[];
      /** The rows, with the values of each of their patterns. */
      readonly byKey: ReadonlyMap<
        string,
        { readonly row: Row; readonly needs: readonly (readonly Value[])[] }
      >;
      readonly vocabulary: ReadonlySet<string>;
      /** All words that mean something, by their first letter. */
      readonly byInitial: ReadonlyMap<string, readonly string[]>;
    }
  | undefined;

function readTable() {
  const patterns = rowsOf(WISH_TABLE).flatMap((line) => {
    const [, offered, command = '', label = '', typed = ''] = /^(!?)([^=]*)= ([^:]*): (.*)$/.exec(line) ?? [];
    const [name, ...options] = wordsOf(command);
    const action = { command: name!, options: Object.fromEntries(options.map((one) => one.split(':'))) };
    const takes = new Set(command.match(/\b[A-Z]\b/g));
    const row: Row = {
      key: command.trim(),
      label,
      ...(name && { action }),
      isOffered: offered === '!',
      takes,
    };
    return typed.split(',').map((pattern): Pattern => {
      const parts = wordsOf(pattern);
      const words = parts.filter((one) => !isValue(one)).map(meaningOf);
      return { row, words, values: parts.filter(isValue) };
    });
  });
  const vocabulary = new Set(patterns.flatMap(({ words }) => words));
  const known = [...meanings.keys(), ...vocabulary, ...Object.keys(DAYS)].filter(({ length }) => length > 3);
  const byKey = Map.groupBy(patterns, ({ row }) => row.key);
  return {
    patterns,
    byKey: new Map(
      [...byKey].map(([key, own]) => [key, { row: own[0]!.row, needs: own.map(({ values }) => values) }]),
    ),
    vocabulary,
    byInitial: Map.groupBy(known, ([initial]) => initial!),
  };
}

/** The table as it is read, once. */
export function wishTable() {
  table ??= readTable();
  return table;
}

/** Whether a word carries no wish, and is not among those around one. */
export function isMeaningless(typed: string): boolean {
  const word = unstretched(typed);
  return !wishTable().vocabulary.has(meaningOf(word)) && !fillers.has(word);
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
      /['’`\p{Extended_Pictographic}]|\u200d|\ufe0f/gu,
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
  return wishTable().byInitial.get(word[0]!)?.find(isNear) ?? word;
}

const lettersOf = (word: string) => [...word].sort().join('');
const consonants = (word: string) => word.replace(/[aeiou]/g, '');

/** Names of days, with the one that stands for them. */
export const DAYS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'today todays tonight tdy 2day heute hoy oggi hoje aujourdhui',
    'yesterday yesterdays yday gestern ayer hier dhier ieri ontem',
    'tomorrow tomorrows tmrw tomorow morgen manana demain domani amanha',
    'monday montag lunes lundi lunedi',
    'tuesday dienstag martes mardi martedi',
    'wednesday mittwoch miercoles mercredi mercoledi',
    'thursday donnerstag jueves jeudi giovedi',
    'friday freitag viernes vendredi venerdi',
    'saturday samstag sabado samedi sabato',
    'sunday sonntag domingo dimanche domenica',
  ].flatMap((days) => wordsOf(days).map((day, _, [name]) => [day, name!])),
);
