import { counted, letterCount } from '../../core/text.ts';
import { ALL_HINT_POINTS } from '../../reply/replies/hint-steps.ts';
import { stuckAt } from '../../solver/board.ts';
import { judgeWords } from '../../solver/check.ts';
import type { Board } from '../../solver/types.ts';

export type MessageReading =
  /** Words that solve the board by their letters; whether they are words is judged elsewhere. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Words that seem meant for the board but don't solve it. */
  | { readonly kind: 'attempt'; readonly words: readonly string[] }
  | ({ readonly kind: 'report' } & Report)
  /** Players' notation that fits no solution of the board, with the reason as a sentence. */
  | { readonly kind: 'misfit'; readonly reason: string }
  | { readonly kind: 'nothing' };

/** A result in numbers alone. */
export interface Report {
  readonly words: number;
  /** Letters of all words together; 0 if the message does not say. */
  readonly letters: number;
  /** Hint points. */
  readonly hints: number;
  readonly afterSolution?: true;
}

/** Characters of a message that are read: as many as Discord's longest has. */
export const MAX_MESSAGE_LENGTH = 4_000;
/** The most chains that are judged. */
const MAX_CHAINS = 20;
/** More words than anybody reports. */
const MAX_WORDS = 20;
const MAX_WORD_LENGTH = 40;
const MIN_WORD_LENGTH = 3;

/** Mentions, links and codes for emoji, which are no part of a result. */
const MENTIONS_AND_LINKS = /<[^<>\s]{1,100}>|https?:\/\/\S+|:[a-z][a-z0-9_+-]{1,50}:/gi;
/** Text by others: quoted lines, and text after a name and a time, as if pasted from a chat, or after `wrote:`. */
const QUOTED_TEXT = [
  /^[ \t]*>>>[\s\S]*/m,
  /^[ \t]*>.*$/gm,
  /^.{1,80}(?: — .{0,30}\d:\d\d(?: ?[AP]M)?| {2,}\d{1,2}:\d\d ?[AP]M|\b(?:wrote|said|says|posted|shared) ?:)[ \t]*$(?:\n.+)*/gim,
];
const STRUCK_OUT = /~{1,2}[^~\n]{1,300}~{1,2}/g;
/** Spoiler marks and code marks. */
const MARKS = /\|\||`+/;
const FIRST_REGIONAL_INDICATOR = 0x1f1e6;

/**
 * Reads a result from a message that somebody wrote to other people. Words count wherever they stand: behind spoiler
 * marks, in code, in a sentence, with any separators. Without words it reads a line of numbers (`in 2 words`, `#2solve`), the
 * players' notation (`S - H(9), H - H(11)`) and the line that `share` posts. What others wrote and what was struck out
 * does not count, nor do numbers in prose. It takes time in proportion to the length of the message.
 *
 * @param maxLength characters that are read
 * @example readMessage('Done! ||FORUM – MOZART||', board) // { kind: 'words', words: ['forum', 'mozart'] }
 */
export function readMessage(message: string, board: Board, maxLength = MAX_MESSAGE_LENGTH): MessageReading {
  const text = plain(message.slice(0, maxLength));
  const marked = text.split(MARKS).filter((_, index) => index % 2 === 1);
  // A solution may be in one of the marks, go through several, or be in the whole text.
  const lists = [marked.join(' '), ...marked, text].map((part) => tokensOf(part));
  const runs = lists.flatMap((tokens) => runsOf(tokens, board));
  const best = solvingRun(runs, board);
  if (best !== undefined) return { kind: 'words', words: best };
  const notation = readNotation(text, board);
  const report = notation?.kind === 'report' ? notation : readNumbers(text.replace(/[*_]/g, ''), board);
  const attempt = attemptIn(marked, runs, board);
  // A report of another number of words is not about these words.
  const fitsReport = report === undefined || report.words === attempt?.length;
  if (attempt !== undefined && fitsReport) return { kind: 'attempt', words: attempt };
  return report ?? notation ?? { kind: 'nothing' };
}

