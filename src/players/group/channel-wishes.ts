import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { parseStored, type StoredSettings } from '../../daily/settings/settings.ts';
import { weekdayOf } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';

const SATURDAY = 6;

/** What a channel has chosen that its reviews keep to. */
export interface ReviewSettings {
  /** Whether people are named. */
  readonly names: boolean;
  /** Dates without a thread here, which break no streak. */
  readonly isOff: (date: PuzzleDate) => boolean;
}

export function reviewSettingsOf({
  names,
  weekends,
}: Pick<StoredSettings, 'names' | 'weekends'>): ReviewSettings {
  return { names, isOff: (date: PuzzleDate) => !weekends && weekdayOf(date) >= SATURDAY };
}

/** The same of a channel, with or without a daily thread. */
export async function reviewSettings(
  store: Pick<Store, 'tenant'>,
  { tenant, channel }: ChannelRef,
): Promise<ReviewSettings> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  return reviewSettingsOf(parseStored(subscription?.settings ?? {}));
}
