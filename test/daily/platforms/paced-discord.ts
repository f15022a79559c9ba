/** What a process of the opening wave delivers with: Discord's own poster, whose pace is kept in the store. */
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Store } from '../../../src/store/store.ts';
import { fakePuzzleService, fakeSteps } from '../fakes.ts';
import { quiet } from '../ground.ts';
import type { DeliveryTools } from './platform.ts';

export interface PacedDiscord {
  readonly token: string;
  readonly apiUrl: string;
  readonly requestsPerSecond: number;
}

export async function makeTools(config: unknown, store: Store): Promise<DeliveryTools> {
  const app = { clock: Date, log: quiet, store } as unknown as App;
  const dispatcher = makeDispatcher(app, { commands: [] });
  const { poster } = new DiscordDoor({ app, dispatcher, ...(config as PacedDiscord) });
  return { posters: [poster], puzzles: fakePuzzleService(), answerSteps: fakeSteps() };
}
