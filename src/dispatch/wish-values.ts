import { findClockTime } from '../core/clock.ts';
import { splitWords } from '../core/text.ts';
import { formatBoard, hasRepeats } from '../solver/board.ts';
import { type Command, isCalled } from './contract.ts';
import { hasNewspaperShape, type IsWord, likelyBoardIn, looksLikeBoard } from './typed-board.ts';
import { isDate } from './typed-options.ts';
import { placeOf, type Value, type Values } from './wish-table.ts';
import { DAYS, isMeaningless, type Token } from './wish-words.ts';

/** What a line names. */
export interface LineValues {
  readonly values: Values;
  /** Its words, without those of a board. */
  readonly words: readonly string[];
  /** Its tokens, with a placeholder such as `{date}` instead of each token of a value. */
  readonly tokens: readonly Token[];
  readonly evidence: Evidence;
}

/** Why words are taken for words to play, the strongest reason first, each with its feature of the model (`featuresOf`). */
export const EVIDENCE = {
  /** They are in quotation marks or in capitals. */
  marked: 'W2',
  /** Of several unknown words in a line without commas, those beside words such as "is"; or a word after "after". */
  chosen: 'W1.5',
  /** All unknown words, at most two. A word such as "is" or "valid" stands beside one of them. */
  beside: 'W1',
  /** All unknown words: the list of words of chats lacks them. */
  unknown: 'W0.5',
  none: '',
} as const;
type Evidence = keyof typeof EVIDENCE;

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

interface ValueReader {
  readonly name: Value;
  /** The number of words of its longest form. */
  readonly mostWords: number;
  readonly read: (run: Run) => string | undefined;
}

/** In the order in which they take words. */
const READERS: readonly ValueReader[] = [
  // Such as "7 letters" and "between 5 and 7 letters". Before times, such as "5 to 7".
  { name: 'length', mostWords: 5, read: lengthIn },
  // Such as "half past 7 in the evening".
  { name: 'time', mostWords: 6, read: timeIn },
  // Such as "until december 27 2026".
  { name: 'until', mostWords: 4, read: untilIn },
  // Such as "20 november 2026" and "the day before yesterday".
  { name: 'date', mostWords: 4, read: dateIn },
  // Such as "new york time".
  { name: 'zone', mostWords: 3, read: zoneIn },
  { name: 'number', mostWords: 1, read: numberIn },
];

export function valuesOf(
  line: string,
  typed: readonly Token[],
  commands: readonly Command[],
  isWord: IsWord,
): LineValues {
  const values: Values = { line };
  let tokens = typed;
  const put = (name: Value, text: string, run: readonly Token[]) => {
    values[name] = text;
    const place = placeOf(name);
    const token = { raw: place, word: place, meaning: place };
    tokens = tokens.map((one) => (run.includes(one) ? token : one));
  };
  const board = boardIn(line, typed, isWord);
  if (board !== undefined) put('board', formatBoard(likelyBoardIn(textOf(board))!), board);
  const isEvening = tokens.some(({ meaning }) => meaning === 'evening');
  const options = commands.flatMap((command) => command.options);
  const accepts = (name: string, text: string) =>
    options.find((option) => option.name === name)?.accepts?.(text) ?? false;
  for (const { name, mostWords, read } of READERS)
    for (const run of runsOf(tokens, mostWords)) {
      const text = read({ ...run, isEvening, values, accepts });
      if (text === undefined) continue;
      put(name, text, run.tokens);
      break;
    }
  const command = commandIn(tokens, commands);
  if (command !== undefined) values.command = command.name;
  for (const [name, letters] of lettersIn(line, tokens, isWord)) {
    const text = [...new Set(letters.map(({ word }) => word.replace('-', '')))].join('');
    put(name, name === 'without' ? `/^[^${text}]*$/` : text, letters);
  }
  const { words, evidence } = playedIn(line, tokens);
  if (words.length > 0) put('words', [...new Set(words.map(({ word }) => word))].join(','), words);
  const said = typed.filter((token) => !board?.includes(token));
  return { values, words: said.map(({ raw }) => raw.toLowerCase()), tokens, evidence };
}

