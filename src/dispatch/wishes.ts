import { spokenTime } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { Command } from './contract.ts';
import type { IsWord } from './typed-board.ts';
import { featuresOf, valuesOf } from './wish-values.ts';
import {
  isMeaningless,
  isValue,
  oddsOf,
  type Row,
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
  /** Whether it costs something or changes something for others. */
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
const NO_WISH: Row = { key: '', label: '', isOffered: false, needs: [] };

/** What a line may wish for, the likeliest first. */
export function wishesOf(line: string, commands: readonly Command[], isWord: IsWord): readonly Wish[] {
  if (line.length > MAX_LENGTH) return [];
  const tokens = tokensOf(line, isWord);
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) return [];
  const named = valuesOf(line, tokens, commands, isWord);
  const { values, sureness } = named;
  const possible = [...oddsOf(featuresOf(line, named))].flatMap(([key, odds]) => {
    const row = key === '' ? NO_WISH : wishRows.get(key);
    if (row?.needs.some((one) => values[one] === undefined) !== false) return [];
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
      isOffered: row.isOffered || (row.action?.options.typed === 'yes' && row.needs.includes('W') && isLost),
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
