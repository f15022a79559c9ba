/** The channels of the year: each kind of place, in zones with and without daylight-saving time. */

import { containerIdOf } from '../../src/chat/discord/search.ts';
import { makeTenant } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { postKey } from '../../src/daily/day-thread.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { CHANNEL, type Channel as DiscordChannel } from '../../test/fakes/discord/world.ts';
import type { Channel as SlackChannel } from '../../test/fakes/slack/world.ts';
import { askOnDiscord, askOnSlack, type Platforms } from '../../test/whole-bot/platforms.ts';

interface Place {
  readonly kind: 'text' | 'forum' | 'slack';
  readonly zone: string;
  readonly opening: string;
  readonly source?: 'house';
  readonly steps?: string;
}

/** Without daylight-saving time: Phoenix and Kolkata. The others change their clocks on different days. */
export const PLACES: readonly Place[] = [
  { kind: 'text', zone: 'America/New_York', opening: '08:00' },
  {
    kind: 'text',
    zone: 'Asia/Kolkata',
    opening: '08:30',
    steps: 'start@08:30 count@12:30 solution@20:30',
  },
  { kind: 'forum', zone: 'Europe/Berlin', opening: '10:00' },
  { kind: 'slack', zone: 'America/Phoenix', opening: '07:00', source: 'house' },
  { kind: 'slack', zone: 'Australia/Sydney', opening: '08:00' },
];

/** What each puzzle's thread consists of: its opening, the steps that a channel has by default, and its end. */
const STEPS = ['opening', ...DEFAULT_SETTINGS.steps.map(({ step }) => step), 'closing'] as const;
const THREAD = 11;

export interface YearChannel {
  readonly place: Place;
  readonly tenant: string;
  readonly channel: DiscordChannel | SlackChannel;
}

/** Makes the channels and switches their daily thread on, each by a command of somebody who manages it. */
export async function switchOnPlaces(platforms: Platforms): Promise<YearChannel[]> {
  const channels: YearChannel[] = [];
  for (const place of PLACES) {
    const { kind: _, ...settings } = place;
    const { zone } = place;
    const typed = Object.entries(settings).map(([name, value]) => `${name}:"${value}"`);
    if (place.kind === 'slack') {
      const admin = platforms.slack.addPerson(platforms.workspace, { isAdmin: true });
      const channel = platforms.slack.addChannel(platforms.workspace, [admin]);
      await askOnSlack(admin, channel, `daily on ${typed.join(' ')}`);
      channels.push({ place, tenant: makeTenant('slack', platforms.workspace.id), channel });
    } else {
      const { world } = platforms.discord;
      const guild = world.addGuild(`Club of ${zone}`);
      platforms.discord.join(guild);
      const channel = world.addChannel(guild, place.kind === 'forum' ? CHANNEL.forum : CHANNEL.text);
      const owner = world.users.get(guild.owner_id)!;
      const asked = place.kind === 'forum' ? postOf(platforms, channel, owner.id) : channel;
      await askOnDiscord(platforms, owner, asked, 'daily', { do: 'on', ...settings });
      channels.push({ place, tenant: makeTenant('discord', guild.id), channel });
    }
  }
  return channels;
}

/** Commands can't be typed in a forum itself, only in one of its posts. */
function postOf({ discord }: Platforms, forum: DiscordChannel, owner: string): DiscordChannel {
  const { world } = discord;
  return world.keepChannel({
    id: world.snowflake(),
    type: THREAD,
    guild_id: forum.guild_id!,
    parent_id: forum.id,
    owner_id: owner,
    name: 'A daily puzzle here?',
    flags: 0,
    last_message_id: null,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: 10_080,
      archive_timestamp: new Date(world.clock.now()).toISOString(),
    },
  } as DiscordChannel);
}

export interface MonthOfPosts {
  wanted: number;
  /** The number of separate messages. */
  posted: number;
  /** In one message with another step of the day. */
  together: number;
  doubled: number;
  missing: string[];
}

/** The keys of each message, by its id: as it was posted, since an opening is changed a day later. */
export type Ledger = Map<string, readonly string[]>;

/** Notes what has been posted since the last time, which must be less than a day ago. */
export function noteMessages(platforms: Platforms, channels: readonly YearChannel[], ledger: Ledger): void {
  for (const { place, channel } of channels) {
    const messages =
      place.kind === 'slack'
        ? keysOnSlack(channel as SlackChannel)
        : marksOnDiscord(platforms, channel as DiscordChannel);
    for (const [id, keys] of messages) if (!ledger.has(id)) ledger.set(id, keys);
  }
}

/**
 * What was on the platforms, held against the calendar: for each puzzle from one date to another one opening, each step and
 * one end in each channel, by the key that its message carries. The database is not asked.
 */
export function countPosts(
  ledger: Ledger,
  channels: readonly YearChannel[],
  from: PuzzleDate,
  to: PuzzleDate,
): { months: Map<string, MonthOfPosts>; others: number } {
  const months = new Map<string, MonthOfPosts>();
  const own = countOf([...ledger.values()].map(([first]) => first));
  const also = new Set([...ledger.values()].flatMap(([, ...rest]) => rest));
  let others = ledger.size;
  for (const { place, tenant, channel } of channels) {
    for (let date = from; date <= to; date = addDays(date, 1)) {
      const month = monthOf(months, date);
      for (const step of STEPS) {
        const key = postKey({ tenant, channel: channel.id, date, step });
        const name = place.kind === 'slack' ? key : String(containerIdOf(key));
        const times = own.get(name) ?? 0;
        others -= times;
        month.wanted++;
        if (times > 0) month.posted++;
        else if (also.has(name)) month.together++;
        else month.missing.push(`${place.zone} ${date} ${step}`);
        month.doubled += Math.max(0, times - 1) + (times > 0 && also.has(name) ? 1 : 0);
      }
    }
  }
  return { months, others };
}

function monthOf(months: Map<string, MonthOfPosts>, date: PuzzleDate): MonthOfPosts {
  const name = date.slice(0, 7);
  const month = months.get(name) ?? { wanted: 0, posted: 0, together: 0, doubled: 0, missing: [] };
  months.set(name, month);
  return month;
}

function countOf(names: readonly (string | undefined)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** For each message of the bot in a channel or below it: its mark, and the marks of the steps that are posted with it. */
function marksOnDiscord({ discord }: Platforms, { id, guild_id }: DiscordChannel): [string, string[]][] {
  const { world } = discord;
  const threads = world.channelsOf(guild_id!).filter(({ parent_id }) => parent_id === id);
  return [id, ...threads.map((thread) => thread.id)]
    .flatMap((place) => world.messagesOf(place))
    .filter(({ author, components }) => author.id === world.bot.id && components.length > 0)
    .map(({ id: message, components: [container] }) => [
      message,
      [String(container?.id), ...(container?.components ?? []).map((part) => String(part.id))],
    ]);
}

function keysOnSlack({ id, messages }: SlackChannel): [string, string[]][] {
  return messages
    .filter(({ byApp, isDeleted, metadata }) => byApp && !isDeleted && metadata !== undefined)
    .map(({ ts, metadata }) => {
      const { key, also = '' } = metadata!.event_payload as { key: string; also?: string };
      return [`${id} ${ts}`, [key, ...also.split(' ').filter((one) => one !== '')]];
    });
}
