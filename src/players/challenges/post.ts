import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { threadId } from '../../daily/day-thread.ts';
import { postKey } from '../../daily/delivery/post-key.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { type Posted, PostFailure } from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import { challengeReply } from '../../reply/replies/challenge.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { shownOf, withoutHiddenMakers } from './show.ts';

/** For so long a process may take to post a board. Whatever it left half done is taken up after that. */
const POSTING = 2 * 60_000;

/**
 * `threadless`: posted, but its thread could not be opened; `unposted`: nothing was posted; `unknown`: nobody knows;
 * `taken`: another request is at it.
 */
export type PostOutcome = 'posted' | 'threadless' | 'unposted' | 'unknown' | 'taken';

/** Whether boards get a message and a thread here. Then answers are for the asker alone. */
export function canPost({ door, where }: Pick<Request, 'door' | 'where'>, app: App): boolean {
  return !where.direct && app.posterOf(door) !== undefined;
}

/**
 * Posts a board and opens its thread, both once: what an attempt before this one has posted is looked for first, and
 * only the rest is done.
 *
 * @param isNew whether nobody can have posted it before
 */
export async function postChallenge(
  app: App,
  { tenant, channel }: ChannelRef,
  challenge: Challenge,
  isNew: boolean,
): Promise<PostOutcome> {
  const door = doorOf(tenant);
  const { key, madeAt } = challenge;
  const { challenges } = app.store.tenant(tenant);
  const poster = app.posterOf(door);
  const now = app.clock.now();
  if (poster === undefined) return 'unposted';
  if (!(await challenges.claimPost(channel, key, now, now + POSTING))) return 'taken';
  // What another request has posted since this one read the board.
  const current = isNew ? undefined : await challenges.get(channel, key, now);
  let posted = current === undefined ? challenge.posted : readChallenge(current).posted;
  const note = async (known: Posted) => {
    posted = known;
    await challenges.notePosted(channel, key, known, threadId(known) ?? null);
    return true;
  };
  try {
    await note(
      await poster.open({
        channel: { tenant, channel },
        key: postKey({ tenant, channel, date: String(madeAt), step: `board ${key}` }),
        reply: await challengeMessage(app, tenant, challenge),
        posted,
        outcomeUnknown: !isNew,
        note,
        threadName: challenge.name,
        ping: null,
      }),
    );
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'a board that somebody made could not be posted');
    // Where something may have been posted, its claim stays until it ends by itself: then it is taken up again.
    if (posted?.message !== undefined) return 'threadless';
    if (error instanceof PostFailure && error.kind === 'unknown') return 'unknown';
    await challenges.endPost(channel, key);
    return 'unposted';
  }
  await challenges.endPost(channel, key);
  return 'posted';
}

/** The message under which a board is played. */
export async function challengeMessage(app: App, tenant: string, challenge: Challenge): Promise<Reply> {
  const [named = challenge] = await withoutHiddenMakers(app, tenant, [challenge]);
  return challengeReply(shownOf(app, named), 'everyone');
}
