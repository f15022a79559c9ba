/**
 * The record of which facts about boards each person was shown; no other module writes it. A fact counts once, when it is
 * shown or opened, by whatever request. Facts that everybody may read, such as the steps of a channel's thread, cost nobody
 * anything.
 */

import { identityScope } from '../core/channel-ref.ts';
import { boardKey } from '../puzzle/types.ts';
import { type BoardFacts, HINT_STEPS, type HintStep, stepsOf } from '../reply/model/facts.ts';
import { factsRevealedBy } from '../reply/model/text.ts';
import type { Reply } from '../reply/model/types.ts';
import type { App, Asker, DoorName, ReadingApp } from './contract.ts';

/** Doors that report when somebody opens a hidden block. Discord doesn't, and the terminal shows hidden blocks at once. */
const REPORTS_OPENING: readonly DoorName[] = ['slack', 'web'];

/**
 * The prefix of facts that everybody may open. They cost nothing, but are recorded: if somebody opens a shared solution and
 * solves the board afterwards, their result says so.
 */
const SHARED_PREFIX = 'shared-';

/**
 * Records the facts in a reply that its asker has read or, where a door can't tell, may have read. Returns how many others
 * had read them before, as `recordFacts` does.
 */
export async function recordShownFacts(asker: Asker, app: App, reply: Reply): Promise<number | undefined> {
  if (reply.audience === 'everyone') return undefined;
  const { open, hidden } = factsRevealedBy(reply);
  const { opens = REPORTS_OPENING.includes(asker.door) ? [] : 'all' } = asker;
  const opened = hidden.filter((_, number) => opens === 'all' || opens.includes(number));
  return recordFacts(asker, app, [...open, ...opened]);
}

/**
 * Records facts that somebody read, unless nothing counts there. Returns how many others had read the last of these facts
 * before, if everybody may open it and it is new to this person.
 */
export async function recordFacts(
  { who, where, hintRecording = 'own' }: Pick<Asker, 'who' | 'where' | 'hintRecording'>,
  { store, clock, limits, puzzles }: Pick<App, 'store' | 'clock' | 'limits' | 'puzzles'>,
  shown: readonly (BoardFacts | undefined)[],
): Promise<number | undefined> {
  if (hintRecording === 'off') return undefined;
  const present = shown.filter((one) => one !== undefined && one.facts.length > 0) as readonly BoardFacts[];
  const byBoard = Map.groupBy(present, ({ board, card }) => `${boardKey(board.sides)} ${card}`);
  const { hints } = store.tenant(where.tenant);
  let others: number | undefined;
  for (const group of byBoard.values()) {
    const { board, date, card } = group[0]!;
    const day = date ?? (await puzzles.dayOf(board, where));
    const key = boardKey(board.sides);
    const puzzle = day === undefined ? key : `${day} ${key}`;
    const all = group.flatMap((one) => one.facts);
    const isShared = hintRecording === 'shared';
    const last = all.at(-1)!;
    if (isShared) others = await hints.seenByOthers(who.id, puzzle, [last, SHARED_PREFIX + last]);
    const facts = isShared ? all.map((fact) => SHARED_PREFIX + fact) : all;
    const rest = { at: clock.now(), most: limits.hintsPerPerson, card };
    await hints.record(who.id, puzzle, [...new Set(facts)], rest);
  }
  return others;
}

/** What somebody was shown about a board anywhere at a door, as a day's board or typed in any order of its letters. */
export interface HintRecord {
  /** The hints that count for a result; a solution counts as all of them. */
  readonly countedSteps: readonly HintStep[];
  /** Hints that hint cards have shown: messages that collect one person's hints, see `BoardFacts.card`. */
  readonly shownSteps: readonly HintStep[];
  /** Those of them that are about the whole board, so that its next card shows them again. */
  readonly ownCardSteps: readonly HintStep[];
  readonly isSolutionSeen: boolean;
}

export async function readHintRecord(
  { who, where }: Pick<Asker, 'who' | 'where'>,
  { store }: Pick<ReadingApp, 'store'>,
  { board, date }: Pick<BoardFacts, 'board' | 'date'>,
): Promise<HintRecord> {
  const key = boardKey(board.sides);
  const rows = await store.allPeople.factsSeen(identityScope(where.tenant), who.id, key, date);
  const shownOn = (...cards: readonly string[]) =>
    HINT_STEPS.filter((step) => rows.some((row) => row.step === step && cards.includes(row.card)));
  return {
    countedSteps: stepsOf(rows.map(({ step }) => step)),
    shownSteps: shownOn('board', 'other'),
    ownCardSteps: shownOn('board'),
    isSolutionSeen: rows.some(({ step }) => step === 'solution' || step === `${SHARED_PREFIX}solution`),
  };
}