/** All runs of tokens, the longest first. */
function* runsOf(tokens: readonly Token[], mostWords: number) {
  for (let size = Math.min(mostWords, tokens.length); size > 0; size--)
    for (let at = 0; at + size <= tokens.length; at++) {
      const run = tokens.slice(at, at + size);
      const text = run.map(({ word }) => spelledOut(word)).join(' ');
      const [before = '', after = ''] = [tokens[at - 1]?.meaning, tokens[at + size]?.meaning];
      yield { text, tokens: run, before, after };
    }
}

/** The last command that a line names, except `help` and `about`. */
function commandIn(tokens: readonly Token[], commands: readonly Command[]): Command | undefined {
  const named = tokens.flatMap(
    ({ word }) => commands.find((one) => isCalled(one, word) || isCalled(one, word.replace(/s$/, ''))) ?? [],
  );
  return named.findLast(({ name }) => name !== 'help' && name !== 'about');
}

function timeIn({ text, before, isEvening }: Run): string | undefined {
  const isBare = /^\d+$/.test(text) && !/^(?:at|to|by|around|um|las|alle|daily|remind)$/.test(before);
  if (isBare) return undefined;
  return (isEvening ? findClockTime(`${text} evening`) : undefined) ?? findClockTime(text);
}

function untilIn({ text, after, accepts }: Run): string | undefined {
  const span = text.replace(/^(?:an?|one) /, '1 ');
  if (/^\d{1,3} (?:day|week|month)s?$/.test(span)) return after === 'ago' ? undefined : span;
  // "until", "til", "till" and "untill".
  const [, day = ''] = /^(?:un)?till? (?:next )?(.+)$/.exec(text) ?? [];
  return accepts('until', day) ? day : undefined;
}

function dateIn({ text, before }: Run): string | undefined {
  // "sat" and "may" are words as well, and the "week" of "last week" is no date.
  const mayBe =
    / /.test(text) || /^(?:for|of)$/.test(before) || (before !== 'last' && !/^[a-z]{3,4}$/.test(text));
  return mayBe && !/^(?:for|of) /.test(text) && isDate(text) ? text : undefined;
}

function zoneIn({ text, before, after, values, accepts }: Run): string | undefined {
  const isNamed =
    /^(?:in|to|zone|for|of|is|use)$/.test(before) || before === placeOf('time') || after === 'zone';
  const name = text.replace(/ time$/, '');
  return (isNamed || (values.time && after === '')) && accepts('zone', name) ? name : undefined;
}

function lengthIn({ text, tokens }: Run): string | undefined {
  const isLength = tokens.some(({ meaning }) => meaning === 'letter' || meaning === 'length');
  if (!isLength) return undefined;
  const said = tokens.at(-1)!.meaning === 'letter' ? text.replace(/ \S+$/, '') : text;
  for (const [pattern, rangeOf] of LENGTH_RANGES) {
    const [, from, to] = pattern.exec(said) ?? [];
    if (from !== undefined) return rangeOf(Number(from), Number(to));
  }
  return tokens.length > 2 ? undefined : /(?<!\S)\d{1,2}(?!\S)/.exec(text)?.[0];
}

/** No word is longer. */
const MOST_LETTERS = 40;
const LENGTH_RANGES: readonly (readonly [RegExp, (from: number, to: number) => string])[] = [
  [/^(?:between )?(\d{1,2})(?:-| to | and | or )(\d{1,2})$/, (from, to) => `${from}-${to}`],
  [/^at least (\d{1,2})$/, (least) => `${least}-${MOST_LETTERS}`],
  [/^(\d{1,2})(?:\+| or more)$/, (least) => `${least}-${MOST_LETTERS}`],
  [/^(?:more|longer) than (\d{1,2})$/, (below) => `${below + 1}-${MOST_LETTERS}`],
  [/^(?:at most|up to) (\d{1,2})$/, (most) => `1-${most}`],
  [/^(?:less|fewer|shorter) than (\d{1,2})$/, (above) => `1-${above - 1}`],
];

