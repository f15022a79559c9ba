import { findClockTime } from '../core/clock.ts';
import { splitWords, spokenTime } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import { formatBoard, hasRepeats } from '../solver/board.ts';
import { type Command, isCalled } from './contract.ts';
import { hasNewspaperShape, type IsWord, likelyBoardIn, looksLikeBoard } from './typed-board.ts';
import { isDate } from './typed-options.ts';
import {
  DAYS,
  hashOf,
  isMeaningless,
  isValue,
  oddsOf,
  type Row,
  type Token,
  tokensOf,
  type Value,
  type Values,
  wishRows,
} from './wish-words.ts';

/** What a line may wish for. */
export interface Wish {
  /** Its row of the table; empty for no wish. */
  readonly key: string;
  /** What is done, said on a button; or the answer itself, if there is no action. */
  readonly label: string;
  readonly action?: Action;
  /** Whether it is not done without a press: it costs or takes away something, or changes something for others. */
  readonly isOffered: boolean;
  /** The words of the line that mean nothing here, but those that it takes. */
  readonly unread: readonly string[];
  /** How likely it is, among all that the line may wish for. */
  readonly odds: number;
}

/** Longer lines are pastes; no wish takes more words. */
const MAX_LENGTH = 300;
const MAX_TOKENS = 40;
/** What is less likely is no guess. */
const LEAST_ODDS = 0.04;
/** From here a wish is done. */
export const LIKELY = 0.5;
/** From here it is done rather than what else the line may be. */
export const SURE = 0.8;
/** From here nothing else is offered beside it. */
export const CERTAIN = 0.85;
const NO_WISH: Row = { key: '', label: '', leastOdds: 0, needs: [] };

/** What a line may wish for, the likeliest first. One capital letter is a value: `Values` says which. */
export function wishesOf(line: string, commands: readonly Command[], isWord: IsWord): readonly Wish[] {
  if (line.length > MAX_LENGTH) return [];
  const tokens = tokensOf(line, isWord);
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return [];
  const named = valuesOf(line, tokens, commands, isWord);
  const { values, sureness } = named;
  const possible = [...oddsOf(featuresOf(line, named))].flatMap(([key, odds]) => {
    const row = key === '' ? NO_WISH : wishRows.get(key);
    if (row === undefined || row.needs.some((one) => values[one] === undefined)) return [];
    // A board is never said by the way.
    return values.B === undefined || takes(row, 'B') ? [{ row, odds }] : [];
  });
  const all = possible.reduce((sum, { odds }) => sum + odds, 0);
  // Unmarked words among others may be part of a sentence that is not understood.
  const played = values.W?.split(',') ?? [];
  const isLost = sureness < 2 && tokens.length > played.length + 1;
  const strange = named.tokens.flatMap(({ word }) => (word.length > 1 && isMeaningless(word) ? [word] : []));
  return possible
    .filter(({ odds }) => odds >= LEAST_ODDS * all)
    .map(({ row, odds }) => ({
      key: row.key,
      ...filledIn(row, values),
      unread: takes(row, 'M')
        ? []
        : takes(row, 'W')
          ? strange
          : [...strange, ...played.filter(isMeaningless)],
      isOffered:
        odds < row.leastOdds * all ||
        (row.action?.options.typed === 'yes' && row.needs.includes('W') && isLost),
      odds: odds / all,
    }))
    .sort((a, b) => b.odds - a.odds);
}

/** Whether a line surely wishes for this. */
export function isSure(wish: Wish | undefined): wish is Wish {
  return wish !== undefined && wish.odds >= SURE && wish.key !== '';
}

function takes({ action }: Row, value: Value): boolean {
  return action === undefined || Object.values(action.options).includes(value);
}

