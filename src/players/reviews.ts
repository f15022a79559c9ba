import type { PuzzleDate } from '../core/clock.ts';
import { grouped } from '../core/text.ts';
import { endsOfDay, postedBy } from '../daily/day-thread.ts';
import type { DeliveryHandlers } from '../daily/delivery/deliver.ts';
import {
  type ClosingContext,
  type ClosingReview,
  DAILY_ASKER,
  type DayReviews,
} from '../daily/delivery/messages.ts';
import { isDayOff } from '../daily/plan/schedule.ts';
import type { DailySettings } from '../daily/settings/settings.ts';
import type { App, ReadingApp } from '../dispatch/contract.ts';
import { addDays, spanOf, weekdayOf } from '../puzzle/calendar.ts';
import { dayGameKey } from '../puzzle/types.ts';
import { present } from '../reply/model/text.ts';
import type { Block, Inline, Line } from '../reply/model/types.ts';
import {
  dayReviewBlocks,
  hardestDay,
  type MonthReview,
  monthReviewBlocks,
} from '../reply/replies/channel-reviews.ts';
import type { Recap } from '../reply/replies/chosen-solutions.ts';
import { type ClosingRemark, closingRemark } from '../reply/replies/closing-line.ts';
import { huntOfWeekBlocks } from '../reply/replies/hunt.ts';
import { daysText } from '../reply/replies/result-line.ts';
import type { Standing } from '../reply/replies/standings.ts';
import type { Find } from '../store/tables/games.ts';
import type { ChannelResults } from '../store/tables/results.ts';
import { beginDays, channelStreak, dayPostHandlers, type ReviewedUntil } from './day-post.ts';
import { huntHandlers, huntIn, huntsOfWeek, rarestWord, wordsOf } from './hunt.ts';
import { madeBoardHandlers } from './made-boards/make.ts';
import { raceHandlers } from './race/moves.ts';
import { relayHandlers } from './relay/moves.ts';
import { publicTitles } from './results/own-result.ts';
import {
  channelDay,
  channelPuzzleDays,
  periodOf,
  type RankedResult,
  standingsIn,
  standingsOf,
  streakOf,
} from './results/stats.ts';

/** The most paths to draw side by side. */
const MAX_DRAWN_PATHS = 3;

/** The deliveries of made boards, relays, races, hunts and the line about who plays, which run without a request. */
export function playerHandlers(app: App): DeliveryHandlers {
  return {
    ...madeBoardHandlers(app),
    ...relayHandlers(app),
    ...raceHandlers(app),
    ...huntHandlers(app),
    ...dayPostHandlers(app),
  };
}

/** What the daily thread says about how people play. Before an opening is posted, what the day needs is set up, too. */
export function dayReviews(app: App): DayReviews {
  return {
    closing: (day) => reviewOf(app, day),
    opening: beginDays(app),
  };
}

/**
 * How a day went in a channel, for the last message of its thread; after the last day of a month also how the month went.
 * Hidden people and late results are left out.
 */
