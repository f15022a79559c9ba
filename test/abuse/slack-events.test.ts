import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { type OpenedSlack, openSlack } from '../chat/slack/open-slack.ts';
import { sample } from '../fakes/sample.ts';
import { sumOf } from './event-fuzz.ts';
import { expectNoFaults } from './faults.ts';
import { fuzzSlackOverHttp, fuzzSlackSocket } from './slack-fuzz.ts';

/** For each of Slack's two ways; why so many, is said in event-fuzz.test.ts. */
const COUNT = Number(process.env.EVENTS ?? sample(5_000, 150));

let slack: OpenedSlack;
expectNoFaults();
afterEach(() => slack.close());

it('mutated requests that Slack signed are answered with a status below 500', async () => {
  slack = await openSlack({ mode: 'http' });
  const tallies = await fuzzSlackOverHttp(slack, COUNT, new Random('slack over HTTP'));
  expect(sumOf(tallies, 'sent')).toBe(COUNT);
  expect(sumOf(tallies, 'dropped')).toBeGreaterThan(COUNT / 20);
});

it('mutated messages of Socket Mode throw nowhere, and the bot goes on answering', async () => {
  slack = await openSlack({ mode: 'socket' });
  const tallies = await fuzzSlackSocket(slack, COUNT, new Random('slack by socket'));
  expect(sumOf(tallies, 'sent')).toBe(COUNT);
  expect(sumOf(tallies, 'dropped')).toBeGreaterThan(COUNT / 20);
});
