import { doorOf } from '../../core/channel-ref.ts';
import { MINUTE } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { DeliveryEvent } from '../../daily/delivery/deliver.ts';
import { describeReason } from '../../daily/reasons.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import type { Store } from '../../store/store.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { LATE, type Metrics } from './metrics.ts';

/** A post that was due long ago, as in a channel just switched on, is sent within this time. */
const GRACE = 10 * MINUTE;

interface Waiting {
  readonly dueAt: number;
  /** When it was first found to have waited too long. */
  readonly since: number;
  isLogged: boolean;
}

/** Counts deliveries, and logs late ones as errors: posted late, or still waiting. */
export class DeliveryWatch {
  readonly #metrics: Metrics;
  readonly #store: Pick<Store, 'tenant' | 'allDeliveries'>;
  readonly #log: Log;
  /** By door, its oldest post that has waited too long. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(metrics: Metrics, store: Pick<Store, 'tenant' | 'allDeliveries'>, log: Log) {
    this.#metrics = metrics;
    this.#store = store;
    this.#log = log;
  }

  async delivered({ delivery, ending, at }: DeliveryEvent): Promise<void> {
    const { tenant, channel, date, step, attempts } = delivery;
    const door = doorOf(tenant);
    const fields = { door, tenant, channel, date, step, end: ending.end, attempts };
    const reason = 'reason' in ending ? { reason: describeReason(ending.reason) } : {};
    const lag = ending.end === 'sent' ? at - (await this.#dueSince(delivery, at)) : undefined;
    this.#metrics.delivery({ door, step, end: ending.end, lag });
    if (ending.end === 'given-up') this.#log.error({ ...fields, ...reason }, 'a delivery was given up');
    else if (lag !== undefined && lag >= LATE) {
      const minutes = Math.round(lag / MINUTE);
      this.#log.error({ ...fields, minutes }, `LATE: posted ${minutes} minutes after its time`);
    } else this.#log[waitsOn(delivery, ending) ? 'debug' : 'info']({ ...fields, ...reason }, 'delivery');
  }

  /**
   * A channel that was switched on at noon gets the morning's board at noon, which is not late; the same holds
   * for a step that was chosen only then. A delivery that was retried was due before, whatever was set since.
   */
  async #dueSince({ tenant, channel, dueAt, attempts }: Delivery, at: number): Promise<number> {
    if (at - dueAt < LATE) return dueAt;
    const found = await this.#store.tenant(tenant).subscriptions.get(channel);
    if (found === undefined) return dueAt;
    return Math.max(dueAt, attempts > 1 ? parseStored(found.settings).since : found.setAt);
  }

  /** Logs one line each time that a door falls behind. */
  async lookForWaiting(now: number): Promise<void> {
    const late = (await this.#store.allDeliveries.backlog(now)).filter(
      ({ oldestDueAt }) => now - oldestDueAt >= LATE,
    );
    for (const door of this.#waiting.keys()) {
      if (!late.some((one) => one.door === door)) this.#waiting.delete(door);
    }
    for (const { door, waiting, oldestDueAt: dueAt } of late) {
      const before = this.#waiting.get(door);
      const entry = before?.dueAt === dueAt ? before : { dueAt, since: now, isLogged: false };
      this.#waiting.set(door, entry);
      if (entry.isLogged || now - entry.since < GRACE) continue;
      entry.isLogged = true;
      const minutes = Math.round((now - dueAt) / MINUTE);
      this.#log.error(
        { door, waiting, minutes },
        `LATE: the oldest post that waits was due ${minutes} minutes ago`,
      );
    }
  }
}

/** A wait for the same reason as before. Of ten thousand channels that wait for the newspaper, it is news only once. */
function waitsOn({ reason }: Delivery, ending: DeliveryEvent['ending']): boolean {
  return ending.end === 'later' && reason?.code === ending.reason.code;
}
