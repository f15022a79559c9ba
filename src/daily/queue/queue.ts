import { channelKey } from '../../core/channel-ref.ts';
import type { ClaimedDelivery, DeliveryKey } from '../../store/tables/delivery-row.ts';
import type { ClaimedGroup } from '../delivery/deliver.ts';

/** Claims deliveries that are due and delivers them through the doors of this process. */
export interface DeliveryQueue {
  start(): Promise<void>;
  /** Starts nothing new and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** Reports new deliveries, so that the queue looks for work at once and not only at its next turn. */
  notify(planned: readonly DeliveryKey[]): void;
  /** Delivers until nothing is ready any longer. */
  runDue(): Promise<void>;
}

/** How fast a door delivers. */
export interface Pace {
  /** Deliveries under way at a time. */
  readonly concurrency: number;
  /** Deliveries begun in a second, in addition to the platform's own limits, which the door observes. */
  readonly perSecond?: number;
}

export const DEFAULT_PACE: Pace = { concurrency: 48 };

/** Groups the steps of one channel and day, which become one message. Openings and closings are groups of their own. */
export function groupsOf(claimed: readonly ClaimedDelivery[]): ClaimedGroup[] {
  const groups = new Map<string, [ClaimedDelivery, ...ClaimedDelivery[]]>();
  for (const one of claimed) {
    const { date, step } = one.lease;
    const isAlone = step === 'opening' || step === 'closing';
    const key = channelKey(one.lease, date, isAlone ? step : '');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
