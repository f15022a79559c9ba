import type { ChannelRef } from '../core/channel-ref.ts';

/**
 * Proof that the dispatcher found somebody to manage a channel. What everybody in a channel gets is changed with one
 * only, and only in the channel that it names.
 */
export interface Grant {
  readonly channel: ChannelRef;
  /** Who manages it. */
  readonly person: string;
  /** The grant for another channel of the same server or workspace, if they manage that one, too. */
  readonly forOther: (channel: string) => Promise<Grant | undefined>;
}

const issued = new WeakSet<Grant>();

/** Called by the dispatcher alone, which a test holds. */
export function issueGrant(
  channel: ChannelRef,
  person: string,
  manages: (channel: string) => Promise<boolean>,
): Grant {
  const grant: Grant = Object.freeze({
    channel,
    person,
    forOther: async (other: string) =>
      (await manages(other)) ? issueGrant({ ...channel, channel: other }, person, manages) : undefined,
  });
  issued.add(grant);
  return grant;
}

/** The channel that may be written to: asked again right where it is. */
export function grantedChannel(grant: Grant): ChannelRef {
  if (!issued.has(grant)) throw new Error('somebody without a grant was about to change a channel');
  return grant.channel;
}
