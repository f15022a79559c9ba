/**
 * A store that is set back, by a restored backup or a failover, beside the fake Discord and the fake Slack: nothing is posted
 * twice.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DiscordDoor } from '../../src/chat/discord/door.ts';
import { makeSlackDoor } from '../../src/chat/slack/door.ts';
import { makeManifest, REQUIRED_SCOPE_NAMES } from '../../src/chat/slack/manifest.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { DAY } from '../../src/core/clock.ts';
import type { Daily } from '../../src/daily/daily.ts';
import type { DailySettings } from '../../src/daily/settings/settings.ts';
import type { App } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { openStore, SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { fakePuzzleService } from '../daily/fakes.ts';
import { HOUR, MINUTE, OPENING, quiet, subscribe, testDaily } from '../daily/ground.ts';
import { dayOf } from '../fakes/day-thread.ts';
import { startFakeDiscord } from '../fakes/discord/index.ts';
import { CHANNEL } from '../fakes/discord/world.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { pictures } from '../fakes/pictures.ts';
import { sample } from '../fakes/sample.ts';
import { startFakeSlack } from '../fakes/slack/index.ts';
import { newYork, world } from '../fakes/world.ts';
import {
  ask,
  describeOnPostgres,
  makeDatabase,
  postgresNeeded,
  startServer,
} from '../store/real-postgres.ts';

/** Daily threads on the fake Discord and the fake Slack, through the real posters, on a clock that is moved. */
async function bothPlatforms(time: number) {
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
  const scopes = REQUIRED_SCOPE_NAMES.filter((scope) => scope !== 'files:write');
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
      // On PostgreSQL, requests wait for their turn among those of all processes.
      requestsPerSecond: 10_000,
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
      posters: [poster, byTenant('slack', ({ tenant }) => doors.get(tenant)!)],
      clock,
      owner,
    });
  }

  return {
    clock,
    /** Two text channels and a forum on Discord, and a channel on Slack. */
    channels: [...places.map(({ id }) => ({ tenant: `discord:${guild.id}`, channel: id })), readable!],
    /** In a workspace whose app may not read channels. */
    unreadable: unreadable!,
    daily,
    /** How many openings and how many other messages a channel has. */
    seen({ tenant, channel }: ChannelRef): { openings: number; steps: number } {
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

/** The poster of several workspaces, of which each has its own. */
function byTenant(door: string, posterOf: (channel: ChannelRef) => Poster): Poster {
  return {
    door,
    open: (post) => posterOf(post.channel).open(post),
    post: (post) => posterOf(post.channel).post(post),
    postPrivately: (post) => posterOf(post.channel).postPrivately(post),
    archive: (channel, thread) => posterOf(channel).archive(channel, thread),
    edit: (channel, ...message) => posterOf(channel).edit(channel, ...message),
    missingRequirements: (channel, lacked) => posterOf(channel).missingRequirements(channel, lacked),
    membershipOf: (channel, person) => posterOf(channel).membershipOf(channel, person),
    notify: (channel, ...notice) => posterOf(channel).notify(channel, ...notice),
  };
}

/** Debian keeps them outside of PATH, in a folder for each version. */
function program(name: string): string {
  const folder = '/usr/lib/postgresql';
  const [version] = readdirSync(folder).sort().reverse();
  return join(folder, version ?? '', 'bin', name);
}

/** A store, a backup of it, and the store again as it was when the backup was made. */
interface Restorable {
  open(): Promise<Store>;
  backup(store: Store): Promise<void>;
  restore(): Promise<void>;
}

const SETTINGS: Partial<DailySettings> = {
  zone: 'America/New_York',
  opening: '08:00',
  // The first two are one message.
  steps: [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '08:00' },
    { step: 'lengths', at: '12:00' },
    { step: 'solution', at: '20:00' },
  ],
};

async function start(restorable: Restorable) {
  const platforms = await bothPlatforms(OPENING - DAY - HOUR);
  onTestFinished(() => platforms.close());
  const all = [...platforms.channels, platforms.unreadable];
  const store = await restorable.open();
  for (const channel of all) await subscribe(store, SETTINGS, { channel, at: OPENING - DAY - 2 * HOUR });
  const daily = platforms.daily(store, 'before');
  const seen = () => all.map((channel) => platforms.seen(channel));
  return { platforms, store, daily, seen };
}

async function pass(
  { clock }: Awaited<ReturnType<typeof bothPlatforms>>,
  daily: Daily,
  moments: readonly number[],
): Promise<void> {
  for (const moment of moments) {
    clock.time = moment;
    await daily.tick();
    await daily.runDue();
  }
}

function restoreContract(makeRestorable: () => Promise<Restorable>): void {
  test('posts nothing again in text channels, forums and Slack, and goes on with the day', async () => {
    const restorable = await makeRestorable();
    const { platforms, store, daily, seen } = await start(restorable);
    // A whole day, so that there is a thread to close.
    const yesterday = [0, 4, 12].map((hours) => OPENING - DAY + hours * HOUR);
    await pass(platforms, daily, [...yesterday, OPENING - 30 * MINUTE]);
    await restorable.backup(store);
    await pass(platforms, daily, [OPENING - 28 * MINUTE, OPENING, OPENING + 2 * MINUTE]);
    const before = seen();
    for (const { openings, steps } of before) expect([openings, steps]).toEqual([2, 5]);
    await daily.stop();
    await store.close();
    await restorable.restore();

    const restored = await restorable.open();
    const after = platforms.daily(restored, 'after');
    await pass(platforms, after, [OPENING + 20 * MINUTE]);
    expect(seen()).toEqual(before);
    await pass(platforms, after, [OPENING + 4 * HOUR]);
    for (const channel of platforms.channels)
      expect(platforms.seen(channel)).toEqual({ openings: 2, steps: 6 });
    // Here nobody can know: the person who set it up is asked, and nothing is posted twice.
    const { tenant, channel } = platforms.unreadable;
    expect(platforms.seen(platforms.unreadable)).toMatchObject({ openings: 2 });
    const day = await restored.tenant(tenant).deliveries.day(channel, '2026-11-20');
    expect(day?.state).toBe('given-up');
    await after.stop();
    await restored.close();
  });
}

describe('a SQLite file restored as docs/hosting.md says', () => {
  restoreContract(async () => {
    const dataDir = makeFolder();
    const copy = join(makeFolder(), 'backup.db');
    const file = join(dataDir, SQLITE_FILE);
    return {
      open: () => openStore({ dataDir }),
      backup: (store) => store.backup(copy),
      async restore() {
        for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(copy, file);
      },
    };
  });
});

describeOnPostgres('a PostgreSQL database restored from a dump', () => {
  restoreContract(async () => {
    const databaseUrl = await makeDatabase();
    const dump = join(makeFolder(), 'dump.sql');
    return {
      open: () => openStore({ databaseUrl }),
      async backup() {
        execFileSync(program('pg_dump'), ['--file', dump, databaseUrl]);
      },
      async restore() {
        await ask('drop schema public cascade; create schema public', databaseUrl);
        execFileSync(program('psql'), ['--quiet', '--file', dump, databaseUrl], { stdio: 'ignore' });
      },
    };
  });
});

/** As PostgreSQL does it under its clients: the same database with the rows of the backup. */
function loseDeliveries(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`delete from delivery; update fingerprint set value = 'copy'`);
  database.close();
}

