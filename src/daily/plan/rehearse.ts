import { THREAD_STEPS, type ThreadStep } from '../../answers/thread-steps.ts';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Store } from '../../store/store.ts';
import type { Messages } from '../delivery/messages.ts';
import { parseStored } from '../settings/settings.ts';
import { forecast } from './forecast.ts';
import { Schedules } from './schedule.ts';

/** A message as it would be posted. */
export interface Rehearsed {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  /** Those it contains. */
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** Every message that would be posted at a moment, without posting or storing anything. */
export async function rehearse(
  store: Store,
  messages: Messages,
  puzzleFor: (date: PuzzleDate, asker: ChannelRef) => Promise<Puzzle>,
  at: number,
): Promise<Rehearsed[]> {
  const due = (await forecast(store, at, at)).filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(due, ({ tenant, channel, date }) => JSON.stringify([tenant, channel, date]));
  const schedules = new Schedules();
  const rehearsed: Rehearsed[] = [];
  for (const [{ tenant, channel, date }, steps] of Array.from(
    days.values(),
    (all) => [all[0]!, all] as const,
  )) {
    const ref = { tenant, channel };
    const subscription = await store.tenant(tenant).subscriptions.get(channel);
    const puzzle = await puzzleFor(date, ref);
    const add = (included: readonly string[], reply: Reply) =>
      rehearsed.push({ channel: ref, date, steps: included, reply });
    if (steps.some(({ step }) => step === 'opening')) {
      const day = schedules.of(parseStored(subscription?.settings), date);
      add(['opening'], messages.opening(puzzle, day, day.opensAt));
    }
    const inThread: ThreadStep[] = THREAD_STEPS.filter((step) => steps.some((one) => one.step === step));
    if (inThread.length > 0) add(inThread, await messages.steps(puzzle, inThread));
  }
  return rehearsed;
}
