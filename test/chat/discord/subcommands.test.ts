/** Every subcommand over the fake, with the options and examples of its own declaration. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { type Command, type Option, offeredOptions } from '../../../src/dispatch/contract.ts';
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

async function use({ name, private: isPrivate }: Command, options: Record<string, Value>): Promise<Sight> {
  const { discord, clock, channel, logged } = started;
  // The rate limit counts a person's commands over half a minute.
  clock.time += 60_000;
  discord.forgetRequests();
  const seen = await discord.command({
    user: owner,
    channel,
    name: 'letterboxed',
    subcommand: name,
    options,
  });
  const asked = { name, options };
  expect({ asked, failed: seen.failed }).toEqual({ asked, failed: false });
  expect(refused()).toEqual([]);
  expect(discord.interactions.frowns).toEqual([]);
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  if (isPrivate && seen.interaction.modal === undefined) expect(seen.ephemeral).toBe(true);
  return seen;
}

describe.each(COMMANDS.map((command) => [command.name, command] as const))('%s', (_, command) => {
  it('answers without options, or asks for those it requires', async () => {
    const seen = await use(command, {});
    const needed = command.options.filter(({ required }) => required);
    expect(seen.interaction.modal === undefined).toBe(needed.length === 0);
    if (needed.length === 0) return expect(seen.text).not.toMatch(/went wrong|One moment/);
    const asked = seen.modal.components.map(({ component }) => component?.custom_id);
    expect(asked).toEqual(needed.map(({ name }) => name));
    const filled = Object.fromEntries(
      needed.map((option) => [option.name, option.kind === 'words' ? word : String(sensible(option))]),
    );
    const taken = await started.discord.submit(seen, filled);
    expect(taken.failed).toBe(false);
    expect(taken.text).not.toMatch(/didn’t work|went wrong|One moment/);
    if (command.private) expect(taken.ephemeral).toBe(true);
    expect(refused()).toEqual([]);
  });

  it('answers its examples', async () => {
    for (const example of command.examples) {
      const given = Object.entries(readLine(example, COMMANDS, () => false).options());
      const options = given.map(([name, value]) => {
        const option = command.options.find((one) => one.name === name);
        return [name, typed(option!, value)] as const;
      });
      const seen = await use(command, Object.fromEntries(options));
      expect({ example, text: seen.text }).not.toMatchObject({
        text: expect.stringMatching(/didn’t work|went wrong|One moment/),
      });
    }
  });

  it('answers each of its options without a fault', async () => {
    const offered = offeredOptions(command);
    for (const option of sample(
      offered,
      offered.filter((_, at) => at % 3 === 0),
    )) {
      const required = command.options.filter(
        (one) =>
          one.required ||
          (one.requiredWith?.option === option.name && one.requiredWith.choice === sensible(option)),
      );
      const given = [...new Set([...required, option])].map((one) => [one.name, sensible(one)] as const);
      const { text } = await use(command, Object.fromEntries(given));
      expect(text).not.toMatch(/went wrong|One moment/);
    }
  });
});
