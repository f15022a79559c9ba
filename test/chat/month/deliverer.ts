/** Delivers the days of the month: in the test's process, and in others that are killed. */
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { makeSlackDoor } from '../../../src/chat/slack/door.ts';
import { answerSteps } from '../../../src/daily/delivery/messages.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { dayReviews, playerHandlers } from '../../../src/players/reviews.ts';
import type { Store } from '../../../src/store/store.ts';
import type { DeliveryTools } from '../../daily/platforms/platform.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { pictures } from '../../fakes/pictures.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

export interface MonthConfig {
  readonly discord: { readonly token: string; readonly apiUrl: string };
  readonly slack: { readonly token: string; readonly apiUrl: string };
}

export async function makeTools(
  config: unknown,
  store: Store,
  clock: TestApp['clock'],
): Promise<DeliveryTools & { close(): Promise<void> }> {
  const { discord, slack } = config as MonthConfig;
  const { app, close } = await makeTestApp({ words: WORDS, house, store, clock });
  const dispatcher = makeDispatcher(app, { commands: [] });
  const { poster } = new DiscordDoor({ app, dispatcher, pictures, ...discord });
  const { poster: slackPoster } = makeSlackDoor({
    app,
    dispatcher,
    mode: { kind: 'http', signingSecrets: ['unused'] },
    workspaces: { kind: 'one', botToken: slack.token },
    apiUrl: slack.apiUrl,
    pictures,
  });
  return {
    puzzles: app.puzzles,
    answerSteps: answerSteps(app),
    posters: [poster, slackPoster!],
    reviews: dayReviews(app),
    handlers: playerHandlers(app),
    source: 'house',
    close,
  };
}
