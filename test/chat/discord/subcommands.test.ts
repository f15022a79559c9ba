/** Every subcommand over the fake, with the options and examples of its own declaration. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { entriesOf, placeOf } from '../../../src/chat/discord/commands.ts';
import type { Option } from '../../../src/dispatch/contract.ts';
import { readLine } from '../../../src/dispatch/line.ts';
import { TODAY } from '../../fakes/app.ts';
import type { Sight } from '../../fakes/discord/person.ts';
import type { User } from '../../fakes/discord/world.ts';
import { sample } from '../../fakes/sample.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
let owner: User;
/** A word of the day's solution. */
let word: string;
beforeAll(async () => {
  started = await startDiscord({ fake: { limits: false } });
  const { world } = started.discord;
  owner = world.addUser('owner');
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

/** The value in the type that Discord sends. */
function typed({ kind }: Option, value: unknown): Value {
  return kind === 'whole' ? Number(value) : kind === 'flag' ? value !== 'no' : String(value);
}

function sensible(option: Option): Value {
  const { kind, choices, example, min = 1 } = option;
  if (kind === 'flag') return true;
  if (kind === 'whole') return example === undefined ? min : Number(example);
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
  const { path, command, options: offered, sets } = entry;
  /** What Discord's client asks for before it sends. */
  const own = offered.filter(
    ({ name }) => offered.length === 1 && name === path.at(-1) && name !== command.name,
  );
  const filled = (some: readonly Option[]) =>
    Object.fromEntries(some.map((one) => [one.name, sensible(one)]));

  it('answers without options, or asks for those it requires', async () => {
    const seen = await use(path, command.private, filled(own));
    const isNeeded = ({ name, required, requiredWith }: Option) =>
      (required && sets[name] === undefined && !own.some((one) => one.name === name)) ||
      (requiredWith !== undefined && sets[requiredWith.option] === requiredWith.choice);
    const needed = command.options.filter(isNeeded);
    expect(seen.interaction.modal === undefined).toBe(needed.length === 0);
    if (needed.length === 0) return expect(seen.text).not.toMatch(/went wrong|One moment/);
    const asked = seen.modal.components.map(({ component }) => component?.custom_id);
    expect(asked).toEqual(expect.arrayContaining(needed.map(({ name }) => name)));
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
        isRequired || (requiredWith !== undefined && sets[requiredWith.option] === requiredWith.choice),
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

it.each(COMMANDS.map((command) => [command.name, command] as const))(
  'takes every example of %s in its list',
  async (_, command) => {
    for (const example of command.examples) {
      const given = readLine(example, COMMANDS, () => false).options();
      const place = placeOf(command.name, given, ENTRIES);
      expect({ example, place }).toMatchObject({ place: expect.anything() });
      const options = Object.entries(place!.options).map(([name, value]) => {
        const option = command.options.find((one) => one.name === name);
        return [name, typed(option!, value)] as const;
      });
      const seen = await use(place!.path, command.private, Object.fromEntries(options));
      expect({ example, text: seen.text }).not.toMatchObject({
        text: expect.stringMatching(/didn’t work|went wrong|One moment/),
      });
    }
  },
);
