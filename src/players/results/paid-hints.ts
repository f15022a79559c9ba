import type { PuzzleDate } from '../../core/clock.ts';
import { postedBy, recordOfDay, type StepEnds } from '../../daily/day-thread.ts';
import type { Asker, ReadingApp } from '../../dispatch/contract.ts';
import { CHARGES_HIDDEN, factsAsSent, type HintRecord, readHintRecord } from '../../dispatch/hint-record.ts';
import { spanOf } from '../../puzzle/calendar.ts';
import { isSameBoard, type Puzzle } from '../../puzzle/types.ts';
import { HINT_STEPS, type HintStep } from '../../reply/model/facts.ts';
import type { NamedBoard } from '../../reply/model/named-board.ts';
import { notes, present } from '../../reply/model/text.ts';
import type { Block, Reply } from '../../reply/model/types.ts';
import {
  type NextHint,
  nextStep,
  type PaidHints,
  type Prices,
  priceNote,
  priceOf,
  pricesOf,
} from '../../reply/replies/hint-steps.ts';
import type { Board } from '../../solver/types.ts';
import { endOf, madeBoardOn } from '../made-boards/made-board.ts';
import { ownResult } from './own-result.ts';
import { isSolvedOnItsDay } from './stats.ts';

/**
 * The hints of a board that count for the asker already. Undefined where no hint costs points: nothing is recorded, the thread here
 * has told the solution, or there is no result of this board that the asker may still get. A result that they only reported
 * gives way to one that they play.
 */
export async function paidHints(asker: Asker, app: ReadingApp, dated: DatedBoard): Promise<PaidHints> {
  return (await doHintsCount(asker, app, dated))
    ? (await readHintRecord(asker, app, dated)).countedSteps
    : undefined;
}

interface DatedBoard {
  readonly board: Board;
  /** The day whose board it is. */
  readonly date: PuzzleDate | undefined;
}

interface PricedBoard {
  readonly board: Board;
  /** The puzzle of the day whose board it is, where that is known. */
  readonly puzzle?: { readonly date: PuzzleDate } | undefined;
}

/** Looks up which day has the board of a request that does not know, unless nothing counts there. */
async function datedBoard(
  { where, hintRecording }: Asker,
  { puzzles }: ReadingApp,
  { board, puzzle }: PricedBoard,
): Promise<DatedBoard> {
  if (puzzle !== undefined || hintRecording === 'off') return { board, date: puzzle?.date };
  return { board, date: await puzzles.knownDayOf(board, where) };
}

/** The same about the board of a request. */
export async function paidHintsOf(asker: Asker, app: ReadingApp, target: PricedBoard): Promise<PaidHints> {
  return paidHints(asker, app, await datedBoard(asker, app, target));
}

/** Whether hints still count for somebody who has solved a board: for a better result. */
export async function mayImprove(asker: Asker, app: ReadingApp, target: PricedBoard): Promise<boolean> {
  return doHintsCount(asker, app, await datedBoard(asker, app, target), { forBetter: true });
}

/** @param options.forBetter whether they count for a better result, too, where the asker has one already */
async function doHintsCount(
  asker: Asker,
  app: ReadingApp,
  { board, date, ends: known }: DatedBoard & { readonly ends?: StepEnds },
  { forBetter = false } = {},
): Promise<boolean> {
  const { who, where, hintRecording } = asker;
  if (hintRecording === 'off') return false;
  const now = app.clock.now();
  if (date !== undefined) {
    const ends = known ?? (await endsFor(asker, app, { board, date }));
    if (postedBy(ends, 'solution', now) !== undefined) return false;
    const own = await ownResult(asker, app, { date, board }, ends);
    if (own === undefined || own.result.reported === true) return true;
    return forBetter && (!isSolvedOnItsDay(own.result) || now < spanOf(date).to);
  }
  const madeBoard = await madeBoardOn(app, where, board);
  if (madeBoard === undefined || now >= endOf(madeBoard)) return false;
  if (forBetter) return true;
  const { madeBoards } = app.store.tenant(where.tenant);
  return (await madeBoards.resultOf(where.channel, madeBoard.key, who.id)) === undefined;
}

/** How the steps of a day's thread have ended if it is about this board: one that was typed may be of another channel's day. */
async function endsFor(
  { where }: Asker,
  { store }: ReadingApp,
  { board, date }: DatedBoard,
): Promise<StepEnds> {
  const { ends = {}, puzzle = board } = date === undefined ? {} : await recordOfDay(store, where, date);
  return isSameBoard(puzzle, board) ? ends : {};
}

/** What a reply about a board says of prices. */
export async function pricesFor(asker: Asker, app: ReadingApp, target: PricedBoard): Promise<Prices> {
  // Who opens a hidden part with this request is charged for it, at every door.
  const isOpening = (asker.opens ?? []).length > 0;
  return {
    paid: await paidHintsOf(asker, app, target),
    hiddenCharged: isOpening || CHARGES_HIDDEN[asker.door],
  };
}

/** What somebody knows of a board's hints: those in the thread of its day, those on their cards, and those that are paid. */
export interface KnownHints extends Pick<HintRecord, 'shownSteps' | 'ownCardSteps'> {
  readonly inThread: readonly HintStep[];
  readonly paid: PaidHints;
}

export async function knownHints(asker: Asker, app: ReadingApp, target: PricedBoard): Promise<KnownHints> {
  const dated = await datedBoard(asker, app, target);
  const record = await readHintRecord(asker, app, dated);
  const ends = await endsFor(asker, app, dated);
  const inThread = HINT_STEPS.filter((step) => ends[step]?.state === 'sent');
  const paid = (await doHintsCount(asker, app, { ...dated, ends })) ? record.countedSteps : undefined;
  return { ...record, inThread, paid };
}

/**
 * The hint that a press of *Hint* shows, after words or about the whole board, and what the solution costs; undefined where hints
 * cost nothing.
 */
export async function nextHintFor(
  asker: Asker,
  app: ReadingApp,
  { board, date }: NamedBoard,
  played: readonly string[] = [],
): Promise<NextHintPriced | undefined> {
  if (asker.hintRecording === 'off') return undefined;
  return nextHintOf(await knownHints(asker, app, { board, puzzle: date && { date } }), played);
}

type NextHintPriced = NextHint & { readonly solutionPoints: number };

export function nextHintOf(
  { paid, ownCardSteps, inThread }: KnownHints,
  played: readonly string[],
): NextHintPriced | undefined {
  if (paid === undefined) return undefined;
  const step = nextStep([...ownCardSteps, ...inThread], played);
  return { step, points: priceOf([step], paid), solutionPoints: priceOf(['solution'], paid) };
}

/** A private answer with steps of a day: the price of each is on its label or, where they count as they are sent, above them. */
export async function withStepPrices(
  asker: Asker,
  app: ReadingApp,
  puzzle: Puzzle,
  reply: Reply,
): Promise<Reply> {
  const paid = await paidHintsOf(asker, app, { board: puzzle.board, puzzle });
  const open = present(factsAsSent(asker, reply)).flatMap(({ facts }) => facts);
  const blocks = reply.blocks.map((block): Block => {
    if (block.kind !== 'spoiler') return block;
    const hidden = block.reveals?.facts ?? [];
    const { priceLabel } = pricesOf({ paid, hiddenCharged: false }, { open, hidden });
    return { ...block, label: block.label + priceLabel };
  });
  const note = CHARGES_HIDDEN[asker.door] && priceNote(priceOf(open, paid));
  return { ...reply, blocks: [...notes(note), ...blocks] };
}
