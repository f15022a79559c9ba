import { expect, test } from 'vitest';
import { HOUR, MINUTE, makeGround, subscribe } from './ground.ts';

const NEW_YORK = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour + 5, minute);

test('a day: opening, steps in its thread, and a closing when the next one opens', async () => {
  const ground = await makeGround(NEW_YORK(20, 6));
  await subscribe(ground.store);
  await ground.until(NEW_YORK(20, 7, 59), 10 * MINUTE);
  expect(ground.platform.messages).toEqual([]);
  await ground.at(NEW_YORK(20, 8));
  expect(ground.platform.messages.map(({ reply, thread }) => [reply.title, thread])).toEqual([
    ['Letter Boxed, Friday 20 November 2026', undefined],
    ['Hint 1 of 7: start letters', 'tm1'],
  ]);
  await ground.until(NEW_YORK(21, 8), HOUR);
  expect(ground.platform.messages.slice(2).map(({ reply, thread }) => [reply.title, thread])).toEqual([
    ['Hint 2 of 7: words needed', 'tm1'],
    ['The solution of Friday 20 November 2026', 'tm1'],
    ['Letter Boxed, Saturday 21 November 2026', undefined],
    ['Hint 1 of 7: start letters', 'tm5'],
    ['That was the board of Friday 20 November 2026', 'tm1'],
  ]);
  expect(ground.platform.threads.get('tm1')?.archived).toBe(true);
  expect(await ground.rows('2026-11-20')).toEqual({
    opening: 'sent',
    start: 'sent',
    count: 'sent',
    solution: 'sent',
    closing: 'sent',
  });
});

test('after a downtime the missed steps come as one message, in order', async () => {
  const ground = await makeGround(NEW_YORK(20, 6));
  await subscribe(ground.store);
  await ground.at(NEW_YORK(20, 7));
  await ground.restart();
  await ground.at(NEW_YORK(20, 21));
  expect(ground.platform.messages.map(({ reply }) => reply.title)).toEqual([
    'Letter Boxed, Friday 20 November 2026',
    'Friday 20 November 2026: start letters, words needed and the solution',
  ]);
  expect(await ground.rows('2026-11-20')).toEqual({
    opening: 'sent',
    start: 'sent',
    count: 'skipped: told in one message with start',
    solution: 'skipped: told in one message with start',
  });
});

test('after a downtime of days, each missed step has its reason, and a later restart plans nothing more', async () => {
  const ground = await makeGround(NEW_YORK(16, 6));
  await subscribe(ground.store, {}, { at: NEW_YORK(16, 5) });
  await ground.until(NEW_YORK(16, 21), HOUR);
  await ground.restart();
  await ground.at(NEW_YORK(20, 9));
  const over = 'skipped: its puzzle was over before it could be posted';
  for (const day of ['17', '18', '19']) {
    const missed = { opening: over, start: over, count: over, solution: over };
    expect(await ground.rows(`2026-11-${day}`)).toEqual(missed);
  }
  expect(await ground.rows('2026-11-16')).toMatchObject({
    opening: 'sent',
    solution: 'sent',
    closing: 'sent',
  });
  expect(await ground.rows('2026-11-15')).toEqual({});
  const planned = ground.platform.messages.length;
  await ground.restart();
  await ground.at(NEW_YORK(20, 9, 5));
  expect(ground.platform.messages).toHaveLength(planned);
});
