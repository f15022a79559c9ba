import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/solver/random.ts';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { fuzzDiscord, sumOf } from './event-fuzz.ts';
import { expectNoFaults } from './faults.ts';

/** With Slack's in slack-events.test.ts, the whole is 100,000. */
const COUNT = sample(50_000, 150);

let started: Started;
expectNoFaults();
afterEach(() => started.close());

it("mutated events from Discord's gateway throw nowhere, and the bot goes on answering", async () => {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
  const tallies = await fuzzDiscord(started, COUNT, new Random('discord'));
  expect(sumOf(tallies, 'sent')).toBe(COUNT);
  expect(sumOf(tallies, 'dropped')).toBeGreaterThan(COUNT / 20);
});
