import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import type { ChosenMessage } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';

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
  return world.store.tenant(where.tenant).results.get(who.id, where.channel, date);
}

describe('record', () => {
  test('enters the words of a message as play does, at the time when it was written', async () => {
    const reply = await choose(SOLUTION);
    expect(reply.title).toContain('Solved in 2 words');
    const result = await stored();
    expect(result).toMatchObject({ words: 2, letters: 14, solvedAt: NOON - HOUR, message: 'm1' });
    expect(result?.reported).toBeUndefined();
    expect(result?.solution).toMatch(/^[\w-]{12}$/);
  });

  test('counts a message that a platform dates ahead of our clock as written now', async () => {
    await choose(SOLUTION, { at: NOON + HOUR });
    expect(await stored()).toMatchObject({ solvedAt: NOON });
  });

  test('says what is wrong with words that don’t solve the board, and records nothing', async () => {
    expect(opened(await choose('||bfjmcg|| ||gkdhln||'))).toContain('1 letter left: P');
    expect(await stored()).toBeUndefined();
  });

  test('stores numbers as reported, marked wherever they appear', async () => {
    const reply = await choose('2 words, 1 hint');
    expect(reply.title).toContain('Added to your results');
    expect(await stored()).toMatchObject({ words: 2, letters: 0, hints: 1, lengths: [], reported: true });
    for (const line of ['share', 'leaderboard', 'leaderboard day', 'stats'])
      expect(opened(await say(world.app, line)), line).toMatch(/self-reported/i);
    expect(opened(await say(world.app, 'privacy export'))).toContain('"reported": true');
  });

  test('ranks reported results below played ones', async () => {
    await choose('#2solve');
    await say(world.app, 'play bfjmcg,gkdhln,nbp', { ...someone(), who: { id: '6', mayManage: false } });
    const board = opened(await say(world.app, 'leaderboard day'));
    expect(board).toMatch(/^1 +@6 +3 .* 0\n2 +@5 +2 .* 1$/m);
  });

  test('replaces what a corrected message said before, and keeps the better of two messages', async () => {
    await choose('2 words');
    expect(opened(await choose('oops, 3 words'))).toContain('It replaces 2 words');
    expect(await stored()).toMatchObject({ words: 3 });
    expect(opened(await choose('4 words', { id: 'm2' }))).toContain('Your result stays 3 words');
    expect(await stored()).toMatchObject({ words: 3, message: 'm1' });
  });

  test('never replaces a played result by a reported one', async () => {
    await say(world.app, 'play bfjmcg,gkdhln,nbp');
    expect((await choose('1 word')).title).toContain('Nothing changed');
    expect(await stored()).toMatchObject({ words: 3 });
    await choose(SOLUTION);
    expect(await stored()).toMatchObject({ words: 2 });
  });

  test('counts a message for the day on which it was written, even if it is added later', async () => {
    await choose('2 words', { at: NOON - 24 * HOUR });
    expect(await stored('2026-11-19')).toMatchObject({ words: 2, sinceOpening: expect.any(Number) });
    expect(await stored()).toBeUndefined();
  });

  test('takes the date from the line that is shared, and a day that is over as late', async () => {
    await choose('Letter Boxed, November 18 · 2 words · no hints');
    expect(await stored('2026-11-18')).toMatchObject({ words: 2, sinceOpening: null });
  });

  test('refuses messages of others, and says what it can read where it reads nothing', async () => {
    const others = await choose('2 words', { author: 'somebody else' });
    expect(others.title).toBe('This message isn’t yours');
    const nothing = await choose('good morning');
    expect(opened(nothing)).toContain('S - H(9), H - T(5)');
    expect(await stored()).toBeUndefined();
  });

  test('works as a typed line, and explains itself without one', async () => {
    await say(world.app, 'record got it in 2 words');
    expect(await stored()).toMatchObject({ words: 2, reported: true, solvedAt: NOON });
    expect((await say(world.app, 'record')).title).toBe('I found no result in this message');
  });
});
