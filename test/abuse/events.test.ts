/** Events that make no sense, sent over loopback to the real doors of Discord and Slack. */

import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../../src/chat/discord/gateway.ts';
import { parseEvent } from '../../src/chat/slack/events.ts';
import { Random } from '../../src/core/random.ts';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { messageOf, type OpenedSlack, openSlack, viewOf } from '../chat/slack/open-slack.ts';
import { describeGuild } from '../fakes/discord/gateway.ts';
import { sample } from '../fakes/sample.ts';
import { signatureHeaders } from '../fakes/slack/sockets.ts';
import { mutate, pick } from './mutate.ts';

/**
 * Each pair of an event and a mutation is drawn about 70 times; on Slack, with half as many events for each way, 50 times. A
 * fault that one event in 1,000 meets is missed with a probability of e^-10, on Slack e^-5. `EVENTS=50000` looks for rarer
 * ones.
 */
const COUNT = Number(process.env.EVENTS ?? sample(10_000, 100));
const SLACK_COUNT = Number(process.env.EVENTS ?? sample(5_000, 50));
const DISCORD_BATCH = 100;
const SLACK_BATCH = 50;

/** Errors that nobody catches. */
const faults: unknown[] = [];
const onFault = (error: unknown) => faults.push(error);
let close: () => Promise<void>;
beforeEach(() => {
  faults.length = 0;
  process.on('unhandledRejection', onFault);
  process.on('uncaughtException', onFault);
});
afterEach(async () => {
  await close();
  process.off('unhandledRejection', onFault);
  process.off('uncaughtException', onFault);
  expect(faults).toEqual([]);
});

/** The command that follows on the same connection is answered after whatever was sent before it. */
async function isAnsweringOnDiscord({ discord, channel }: Started): Promise<boolean> {
  const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
  return !seen.failed;
}

it('a malformed event of Discord is dropped with one line, however often it comes', async () => {
  const started = await startDiscord();
  close = started.close;
  const [[, asked]] = (await discordEvents(started)) as [[string, object]];
  const event = { ...asked, data: undefined };
  for (let sent = 0; sent < 50; sent++)
    started.discord.gateway.dispatch('INTERACTION_CREATE', event, started.guild.id);
  expect(await isAnsweringOnDiscord(started)).toBe(true);
  expect(started.logged.filter(({ message }) => message.includes('was dropped'))).toHaveLength(1);
});

describe('mutated events', () => {
  it("from Discord's gateway throw nowhere, and the bot goes on answering", async () => {
    const started = await startDiscord({ fake: { limits: false } });
    close = started.close;
    expectMostTaken(await fuzzDiscord(started, new Random('discord')), COUNT);
  });

  it('that Slack signed are answered with a status below 500', async () => {
    const slack = await openSlack({ mode: 'http' });
    close = slack.close;
    expectMostTaken(await fuzzSlackOverHttp(slack, new Random('slack over HTTP')), SLACK_COUNT);
  });

  it('of Socket Mode throw nowhere, and the bot goes on answering', async () => {
    const slack = await openSlack({ mode: 'socket' });
    close = slack.close;
    expectMostTaken(await fuzzSlackSocket(slack, new Random('slack by socket')), SLACK_COUNT);
  });
});

function expectMostTaken({ sent, dropped }: Tally, count: number): void {
  expect(sent).toBe(count);
  expect(dropped).toBeGreaterThan(count / 20);
}

interface Tally {
  sent: number;
  /** Refused before anything was done with them. */
  dropped: number;
}

/** Keeps the errors, which a test fails for; the rest would be the fuzzing's own leak. */
function forget(logged: { readonly level: string }[]): void {
  logged.splice(0, logged.length, ...logged.filter(({ level }) => level === 'error'));
}

async function fuzzDiscord(started: Started, random: Random): Promise<Tally> {
  const { discord, guild } = started;
  const events = await discordEvents(started);
  const tally: Tally = { sent: 0, dropped: 0 };
  while (tally.sent < COUNT) {
    const [name, body] = pick(events, random);
    // One with an id that was seen before is dropped as a repeat.
    const fresh = name === 'INTERACTION_CREATE' ? { ...body, id: discord.world.snowflake() } : body;
    const event = mutate(fresh, random);
    discord.gateway.dispatch(name, event, guild.id);
    tally.sent++;
    const sentEvent = JSON.parse(JSON.stringify(event ?? null));
    if (name in EVENTS && !v.is(EVENTS[name as keyof typeof EVENTS], sentEvent)) tally.dropped++;
    if (tally.sent % DISCORD_BATCH > 0) continue;
    if (!(await isAnsweringOnDiscord(started))) throw new Error('the command after a batch of events failed');
    forget(started.logged);
    discord.forgetRequests();
  }
  return tally;
}

