import type { ChannelRef } from '../../core/channel-ref.ts';
import { postKey } from '../../daily/delivery/post-key.ts';
import type { Store } from '../../store/store.ts';
import type { Result } from '../../store/tables/result-row.ts';

type Shareable = Pick<Result, 'person' | 'date' | 'words' | 'letters' | 'hints'>;

/** The key under which a result is posted in a day's thread: a better result of the day has another, and so has another format. */
export function shareKey({ tenant, channel }: ChannelRef, result: Shareable, format?: string): string {
  const { person, date, words, letters, hints } = result;
  const what = [person, words, letters, hints, ...(format === undefined ? [] : [format])];
  return postKey({ tenant, channel, date, step: `share ${JSON.stringify(what)}` });
}

/** The event that is recorded when a result is shared. */
export function shareEvent(key: string): string {
  return `share:${key}`;
}

/** Whether somebody has shared this very result in the thread of its day. */
export function isShared(
  { events }: Pick<Store, 'events'>,
  channel: ChannelRef,
  result: Shareable,
  now: number,
): Promise<boolean> {
  return events.has(shareEvent(shareKey(channel, result)), now);
}
