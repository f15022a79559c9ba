import type { Log } from '../../commands/types.ts';
import type { DeliveryEvent } from '../daily/deliver.ts';
import { doorOf } from '../store/tenant.ts';
import type { Fleet } from '../store/types.ts';
import { LATE, type Metrics } from './metrics.ts';

const MINUTE = 60_000;

/** Counts deliveries, and says aloud which are late: posted late, or still waiting. */
export class DeliveryWatch {
  readonly #metrics: Metrics;
  readonly #log: Log;
  /** Doors whose waiting has been told, by the moment the oldest was due. */
  readonly #told = new Map<string, number>();

  constructor(metrics: Metrics, log: Log) {
    this.#metrics = metrics;
    this.#log = log;
  }

  readonly delivered = (event: DeliveryEvent): void => {
    const { tenant, place, date, step, dueAt, attempts } = event.delivery;
    const { end } = event.ending;
    const door = doorOf(tenant);
    const isLate = this.#metrics.delivery(event, door);
    const fields = { door, tenant, place, date, step, end, attempts };
    const reason = 'reason' in event.ending ? { reason: event.ending.reason } : {};
    if (end === 'given-up') this.#log.error({ ...fields, ...reason }, 'a delivery was given up');
    else if (isLate) {
      const minutes = Math.round((event.at - dueAt) / MINUTE);
      this.#log.error({ ...fields, minutes }, `LATE: posted ${minutes} minutes after its time`);
    } else this.#log.info({ ...fields, ...reason }, 'delivery');
  };

  /** One line for each time that a door falls behind. */
  async lookForWaiting(fleet: Pick<Fleet, 'backlog'>, now: number): Promise<void> {
    const late = (await fleet.backlog()).filter(({ oldestDueAt }) => now - oldestDueAt >= LATE);
    for (const door of this.#told.keys()) {
      if (!late.some((one) => one.door === door)) this.#told.delete(door);
    }
    for (const { door, waiting, oldestDueAt } of late) {
      if (this.#told.get(door) === oldestDueAt) continue;
      this.#told.set(door, oldestDueAt);
      const minutes = Math.round((now - oldestDueAt) / MINUTE);
      this.#log.error(
        { door, waiting, minutes },
        `LATE: the oldest post that waits was due ${minutes} minutes ago`,
      );
    }
  }
}