/** The date that the line of `share` names, such as `november 20`. */
export function dateIn(message: string): string | undefined {
  const line =
    /letter ?boxed, {0,2}((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d{1,2})(?!\d)/i;
  return line.exec(message.slice(0, MAX_MESSAGE_LENGTH))?.[1]?.toLowerCase();
}

/** The name of a board that somebody made, if the line of `share` names one instead of a date. */
export function boardNameIn(message: string): string | undefined {
  const line = /letter ?boxed, {0,2}(\S[^·\n]{0,80}?) · \d/i;
  return dateIn(message) === undefined ? line.exec(message.slice(0, MAX_MESSAGE_LENGTH))?.[1] : undefined;
}

/** What the author wrote: neither quoted nor struck out. */
export function ownText(text: string): string {
  // `^` matches after every kind of line end, but `NUMBERS_LINE` goes on over all except `\n`: quadratic time.
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n');
  return QUOTED_TEXT.reduce((left, pattern) => left.replace(pattern, ' '), lines).replace(STRUCK_OUT, ' ');
}

/** The author's own text, without noise, and with letters and digits in place of their emoji. */
function plain(text: string): string {
  return ownText(text)
    .replace(MENTIONS_AND_LINKS, ' ')
    .replaceAll('🔟', '10')
    .replace(/\uFE0F?\u20E3/gu, '')
    .replace(/[\u{1F1E6}-\u{1F1FF}]/gu, (letter) =>
      String.fromCharCode(97 + letter.codePointAt(0)! - FIRST_REGIONAL_INDICATOR),
    )
    .replace(/\uFE0F/gu, '')
    .replace(/[\u2018\u2019]/g, "'");
}

function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d']+/u)
    .filter((token) => token !== '');
}

/** Words of the board in the order of the message, as chains: each word begins with the last letter of the one before. */
function runsOf(tokens: readonly string[], board: Board): string[][] {
  const runs: string[][] = [];
  for (const token of tokens) {
    if (!isOnBoard(board, token)) continue;
    const run = runs.at(-1);
    if (run?.at(-1)?.at(-1) === token[0] && run !== undefined && run.length < MAX_WORDS) run.push(token);
    else runs.push([token]);
  }
  return runs;
}

function isOnBoard(board: Board, token: string): boolean {
  if (token.length < MIN_WORD_LENGTH || token.length > MAX_WORD_LENGTH) return false;
  const letters = Array.from(token);
  return letters.every((letter) => board.letters.includes(letter)) && stuckAt(board, letters) === undefined;
}

/** The chain with the fewest words and letters among those that use every letter. */
function solvingRun(runs: readonly (readonly string[])[], board: Board): readonly string[] | undefined {
  const long = runs.filter((run) => letterCount(run) - run.length + 1 >= board.letters.length);
  const different = [...new Map(long.map((run) => [run.join(' '), run])).values()];
  return different
    .sort((a, b) => a.length - b.length || letterCount(a) - letterCount(b))
    .slice(0, MAX_CHAINS)
    .find((run) => judgeWords(board, run, () => true).solved);
}

/** The words in marks, or else a chain of words of the board. A single word of the board without marks means nothing. */
function attemptIn(
  marked: readonly string[],
  runs: readonly (readonly string[])[],
  board: Board,
): readonly string[] | undefined {
  const words = marked.flatMap(tokensOf);
  const isMeant = words.length <= MAX_WORDS && words.every((word) => /^[a-z]{1,40}$/.test(word));
  if (isMeant && words.some((word) => isOnBoard(board, word))) return words;
  const [longest] = runs.toSorted((a, b) => b.length - a.length);
  return longest !== undefined && longest.length > 1 ? longest : undefined;
}

const NOTATION =
  /(?<![a-z])([a-z]) ?[-\u2010-\u2015_.\u2026>\u2192*\u2022]{1,40} ?([a-z]) ?[([] ?(\d{1,2}) ?[)\]]/gi;

