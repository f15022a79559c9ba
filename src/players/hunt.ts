import * as v from 'valibot';
import { type ChannelRef, doorOf } from '../core/channel-ref.ts';
import { DAY, MINUTE, type PuzzleDate, SECOND } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { dayThread, endsOfDay, postedBy, postedOf, postKey } from '../daily/day-thread.ts';
import { type Attempt, beginPost, type DeliveryHandlers, type Ending } from '../daily/delivery/deliver.ts';
import { answerSteps, type OpeningContext } from '../daily/delivery/messages.ts';
import { settingsOf } from '../daily/settings/settings.ts';
import { settingsUnlessHeld } from '../daily/suspension.ts';
import type { App, Asker, ReadingApp } from '../dispatch/contract.ts';
import type { Posted } from '../dispatch/poster.ts';
import type { Target } from '../dispatch/target.ts';
import { addDays, dateAt, spanOf } from '../puzzle/calendar.ts';
import { dateSchema } from '../puzzle/repository.ts';
import { dayGameKey, parseDayGameKey } from '../puzzle/types.ts';
import { sidesOption } from '../reply/model/named-board.ts';
import type { Reply } from '../reply/model/types.ts';
import type { MonthReview } from '../reply/replies/channel-reviews.ts';
import {
  type HuntInChannel,
  type HuntOfWeek,
  type HuntProgress,
  huntCardReply,
  progressOf,
} from '../reply/replies/hunt.ts';
import type { ReadingStore, Store } from '../store/store.ts';
import type { Find } from '../store/tables/games.ts';
import { KEPT_MS } from '../store/tables/tenants.ts';
import { isSuitable } from '../wordlists/offensive-words.ts';
import { endOf, madeBoardOn, readMadeBoard } from './made-boards/made-board.ts';

/** The solutions that can be found on a board, as lists of words. */
type SolutionList = readonly (readonly string[])[];

const solutionOf = (words: readonly string[]) => words.join(' ');
export const wordsOf = ({ solution }: Pick<Find, 'solution'>) => solution.split(' ');

/** The key of the solutions to find on a day's board that was typed, until its source has confirmed the board. */
const typedKey = (board: string) => `${board} typed`;

async function storedSolutions(
  { hunts }: Pick<ReadingStore, 'hunts'>,
  board: string,
): Promise<SolutionList | undefined> {
  return (await hunts.get(board)) ?? hunts.get(typedKey(board));
}

/** Plans the card of a hunt before the day's thread opens. Called only if somebody has found a solution by then. */
export async function planEarlyCard(
  store: Store,
  { tenant, channel, puzzle, now }: OpeningContext,
): Promise<void> {
  const card = { channel, board: dayGameKey(puzzle), date: puzzle.date };
  await plan(store, tenant, card, Math.floor(now) + CARD_EDIT_INTERVAL_MS);
}

/**
 * How the hunt on a board goes in a channel. Undefined if nobody has found anything.
 *
 * @param date of a day's board: what was found after it does not count; left out for one that somebody made
 */
export async function huntIn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  { board, date }: Pick<Hunt, 'board' | 'date'>,
): Promise<(HuntInChannel & { readonly finds: readonly Find[] }) | undefined> {
  const solutions = await storedSolutions(store, board);
  const all = await store.tenant(tenant).finds.ofBoard(channel, board);
  const finds = date === undefined ? all : onItsDay(all, date);
  return solutions === undefined || finds.length === 0
    ? undefined
    : { ...summarize(solutions, finds), solutions, finds };
}

function onItsDay(finds: readonly Find[], date: PuzzleDate): Find[] {
  const { to } = spanOf(date);
  return finds.filter(({ foundAt }) => foundAt < to);
}

/** @param finds on one board, the earliest first */
function summarize(solutions: SolutionList, finds: readonly Find[]): Omit<HuntInChannel, 'solutions'> {
  const listed = new Set(solutions.map(solutionOf));
  const found = Map.groupBy(finds, ({ solution }) => solution);
  const ours = [...found].filter(([solution]) => listed.has(solution));
  const firsts = Map.groupBy(ours, ([, [first]]) => first!.person);
  return {
    found: ours.map(([solution]) => solution),
    others: found.size - ours.length,
    firsts: [...firsts]
      .map(([person, { length: count }]) => ({ person, count }))
      .sort((a, b) => b.count - a.count || (a.person < b.person ? -1 : 1)),
  };
}

