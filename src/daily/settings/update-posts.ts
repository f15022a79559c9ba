import { THREAD_STEPS, type ThreadStep } from '../../answers/thread-steps.ts';
import { type ChannelRef, channelKey, doorOf } from '../../core/channel-ref.ts';
import { jobAskerOf } from '../../dispatch/board/topic.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Delivery } from '../../store/tables/delivery-row.ts';
import { unpin } from '../channel-puzzles.ts';
import { answerSteps, makeMessages, withNextStep } from '../delivery/messages.ts';
import { postedOf, recordOf } from '../delivery/record.ts';
import { asOpened, Schedules, type StepTime } from '../plan/schedule.ts';
import { parseStored } from './settings.ts';

/**
 * What is posted of a day that is on says when its steps come. When a person has changed the times, or ended or paused
 * the thread, those messages are changed: the one in the channel, and the last one in the thread. Best effort.
 */
export async function updatePosts(
  request: Request,
  app: App,
  channel = request.where.channel,
): Promise<void> {
  const ref = { tenant: request.where.tenant, channel };
  const poster = app.posterOf(doorOf(ref.tenant));
  if (poster === undefined) return;
  try {
    for (const [message, reply] of await changedPosts(request, app, ref))
      await poster.edit(ref, message, reply);
  } catch (error) {
    app.log.info(
      { channel: channelKey(ref), error: String(error) },
      'posts of a day could not be changed to its new times',
    );
  }
}

type ChangedPost = readonly [Parameters<Poster['edit']>[1], Reply];

async function changedPosts(request: Request, app: App, ref: ChannelRef): Promise<ChangedPost[]> {
  const { store, clock, log, puzzles } = app;
  const { subscriptions, deliveries } = store.tenant(ref.tenant);
  const subscription = await subscriptions.get(ref.channel);
  const now = clock.now();
  const today = puzzles.dateAt(now);
  // A thread may be open until the next puzzle's opens, on the day after.
  for (const date of subscription === undefined ? [] : [today, addDays(today, -1)]) {
    const rows = (await deliveries.ofDay(ref.channel, date)).filter(({ state }) => state === 'sent');
    const opening = rows.find(({ step }) => step === 'opening');
    if (opening === undefined) continue;
    const { puzzle: pin, ...sent } = recordOf(opening, log);
    const inChannel = postedOf(sent);
    const settings = parseStored(subscription!.settings);
    const day = asOpened(new Schedules().of(settings, date), opening.doneAt ?? now);
    if (pin === undefined || inChannel === undefined || now >= day.closesAt) return [];
    const puzzle = await unpin({ store, log }, pin);
    const { last, steps: posted } = postedSteps(rows, log);
    const isGoingOn = subscription!.state === 'active';
    const coming = isGoingOn ? day.steps.filter(({ step }) => !posted.includes(step)) : [];
    const steps = [...posted.map((step): StepTime => ({ step, dueAt: now, endsAt: now })), ...coming];
    const messages = makeMessages(answerSteps(app, jobAskerOf(request)));
    const changed: ChangedPost[] = [[inChannel, messages.opening(puzzle, { span: day.span, steps }, now)]];
    const inThread = last && postedOf(recordOf(last, log));
    if (inThread !== undefined) {
      const reply = await messages.steps(puzzle, stepsIn(last!, log));
      changed.push([inThread, withNextStep(reply, puzzle, { steps: coming }, now)]);
    }
    return changed;
  }
  return [];
}

/** The steps that are in the thread, and the row of its last message. */
function postedSteps(rows: readonly Delivery[], log: App['log']) {
  const inThread = rows.filter(({ step }) => THREAD_STEPS.some((known) => known === step));
  const last = inThread.toSorted((a, b) => (a.doneAt ?? 0) - (b.doneAt ?? 0)).at(-1);
  return { last, steps: inThread.flatMap((row) => stepsIn(row, log)) };
}

/** A message has a step of its own, and may have others. */
function stepsIn(row: Delivery, log: App['log']): ThreadStep[] {
  const names: readonly string[] = [row.step, ...(recordOf(row, log).merged ?? [])];
  return THREAD_STEPS.filter((step) => names.includes(step));
}