async function reviewOf(app: App, day: ClosingContext): Promise<ClosingReview> {
  const { store } = app;
  const { tenant, channel, date, settings, now } = day;
  const { names } = settings;
  const { channelResults } = store.tenant(tenant);
  /** The best first. */
  const counting = await channelDay(app, day, date);
  const calm = await channelResults.calmSolvers(channel, date);
  const beforeSolution = counting.filter(({ afterSolution }) => !afterSolution);
  const solutions = [...new Set(beforeSolution.flatMap(({ solution }) => solution ?? []))];
  const isOver = now >= spanOf(date).to;
  const months: Block[] = [];
  for (const month of day.months) {
    const review = await monthReview(app, { ...day, date: periodOf('month', month).to });
    // A closing says of its day whether anybody solved it; a month without results has nothing to add.
    if (review.solved > 0) months.push(...monthReviewBlocks(review));
  }
  const isLast = isLastOfWeek(settings, date);
  const recap = isOver ? await recapOf(app, day, solutions) : undefined;
  const hunt =
    isOver && day.puzzle ? await huntIn(store, day, { board: dayGameKey(day.puzzle), date }) : undefined;
  const remark = isOver
    ? await remarkOf(app, day, { results: counting, finds: hunt?.finds, recap, hasCalm: calm.length > 0 })
    : undefined;
  const titles =
    day.puzzle && (await publicTitles(app, { ...day, asker: DAILY_ASKER }, day.puzzle, counting));
  const bestOfEach = [...Map.groupBy(counting, ({ solution }) => solution).values()].map(([best]) => best!);
  const blocks = [
    ...dayReviewBlocks({
      remark: remark?.isSecret ? undefined : remark?.line,
      line: dayLine(
        counting.length + calm.length,
        isLast ? await weekOf(channelResults, channel, date, names) : [],
      ),
      // Titles, such as “Virtuoso”, are there once they may be shown.
      results: counting.map((result) => ({ ...result, title: titles?.get(result.person) })),
      calm,
      names,
      streak: await channelStreak(store, day),
      solutions: solutions.length,
      recap: remark?.isSecret ? { ...recap, told: remark.line } : recap,
      // Paths are of different solutions, the best first, and show neither letters nor names.
      paths: isOver ? present(bestOfEach.map(({ path }) => path)).slice(0, MAX_DRAWN_PATHS) : [],
      board: day.puzzle?.board,
      hunt,
    }),
    ...(isLast ? huntOfWeekBlocks(await huntsOfWeek(store, day, periodOf('week', date)), names) : []),
    ...months,
  ];
  return { blocks, remarkKind: remark?.kind };
}

interface PlayedThere {
  readonly results: readonly RankedResult[];
  readonly finds: readonly Find[] | undefined;
  readonly recap: Recap | undefined;
  readonly hasCalm: boolean;
}

async function remarkOf(
  { lexicon, store }: App,
  { date, tenant, channel, settings, puzzle, heard }: ClosingContext,
  { results, finds = [], recap, hasCalm }: PlayedThere,
): Promise<ClosingRemark | undefined> {
  if (puzzle === undefined) return undefined;
  const openedAt = postedBy(await endsOfDay(store, { tenant, channel }, date), 'opening');
  const findsBy = Map.groupBy(finds, ({ person }) => person);
  const withFirstTimes = results.map((best) => {
    const findTimes = (findsBy.get(best.person) ?? []).map(({ foundAt }) => foundAt);
    const firstSolvedAt = Math.min(best.solvedAt, ...findTimes);
    return {
      ...best,
      solvedAt: firstSolvedAt,
      sinceOpening: openedAt === undefined ? null : Math.max(0, firstSolvedAt - openedAt),
    };
  });
  return closingRemark({
    heard,
    likelihoodOf: (word) => lexicon.find(word)?.likelihood ?? 0,
    finds: finds.map((find) => ({ person: find.person, words: wordsOf(find) })),
    results: withFirstTimes,
    hasCalm,
    names: settings.names,
    to: spanOf(date).to,
    spots: puzzle.board.letters.length,
    par: puzzle.par,
    answer: recap?.answer,
    isPick: recap?.isPick,
    seed: `${channel} ${date}`,
  });
}

/** Undefined after a failure: a search that takes too long must not stop the rest of the message. */
async function recapOf(
  { log, work, puzzles }: App,
  { puzzle, tenant, channel, date }: ClosingContext,
  found: readonly string[],
): Promise<Recap | undefined> {
  if (puzzle === undefined) return undefined;
  try {
    const source = await puzzles.wordSource(puzzle);
    return await work.run('recap', { board: puzzle.board, source, found }, DAILY_ASKER);
  } catch (error) {
    log.warn({ tenant, channel, date, error: String(error) }, 'a day is closed without its answer');
    return undefined;
  }
}

