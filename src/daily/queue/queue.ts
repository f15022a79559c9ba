import type { ClaimedDelivery } from '../../store/tables/delivery-row.ts';
import type { ClaimedGroup } from '../delivery/deliver.ts';

/** Hands ready deliveries to the doors of this process. */
export interface DeliveryQueue {
  start(): Promise<void>;
  /** Takes on nothing new and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** Something was planned: look now instead of later. */
  nudge(
    planned: readonly {
      readonly tenant: string;
      readonly channel: string;
      readonly date: string;
      readonly step: string;
    }[],
  ): void;
  /** Delivers until nothing is ready any longer. */
  runDue(): Promise<void>;
}

/** How much a door takes at once. */
export interface Pace {
  /** Deliveries under way at a time. */
  readonly concurrency: number;
  /** Deliveries begun in a second; doors keep their platform's own limits besides. */
  readonly perSecond?: number;
}

export const DEFAULT_PACE: Pace = { concurrency: 48 };

/** Steps of one place and day belong in one message; openings and closings stand alone. */
export function groupsOf(claimed: readonly ClaimedDelivery[]): ClaimedGroup[] {
  const groups = new Map<string, [ClaimedDelivery, ...ClaimedDelivery[]]>();
  for (const one of claimed) {
    const { tenant, channel, date, step } = one.lease;
    const alone = step === 'opening' || step === 'closing' ? step : '';
    const key = `${tenant}\n${channel}\n${date}\n${alone}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
