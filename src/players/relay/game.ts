import type { Broken, CheckResult } from '../../solver/check.ts';

/** A word and who added it. */
export interface Leg {
  readonly word: string;
  readonly by: string;
}

export const RELAY_ENDS = ['solved', 'stopped', 'timed-out'] as const;
export type RelayEnd = (typeof RELAY_ENDS)[number];

/** A game that people play together, one word each: plain data, changed only by the moves below. */
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
  /** Hints asked for along the way. */
  readonly hints: number;
  /** When it ends by itself, unless something happens before. */
  readonly restsAt: number;
  readonly end?: RelayEnd;
}

/** Without a move for so long, people have gone on to other things. */
export const PATIENCE = 6 * 60 * 60_000;
/** A path this long helps nobody; a word can be taken back. */
export const LONGEST = 20;

export type Move =
  | { readonly kind: 'add'; readonly word: string; readonly by: string }
  | { readonly kind: 'undo'; readonly by: string; readonly mayManage: boolean }
  | { readonly kind: 'hint'; readonly by: string }
  | { readonly kind: 'stop'; readonly by: string; readonly mayManage: boolean };

/** What a move came to. Only `moved` changes the game. */
export type Moved =
  | { readonly outcome: 'moved'; readonly relay: Relay; readonly taken?: string }
  | { readonly outcome: 'wrong'; readonly broken: Broken }
  | { readonly outcome: 'used' | 'not-your-turn' | 'full' | 'nothing-to-undo' | 'not-yours' | 'over' };

/** The solver's judgement of words in the order they are played. */
export type Check = (words: readonly string[]) => Pick<CheckResult, 'words' | 'solved'>;

export function startRelay(game: Pick<Relay, 'about' | 'board' | 'turns' | 'startedBy'>, now: number): Relay {
  return { ...game, startedAt: now, legs: [], hints: 0, restsAt: now + PATIENCE };
}

/** Whether it is over at this moment, be it that its time ran out. */
export function endOf(relay: Relay, now: number): RelayEnd | undefined {
  return relay.end ?? (now >= relay.restsAt ? 'timed-out' : undefined);
}

/**
 * One move of one person.
 *
 * @example move(relay, { kind: 'add', word: 'forum', by: '5' }, now, check).outcome // 'moved'
 */
export function move(relay: Relay, made: Move, now: number, check: Check): Moved {
  if (endOf(relay, now) !== undefined) return { outcome: 'over' };
  const going = { ...relay, restsAt: now + PATIENCE };
  switch (made.kind) {
    case 'add':
      return add(going, made, check);
    case 'undo':
      return undo(going, made);
    case 'hint':
      return { outcome: 'moved', relay: { ...going, hints: relay.hints + 1 } };
    case 'stop':
      return mayEnd(relay, made)
        ? { outcome: 'moved', relay: { ...relay, end: 'stopped' } }
        : { outcome: 'not-yours' };
  }
}

function add(relay: Relay, { word, by }: Extract<Move, { kind: 'add' }>, check: Check): Moved {
  const words = wordsOf(relay);
  if (relay.turns && relay.legs.at(-1)?.by === by) return { outcome: 'not-your-turn' };
  if (words.includes(word)) return { outcome: 'used' };
  if (words.length >= LONGEST) return { outcome: 'full' };
  const result = check([...words, word]);
  const broken = result.words.at(-1)?.broken;
  if (broken !== undefined) return { outcome: 'wrong', broken };
  const legs = [...relay.legs, { word, by }];
  return { outcome: 'moved', relay: { ...relay, legs, ...(result.solved && { end: 'solved' as const }) } };
}

/** The last word, by whoever added it; and by those who may end the game, lest it stand in everyone's way. */
function undo(relay: Relay, made: Extract<Move, { kind: 'undo' }>): Moved {
  const last = relay.legs.at(-1);
  if (last === undefined) return { outcome: 'nothing-to-undo' };
  if (last.by !== made.by && !(relay.startedBy === made.by || made.mayManage))
    return { outcome: 'not-yours' };
  return { outcome: 'moved', relay: { ...relay, legs: relay.legs.slice(0, -1) }, taken: last.word };
}

function mayEnd(relay: Relay, { by, mayManage }: { by: string; mayManage: boolean }): boolean {
  return mayManage || peopleOf(relay).includes(by);
}

export function wordsOf({ legs }: Pick<Relay, 'legs'>): string[] {
  return legs.map(({ word }) => word);
}

/** Everyone who has a part in it. */
export function peopleOf({ startedBy, legs }: Pick<Relay, 'startedBy' | 'legs'>): string[] {
  return [...new Set([startedBy, ...legs.map(({ by }) => by)])];
}
