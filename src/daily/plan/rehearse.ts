import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Puzzle, PuzzleDate } from '../../puzzle/types.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Store } from '../../store/types.ts';
import type { Messages } from '../delivery/messages.ts';
import { parseStored } from '../settings/settings.ts';
import { THREAD_STEPS, type ThreadStep } from '../types.ts';
import { forecast } from './forecast.ts';
import { scheduleOf } from './schedule.ts';

/** A message as it would be posted. */
export interface Rehearsed {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  /** Those it tells. */
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** Every message that would be posted at a moment, without posting or writing down anything. */
export async function rehearse(
  store: Store,
  messages: Messages,
  puzzleFor: (date: PuzzleDate, asker: ChannelRef) => Promise<Puzzle>,
  at: number,
): Promise<Rehearsed[]> {
  const due = (await forecast(store, at, at)).filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(due, ({ tenant, channel, date }) => JSON.stringify([tenant, channel, date]));
  const rehearsed: Rehearsed[] = [];
  for (const [{ tenant, channel, date }, steps] of Array.from(
    days.values(),
    (all) => [all[0]!, all] as const,
  )) {
    const channelRef = { tenant, channel };
    const row = await store.tenant(tenant).subscriptions.get(channel);
    const puzzle = await puzzleFor(date, channelRef);
    const add = (told: readonly string[], reply: Reply) =>
      rehearsed.push({ channel: channelRef, date, steps: told, reply });
    if (steps.some(({ step }) => step === 'opening')) {
      add(['opening'], messages.opening(puzzle, scheduleOf(parseStored(row?.settings), date)));
    }
    const told: ThreadStep[] = THREAD_STEPS.filter((step) => steps.some((one) => one.step === step));
    if (told.length > 0) add(told, await messages.steps(puzzle, told));
  }
  return rehearsed;
}
