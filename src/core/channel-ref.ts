/** A channel, or a thread in it, at a door. */
export interface ChannelRef {
  readonly tenant: string;
  readonly channel: string;
}