/** Interactions as a person makes them, and what else the gateway tells. */
async function discordEvents({ discord, guild, channel }: Started): Promise<[string, object][]> {
  const { world } = discord;
  const user = world.addUser('hostile');
  const asked = { user, channel, name: 'letterboxed' };
  const sent = vi.spyOn(discord.gateway, 'dispatch');
  await discord.command({ ...asked, subcommand: 'tools words', options: { sides: 'ozu nri lfa mbt' } });
  await discord.complete({ ...asked, subcommand: 'daily', options: { zone: 'berl' }, focused: 'zone' });
  const { message } = await discord.command({ ...asked, subcommand: 'today' });
  await discord.press(message, 'Hint', { user });
  await discord.submit(await discord.command({ ...asked, subcommand: 'check' }), { words: 'forum' });
  const interactions = sent.mock.calls
    .filter(([name]) => name === 'INTERACTION_CREATE')
    .map(([name, body]): [string, object] => [name, body as object]);
  sent.mockRestore();
  const member = guild.members.get(world.bot.id)!;
  return [
    ...interactions,
    ['GUILD_CREATE', describeGuild(world, guild)],
    ['GUILD_DELETE', { id: world.snowflake(), unavailable: true }],
    ['GUILD_UPDATE', describeGuild(world, guild)],
    ['CHANNEL_UPDATE', channel],
    ['CHANNEL_DELETE', { ...channel, id: world.snowflake() }],
    ['GUILD_ROLE_UPDATE', { guild_id: guild.id, role: guild.roles[0]! }],
    ['GUILD_ROLE_DELETE', { guild_id: guild.id, role_id: world.snowflake() }],
    ['GUILD_MEMBER_UPDATE', { guild_id: guild.id, ...member }],
    ['THREAD_CREATE', { ...channel, id: world.snowflake(), type: 11, parent_id: channel.id }],
    ['MESSAGE_CREATE', message],
  ];
}

/** Requests that Slack has signed. An answer from 500 up is a fault. */
async function fuzzSlackOverHttp(slack: OpenedSlack, random: Random): Promise<Tally> {
  allowFailedAnswers(slack);
  const requests = await realistic(slack);
  const tally: Tally = { sent: 0, dropped: 0 };
  while (tally.sent < SLACK_COUNT) {
    const batch = Array.from({ length: Math.min(SLACK_BATCH, SLACK_COUNT - tally.sent) }, async () => {
      tally.sent++;
      const event = mutate(pick(requests, random).payload, random);
      const body = JSON.stringify(event) ?? '';
      const headers = signatureHeaders(slack.fake.app.signingSecret, body, slack.test.clock.now());
      const { status } = await fetch(`${slack.url}/slack/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      if (status >= 500) throw new Error(`answered ${status} to ${body.slice(0, 500)}`);
      if (status >= 400) tally.dropped++;
    });
    await Promise.all(batch);
    forget(slack.test.logged);
  }
  await demandAnswer(slack);
  return tally;
}

/** Whole messages of Socket Mode, with the envelope. */
async function fuzzSlackSocket(slack: OpenedSlack, random: Random): Promise<Tally> {
  allowFailedAnswers(slack);
  const requests = await realistic(slack);
  const tally: Tally = { sent: 0, dropped: 0 };
  while (tally.sent < SLACK_COUNT) {
    const { kind, payload } = pick(requests, random);
    const frame = {
      envelope_id: `envelope-${tally.sent}`,
      type: kind,
      payload,
      accepts_response_payload: true,
    };
    const event = mutate(frame, random);
    const text = JSON.stringify(event) ?? '';
    slack.fake.sockets.sendRaw(text);
    tally.sent++;
    if (parseEvent((event as typeof frame | undefined)?.payload) === undefined) tally.dropped++;
    if (tally.sent % SLACK_BATCH > 0) continue;
    await slack.fake.sockets.connected();
    // On each of the two connections, after all that was sent before on it.
    for (let connection = 0; connection < 2; connection++) await demandAnswer(slack);
    forget(slack.test.logged);
  }
  return tally;
}

/** What a mutation leaves well-formed may still name a channel or a view that there is not. */
function allowFailedAnswers({ test }: OpenedSlack): void {
  test.allowErrors('a listener failed', 'a request failed', 'an answer failed');
}

async function demandAnswer({ ann, channel }: OpenedSlack): Promise<void> {
  const { problem } = await ann.slash(channel, '/letterboxed about').ack;
  if (problem !== undefined) throw new Error(`the command after a batch was not answered: ${problem}`);
}

/** One request of each kind that the door listens to, as Slack sends them for what a person does. */
async function realistic({ fake, workspace, ann, channel }: OpenedSlack) {
  const board = await messageOf(ann.slash(channel, '/letterboxed today'));
  await messageOf(ann.press(board, 'Hint'));
  await messageOf(ann.press(await messageOf(ann.slash(channel, '/letterboxed thread solution')), 'Show'));
  await viewOf(ann.press(await viewOf(ann.openHome()), 'Check'));
  await ann.submit({ Words: 'forum' }).ack;
  await messageOf(ann.mention(channel, 'about'));
  await messageOf(ann.write('about'));
  const requests = fake.delivered.slice();
  await fake.sendEvent(workspace, { type: 'tokens_revoked', tokens: { bot: [] } });
  return [...requests, fake.delivered.at(-1)!];
}
