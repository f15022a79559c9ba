import { splitWords } from '../core/text.ts';
import { formatBoard } from '../solver/board.ts';
import { type Command, isCalled, type Option } from './contract.ts';
import { hashOf } from './likely.ts';
import { hasNewspaperShape, type IsWord, likelyBoardIn, looksLikeBoard } from './typed-board.ts';
import { isDate } from './typed-options.ts';
import { DAYS, isMeaningless, type Token, type Value, type Values } from './wish-words.ts';

const NEWSPAPER_LETTERS = 12;
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = ['ten', 'twenty', 'thirty', 'forty', 'fifty'];
const ORDINALS = ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
function numberIn(word = ''): number | undefined {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  if (TENS.includes(word)) return 10 * (TENS.indexOf(word) + 1);
  return NUMBERS.includes(word) && word !== 'one' ? NUMBERS.indexOf(word) : undefined;
}

/** The number of "third" or "3rd". */
function ordinalIn(word = ''): number | undefined {
  const [, digit] = /^([2-9])(?:nd|rd|th)$/.exec(word) ?? [];
  if (digit !== undefined) return Number(digit);
  return ORDINALS.includes(word) ? ORDINALS.indexOf(word) + 2 : undefined;
}

/** What a line names. */
export interface LineValues {
  readonly values: Values;
  /** Its words but those of a board. */
  readonly words: readonly string[];
  /** The tokens that are in no value. */
  readonly rest: readonly Token[];
  /** How sure it is that its words are words to play: 2 where they are marked as such. */
  readonly sureness: number;
}

export function valuesOf(
  line: string,
  tokens: readonly Token[],
  commands: readonly Command[],
  isWord: IsWord,
): LineValues {
  const values: Values = { M: line };
  let time: readonly Token[] = [];
  let rest = tokens;
  const take = (name: Value, value: string, from: readonly Token[]) => {
    values[name] = value;
    if (name === 'T') time = from;
    rest = rest.filter((token) => !from.includes(token));
  };
  /** Takes the first of the longest runs that are a value. */
  const find = (
    name: Value,
    longest: number,
    read: (words: readonly string[], at: number) => string | undefined,
  ) => {
    for (let size = Math.min(longest, rest.length); size > 0; size--)
      for (let at = 0; at + size <= rest.length; at++) {
        const run = rest.slice(at, at + size);
        const value = read(
          run.map(({ word }) => word),
          at,
        );
        if (value !== undefined) return take(name, value, run);
      }
  };
  const before = (at: number) => rest[at - 1]?.word ?? '';
  // Such as "top: ozu, right: nri, bottom: lfa and left: mbt".
  const names = tokens.filter(({ word }) => SIDE_NAMES.includes(word));
  const unnamed = names.reduce(
    (text, { from, raw }) => text.slice(0, from) + ' '.repeat(raw.length) + text.slice(from + raw.length),
    line.replaceAll(':', ' '),
  );
  const plain = boardIn(line, tokens, isWord);
  const others = tokens.filter((token) => !names.includes(token));
  const isRead = plain.length > 0 || unnamed === line;
  const board = isRead ? plain : boardIn(unnamed, others, isWord);
  const end = board.at(-1);
  if (end !== undefined) {
    const text = (isRead ? line : unnamed).slice(board[0]!.from, end.from + end.raw.length);
    take('B', formatBoard(likelyBoardIn(text)!), [...board, ...names]);
  }
  find('T', 6, (words, at) => timeIn(words, before(at)));
  // Such as "each evening at nine".
  const [hour = 0] = values.T?.split(':').map(Number) ?? [];
  const isMorning = time.some(({ word }) => /am$/.test(word));
  if (!isMorning && hour > 0 && hour < 12 && rest.some(({ meaning }) => meaning === 'evening'))
    values.T = `${hour + 12}${values.T!.slice(2)}`;
  const optionOf = (name: string) =>
    commands.flatMap(({ options }) => options).find((one) => one.name === name);
  const isUntil = optionOf('until')?.accepts;
  find('U', 4, (words, at) =>
    rest[at + words.length]?.word === 'ago' ? undefined : untilIn(words, isUntil),
  );
  find('D', 4, (words, at) => dateIn(words, before(at)));
  const isZone = optionOf('zone')?.accepts;
  find('Z', 3, (words, at) => {
    const isNamed =
      /^(?:in|to|zone|for|of|is|use)$/.test(rest[at - 1]?.meaning ?? '') ||
      rest[at + words.length]?.meaning === 'zone';
    const isAfterTime =
      values.T !== undefined &&
      (at === rest.length - words.length || tokens[tokens.indexOf(rest[at]!) - 1] === time.at(-1));
    const mayBe = isNamed || isAfterTime;
    const name = words.join(' ').replace(/ time$/, '');
    return mayBe && isZone?.(name) ? name : undefined;
  });
  const isName = (word: string) =>
    commands.find((one) => !/^(?:help|about)$/.test(one.name) && isCalled(one, word));
  for (const token of rest) {
    const called = isName(token.word) ?? isName(token.word.replace(/s$/, ''));
    if (called !== undefined) values.C = called.name;
  }
  find('K', 2, (words, at) => {
    const [number] = words.flatMap((word) => numberIn(word) ?? []);
    const isLength = rest
      .slice(at, at + words.length)
      .some(({ meaning }) => /^(?:letter|length)$/.test(meaning));
    return words.length === 2 && isLength ? number?.toString() : undefined;
  });
  find('N', 1, ([word], at) => {
    const isOfHint = [rest[at - 1], rest[at + 1]].some((one) => one?.meaning === 'hint');
    // Not of "these four sides".
    if (rest[at + 1]?.meaning === 'board') return undefined;
    return (numberIn(word) ?? (isOfHint ? ordinalIn(word) : undefined))?.toString();
  });
  for (const [name, letters] of lettersIn(rest, isWord)) {
    if (letters.length === 0) continue;
    const text = [...new Set(letters.map(({ word }) => word.replace('-', '')))].join('');
    values[name] = name === 'X' ? `/^[^${text}]*$/` : text;
  }
  const { words, sureness } = playedIn(line, rest);
  if (words.length > 0) values.W = [...new Set(words.map(({ word }) => word))].join(',');
  const spoken = tokens.filter((token) => !board.includes(token));
  return { values, words: spoken.map(({ raw }) => raw.toLowerCase()), rest, sureness };
}

