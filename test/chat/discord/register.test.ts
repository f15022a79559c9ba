import { afterEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { declare, declareAll, isSame } from '../../../src/chat/discord/commands.ts';
import { LIMITS } from '../../../src/chat/discord/markdown.ts';
import type { Command, Option, Translations } from '../../../src/dispatch/contract.ts';
import type { FakeDiscord } from '../../fakes/discord/index.ts';
import type { Wire } from '../../fakes/discord/rules.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, type StartOptions, startDiscord } from './start.ts';

let started: Started;
afterEach(() => started.close());
const start = async (options: StartOptions = {}) => {
  started = await startDiscord({ ...options, app: { words: WORDS, house } });
  return started;
};

/** The command on messages stands beside the slash command. */
const BOTH = ['letterboxed', 'Add to my results'];

describe('registering', () => {
  const puts = () => started.discord.requests.filter(({ method }) => method === 'PUT');

  /** With what is registered by then. */
  const startAgain = async (options: StartOptions = {}) => {
    const kept = structuredClone(started.discord.world.commands);
    await started.close();
    const prepare: StartOptions['prepare'] = ({ world }) => {
      for (const [server, commands] of kept) world.commands.set(server, commands);
    };
    return start({ ...options, prepare });
  };

  it('does nothing when it is switched off', async () => {
    await start({ door: { register: false } });
    expect(puts()).toEqual([]);
  });

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
      for (const command of started.discord.commandsIn())
        expect(command).toMatchObject({ integration_types: types, contexts });
    },
  );

  it('does not keep the door closed for hours where Discord takes no more commands', async () => {
    const prepare = (fake: FakeDiscord) =>
      fake.fault({ on: 'PUT /applications/:application/commands', what: { retryAfter: 3_600 } });
    await start({ prepare });
    started.expectErrors('the command could not be registered');
    expect(started.door.trouble()).toBeUndefined();
    expect(started.discord.commandsIn()).toEqual([]);
  });

  it('includes declared translations, and writes when one of them changes', async () => {
    const again = (hint: Translations) =>
      startAgain({
        dispatcher: (made) => ({
          ...made,
          commands: made.commands.map((command) =>
            command.name === 'hint' ? { ...command, translations: hint, options: [STEP] } : command,
          ),
        }),
      });
    const STEP: Option = {
      ...COMMANDS.find(({ name }) => name === 'hint')!.options.find(({ name }) => name === 'step')!,
      translations: { de: { name: 'stufe', description: 'Wie viel', choices: { count: 'anzahl' } } },
    };
    const german = { de: { name: 'tipp', description: 'Der nächste Tipp' } };
    await start();
    await again(german);
    const subcommands = started.discord.commandsIn()[0]?.options as Wire[];
    expect(subcommands.filter((one) => 'name_localizations' in one)).toMatchObject([
      {
        name: 'hint',
        name_localizations: { de: 'tipp' },
        description_localizations: { de: 'Der nächste Tipp' },
        options: [
          {
            name_localizations: { de: 'stufe' },
            choices: expect.arrayContaining([
              { name: 'count', value: 'count', name_localizations: { de: 'anzahl' } },
              { name: 'lengths', value: 'lengths' },
            ]),
          },
        ],
      },
    ]);
    await again(german);
    expect(puts()).toEqual([]);
    for (const changed of [{ ...german, fr: { name: 'indice' } }, { de: { name: 'tipp' } }]) {
      await again(changed);
      expect(puts()).toHaveLength(1);
    }
    expect(started.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('adds the command on messages where only the slash command is registered', async () => {
    await start({
      prepare: ({ world }) => {
        const [slash] = declareAll(COMMANDS, [0, 1]);
        world.commands.set('', [{ id: '1', ...slash }] as Wire[]);
      },
    });
    expect(puts()).toHaveLength(1);
    const now = started.discord.commandsIn();
    expect(now.map(({ name, type }) => [name, type])).toEqual([
      ['letterboxed', 1],
      ['Add to my results', 3],
    ]);
    expect(now[0]?.id).toBe('1');
  });

  it('for one server removes the global command, and the reverse', async () => {
    await start({
      prepare: ({ world }) => {
        world.commands.set('', [{ id: '1', name: 'letterboxed', description: 'old' }]);
      },
      door: (guild) => ({ guildId: guild.id }),
    });
    const guildId = started.guild.id;
    expect(started.discord.commandsIn()).toEqual([]);
    expect(started.discord.commandsIn(guildId).map(({ name }) => name)).toEqual(BOTH);
    await startAgain();
    expect(started.discord.commandsIn(guildId).map(({ name }) => name)).toEqual(BOTH);
    expect(started.discord.commandsIn().map(({ name }) => name)).toEqual(BOTH);
  });

  it('removes commands left over in servers although one server refuses', async () => {
    const old = { id: '1', name: 'letterboxed', description: 'old' };
    const clubs: string[] = [];
    await start({
      prepare: (fake) => {
        clubs.push(fake.world.addGuild('Left a moment ago').id, fake.world.addGuild('Club').id);
        for (const [club] of fake.world.guilds) fake.world.commands.set(club, [old]);
        const route = 'GET /applications/:application/guilds/:guild/commands';
        fake.fault({ on: route, what: { code: 50001 }, after: 1 });
      },
    });
    const { guild, discord, logged } = started;
    const left = [guild.id, ...clubs].filter((club) => discord.world.commands.get(club)?.length !== 0);
    expect(left).toEqual([clubs[0]]);
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
    expect(logged.filter(({ level }) => level === 'warn').map(({ fields }) => fields.code)).toEqual([50001]);
  });
});

describe('the comparison with what Discord has', () => {
  it('ignores what Discord adds, and finds every difference in what is declared', () => {
    const wanted = { name: 'a', contexts: [0, 1], options: [{ name: 'x', options: [] }] };
    const known = {
      id: '1',
      version: '2',
      name: 'a',
      contexts: [1, 0],
      nsfw: false,
      options: [{ name: 'x', required: false }],
    };
    expect(isSame(wanted, known)).toBe(true);
    expect(isSame(wanted, { ...known, contexts: [1, 2] })).toBe(false);
    expect(isSame(wanted, { ...known, options: [{ name: 'x', choices: [{ name: 'y' }] }] })).toBe(false);
    expect(isSame({ ...wanted, description: 'new' }, known)).toBe(false);
  });
});

describe('the declaration', () => {
  it('stays within Discord’s limits', () => {
    const { options = [] } = declare(COMMANDS);
    expect(options.length).toBeLessThanOrEqual(LIMITS.options);
    for (const { name, description } of options) {
      expect(name).toMatch(/^[a-z-]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(LIMITS.description);
    }
    expect(declare(COMMANDS)).not.toHaveProperty('contexts');
  });

  it('uses autocomplete for more choices than Discord takes', () => {
    const command: Command = {
      ...COMMANDS[0]!,
      options: [
        {
          name: 'one',
          description: 'x',
          kind: 'choice',
          choices: Array.from({ length: 26 }, (_, n) => `c${n}`),
        },
      ],
    };
    expect(declare([command]).options?.[0]).toMatchObject({ options: [{ autocomplete: true }] });
    expect(() => declare(Array.from({ length: 26 }, () => command))).toThrow('25');
  });
});
