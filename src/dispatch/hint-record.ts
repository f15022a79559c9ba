/**
 * The record of which facts about boards each person was shown; no other module writes it. A fact counts once, when it is
 * shown or opened, by whatever request. Facts that everybody may read, such as the steps of a channel's thread, cost nobody
 * anything.
 */

import type { DoorName } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import { boardKey, dayAmong, isSameBoard, type Puzzle } from '../puzzle/types.ts';
import { type AskerRef, digestOf, identityOf } from '../reply/model/action.ts';
import {
  type BoardFacts,
  FACTS,
  type Fact,
  HINT_STEPS,
  type HintStep,
  stepsOf,
} from '../reply/model/facts.ts';
import { factsRevealedBy, present } from '../reply/model/text.ts';
import type { Reply } from '../reply/model/types.ts';
import { lettersIn } from '../solver/bits.ts';
import { judgeWords } from '../solver/check.ts';
import type { Store } from '../store/store.ts';
import type { JobAsker } from '../work/job.ts';
import type { App, Asker, ReadingApp } from './contract.ts';

/** Whether hidden parts of an answer count when it is sent: its door can't tell when they are opened, or shows them at once. */
export const CHARGES_HIDDEN: Readonly<Record<DoorName, boolean>> = {
  discord: true,
  slack: false,
  web: false,
  terminal: true,
};

/**
 * The prefix of facts that everybody may open. They cost nothing, but are recorded: if somebody opens a shared solution and
 * solves the board afterwards, their result says so.
 */
const SHARED_PREFIX = 'shared-';

type RecordingApp = Pick<App, 'store' | 'clock' | 'limits' | 'puzzles' | 'work'>;

/**
 * What counts as read once a reply is sent: what is open, what the request opens, and where nobody reports it all that is hidden.
 * What everybody may read costs nobody.
 */
export function factsAsSent(
  asker: Pick<Asker, 'door' | 'opens'>,
  reply: Pick<Reply, 'blocks' | 'audience' | 'reveals'>,
): readonly (BoardFacts | undefined)[] {
  if (reply.audience === 'everyone') return [];
  const { open, hidden } = factsRevealedBy(reply);
  const { opens = CHARGES_HIDDEN[asker.door] ? 'all' : [] } = asker;
  const opened = opens === 'all' ? hidden : hidden.filter((_, number) => opens.includes(number));
  return [...open, ...opened];
}

/** Records facts that somebody read, unless `hintRecording` is `off`. */
export async function recordFacts(
  { who, where, hintRecording = 'own' }: Pick<Asker, 'who' | 'where' | 'hintRecording'>,
  app: RecordingApp,
  shown: readonly (BoardFacts | undefined)[],
): Promise<void> {
  if (hintRecording === 'off') return;
  const { store, clock, limits, puzzles } = app;
  const isShared = hintRecording === 'shared';
  const { hints } = store.tenant(where.tenant);
  const named = present(shown);
  let on: Promise<readonly Puzzle[]> | undefined;
  // They take several queries.
  const boardsOn = () => (on ??= puzzles.boardsOn(where));
  const ofDays = await factsOfDays(boardsOn, app, named, { who, where });
  const byCard = Map.groupBy([...ofDays, ...named], ({ board, card }) => `${boardKey(board.sides)} ${card}`);
  const at = clock.now();
  const most = limits.hintsPerPerson;
  const since = firstDayOn(at);
  for (const group of byCard.values()) {
    // Facts that name a date come first.
    const { board, date, card } = group[0]!;
    const facts = group.flatMap((one) => one.facts);
    if (facts.length === 0) continue;
    const key = boardKey(board.sides);
    const day = date ?? dayAmong(await boardsOn(), board);
    const puzzleKey = day === undefined ? key : `${day} ${key}`;
    const recorded = new Set(isShared ? facts.map((fact) => SHARED_PREFIX + fact) : facts);
    await hints.record(who.id, puzzleKey, [...recorded], { at, most, card, since });
  }
}

type Reader = Pick<Asker, 'who' | 'where'>;

/** The first day whose thread may be open: the thread of the day before stays open until the next one. */
function firstDayOn(now: number): PuzzleDate {
  return addDays(dateAt(now), -1);
}

/** The days whose boards may be on, as far as a person was told something about these boards. */
export function toldDays(
  { allPeople }: Pick<Store, 'allPeople'>,
  scope: string,
  person: string,
  now: number,
): Promise<PuzzleDate[]> {
  return allPeople.datesOfHints(scope, person, firstDayOn(now));
}

/** The key of the event that stays when a person erases what they were told about the board of a day that may be on. */
export function erasedHintsKey(person: AskerRef, date: PuzzleDate): Promise<string> {
  return digestOf(`hints of ${date} for ${identityOf(person)}`);
}

type ShownBoard = Pick<BoardFacts, 'board' | 'date'> & {
  /** Leaves out what was shown from this moment on. */
  readonly before?: number | undefined;
};

