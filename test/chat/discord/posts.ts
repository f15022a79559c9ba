import type { Posted } from '../../../src/dispatch/poster.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import type { Channel } from '../../fakes/discord/world.ts';
import type { Started } from './start.ts';

export interface Posts {
  /** What the poster noted of each post. */
  readonly noted: Posted[];
  readonly opening: (more?: object) => Promise<Posted>;
  readonly step: (thread: Posted, more?: object) => Promise<Posted>;
}

/** Posts of the daily thread in a channel, one call each, without its planning. */
export function postsIn(
  { door: { poster }, guild }: Pick<Started, 'door' | 'guild'>,
  channel: Channel,
): Posts {
  const noted: Posted[] = [];
  const base = {
    channel: { tenant: `discord:${guild.id}`, channel: channel.id },
    posted: undefined,
    outcomeUnknown: false,
    since: 0,
    note: async (posted: Posted) => noted.push(posted) > 0,
  };
  const opening = {
    ...base,
    key: 'opening-key',
    reply: reply('The day'),
    threadName: '2026-11-20 · BCD FGH',
  };
  return {
    noted,
    opening: (more = {}) => poster.open({ ...opening, ping: null, ...more }),
    step: (thread, more = {}) =>
      poster.post({ ...base, key: 'step-key', reply: reply('A step'), thread, ...more }),
  };
}

export const reply = (title: string): Reply => ({
  title,
  blocks: [{ kind: 'spoiler', label: 'Hidden', hidden: ['secret'] }],
  audience: 'everyone',
});
