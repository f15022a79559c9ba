import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/solver/random.ts';
import { type Started, startDiscord } from '../chat/discord/start.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { fuzzDiscord, type Tally } from './event-fuzz.ts';
import { expectNoFaults } from './faults.ts';

/** `scripts/fuzz-events.ts` sends 50,000. */
const COUNT = sample(5_000, 150);

let started: Started;
expectNoFaults();
afterEach(() => started.close());

it("mutated events from Discord's gateway throw nowhere, and the bot goes on answering", async () => {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
  const tallies = [...(await fuzzDiscord(started, COUNT, new Random('discord'))).values()];
  const sumOf = (of: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[of], 0);
  expect(sumOf('sent')).toBe(COUNT);
  expect(sumOf('dropped')).toBeGreaterThan(COUNT / 20);
});
