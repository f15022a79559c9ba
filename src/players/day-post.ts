/** The message that opens a day: what it says about how people play, and how it is kept up to date. */

import { type ChannelRef, doorOf } from '../core/channel-ref.ts';
import { HOUR, MINUTE, type PuzzleDate } from '../core/clock.ts';
import { dayOf, recordOf } from '../daily/day-thread.ts';
import type { Attempt, DeliveryHandlers, Ending } from '../daily/delivery/deliver.ts';
import { type DayReviews, dayPostOf, type OpeningContext } from '../daily/delivery/messages.ts';
import { isDayOff } from '../daily/plan/schedule.ts';
import { planSteps } from '../daily/plan/todo.ts';
import { type DailySettings, readSubscription } from '../daily/settings/settings.ts';
import type { App, Asker } from '../dispatch/contract.ts';
import { addDays } from '../puzzle/calendar.ts';
import { boardKey, dayGameKey } from '../puzzle/types.ts';
import type { Maybe } from '../reply/model/text.ts';
import type { Button, Line } from '../reply/model/types.ts';
import { dayBoardReply } from '../reply/replies/board.ts';
import {
  type OpeningExtras,
  playersText,
  weekLine,
  yesterdayButton,
  yesterdayLine,
} from '../reply/replies/opening.ts';
import type { Streak } from '../reply/replies/stats.ts';
import type { ReadingStore } from '../store/store.ts';
import { IDLE_CARD_CHECK_MS, planEarlyCard } from './hunt.ts';
import {
  channelDay,
  channelPuzzleDays,
  dayInChannel,
  periodOf,
  standingsOf,
  streakOf,
} from './results/stats.ts';

/** Makes what openings say about how people play. Failures are logged, so that the day opens anyway. */
export function beginDays(app: App): DayReviews['opening'] {
  return async (day) => {
    const { tenant, channel, puzzle } = day;
    try {
      const { channelResults, finds } = app.store.tenant(tenant);
      // Before the thread opens, people may have solved another board of this date, such as the house's: those results no
      // longer count.
      await channelResults.setBoard(channel, puzzle.date, boardKey(puzzle.board.sides));
      // In a hunt, people of the channel look for further solutions of the board. Some may have been found before the thread
      // opens: its card in the thread shows these, too.
      if ((await finds.ofBoard(channel, dayGameKey(puzzle))).length > 0) await planEarlyCard(app.store, day);
      return await makeOpeningExtras(app, day);
    } catch (error) {
      const fields = { tenant, channel, error: String(error) };
      app.log.warn(fields, 'a day opens without a word about the day before');
      return {};
    }
  };
}

/**
 * What an opening says about the day and the week before, and about who plays. It says nothing of a day whose thread in
 * another channel of the tenant has steps to come: results reveal in how few words the board can be solved. Hidden people
 * and late results are left out.
 */
export async function makeOpeningExtras(app: App, day: OpeningContext): Promise<OpeningExtras> {
  const { previousDate: date, puzzle, settings } = day;
  const { names, lines } = settings;
  const here = lines.includes('players') ? await dayInChannel(app, day, puzzle, day.now) : undefined;
  const players = here && playersText(here.players);
  if (date === undefined) return { players };
  const results = lines.includes('yesterday') ? await channelDay(app, day, date) : [];
  const { channelResults } = app.store.tenant(day.tenant);
  const calm = lines.includes('yesterday') ? (await channelResults.calmSolvers(day.channel, date)).length : 0;
  const week = periodOf('week', addDays(puzzle.date, -7));
  const isNewWeek = lines.includes('week') && date <= week.to;
  const isSolved = results.length + calm > 0;
  const isSilent = !isSolved && !isNewWeek;
  if (isSilent || (await hasStepsElsewhere(app, { ...day, date }))) return { players };
  const said: Maybe<Line>[] = [];
  const buttons: Button[] = [];
  if (isSolved) {
    const yesterday = { date, today: puzzle.date };
    const { current: streak } = await channelStreak(app.store, { ...day, date });
    said.push(yesterdayLine({ ...yesterday, results, calm, names, streak }));
    buttons.push(yesterdayButton(yesterday));
  }
  if (isNewWeek) {
    const sums = await channelResults.sums(day.channel, week.from, week.to);
    said.push(weekLine(standingsOf(sums), names));
  }
  return { players, lines: said, buttons };
}

type PastDay = Pick<OpeningContext, 'tenant' | 'channel' | 'now'> & {
  readonly date: NonNullable<OpeningContext['previousDate']>;
};

