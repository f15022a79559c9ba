import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { startDiscord } from '../chat/discord/start.ts';
import { openSlack } from '../chat/slack/open-slack.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { fuzzDiscord, sumOf } from './event-fuzz.ts';
import { expectNoFaults } from './faults.ts';
import { fuzzSlackOverHttp, fuzzSlackSocket } from './slack-fuzz.ts';

/**
 * Each pair of an event and a mutation is drawn about 70 times; on Slack, with half as many events for each way, 50 times. A
 * fault that one event in 1,000 meets is missed with a probability of e^-10, on Slack e^-5. `EVENTS=50000` looks for rarer
 * ones.
 */
const COUNT = Number(process.env.EVENTS ?? sample(10_000, 150));
const SLACK_COUNT = Number(process.env.EVENTS ?? sample(5_000, 150));

let close: () => Promise<void>;
expectNoFaults();
afterEach(() => close());

function expectMostTaken(tallies: Parameters<typeof sumOf>[0], count: number): void {
  expect(sumOf(tallies, 'sent')).toBe(count);
  expect(sumOf(tallies, 'dropped')).toBeGreaterThan(count / 20);
}

it("mutated events from Discord's gateway throw nowhere, and the bot goes on answering", async () => {
  const started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
  close = started.close;
  expectMostTaken(await fuzzDiscord(started, COUNT, new Random('discord')), COUNT);
});

it('mutated requests that Slack signed are answered with a status below 500', async () => {
  const slack = await openSlack({ mode: 'http' });
  close = slack.close;
  expectMostTaken(await fuzzSlackOverHttp(slack, SLACK_COUNT, new Random('slack over HTTP')), SLACK_COUNT);
});

it('mutated messages of Socket Mode throw nowhere, and the bot goes on answering', async () => {
  const slack = await openSlack({ mode: 'socket' });
  close = slack.close;
  expectMostTaken(await fuzzSlackSocket(slack, SLACK_COUNT, new Random('slack by socket')), SLACK_COUNT);
});
