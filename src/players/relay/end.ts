import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import type { Deliverer, Ending } from '../../daily/delivery/attempt.ts';
import type { App, DoorName } from '../../dispatch/contract.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { endTimedOut } from './context.ts';
import { endOf, type Relay } from './game.ts';
import { type RelayThread, readRelay } from './game-store.ts';
import { MessageUpdater } from './message.ts';

/** The step of a relay's end. */
const END_STEP = 'relay-end';
const DETAIL = v.object({ key: v.string(), startedAt: v.number() });
const OVER: Ending = { end: 'skipped', reason: { code: 'relay-over' } };

/** Plans the end of a game that nobody goes on with. With each move it comes later, which the delivery finds out. */
export async function planEnd(
  { store }: App,
  { tenant, key }: RelayThread,
  { startedAt, timesOutAt }: Relay,
): Promise<void> {
  const place = { tenant, channel: `${key} ${startedAt}`, date: dateAt(startedAt), step: END_STEP };
  await store.allDeliveries.plan([{ ...place, dueAt: timesOutAt, detail: { key, startedAt } }]);
}

/** Ends a game whose time is over, so that its message loses its buttons. What can't be read is ended by nobody. */
export function relayDeliveries(app: App): Record<string, Deliverer> {
  const updater = new MessageUpdater();
  return {
    async [END_STEP]({ claimed: { delivery }, poster }) {
      const { tenant } = delivery;
      const { key, startedAt } = v.parse(DETAIL, delivery.detail);
      const [channel = key] = key.split(' ');
      const thread = { tenant, channel, key, posted: undefined };
      const game = await readRelay(app, thread).catch((error: unknown) => {
        app.log.warn({ err: error, tenant }, 'A relay that timed out could not be ended.');
        return undefined;
      });
      if (game?.stored.message === undefined) return OVER;
      const { relay, message } = game.stored;
      if (relay.startedAt !== startedAt || relay.end !== undefined) return OVER;
      if (endOf(relay, app.clock.now()) === undefined) return { end: 'moved', to: relay.timesOutAt };
      const request = {
        door: poster.door as DoorName,
        who: { id: relay.startedBy, mayManage: false },
        where: { tenant, channel, direct: false },
        command: 'relay',
        options: {},
      };
      await endTimedOut({ app, request, updater, sleep: (pause) => setTimeout(pause) }, thread, game);
      return { end: 'sent', posted: message.posted };
    },
  };
}
