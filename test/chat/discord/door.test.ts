import { setImmediate } from 'node:timers/promises';
import { ComponentType } from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { entriesOf, makeShowCommand } from '../../../src/chat/discord/commands.ts';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { parseStored } from '../../../src/daily/settings/settings.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import { type Sight, textOf } from '../../fakes/discord/person.ts';
import type { Channel, User } from '../../fakes/discord/world.ts';
import { exportOf, resultsOf } from '../../fakes/stored.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
beforeAll(async () => {
  started = await startDiscord();
});
afterAll(() => started.close());
// The rate limit counts a person's commands over half a minute.
beforeEach(() => {
  started.clock.time += 60_000;
});
/** In every test: Discord refuses nothing, and nothing in the requests is deprecated. */
afterEach(() => {
  const { discord } = started;
  expect(discord.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
  expect(discord.interactions.frowns).toEqual([]);
  expect(started.logged.filter(({ level }) => level === 'error')).toEqual([]);
  discord.forgetRequests();
});

const use = (
  subcommand: string,
  options: Record<string, string | number | boolean> = {},
  more: object = {},
) => started.discord.command({ channel: started.channel, name: 'letterboxed', subcommand, options, ...more });

describe('commands', () => {
  it('have files, each below the card', async () => {
    await use('hint');
    const { message } = await use('me privacy', { do: 'export' });
    expect(message.components.slice(1)).toMatchObject([
      { type: ComponentType.File, file: { url: expect.stringMatching(/\.json$/) } },
    ]);
  });

  it.each(['daily', 'relay', 'board'])(
    'help with %s lists what people choose and fill in on Discord',
    async (name) => {
      const [command] = started.discord.world.commands;
      type Listed = { name: string; options?: Listed[] };
      const group = (command!.options as Listed[]).find((one) => one.name === name)!.options!;
      const its = group.filter((one) => one.name !== 'set');
      const { text } = await use('help', { command: name });
      const chosen = [...text.matchAll(/^<\/letterboxed (\w+ \w+):\d+> –/gm)].map(([, path]) => path);
      expect(chosen).toEqual(its.map((one) => `${name} ${one.name}`));
      const explained = [...text.matchAll(/^\*\*(\w+)\*\* –/gm)].map(([, option]) => option);
      // Where there are too many to explain, only their names are given.
      const named = /^\*\*Options\*\*: (.*)$/m.exec(text)?.[1]?.split(/, and | and |, /);
      const filled = named ?? explained;
      expect(new Set(filled)).toEqual(
        new Set(its.flatMap(({ options = [] }) => options.map((one) => one.name))),
      );
      // An example that only repeats a line of the list.
      expect(text).not.toMatch(/^<\/letterboxed [^>]+>$/m);
    },
  );

  it('work in private messages with the bot, and where only the person installed it', async () => {
    const direct = await started.discord.command({ name: 'letterboxed', subcommand: 'today' });
    expect(direct.text).toContain('Letter Boxed for Friday');
    const guest = await use('hint', { step: 'start' }, { userInstalled: true });
    expect(guest.text).toContain(HINTS.start.label);
  });
});

it('a door whose token is refused can be started again and again, and leaves nothing behind', async () => {
  const { app, dispatcher, discord } = started;
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const door = new DiscordDoor({ app, dispatcher, token: 'wrong', apiUrl: discord.url });
  for (let attempt = 0; attempt < 12; attempt++) await expect(door.start()).rejects.toThrow('DISCORD_TOKEN');
  await door.stop();
  await setImmediate();
  discord.forgetRequests();
  expect(warnings).toEqual([]);
});

describe('buttons and forms', () => {
  const open = async () => (await use('today')).message;

  it('work on yesterday’s message, for yesterday’s board', async () => {
    const message = await open();
    started.clock.time += 24 * 3_600_000;
    const seen = await started.discord.press(message, 'Hint');
    expect(seen.text).toContain('Friday, November 20, 2026');
    started.clock.time -= 24 * 3_600_000;
  });
});

describe('a command in an answer', () => {
  it('puts itself into the message field when it is pressed, and says what to choose there', async () => {
    const { id } = started.discord.world.commands[0]!;
    // On a busy machine the answer is deferred for all, and then, being private, sent again.
    const { message, followUps } = await use('missing');
    const said = () => [message, ...followUps].map(textOf).join('\n');
    await expect.poll(said).toContain(`</letterboxed me missing:${id}> with \`do:join\``);
  });

  const showing = (id: string | undefined) => {
    const { commands, actionOf } = started.dispatcher;
    return makeShowCommand(entriesOf(commands), actionOf, () => id);
  };

  it.each([
    ['play', '</letterboxed play:7>'],
    ['privacy hide', '</letterboxed me privacy:7> with `do:hide`'],
    ['remind at 19:00', '</letterboxed me remind:7> with `at:19:00`'],
    ['daily otherwise:house', '</letterboxed daily source:7> with `otherwise:house`'],
    ['daily zone Berlin', '</letterboxed daily zone:7> with `zone:Berlin`'],
    ['relay undo', '</letterboxed relay undo:7>'],
    ['relay forum', '</letterboxed relay word:7> with `word:forum`'],
    ['board make', '</letterboxed board make:7>'],
    ['board', '</letterboxed board list:7>'],
    ['daily', '</letterboxed daily show:7>'],
    ['relay', '</letterboxed relay word:7>'],
    ['set ozu nri lfa mbt', '</letterboxed daily set:7> with `sides:ozu nri lfa mbt`'],
    ['solve …', '</letterboxed solve:7> with `sides:…`'],
  ])('%s is shown as %s', (line, shown) => {
    expect(showing('7')(line)).toBe(shown);
  });

  it('is shown in words by a process that has not registered it', () => {
    expect(showing(undefined)('relay undo')).toBe('`/letterboxed relay undo`');
  });
});

it('a role that was chosen to manage a channel manages no other', async () => {
  const { discord, guild } = started;
  const [carl, dana] = ['carl', 'dana'].map((name) => discord.world.addUser(name));
  const puzzlers = discord.world.addRole(guild, 'Puzzlers');
  discord.world.addMember(guild, carl!, [puzzlers.id]);
  discord.world.addMember(guild, dana!, [discord.world.addRole(guild, 'Managers', ['MANAGE_GUILD']).id]);
  await use('daily on', { managers: puzzlers.id }, { user: dana });
  expect((await use('daily pause', {}, { user: carl })).text).not.toContain(
    'You need Manage Server, or the role chosen here',
  );
  const channel = discord.world.addChannel(guild);
  const elsewhere = await use('daily off', {}, { user: carl, channel });
  expect(elsewhere.text).toContain('You need Manage Server, or the role chosen here');
});

describe('a form for settings', () => {
  const settings = async (channel: Channel) => {
    const { subscriptions } = started.app.store.tenant(`discord:${started.guild.id}`);
    return parseStored((await subscriptions.get(channel.id))?.settings);
  };
  let boss: User;
  let channel: Channel;
  beforeAll(() => {
    const { discord, guild } = started;
    boss = discord.world.addUser('boss');
    discord.world.addMember(guild, boss, [discord.world.addRole(guild, 'Bosses', ['MANAGE_GUILD']).id]);
    channel = discord.world.addChannel(guild);
  });
  const ask = (subcommand: string, options = {}) => {
    started.clock.time += 60_000;
    return use(subcommand, options, { user: boss, channel });
  };
  const fieldsOf = ({ modal }: Sight) => modal.components.map(({ component }) => component);

  it('asks for the zone, the time, the steps, weekends and the board when the thread is switched on', async () => {
    const form = await ask('daily on');
    expect(fieldsOf(form)).toMatchObject([
      { custom_id: 'zone', value: 'America/New_York' },
      { custom_id: 'opening', value: '08:00' },
      { custom_id: 'steps', value: 'start count@12:00 solution@20:00' },
      { custom_id: 'weekends', options: [{ value: 'on', default: true }, { value: 'off' }] },
      {
        custom_id: 'source',
        options: [{ value: 'newspaper', default: true }, { value: 'house' }, { value: 'off' }],
      },
    ]);
    await started.discord.submit(form, { zone: 'Berlin', opening: '9am', weekends: 'off', source: 'house' });
    expect(await settings(channel)).toMatchObject({
      zone: 'Europe/Berlin',
      opening: '09:00',
      steps: [
        { step: 'start', at: '09:00' },
        { step: 'count', at: '12:00' },
        { step: 'solution', at: '20:00' },
      ],
      weekends: false,
      source: 'house',
    });
    expect(fieldsOf(await ask('daily on'))).toMatchObject([
      { value: 'Europe/Berlin' },
      { value: '09:00' },
      { value: 'start count@12:00 solution@20:00' },
      { options: [{ default: false }, { default: true }] },
      {},
    ]);
    expect(
      (await use('daily on', {}, { user: started.discord.world.addUser('anyone'), channel })).text,
    ).toContain('You need Manage Server');
  });

  it('lets roles be picked, and taken away', async () => {
    const { discord, guild } = started;
    const role = discord.world.addRole(guild, 'Puzzlers');
    for (const name of ['ping', 'managers'] as const) {
      const form = await ask(`daily ${name}`);
      expect(fieldsOf(form)).toMatchObject([
        { type: ComponentType.RoleSelect, custom_id: name, required: false },
      ]);
      await discord.submit(form, { [name]: role.id });
      expect((await settings(channel))[name]).toBe(role.id);
      const again = await ask(`daily ${name}`);
      expect(fieldsOf(again)).toMatchObject([{ default_values: [{ id: role.id, type: 'role' }] }]);
      await discord.submit(again, { [name]: '' });
      expect((await settings(channel))[name]).toBeNull();
      await ask(`daily ${name}`, { [name]: role.id });
      expect((await settings(channel))[name]).toBe(role.id);
      expect((await ask(`daily ${name}`, { [name]: guild.id })).text).toContain(
        'I can’t use the role of everyone',
      );
      expect((await settings(channel))[name]).toBe(role.id);
    }
  });

  it('is not needed to end a pause', async () => {
    await ask('daily pause');
    expect((await ask('daily on')).text).toContain('The daily thread is on in this channel');
  });
});

describe('the command on messages', () => {
  let ann: User;
  beforeAll(() => {
    ann = started.discord.world.addUser('ann');
  });
  const add = (text: string, user = ann) => {
    const { discord, channel } = started;
    return discord.messageCommand(discord.write(channel, ann, text), 'Add to my results', { user });
  };

  it('records the result of one’s own message, and answers privately', async () => {
    const seen = await add('in 2 words');
    expect(seen.ephemeral).toBe(true);
    expect(seen.text).toContain('Added to your results');
    const { guild, channel, store } = started;
    const results = () => resultsOf(store, `discord:${guild.id}`, ann.id);
    const [result] = await results();
    expect(result).toMatchObject({ channel: channel.id, words: 2, reported: true });
    expect((await add('||BFJMCG – GKDHLNBP||')).text).toContain('Solved in 2 words');
    expect(await results()).toMatchObject([{ words: 2, letters: 14 }]);
  });

  it('takes from the Wordle app’s message the results of people who pressed that, and of nobody else', async () => {
    const { discord, channel, guild, store } = started;
    const bob = discord.world.addUser('bob');
    const app = { ...bob, id: '1211781489931452447' };
    const text = `Here are yesterday's results:\n👑 3/6: <@${ann.id}> <@${bob.id}>`;
    const choose = () =>
      discord.messageCommand(discord.write(channel, app, text), 'Add to my results', { user: ann });
    const first = await choose();
    expect(first.ephemeral).toBe(true);
    expect(first.text).toContain('Nobody in it takes part');
    await discord.press(first.message, 'Take my Wordle results', { user: ann });
    expect((await choose()).text).toContain('of people who take part: 1.');
    const results = async (id: string) => (await exportOf(store, `discord:${guild.id}`, id))?.otherResults;
    expect(await results(ann.id)).toMatchObject([{ channel: channel.id, game: 'wordle', score: 3 }]);
    expect(await results(bob.id)).toBeUndefined();
  });
});
