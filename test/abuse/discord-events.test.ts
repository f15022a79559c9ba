import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { expectNoFaults } from './faults.ts';

const DROPPED = 'an event of the platform was dropped: it could not be processed';

const faults = expectNoFaults();
let started: Started;
beforeEach(async () => {
  started = await startDiscord({ app: { words: WORDS, house } });
});
afterEach(() => started.close());

/** A command that follows on the same connection is answered after whatever was sent before it. */
async function isStillAnswering(): Promise<boolean> {
  const { discord, channel } = started;
  const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
  return !seen.failed;
}

function pressedButton(change: (event: Record<string, unknown>) => void): object {
  const { world } = started.discord;
  const user = world.addUser('hostile');
  const event: Record<string, unknown> = {
    id: world.snowflake(),
    application_id: world.application.id,
    type: 3,
    token: 'a-token',
    version: 1,
    data: { custom_id: 'x', component_type: 2, id: 1 },
    message: { id: world.snowflake(), flags: 0 },
    channel_id: started.channel.id,
    channel: started.channel,
    user,
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 1: user.id },
    context: 1,
  };
  change(event);
  return event;
}

it.each<[string, (event: Record<string, unknown>) => void]>([
  ['without authorizing_integration_owners', (event) => delete event.authorizing_integration_owners],
  ['with null for its owners', (event) => Object.assign(event, { authorizing_integration_owners: null })],
  ['of nobody', (event) => delete event.user],
  ['without a token', (event) => delete event.token],
  ['whose token is half of a surrogate pair', (event) => Object.assign(event, { token: '\ud800' })],
  [
    'whose custom id is a list',
    (event) => Object.assign(event, { data: { custom_id: [], component_type: 2 } }),
  ],
  ['without data', (event) => delete event.data],
])('a pressed button %s is dropped, and the bot goes on', async (_, change) => {
  const { discord, guild } = started;
  discord.forgetRequests();
  discord.gateway.dispatch('INTERACTION_CREATE', pressedButton(change), guild.id);
  expect(await isStillAnswering()).toBe(true);
  expect(faults).toEqual([]);
  expect(started.logged.filter(({ message }) => message === DROPPED)).toHaveLength(1);
  // Nothing was sent for it: there is nobody who could see an answer.
  expect(discord.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
});

it('events that make no sense do not end the process', async () => {
  const { discord, guild } = started;
  const events: [string, string, unknown][] = [
    ['a server that is null', 'GUILD_CREATE', null],
    ['a server without an id', 'GUILD_CREATE', {}],
    ['a removed server whose id is a list', 'GUILD_DELETE', { id: [[]] }],
    ['a channel that is a text', 'CHANNEL_UPDATE', 'x'],
    ['a role without anything', 'GUILD_ROLE_UPDATE', {}],
    ['an event named like a property of every object', '__proto__', {}],
  ];
  for (const [what, event, body] of events) {
    discord.gateway.dispatch(event, body, guild.id);
    expect(await isStillAnswering(), what).toBe(true);
    expect(faults, what).toEqual([]);
  }
});

it('logs the first of many dropped events, not each', async () => {
  const { discord, guild, logged } = started;
  for (let sent = 0; sent < 500; sent++)
    discord.gateway.dispatch(
      'INTERACTION_CREATE',
      pressedButton((event) => delete event.data),
      guild.id,
    );
  expect(await isStillAnswering()).toBe(true);
  expect(logged.filter(({ message }) => message === DROPPED)).toHaveLength(1);
});
