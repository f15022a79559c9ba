import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/core/clock.ts';
import { type Day, newDay } from '../../../src/daily/day-thread.ts';
import type { DayStep } from '../../../src/daily/plan/schedule.ts';
import { afterLeavingOut, afterPost, todo } from '../../../src/daily/plan/todo.ts';
import { DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import { sample } from '../../fakes/sample.ts';
import { random } from '../../solver/random-boards.ts';
import { changed, placeWith, randomSettings, Walk } from '../walk.ts';

/** A channel after some random days, with its clock. */
function lived(seed: number) {
  const next = random(seed);
  let now = Date.UTC(2026, Math.floor(next() * 60), 1 + Math.floor(next() * 28));
  const walk = new Walk(placeWith(randomSettings(next), now));
  for (let change = 0; change < 12; change++) {
    const until = now + Math.floor(next() ** 2 * DAY);
    while (now < until) now = Math.max(now + MINUTE, Math.min(until, walk.tick(now)));
    if (next() < 0.3) walk.subscription = changed(walk.subscription, now, next);
    if (next() < 0.1) now -= Math.floor(next() * 5 * HOUR);
    walk.tick(now);
  }
  return { walk, now };
}

const RUNS = sample(400, 60);

/** Which step is left out after the solution, and when, nobody sees: the plan names no moment for it. */
const endsOf = ({ rows }: Walk) =>
  new Map([...rows].filter(([, { skip }]) => skip?.code !== 'solution-told'));

test('nothing changes between two moments the plan names: jumping finds what stepping by minutes finds', () => {
  const next = random(5);
  for (let run = 0; run < sample(4, 1); run++) {
    const begin = Date.UTC(2026, Math.floor(next() * 60), Math.floor(next() * 28));
    const subscription = placeWith(randomSettings(next), begin);
    const stepping = new Walk(subscription);
    const jumping = new Walk(subscription);
    let quietUntil = 0;
    for (let now = begin; now < begin + 6 * DAY; now += MINUTE) {
      stepping.tick(now);
      if (now >= quietUntil) quietUntil = jumping.tick(now);
    }
    expect(endsOf(jumping)).toEqual(endsOf(stepping));
    expect(stepping.rows.size).toBeGreaterThan(2);
  }
});

test('asking twice gives the same, and a message that was begun is made again as it was, or given up with a reason', () => {
  let repeated = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const { walk, now } = lived(seed);
    for (const day of walk.days.values()) {
      const question = { day, subscription: walk.subscription, now };
      expect(todo(question)).toEqual(todo(question));
      const { post } = todo(question);
      expect(post).toEqual([]);
      const soon = todo({ ...question, now: now + 6 * HOUR });
      if (soon.post.length === 0) continue;
      const begun = { ...day, posting: soon.post };
      const again = todo({ ...question, day: begun, now: now + 6 * HOUR });
      const later = todo({ ...question, day: begun, now: now + 4 * DAY });
      expect(again.post).toEqual(soon.post);
      const settings = { ...walk.subscription.settings, steps: [] };
      const without = { ...walk.subscription, settings };
      expect(todo({ day: begun, subscription: without, now: now + 6 * HOUR }).post).toEqual(soon.post);
      expect([...later.post, ...later.leaveOut.map(({ step }) => step)]).toEqual([...soon.post]);
      repeated++;
    }
  }
  expect(repeated).toBeGreaterThan(RUNS / 10);
});

test('a message that was begun stays in doubt unless all of its steps are left out', () => {
  const day: Day = { ...newDay('2026-11-20'), posting: ['count', 'hardest'] };
  const without = (...steps: DayStep[]) =>
    afterLeavingOut(
      day,
      steps.map((step) => ({ step, state: 'skipped', reason: { code: 'skipped-by-operator' } })),
      1,
    ).posting;
  expect(without('lengths')).toEqual(day.posting);
  expect(without('count')).toEqual(day.posting);
  expect(without('count', 'hardest')).toBeUndefined();
});

test('an opening that was never begun is given up without a doubt', () => {
  const subscription = placeWith(DEFAULT_SETTINGS, 0);
  const day: Day = { ...newDay('2026-11-20'), reason: { code: 'postponed', message: 'busy' } };
  const now = Date.UTC(2026, 10, 22);
  const { leaveOut } = todo({ day, subscription, now });
  expect(leaveOut).toMatchObject([{ step: 'opening', state: 'given-up' }]);
  expect(afterLeavingOut(day, leaveOut, now).ends.opening).not.toHaveProperty('unknown');
});

test('a day whose opening was given up is not open', () => {
  const openedBy = (state: 'sent' | 'given-up') =>
    afterPost(newDay('2026-11-20'), ['opening'], { state, at: 1 }).openedAt;
  expect([openedBy('sent'), openedBy('given-up')]).toEqual([1, null]);
});

test('where there is nothing to do, no day is looked at again at once', () => {
  let looked = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const { walk, now } = lived(seed);
    const [opened, later] = [...walk.days.values()].filter(({ openedAt }) => openedAt !== null).slice(-2);
    if (opened === undefined || later === undefined) continue;
    const { closing: _, ...ends } = opened.ends;
    const unopened = newDay(later.date);
    const days: Day[] = [
      { ...opened, ends },
      later,
      // Far east, a step may be due after its puzzle is over.
      { ...later, posting: ['solution'] },
      unopened,
      { ...unopened, posting: ['opening'] },
    ];
    for (const state of ['active', 'paused', 'suspended', 'off'] as const)
      for (const until of [null, now - 1, now + HOUR])
        for (const day of days) {
          const nextThreadAt = day.date === opened.date ? later.openedAt! : undefined;
          const subscription = { ...walk.subscription, state, until };
          const { post, leaveOut, lookAt } = todo({ day, subscription, now, nextThreadAt });
          if (state === 'suspended') expect([seed, post]).toEqual([seed, []]);
          if (post.length + leaveOut.length > 0 || lookAt === null) continue;
          looked++;
          expect([seed, state, until, lookAt > now]).toEqual([seed, state, until, true]);
        }
  }
  expect(looked).toBeGreaterThan(RUNS);
});