function filledIn({ label, action }: Row, values: Values): Pick<Wish, 'label' | 'action'> {
  const valueIn = (text: string) => values[/\b[A-Z]\b/.exec(text)?.[0] as Value];
  const shown: Values = {
    ...values,
    ...(values.T && { T: spokenTime(values.T) }),
    ...(values.U && { U: `${/ (?:day|week|month)s?$/.test(values.U) ? 'for' : 'until'} ${values.U}` }),
    ...(values.Z && { Z: values.Z.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase()) }),
    ...(values.W && { W: values.W.replaceAll(',', ' – ').toUpperCase() }),
    ...(values.X && { X: values.X.replace(/\W/g, '').toUpperCase() }),
    ...(values.B && { B: values.B.toUpperCase() }),
  };
  const put = (text: string) => text.replace(/\b[A-Z]\b/g, (one) => shown[one as Value] ?? one);
  const said = label.replace(/\[([^\]]*)\]/g, (_, part: string) => (valueIn(part) === undefined ? '' : part));
  if (action === undefined) return { label };
  const options = Object.entries(action.options).flatMap(([name, value]) => {
    const filled = isValue(String(value)) ? values[value as Value] : value;
    return filled === undefined ? [] : [[name, filled] as const];
  });
  return { label: put(said), action: { command: action.command, options: Object.fromEntries(options) } };
}

/** What a line names. */
export interface LineValues {
  readonly values: Values;
  /** Its words but those of a board. */
  readonly words: readonly string[];
  /** Its tokens, with the letter of a value in place of each token of it. */
  readonly tokens: readonly Token[];
  /** How sure it is that its words are words to play: 2 where they are marked as such. */
  readonly sureness: number;
}

/** Tokens in a row that may be a value, and what stands beside them. */
interface Run {
  /** As it is spelled out: numbers in digits, days by their English names. */
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly before: string;
  readonly after: string;
  /** Whether the line names the evening, such as "each evening at nine". */
  readonly isEvening: boolean;
  /** What was found in the line before. */
  readonly values: Values;
  /** Whether a command takes this for an option of this name. */
  readonly accepts: (name: string, text: string) => boolean;
}

export function valuesOf(
  line: string,
  typed: readonly Token[],
  commands: readonly Command[],
  isWord: IsWord,
): LineValues {
  const values: Values = { M: line };
  let tokens = typed;
  const put = (name: Value, text: string, run: readonly Token[]) => {
    values[name] = text;
    const value = { raw: name, word: name, meaning: name };
    tokens = tokens.map((token) => (run.includes(token) ? value : token));
  };
  // Such as "top: ozu, right: nri, bottom: lfa and left: mbt".
  const unplaced = tokens.filter(({ word }) => !/^(?:top|right|bottom|left|and):?$/.test(word));
  const read = (boardIn: typeof usualBoardIn) => boardIn(tokens, isWord) ?? boardIn(unplaced, isWord);
  // A sum, such as "zoe + max = luv", is no board.
  const run = read(usualBoardIn) ?? (/[+=]/.test(line) ? undefined : read(otherBoardIn));
  if (run !== undefined) put('B', formatBoard(likelyBoardIn(textOf(run))!), run);
  const isEvening = tokens.some(({ meaning }) => meaning === 'evening');
  const options = commands.flatMap((command) => command.options);
  const accepts = (name: string, text: string) =>
    options.find((option) => option.name === name)?.accepts?.(text) ?? false;
  /** Takes the first of the longest runs that are a value. */
  const take = ({ name, mostWords, read }: (typeof READERS)[number]) => {
    for (let size = Math.min(mostWords, tokens.length); size > 0; size--)
      for (let at = 0; at + size <= tokens.length; at++) {
        const run = tokens.slice(at, at + size);
        const text = run.map(({ word }) => plain(word)).join(' ');
        const [before = '', after = ''] = [tokens[at - 1]?.meaning, tokens[at + size]?.meaning];
        const value = read({ text, tokens: run, before, after, isEvening, values, accepts });
        if (value !== undefined) return put(name, value, run);
      }
  };
  READERS.forEach(take);
  for (const { word } of tokens) {
    const called = commands.find((one) => isCalled(one, word) || isCalled(one, word.replace(/s$/, '')));
    if (called !== undefined && !/^(?:help|about)$/.test(called.name)) values.C = called.name;
  }
  for (const [name, letters] of lettersIn(tokens, isWord)) {
    const text = [...new Set(letters.map(({ word }) => word.replace('-', '')))].join('');
    put(name, name === 'X' ? `/^[^${text}]*$/` : text, letters);
  }
  const { words, sureness } = playedIn(line, tokens);
  if (words.length > 0) put('W', [...new Set(words.map(({ word }) => word))].join(','), words);
  const spoken = typed.filter((token) => !run?.includes(token));
  return { values, words: spoken.map(({ raw }) => raw.toLowerCase()), tokens, sureness };
}

