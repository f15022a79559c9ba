/** The lease of a delivery, which keeps other processes from posting the same. */
import { afterEach, expect, test, vi } from 'vitest';
import { fakePuzzleService } from '../fakes.ts';
import { beforeOpening, type Ground, MINUTE, OPENING, openingOf } from '../ground.ts';

const LEASE = 2 * MINUTE;
afterEach(() => {
  vi.useRealTimers();
});

/** What another process on the same store could take over at a moment. */
async function claimable({ store }: Pick<Ground, 'store'>, now: number): Promise<string[]> {
  const claimed = await store.allDeliveries.claim('web', 10, { owner: 'other', now, until: now + LEASE });
  return claimed.map(({ lease }) => lease.step);
}

test('an opening that waited long for its puzzle renews its lease right before it posts', async () => {
  const puzzles = fakePuzzleService();
  const puzzleOf: typeof puzzles.puzzleOf = async (...asked) => {
    ground.clock.moment = OPENING + LEASE - 1;
    return puzzles.puzzleOf(...asked);
  };
  const ground = await beforeOpening({}, { lease: LEASE, puzzles: { ...puzzles, puzzleOf } });
  let seen: string[] | undefined;
  ground.platform.pause = async () => {
    seen ??= await claimable(ground, ground.clock.moment + LEASE - 1);
  };
  await ground.at(OPENING);
  expect(seen).toEqual([]);
});

test('the lease of a slow post is renewed while it goes on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const ground = await beforeOpening({}, { lease: LEASE });
  const leasedUntil = async () => (await openingOf(ground)).nextAt;
  const ends: number[] = [];
  ground.platform.pause = async () => {
    if (ends.length > 0) return;
    for (let renewal = 1; renewal <= 4; renewal++) {
      ground.clock.moment += LEASE / 3;
      vi.advanceTimersByTime(LEASE / 3);
      await expect.poll(leasedUntil).toBe(ground.clock.moment + LEASE);
      ends.push(await leasedUntil());
    }
  };
  await ground.at(OPENING);
  expect(ends).toHaveLength(4);
  expect((await ground.rows('2026-11-20')).opening).toBe('sent');
});

test('an attempt after the clock jumped waits for the one that is still under way', async () => {
  const ground = await beforeOpening({}, { lease: LEASE });
  const began = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  ground.platform.pause = async () => {
    if (ground.platform.requests > 1) return second.resolve();
    began.resolve();
    await answer.promise;
  };
  const first = ground.at(OPENING);
  await began.promise;
  ground.clock.moment += 10 * MINUTE;
  const again = ground.daily.runDue();
  await expect.poll(async () => (await openingOf(ground)).attempts).toBe(2);
  // The second attempt would be here soon if it did not wait; it is no fault if it comes late.
  await Promise.race([second.promise, new Promise((resolve) => setTimeout(resolve, 300))]);
  expect(ground.platform.requests).toBe(1);
  answer.resolve();
  await Promise.all([first, again]);
  await ground.until(ground.clock.moment + 5 * MINUTE);
  expect(ground.platform.messages.filter(({ thread }) => thread === undefined)).toHaveLength(1);
});
