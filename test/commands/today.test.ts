import { afterAll, expect, test } from 'vitest';
import { makeTestApp, NOON } from '../fakes/app.ts';
import { say, unopened } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const { app, clock, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

test("the day's board for everyone, with its source and until when it is on", async () => {
  const reply = await say(app, 'today');
  expect(reply.audience).toBe('everyone');
  expect(reply.title).toBe('Letter Boxed for Friday, November 20, 2026');
  expect(unopened(reply)).toContain('On until: 2026-11-21 08:00 UTC');
  expect(unopened(reply)).toContain('made by this bot');
  expect(reply.again).toEqual({ command: 'today', options: { date: '2026-11-20' } });
});

test('a past day names its date and says that its day is over', async () => {
  const reply = await say(app, 'today yesterday');
  expect(reply.title).toBe('Letter Boxed for Thursday, November 19, 2026');
  expect(unopened(reply)).not.toContain('On until');
  expect(unopened(reply)).toContain('The day of this board is over');
});

test('rejects days in the future', async () => {
  for (const line of ['today tomorrow', 'today 2026-11-21', 'today date:"21 nov 2026"'])
    expect(unopened(await say(app, line))).toMatch(/isn’t out yet/);
});

// In winter that is 08:00 UTC.
test('the puzzle changes at 03:00 in New York', async () => {
  clock.time = Date.parse('2026-11-21T07:59:59Z');
  expect((await say(app, 'today')).title).toContain('Friday, November 20');
  clock.time += 1000;
  expect((await say(app, 'today')).title).toContain('Saturday, November 21');
  clock.time = NOON;
});

test('says what to do when no puzzle can be fetched', async () => {
  const off = await makeTestApp({ words: WORDS, house, source: 'off' });
  const reply = await say(off.app, 'today');
  expect(reply.audience).toBe('asker');
  expect(unopened(reply)).toContain('Add the sides to your command');
  await off.close();
});
