import type { ChannelRef } from '../core/channel-ref.ts';
import type { Poster } from '../dispatch/poster.ts';
import type { Reply } from '../reply/model/types.ts';
import type { Store } from '../store/types.ts';
import { type DailyLog, noteLog } from './delivery/log.ts';
import { LACKING } from './delivery/notices.ts';

/** Leaves a place alone, and says so to whoever manages it: once, until something was posted there again. */
export async function suspend(
  tools: { readonly store: Store; readonly log: DailyLog; readonly now: () => number },
  poster: Poster,
  channel: ChannelRef,
  reason: string,
  notice: Reply,
): Promise<void> {
  const { subscriptions } = tools.store.tenant(channel.tenant);
  if (!(await subscriptions.setState(channel.channel, { state: 'resting', reason }))) return;
  tools.log.warn({ ...channel, reason }, 'the place refuses and rests');
  if (!(await subscriptions.claimNotice(channel.channel, tools.now()))) return;
  const subscription = await subscriptions.get(channel.channel);
  if (subscription?.setBy == null) return;
  await notifyQuietly(tools.log, poster, channel, subscription.setBy, notice);
}

/** A word to a person is a kindness: that it can't be delivered must not stop the day. */
export async function notifyQuietly(
  log: DailyLog,
  poster: Poster,
  channel: ChannelRef,
  person: string,
  notice: Reply,
): Promise<void> {
  try {
    if (!(await poster.tell(channel, person, notice)))
      log.info({ ...channel }, "whoever manages the place can't be told");
  } catch (error) {
    noteLog(log, error, { ...channel }, 'telling whoever manages the place failed');
  }
}

/**
 * Wakes a place that rests: called when someone runs a command there, and when nothing is lacking any
 * longer. What it was owed of the puzzle that is on is then due again. True if it rested.
 */
export async function reactivate(
  store: Store,
  { tenant, channel }: ChannelRef,
  now: number,
  today: string,
): Promise<boolean> {
  const { subscriptions, deliveries } = store.tenant(tenant);
  if (!(await subscriptions.reactivate(channel))) return false;
  for (const { step, state } of await deliveries.ofDay(channel, today)) {
    if (state === 'given-up') await deliveries.revive(channel, today, step, now);
  }
  return true;
}

/**
 * Whether asking the door can tell that a place is all right again: only if it was the door's own list of
 * what is missing that put it to rest. Others wait for someone to run a command there.
 */
export function isProbed(reason: string | null): boolean {
  return reason?.startsWith(LACKING) ?? false;
}
