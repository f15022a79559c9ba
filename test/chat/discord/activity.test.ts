import { ApplicationCommandType } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../../src/core/clock.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import { type Channel, THREAD, type User } from '../../fakes/discord/world.ts';
import { type Started, startDiscord } from './start.ts';

const LOOK = 'GET /applications/:application/activity-instances/:instance';

let here: Started;
let ada: User;
let channel: Channel;

/** A door with a client secret, for an application with Activities; `enable: false` where they were switched off again. */
async function open({ enable = true, secret = true } = {}): Promise<void> {
  let clientSecret = '';
  here = await startDiscord({
    fake: { limits: false },
    prepare(discord) {
      if (enable) discord.activities.enable();
      clientSecret = discord.activities.clientSecret;
    },
    // At 50 requests a second, the limits of a minute would take seconds.
    door: () => ({ requestsPerSecond: 10_000, ...(secret && { clientSecret }) }),
  });
}

beforeAll(() => open());
afterAll(() => here.close());
/** Opens another door, for this test and the next ones. */
async function reopen(how: Parameters<typeof open>[0]): Promise<void> {
  await here.close();
  await open(how);
  prepare();
}
/** Each test has its own person, and a channel without instances. */
function prepare(): void {
  ada = here.discord.world.addUser('ada');
  channel = here.discord.world.addChannel(here.guild);
  here.discord.forgetRequests();
  here.clock.time += MINUTE;
}
beforeEach(prepare);

const play = async (options = {}, more: { user?: User; channel?: Channel } = {}): Promise<Sight> => {
  const asked = {
    user: ada,
    channel,
    name: 'letterboxed',
    subcommand: 'play',
    options,
    ...more,
  };
  const seen = await here.discord.command(asked);
  const { instance } = seen.interaction;
  // The client opens the page some hundred milliseconds later.
  const opening = () => here.door.activities?.openingId(instance!.id, asked.user.id);
  if (instance !== undefined) await expect.poll(opening).not.toBe('');
  return seen;
};
const callbacks = () =>
  here.discord
    .requestsTo('POST /interactions/:interaction/:token/callback')
    .map(({ body }) => (body as { type: number }).type);
/** As a person who opens it is let in. */
const enter = async ({ id }: { id: string }, user = ada, link?: string) => {
  const code = here.discord.activities.authorize(user);
  return here.door.activities!.enter({ code, instance: id, link });
};

