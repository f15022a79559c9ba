import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { declareAll, entriesOf } from '../../../src/chat/discord/commands.ts';
import type { Option } from '../../../src/dispatch/contract.ts';
import { TODAY } from '../../fakes/app.ts';
import type { FakeDiscord } from '../../fakes/discord/index.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import type { Wire } from '../../fakes/discord/rules.ts';
import type { User } from '../../fakes/discord/world.ts';
import { sample } from '../../fakes/sample.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

describe('the registered command', () => {
  let started: Started;
  afterEach(() => started.close());
  const start = async (options: StartOptions = {}) => {
    started = await startDiscord(options);
    return started;
  };

  /** The commands on messages stand beside the slash command. */
  const ALL = ['letterboxed', 'Add to my results', 'Solve the board'];

  describe('registering', () => {
    const puts = () => started.discord.requests.filter(({ method }) => method === 'PUT');

    /** With what is registered by then. */
    const startAgain = async (options: StartOptions = {}) => {
      const kept = structuredClone(started.discord.world.commands);
      await started.close();
      const prepare: StartOptions['prepare'] = ({ world }) => void world.commands.push(...kept);
      return start({ ...options, prepare });
    };

    it('writes once, and not again while nothing differs', async () => {
      await start();
      expect(puts()).toHaveLength(1);
      await startAgain();
      expect(puts()).toEqual([]);
    });

    it.each([
      ['in servers only, as a new one is', { 0: {} }, [0], [0, 1]],
      ['by people too', { 0: {}, 1: {} }, [0, 1], [0, 1, 2]],
    ])(
      'asks only for what an application supports that can be installed %s',
      async (_, config, types, contexts) => {
        await start({
          prepare: ({ world }) => {
            world.application.integration_types_config = config;
          },
        });
        expect(started.logged.filter(({ level }) => level === 'error')).toEqual([]);
        for (const command of started.discord.world.commands)
          expect(command).toMatchObject({ integration_types: types, contexts });
      },
    );

    it('does not keep the door closed for hours where Discord takes no more commands', async () => {
      const prepare = (fake: FakeDiscord) =>
        fake.fault({ on: 'PUT /applications/:application/commands', what: { retryAfter: 3_600 } });
      await start({ prepare });
      started.expectErrors('the command could not be registered');
      expect(started.door.trouble()).toBeUndefined();
      expect(started.discord.world.commands).toEqual([]);
    });

    it('adds the commands on messages where only the slash command is registered', async () => {
      await start({
        prepare: ({ world }) => {
          const [slash] = declareAll(COMMANDS, [0, 1]);
          world.commands.push({ id: '1', ...slash });
        },
      });
      expect(puts()).toHaveLength(1);
      const now = started.discord.world.commands;
      expect(now.map(({ name, type }) => [name, type])).toEqual([
        ['letterboxed', 1],
        ['Add to my results', 3],
        ['Solve the board', 3],
      ]);
      expect(now[0]?.id).toBe('1');
    });
  });

  describe('the comparison with what Discord has', () => {
    type Stored = Record<string, unknown> & { options: Stored[]; choices: Stored[] };
    /** Starts again where what Discord has was changed, and returns how many times the command was written. */
    const writesAfter = async (change: (slash: Stored, list: Wire[]) => void) => {
      const list = structuredClone(started.discord.world.commands);
      change(list[0] as Stored, list);
      await started.close();
      await start({ prepare: ({ world }) => void world.commands.push(...list) });
      return started.discord.requests.filter(({ method }) => method === 'PUT').length;
    };

    it('ignores what Discord adds, leaves out, and orders in its own way', async () => {
      await start();
      const writes = await writesAfter((slash, list) => {
        Object.assign(slash, { version: '7', nsfw: false, contexts: [2, 1, 0], integration_types: [1, 0] });
        for (const { options = [] } of [slash, ...slash.options])
          for (const option of options) if (option.required === false) delete option.required;
        list.reverse();
      });
      expect(writes).toBe(0);
    });

    it.each<[string, (slash: Stored, list: Wire[]) => void]>([
      ['another description', (slash) => Object.assign(slash.options[2]!, { description: 'old' })],
      ['another order', (slash) => slash.options.reverse()],
      ['other places', (slash) => Object.assign(slash, { contexts: [0, 1] })],
      [
        'one choice more',
        ({ options }) => {
          const { choices } = options.flatMap((one) => one.options ?? []).find((one) => one.choices)!;
          choices.push(structuredClone({ ...choices[0]!, name: 'x', value: 'x' }));
        },
      ],
      ['a command that is not declared', (slash, list) => list.push({ ...slash, id: '5', name: 'old' })],
    ])('finds %s', async (_, change) => {
      await start();
      expect(await writesAfter(change)).toBe(1);
      expect(started.discord.world.commands.map(({ name }) => name)).toEqual(ALL);
    });
  });

  describe('an entry-point command, which Discord adds for Activities', () => {
    const LAUNCH = {
      ...{ id: '8', type: 4, name: 'launch', description: '', handler: 2, application_id: '1', version: '1' },
      ...{ integration_types: [0, 1], contexts: [0, 1, 2], nsfw: false, default_member_permissions: null },
      ...{ name_localizations: null, description_localizations: null },
    };
    const addLaunch = ({ world }: FakeDiscord) => void world.commands.push(structuredClone(LAUNCH));
    const names = () => started.discord.world.commands.map(({ name }) => name);

    it('is carried along when the commands are written, as it is, and is no reason to write them', async () => {
      await start({ prepare: addLaunch });
      expect(started.logged.filter(({ level }) => level === 'error')).toEqual([]);
      expect(names()).toEqual([...ALL, 'launch']);
      const [put] = started.discord.requests.filter(({ method }) => method === 'PUT');
      expect((put!.body as Wire[]).at(-1)).toEqual({
        ...{ type: 4, name: 'launch', handler: 2, nsfw: false, default_member_permissions: null },
        ...{ integration_types: [0, 1], contexts: [0, 1, 2] },
      });
      expect(started.discord.world.commands.at(-1)).toMatchObject({ id: '8', description: '', handler: 2 });
      const kept = structuredClone(started.discord.world.commands);
      await started.close();
      await start({ prepare: ({ world }) => void world.commands.push(...kept) });
      expect(started.discord.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
    });
  });
});

describe('all subcommands', () => {
  let started: Started;
  let owner: User;
  let other: User;
  /** A word of the day's solution. */
  let word: string;
  beforeAll(async () => {
    started = await startDiscord({ app: {}, fake: { limits: false } });
    const { world } = started.discord;
    owner = world.addUser('owner');
    other = world.addUser('other');
    world.addMember(started.guild, other, []);
    world.addMember(started.guild, owner, [world.addRole(started.guild, 'Managers', ['MANAGE_GUILD']).id]);
  });
  beforeAll(async () => {
    const { app, guild, channel } = started;
    const asker = { tenant: `discord:${guild.id}`, channel: channel.id };
    const { official } = await app.puzzles.puzzleOf(TODAY, asker);
    word = official?.[0] ?? expect.unreachable('the day has no solution');
  });
  afterAll(() => started.close());

  const refused = () => started.discord.requests.filter(({ status = 0 }) => status >= 400);

  type Value = string | number | boolean;
  function sensible(option: Option): Value {
    const { kind, choices, example, min = 1, isRole, isPerson } = option;
    if (isRole) return started.guild.roles.at(-1)!.id;
    if (isPerson) return other.id;
    if (kind === 'flag') return true;
    if (kind === 'integer') return example === undefined ? min : Number(example);
    if (kind === 'date') return 'yesterday';
    if (kind === 'sides') return 'ozu nri lfa mbt';
    return example ?? choices?.[0] ?? 'forum';
  }

  async function use(
    path: readonly string[],
    isPrivate: boolean,
    options: Record<string, Value>,
  ): Promise<Sight> {
    const { discord, clock, channel, logged } = started;
    // The rate limit counts a person's commands over half a minute.
    clock.time += 60_000;
    discord.forgetRequests();
    const subcommand = path.join(' ');
    const seen = await discord.command({ user: owner, channel, name: 'letterboxed', subcommand, options });
    const asked = { subcommand, options };
    expect({ asked, failed: seen.failed }).toEqual({ asked, failed: false });
    expect(refused()).toEqual([]);
    expect(discord.interactions.frowns).toEqual([]);
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
    if (isPrivate && seen.interaction.modal === undefined) expect(seen.ephemeral).toBe(true);
    return seen;
  }

  const ENTRIES = entriesOf(COMMANDS);

  describe.each(ENTRIES.map((entry) => [entry.path.join(' '), entry] as const))('%s', (_, entry) => {
    const { path, command, options: offered, choice, added } = entry;
    /** What Discord's client asks for before it sends. */
    const own = offered.filter(
      ({ name, isRole }) => offered.length === 1 && name === path.at(-1) && name !== command.name && !isRole,
    );
    const filled = (some: readonly Option[]) =>
      Object.fromEntries(some.map((one) => [one.name, sensible(one)]));

    it('answers without options, or asks for those it requires', async () => {
      const seen = await use(path, command.private, filled(own));
      const isNeeded = ({ name, required, requiredWith }: Option) =>
        (required && added[name] === undefined && !own.some((one) => one.name === name)) ||
        (requiredWith !== undefined && added[requiredWith.option] === requiredWith.choice);
      const needed = command.options.filter(isNeeded);
      const settings = own.length === 0 ? command.settingsIn?.(choice) : undefined;
      const isAsked = needed.length > 0 || settings !== undefined;
      expect(seen.interaction.modal === undefined).toBe(!isAsked);
      if (!isAsked) return expect(seen.text).not.toMatch(/went wrong|One moment/);
      const asked = seen.modal.components.map(({ component }) => component?.custom_id);
      expect(asked).toEqual(settings ?? expect.arrayContaining(needed.map(({ name }) => name)));
      const taken = await started.discord.submit(
        seen,
        Object.fromEntries(
          needed.map((option) => [option.name, option.kind === 'words' ? word : String(sensible(option))]),
        ),
      );
      expect(taken.failed).toBe(false);
      expect(taken.text).not.toMatch(/didn’t work|went wrong|One moment/);
      if (command.private) expect(taken.ephemeral).toBe(true);
      expect(refused()).toEqual([]);
    });

    it('answers each of its options without a fault', async () => {
      const required = offered.filter(
        ({ required: isRequired, requiredWith }) =>
          isRequired || (requiredWith !== undefined && added[requiredWith.option] === requiredWith.choice),
      );
      for (const option of sample(
        offered,
        offered.filter((_, at) => at % 3 === 0),
      )) {
        const given = filled([...new Set([...required, ...own, option])]);
        const { text } = await use(path, command.private, given);
        expect(text).not.toMatch(/went wrong|One moment/);
      }
    });
  });
});
