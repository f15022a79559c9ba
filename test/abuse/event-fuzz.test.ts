import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { fuzzDiscord, sumOf } from './event-fuzz.ts';
import { expectNoFaults } from './faults.ts';

/**
 * Each pair of an event and a mutation is drawn about 70 times; in slack-events.test.ts, with half as many events for each
 * way, 50 times. A fault that one event in 1,000 meets is missed with a probability of e^-10, there e^-5. `EVENTS=50000`
 * looks for rarer ones.
 */
const COUNT = Number(process.env.EVENTS ?? sample(10_000, 150));

let started: Started;
expectNoFaults();
afterEach(() => started.close());

it("mutated events from Discord's gateway throw nowhere, and the bot goes on answering", async () => {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
  const tallies = await fuzzDiscord(started, COUNT, new Random('discord'));
  expect(sumOf(tallies, 'sent')).toBe(COUNT);
  expect(sumOf(tallies, 'dropped')).toBeGreaterThan(COUNT / 20);
});
