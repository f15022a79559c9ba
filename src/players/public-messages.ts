import { postKey } from '../daily/delivery/record.ts';
import type { App, Request } from '../dispatch/contract.ts';

/** Whether what people start here, such as a relay, gets a message for everybody. Then answers are for the asker alone. */
export function hasPublicMessages({ door, where }: Pick<Request, 'door' | 'where'>, app: App): boolean {
  return !where.direct && app.posterOf(door) !== undefined;
}

/** How many messages for everybody people may start in a day. */
export interface DailyLimits {
  readonly what: 'relay' | 'board';
  readonly perPerson: number;
  readonly perChannel: number;
}

/** Counts one more for the asker and for the channel, or for neither; says whose limit is reached, if one is. */
export async function takeDailySlot(
  { who, where }: Pick<Request, 'who' | 'where'>,
  { store, clock, puzzles }: App,
  { what, perPerson, perChannel }: DailyLimits,
): Promise<'person' | 'channel' | undefined> {
  const now = clock.now();
  const date = puzzles.dateAt(now);
  const slots = (whose: string, most: number) =>
    Array.from({ length: most }, (_, slot) => {
      const step = `${what} ${slot + 1}`;
      return `${what}:${postKey({ tenant: where.tenant, channel: whose, date, step })}`;
    });
  const full = await store.events.markEach(
    [slots(`person ${who.id}`, perPerson), slots(`channel ${where.channel}`, perChannel)],
    now,
    puzzles.spanOf(date).to,
  );
  return full === undefined ? undefined : full === 0 ? 'person' : 'channel';
}
