/** The whole bot between a fake Discord and a fake Slack, with people at both who run commands. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../../commands/index.ts';
import { makeManifest } from '../../src/chat/slack/manifest.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { OptionValue } from '../../src/reply/model/types.ts';
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/index.ts';
import type { Channel as DiscordChannel, Guild } from '../fakes/discord/world.ts';
import { type FakeSlack, startFakeSlack } from '../fakes/slack/index.ts';
import type { Channel as SlackChannel, Workspace } from '../fakes/slack/world.ts';
import type { Asked, BotMessage, BotTime } from './process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Sydney',
];
const OPENINGS = ['06:00', '07:30', '08:00', '09:15'];
/** Few enough for one person to switch all of them on at once. */
const PLACES_A_SERVER = 5;
/** Milliseconds, for a busy machine too. */
const ANSWER = 60_000;

export interface Platforms {
  readonly discord: FakeDiscord;
  readonly slack: FakeSlack;
  readonly workspace: Workspace;
  readonly discordChannels: readonly DiscordChannel[];
  readonly slackChannels: readonly SlackChannel[];
  /** Where people talk to the bot, apart from the channels with a daily thread. */
  readonly discordTalk: DiscordChannel;
  readonly slackTalk: SlackChannel;
  /** For the bot. */
  readonly settings: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Both platforms with half of the channels each. Their own limits on rates are off. With a clock that stands
 * still Discord's limit of 3 s for an answer holds on a machine of any speed.
 */
export async function openPlatforms(
  channels: number,
  clock: Clock = { now: Date.now },
  slackClock: Clock = { now: Date.now },
  discordLatency?: () => number,
): Promise<Platforms> {
  const discord = await startFakeDiscord({ limits: false, memory: 100, clock, latency: discordLatency });
  let guild: Guild = discord.world.addGuild('TerminalDialog');
  const discordTalk = discord.world.addChannel(guild);
  const discordChannels = Array.from({ length: channels / 2 }, (_, at) => {
    if (at % PLACES_A_SERVER === 0) guild = discord.world.addGuild(`Club ${at / PLACES_A_SERVER}`);
    return discord.world.addChannel(guild);
  });
  const manifest = makeManifest({ commands: COMMANDS });
  const slack = await startFakeSlack({ manifest, clock: slackClock, pace: { postsPerSecond: 0 } });
  const workspace = slack.addWorkspace();
  const slackTalk = slack.addChannel(workspace, []);
  const slackChannels = Array.from({ length: channels / 2 }, () => slack.addChannel(workspace, []));
  return {
    discord,
    slack,
    workspace,
    discordChannels,
    slackChannels,
    discordTalk,
    slackTalk,
    settings: {
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.url,
      // Where a day takes half a minute, fifty a second are too few.
      DISCORD_REQUESTS_PER_SECOND: '1000',
      SLACK_BOT_TOKEN: slack.install(workspace),
      SLACK_APP_TOKEN: slack.app.appToken,
      SLACK_API_URL: slack.apiUrl,
      PUZZLE_SOURCE: 'house',
      PORT: '0',
      LOG_LEVEL: 'error',
    },
    async close() {
      await slack.close();
      await discord.close();
    },
  };
}

export interface Answered {
  /** Milliseconds until there was a first sign, and until the whole answer was there. */
  readonly first: number;
  readonly whole: number;
  readonly text: string;
}

type DiscordUser = ReturnType<FakeDiscord['world']['addUser']>;

/** Somebody on Discord types a command. Throws when it stays without an answer. */
export async function askOnDiscord(
  { discord }: Platforms,
  user: DiscordUser,
  channel: DiscordChannel,
  subcommand: string,
  options: Readonly<Record<string, OptionValue>> = {},
): Promise<Answered> {
  const seen = await discord.command({ user, channel, name: 'letterboxed', subcommand, options });
  const { at, answeredAt } = seen.interaction;
  if (seen.failed || answeredAt === undefined) throw new Error(`Discord: no answer to ${subcommand}`);
  const text = seen.interaction.modal === undefined ? seen.text : '';
  return { first: answeredAt - at, whole: seen.took, text };
}

type SlackPerson = ReturnType<FakeSlack['addPerson']>;

/** Somebody on Slack types a command. Throws when it stays without an answer. */
export async function askOnSlack(
  person: SlackPerson,
  channel: SlackChannel,
  line: string,
): Promise<Answered> {
  const began = performance.now();
  const action = person.slash(channel, `/letterboxed ${line}`);
  const { problem } = await action.ack;
  const first = performance.now() - began;
  if (problem !== undefined) throw new Error(`Slack: ${line}: ${problem}`);
  const { message } = await within(ANSWER, action.shown, `Slack: no answer to ${line}`);
  return { first, whole: performance.now() - began, text: message?.text ?? '' };
}

function within<Result>(milliseconds: number, work: Promise<Result>, trouble: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(trouble)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Deletes what the fakes stored of what happened so far, apart from messages: it would fill the memory of a long run. */
export function forget({ discord, workspace }: Platforms): void {
  discord.world.attachments.clear();
  discord.forgetRequests();
  for (const file of workspace.files.values()) file.bytes = undefined;
  workspace.ephemerals.length = 0;
}

/** What was posted in channels and their threads, by the key of the delivery of each message. */
export function posted({ discord, discordChannels, slackChannels }: Platforms): {
  openings: string[];
  others: string[];
} {
  const { messages, bot } = discord.world;
  const ofBot = (channel: string) =>
    (messages.get(channel) ?? []).filter(({ author, nonce }) => author.id === bot.id && nonce !== undefined);
  const openings = discordChannels.flatMap(({ id }) => ofBot(id));
  const replies = openings.flatMap(({ id }) => ofBot(id));
  const onSlack = slackChannels.flatMap(({ messages: all }) =>
    all.filter(({ byApp, metadata }) => byApp && metadata !== undefined),
  );
  const keyOf = ({ metadata }: (typeof onSlack)[number]) =>
    String(metadata?.event_payload.key).split(' ')[0]!;
  return {
    openings: [
      ...openings.map(({ nonce }) => String(nonce)),
      ...onSlack.filter(({ threadTs }) => threadTs === undefined).map(keyOf),
    ],
    others: [
      ...replies.map(({ nonce }) => String(nonce)),
      ...onSlack.filter(({ threadTs }) => threadTs !== undefined).map(keyOf),
    ],
  };
}

/** Switches each channel on by a command, as its managers would. */
export async function switchOn(
  platforms: Platforms,
  { zones = ZONES, openings = OPENINGS }: { zones?: readonly string[]; openings?: readonly string[] } = {},
): Promise<void> {
  const { discord, slack, workspace } = platforms;
  const settings = (at: number) => ({
    zone: zones[at % zones.length]!,
    opening: openings[at % openings.length]!,
  });
  for (const [at, channel] of platforms.discordChannels.entries()) {
    const owner = discord.world.users.get(discord.world.guilds.get(channel.guild_id!)!.owner_id)!;
    await askOnDiscord(platforms, owner, channel, 'daily', { do: 'on', ...settings(at) });
  }
  for (const [at, channel] of platforms.slackChannels.entries()) {
    const admin = slack.addPerson(workspace, { isAdmin: true });
    channel.members.add(admin.id);
    const { zone, opening } = settings(at);
    await askOnSlack(admin, channel, `daily on zone:${zone} opening:${opening}`);
  }
}

export class WholeBot {
  readonly child: ChildProcess;
  /** What it said at its log level. */
  log = '';

  constructor(settings: Record<string, string>, time: BotTime = { ahead: 0 }) {
    this.child = spawn(
      process.execPath,
      [
        // Vitals collect garbage first. Set later, this flag reaches worker threads only.
        '--expose-gc',
        join(ROOT, 'test/whole-bot/process.ts'),
        JSON.stringify({ settings, ...time }),
      ],
      { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] },
    );
    this.child.stderr!.on('data', (chunk: Buffer) => {
      this.log += chunk;
    });
  }

  /** The next message from the bot. */
  async nextMessage(): Promise<BotMessage> {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(this.child, 'exit', { signal }).then(() => {
      throw new Error(`the bot ended:\n${this.log}`);
    });
    ended.catch(() => {});
    const message = once(this.child, 'message').then(([message]) => message as BotMessage);
    return Promise.race([message, ended]).finally(() => over.abort());
  }

  /** Milliseconds it took to end in good order. */
  async stop(): Promise<number> {
    const exited = once(this.child, 'exit');
    const { stopped = Number.NaN } = await this.ask({ stop: true });
    await exited;
    return stopped;
  }

  ask(asked: Asked): Promise<BotMessage> {
    const answer = this.nextMessage();
    this.child.send(asked);
    return answer;
  }
}
