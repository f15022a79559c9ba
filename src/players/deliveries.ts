import type { Deliverer } from '../daily/delivery/attempt.ts';
import type { App } from '../dispatch/contract.ts';
import { huntDeliveries } from './hunt/card.ts';
import { madeBoardDeliveries } from './made-boards/message.ts';
import { relayDeliveries } from './relay/moves.ts';

/** The deliveries of boards that people make, of relays and of hunts, which nobody asks for. */
export function deliveriesOfPlayers(app: App): Record<string, Deliverer> {
  return { ...madeBoardDeliveries(app), ...relayDeliveries(app), ...huntDeliveries(app) };
}
