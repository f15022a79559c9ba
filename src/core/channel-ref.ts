/** A channel, or a thread in it, on one of the chat platforms. */
export interface ChannelRef {
  /** A Discord server or Slack workspace, with its door: `discord:123`. */
  readonly tenant: string;
  readonly channel: string;
}

/**
 * One string for a channel, and for more that belongs to it, as a key of maps. Platform ids hold no line breaks.
 *
 * @example channelKey({ tenant: 'discord:123', channel: '456' }, '2026-11-20', 'opening')
 */
export function channelKey({ tenant, channel }: ChannelRef, ...more: readonly string[]): string {
  return [tenant, channel, ...more].join('\n');
}