/** Each value with the most words that it has, and its reader, in the order in which they take words. */
const READERS: readonly { name: Value; mostWords: number; read: (run: Run) => string | undefined }[] = [
  { name: 'T', mostWords: 6, read: timeIn },
  { name: 'U', mostWords: 4, read: untilIn },
  { name: 'D', mostWords: 4, read: dateIn },
  { name: 'Z', mostWords: 3, read: zoneIn },
  { name: 'K', mostWords: 2, read: lengthIn },
  { name: 'N', mostWords: 1, read: numberIn },
];

function timeIn({ text, before, isEvening }: Run): string | undefined {
  const isBare = /^\d+$/.test(text) && !/^(?:at|to|by|around|um|las|alle|daily|remind)$/.test(before);
  if (isBare) return undefined;
  return (isEvening ? findClockTime(`${text} evening`) : undefined) ?? findClockTime(text);
}

function untilIn({ text, after, accepts }: Run): string | undefined {
  const span = text.replace(/^(?:an?|one) /, '1 ');
  if (/^\d{1,3} (?:day|week|month)s?$/.test(span)) return after === 'ago' ? undefined : span;
  const [, day = ''] = /^(?:unt|t)ill? (?:next )?(.+)$/.exec(text) ?? [];
  return accepts('until', day) ? day : undefined;
}

function dateIn({ text, before }: Run): string | undefined {
  // Such as "sat" and "may" are words as well, and "last week" is no "last".
  const mayBe = / /.test(text) || (before !== 'last' && !/^[a-z]{3,4}$/.test(text));
  return mayBe && isDate(text) ? text : undefined;
}

function zoneIn({ text, before, after, values, accepts }: Run): string | undefined {
  const isNamed = /^(?:in|to|zone|for|of|is|use|T)$/.test(before) || after === 'zone';
  const name = text.replace(/ time$/, '');
  return (isNamed || (values.T && after === '')) && accepts('zone', name) ? name : undefined;
}

/** How many letters words have, such as "7 letters". */
function lengthIn({ text, tokens }: Run): string | undefined {
  const isLength = tokens.some(({ meaning }) => meaning === 'letter' || meaning === 'length');
  return isLength ? /(?<!\S)\d{1,2}(?!\S)/.exec(text)?.[0] : undefined;
}

