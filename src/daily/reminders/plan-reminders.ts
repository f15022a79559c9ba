import { Temporal } from 'temporal-polyfill';
import { HOUR } from '../../core/clock.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryKey, NewDelivery } from '../../store/tables/delivery-row.ts';
import { personChannel, REMINDER_STEP, type Reminder } from '../../store/tables/reminders.ts';
import { momentAt } from '../settings/clock-time.ts';
import type { ClockTime } from '../types.ts';

/** A reminder that comes later than this after its time, as after a downtime, is left out. */
export const LATEST = 2 * HOUR;
/** No reminder is planned further ahead, except by a clock that was set back since. */
const FAR = 49 * HOUR;
/** Reminders that are read at a time, and how often in one tick. */
const MOST_AT_ONCE = 500;
const MOST_TIMES = 40;

/**
 * The first moment after another at which clocks in a zone show a time. A time that daylight saving skips comes right
 * after the gap; one that occurs twice counts once.
 *
 * @example nextReminder('19:00', 'Europe/Berlin', Date.UTC(2026, 10, 20, 18)) // the next day's, since it is 19:00 there
 */
export function nextReminder(at: string, zone: string, after: number): number {
  let day = Temporal.Instant.fromEpochMilliseconds(Math.floor(after)).toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const moment = momentAt(day, at as ClockTime, zone);
    if (moment > after) return moment;
    day = day.add({ days: 1 });
  }
}

/**
 * Adds a delivery for each reminder whose moment has come, and moves the reminder on. The delivery's key has the date of
 * the puzzle that is on, so that nobody is reminded of a board twice: neither when a process ends in between, nor
 * when two plan at once, nor in the nights in which clocks change.
 */
export async function planReminders(store: Store, now: number): Promise<DeliveryKey[]> {
  const planned: DeliveryKey[] = [];
  for (let time = 0; time < MOST_TIMES; time++) {
    const due = await store.allReminders.due(now, now + FAR, MOST_AT_ONCE);
    const timely = due.filter(({ nextAt }) => nextAt <= now && now < nextAt + LATEST);
    for (const key of await store.allDeliveries.plan(timely.map(deliveryOf))) planned.push(key);
    for (const reminder of due)
      await store.allReminders.advance(reminder, nextReminder(reminder.at, reminder.zone, now));
    if (due.length < MOST_AT_ONCE) break;
  }
  return planned;
}

function deliveryOf({ tenant, person, nextAt }: Reminder): NewDelivery {
  return {
    tenant,
    channel: personChannel(person),
    date: dateAt(nextAt),
    step: REMINDER_STEP,
    dueAt: nextAt,
    detail: { person },
  };
}