/** What a line is judged by: its words and their parts, pairs of words with values in their places, and the kinds of values. */
export function featuresOf(
  line: string,
  { rest, words: typed, values, sureness }: LineValues,
): readonly number[] {
  const words = typed.flatMap((word) => word.match(/[\p{L}\d]+/gu) ?? []);
  const played = values.W?.split(',') ?? [];
  const letters = [values.S, values.E, values.L];
  const placed = rest.map(({ word, meaning }) => {
    if (played.includes(word)) return 'W';
    return letters.includes(word) ? 'L' : meaning;
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

/** Letters that words are asked for by, such as the Q of "start with q", or ING, with the value that they are. */
function lettersIn(
  rest: readonly Token[],
  isWord: IsWord,
): ReadonlyMap<'E' | 'L' | 'S' | 'X', readonly Token[]> {
  const marks = rest.filter(({ meaning }) => /^(?:start|end|use)$/.test(meaning));
  const ends = marks.filter(({ meaning }) => meaning !== 'use');
  const meaningAt = (at: number) => rest[at]?.meaning ?? '';
  const isNamed = (at: number) =>
    /^(?:letter|with|without|in|by|an?|on|auf|par|por)$/.test(meaningAt(at - 1));
  const isMarked = (at: number) => /^(?:start|end|use)$/.test(meaningAt(at - 1));
  const isSingle = ({ word }: Token, at: number) =>
    // The others are words, too: W is "with", R is "are".
    /^[b-hj-qstvxyz]$/.test(word) ||
    (/^[aiwru]$/.test(word) &&
      (isNamed(at) || isMarked(at)) &&
      meaningAt(at - 1) !== 'in' &&
      !/^[a-z]$/.test(meaningAt(at + 1)));
  const isPart = ({ word, meaning }: Token, at: number) =>
    isMeaningless(word) &&
    meaning === word &&
    (/^-[a-z]{1,6}$/.test(word) ||
      (/^[a-z]{2,3}$/.test(word) && !isWord(word)) ||
      (/^[a-z]{2,6}$/.test(word) &&
        (word.length < 4 || !isWord(word)) &&
        (isMarked(isNamed(at) ? at - 1 : at) || meaningAt(at - 1) === 'with')));
  /** Such as "no e", "without the letter e" and "not containing e". */
  const isExcluded = (at: number) => {
    const before = rest
      .slice(0, at)
      .findLastIndex(({ meaning }) => !/^(?:letter|the|any|an?|use)$/.test(meaning));
    return meaningAt(before) === 'without';
  };
  const named = rest.filter(isSingle);
  const parts = rest.filter(isPart);
  const either = named.length > 0 ? named : parts.slice(-1);
  const letters =
    ends.length > 1 ? rest.filter((token) => named.includes(token) || parts.includes(token)) : either;
  return Map.groupBy(letters, (letter) => {
    if (letter.word.startsWith('-')) return 'E';
    if (isExcluded(rest.indexOf(letter))) return 'X';
    const only = ends.length > 1 ? undefined : ends[0];
    const mark = marks.findLast((one) => one.from < letter.from) ?? only;
    if (mark === undefined || !ends.includes(mark)) return 'L';
    return mark.meaning === 'end' ? 'E' : 'S';
  });
}

const BEFORE_WORD =
  /^(?:word|does|is|isnt|are|r|can|would|use|take|took|valid|after|like|play|try|go|went|solved|choose|pick|put|enter|now)$/;
const AFTER_WORD =
  /^(?:is|a|are|both|should|valid|ok|okay|count|counts|allowed|real|works|work|exist|exists|accepted|possible|legal|vale|est)$/;

/** Words that a line is about: those in quotes or in capitals, else those that mean nothing here; and how sure that is. */
function playedIn(line: string, rest: readonly Token[]): { words: readonly Token[]; sureness: number } {
  const quoted = splitWords(/["“„']([\p{L} ,-]{2,60})["”']/u.exec(line)?.[1] ?? '');
  const unknown = rest.filter(({ word }) => /^[a-z]{2,}$/.test(word) && isMeaningless(word));
  const isBeside = (token: Token) => {
    const at = rest.indexOf(token);
    return BEFORE_WORD.test(rest[at - 1]?.meaning ?? '') || AFTER_WORD.test(rest[at + 1]?.word ?? '');
  };
  const choices: readonly (readonly [readonly Token[], number])[] = [
    [rest.filter(({ word }) => quoted.includes(word)), 2],
    [line === line.toUpperCase() ? [] : rest.filter(({ raw }) => /^[A-Z]{3,}$/.test(raw)), 2],
    [unknown.length > 1 && !line.includes(',') ? unknown.filter(isBeside) : [], 1.5],
    [rest.filter(({ word }, at) => rest[at - 1]?.meaning === 'after' && /^[a-z]{3,}$/.test(word)), 1.5],
    [unknown, unknown.length > 2 || !unknown.some(isBeside) ? 0.5 : 1],
  ];
  const [words = [], sureness = 0] = choices.find(([one]) => one.length > 0) ?? [];
  return { words, sureness };
}

const SIDE_NAMES = ['top', 'right', 'bottom', 'left', 'and'];
/** Words beside which groups of letters are a board, even if they are words. */
const ABOUT_BOARDS = ['board', 'letter'];

/** The tokens of a board: one of the newspaper's shape anywhere, or else of any shape if all around it carries a wish. */
function boardIn(line: string, tokens: readonly Token[], isWord: IsWord): readonly Token[] {
  const isAbout = tokens.some(({ meaning }) => ABOUT_BOARDS.includes(meaning));
  const isDay = ({ word }: Token) => Object.hasOwn(DAYS, word);
  const isOther = (token: Token) => isMeaningless(token.word) && !/^\d$/.test(token.word) && !isDay(token);
  const isGroup = (token: Token | undefined) =>
    token !== undefined && isOther(token) && token.word.length === 3;
  const [first, last] = [tokens.findIndex(isOther), tokens.findLastIndex(isOther)];
  const isLong = (token: Token) => !isOther(token) && token.word.length > 1;
  const runs = [4, 1, 12, 3, 5, 6, 7, 8, 2, 9, 10, 11].flatMap((size) =>
    tokens.slice(size - 1).map((_, at) => ({ run: tokens.slice(at, at + size), at })),
  );
  const textOf = (run: readonly Token[]) =>
    line.slice(run[0]!.from, run.at(-1)!.from + run.at(-1)!.raw.length);
  const countOf = (run: readonly Token[]) =>
    run.reduce((sum, { word }) => sum + word.replace(/[^a-z]/g, '').length, 0);
  const usual = runs.find(({ run, at }) => {
    if (countOf(run) !== NEWSPAPER_LETTERS || ![1, 4, 12].includes(run.length) || run.some(isDay))
      return false;
    if (run.length === 4 && (isGroup(tokens[at - 1]) || isGroup(tokens[at + 4]))) return false;
    const board = likelyBoardIn(textOf(run));
    if (board === undefined || !hasNewspaperShape(board)) return false;
    const isEachOnce = new Set(board.letters).size === NEWSPAPER_LETTERS;
    return looksLikeBoard(textOf(run), isWord) || (isAbout && run.length === 4 && isEachOnce);
  });
  const around = runs.find(({ run, at }) => {
    const letters = countOf(run);
    const isAround = letters > 8 && letters <= 26 && at <= first && at + run.length > last;
    if (!isAround || run.some(isDay) || isLong(run[0]!) || isLong(run.at(-1)!)) return false;
    return isAbout
      ? run.every((token) => isOther(token) || token.word.length < 4) &&
          likelyBoardIn(textOf(run)) &&
          looksLikeBoard(textOf(run), isWord, true)
      : looksLikeBoard(textOf(run), isWord);
  });
  return (usual ?? around)?.run ?? [];
}

function dateIn(words: readonly string[], previous: string): string | undefined {
  const [first = '', ...more] = words.map((word) => DAYS[word] ?? word.replace(/(?<=day)s$/, ''));
  const text = [numberIn(first) ?? first, ...more].join(' ');
  if (more.length === 0 && (previous === 'last' || /^[a-z]{3,4}$/.test(text))) return undefined;
  return isDate(text) ? text : undefined;
}

/** Times as people type them, such as `9pm`, `half past 7`, `8 in the evening` and, after `at`, `9`. */
function timeIn(words: readonly string[], previous: string): string | undefined {
  const text = words
    .map((word) => numberIn(word) ?? word)
    .join(' ')
    .replace(/ uhr (?=\d\d$)|(?<=^\d{1,2}) (?=\d\d (?:am|pm)$)/, ':');
  if (text === 'noon' || text === 'midnight') return text === 'noon' ? '12:00' : '00:00';
  const [, part, way, spoken, ofDay] =
    /^(half|quarter)(?: (past|to))? (\w+)(?: in the (morning|afternoon|evening))?$/.exec(text) ?? [];
  const spokenHour = numberIn(spoken);
  if (spokenHour !== undefined && (part === 'half' ? way !== 'to' : way !== undefined)) {
    const isLate = ofDay !== undefined && ofDay !== 'morning';
    const minutes = part === 'half' ? 30 : way === 'to' ? 45 : 15;
    return timeOf(spokenHour - (way === 'to' ? 1 : 0), minutes, isLate ? 'pm' : undefined);
  }
  const [, hour, point, minutes, half, dayPart] =
    /^(\d{1,2})(?:([:.h])?(\d\d))? ?(am|pm|a\.m|p\.m|uhr|oclock|h)?(?: (?:in )?(?:the )?(morning|afternoon|evening|night))?$/.exec(
      text,
    ) ?? [];
  const isAfter = /^(?:at|to|by|around|um|las|alle|daily|remind)$/.test(previous) && words.length === 1;
  if (isAfter && numberIn(text) !== undefined) return timeOf(numberIn(text), 0, undefined);
  const isTime = half !== undefined || point !== undefined || dayPart !== undefined || isAfter;
  if (hour === undefined || !isTime) return undefined;
  const isLate = half?.startsWith('p') || (dayPart !== undefined && dayPart !== 'morning');
  return timeOf(Number(hour), Number(minutes ?? 0), half?.startsWith('a') ? 'am' : isLate ? 'pm' : undefined);
}

function timeOf(
  hour: number | undefined,
  minutes: number,
  half: 'am' | 'pm' | undefined,
): string | undefined {
  if (hour === undefined || hour > (half === undefined ? 23 : 12) || minutes > 59) return undefined;
  const of24 = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return `${String(of24).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

function untilIn(words: readonly string[], isUntil: Option['accepts']): string | undefined {
  const text = words.map((word) => DAYS[word] ?? numberIn(word) ?? word.replace(/(?<=day)s$/, '')).join(' ');
  const [, count, unit] = /^(\d{1,3}|an?|one) (day|week|month)s?$/.exec(text) ?? [];
  if (unit !== undefined) return `${(Number(count) || 1) * { day: 1, week: 7, month: 30 }[unit]!} days`;
  const [, day = ''] = /^(?:unt|t)ill? (?:next )?(.+)$/.exec(text) ?? [];
  return isUntil?.(day) ? day : undefined;
}