test.each(['discord', 'slack'] as const)(
  'on %s, a day whose messages were changed to new times is found, too',
  async (door) => {
    const dataDir = makeFolder();
    const store = await openNewStore(dataDir);
    onTestFinished(() => store.close());
    const scopes = [...REQUIRED_SCOPE_NAMES, 'channels:history'];
    const made = await world({ doors: [door], store, slack: { scopes } });
    const [place] = made.places;
    await made.at(newYork(20, 7));
    await place!.ask('ada', 'daily on');
    // The first two are one message.
    await place!.ask('ada', 'daily times count:08:00');
    await made.at(newYork(20, 8));
    await place!.ask('ada', 'daily times solution:21:00');
    const before = await place!.messages();
    expect(before.map(({ text }) => text).join()).toContain('9:00 PM');
    loseDeliveries(dataDir);
    // Later than Discord itself knows the same message by its nonce.
    await made.at(newYork(20, 8, 30));
    expect(await place!.messages()).toHaveLength(before.length);
    await made.close();
  },
);

/** More than are made within the minutes after it: until then, a disk that was set back has fewer than it had. */
const LOST_TRANSACTIONS = 1_000;

/** A failure of an operator's machine, once in years: the sample has one of its two signs, which new processes must see. */
const WAYS = [
  // The new processes have not seen what is missing.
  ['a replica became the primary, and the processes were started again', 'promoted', true],
  ['a disk was set back', 'plain', false],
  // Both signs at once: the other timeline, and what the processes remember.
  ['a replica became the primary', 'promoted', false],
] as const;

test.each(sample(WAYS.slice(), WAYS.slice(0, 1)))(
  'posts nothing again on Discord and Slack after %s',
  postgresNeeded,
  async (_, how, isStartedAgain) => {
    const server = startServer();
    const platforms = await bothPlatforms(OPENING - 40 * MINUTE);
    onTestFinished(() => platforms.close());
    const { channels, unreadable, clock } = platforms;
    const all = [...channels, unreadable];
    const open = async () => {
      const store = await openStore({ databaseUrl: server.url });
      onTestFinished(() => store.close());
      return { store, dailies: ['one', 'other'].map((owner) => platforms.daily(store, owner)) };
    };
    let { store, dailies } = await open();
    for (const channel of all) await subscribe(store, {}, { channel, at: OPENING - HOUR });
    const at = async (moment: number) => {
      clock.time = moment;
      for (const daily of dailies) {
        await daily.tick();
        await daily.runDue();
      }
    };
    for (let moment = OPENING - 30 * MINUTE; moment < OPENING; moment += 2 * MINUTE) await at(moment);
    // Its files as a replica or a snapshot of its disk would have them.
    await server.run('copy');
    const transactions = `for lost in 1..${LOST_TRANSACTIONS} loop perform txid_current(); commit; end loop`;
    await ask(`do $$ begin ${transactions}; end $$`, server.url);
    await at(OPENING);
    const seen = () => all.map((channel) => platforms.seen(channel));
    for (const counts of seen()) expect(counts).toEqual({ openings: 1, steps: 1 });
    await server.run('replace', how);
    // The connections are lost, and the next ones lead to the copy.
    const isBack = () =>
      store.ping().then(
        () => true,
        () => false,
      );
    await expect.poll(isBack).toBe(true);
    if (isStartedAgain) ({ store, dailies } = await open());
    await at(OPENING + 2 * MINUTE);
    await at(OPENING + 10 * MINUTE);
    for (const counts of seen()) expect(counts).toEqual({ openings: 1, steps: 1 });
    expect(await store.restoredUntil(clock.time)).toBe(OPENING + 2 * MINUTE);
    for (const { tenant, channel } of channels)
      expect(await dayOf(store, { tenant, channel }, '2026-11-20')).toMatchObject({ start: 'posted' });
  },
);
