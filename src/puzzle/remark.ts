import { capitalized } from '../core/text.ts';
import type { Board } from '../solver/types.ts';
import { cagedOn, LETTER_KINDS, Letters } from './remark-kinds.ts';

/** A remark about a board that follows from its letters and sides alone, so that it says nothing about solutions. */
export interface Remark {
  readonly kind: string;
  readonly text: string;
}

/**
 * The remarks that fit a board: first those about its letters, the most unusual first, then the words that it holds but that
 * can't be played.
 *
 * @example remarksOn(makeBoard(['qrs', 'aei', 'tnl', 'hdo'])).next().value?.text // 'Q came without its U.'
 */
export function* remarksOn(board: Board): Generator<Remark, undefined> {
  const letters = new Letters(board);
  yield* aboutLetters(letters);
  yield* cagedOn(letters);
}

function* aboutLetters(letters: Letters): Generator<Remark, undefined> {
  for (const kind of Object.keys(LETTER_KINDS)) {
    const text = textAbout(letters, kind);
    if (text !== undefined) yield { kind, text };
  }
}

function textAbout(letters: Letters, kind: string): string | undefined {
  const text = LETTER_KINDS[kind]!(letters);
  return text === false ? undefined : capitalized(text);
}

/** Days before a channel gets the same kind again. */
export const REMARK_REPEAT_DAYS = 20;

/** Remarks that sound alike, by what tells them, and after how many others they are welcome again. */
function soundOf(kind: string): { readonly sound: string; readonly rest: number } {
  if (!Object.hasOwn(LETTER_KINDS, kind)) return { sound: 'caged', rest: 1 };
  if (/^[A-Z]{2}$/.test(kind)) return { sound: 'share a side', rest: 7 };
  if (kind.startsWith('no ')) return { sound: 'missing', rest: 5 };
  return { sound: kind, rest: 0 };
}

/**
 * The remark to make: none that was made on the days before, rather one that sounds unlike the last ones, and then the most
 * unusual. Undefined if there is none.
 *
 * @param before the kinds of the days before, the latest first
 */
export function remarkOn(board: Board, before: readonly string[] = []): Remark | undefined {
  const letters = new Letters(board);
  // Every other one names a word, since those are the ones that people pass on.
  const [last] = before;
  const wantsCaged = last !== undefined && soundOf(last).sound !== 'caged';
  const groups = wantsCaged ? [cagedOn, aboutLetters] : [aboutLetters, cagedOn];
  for (const group of groups) {
    for (const remark of group(letters)) if (isFresh(remark, before)) return remark;
  }
  return remarksOn(board).find(({ kind }) => !before.includes(kind));
}

function isFresh({ kind }: Remark, before: readonly string[]): boolean {
  const { sound, rest } = soundOf(kind);
  return !before.includes(kind) && !before.slice(0, rest).some((heard) => soundOf(heard).sound === sound);
}

/** The remark of one kind, if it fits the board. */
export function remarkText(board: Board, kind: string | undefined): string | undefined {
  if (kind === undefined) return undefined;
  const letters = new Letters(board);
  if (Object.hasOwn(LETTER_KINDS, kind)) return textAbout(letters, kind);
  return cagedOn(letters).find((one) => one.kind === kind)?.text;
}
