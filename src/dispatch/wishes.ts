import { spokenTime } from '../core/text.ts';
import type { Action } from '../reply/model/types.ts';
import type { Command } from './contract.ts';
import { featuresOf, likelyRows } from './likely.ts';
import type { IsWord } from './typed-board.ts';
import { valuesOf } from './wish-values.ts';
import { fillers, isValue, type Row, tokensOf, type Value, type Values, wishTable } from './wish-words.ts';

/** What a line wishes for. */
export interface Wish {
  /** Its row of the table; empty where it is only answered. */
  readonly key: string;
  /** What is done, said on a button; or the answer itself, if there is no action. */
  readonly label: string;
  readonly action?: Action;
  /** Whether it costs something or changes something for others. */
  readonly isOffered: boolean;
  /** Words of the line that carry the wish, and words that it leaves unexplained. */
  readonly carried: number;
  readonly unexplained: number;
  /** Whether more than one word, or a value, carries it. */
  readonly isMore: boolean;
  /** Whether a word that is no filler carries it, or a value that is nothing else. */
  readonly isNamed: boolean;
  readonly score: number;
}

/** Longer lines are pastes; no wish takes more words. */
const MAX_LENGTH = 300;
const MAX_TOKENS = 40;
const QUESTION =
  /^(?:is|are|was|does|do|did|has|have|could|can|couldve|would|will|should|how|hows|why|what|whats|who|whos|which|when|where|may|ist)$/;

/** The rows of the table, for its test. */
export function wishRows(): readonly Pick<Wish, 'key' | 'label' | 'action'>[] {
  return [...new Set(wishTable().patterns.map(({ row }) => row))];
}

export type LikelyWish = Pick<Wish, 'key' | 'label' | 'action'>;

/** What a line may wish for. */
export interface Wishes {
  /** Wishes of which a pattern is whole, the best first. */
  readonly wishes: readonly Wish[];
  /** What the model thinks of the line, the likeliest first; an empty key stands for what is only answered. */
  readonly likely: () => readonly LikelyWish[];
}

const NOTHING: Wishes = { wishes: [], likely: () => [] };

export function wishesOf(line: string, commands: readonly Command[], isWord: IsWord): Wishes {
  if (line.length > MAX_LENGTH) return NOTHING;
  const tokens = tokensOf(line, isWord).filter(
    ({ word }, at, all) => at > 0 || !/^(?:ok|fine)$/.test(word) || all.length === 1,
  );
  if (tokens.length > MAX_TOKENS) return NOTHING;
  const { values, places, rest, sureness } = valuesOf(line, tokens, commands, isWord);
  const said = new Set(rest.map(({ meaning }) => meaning));
  // What asks is no result that somebody reports.
  const isQuestion =
    /^[^.,!?]*\?\s*$/.test(line) || (QUESTION.test(tokens[0]?.word ?? '') && tokens[1]?.word !== 'you');
  const { patterns, byKey } = wishTable();
  const found = new Map<Row, Omit<Wish, 'key' | 'label' | 'action'>>();
  for (const { row, words, values: needed } of patterns) {
    if (!words.every((one) => said.has(one)) || !needed.every((one) => values[one] !== undefined)) continue;
    if (isQuestion && row.takes.has('M')) continue;
    // A word that is only not understood, among many others.
    if (needed.includes('W') && sureness < 1 && tokens.length > 3) continue;
    const taken = (Object.keys(values) as Value[]).filter(
      (one) => row.takes.has(one) || needed.includes(one),
    );
    const covered = new Set(taken.flatMap((one) => places[one] ?? []));
    const unexplained = tokens.filter(
      (token) => !token.isFiller && !covered.has(token) && !words.includes(token.meaning),
    ).length;
    const ofWords = words.reduce((sum, one) => sum + (fillers.has(one) && one !== 'no' ? 1 : 2), 0);
    const carried = taken.reduce(
      (sum, one) => sum + (one === 'M' ? 0 : one === 'W' ? sureness : 1.5),
      ofWords,
    );
    const score = carried - unexplained;
    if (score <= (found.get(row)?.score ?? Number.NEGATIVE_INFINITY)) continue;
    found.set(row, {
      // A single word among others may be part of a sentence that is not understood, such as "do you spy on us".
      isOffered:
        row.isOffered ||
        (values.W !== undefined && words.length === 0 && sureness < 2 && tokens.length > covered.size + 1),
      carried,
      unexplained,
      isMore: words.length + taken.length > 1,
      isNamed:
        words.some((one) => !fillers.has(one)) ||
        needed.some((one) => one === 'B' || one === 'Z' || (one === 'W' && sureness > 1)),
      score,
    });
  }
  const wishes = [...found].map(([row, wish]) => ({ key: row.key, ...filledIn(row, values), ...wish }));
  let ranked: readonly LikelyWish[] | undefined;
  const likely = () => {
    ranked ??= likelyRows(featuresOf(line, rest, values)).flatMap((key): readonly LikelyWish[] => {
      const { row, needs = [] } = byKey.get(key) ?? {};
      const isPossible = needs.some((one) => one.every((value) => values[value] !== undefined));
      return row !== undefined && isPossible ? [{ key, ...filledIn(row, values) }] : [];
    });
    return ranked;
  };
  return { wishes: wishes.sort((a, b) => b.score - a.score), likely };
}

function filledIn({ label, action }: Row, values: Values): Pick<Wish, 'label' | 'action'> {
  const valueIn = (text: string) => values[/\b[A-Z]\b/.exec(text)?.[0] as Value];
  const shown: Values = {
    ...values,
    ...(values.T && { T: spokenTime(values.T) }),
    ...(values.U && { U: `${/^\d+ days$/.test(values.U) ? 'for' : 'until'} ${values.U}` }),
    ...(values.Z && { Z: values.Z.replace(/(?<![\p{L}])\p{L}/gu, (letter) => letter.toUpperCase()) }),
    ...(values.W && { W: values.W.replaceAll(',', ' – ').toUpperCase() }),
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
