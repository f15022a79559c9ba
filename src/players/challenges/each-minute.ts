import { doorOf } from '../../core/channel-ref.ts';
import { MINUTE } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { readChallenge } from './challenge.ts';
import { closeEnded } from './close.ts';
import { postChallenge } from './post.ts';

/** Boards older than this are posted only if their maker asks again. */
const TAKEN_UP_FOR = 60 * MINUTE;

/** Posts what processes that have ended left half posted, where this process posts. */
export async function takeUpPosts(app: App): Promise<void> {
  const now = app.clock.now();
  for (const { tenant, ...stored } of await app.store.allTenants.halfPosted(now - TAKEN_UP_FOR, now)) {
    if (app.posterOf(doorOf(tenant)) === undefined) continue;
    await postChallenge(app, { tenant, channel: stored.channel }, readChallenge(stored), false);
  }
}

/** What is due for boards without anybody asking, each minute. Returns a function that ends it. */
export function updateBoardsEachMinute(app: App, doors: readonly string[]): () => void {
  const update = async () => {
    await takeUpPosts(app);
    for (const door of doors) await closeEnded(app, door);
  };
  const timer = setInterval(() => {
    update().catch((error: unknown) => {
      const line = 'boards that people made could not be posted or closed; the next minute tries again';
      app.log.error({ err: error }, line);
    });
  }, MINUTE);
  return () => clearInterval(timer);
}
