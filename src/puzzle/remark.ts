import { LRUCache } from 'lru-cache';
import { capitalized } from '../core/text.ts';
import { cagedOn, LETTER_KINDS, Letters } from './remark-kinds.ts';
import { type DayBoard, dayGameKey } from './types.ts';

/** A remark about a day's board that follows from letters and sides alone, so that it says nothing about solutions. */
export interface Remark {
  readonly kind: string;
  readonly text: string;
}

/** Few boards are on at once, and all channels choose from the same remarks. */
const fitting = new LRUCache<string, readonly Remark[], DayBoard>({
  max: 100,
  memoMethod(_key, _stale, { context: day }) {
    const letters = new Letters(day);
    const aboutLetters = Object.entries(LETTER_KINDS).flatMap(([kind, textOn]): Remark[] => {
      const text = textOn(letters);
      return text === false ? [] : [{ kind, text: capitalized(text) }];
    });
    return [...aboutLetters, ...cagedOn(letters)];
  },
});

/**
 * The remarks that fit a board: first those about its letters, the most unusual first, then the words that it holds but that
 * can't be played.
 *
 * @example remarksOn({ date, board: makeBoard(['qrs', 'aei', 'tnl', 'hdo']) })[0]?.text // 'Q came without its U.'
 */
export function remarksOn(day: DayBoard): readonly Remark[] {
  return fitting.memo(dayGameKey(day), { context: day });
}

/** Threads of a channel before it gets the same kind again. */
export const REMARK_REPEAT_DAYS = 20;

/** Whether remarks of a kind are about words that can't be played. */
function isCaged(kind: string): boolean {
  return !Object.hasOwn(LETTER_KINDS, kind);
}

/** A name for the kinds that sound like this one, and how many other remarks have to come between two of them. */
function soundOf(kind: string): { readonly sound: string; readonly rest: number } {
  if (isCaged(kind)) return { sound: 'caged', rest: 1 };
  if (/^[A-Z]{2}$/.test(kind)) return { sound: 'share a side', rest: 7 };
  if (kind.startsWith('no ')) return { sound: 'missing', rest: 5 };
  return { sound: kind, rest: 0 };
}

/**
 * The remark to make: the most unusual that was not made on the days before, and if possible one that sounds unlike the last
 * ones. Undefined if there is none.
 *
 * @param before the kinds of the days before, the latest first
 */
export function remarkOn(day: DayBoard, before: readonly string[] = []): Remark | undefined {
  const all = remarksOn(day);
  // Every second remark is about a caged word, if the board has one: people pass these on.
  const [last] = before;
  const wantsCaged = last !== undefined && !isCaged(last);
  const wanted = wantsCaged ? all.toSorted((a, b) => Number(isCaged(b.kind)) - Number(isCaged(a.kind))) : all;
  return wanted.find((remark) => isFresh(remark, before)) ?? all.find(({ kind }) => !before.includes(kind));
}

function isFresh({ kind }: Remark, before: readonly string[]): boolean {
  const { sound, rest } = soundOf(kind);
  return !before.includes(kind) && !before.slice(0, rest).some((heard) => soundOf(heard).sound === sound);
}

/** The remark of one kind, if it fits the board. */
export function remarkText(day: DayBoard, kind: string | undefined): string | undefined {
  if (kind === undefined) return undefined;
  return remarksOn(day).find((one) => one.kind === kind)?.text;
}
