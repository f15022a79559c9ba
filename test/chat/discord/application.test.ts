import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { SECOND } from '../../../src/core/clock.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { SQLITE_FILE, type Store } from '../../../src/store/store.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/index.ts';
import type { Channel, Guild } from '../../fakes/discord/world.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { openNewStore } from '../../fakes/new-store.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { about, postsIn, type Started, type StartOptions, startDiscord } from './start.ts';

/** Switches the daily thread of a server on. */
const subscribe = (store: Store, id: string) =>
  store.tenant(`discord:${id}`).subscriptions.save('1', {}, { version: 0, by: 'a', at: 0 });

describe('the servers', () => {
  let started: Started;
  afterEach(() => started.close());
  const start = async (options: StartOptions = {}) => {
    started = await startDiscord(options);
    return started;
  };
  /** Before the first comparison has claimed the store for this application, no server counts as removed. */
  const claimed = () => expect.poll(() => started.store.applications.get('discord')).toBeDefined();

  describe('the record of which servers have the bot', () => {
    it('does not treat an outage as a removal', async () => {
      const { discord, guild, store } = await start();
      await claimed();
      await subscribe(store, guild.id);
      discord.outage(guild);
      expect((await about(started)).failed).toBe(false);
      expect((await store.allTenants.subscriptions()).length).toBe(1);
      discord.recover(guild);
      expect((await about(started)).failed).toBe(false);
      discord.remove(guild);
      await expect.poll(async () => (await store.allTenants.subscriptions()).length).toBe(0);
      // A removed server's data is kept for a week, in case it returns.
      discord.join(guild);
      await expect.poll(async () => (await store.allTenants.subscriptions()).length).toBe(1);
    });

    it('warns when a shard has four fifths of the servers that it may have', async () => {
      const { logged } = await start({
        prepare({ world }) {
          for (let club = 1; club < 2_000; club++) world.addGuild(`Club ${club}`);
        },
      });
      const warnings = () => logged.filter(({ message }) => message.includes('2,500 servers'));
      await expect.poll(warnings).toHaveLength(1);
      expect(warnings()[0]).toMatchObject({ level: 'warn', fields: { servers: 2_000 } });
    });

    it('loses no server while shards are added by starting new gateways before the old one stops', async () => {
      const { discord, store, app, dispatcher } = await start({
        async prepare({ world }, { store }) {
          for (let club = 0; club < 20; club++) {
            const { id } = world.addGuild(`Club ${club}`);
            await subscribe(store, id);
          }
        },
      });
      const { token, url: apiUrl } = discord;
      const more = [0, 1, 2].map((shard) => {
        const shards = { shards: [shard], shardCount: 3 };
        return new DiscordDoor({ app, dispatcher, token, apiUrl, shards });
      });
      for (const door of more) await door.start();
      const present = async () => (await store.allTenants.subscriptions()).length;
      const listed = () => discord.gateway.connected.map(({ shard }) => shard.join('/'));
      await expect.poll(() => listed().sort()).toEqual(['0/1', '0/3', '1/3', '2/3']);
      await started.door.stop();
      // Somebody removes the bot, which shows that the new gateways have compared their servers.
      const [gone] = discord.world.guilds.values();
      await subscribe(store, gone!.id);
      const before = await present();
      discord.remove(gone!);
      await expect.poll(present).toBe(before - 1);
      for (const door of more) await door.stop();
    });

    it('notices removals and returns while the bot was off, on its own shard only', async () => {
      // A guild's shard is computed from the bits above its lowest 22.
      const idOn = (shard: number, nth: number) => String(BigInt(nth * 2 + shard) << 22n);
      const kept: Record<string, string> = {};
      await start({
        fake: { shards: 2 },
        door: { shards: { shards: [0], shardCount: 2 } },
        async prepare({ world }, { store, clock }) {
          const clubs = Array.from({ length: 12 }, (_, at) => world.addGuild(`Club ${at}`));
          const ours = clubs.filter(({ id }) => (BigInt(id) >> 22n) % 2n === 0n);
          const [listed, returned, ill] = ours;
          ill!.available = false;
          Object.assign(kept, { listed: listed!.id, returned: returned!.id, ill: ill!.id });
          Object.assign(kept, { gone: idOn(0, 1000), elsewhere: idOn(1, 1000), person: '@77' });
          for (const id of Object.values(kept)) await subscribe(store, id);
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

    const startWhere = (isInOne: boolean) =>
      start({
        async prepare({ world }, { store }) {
          const gone = ['8'.repeat(18), '9'.repeat(18)];
          for (const id of isInOne ? [...gone, world.addGuild('Club').id] : gone) await subscribe(store, id);
        },
      });
    const removed = async () => {
      const tenants = await started.store.allTenants.tenants('discord');
      return tenants.filter((tenant) => tenant.removed).length;
    };

    it('takes the application for the one of a database without any if it is in one of its servers', async () => {
      const { store, logged, discord } = await startWhere(true);
      await expect
        .poll(() => logged)
        .toContainEqual(expect.objectContaining({ level: 'info', fields: { door: 'discord', removals: 2 } }));
      expect(await removed()).toBe(2);
      expect(await store.applications.get('discord')).toBe(discord.world.application.id);
    });

    it('counts no server as removed where the application is in none of those of the database', async () => {
      const { store, logged } = await startWhere(false);
      const warning = () => logged.find(({ level, fields }) => level === 'warn' && fields.servers === 2);
      await expect.poll(() => warning()?.message).toContain('another application');
      expect(await removed()).toBe(0);
      expect(await store.applications.get('discord')).toBeUndefined();
    });

    it('takes the application for the one of a database whose servers have all removed the bot', async () => {
      const { store, discord } = await start({
        prepare: (_, { store: prepared }) => prepared.tenant(`discord:${'9'.repeat(18)}`).markRemoved(0),
      });
      await expect.poll(() => store.applications.get('discord')).toBe(discord.world.application.id);
    });

    it('records no removal once the database belongs to another application', async () => {
      const { discord, guild, store } = await start();
      await subscribe(store, guild.id);
      await claimed();
      await store.applications.put('discord', '1'.repeat(18));
      discord.remove(guild);
      discord.gateway.invalidate(false);
      await expect
        .poll(() => started.logged.some(({ message }) => message.includes('another application')))
        .toBe(true);
      expect(await removed()).toBe(0);
    });

    it('does not record a server as removed that adds the bot while the store is being read', async () => {
      const real = await openNewStore(makeFolder());
      // The server that is compared last.
      const gone = '9'.repeat(19);
      let late: Guild | undefined;
      const held = Promise.withResolvers<void>();
      const allTenants = replaceMethods(real.allTenants, {
        async tenants(door) {
          const found = await real.allTenants.tenants(door);
          await held.promise;
          return found;
        },
      });
      started = await startDiscord({
        app: { words: WORDS, house, store: { ...real, allTenants } },
        async prepare({ world }) {
          late = world.addGuild('Late club');
          late.members.delete(world.bot.id);
          for (const id of [...world.guilds.keys(), gone]) await subscribe(real, id);
        },
      });
      started.discord.join(late!);
      // The next event on the same connection is handled after the server was added.
      expect((await about(started)).failed).toBe(false);
      held.resolve();
      const here = async () => (await real.allTenants.subscriptions()).map(({ tenant }) => tenant);
      const present = [...started.discord.world.guilds.keys()].map((id) => `discord:${id}`);
      await expect.poll(async () => (await here()).sort()).toEqual(present.sort());
      expect(present).toContain(`discord:${late!.id}`);
      await started.door.stop();
      await real.close();
    });

    it('does not record a server as removed that adds the bot again while its removal waits', async () => {
      const real = await openNewStore(makeFolder());
      const held = Promise.withResolvers<void>();
      let isHeld = false;
      const applications = replaceMethods(real.applications, {
        async get(door) {
          if (isHeld) await held.promise;
          return real.applications.get(door);
        },
      });
      started = await startDiscord({ app: { words: WORDS, house, store: { ...real, applications } } });
      const { discord, guild } = started;
      await claimed();
      await subscribe(real, guild.id);
      isHeld = true;
      discord.remove(guild);
      discord.join(guild);
      // The next event on the same connection is handled after both.
      expect((await about(started)).failed).toBe(false);
      held.resolve();
      await about(started);
      expect(await real.allTenants.subscriptions()).toHaveLength(1);
      await started.door.stop();
      await real.close();
    });

    it('is made good as soon as the store works again: a return that it did not take', async () => {
      const folder = makeFolder();
      const real = await openNewStore(folder);
      started = await startDiscord({ app: { words: WORDS, house, store: real } });
      const { discord, guild, expectErrors } = started;
      const here = async () => (await real.allTenants.subscriptions()).length;
      await claimed();
      await subscribe(real, guild.id);
      discord.remove(guild);
      await expect.poll(here).toBe(0);
      const database = new DatabaseSync(join(folder, SQLITE_FILE));
      database.exec(
        "create trigger full before delete on removed_tenant begin select raise(abort, 'full'); end",
      );
      expectErrors('recording which servers have the bot failed');
      // The retry comes ten seconds after the failure.
      const setTimer = vi.spyOn(globalThis, 'setTimeout');
      discord.join(guild);
      const findRetry = () => setTimer.mock.calls.find(([, delay]) => delay === 10 * SECOND)?.[0];
      await expect.poll(findRetry).toBeDefined();
      const retry = findRetry()!;
      setTimer.mockRestore();
      database.exec('drop trigger full');
      database.close();
      retry();
      await expect.poll(here).toBe(1);
      await started.door.stop();
      await real.close();
    });

    it('notices removals when a session was no longer valid and a new one starts', async () => {
      const { discord, store, guild } = await start({
        prepare: ({ world }) => {
          for (const name of ['Leaves unheard', 'Leaves ill']) world.addGuild(name);
        },
      });
      const clubs = [...discord.world.guilds.values()];
      for (const { id } of clubs) await subscribe(store, id);
      const here = async () => (await store.allTenants.subscriptions()).map(({ tenant }) => tenant);
      discord.outage(clubs[2]!);
      for (const { members } of clubs.slice(1)) members.delete(discord.world.bot.id);
      expect((await about(started)).failed).toBe(false);
      expect(await here()).toHaveLength(3);
      discord.gateway.invalidate(false);
      await expect.poll(here).toEqual([`discord:${guild.id}`]);
      expect((await about(started)).failed).toBe(false);
      await expect.poll(() => started.door.trouble()).toBeUndefined();
    });
  });
});

describe('the owner of the store', () => {
  const OTHER = '7'.repeat(18);
  /** A server that has the other application only. */
  const ITS_SERVER = `discord:${'9'.repeat(18)}`;

  let test: TestApp;
  let discord: FakeDiscord;
  let door: DiscordDoor;
  let guild: Guild;
  let channel: Channel;

  beforeEach(async () => {
    test = await makeTestApp({ words: WORDS, house });
    discord = await startFakeDiscord({ clock: test.clock });
    guild = discord.world.addGuild('Word club');
    channel = discord.world.addChannel(guild);
    const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
    door = new DiscordDoor({ app: test.app, dispatcher, token: discord.token, apiUrl: discord.url });
    await test.store.tenant(ITS_SERVER).subscriptions.save('1', {}, { version: 0, by: 'a', at: 0 });
    await test.store.applications.put('discord', OTHER);
  });
  afterEach(async () => {
    await door.stop();
    await discord.close();
    await test.close();
  });

  const removed = async () => {
    const tenants = await test.store.allTenants.tenants('discord');
    return tenants.filter((tenant) => tenant.removed).map(({ tenant }) => tenant);
  };
  const open = () => postsIn({ door, guild }, channel).opening();

  describe('with the token of another application than the one of the database', () => {
    it('does not start, and says which applications they are and how to move', async () => {
      const { id } = discord.world.application;
      await expect(door.start()).rejects.toThrow(
        `DISCORD_TOKEN belongs to application ${id}, and the database to application ${OTHER}`,
      );
      await expect(door.start()).rejects.toThrow(`db application ${id}`);
      expect(await removed()).toEqual([]);
      expect(discord.world.commands).toEqual([]);
    });

    it('posts nothing from a process that opens no door, and says why once', async () => {
      for (let times = 0; times < 2; times++) await expect(open()).rejects.toMatchObject({ kind: 'later' });
      expect(discord.world.messagesOf(channel.id)).toEqual([]);
      const errors = test.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
      expect(errors).toEqual([
        expect.stringContaining('Nothing is posted. DISCORD_TOKEN belongs to application'),
      ]);
      test.expectErrors(...errors);
    });

    it('starts once the operator has moved the database to it, and then counts removals', async () => {
      await test.store.applications.put('discord', discord.world.application.id);
      await door.start();
      await expect.poll(removed).toEqual([ITS_SERVER]);
      expect((await open()).message).toBeDefined();
    });
  });

  it('waits with posts while Discord does not say which application it is', async () => {
    await test.store.applications.put('discord', discord.world.application.id);
    discord.fault({ on: 'GET /applications/@me', what: { status: 500 }, times: 9 });
    await expect(open()).rejects.toMatchObject({ kind: 'later' });
  });
});