/** Reads `S - H(9), H - H(11)`: the first and last letter of each word, and its length. */
function readNotation(
  text: string,
  board: Board,
): Extract<MessageReading, { kind: 'report' | 'misfit' }> | undefined {
  const words = [...text.matchAll(NOTATION)].map(([, first = '', last = '', length]) => ({
    first: first.toLowerCase(),
    last: last.toLowerCase(),
    length: Number(length),
  }));
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const reason = misfitOf(words, letters - (words.length - 1), board);
  if (reason !== undefined) return { kind: 'misfit', reason };
  return { kind: 'report', words: words.length, letters, ...hintFieldsIn(text) };
}

interface NotedWord {
  readonly first: string;
  readonly last: string;
  readonly length: number;
}

/** Why no words with these ends and lengths solve the board. */
function misfitOf(words: readonly NotedWord[], spots: number, board: Board): string | undefined {
  const missing = words
    .flatMap(({ first, last }) => [first, last])
    .find((one) => !board.letters.includes(one));
  if (missing !== undefined) return `${missing.toUpperCase()} is not on this board.`;
  const odd = words.find(({ length }) => length < MIN_WORD_LENGTH || length > MAX_WORD_LENGTH);
  if (odd !== undefined) return `No word has ${counted(odd.length, 'letter')}.`;
  const next = words.findIndex(({ first }, index) => index > 0 && words[index - 1]!.last !== first);
  if (next > 0) {
    const [last, first] = [words[next - 1]!.last, words[next]!.first].map((letter) => letter.toUpperCase());
    return `Word ${next} ends with ${last}, but word ${next + 1} starts with ${first}.`;
  }
  const all = board.letters.length;
  return spots >= all ? undefined : `These words are too short to use all ${all} letters.`;
}

/** The players' tag, such as `#2solve`. */
const TAG = /#(\d{1,2})[ -]?(?:words?)?[ -]?solved?\b/gi;
/** How a line of numbers may begin: `in`, `got it in`. */
const SOLVED_IN =
  '(?:(?:(?:I )?(?:got|did|made|found|solved|done|finished)(?: (?:it|this|that|today))? )?in )?';
/** A line of nothing but numbers, such as `got it in 2 words, 1 hint`, or the line of `share`. Other prose is not read. */
const NUMBERS_LINE = new RegExp(
  String.raw`^[^\p{L}\p{N}\n]*(?:(?:(?:I )?solved today's [\p{L} ]{0,30})?letter ?boxed\b[^\n·]{0,90}·? ?)?${SOLVED_IN}(\d{1,2})[ -]words?` +
    String.raw`((?:[^\p{L}\p{N}\n]+(?:\d{1,3} letters?|(?:with )?(?:\d{1,2}|no|some|all) hints?(?: points?)?|after the solution|self-reported))*)` +
    String.raw`[^\p{L}\p{N}\n]*$`,
  'gimu',
);

/** The fewest words that a message reports in numbers alone. */
function readNumbers(
  text: string,
  { letters: spots }: Board,
): ({ readonly kind: 'report' } & Report) | undefined {
  const [best] = [TAG, NUMBERS_LINE]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, words, more = '']) => ({
      words: Number(words),
      letters: Number(/\d+(?= letter)/i.exec(more)?.[0] ?? 0),
    }))
    .filter(({ words }) => words >= 1 && words <= MAX_WORDS)
    .sort((a, b) => a.words - b.words || b.letters - a.letters);
  if (best === undefined) return undefined;
  const { words, letters } = best;
  const isPossible = letters - (words - 1) >= spots.length && letters <= words * MAX_WORD_LENGTH;
  return { kind: 'report', words, letters: isPossible ? letters : 0, ...hintFieldsIn(text) };
}

function hintFieldsIn(text: string): Pick<Report, 'hints' | 'afterSolution'> {
  return /\bafter the solution\b/i.test(text)
    ? { hints: ALL_HINT_POINTS, afterSolution: true }
    : { hints: hintsIn(text) };
}

/** Hint points. `some hints` counts as one. */
function hintsIn(text: string): number {
  const said = /(?<![\w#.,:/-])(\d{1,2}|some|all) hints?\b/i.exec(text)?.[1]?.toLowerCase() ?? '0';
  return said === 'all' ? ALL_HINT_POINTS : said === 'some' ? 1 : Number(said);
}
