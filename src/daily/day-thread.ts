import type { PuzzleDate } from '../core/clock.ts';
import type { App, RequestChannel } from '../dispatch/contract.ts';
import type { Posted } from '../dispatch/poster.ts';
import { postedOf, recordOf } from './delivery/record.ts';
import { parseStored } from './settings/settings.ts';

/** The thread of a day in a channel, while it is open; undefined where there is none. */
export async function dayThread(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  date: PuzzleDate,
): Promise<Posted | undefined> {
  const { deliveries } = store.tenant(tenant);
  const opening = await deliveries.get(channel, date, 'opening');
  if (opening?.state !== 'sent') return undefined;
  const closing = await deliveries.get(channel, date, 'closing');
  return closing?.state === 'sent' ? undefined : postedOf(recordOf(opening, log));
}

/** Whether posts in the day's thread of a channel come without a push notification. */
export async function isQuiet(
  { store }: Pick<App, 'store'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
): Promise<boolean> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  return subscription !== undefined && parseStored(subscription.settings).quiet;
}

/** The id that requests have for the thread: on some platforms, it is that of its first message. */
export function threadId({ thread, message }: Posted): string | undefined {
  return thread ?? message;
}
