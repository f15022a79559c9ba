/** Daily threads on the fake Discord and the fake Slack, through the real posters, on a clock that is moved. */
import { DiscordDoor } from '../../src/chat/discord/door.ts';
import { makeSlackDoor } from '../../src/chat/slack/door.ts';
import { BOT_SCOPES, makeManifest } from '../../src/chat/slack/manifest.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import type { Daily } from '../../src/daily/daily.ts';
import type { App } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Store } from '../../src/store/store.ts';
import { fakePuzzleService } from '../daily/fakes.ts';
import { quiet, testDaily } from '../daily/ground.ts';
import { rerouted } from '../daily/platforms/platform.ts';
import { startFakeDiscord } from '../fakes/discord/index.ts';
import { CHANNEL } from '../fakes/discord/world.ts';
import { pictures } from '../fakes/pictures.ts';
import { startFakeSlack } from '../fakes/slack/index.ts';

export interface BothPlatforms {
  readonly clock: { time: number; now(): number };
  /** Two text channels and a forum on Discord, and a channel on Slack. */
  readonly channels: readonly ChannelRef[];
  /** In a workspace whose app may not read channels. */
  readonly unreadable: ChannelRef;
  daily(store: Store, owner: string): Daily;
  /** How many openings and how many other messages a channel has. */
  seen(channel: ChannelRef): { openings: number; steps: number };
  close(): Promise<void>;
}

export async function bothPlatforms(time: number): Promise<BothPlatforms> {
  const clock = {
    time,
    now() {
      return this.time;
    },
  };
  const discord = await startFakeDiscord({ limits: false, clock });
  const guild = discord.world.addGuild('Club');
  const places = [CHANNEL.text, CHANNEL.text, CHANNEL.forum].map((type) =>
    discord.world.addChannel(guild, type),
  );
  const slack = await startFakeSlack({
    manifest: makeManifest({ commands: [] }),
    clock,
    pace: { postsPerSecond: 0 },
  });
  const scopes = BOT_SCOPES.filter((scope) => scope !== 'files:write');
  const workspaces = [[...scopes, 'channels:history'], scopes].map((granted, at) => {
    const workspace = slack.addWorkspace(`workspace-${at}`);
    const token = `xoxb-of-the-test-${at}`;
    slack.tokens.grant(workspace.id, granted, { token });
    return { workspace, token, channel: slack.addChannel(workspace, []) };
  });
  const [readable, unreadable] = workspaces.map(({ workspace, channel }) => ({
    tenant: `slack:${workspace.id}`,
    channel: channel.id,
  }));

  function daily(store: Store, owner: string): Daily {
    const app = { clock, log: quiet, store, puzzles: fakePuzzleService() } as unknown as App;
    const dispatcher = makeDispatcher(app, { commands: [] });
    const { poster } = new DiscordDoor({
      app,
      dispatcher,
      token: discord.token,
      apiUrl: discord.url,
      pictures,
    });
    const doors = new Map(
      workspaces.map(({ workspace, token }) => [
        `slack:${workspace.id}`,
        makeSlackDoor({
          app,
          dispatcher,
          mode: { kind: 'http', signingSecrets: ['unused'] },
          workspaces: { kind: 'one', botToken: token },
          apiUrl: slack.apiUrl,
          pictures,
        }).poster!,
      ]),
    );
    return testDaily({
      store,
      posters: [poster, rerouted('slack', ({ tenant }) => doors.get(tenant)!)],
      clock,
      owner,
    });
  }

  return {
    clock,
    channels: [...places.map(({ id }) => ({ tenant: `discord:${guild.id}`, channel: id })), readable!],
    unreadable: unreadable!,
    daily,
    seen({ tenant, channel }) {
      const onSlack = workspaces.find(({ workspace }) => `slack:${workspace.id}` === tenant);
      if (onSlack !== undefined) {
        const { messages } = onSlack.channel;
        const posts = messages.filter(({ byApp }) => byApp);
        const openings = posts.filter(({ threadTs, ts }) => threadTs === undefined || threadTs === ts).length;
        return { openings, steps: posts.length - openings };
      }
      const { messages, channels } = discord.world;
      const ofBot = (id: string) =>
        (messages.get(id) ?? []).filter(({ author }) => author.id === discord.world.bot.id).length;
      const threads = [...channels.values()].filter(({ parent_id }) => parent_id === channel);
      const inThreads = threads.reduce((sum, { id }) => sum + ofBot(id), 0);
      const isForum = channels.get(channel)?.type === CHANNEL.forum;
      return isForum
        ? { openings: threads.length, steps: inThreads - threads.length }
        : { openings: Math.max(ofBot(channel), threads.length), steps: inThreads };
    },
    async close() {
      await slack.close();
      await discord.close();
    },
  };
}
