/** Results that people add from a message, chosen in the menu of the message; typed lines are in `transcripts/results.txt`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import type { ChosenMessage } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../players/made-up.ts';

const SOLUTION = '||BFJMCG|| - ||GKDHLNBP||';

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

/** Chooses "Add to my results" on a message. */
async function choose(text: string, change: Partial<ChosenMessage> = {}): Promise<Reply> {
  const asker = someone();
  const message = { id: 'm1', author: asker.who.id, text, at: NOON - HOUR, ...change };
  const prepared = makeDispatcher(world.app, { commands: COMMANDS }).prepare({
    ...asker,
    message,
    command: 'record',
    options: {},
  });
  if (prepared.kind !== 'answer') throw new Error(`prepared as ${prepared.kind}`);
  expect(prepared.private).toBe(true);
  const reply = await prepared.run();
  expect(reply.audience).toBe('asker');
  return reply;
}

function stored(date: PuzzleDate = TODAY) {
  const { who, where } = someone();
  return resultIn(world.store.tenant(where.tenant).results, who.id, where.channel, date);
}

test('words count as played, at the time when the message was written', async () => {
  expect((await choose(SOLUTION)).title).toContain('Solved in 2 words');
  const result = await stored();
  expect(result).toMatchObject({ words: 2, letters: 14, solvedAt: NOON - HOUR, message: 'm1' });
  expect(result?.reported).toBeUndefined();
  expect(result?.solution).toMatch(/^[\w-]{12}$/);
});

test('words that don’t solve the board are not recorded, and the answer says why', async () => {
  expect(opened(await choose('||bfjmcg|| ||gkdhln||'))).toContain('1 letter left: P');
  expect(await stored()).toBeUndefined();
});

test('numbers are stored as reported', async () => {
  expect((await choose('2 words, 1 hint')).title).toContain('Added to your results');
  expect(await stored()).toMatchObject({ words: 2, letters: 0, hints: 1, reported: true });
  expect(opened(await say(world.app, 'privacy export'))).toContain('"reported": true');
});

test('a corrected message replaces what it said before, and the better of two messages is kept', async () => {
  await choose('2 words');
  expect(opened(await choose('oops, 3 words'))).toContain('It replaces 2 words');
  expect(await stored()).toMatchObject({ words: 3 });
  expect(opened(await choose('4 words', { id: 'm2' }))).toContain('Your result stays 3 words');
  expect(await stored()).toMatchObject({ words: 3, message: 'm1' });
});

test.each([
  ['yesterday’s message counts for yesterday', '2 words', NOON - 24 * HOUR, '2026-11-19', NOON - 24 * HOUR],
  ['a message dated ahead of our clock counts as written now', '2 words', NOON + HOUR, TODAY, NOON],
] as const)('%s', async (_, text, at, date, solvedAt) => {
  await choose(text, { at });
  expect(await stored(date)).toMatchObject({ words: 2, solvedAt, sinceOpening: expect.any(Number) });
  if (date !== TODAY) expect(await stored()).toBeUndefined();
});

test('the date of a shared line counts, and a day that is over as late', async () => {
  await choose('Letter Boxed, November 18 · 2 words · no hints');
  expect(await stored('2026-11-18')).toMatchObject({ words: 2, sinceOpening: null });
});

test('messages of others are refused', async () => {
  expect((await choose('2 words', { author: 'somebody else' })).title).toBe('This message isn’t yours');
  expect(await stored()).toBeUndefined();
});