describe('with a client secret', () => {
  it('play opens the Activity with the board that was asked for', async () => {
    const seen = await play({ date: 'yesterday' });
    expect(callbacks()).toEqual([12]);
    const { asker, options } = await enter(seen.instance);
    expect(options).toEqual({ date: 'yesterday' });
    expect(asker).toEqual({
      door: 'discord',
      who: { id: ada.id, mayManage: false },
      where: { tenant: `discord:${here.guild.id}`, channel: channel.id, direct: false },
    });
  });

  it('the button of a board opens it, too, and somebody who joins gets the board of the last one', async () => {
    const today = await here.discord.command({
      ...{ user: ada, channel, name: 'letterboxed', subcommand: 'today' },
    });
    const seen = await here.discord.press(today.message, 'Play', { user: ada });
    await expect.poll(() => here.door.activities!.openingId(seen.instance.id, ada.id)).not.toBe('');
    expect(await enter(seen.instance)).toMatchObject({ options: { date: '2026-11-20' } });
    const ben = here.discord.world.addUser('ben');
    const joined = await play({ sides: 'abc-def-ghi-jkl' }, { user: ben });
    expect(joined.instance).toBe(seen.instance);
    const cleo = here.discord.world.addUser('cleo');
    here.discord.activities.launch(cleo, channel);
    for (const [user, sides] of [
      [ben, 'abc-def-ghi-jkl'],
      [cleo, 'abc-def-ghi-jkl'],
    ] as const)
      expect((await enter(seen.instance, user)).options).toEqual({ sides });
    expect((await enter(seen.instance)).options).toEqual({ date: '2026-11-20' });
    // Nobody's session goes on by what somebody else has opened.
    for (const user of [ada, ben, cleo]) {
      const { openingId } = await enter(seen.instance, user);
      expect(openingId).toBe(await here.door.activities!.openingId(seen.instance.id, user.id));
    }
  });

  it('somebody who comes by a link gets its board, until they open another one', async () => {
    const { instance } = await play({ date: 'yesterday' });
    const ben = here.discord.world.addUser('ben');
    here.discord.activities.launch(ben, channel);
    const boardBy = async (link: string, user = ben) => (await enter(instance, user, link)).options;
    expect(await boardBy('2026-11-18')).toEqual({ date: '2026-11-18' });
    expect(await boardBy('abc-def-ghi-jkl')).toEqual({ sides: 'abc-def-ghi-jkl' });
    expect(await boardBy('2026-11-18', ada)).toEqual({ date: 'yesterday' });
  });

  it('the token of a code goes to nobody but its person', async () => {
    const { instance } = await play();
    const { activities } = here.discord;
    const tokenOf = (user: User) =>
      here.door.activities!.tokenOf(activities.authorize(user), instance.id, ada.id);
    expect(activities.userOf(await tokenOf(ada))).toBe(ada);
    await expect(tokenOf(here.discord.world.addUser('eve'))).rejects.toThrow(
      'Discord does not know this code',
    );
  });

  it('nobody is in an instance any more once it was found to be over', async () => {
    const { instance } = await play();
    await enter(instance);
    const people = () => here.door.activities!.peopleIn(instance.id);
    expect(await people()).toEqual([ada.id]);
    here.discord.activities.leave(instance, ada);
    await expect(enter(instance)).rejects.toThrow('Discord does not have you here');
    expect(await people()).toEqual([]);
  });

  it('the command of Activities is answered by the bot, at once and after the next start', async () => {
    const known = () =>
      here.discord.world.commands.find(({ type }) => type === ApplicationCommandType.PrimaryEntryPoint);
    expect(known()).toMatchObject({ name: 'launch', handler: 1 });
    const seen = await here.discord.openActivity({ user: ada, channel });
    expect(callbacks()).toEqual([12]);
    expect((await enter(seen.instance)).options).toEqual({});
  });

  it.each(['Activities are off', 'the person may not use them', 'Discord fails', 'Discord gives no access'])(
    'answers in the chat where %s',
    async (why) => {
      if (why !== 'the person may not use them') await reopen({ enable: why !== 'Activities are off' });
      if (why === 'the person may not use them') {
        const { roles, id } = here.guild;
        roles.find((role) => role.id === id)!.permissions = String(
          BigInt(roles[0]!.permissions) & ~(1n << 39n),
        );
      }
      const on = 'POST /interactions/:interaction/:token/callback';
      if (why === 'Discord fails') here.discord.fault({ on, what: { status: 500 }, times: 4 });
      if (why === 'Discord gives no access') here.discord.fault({ on, what: { code: 50001 } });
      const warnings = () => here.logged.filter(({ level }) => level === 'warn').length;
      const before = warnings();
      const seen = await play();
      expect(seen.text).toContain('Nov 20, 2026');
      expect(seen.ephemeral).toBe(true);
      expect(warnings() - before).toBe(why === 'the person may not use them' ? 0 : 1);
    },
  );

  it('is opened, and the log says what was wrong, where Discord’s answer can’t be read', async () => {
    const on = 'POST /interactions/:interaction/:token/callback';
    here.discord.fault({ on, what: { garbled: '{}' } });
    await here.discord.openActivity({ user: ada, channel });
    const said = () => here.logged.find(({ message }) => message === 'an Activity shows the board of today');
    await expect.poll(said).toMatchObject({ level: 'warn', fields: { err: expect.any(Error) } });
  });

  it('is not answered in another way where nobody waits for the answer any more', async () => {
    const on = 'POST /interactions/:interaction/:token/callback';
    here.discord.fault({ on, what: { code: 10062 }, times: 2 });
    play().catch(() => undefined);
    const said = () => here.logged.at(-1)?.message;
    await expect.poll(said).toBe('an interaction could no longer be answered');
    expect(callbacks()).toEqual([12]);
    here.discord.clearFaults();
  });

  it('in a thread, it is the board of the channel; in private messages, it is the person’s own', async () => {
    const { world, activities } = here.discord;
    const thread = world.keepChannel({
      ...{ id: world.snowflake(), type: THREAD.public, guild_id: here.guild.id, parent_id: channel.id },
      ...{ flags: 0, last_message_id: null },
    });
    expect((await enter((await play({}, { channel: thread })).instance)).asker.where).toEqual({
      ...{ tenant: `discord:${here.guild.id}`, channel: channel.id, thread: thread.id, direct: false },
    });
    const direct = world.directChannel(ada);
    const own = { tenant: `discord:@${ada.id}`, channel: direct.id, direct: true };
    expect((await enter((await play({}, { channel: direct })).instance)).asker.where).toEqual(own);
    // In a server that has only this person's installation, the bot can't see the channel.
    const other = world.addGuild('Elsewhere');
    other.members.delete(world.bot.id);
    const far = world.addChannel(other);
    const elsewhere = { tenant: `discord:@${ada.id}`, channel: far.id, direct: true };
    expect((await enter(activities.launch(ada, far))).asker.where).toEqual(elsewhere);
  });
});

it('without a client secret nothing changes', async () => {
  await reopen({ secret: false });
  expect(here.door.activities).toBeUndefined();
  expect(here.discord.world.commands.find(({ type }) => type === 4)).toMatchObject({ handler: 2 });
  await play();
  expect(callbacks()).not.toContain(12);
});