/** What somebody was shown about a board anywhere at a door, as a day's board or typed in any order of its letters. */
export interface HintRecord {
  /** The hints that count for a result; a solution counts as all of them. */
  readonly countedSteps: readonly HintStep[];
  readonly isSolutionSeen: boolean;
  /** The hints that hint cards have shown: messages that collect one person's hints, see `BoardFacts.card`. */
  readonly shownSteps: readonly HintStep[];
  /**
   * Those of them that are about the whole board, so that its next card shows them again. The others hold after some words, or
   * for everyday words alone.
   */
  readonly ownCardSteps: readonly HintStep[];
}

export async function readHintRecord(
  asker: Reader,
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
  { board, date, before }: ShownBoard,
): Promise<HintRecord> {
  const { who, where } = asker;
  const seen = await store.allPeople.factsSeen(where.tenant, who.id, boardKey(board.sides), { date, before });
  const shownSteps = HINT_STEPS.filter((step) => (seen.get(step) ?? 'none') !== 'none');
  const cards = { shownSteps, ownCardSteps: shownSteps.filter((step) => seen.get(step) === 'board') };
  const erased = date && (await store.events.markedUntil(await erasedHintsKey(asker, date), clock.now()));
  // Which facts they were is erased, so they count as all.
  if (erased !== undefined) return { ...cards, countedSteps: HINT_STEPS, isSolutionSeen: true };
  const isSolutionSeen = seen.has('solution') || seen.has(`${SHARED_PREFIX}solution`);
  return { ...cards, countedSteps: stepsOf(seen.keys()), isSolutionSeen };
}

/** The most boards on which first words are looked for: a server may have a typed one in each channel. */
const MAX_SEARCHED_BOARDS = 8;

/**
 * What words that were told about any boards give away about the boards of days that are on in a channel's tenant: they may
 * solve such a board, too, or one of them may begin one of its shortest solutions.
 *
 * @param boardsOn the boards of these days, see `PuzzleService`
 * @param asker who waits for it
 */
export async function factsOfDays(
  boardsOn: () => Promise<readonly Puzzle[]>,
  { puzzles, work }: Pick<App, 'puzzles' | 'work'>,
  shown: readonly BoardFacts[],
  asker: AskerRef | JobAsker,
): Promise<BoardFacts[]> {
  const telling = shown.filter(({ told }) => told !== undefined && told.chains.length > 0);
  if (telling.length === 0) return [];
  const found: BoardFacts[] = [];
  let searched = 0;
  for (const puzzle of await boardsOn()) {
    const { board, date } = puzzle;
    // Facts about a reply's own board are named where its text is made.
    const others = telling.filter((one) => !isSameBoard(one.board, board));
    const { facts, words } = tryOn(puzzle, others);
    const mayBegin = words.length > 0 && !facts.has('solution') && !facts.has('first');
    if (mayBegin && ++searched <= MAX_SEARCHED_BOARDS) {
      const source = await puzzles.wordSource(puzzle);
      const first = await work.run('beginnings', { board, source, words }, asker);
      if (first.length > 0) facts.add('first');
    }
    if (facts.size > 0) found.push({ board, date, facts: FACTS.filter((fact) => facts.has(fact)) });
  }
  return found;
}

/**
 * What words that were told about other boards tell about a board: facts of it, and the words that may begin one of its
 * solutions.
 */
export function tryOn(
  { board, dictionary }: Pick<Puzzle, 'board' | 'dictionary'>,
  shown: readonly Pick<BoardFacts, 'facts' | 'told'>[],
): { readonly facts: Set<Fact>; readonly words: readonly string[] } {
  const facts = new Set<Fact>();
  const words = new Set<string>();
  const letters = lettersIn(board.letters);
  // Our list, which chose the words, has some that the day's dictionary lacks.
  const isWord = (word: string) => dictionary === undefined || dictionary.some((one) => one.word === word);
  const judge = (chain: readonly string[]) => judgeWords(board, chain, isWord);
  for (const { facts: own, told } of shown) {
    const played = told?.after ?? [];
    const areNamed = own.includes('first') || own.includes('solution');
    // Words that solve this board, too, tell the same facts about it; if the words were named, they are its solution.
    const meant: readonly Fact[] = areNamed ? ['solution'] : own;
    for (const chain of told?.chains ?? []) {
      const all = [...played, ...chain];
      const masks = all.map(lettersIn);
      const solves = (from: number, end: number) => judge(all.slice(from, end)).solved;
      if (isPartSolution(masks, letters, played.length, solves)) for (const fact of meant) facts.add(fact);
      if (!areNamed) continue;
      const fitting = chain.filter((_, at) => !(masks[played.length + at]! & ~letters));
      for (const word of fitting) if (!judge([word]).words[0]?.broken) words.add(word);
    }
  }
  return { facts, words: [...words] };
}

/**
 * Whether some words in a row solve a board, with at least one after the first `played`, which the asker played themselves.
 *
 * @param masks the letters of each word, which rule most words out before `solves` judges them
 */
function isPartSolution(
  masks: readonly number[],
  letters: number,
  played: number,
  solves: (from: number, end: number) => boolean,
): boolean {
  return masks.some((_, from) => {
    let covered = 0;
    for (let at = from; at < masks.length && !(masks[at]! & ~letters); at++) {
      covered |= masks[at]!;
      if (covered === letters && at >= played && solves(from, at + 1)) return true;
    }
    return false;
  });
}