function numberIn({ text, before, after }: Run): string | undefined {
  // "four" is no number in "these four sides".
  if (after === 'board') return undefined;
  const isOfHint = before === 'hint' || after === 'hint';
  return /^\d{1,2}$/.exec(text)?.[0] ?? (isOfHint ? ordinalIn(text) : undefined);
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = ['ten', 'twenty', 'thirty', 'forty', 'fifty'];
const ORDINALS = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

function spelledOut(word: string): string {
  if (TENS.includes(word)) return `${10 * (TENS.indexOf(word) + 1)}`;
  // "The one of Monday" is no number.
  if (NUMBERS.includes(word) && word !== 'one') return `${NUMBERS.indexOf(word)}`;
  return DAYS.get(word) ?? word.replace(/(?<=[a-z]day)s$/, '');
}

function ordinalIn(word: string): string | undefined {
  const at = ORDINALS.indexOf(word);
  return at < 0 ? /^([2-9])(?:nd|rd|th)$/.exec(word)?.[1] : `${at + 2}`;
}

type LetterValue = 'starts' | 'ends' | 'uses';
/** The words before letters, and the value that the letters are. */
const LETTER_VALUES: ReadonlyMap<string, LetterValue> = new Map([
  ['start', 'starts'],
  ['end', 'ends'],
  ['use', 'uses'],
]);
const letterValueOf = ({ meaning }: Token) => LETTER_VALUES.get(meaning);

/** Letters that words are asked for by, such as the Q of "start with q", or ING. */
function lettersIn(
  line: string,
  typed: readonly Token[],
  isWord: IsWord,
): ReadonlyMap<LetterValue | 'without', readonly Token[]> {
  const isLetter = (token?: Token) => /^[a-z]$/.test(token?.word ?? '');
  // "from m to n" names both ends.
  const tokens = typed.map((token, at) => {
    const isFrom = token.word === 'from' && typed[at + 2]?.word === 'to';
    const isTo = token.word === 'to' && typed[at - 2]?.word === 'from' && isLetter(typed[at - 1]);
    if (!isLetter(typed[at + 1]) || !(isFrom || isTo)) return token;
    return { ...token, meaning: isFrom ? 'start' : 'end' };
  });
  const ends = tokens.flatMap((token) => letterValueOf(token) ?? []).filter((one) => one !== 'uses');
  const isOneEnd = ends.length === 1;
  let value: LetterValue = isOneEnd ? ends[0]! : 'uses';
  // What announces letters before this token: a value such as "start", or only a filler such as "the".
  let before: 'value' | 'filler' | undefined;
  // From "without" up to a word that is neither "and" nor "or".
  let isExcluded = false;
  const found: { token: Token; value: LetterValue | 'without'; isSingle: boolean }[] = [];
  for (const [at, token] of tokens.entries()) {
    const { word, meaning } = token;
    const next = tokens[at + 1]?.word ?? '';
    const last = /^(?:and|or)$/.test(tokens[at - 1]?.word ?? '') ? at - 2 : at - 1;
    // The "i" of "with e and i", but not that of "with e and i need it".
    const isListed = last >= 0 && found.at(-1)?.token === tokens[last] && /^(?:|[a-z]|and|or|in)$/.test(next);
    // The "a" of "with a q" and "with a vowel", but not that of "with a, q and z" or "with a e i".
    const isArticle =
      word === 'a' && /^(?:[b-df-hj-np-z]|vowel|consonant)$/.test(next) && !/\ba,/i.test(line);
    // The "w" of "starts w h".
    const isWith = word === 'w' && before === 'value' && /^[a-z]$/.test(next);
    // "a", "i", "u" (you), "w" (with) and "r" (are) are words as well.
    const isSingle =
      /^[b-hj-qstvxyz]$/.test(word) ||
      (/^[aiwru]$/.test(word) && !isArticle && !isWith && (before !== undefined || isListed));
    const isAfterValue = before === 'value';
    const isMarked = isAfterValue && isMarkedPart(tokens, at, value);
    if (isSingle || isMarked || isPart(token, { value, isAfterValue, isOneEnd }, isWord)) {
      const own = word.startsWith('-') ? 'ends' : value;
      found.push({ token, value: isExcluded ? 'without' : own, isSingle });
      before = undefined;
    } else if (meaning === 'without') {
      before = 'filler';
      isExcluded = true;
    } else if (
      letterValueOf(token) !== undefined ||
      (meaning === 'with' && tokens[at - 1]?.meaning === 'word')
    ) {
      before = 'value';
      value = letterValueOf(token) ?? value;
    } else if (meaning === 'with' && before !== 'value' && found.at(-1)?.value === value) {
      // Such as "ends in y with p".
      before = 'filler';
      value = 'uses';
    } else if (/^(?:letter|the|any|with|by|an?|on|auf|par|por)$/.test(meaning)) before ??= 'filler';
    else if (!/^(?:in|en)$/.test(word)) {
      before = undefined;
      isExcluded &&= /^(?:and|or)$/.test(word);
    }
  }
  // All of them if the line names both ends, as in "start with m and end with n". Otherwise single letters, or else the last part.
  let named = found.filter(({ isSingle }) => isSingle);
  if (ends.length > 1) named = found;
  else if (named.length === 0) named = found.slice(-1);
  // The "y" of "with y that starts with c" is no start.
  const endAt = tokens.findIndex((token) => letterValueOf(token) === ends[0]);
  const atEnd = named.filter(({ token }) => tokens.indexOf(token) > endAt).map(({ token }) => token.word);
  const isOther = ({ word }: Token) => isOneEnd && atEnd.length > 0 && !atEnd.includes(word);
  const byValue = Map.groupBy(named, ({ token, value: own }) =>
    own === ends[0] && isOther(token) ? 'uses' : own,
  );
  return new Map(Array.from(byValue, ([own, letters]) => [own, letters.map(({ token }) => token)]));
}

/** The "un" of "start with un" and the "or" of "end in or today", which mean something elsewhere. */
function isMarkedPart(tokens: readonly Token[], at: number, value: string): boolean {
  const { word, meaning } = tokens[at]!;
  const before = tokens[at - 1]?.meaning;
  const isAtEnd = /^(?:|and|or|today|please|pls|plz|\{date\})$/.test(tokens[at + 1]?.word ?? '');
  const isMarked = before === 'with' ? value !== 'uses' : before === 'in' && value === 'ends';
  return isMarked && isAtEnd && meaning === word && MARKED_PART.test(word);
}

/** No pronoun, as in "start with this". */
const MARKED_PART = /^(?!(?:this|that|these|it|me|you|us|them|what|any|all|both|one|some)$)[a-z]{2,4}$/;

/** Whether a token is a part of words, such as the "ate" of "end in ate". Parts may be words themselves. */
function isPart(
  { word, meaning }: Token,
  { value, isAfterValue, isOneEnd }: { value: LetterValue; isAfterValue: boolean; isOneEnd: boolean },
  isWord: IsWord,
): boolean {
  if (!isMeaningless(word) || meaning !== word || !/^-?[a-z]{2,6}$/.test(word)) return false;
  if (word.startsWith('-')) return true;
  // "use tree" rather names a word.
  const isShort = word.length < (value === 'uses' ? 4 : 5);
  return (isAfterValue && (isShort || !isWord(word))) || (isOneEnd && word.length < 4 && !isWord(word));
}

const BEFORE_WORD =
  /^(?:word|does|is|isnt|are|r|can|would|use|take|took|valid|after|like|play|try|go|went|solved|choose|pick|put|enter|now)$/;
const AFTER_WORD =
  /^(?:is|a|are|both|should|valid|ok|okay|count|counts|allowed|real|works|work|exist|exists|accepted|possible|legal|vale|est)$/;

/** "is rate a word", even if the word has a meaning here. */
const ASKED_WORD =
  /\bis(?:nt)? (?!(?:this|that|there|here|not)\b)([a-z]{3,})(?: not)? an? (?:valid |real )?word\b/;

/** Words that a line is about: those in quotation marks or in capitals, else those that mean nothing here. */
function playedIn(line: string, tokens: readonly Token[]): { words: readonly Token[]; evidence: Evidence } {
  const [, asked = ''] = ASKED_WORD.exec(tokens.map(({ word }) => word).join(' ')) ?? [];
  const quoted = splitWords(/["“„']([\p{L} ,-]{2,60})["”']/u.exec(line)?.[1] ?? asked);
  const unknown = tokens.filter(({ word }) => /^[a-z]{2,}$/.test(word) && isMeaningless(word));
  const isBeside = (token: Token): boolean => {
    const at = tokens.indexOf(token);
    if (BEFORE_WORD.test(tokens[at - 1]?.meaning ?? '') || AFTER_WORD.test(tokens[at + 1]?.word ?? ''))
      return true;
    // The "mozart" of "after forum and mozart".
    const last = tokens.slice(0, at).findLast(({ word }) => word !== 'and' && word !== 'then');
    return last?.word.at(-1) === token.word[0] && unknown.includes(last!) && isBeside(last!);
  };
  const choices: readonly { words: readonly Token[]; evidence: Evidence }[] = [
    { words: tokens.filter(({ word }) => quoted.includes(word)), evidence: 'marked' },
    {
      words: line === line.toUpperCase() ? [] : tokens.filter(({ raw }) => /^[A-Z]{3,}$/.test(raw)),
      evidence: 'marked',
    },
    {
      words: unknown.length > 1 && !line.includes(',') ? unknown.filter(isBeside) : [],
      evidence: 'chosen',
    },
    {
      words: tokens.filter(({ word }, at) => tokens[at - 1]?.meaning === 'after' && /^[a-z]{3,}$/.test(word)),
      evidence: 'chosen',
    },
    { words: unknown, evidence: unknown.length > 2 || !unknown.some(isBeside) ? 'unknown' : 'beside' },
  ];
  return choices.find(({ words }) => words.length > 0) ?? { words: [], evidence: 'none' };
}

const textOf = (run: readonly Token[]) => run.map(({ raw }) => raw).join(' ');
const isDay = ({ word }: Token) => DAYS.has(word);
const mayBeSide = (token: Token) => isMeaningless(token.word) && !/^\d$/.test(token.word) && !isDay(token);

function boardIn(line: string, tokens: readonly Token[], isWord: IsWord): readonly Token[] | undefined {
  // Beside such words, groups of letters are a board, even if they are words.
  const isAboutBoard = tokens.some(({ meaning }) => meaning === 'board' || meaning === 'letter');
  const unlisted = tokens.filter(({ word }) => !/^(?:top|right|bottom|left|and):?$/.test(word));
  // A sum, such as "zoe + max = luv", is no board.
  const isSum = /[+=]/.test(line);
  return (
    usualBoardIn(tokens, isAboutBoard, isWord) ??
    usualBoardIn(unlisted, isAboutBoard, isWord) ??
    (isSum ? undefined : otherBoardIn(tokens, isAboutBoard, isWord))
  );
}

/** A board of the newspaper's shape, anywhere in a line: four groups, one, or twelve letters. */
function usualBoardIn(
  tokens: readonly Token[],
  isAboutBoard: boolean,
  isWord: IsWord,
): readonly Token[] | undefined {
  const isSide = (token?: Token) => token !== undefined && /^[a-z]{3}$/.test(token.word) && mayBeSide(token);
  const runs = [4, 1, 12].flatMap((size) =>
    tokens.slice(size - 1).map((_, at) => ({ at, run: tokens.slice(at, at + size) })),
  );
  return runs.find(({ at, run }) => {
    if (run.length === 4 && (isSide(tokens[at - 1]) || isSide(tokens[at + 4]))) return false;
    const board = likelyBoardIn(textOf(run));
    if (board === undefined || !hasNewspaperShape(board) || run.some(isDay)) return false;
    return looksLikeBoard(textOf(run), isWord) || (isAboutBoard && run.length === 4 && !hasRepeats(board));
  })?.run;
}

/** A board of any shape: from the first to the last token that means nothing else, and single letters beside these. */
function otherBoardIn(
  tokens: readonly Token[],
  isAboutBoard: boolean,
  isWord: IsWord,
): readonly Token[] | undefined {
  let [from, to] = [tokens.findIndex(mayBeSide), tokens.findLastIndex(mayBeSide) + 1];
  while (tokens[from - 1]?.word.length === 1) from--;
  while (tokens[to]?.word.length === 1) to++;
  const run = tokens.slice(Math.max(0, from), to);
  const text = textOf(run);
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  const hasKnownWord = run.some(
    (token) => isDay(token) || (isAboutBoard && !mayBeSide(token) && token.word.length > 3),
  );
  if (letters < 9 || hasKnownWord || likelyBoardIn(text) === undefined) return undefined;
  return looksLikeBoard(text, isWord, { isAsked: isAboutBoard }) ? run : undefined;
}
