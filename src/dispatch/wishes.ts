import { spokenTime } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { Command } from './contract.ts';
import type { IsWord } from './typed-board.ts';
import { hashOf, oddsOf } from './wish-model.ts';
import {
  MOVE_KEY,
  OPTIONAL_PART,
  PLACE,
  placedValue,
  placeOf,
  VALUES,
  type Value,
  type Values,
  valuesIn,
  type WishRow,
  wishRows,
} from './wish-table.ts';
import { EVIDENCE, type LineValues, valuesOf } from './wish-values.ts';
import { isMeaningless, type Token, tokensOf } from './wish-words.ts';

export interface Wish {
  /** Its row of the table; empty for no wish. */
  readonly key: string;
  /** What is done, said on a button; or the answer itself, if there is no action. */
  readonly label: string;
  readonly action?: Action;
  /** Whether it is not done without a press: it costs or takes away something, or changes something for others. */
  readonly isOffered: boolean;
  /** The words of the line that mean nothing here, except those that it takes as values. */
  readonly unread: readonly string[];
  /** The values that the line names beside a board and that the wish does not take. */
  readonly unused: readonly string[];
  /** How likely it is, among all that the line may wish for. */
  readonly odds: number;
}

/** Longer lines are pastes; the longest that the model has learned from has fewer than 100 characters. */
const MAX_LENGTH = 300;
/** Less likely wishes are left out. Most rows have tiny odds for any line. These four bounds suit the lines in test/dispatch. */
const LEAST_ODDS = 0.04;
/** From here a wish is done: it is likelier than all others together. */
export const LIKELY = 0.5;
/** From here a wish is done even if the line can be read as something else, too. */
export const SURE = 0.81;
/** From here no other wish is offered beside it. */
export const CERTAIN = 0.85;
const NO_WISH: WishRow = { key: '', label: '', leastOdds: 0, needs: [] };

/** What a line may wish for, the likeliest first. */
export function wishesOf(line: string, commands: readonly Command[], isWord: IsWord): readonly Wish[] {
  if (line.length > MAX_LENGTH) return [];
  const typed = tokensOf(line, isWord);
  if (typed.length === 0) return [];
  const named = valuesOf(line, typed, commands, isWord);
  const possible = possibleRows(line, named);
  const sum = possible.reduce((total, { odds }) => total + odds, 0);
  // Beside two other words or more, as in "maybe forum tomorrow", words that are not marked may be part of a sentence.
  const mayBeSentence = named.evidence !== 'marked' && typed.length > playedWords(named).length + 1;
  return possible
    .map(({ row, odds }) => ({ row, odds: odds / sum }))
    .filter(({ odds }) => odds >= LEAST_ODDS)
    .map(({ row, odds }) => ({
      key: row.key,
      ...filledIn(row, named.values),
      unread: unreadBy(row, named),
      unused: unusedBy(row, named),
      isOffered: odds < row.leastOdds || (row.key === MOVE_KEY && mayBeSentence),
      odds,
    }))
    .sort((a, b) => b.odds - a.odds);
}

/** The rows that a line may mean by its values, with their odds in proportion to each other. */
function possibleRows(line: string, named: LineValues): { row: WishRow; odds: number }[] {
  return [...oddsOf(featuresOf(line, named))].flatMap(([key, odds]) => {
    const row = key === '' ? NO_WISH : wishRows.get(key);
    if (row === undefined || row.needs.some((one) => named.values[one] === undefined)) return [];
    // A line that has a board is about that board, even if it ends with thanks.
    const isAboutBoard = row === NO_WISH || (row.action !== undefined && takes(row, 'board'));
    return named.values.board === undefined || isAboutBoard ? [{ row, odds }] : [];
  });
}

const playedWords = ({ values }: LineValues) => values.words?.split(',') ?? [];

/** The words of a line that mean nothing here, except those that the row takes as values. */
function unreadBy(row: WishRow, named: LineValues): readonly string[] {
  if (takes(row, 'line')) return [];
  const others = named.tokens.flatMap(({ word }) =>
    word.length > 1 && placedValue(word) === undefined && isMeaningless(word) ? [word] : [],
  );
  return takes(row, 'words') ? others : [...others, ...playedWords(named).filter(isMeaningless)];
}

