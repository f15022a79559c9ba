import { afterAll, describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { dayOf, resultOf } from '../players/made-up.ts';

const { app, store, close } = await makeTestApp();
afterAll(close);

const here = store.tenant('web:local').results;
const record = (date: PuzzleDate, change: Parameters<typeof resultOf>[1]) =>
  here.record(resultOf(date, change));

describe('stats', () => {
  test('show streak, averages, best result and rank of the week, for the person alone', async () => {
    for (const index of [0, 1, 3]) {
      await store.puzzles.keep({ date: dayOf(index), source: 'house', puzzle: {}, at: 0 });
      await record(dayOf(index), { person: 'ann', words: 2 + index, letters: 12 + index, hints: index });
    }
    await store.puzzles.keep({ date: dayOf(4), source: 'house', puzzle: {}, at: 0 });
    for (const index of [0, 1, 2, 3]) await record(dayOf(index), { person: 'bob' });
    const reply = await say(app, 'stats', someone({ id: 'ann' }));
    expect(reply.audience).toBe('asker');
    expect(opened(reply).split('\n')).toEqual(
      expect.arrayContaining([
        'Streak: 3 days, today’s board still open',
        'Longest streak: 3 days',
        'Solved: 3 boards',
        'On average: 3.3 words, 13.3 letters',
        'Best: 2 words, 12 letters, on Monday, November 16, 2026',
        'Hint points: 1.3 on average, none on 1 board',
        'In this channel this week: 2nd of 2',
        expect.stringMatching(/^▇+ 5 words: 1$/),
      ]),
    );
    expect(opened(reply)).not.toContain('bob');
  });

  test('count results of all tenants at this door and of no other door', async () => {
    await store.tenant('web:away').results.record(resultOf(dayOf(4), { person: 'ann', words: 1 }));
    await store.tenant('slack:T1').results.record(resultOf(dayOf(2), { person: 'ann' }));
    const reply = await say(app, 'stats', someone({ id: 'ann' }));
    expect(opened(reply)).toContain('Streak: 4 days\n');
    expect(opened(reply)).toContain('Best: 1 word, 12 letters, on Friday, November 20, 2026');
  });

  test('show no rank to a hidden person', async () => {
    await store.tenant('web:local').people.setHidden('ann', true);
    expect(opened(await say(app, 'stats', someone({ id: 'ann' })))).not.toContain(
      'In this channel this week',
    );
  });
});
