import { MONTHS, nearest } from '../core/text.ts';
import type { IsWord } from './typed-board.ts';
import { knownWords } from './wish-model.ts';

/** Words that stand beside values, in English and five other languages. The first word of a row stands for all of them. */
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

export interface Token {
  readonly raw: string;
  readonly word: string;
  /** The word that stands for all that mean the same. */
  readonly meaning: string;
}

const wordsOf = (text: string) => text.trim().split(/\s+/);

const classes = new Map(
  CLASS_TABLE.trim()
    .split('\n')
    .map(wordsOf)
    .flatMap((words) => words.map((word) => [word, words[0]!] as const)),
);

/** Names of days, with the one that stands for them. */
export const DAYS: ReadonlyMap<string, string> = new Map(
  [
    'today todays tonight tdy 2day heute hoy oggi hoje aujourdhui',
    'yesterday yesterdays yday ydays gestern ayer hier dhier ieri ontem',
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
/** No name of which the word is only a beginning, such as Donnerstag for the French "donner". */
const namesLike = (word: string) =>
  LONG_NAMES.filter((name) => name.startsWith(word[0]!) && name.length - word.length < 3);

const SEPARATORS = new RegExp(
  [
    /[\s,;!…?¿¡()"“”„*_]+/,
    // The end of a sentence, but not "20.30".
    /\.(?=\s|$)/,
    // "clue: please" and "daily/", but not "9:30", "hint/clue" and "w/o".
    /(?<=\p{L})[:/](?=\s|$|["“])/u,
    // A dash or a slash before a space.
    /[-–—/](?=\s)|(?<=\s)[-–—](?=\s)/,
    // "5-letter" and "good-morning", but not "ozu-nri-lfa-mbt".
    /-(?=(?:word|letter|day|moi)s?\b)|(?<=\p{L}{4})-(?=\p{L}{4})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'u',
);

/** "plsss" and "againnn" as they are spelled. */
const unstretched = (word: string) =>
  /^(\p{L})\1*$/u.test(word) ? word : word.replace(/(\p{L})\1{2,}/gu, '$1');

export function tokensOf(line: string, isWord: IsWord): Token[] {
  return line.split(SEPARATORS).flatMap((raw) => {
    const typed = unstretched(raw.toLowerCase()).replace(
      /(?<=^[a-z])['’]s$|['’`\p{Extended_Pictographic}]|\u200d|\ufe0f|^#(?=\d+$)/gu,
      '',
    );
    const plain = typed.normalize('NFD').replace(/\p{M}/gu, '');
    const isRight = plain.length < 5 || /[:=]/.test(plain) || isWord(plain) || classes.has(plain);
    const word = isRight ? plain : (nearest(plain, namesLike(plain)) ?? plain);
    // Not the name of a channel.
    return /^[^#]*[\p{L}\d]/u.test(word) ? [{ raw, word, meaning: classes.get(word) ?? word }] : [];
  });
}

/** Whether a word tells nothing about a wish: the lines that the model learned from hardly have it, or often as a value. */
export function isMeaningless(typed: string): boolean {
  return !knownWords().has(unstretched(typed.toLowerCase().replace(/['’`]/g, '')));
}

/** Whether a typed word can't be read: it is no word, and not like one that the model knows. */
export function isUnreadable(typed: string, isWord: IsWord): boolean {
  if (!/^[a-z]{3,}$/.test(typed) || isWord(typed)) return false;
  const alike = [...knownWords()].filter((known) => known[0] === typed[0]);
  return nearest(typed, alike) === undefined;
}