/** The boards of some days, each with its finds. Those of a whole month are too many to read at once in a busy channel. */
async function* boardsFoundOn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  { from, to }: { readonly from: PuzzleDate; readonly to: PuzzleDate },
): AsyncGenerator<[board: string, finds: Find[]]> {
  const { finds } = store.tenant(tenant);
  for (let date = from; date <= to; date = addDays(date, 1))
    yield* Map.groupBy(await finds.ofDay(channel, date), ({ board }) => board);
}

/**
 * The least known word of those that only one person found on the boards of some days: it is the least likely to be accepted.
 * Days that are not over are left out. Undefined once finds of these days are deleted: somebody else may have found it, too.
 */
export async function rarestWord(
  { store, lexicon }: Pick<ReadingApp, 'store' | 'lexicon'>,
  channel: ChannelRef,
  { from, to, now }: { readonly from: PuzzleDate; readonly to: PuzzleDate; readonly now: number },
): Promise<NonNullable<MonthReview['rarest']> | undefined> {
  if (spanOf(from).from <= now - KEPT_MS.finds) return undefined;
  /** The only find with each word; undefined for a word of several people. */
  const finders = new Map<string, Find | undefined>();
  for await (const [board, finds] of boardsFoundOn(store, channel, { from, to })) {
    const { date } = parseDayGameKey(board);
    if (spanOf(date).to > now) continue;
    for (const find of onItsDay(finds, date)) {
      for (const word of wordsOf(find)) {
        const isOther = finders.has(word) && finders.get(word)?.person !== find.person;
        finders.set(word, isOther ? undefined : find);
      }
    }
  }
  let rarest: NonNullable<MonthReview['rarest']> | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [word, find] of finders) {
    const likelihood = lexicon.find(word)?.likelihood ?? 0;
    if (find === undefined || likelihood >= least || !isSuitable(word)) continue;
    const { date, sides } = parseDayGameKey(find.board);
    least = likelihood;
    rarest = { word, date, person: find.person, board: { sides } };
  }
  return rarest;
}

/** The hunts of a week's days in a channel. Undefined if nobody has found anything. */
export async function huntsOfWeek(
  store: ReadingStore,
  channel: ChannelRef,
  week: { readonly from: PuzzleDate; readonly to: PuzzleDate },
): Promise<HuntOfWeek | undefined> {
  const counts = new Map<string, number>();
  const complete: PuzzleDate[] = [];
  let rarest: HuntOfWeek['rarest'];
  for await (const [board, found] of boardsFoundOn(store, channel, week)) {
    const solutions = await storedSolutions(store, board);
    if (solutions === undefined) continue;
    const order = solutions.map(solutionOf);
    const { date, sides } = parseDayGameKey(board);
    const finds = onItsDay(found, date);
    if (summarize(solutions, finds).found.length === solutions.length) complete.push(date);
    for (const [solution, [first, ...more]] of Map.groupBy(finds, (find) => find.solution)) {
      const place = order.indexOf(solution);
      if (place < 0) continue;
      for (const { person } of [first!, ...more]) counts.set(person, (counts.get(person) ?? 0) + 1);
      // The farther down the list a solution is, the fewer people know its words.
      if (more.length === 0 && place > (rarest?.place ?? -1))
        rarest = { place, date, person: first!.person, words: solutions[place]!, board: { sides } };
    }
  }
  const most = Math.max(0, ...counts.values());
  const people = [...counts].filter(([, finds]) => finds === most).map(([person]) => person);
  return most === 0
    ? undefined
    : { best: { people: people.sort(), finds: most }, complete: complete.sort(), rarest };
}

/** The hunt for solutions of a board: a day's, or one that somebody made for a channel. */
export interface Hunt {
  /**
   * The board's key in the store: `2026-03-01 ozu-nri-lfa-mbt` for a day's board (`dayGameKey`), and `afl bmt inr ouz` for a
   * board that somebody made (`boardKey`).
   */
  readonly board: string;
  /** Left out for a board that somebody made. */
  readonly date?: PuzzleDate;
  /** When somebody made the board; left out for a day's board. */
  readonly madeAt?: number;
  /** The solutions to find, in their order. */
  readonly solutions: SolutionList;
}

/**
 * The hunt of a board. Its solutions are stored when first needed, and fixed from then on, even if words are learned.
 *
 * @throws UserError where there is none
 */
