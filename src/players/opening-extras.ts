import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { OpeningContext } from '../daily/delivery/messages.ts';
import { StepStates, stillToCome } from '../daily/plan/plan.ts';
import { asOpened, opensOnWeekend, scheduleOf } from '../daily/plan/schedule.ts';
import { type DailySettings, readSubscription } from '../daily/settings/settings.ts';
import type { App } from '../dispatch/contract.ts';
import { addDays } from '../puzzle/calendar.ts';
import {
  type OpeningExtras,
  playersText,
  weekLine,
  yesterdayButton,
  yesterdayLine,
} from '../reply/replies/opening.ts';
import type { Streak } from '../reply/replies/stats.ts';
import { THREAD_STEPS } from '../reply/replies/thread-steps.ts';
import type { ReadingStore } from '../store/store.ts';
import { dayInChannel } from './results/own-result.ts';
import { channelDay, FIRST_DATE, periodOf, puzzleDays, standingsOf, streakOf } from './results/stats.ts';

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
  if (date === undefined || (await hasStepsElsewhere(app, { ...day, date }))) return { players };
  const results = lines.includes('yesterday') ? await channelDay(app, day, date) : [];
  const isYesterday = date === addDays(puzzle.date, -1);
  const streak = results.length > 0 ? (await channelStreak(app.store, { ...day, date })).current : 0;
  const week = periodOf('week', date);
  const isNewWeek = week.to < puzzle.date && lines.includes('week');
  const { channelResults } = app.store.tenant(day.tenant);
  const sums = isNewWeek ? await channelResults.sums(day.channel, week.from, week.to) : [];
  return {
    players,
    lines: [yesterdayLine({ date, isYesterday, results, names, streak }), weekLine(standingsOf(sums), names)],
    buttons: results.length > 0 ? [yesterdayButton({ date, isYesterday })] : [],
  };
}

type PastDay = Pick<OpeningContext, 'tenant' | 'channel' | 'now'> & {
  readonly date: NonNullable<OpeningContext['previousDate']>;
};

/** Whether a thread of the date in another channel of the tenant has steps to come, even if it is paused. */
async function hasStepsElsewhere({ store }: App, { tenant, channel, date, now }: PastDay): Promise<boolean> {
  const { deliveries, subscriptions } = store.tenant(tenant);
  const open = (await deliveries.openThreads()).filter((one) => one.date === date && one.channel !== channel);
  if (open.length === 0) return false;
  const steps = ['opening', ...THREAD_STEPS];
  const states = new StepStates(await store.allDeliveries.stepsIn(open, date, steps));
  const subscribed = new Map((await subscriptions.list()).map((one) => [one.channel, one]));
  return open.some((opening) => {
    const stored = subscribed.get(opening.channel);
    if (stored === undefined) return false;
    const subscription = { ...readSubscription(stored), state: 'active', until: null } as const;
    const thread = asOpened(scheduleOf(subscription.settings, date), opening.doneAt ?? now);
    return stillToCome({ now, subscription, stateOf: states.in(opening).stateOf }, thread).length > 0;
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
  const days = await store.tenant(tenant).channelResults.byDay(channel, FIRST_DATE, date);
  const known = [...(await puzzleDays(store))].filter(
    (one) => one <= date && (one === date || !isDayOff(settings, one)),
  );
  const solved = days.map((day) => day.date);
  // The day itself is over, so it breaks the streak if nobody solved it.
  return streakOf(solved, [...known, date], addDays(date, 1));
}

/** Whether a date has no thread in a channel, and so breaks no streak there. */
export function isDayOff(settings: DailySettings, date: PuzzleDate): boolean {
  return !settings.weekends && opensOnWeekend(settings, date);
}
