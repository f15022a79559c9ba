import type { App, RequestChannel } from '../dispatch/contract.ts';
import type { Posted } from '../dispatch/poster.ts';
import { postedOf, recordOf } from './delivery/record.ts';

/** The thread of a day in a channel, while it is open; undefined where there is none. */
export async function dayThread(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  date: string,
): Promise<Posted | undefined> {
  const { deliveries } = store.tenant(tenant);
  const opening = await deliveries.get(channel, date, 'opening');
  if (opening?.state !== 'sent') return undefined;
  const closing = await deliveries.get(channel, date, 'closing');
  return closing?.state === 'sent' ? undefined : postedOf(recordOf(opening, log));
}

/** The id that requests have for the thread: on some platforms, it is that of its first message. */
export function threadId({ thread, message }: Posted): string | undefined {
  return thread ?? message;
}
