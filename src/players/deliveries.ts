import type { Deliverer } from '../daily/delivery/attempt.ts';
import type { App } from '../dispatch/contract.ts';
import { huntDeliveries } from './hunt/card.ts';
import { madeBoardDeliveries } from './made-boards/message.ts';
import { relayDeliveries } from './relay/moves.ts';

/** What happens without anybody asking to boards that people make, to relays and to hunts. */
export function deliveriesOfPlayers(app: App): Record<string, Deliverer> {
  return { ...madeBoardDeliveries(app), ...relayDeliveries(app), ...huntDeliveries(app) };
}