function numberIn({ text, before, after }: Run): string | undefined {
  // Not of "these four sides".
  if (after === 'board') return undefined;
  const isOfHint = before === 'hint' || after === 'hint';
  return /^\d{1,2}$/.exec(text)?.[0] ?? (isOfHint ? ordinalIn(text) : undefined);
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = ['ten', 'twenty', 'thirty', 'forty', 'fifty'];
const ORDINALS = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

function plain(word: string): string {
  if (TENS.includes(word)) return `${10 * (TENS.indexOf(word) + 1)}`;
  // "The one of Monday" is no number.
  if (NUMBERS.includes(word) && word !== 'one') return `${NUMBERS.indexOf(word)}`;
  return DAYS.get(word) ?? word.replace(/(?<=[a-z]day)s$/, '');
}

/** The number of "third" or "3rd". */
function ordinalIn(word: string): string | undefined {
  const at = ORDINALS.indexOf(word);
  return at < 0 ? /^([2-9])(?:nd|rd|th)$/.exec(word)?.[1] : `${at + 2}`;
}

const textOf = (run: readonly Token[]) => run.map(({ raw }) => raw).join(' ');

/** What a line is judged by: its words and their parts, pairs of words with values in their places, and the kinds of values. */
export function featuresOf(
  line: string,
  { tokens, words: typed, values, sureness }: LineValues,
): readonly number[] {
  const words = typed.flatMap((word) => word.match(/[\p{L}\d]+/gu) ?? []);
  const placed = tokens.flatMap(({ meaning }) => {
    if (!isValue(meaning) || meaning === 'W') return [meaning];
    return /[ELSX]/.test(meaning) ? ['L'] : [];
  });
  const features = [
    ...placed.map((word) => `p${word}`),
    ...placed.slice(1).map((word, at) => `${placed[at]} ${word}`),
    ...Object.keys(values).filter((name) => name !== 'M'),
    ...(values.W === undefined ? [] : [`W${sureness}`]),
    ...words.map((word) => `w${word}`),
    ...words.flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => `c${`<${word}>`.slice(at, at + 4)}`),
    ),
    `1${words[0]}`,
    `n${Math.min(4, Math.floor(words.length / 3))}`,
    /\?\s*$/.test(line) ? '?' : '.',
  ];
  return [...new Set(features.map(hashOf))];
}

type Mark = 'S' | 'E' | 'L';
const MARKS: ReadonlyMap<string, Mark> = new Map([
  ['start', 'S'],
  ['end', 'E'],
  ['use', 'L'],
]);
const markOf = ({ meaning }: Token) => MARKS.get(meaning);

/** Letters that words are asked for by, such as the Q of "start with q", or ING, with the value that they are. */
function lettersIn(tokens: readonly Token[], isWord: IsWord): ReadonlyMap<Mark | 'X', readonly Token[]> {
  const ends = tokens.flatMap((token) => markOf(token) ?? []).filter((mark) => mark !== 'L');
  let mark: Mark = ends.length === 1 ? ends[0]! : 'L';
  /** What was said before, if it names letters. */
  let before: 'mark' | 'filler' | undefined;
  let isExcluded = false;
  const found: { token: Token; value: Mark | 'X'; isSingle: boolean }[] = [];
  for (const [at, token] of tokens.entries()) {
    const { word, meaning } = token;
    const isBeside = before !== undefined && !/^[a-z]$/.test(tokens[at + 1]?.word ?? '');
    // W is "with", and R is "are".
    const isSingle = /^[b-hj-qstvxyz]$/.test(word) || (/^[aiwru]$/.test(word) && isBeside);
    const isPart =
      isMeaningless(word) &&
      meaning === word &&
      /^-?[a-z]{2,6}$/.test(word) &&
      (word.startsWith('-') ||
        ((word.length < (mark === 'L' ? 4 : 5) || !isWord(word)) && before === 'mark') ||
        (word.length < 4 && !isWord(word) && ends.length === 1));
    if (isSingle || isPart) {
      const value = word.startsWith('-') ? 'E' : mark;
      found.push({ token, value: isExcluded ? 'X' : value, isSingle });
      before = undefined;
    } else if (meaning === 'without') [before, isExcluded] = ['filler', true];
    else if (markOf(token) !== undefined) [before, mark] = ['mark', markOf(token)!];
    else if (/^(?:letter|the|any|with|by|an?|on|auf|par|por)$/.test(meaning)) before ??= 'filler';
    else if (!/^(?:in|en)$/.test(word))
      [before, isExcluded] = [undefined, isExcluded && /^(?:and|or)$/.test(word)];
  }
  const single = found.filter(({ isSingle }) => isSingle);
  const named = ends.length > 1 ? found : single.length > 0 ? single : found.slice(-1);
  return Map.groupBy(
    named.map(({ token }) => token),
    (token) => found.find((one) => one.token === token)!.value,
  );
}