/** Whether a thread of the date in another channel of the tenant has steps to come, even if it is paused. */
async function hasStepsElsewhere(
  { store, log }: App,
  { tenant, channel, date, now }: PastDay,
): Promise<boolean> {
  const { deliveries, subscriptions } = store.tenant(tenant);
  const open = (await deliveries.openThreads()).filter((one) => one.date === date && one.channel !== channel);
  if (open.length === 0) return false;
  const subscribed = new Map((await subscriptions.list()).map((one) => [one.channel, one]));
  return open.some((row) => {
    const stored = subscribed.get(row.channel);
    if (stored === undefined) return false;
    const subscription = { ...readSubscription(stored), state: 'active', until: null } as const;
    const { coming } = planSteps({ day: dayOf(row, recordOf(row, log), now), subscription, now });
    return coming.length > 0;
  });
}

/** A channel and the last date that is counted. */
export interface ReviewedUntil extends ChannelRef {
  readonly date: PuzzleDate;
  readonly settings: DailySettings;
}

/**
 * A channel's streak: the days in a row, up to this one, on which somebody solved the board. Freezes save it on missed days, as
 * they save a person's.
 */
export async function channelStreak(
  store: ReadingStore,
  { tenant, channel, date, settings }: ReviewedUntil,
): Promise<Streak> {
  const solved = await store.tenant(tenant).channelResults.datesIn(channel, date);
  const known = [...(await channelPuzzleDays(store, { tenant, channel, settings }))].filter(
    (one) => one <= date && (one === date || !isDayOff(settings, one)),
  );
  // The streak is counted as of the next day: this one is over, and breaks the streak if nobody solved its board.
  return streakOf(solved, [...known, date], addDays(date, 1));
}

const KIND = 'players' as const;
/** Milliseconds between changes of a message: everything in between is shown together. */
const CHANGE_PAUSE_MS = MINUTE;
/** Milliseconds between changes of a message older than an hour: Discord takes about 30 changes an hour (error 30046). */
const OLD_CHANGE_PAUSE_MS = 3 * MINUTE;

/**
 * Plans to update the message of a day after somebody began or solved its board. If the channel has switched the line about
 * players off, or the day is closed, the delivery finds nothing to change.
 */
export async function planDayPost(
  { where }: Pick<Asker, 'where'>,
  app: App,
  date: PuzzleDate,
): Promise<void> {
  const { tenant, channel, direct } = where;
  if (direct || app.posterOf(doorOf(tenant)) === undefined) return;
  const { deliveries } = app.store.tenant(tenant);
  const day = await deliveries.day(channel, date);
  if (day === undefined || day.openedAt === null) return;
  const place = { channel, date, kind: KIND };
  const dueAt = nextChange(day.openedAt, Math.floor(app.clock.now()));
  const added = await app.store.allDeliveries.plan([{ tenant, ...place, dueAt }]);
  if (added.length === 0) await deliveries.bringForward(place, dueAt);
}

function nextChange(openedAt: number, now: number): number {
  return now + (now - openedAt < HOUR ? CHANGE_PAUSE_MS : OLD_CHANGE_PAUSE_MS);
}

export function dayPostHandlers(app: App) {
  return { [KIND]: { post: (attempt) => showPlayers(app, attempt) } } satisfies Partial<DeliveryHandlers>;
}

/** Updates the line about who plays in the message of a day, if it has changed. */
async function showPlayers(app: App, { claimed, poster, tools }: Attempt): Promise<Ending> {
  const { tenant, date } = claimed.lease;
  const channel = { tenant, channel: claimed.lease.channel };
  const current = () =>
    dayPostOf(app, { ...channel, date, now: tools.now() }, (day) => makeOpeningExtras(app, day));
  const post = await current();
  if (post === undefined) return { end: 'sent', posted: {} };
  const idle = { end: 'moved', to: tools.now() + IDLE_CARD_CHECK_MS } as const;
  const { players = '' } = post.extras;
  if (players === (claimed.record.players ?? '')) return idle;
  await poster.edit(channel, post.posted, post.reply, post.given);
  claimed.record = { ...claimed.record, players };
  const after = await current();
  if (after === undefined) {
    // The day was closed in the meantime, and its message must not look open again.
    await poster.edit(channel, post.posted, dayBoardReply(post.puzzle), post.given);
    return { end: 'sent', posted: {} };
  }
  const isBehind = (after.extras.players ?? '') !== players;
  return isBehind ? { end: 'moved', to: nextChange(after.openedAt, tools.now()) } : idle;
}
