import { postKey } from '../daily/delivery/post-key.ts';
import type { App, Request } from '../dispatch/contract.ts';

/** Whether what people start here, such as a relay, gets a message for everybody. Then answers are for the asker alone. */
export function hasPublicMessages({ door, where }: Pick<Request, 'door' | 'where'>, app: App): boolean {
  return !where.direct && app.posterOf(door) !== undefined;
}

/** How many of something people may start for everybody in a day. */
export interface DailyLimits {
  readonly what: 'relay' | 'board';
  readonly perPerson: number;
  readonly perChannel: number;
}

/** Counts one more for the asker and for the channel; says whose limit is reached, if one is. */
export async function takeDailySlot(
  { who, where }: Pick<Request, 'who' | 'where'>,
  app: App,
  { what, perPerson, perChannel }: DailyLimits,
): Promise<'person' | 'channel' | undefined> {
  const { tenant, channel } = where;
  if (!(await take(app, { tenant, what, whose: `person ${who.id}`, most: perPerson }))) return 'person';
  if (!(await take(app, { tenant, what, whose: `channel ${channel}`, most: perChannel }))) return 'channel';
  return undefined;
}

/** Takes the first free one of so many slots of the puzzle's day, which the database gives to one process only. */
async function take(
  { store, clock, puzzles }: App,
  { tenant, what, whose, most }: { tenant: string; what: string; whose: string; most: number },
): Promise<boolean> {
  const now = clock.now();
  const date = puzzles.dateAt(now);
  const { to } = puzzles.spanOf(date);
  for (let slot = 1; slot <= most; slot++) {
    const key = postKey({ tenant, channel: whose, date, step: `${what} ${slot}` });
    if (await store.events.mark(`${what}:${key}`, now, to)) return true;
  }
  return false;
}
