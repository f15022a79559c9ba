import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Posted } from '../../dispatch/poster.ts';
import { jobAskerOf, puzzleOf } from '../../dispatch/target.ts';
import { addDays } from '../../puzzle/calendar.ts';
import { remarkOn, remarkText } from '../../puzzle/remark.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { notes, toAsker } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { OpeningExtras } from '../../reply/replies/opening.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { postedOf, postKey, puzzleOfPin, recordOf } from '../day-thread.ts';
import { asOpened, Schedules } from '../plan/schedule.ts';
import { parseStored, settingsOf } from '../settings/settings.ts';
import type { OpeningContext } from './day-attempt.ts';
import {
  type AnnouncedThread,
  announcedThread,
  answerSteps,
  openingMessage,
  plannedThread,
} from './messages.ts';

/** Makes what the day's message says about how people play. */
export type MakeOpeningExtras = (day: OpeningContext) => Promise<OpeningExtras>;

/** Days to look back for the last thread: a weekend off, or a week's holiday. */
const LAST_THREAD_DAYS = 8;

/** Whether the thread of an earlier day is the one before this day's. */
export function isThreadBefore(last: Delivery | undefined, date: PuzzleDate): last is Delivery {
  return last !== undefined && last.date >= addDays(date, -LAST_THREAD_DAYS);
}

/** A day of a channel whose thread is open. */
export interface DayPost {
  readonly puzzle: Puzzle;
  readonly thread: AnnouncedThread;
  /** Its rows. */
  readonly rows: readonly Delivery[];
  readonly opening: Delivery;
  /** Its message in the channel. */
  readonly posted: Posted;
  readonly key: string;
  /** What the message is to say now. */
  readonly reply: Reply;
  readonly extras: OpeningExtras;
}

const schedules = new Schedules();

/** A channel's message of a day and what it should say now; undefined if there is none, or if its day is being closed. */
export async function dayPostOf(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel, date, now }: ChannelRef & { readonly date: PuzzleDate; readonly now: number },
  makeExtras: MakeOpeningExtras,
): Promise<DayPost | undefined> {
  const { subscriptions, deliveries } = store.tenant(tenant);
  const subscription = await subscriptions.get(channel);
  const rows = await deliveries.ofDay(channel, date);
  const opening = rows.find(({ step, state }) => step === 'opening' && state === 'sent');
  const isClosing = rows.some(({ step }) => step === 'closing');
  if (subscription === undefined || opening === undefined || isClosing) return undefined;
  const { puzzle: pin, remark, ...record } = recordOf(opening, log);
  const posted = postedOf(record);
  if (pin === undefined || posted === undefined) return undefined;
  const settings = parseStored(subscription.settings);
  const puzzle = await puzzleOfPin({ store, log }, pin);
  const day = asOpened(schedules.of(settings, date), opening.doneAt ?? now);
  const thread = announcedThread({ day, subscription: { ...subscription, settings }, rows, log, now });
  const [last] = await deliveries.lastSent(channel, 'opening', date, 1);
  const previousDate = isThreadBefore(last, date) ? last.date : undefined;
  const extras = await makeExtras({ tenant, channel, puzzle, settings, now, previousDate });
  const lines = [
    settings.lines.includes('board') && remarkText(puzzle.board, remark),
    ...(extras.lines ?? []),
  ];
  const reply = openingMessage(puzzle, thread, now, { ...extras, lines });
  const key = postKey({ tenant, channel, date, step: 'opening' });
  return { puzzle, thread, rows, opening, posted, key, reply, extras };
}

/** A whole day as this channel would get it, in one message, for the asker alone. */
export async function testDay(request: Request, app: App, makeExtras: MakeOpeningExtras): Promise<Reply> {
  const settings = await settingsOf(app.store, request.where);
  const puzzle = await puzzleOf(request, app);
  const answer = answerSteps(app, jobAskerOf(request));
  const day = schedules.of(settings, puzzle.date);
  const { tenant, channel } = request.where;
  const [last] = await app.store.tenant(tenant).deliveries.lastSent(channel, 'opening', puzzle.date, 1);
  const previousDate = last?.date;
  const extras = await makeExtras({ tenant, channel, puzzle, settings, now: app.clock.now(), previousDate });
  const lines = [settings.lines.includes('board') && remarkOn(puzzle.board)?.text, ...(extras.lines ?? [])];
  const opening = openingMessage(puzzle, plannedThread(day), day.opensAt, { ...extras, lines });
  const steps = settings.steps.map(({ step }) => step);
  const thread = steps.length === 0 ? [] : (await answer(puzzle, steps, 'asker')).blocks;
  const note = 'Only you see this. First the message in the channel, then all that follows in its thread.';
  return toAsker(`A test of the daily thread: ${opening.title}`, [notes(note), opening.blocks, thread], {
    rerun: { command: 'daily', options: { do: 'test', date: puzzle.date } },
  });
}
