import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MONTHS, nearest } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { IsWord } from './typed-board.ts';

/**
 * What people wish for: `COMMAND OPTIONS = LABEL`. A capital letter is a value of the line (`Values`), which fills its place in an
 * option and in the label; where the label has it outside of `[ ]`, the wish needs it. What costs something, or changes something for
 * others, has a `!` before it: it is only offered, as a button with its label. So is what has a `-`, which takes something away,
 * unless a line surely wishes for it. What begins with `say` is answered with its label.
 * Which lines mean a row is learned from examples (`Model`).
 */
const WISH_TABLE = `
hint date:D sides:B = Hint[ for D]
hint number:N date:D = Hint N
hint step:count date:D sides:B = Words needed
hint step:start date:D sides:B = Start letters
hint step:first date:D sides:B = First word
hint step:lengths date:D sides:B = Word lengths
hint step:joint date:D sides:B = The letter that joins the words
hint step:meaning date:D sides:B = What the words mean
hint step:hardest date:D sides:B = Hardest letters
next words:W date:D sides:B = Best word after W
next = Best next word
check words:W date:D sides:B = Check W
words starts:S ends:E uses:L pattern:X length:K date:D sides:B = Words[ that start with S][ that end with E][ with L][ without X][ of K letters]
words sort:length date:D sides:B = The longest words
words sort:coverage date:D sides:B = Words with the most letters
words date:D sides:B = All words
reveal date:D = The solution[ of D]
solve sides:B most:N = Solve B
today date:D = The board[ of D]
play date:D sides:B = Play[ D]
play words:W typed:yes = Play W
-play start-over:yes date:D = Start over
play ask:back typed:yes = Take back
archive = Past boards
generate = A new board
generate difficulty:easy = An easy board
generate difficulty:hard = A hard board
!relay word:start sides:B date:D = Start a relay, one word each
!race = Race on a new board
!board do:make sides:B = Make a board for this channel
board do:list = Boards made here
review date:D = How you did[ on D]
stats = Your results
leaderboard = Leaderboard
leaderboard period:day date:D = Who solved it[ on D]
leaderboard period:week date:last = Last week
leaderboard period:month date:last = Last month
leaderboard period:month = This month
leaderboard period:week = This week
leaderboard period:all = All time
leaderboard games:yes = Other games
missing = Who is missing
!share date:D = Show everyone your result[ of D]
!record message:M = Add it to your results
hunt date:D = Other solutions
remind at:T zone:Z = Remind you[ at T][ Z time]
remind = Your reminder
-remind off:yes = No more reminders
!calm do:on = No streaks, ranks or reminders for you
!calm do:off = Streaks and ranks again
privacy = What is stored about you
privacy do:export = Your data as a file
privacy do:delete = Erase your data
-privacy do:hide = Hide from leaderboards
-privacy do:unhide = Be on leaderboards again
help = Help
help command:C = What C does
about = About this bot
daily do:show = The settings
!daily do:on opening:T zone:Z = Post a board here every day[ at T][ Z time]
!daily do:steps = Choose the hints of the thread
!daily do:off = Stop the daily thread
!daily opening:T zone:Z = Open the thread at T[ Z time]
!daily zone:Z = Set the zone to Z
!daily solution:T = Post the solution at T
!daily solution:off = Never post the solution
!daily steps:none = Post no hints in the thread
!daily count:T = Post the words needed at T
!daily do:pause until:U = Pause the daily thread[ U]
!daily weekends:off = No thread on weekends
!daily weekends:on = A thread on weekends, too
!daily quiet:on = Post without notifications
!daily quiet:off = Post with notifications
!daily do:test = See a whole day now, only you
!daily source:house = Post the house’s own boards
!daily source:newspaper = Post the newspaper’s boards
!daily do:here = Move the daily thread to this channel
say par = Par is a good number of words for a board. Fewer is even better.
say seen = Only you see your hints and the words that you play. Others see your result on the leaderboard.
say points = Each hint costs hint points, and the more it tells, the more it costs. Of two results with as many words and letters, the one with fewer points comes first.
say list = A word has at least 3 letters, and the game’s list decides which count: no names.
say games = I play only Letter Boxed. To rank your result of another daily game, type record and paste it.
say thanks = You’re welcome!
say friendly = I’m here! Type a word to play it, or help.
`;

