import { MONTHS, nearest } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import { knownWords } from './likely.ts';
import type { IsWord } from './typed-board.ts';
import { CLASS_TABLE, WISH_TABLE } from './wish-table.ts';

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
  /** A pattern of words that lack letters. */
  X?: string;
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
  readonly word: string;
  /** The word that stands for all that mean the same. */
  readonly meaning: string;
}

const wordsOf = (text: string) => text.trim().split(/\s+/);
export const isValue = (word: string): word is Value => /^[A-Z]$/.test(word);

const classes = new Map(
  CLASS_TABLE.trim()
    .split('\n')
    .map(wordsOf)
    .flatMap((words) => words.map((word) => [word, words[0]!] as const)),
);

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

/** Whether a word says nothing here, as few lines have it that name no such word. */
export function isMeaningless(typed: string): boolean {
  return !knownWords().has(unstretched(typed.toLowerCase()));
}

/** Whether a word can't be read: it is none, and no slip in one that lines have. */
export function isUnreadable(typed: string, isWord: IsWord): boolean {
  if (!/^[a-z]{3,}$/.test(typed) || isWord(typed)) return false;
  return (
    nearest(
      typed,
      [...knownWords()].filter((known) => known[0] === typed[0]),
    ) === undefined
  );
}

const PARTS =
  /[\s,;!…?¿¡()"“”„*_]+|\.(?=\s|$)|(?<=\p{L})[:/](?=\s|$|["“])|[-–—/](?=\s)|(?<=\s)[-–—](?=\s)|-(?=(?:word|letter|day|moi)s?\b)|(?<=\p{L}{4})-(?=\p{L}{4})/u;

/** "plsss" and "againnn" as they are spelled. */
const unstretched = (word: string) =>
  /^(\p{L})\1*$/u.test(word) ? word : word.replace(/(\p{L})\1{2,}/gu, '$1');

export function tokensOf(line: string, isWord: IsWord): Token[] {
  return line.split(PARTS).flatMap((raw) => {
    const typed = unstretched(raw.toLowerCase()).replace(
      /(?<=^[a-z])['’]s$|['’`\p{Extended_Pictographic}]|\u200d|\ufe0f|^#(?=\d+$)/gu,
      '',
    );
    const plain = typed.normalize('NFD').replace(/\p{M}/gu, '');
    const isRight = plain.length < 5 || isWord(plain) || classes.has(plain);
    const word = isRight ? plain : (nearest(plain, namesLike(plain)) ?? plain);
    // Not the name of a channel.
    return /^[^#]*[\p{L}\d]/u.test(word) ? [{ raw, word, meaning: classes.get(word) ?? word }] : [];
  });
}

/** Names of days, with the one that stands for them. */
export const DAYS: ReadonlyMap<string, string> = new Map(
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
  ].flatMap((days) => wordsOf(days).map((day, _, [name]) => [day, name!] as const)),
);

/** Long names of days and words beside values, in which a slip is still seen. */
const LONG_NAMES = [...DAYS.keys(), ...MONTHS.map((name) => name.toLowerCase()), ...classes.keys()].filter(
  ({ length }) => length > 5,
);
const namesLike = ([first]: string) => LONG_NAMES.filter((name) => name.startsWith(first!));
