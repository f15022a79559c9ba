import { spokenTime } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { Command } from './contract.ts';
import type { IsWord } from './typed-board.ts';
import { hashOf, oddsOf } from './wish-model.ts';
import {
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
import { isMeaningless, tokensOf } from './wish-words.ts';

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

/** Longer lines are pastes; the longest that the model has learned from has 94 characters. */
const MAX_LENGTH = 300;
/** What is less likely is no guess, but one of the dozens of rows that no line rules out. */
const LEAST_ODDS = 0.04;
/** From here a wish is done: it is likelier than all others together. */
export const LIKELY = 0.5;
/** From here it is done rather than what else the line may be; at 0.85, two more of the lines in wishes.txt are misread. */
export const SURE = 0.8;
/** From here nothing else is offered beside it; at 0.8, a line of unseen.txt is not offered what it means. */
export const CERTAIN = 0.85;
const NO_WISH: WishRow = { key: '', label: '', leastOdds: 0, needs: [] };

/** What a line may wish for, the likeliest first. */
export function wishesOf(line: string, commands: readonly Command[], isWord: IsWord): readonly Wish[] {
  if (line.length > MAX_LENGTH) return [];
  const typed = tokensOf(line, isWord);
  if (typed.length === 0) return [];
  const named = valuesOf(line, typed, commands, isWord);
  const { values, tokens, evidence } = named;
  const possible = [...oddsOf(featuresOf(line, named))].flatMap(([key, odds]) => {
    const row = key === '' ? NO_WISH : wishRows.get(key);
    if (row === undefined || row.needs.some((one) => values[one] === undefined)) return [];
    // A board is never said by the way.
    return values.board === undefined || takes(row, 'board') ? [{ row, odds }] : [];
  });
  const all = possible.reduce((sum, { odds }) => sum + odds, 0);
  const played = values.words?.split(',') ?? [];
  // Unmarked words among others may be part of a sentence that is not understood.
  const isUnclear = evidence !== 'marked' && typed.length > played.length + 1;
  const strange = tokens.flatMap(({ word }) =>
    word.length > 1 && placedValue(word) === undefined && isMeaningless(word) ? [word] : [],
  );
  const unreadBy = (row: WishRow) => {
    if (takes(row, 'line')) return [];
    return takes(row, 'words') ? strange : [...strange, ...played.filter(isMeaningless)];
  };
  return possible
    .filter(({ odds }) => odds >= LEAST_ODDS * all)
    .map(({ row, odds }) => ({
      key: row.key,
      ...filledIn(row, values),
      unread: unreadBy(row),
      isOffered:
        odds < row.leastOdds * all ||
        (row.action?.options.typed === 'yes' && row.needs.includes('words') && isUnclear),
      odds: odds / all,
    }))
    .sort((a, b) => b.odds - a.odds);
}

/** Whether a line surely wishes for this. */
export function isSure(wish: Wish | undefined): wish is Wish {
  return wish !== undefined && wish.odds >= SURE && wish.key !== '';
}

function takes({ action }: WishRow, value: Value): boolean {
  return action === undefined || Object.values(action.options).includes(placeOf(value));
}

/** What a row does and says, with the values of a line in their places. */
function filledIn({ label, action }: WishRow, values: Values): Pick<Wish, 'label' | 'action'> {
  if (action === undefined) return { label };
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

/**
 * How the model tells features apart: by a hash of a kind and a name. The kinds are `p` for the meaning of a word, a blank between the
 * meanings of two words beside each other, `w` for a word, `c` for four characters of it with its ends, `1` for the first word, `n`
 * for how long the line is, and `?` or `.` for how it ends. A letter is a value, and W with a number says why words are played.
 * After a change, `npm run build:wishes` trains the model again.
 */
export function featuresOf(
  line: string,
  { tokens, words: typed, values, evidence }: LineValues,
): readonly number[] {
  const words = typed.flatMap((word) => word.match(/[\p{L}\d]+/gu) ?? []);
  // Of values, only words and letters have a place.
  const placed = tokens.flatMap(({ meaning }) => {
    const value = placedValue(meaning);
    if (value === undefined) return [meaning];
    if (value === 'words') return ['W'];
    return ['starts', 'ends', 'uses', 'without'].includes(value) ? ['L'] : [];
  });
  const features = [
    ...placed.map((word) => `p${word}`),
    ...placed.slice(1).map((word, at) => `${placed[at]} ${word}`),
    ...Object.keys(values).map((name) => VALUES[name as Value]),
    EVIDENCE[evidence],
    ...words.map((word) => `w${word}`),
    ...words.flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => `c${`<${word}>`.slice(at, at + 4)}`),
    ),
    `1${words[0]}`,
    `n${Math.min(4, Math.floor(words.length / 3))}`,
    /\?\s*$/.test(line) ? '?' : '.',
  ];
  return [...new Set(features.filter((feature) => feature !== '').map(hashOf))];
}
