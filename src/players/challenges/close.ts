import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { DAY } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import { closedReply } from '../../reply/replies/challenge.ts';
import { type Challenge, endOf, LISTED_FOR, OPEN_FOR, readChallenge } from './challenge.ts';
import { shownOf } from './show.ts';

/** Results stop counting from now on, and the board's message shows the best ones. */
export async function closeNow(app: App, channel: ChannelRef, challenge: Challenge): Promise<void> {
  const closed = { ...challenge, closedAt: app.clock.now() };
  await app.store.tenant(channel.tenant).challenges.close(channel.channel, closed.key, closed.closedAt);
  await showClosed(app, channel, closed);
}

/**
 * The same for boards whose time is over, where this process posts. The message is changed first: a process that ends in
 * between leaves it to the next one, and to show it twice does no harm.
 */
export async function closeEnded(app: App, door: string): Promise<void> {
  const now = app.clock.now();
  const ended = await app.store.allTenants.unclosed(door, now + LISTED_FOR - OPEN_FOR);
  for (const { tenant, ...stored } of ended) {
    const challenge = readChallenge(stored);
    const { channel, key } = challenge;
    const closedAt = endOf(challenge);
    const outcome = await showClosed(app, { tenant, channel }, { ...challenge, closedAt });
    if (outcome === 'later' && now < closedAt + DAY) continue;
    await app.store.tenant(tenant).challenges.close(channel, key, closedAt);
  }
}

async function showClosed(app: App, channel: ChannelRef, closed: Challenge) {
  const best = await app.store.tenant(channel.tenant).challenges.results(channel.channel, closed.key);
  return editMessage(app, channel, closed, closedReply(shownOf(app, closed), best));
}

/** A change counts even where its message can't be edited any more. `later`: it may work at another time. */
export async function editMessage(
  app: App,
  { tenant, channel }: ChannelRef,
  { posted }: Challenge,
  reply: Reply,
): Promise<'edited' | 'later' | 'never'> {
  const door = doorOf(tenant);
  const poster = app.posterOf(door);
  if (posted === undefined || poster === undefined) return 'never';
  try {
    await poster.edit({ tenant, channel }, posted, reply);
    return 'edited';
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'the message of a board could not be edited');
    const isLater = error instanceof PostFailure && (error.kind === 'later' || error.kind === 'unknown');
    return isLater ? 'later' : 'never';
  }
}