function unusedBy(row: WishRow, { values, tokens }: LineValues): readonly string[] {
  const { board, words, line, command, ...others } = values;
  const isSearch = row.action?.command === 'words' && row.action.options.sort === undefined;
  if (board === undefined) return isSearch ? unfoundIn(tokens, values) : [];
  return Object.entries(others).flatMap(([name, value]) =>
    takes(row, name as Value) && name !== 'date' ? [] : [value],
  );
}

/** What stands behind "with" and the like if no letters were found there: the "double letters" of "with double letters". */
function unfoundIn(tokens: readonly Token[], values: Values): readonly string[] {
  const { starts, ends, uses, without, length, words = '' } = values;
  const at = tokens.findLastIndex(({ word }) => /^(?:start|begin|end|contain|with(?:out)?$)/.test(word));
  const isFound = [starts, ends, uses, without, length].some((value) => value !== undefined);
  if (at < 0 || isFound) return [];
  const behind = tokens.slice(at + 1).flatMap(({ raw }) => {
    const value = placedValue(raw);
    return value === undefined ? [raw] : value === 'words' ? words.split(',') : [];
  });
  return behind.length === 0 ? [] : [[...new Set(behind)].join(' ')];
}

/** Whether a line surely wishes for this. */
export function isSure(wish: Wish | undefined): wish is Wish {
  return wish !== undefined && wish.odds >= SURE && wish.key !== '';
}

/** Whether a row has a place for this value. A row without an action is an answer, which suits any line. */
function takes({ action }: WishRow, value: Value): boolean {
  return action === undefined || Object.values(action.options).includes(placeOf(value));
}

/** The action and the label of a row, with the values of a line in their places. */
function filledIn({ label, action }: WishRow, named: Values): Pick<Wish, 'label' | 'action'> {
  if (action === undefined) return { label };
  // A board needs no date.
  const values = named.board === undefined ? named : { ...named, date: undefined };
  const options = Object.entries(action.options).flatMap(([name, option]) => {
    const value = placedValue(option);
    const filled = value === undefined ? option : values[value];
    return filled === undefined ? [] : [[name, filled] as const];
  });
  const shown = shownValues(values);
  const said = label
    .replace(OPTIONAL_PART, (_, part: string) => (valuesIn(part).every((one) => values[one]) ? part : ''))
    .replace(PLACE, (_, name: Value) => shown[name]!);
  return { label: said, action: { command: action.command, options: Object.fromEntries(options) } };
}

/** Values as a label says them. */
function shownValues(values: Values): Values {
  const { time, until, zone, words, without, board } = values;
  return {
    ...values,
    ...(time && { time: spokenTime(time) }),
    ...(until && { until: `${/ (?:day|week|month)s?$/.test(until) ? 'for' : 'until'} ${until}` }),
    ...(zone && { zone: zone.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase()) }),
    ...(words && { words: words.replaceAll(',', ' – ').toUpperCase() }),
    ...(without && { without: without.replace(/\W/g, '').toUpperCase() }),
    ...(board && { board: board.toUpperCase() }),
  };
}

/** The features of a line, as hashes of texts. After any change, train the model again with `npm run build:wishes`. */
export function featuresOf(
  line: string,
  { tokens, words: typed, values, evidence }: LineValues,
): readonly number[] {
  const words = typed.flatMap((word) => word.match(/[\p{L}\d]+/gu) ?? []);
  // Played words are W and letters are L. Other values have no place among the meanings.
  const meanings = tokens.flatMap(({ meaning }) => {
    const value = placedValue(meaning);
    if (value === undefined) return [meaning];
    if (value === 'words') return ['W'];
    return ['starts', 'ends', 'uses', 'without'].includes(value) ? ['L'] : [];
  });
  const features = [
    // The meaning of a word, and of two words in a row.
    ...meanings.map((meaning) => `p${meaning}`),
    ...meanings.slice(1).map((meaning, at) => `${meanings[at]} ${meaning}`),
    // A capital letter for each value, and W with a number for the evidence.
    ...Object.keys(values).map((name) => VALUES[name as Value]),
    EVIDENCE[evidence],
    // A word, and each four characters of a word between `<` and `>`.
    ...words.map((word) => `w${word}`),
    ...words.flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => `c${`<${word}>`.slice(at, at + 4)}`),
    ),
    // The first word, the length of the line in steps of 3 words, and its end.
    `1${words[0]}`,
    `n${Math.min(4, Math.floor(words.length / 3))}`,
    /\?\s*$/.test(line) ? '?' : '.',
  ];
  return [...new Set(features.filter((feature) => feature !== '').map(hashOf))];
}