export async function huntOf(asker: Asker, app: App, target: Target): Promise<Hunt> {
  const { puzzle, board, source } = target;
  const made = puzzle === undefined ? await madeBoardOn(app, asker.where, board) : undefined;
  const key = puzzle === undefined ? made?.key : dayGameKey(puzzle);
  if (key === undefined)
    throw new UserError(
      'hunt.board',
      'The hunt is on the board of a day, and on boards that people make here.',
    );
  const { hunts } = app.store;
  // A typed board's list is kept apart: once the newspaper confirms the board, its game may reject some of these words.
  const isTyped = puzzle?.source === 'hand';
  const known = await (isTyped ? storedSolutions(app.store, key) : hunts.get(key));
  const find = () => app.work.run('huntSolutions', { board, source }, asker);
  const solutions = known ?? (await hunts.keep(isTyped ? typedKey(key) : key, await find(), app.clock.now()));
  return { board: key, date: puzzle?.date, madeAt: made?.madeAt, solutions };
}

/** Whether this is the solution that the bot shows in the day's thread, and to anybody who asks for one. */
async function isShownSolution(
  asker: Asker,
  app: App,
  { puzzle }: Target,
  solution: string,
): Promise<boolean> {
  if (puzzle === undefined) return false;
  const { blocks } = await answerSteps(app, asker)(puzzle, ['solution']);
  return blocks
    .flatMap((block) => (block.kind === 'spoiler' ? (block.reveals?.told?.chains ?? []) : []))
    .some((words) => solutionOf(words) === solution);
}

/** Whether the closing of a past day has listed this solution in this channel as left to find. */
async function isListedAsLeft(
  { store, clock }: App,
  { tenant, channel }: ChannelRef,
  hunt: Hunt,
  solution: string,
): Promise<boolean> {
  const { date } = hunt;
  if (date === undefined || !hunt.solutions.some((words) => solutionOf(words) === solution)) return false;
  const closedAt = postedBy(await endsOfDay(store, { tenant, channel }, date), 'closing', clock.now());
  if (closedAt === undefined || closedAt < spanOf(date).to) return false;
  const here = await huntIn(store, { tenant, channel }, hunt);
  return here !== undefined && !here.found.includes(solution);
}

interface PlayedSolution {
  readonly words: readonly string[];
  /** Whether a day's solution had been shown before, to the person or in the day's thread. */
  readonly afterSolution?: true | undefined;
}

/** Records words that solve a board as found by the asker in this channel, each solution once. */
export async function recordFind(
  asker: Asker,
  app: App,
  target: Target,
  { words, afterSolution }: PlayedSolution,
): Promise<HuntProgress> {
  const { where, who } = asker;
  const solution = solutionOf(words);
  const hunt = await huntOf(asker, app, target);
  const before = await app.store.allPeople.findsOf(where.tenant, who.id, hunt.board);
  const isTold = async () =>
    (afterSolution && (await isShownSolution(asker, app, target, solution))) ||
    (await isListedAsLeft(app, where, hunt, solution));
  if (!before.includes(solution) && (await isTold()))
    return { ...progressOf({ ...hunt, finds: before }), isTold: true };
  const isAdded = await addFind(asker, app, hunt, solution);
  const finds = new Set([...before, solution]);
  return { ...progressOf({ ...hunt, finds: [...finds] }), isNew: isAdded && finds.size > before.length };
}

async function addFind(asker: Asker, app: App, hunt: Hunt, solution: string): Promise<boolean> {
  const { tenant, channel } = asker.where;
  const find = { person: asker.who.id, channel, board: hunt.board, solution, foundAt: app.clock.now() };
  const { finds, people } = app.store.tenant(tenant);
  const isAdded = await finds.add(find);
  // The card has no finds of people who hide or are calm. An empty card would tell that one of them has solved the board.
  if (isAdded && (await people.isRanked(asker.who.id))) await planCard(asker, app, hunt);
  return isAdded;
}

/** Records a solution from a result that somebody brings here, unless it was the day's, shown before they found it. */
export async function bringFind(
  asker: Asker,
  app: App,
  target: Target,
  played: PlayedSolution,
): Promise<void> {
  const solution = solutionOf(played.words);
  if (played.afterSolution && (await isShownSolution(asker, app, target, solution))) return;
  await addFind(asker, app, await huntOf(asker, app, target), solution);
}

const CARD_KIND = 'hunt';
/** Milliseconds between changes of a card: solutions found in between are shown together. */
const CARD_EDIT_INTERVAL_MS = 5 * SECOND;
/** Milliseconds until a day's message or hunt card is looked at although nobody played. Its delivery ends with its thread. */
export const IDLE_CARD_CHECK_MS = 2 * DAY;

const DETAIL = v.object({
  channel: v.string(),
  board: v.string(),
  date: v.exactOptional(dateSchema),
  madeAt: v.exactOptional(v.number()),
});
type CardOf = v.InferOutput<typeof DETAIL>;