const BEFORE_WORD =
  /^(?:word|does|is|isnt|are|r|can|would|use|take|took|valid|after|like|play|try|go|went|solved|choose|pick|put|enter|now)$/;
const AFTER_WORD =
  /^(?:is|a|are|both|should|valid|ok|okay|count|counts|allowed|real|works|work|exist|exists|accepted|possible|legal|vale|est)$/;

/** Words that a line is about: those in quotes or in capitals, else those that mean nothing here; and how sure that is. */
function playedIn(line: string, tokens: readonly Token[]): { words: readonly Token[]; sureness: number } {
  const quoted = splitWords(/["“„']([\p{L} ,-]{2,60})["”']/u.exec(line)?.[1] ?? '');
  const unknown = tokens.filter(({ word }) => /^[a-z]{2,}$/.test(word) && isMeaningless(word));
  const isBeside = (token: Token) => {
    const at = tokens.indexOf(token);
    return BEFORE_WORD.test(tokens[at - 1]?.meaning ?? '') || AFTER_WORD.test(tokens[at + 1]?.word ?? '');
  };
  const choices: readonly (readonly [words: readonly Token[], sureness: number])[] = [
    [tokens.filter(({ word }) => quoted.includes(word)), 2],
    [line === line.toUpperCase() ? [] : tokens.filter(({ raw }) => /^[A-Z]{3,}$/.test(raw)), 2],
    [unknown.length > 1 && !line.includes(',') ? unknown.filter(isBeside) : [], 1.5],
    [tokens.filter(({ word }, at) => tokens[at - 1]?.meaning === 'after' && /^[a-z]{3,}$/.test(word)), 1.5],
    [unknown, unknown.length > 2 || !unknown.some(isBeside) ? 0.5 : 1],
  ];
  const [words = [], sureness = 0] = choices.find(([one]) => one.length > 0) ?? [];
  return { words, sureness };
}

const isDay = ({ word }: Token) => DAYS.has(word);
/** Whether a token says nothing but what may be a side. */
const isOther = (token: Token) => isMeaningless(token.word) && !/^\d$/.test(token.word) && !isDay(token);
/** Whether words are about a board, beside which groups of letters are one, even if they are words. */
const areAbout = (tokens: readonly Token[]) =>
  tokens.some(({ meaning }) => meaning === 'board' || meaning === 'letter');

/** A board of the newspaper's shape, anywhere in a line. */
function usualBoardIn(tokens: readonly Token[], isWord: IsWord): readonly Token[] | undefined {
  const isAbout = areAbout(tokens);
  const isSide = (token: Token | undefined) => token?.word.length === 3 && isOther(token);
  const runs = [4, 1, 12].flatMap((size) =>
    tokens.slice(size - 1).map((_, at) => ({ at, run: tokens.slice(at, at + size) })),
  );
  return runs.find(({ at, run }) => {
    if (run.length === 4 && (isSide(tokens[at - 1]) || isSide(tokens[at + 4]))) return false;
    const board = likelyBoardIn(textOf(run));
    if (board === undefined || !hasNewspaperShape(board) || run.some(isDay)) return false;
    return looksLikeBoard(textOf(run), isWord) || (isAbout && run.length === 4 && !hasRepeats(board));
  })?.run;
}

/** A board of any shape, if all around it carries a wish. */
function otherBoardIn(tokens: readonly Token[], isWord: IsWord): readonly Token[] | undefined {
  const isAbout = areAbout(tokens);
  let [from, to] = [tokens.findIndex(isOther), tokens.findLastIndex(isOther) + 1];
  while (tokens[from - 1]?.word.length === 1) from--;
  while (tokens[to]?.word.length === 1) to++;
  const run = tokens.slice(Math.max(0, from), to);
  const text = textOf(run);
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  const isLong = run.some((token) => isDay(token) || (isAbout && !isOther(token) && token.word.length > 3));
  if (letters < 9 || isLong || likelyBoardIn(text) === undefined) return undefined;
  return looksLikeBoard(text, isWord, { isAsked: isAbout }) ? run : undefined;
}
