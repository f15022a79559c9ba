import { HOUR } from '../../core/clock.ts';
/** The rules of a relay: a game that people play together, one word each. Plain data, changed by `move` alone. */
import type { Broken, CheckResult } from '../../solver/check.ts';

/** A word and the person who added it. */
export interface Leg {
  readonly word: string;
  readonly by: string;
}

export const RELAY_ENDS = ['solved', 'stopped', 'timed-out'] as const;
export type RelayEnd = (typeof RELAY_ENDS)[number];

export interface Relay {
  /** The options that lead back to its board, such as a date. */
  readonly about: Readonly<Record<string, string | number | boolean>>;
  /** The board as it was when the game began; see `formatBoard`. */
  readonly board: string;
  /** Nobody adds two words in a row. */
  readonly turns: boolean;
  readonly startedBy: string;
  readonly startedAt: number;
  readonly legs: readonly Leg[];
  /** Hints that players asked for. */
  readonly hints: number;
  /** When it ends unless somebody makes another move. */
  readonly timesOutAt: number;
  readonly end?: RelayEnd;
}

/** Milliseconds without a move after which a game ends. */
export const TIMEOUT = 6 * HOUR;
/** More words than this are not readable on one picture. */
export const MAX_WORDS = 20;

export type Move =
  | { readonly kind: 'add'; readonly word: string; readonly by: string }
  | { readonly kind: 'undo'; readonly by: string; readonly mayManage: boolean }
  | { readonly kind: 'hint'; readonly by: string }
  | { readonly kind: 'stop'; readonly by: string; readonly mayManage: boolean };

/** Only `moved` changes the game. */
export type MoveResult =
  | { readonly outcome: 'moved'; readonly relay: Relay }
  | { readonly outcome: 'wrong'; readonly broken: Broken }
  | {
      readonly outcome:
        | 'used'
        | 'dead-end'
        | 'not-your-turn'
        | 'full'
        | 'nothing-to-undo'
        | 'not-yours'
        | 'over';
    };

/** The solver's judgement of words in the order they are played. */
export type Check = (words: readonly string[]) => Pick<CheckResult, 'words' | 'solved' | 'isDeadEnd'>;

export function startRelay(game: Pick<Relay, 'about' | 'board' | 'turns' | 'startedBy'>, now: number): Relay {
  return { ...game, startedAt: now, legs: [], hints: 0, timesOutAt: now + TIMEOUT };
}

/** How the game has ended by now, including by timeout; undefined while it is on. */
export function endOf(relay: Relay, now: number): RelayEnd | undefined {
  return relay.end ?? (now >= relay.timesOutAt ? 'timed-out' : undefined);
}

/**
 * Makes one move of one person.
 *
 * @example move(relay, { kind: 'add', word: 'forum', by: '5' }, now, check).outcome // 'moved'
 */
export function move(relay: Relay, requested: Move, now: number, check: Check): MoveResult {
  if (endOf(relay, now) !== undefined) return { outcome: 'over' };
  const extended = { ...relay, timesOutAt: now + TIMEOUT };
  switch (requested.kind) {
    case 'add':
      return add(extended, requested, check);
    case 'undo':
      return undo(extended, requested);
    case 'hint':
      return { outcome: 'moved', relay: { ...extended, hints: relay.hints + 1 } };
    case 'stop':
      return mayEnd(relay, requested)
        ? { outcome: 'moved', relay: { ...relay, end: 'stopped' } }
        : { outcome: 'not-yours' };
  }
}

function add(relay: Relay, { word, by }: Extract<Move, { kind: 'add' }>, check: Check): MoveResult {
  const words = wordsOf(relay);
  if (relay.turns && relay.legs.at(-1)?.by === by) return { outcome: 'not-your-turn' };
  if (words.includes(word)) return { outcome: 'used' };
  if (words.length >= MAX_WORDS) return { outcome: 'full' };
  const result = check([...words, word]);
  const broken = result.words.at(-1)?.broken;
  if (broken !== undefined) return { outcome: 'wrong', broken };
  if (result.isDeadEnd) return { outcome: 'dead-end' };
  const legs = [...relay.legs, { word, by }];
  return { outcome: 'moved', relay: { ...relay, legs, ...(result.solved && { end: 'solved' as const }) } };
}

/** The last word may be taken back by the person who added it, by the person who started the game, and by managers. */
function undo(relay: Relay, { by, mayManage }: Extract<Move, { kind: 'undo' }>): MoveResult {
  const last = relay.legs.at(-1);
  if (last === undefined) return { outcome: 'nothing-to-undo' };
  if (last.by !== by && relay.startedBy !== by && !mayManage) return { outcome: 'not-yours' };
  return { outcome: 'moved', relay: { ...relay, legs: relay.legs.slice(0, -1) } };
}

function mayEnd(relay: Relay, { by, mayManage }: { by: string; mayManage: boolean }): boolean {
  return mayManage || peopleOf(relay).includes(by);
}

export function wordsOf({ legs }: Pick<Relay, 'legs'>): string[] {
  return legs.map(({ word }) => word);
}

/** Everyone who takes part: the person who started it and all who added a word. */
export function peopleOf({ startedBy, legs }: Pick<Relay, 'startedBy' | 'legs'>): string[] {
  return [...new Set([startedBy, ...legs.map(({ by }) => by)])];
}
