import { answerSteps } from '../../src/daily/delivery/messages.ts';
import type { App } from '../../src/dispatch/contract.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { playerHandlers } from '../../src/players/reviews.ts';
import { testDaily } from '../daily/ground.ts';

/** Delivers what is due by the app's clock, as a process does that posts with this poster. */
export function deliverDue(app: App, poster: Poster): Promise<void> {
  const { store, puzzles, log, clock } = app;
  return testDaily({
    store,
    puzzles,
    log,
    clock,
    posters: [poster],
    answerSteps: answerSteps(app),
    handlers: playerHandlers(app),
  }).runDue();
}
