import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import type { Guild } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn } from './posts.ts';
import { slowStore } from './slow-store.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

let started: Started;
afterEach(() => started.close());
const start = async (options: StartOptions = {}) => {
  started = await startDiscord({ ...options, app: { words: WORDS, house } });
  return started;
};
const about = ({ discord, channel }: Started) =>
  discord.command({ channel, name: 'letterboxed', subcommand: 'about' });

describe('the gateway', () => {
  it('asks for no more than servers', async () => {
    const { discord, door } = await start();
    expect(discord.gateway.connected.map(({ intents }) => intents)).toEqual([1]);
    expect(door.trouble()).toBeUndefined();
  });

  it.each([
    ['a broken line', (one: Started) => one.discord.gateway.drop()],
    ['a wish to reconnect', (one: Started) => one.discord.gateway.askReconnect()],
  ])(
    'comes back after %s, and answers',
    async (_, trouble) => {
      const one = await start();
      const before = one.discord.gateway.connected[0]?.socket;
      trouble(one);
      const isBack = () => {
        const socket = one.discord.gateway.connected[0]?.socket;
        return socket !== undefined && socket !== before;
      };
      await expect.poll(isBack, { timeout: 15_000 }).toBe(true);
      await expect.poll(() => one.door.trouble(), { timeout: 15_000 }).toBeUndefined();
      expect((await about(one)).failed).toBe(false);
    },
    40_000,
  );

  it('lost for a while: says so, posts all the same, and hears on resuming what was asked meanwhile', async () => {
    const { discord, door, channel } = await start();
    discord.gateway.isOpen = false;
    discord.gateway.drop();
    await expect.poll(() => door.trouble()).toContain('not connected');
    const asked = about(started);
    await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
    discord.gateway.isOpen = true;
    expect((await asked).failed).toBe(false);
    await expect.poll(() => door.trouble()).toBeUndefined();
    expect([discord.gateway.identifies, discord.gateway.resumes]).toEqual([1, 1]);
  }, 40_000);

  it('does not take an outage for a removal', async () => {
    const { discord, guild, store, clock } = await start();
    const tenant = store.tenant(`discord:${guild.id}`);
    await tenant.subscriptions.save('1', {}, { version: 0, by: 'a', at: clock.now() });
    discord.outage(guild);
    discord.recover(guild);
    expect((await about(started)).failed).toBe(false);
    expect((await store.allTenants.subscriptions()).length).toBe(1);
    discord.remove(guild);
    await expect.poll(async () => (await store.allTenants.subscriptions()).length).toBe(0);
    // What it knew of the server waits a week for its return.
    discord.join(guild);
    await expect.poll(async () => (await store.allTenants.subscriptions()).length).toBe(1);
  });

  it('notices removals and returns that happened while it was off, of its own shard only', async () => {
    // A guild's shard stands above its 22 lowest bits.
    const idOn = (shard: number, nth: number) => String(BigInt(nth * 2 + shard) << 22n);
    const kept: Record<string, string> = {};
    await start({
      fake: { shards: 2 },
      door: { shards: '0/2' },
      async prepare({ world }, { store, clock }) {
        const clubs = Array.from({ length: 12 }, (_, at) => world.addGuild(`Club ${at}`));
        const ours = clubs.filter(({ id }) => (BigInt(id) >> 22n) % 2n === 0n);
        const [listed, returned, ill] = ours;
        ill!.available = false;
        Object.assign(kept, { listed: listed!.id, returned: returned!.id, ill: ill!.id });
        Object.assign(kept, { gone: idOn(0, 1000), elsewhere: idOn(1, 1000), person: '@77' });
        for (const id of Object.values(kept))
          await store
            .tenant(`discord:${id}`)
            .subscriptions.save('1', {}, { version: 0, by: 'a', at: clock.now() });
        for (const id of [kept.returned, kept.ill])
          await store.tenant(`discord:${id}`).markRemoved(clock.now());
      },
    });
    const removed = async () => {
      const tenants = await started.store.allTenants.tenants('discord');
      return tenants.filter((tenant) => tenant.removed).map(({ tenant }) => tenant);
    };
    await expect.poll(removed).toEqual([`discord:${kept.gone}`]);
    const week = 7 * 24 * 3_600_000;
    expect(await started.store.allTenants.eraseRemoved(started.clock.now() + week)).toEqual([
      `discord:${kept.gone}`,
    ]);
  });

  it('takes no server for left that invites it while the store is asked for the others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'letterboxed-slow-'));
    const real = await openStore({ dataDir: folder });
    const slow = slowStore(real);
    // The last one that is looked at.
    const gone = '9'.repeat(19);
    let late: Guild | undefined;
    started = await startDiscord({
      app: { words: WORDS, house, store: slow.store },
      async prepare({ world }) {
        late = world.addGuild('Late club');
        late.members.delete(world.bot.id);
        for (const id of [late.id, gone])
          await real.tenant(`discord:${id}`).subscriptions.save('1', {}, { version: 0, by: 'a', at: 0 });
        slow.slow();
      },
    });
    started.discord.join(late!);
    // What comes next on the same line is answered after the joining was heard of.
    const asked = about(started);
    const said = () => started.discord.requestsTo('POST /interactions/:interaction/:token/callback');
    await expect.poll(() => said().length).toBe(1);
    slow.release();
    expect((await asked).failed).toBe(false);
    const here = async () => (await real.allTenants.subscriptions()).map(({ tenant }) => tenant);
    await expect.poll(here).not.toContain(`discord:${gone}`);
    expect(await here()).toEqual([`discord:${late!.id}`]);
    await started.door.stop();
    await real.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('comes back after a session that is no longer valid, and notices who left meanwhile', async () => {
    const { discord, store, clock, guild } = await start({
      prepare: ({ world }) => {
        for (const name of ['Leaves unheard', 'Leaves ill']) world.addGuild(name);
      },
    });
    const clubs = [...discord.world.guilds.values()];
    for (const { id } of clubs)
      await store
        .tenant(`discord:${id}`)
        .subscriptions.save('1', {}, { version: 0, by: 'a', at: clock.now() });
    const here = async () => (await store.allTenants.subscriptions()).map(({ tenant }) => tenant);
    discord.outage(clubs[2]!);
    for (const { members } of clubs.slice(1)) members.delete(discord.world.bot.id);
    expect((await about(started)).failed).toBe(false);
    expect(await here()).toHaveLength(3);
    discord.gateway.invalidate(false);
    await expect.poll(here, { timeout: 15_000 }).toEqual([`discord:${guild.id}`]);
    expect((await about(started)).failed).toBe(false);
    await expect.poll(() => started.door.trouble(), { timeout: 15_000 }).toBeUndefined();
  }, 40_000);

  it('serves a slice of the shards', async () => {
    const { discord } = await start({
      fake: { shards: 4 },
      door: { shards: '1-2/4' },
      prepare: (fake) => {
        for (let other = 0; other < 8; other++) fake.world.addGuild(`Club ${other}`);
      },
    });
    expect(discord.gateway.connected.map(({ shard }) => shard).sort()).toEqual([
      [1, 4],
      [2, 4],
    ]);
  });

  it('runs two shards in one process, each with its own servers', async () => {
    const one = await start({ fake: { shards: 2 } });
    expect(one.discord.gateway.connected).toHaveLength(2);
    const clubs = Array.from({ length: 4 }, (_, at) => one.discord.world.addGuild(`Club ${at}`));
    for (const club of clubs) {
      const channel = one.discord.world.addChannel(club);
      const seen = await one.discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
      expect(seen.failed).toBe(false);
    }
  });
});