const MONDAY = 1;
/** The ranks of a week or month that are named, and the most people to name. */
const MAX_RANK = 3;
const MAX_NAMES = 5;

const leadersOf = (standings: readonly Standing[]) =>
  standings.filter(({ rank }) => rank <= MAX_RANK).slice(0, MAX_NAMES);

/** How many people solved the board and, after the last day of a week, who was best in the week. Undefined if there is neither. */
function dayLine(solvers: number, week: readonly Inline[]): Line | undefined {
  const solved = solvers === 1 ? 'One person solved it.' : `${grouped(solvers)} people solved it.`;
  if (solvers === 0) return week.length === 0 ? undefined : week;
  return week.length === 0 ? [solved] : [solved, ' ', ...week];
}

async function weekOf(
  channelResults: ChannelResults,
  channel: string,
  date: PuzzleDate,
  names: boolean,
): Promise<Inline[]> {
  const { from, to } = periodOf('week', date);
  const leading = leadersOf(standingsOf(await channelResults.sums(channel, from, to)));
  if (leading.length === 0) return [];
  // Without names only the best is told: further ranks depend on the number of words, too, which is not shown.
  if (!names) return [`Best of this week: ${daysText(leading[0]!)}.`];
  const named = leading.flatMap(({ rank, person, ...days }, index): Inline[] => [
    `${index === 0 ? '' : ', '}${rank}. `,
    { person },
    ` (${daysText(days)})`,
  ]);
  return ['Best of the week: ', ...named, '.'];
}

function isLastOfWeek(settings: DailySettings, date: PuzzleDate): boolean {
  const next = addDays(date, 1);
  return weekdayOf(next) === MONDAY || (isDayOff(settings, next) && isLastOfWeek(settings, next));
}

/** How a month went in a channel, up to a date. Hidden people and late results are left out. */
export async function monthReview(
  { store, lexicon }: Pick<ReadingApp, 'store' | 'lexicon'>,
  { tenant, channel, date, settings, now }: ReviewedUntil & { readonly now: number },
): Promise<MonthReview> {
  const { channelResults } = store.tenant(tenant);
  const { from } = periodOf('month', date);
  const days = new Map((await channelResults.byDay(channel, from, date)).map((day) => [day.date, day]));
  const known = await channelPuzzleDays(store, { tenant, channel, settings });
  const dates: PuzzleDate[] = [];
  for (let one = from; one <= date; one = addDays(one, 1)) dates.push(one);
  const counted = dates.filter((one) => days.has(one) || (known.has(one) && !isDayOff(settings, one)));
  const standings = await standingsIn(store, { tenant, channel }, { from, to: date }, now);
  const { frozen } = await channelStreak(store, { tenant, channel, date, settings });
  const shown = dates.map((one) => {
    const day = days.get(one) ?? { date: one, people: 0, ranked: 0, words: 0 };
    // The words that a board took are told once its day is over.
    return now < spanOf(one).to ? { ...day, ranked: 0, words: 0 } : day;
  });
  const hardest = hardestDay(shown);
  const [best, ...others] = hardest ? await channelDay({ store }, { tenant, channel }, hardest.date) : [];
  const isChecked = best !== undefined && !best.reported && !best.afterSolution;
  const isAlone =
    isChecked &&
    others.every(({ words }) => best.words < words) &&
    (await channelResults.calmSolvers(channel, best.date)).length === 0;
  return {
    from,
    days: shown,
    rarest: await rarestWord({ store, lexicon }, { tenant, channel }, { from, to: date, now }),
    aloneOnHardest: isAlone ? best : undefined,
    boards: counted.length,
    solved: days.size,
    // Freezes are earned over all months, and `frozen` has the days that they saved.
    longest: streakOf(days.keys(), counted, addDays(date, 1), { skipped: frozen, mostFreezes: 0 }).longest,
    people: standings.length + (await channelResults.calmSolvers(channel, from, date)).length,
    best: leadersOf(standings),
    names: settings.names,
  };
}