describe('who is let in', () => {
  beforeAll(() => reopen({}));
  const refused = async (entry: { code: string; instance: string }, reason: string) =>
    expect(here.door.activities!.enter(entry)).rejects.toMatchObject({ code: `activity.${reason}` });
  const exchanges = () => here.discord.requestsTo('POST /oauth2/token').length;

  it('nobody with a code that is made up, used, or of another application', async () => {
    const instance = (await play()).instance.id;
    const { activities } = here.discord;
    await refused({ code: 'x'.repeat(30), instance }, 'code');
    const code = activities.authorize(ada);
    await here.door.activities!.enter({ code, instance });
    await refused({ code, instance }, 'code');
    await refused({ code: activities.authorize(ada, '123456789012345678'), instance }, 'code');
  });

  it('nobody with an instance that is made up, over, or without them, in whatever order they ask', async () => {
    const { activities, world } = here.discord;
    const { instance } = await play();
    const { id } = instance;
    const mallory = world.addUser('mallory');
    const with_ = (user: User, of = id) => ({ code: activities.authorize(user), instance: of });
    await refused(with_(mallory), 'instance');
    await here.door.activities!.enter(with_(ada));
    // What was found out a moment ago has no Mallory either.
    await refused(with_(mallory), 'instance');
    await refused(with_(ada, `${id}0`), 'instance');
    activities.leave(instance, ada);
    here.clock.time += MINUTE;
    await refused(with_(ada), 'instance');
    // Somebody who joins is let in although the last answer did not have them.
    const ben = world.addUser('ben');
    activities.launch(ada, channel);
    const again = activities.launch(ben, channel).id;
    await here.door.activities!.enter(with_(ada, again));
    activities.launch(mallory, channel);
    await here.door.activities!.enter(with_(mallory, again));
  });

  it('nobody while Discord refuses the secret, or does not answer; what it says then is logged without the secret', async () => {
    const instance = (await play()).instance.id;
    const { activities } = here.discord;
    here.expectErrors('Discord takes no codes: copy DISCORD_CLIENT_SECRET again');
    here.discord.fault({ on: 'POST /oauth2/token', what: { status: 401 } });
    await refused({ code: activities.authorize(ada), instance }, 'outage');
    for (const on of ['POST /oauth2/token', 'GET /users/@me']) {
      here.discord.fault({ on, what: { status: 500 } });
      await refused({ code: activities.authorize(ada), instance }, 'outage');
    }
    expect(JSON.stringify(here.logged)).not.toContain(activities.clientSecret);
  });

  it('codes cost 60 requests a minute for each instance, and a person ten openings', async () => {
    const instance = (await play()).instance.id;
    for (let time = 0; time < 62; time++)
      await here.door.activities!.enter({ code: 'x'.repeat(30), instance }).catch(() => {});
    await here.door.activities!.tokenOf('x'.repeat(30), instance, ada.id).catch(() => {});
    expect(exchanges()).toBe(60);
    // Others are not kept out.
    await enter((await play({}, { channel: here.discord.world.addChannel(here.guild) })).instance);
    here.clock.time += MINUTE;
    for (let time = 0; time < 10; time++) await enter({ id: instance });
    await expect(enter({ id: instance })).rejects.toThrow('too fast');
  });

  it('made-up codes of made-up instances cost five requests a second, and nobody their place in another one', async () => {
    const { activities } = here.discord;
    const looks = () => here.discord.requestsTo(LOOK).length;
    for (let time = 0; time < 62; time++)
      await here.door
        .activities!.enter({ code: 'x'.repeat(30), instance: `made-up-${time}` })
        .catch(() => {});
    expect([exchanges(), looks()]).toEqual([0, 5]);
    here.clock.time += SECOND;
    // Opened by no command of the bot's.
    const { id } = activities.launch(ada, channel);
    await here.door.activities!.enter({ code: activities.authorize(ada), instance: id });
    // Everybody else who comes to it costs none of the five.
    for (const name of ['ben', 'cleo', 'dan', 'eve', 'fay', 'gil']) {
      const user = here.discord.world.addUser(name);
      activities.launch(user, channel);
      await here.door.activities!.enter({ code: activities.authorize(user), instance: id });
    }
  });

  it('looks at the people of an instance once in half a minute', async () => {
    const looks = () => here.discord.requestsTo(LOOK).length;
    const { instance } = await play();
    for (let time = 0; time < 20; time++)
      expect(await here.door.activities!.peopleIn(instance.id)).toEqual([ada.id]);
    expect(looks()).toBe(1);
    here.discord.activities.launch(here.discord.world.addUser('ben'), channel);
    here.clock.time += MINUTE + 1;
    expect(await here.door.activities!.peopleIn(instance.id)).toHaveLength(2);
    expect(looks()).toBe(2);
  });

  it('a board is remembered for a day, and forgotten when its person erases everything', async () => {
    const { instance } = await play({ date: 'yesterday' });
    await here.discord.command({
      ...{ user: ada, channel, name: 'letterboxed', subcommand: 'privacy' },
      options: { do: 'delete', sure: true },
    });
    expect(await here.door.activities!.openingId(instance.id, ada.id)).toBe('');
    expect((await enter(instance)).options).toEqual({ date: 'yesterday' });
    here.clock.time += DAY;
    expect((await enter(instance)).options).toEqual({});
  });
});
