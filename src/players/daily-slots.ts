import { postKey } from '../daily/delivery/post-key.ts';
import type { App } from '../dispatch/contract.ts';

/** What people start for everybody, and whose it is: so many a day. */
export interface Slots {
  readonly tenant: string;
  readonly what: 'relay' | 'board';
  /** Such as `person 123`. */
  readonly whose: string;
  readonly most: number;
}

/** Takes the first free one of so many slots of the puzzle's day, which the database gives to one process only. */
export async function takeDailySlot(app: App, { tenant, what, whose, most }: Slots): Promise<boolean> {
  const now = app.clock.now();
  const date = app.puzzles.dateAt(now);
  const { to } = app.puzzles.spanOf(date);
  for (let slot = 1; slot <= most; slot++) {
    const key = postKey({ tenant, channel: whose, date, step: `${what} ${slot}` });
    if (await app.store.events.mark(`${what}:${key}`, now, to)) return true;
  }
  return false;
}