/** Plans to show a new find on the card in the thread: it is posted with the first find, and changed with later ones. */
async function planCard(
  { where }: Asker,
  app: App,
  { board, date, madeAt }: Omit<Hunt, 'solutions'>,
): Promise<void> {
  const { tenant, channel } = where;
  if (app.posterOf(doorOf(tenant)) === undefined) return;
  const card = { channel, board, date, madeAt };
  if ((await threadOf(app, tenant, card)) === undefined && !(await isOpening(app, tenant, card))) return;
  const now = Math.floor(app.clock.now());
  const { place, isNew } = await plan(app.store, tenant, card, now);
  if (!isNew) await app.store.tenant(tenant).deliveries.bringForward(place, now + CARD_EDIT_INTERVAL_MS);
}

async function plan(store: Store, tenant: string, card: CardOf, dueAt: number) {
  const { channel, board, date, madeAt } = card;
  const place = {
    // A board that was removed and made again on the same day has a card of its own.
    channel: `${channel} ${madeAt === undefined ? board : `${board} ${madeAt}`}`,
    date: date ?? dateAt(madeAt ?? dueAt),
    kind: CARD_KIND,
  } as const;
  const planned = await store.allDeliveries.plan([{ tenant, ...place, dueAt, detail: card }]);
  return { place, isNew: planned.length > 0 };
}

/** The thread in which a board is played, while it is open. */
async function threadOf(
  app: App,
  tenant: string,
  { channel, board, date, madeAt }: CardOf,
): Promise<Posted | undefined> {
  if (date !== undefined) return dayThread(app, { tenant, channel }, date, board);
  const now = app.clock.now();
  const found = await app.store.tenant(tenant).madeBoards.get(channel, board, now);
  const made = found && readMadeBoard(found);
  return made !== undefined && made.madeAt === madeAt && now < endOf(made) ? made.posted : undefined;
}

/** Whether the thread of a day is still to be opened, in a minute or once the channel takes posts again. */
async function isOpening({ store, clock }: App, tenant: string, { channel, date }: CardOf): Promise<boolean> {
  const day = date && (await store.tenant(tenant).deliveries.day(channel, date));
  return (
    day !== undefined && day.openedAt === null && day.doneAt === null && clock.now() < spanOf(day.date).to
  );
}

export function huntHandlers(app: App) {
  return { [CARD_KIND]: (attempt) => showCard(app, attempt) } satisfies Partial<DeliveryHandlers>;
}

/**
 * Posts the card, or changes it in place. One delivery does this again and again: each time it moves itself
 * to its next look at the finds. It ends as sent once the board has no open thread (see `threadOf`).
 */
async function showCard(app: App, attempt: Attempt): Promise<Ending> {
  const { claimed, poster, tools } = attempt;
  const { tenant } = claimed.lease;
  const card = v.parse(DETAIL, claimed.delivery.detail);
  const channel = { tenant, channel: card.channel };
  const thread = await threadOf(app, tenant, card);
  if (thread === undefined && !(await isOpening(app, tenant, card))) return { end: 'sent', posted: {} };
  const settings = await (card.date === undefined
    ? settingsOf(app.store, channel)
    : settingsUnlessHeld(attempt, channel));
  if ('end' in settings) return settings;
  if (thread === undefined) return { end: 'moved', to: tools.now() + MINUTE };
  const { quiet, names } = settings;
  const { reply, finds } = await cardOf(app, channel, card, names);
  const posted = postedOf(claimed.record);
  if (posted?.message === undefined) {
    // `beginPost` also notes where it is.
    const post = await beginPost(attempt, { channel, reply, quiet, question: null });
    await poster.post({ ...post, thread });
  } else {
    await poster.edit(channel, posted, reply, {
      keys: [postKey({ ...claimed.lease, step: CARD_KIND })],
    });
  }
  const isBehind = (await cardOf(app, channel, card, names)).finds !== finds;
  return { end: 'moved', to: tools.now() + (isBehind ? CARD_EDIT_INTERVAL_MS : IDLE_CARD_CHECK_MS) };
}

async function cardOf(
  app: App,
  channel: ChannelRef,
  { board, date }: CardOf,
  names: boolean,
): Promise<{ reply: Reply; finds: number }> {
  const hunt = await huntIn(app.store, channel, { board, date });
  // The key of a board that somebody made is its sides.
  const options = date === undefined ? sidesOption({ sides: board.split(' ') }) : { date };
  return {
    reply: huntCardReply(hunt, { options, names }),
    finds: (hunt?.found.length ?? 0) + (hunt?.others ?? 0),
  };
}