/** Words beside which values stand, in rows whose first word stands for all of them. Some are five other languages. */
const CLASS_TABLE = `
hint hints clue clues tip tips nudge nudges pista pistas indice indizio tipp tipps hinweis dica suggerimento hnt
word words wort worter palabra palabras mot mots parola parole palavra palavras wrd wrds wd wds
board boards sides grid puzzle puzzles solve solves solving make makes making create creating build game games
letter letters buchstabe buchstaben letra letras lettre lettres lettera lettere ltr ltrs
length lengths long longer lang larga lunga longa largo
start starts starting started begin begins beginning anfangen fangt anfangt anfang empezar empiezan empieza commence commencent comecar comecam iniziano iniziare beginnen
end ends ending endings finish finishing finishes enden endet finissent finissant terminan terminano terminam
use uses using used contain contains containing include includes including has have having
with w/ mit con avec com
without w/o no not dont avoid avoiding exclude excluding except lacking ohne sans sin sem senza
evening evenings tonight
after follows follow nach apres despues dopo depois
valid valable ok okay legit legal allowed acceptable accepted accept accepts permitted fine playable correct check checking
play played playing plays spielen jugar jouer giocare jogar
zone timezone tz timezones time times change changing set
`;

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
  /** How likely it has to be to be done rather than offered. */
  readonly leastOdds: number;
  /** Without these it is no wish. */
  readonly needs: readonly Value[];
}
export interface Token {
  readonly raw: string;
  readonly word: string;
  /** The word that stands for all that mean the same. */
  readonly meaning: string;
}

const LEAST_ODDS: Readonly<Record<string, number>> = { '': 0, '-': 0.85, '!': Infinity };
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
      const [, mark = '', key = '', label = ''] = /^([!-]?)([^=]*) = (.*)$/.exec(line) ?? [];
      const [command = '', ...options] = wordsOf(key);
      const action = { command, options: Object.fromEntries(options.map((one) => one.split(':'))) };
      const taken: readonly string[] = key.match(/\b[A-Z]\b/g) ?? [];
      const shown: readonly string[] = label.replace(/\[[^\]]*\]/g, '').match(/\b[A-Z]\b/g) ?? [];
      const needs = shown.filter((one): one is Value => isValue(one) && taken.includes(one));
      return [key, { key, label, ...(command !== 'say' && { action }), leastOdds: LEAST_ODDS[mark]!, needs }];
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

/** How likely each wish is: a linear model over the words of a line, learned from a few thousand lines by `npm run build:wishes`. */
interface Model {
  /** The rows of the table of wishes, as they are written there. */
  readonly rows: readonly string[];
  readonly scale: number;
  /** The words of the lines, but those that are played or asked about. */
  readonly words: ReadonlySet<string>;
  /** For each feature its weight for each row, then the same for a feature that all lines have. */
  readonly weights: Int8Array;
}

/** Features are told apart by a hash of so many values. */
export const FEATURES = 16_384;
export const wishesFile = () => fileURLToPath(import.meta.resolve('#wishes'));

let model: Model | undefined;

/** The file is a line with the scale of the weights and the rows, parted by `;`, a line with the words, and the weights. */
function readModel(bytes: Uint8Array): Model {
  const first = bytes.indexOf(10);
  const second = bytes.indexOf(10, first + 1);
  const textOf = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const [scale, ...rows] = textOf(0, first).split(';');
  return {
    rows,
    scale: Number(scale),
    words: new Set(textOf(first + 1, second).split(' ')),
    weights: new Int8Array(bytes.subarray(second + 1)),
  };
}

function readOnce(): Model {
  // Loaded with the first such line, as most commands need no decompression.
  model ??= readModel(process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(wishesFile())));
  return model;
}

function knownWords(): ReadonlySet<string> {
  return readOnce().words;
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (FEATURES - 1);
}

/** How likely a line means each row, in proportion to the others; an empty row stands for no wish. */
export function oddsOf(features: readonly number[]): ReadonlyMap<string, number> {
  const { rows, scale, weights } = readOnce();
  const all = [...features, FEATURES];
  const sumOf = (at: number) => all.reduce((sum, feature) => sum + weights[feature * rows.length + at]!, 0);
  return new Map(rows.map((row, at) => [row, Math.exp(sumOf(at) * scale)]));
}
