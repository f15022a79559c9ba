import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../src/core/clock.ts';
import type { Ground } from './ground.ts';

export function shortLivedContract({ store, door }: Ground): void {
  const AT = Date.UTC(2026, 10, 20, 8);

  describe('actions', () => {
    test('are found by their key until they expire', async () => {
      const { actions } = store();
      await actions.put('k1', '{"command":"solve"}', AT + 60);
      expect(await actions.get('k1', AT + 59)).toBe('{"command":"solve"}');
      expect(await actions.get('k1', AT + 60)).toBeUndefined();
      expect(await actions.get('k2', AT)).toBeUndefined();
      await actions.put('k1', 'again', AT + 90);
      expect(await actions.get('k1', AT + 60)).toBe('again');
    });

    test('of one owner are erased, and none of owners before and after them or of nobody', async () => {
      const { actions } = store();
      const owners = ['a', 'b', 'c'].map((letter) => `${door()}-${letter}`);
      for (const owner of owners)
        for (const place of [1, 2])
          await actions.put(`${owner} ${place}`, 'x', AT + 60, {
            id: `${owner} ${place}`,
            tenant: 'x:1',
            most: 5,
          });
      await actions.put(`${owners[1]} of nobody`, 'x', AT + 60);
      await actions.erase(owners[1]!);
      for (const [at, owner] of owners.entries())
        for (const place of [1, 2])
          expect(await actions.get(`${owner} ${place}`, AT)).toBe(at === 1 ? undefined : 'x');
      expect(await actions.get(`${owners[1]} of nobody`, AT)).toBe('x');
    });
  });

  describe('processed events', () => {
    test('are marked once, and again when they have expired', async () => {
      const { events } = store();
      expect(await events.markedUntil('slack:Ev1', AT)).toBeUndefined();
      const marks = await Promise.all([1, 2, 3].map(() => events.mark('slack:Ev1', AT, AT + 60)));
      expect(marks.filter((first) => first)).toHaveLength(1);
      expect(await events.markedUntil('slack:Ev1', AT + 59)).toBeDefined();
      expect(await events.markedUntil('slack:Ev1', AT + 60)).toBeUndefined();
      expect(await events.mark('slack:Ev1', AT + 60, AT + 120)).toBe(true);
      expect(await events.mark('slack:Ev1', AT + 61, AT + 120)).toBe(false);
      await events.unmark('slack:Ev1');
      expect(await events.mark('slack:Ev1', AT + 61, AT + 120)).toBe(true);
    });

    test('are marked for longer, and never for less long', async () => {
      const { events } = store();
      for (const [until, expected] of [
        [AT + 60, AT + 60],
        [AT + 30, AT + 60],
        [AT + 90, AT + 90],
      ] as const) {
        await events.extend('page 1', until);
        expect(await events.markedUntil('page 1', AT)).toBe(expected);
      }
    });
  });

  test('one event of each list is marked, or none of any', async () => {
    const { events } = store();
    const [full, mine] = [
      ['full 1', 'full 2'],
      ['mine 1', 'mine 2'],
    ];
    const take = (lists: string[][], now = AT) => events.markEach(lists, now, now + 60);
    expect(await take([full, ['other 1']])).toBeUndefined();
    expect(await take([full])).toBeUndefined();
    expect(await take([mine, full])).toBe(1);
    expect(await events.markedUntil('mine 1', AT)).toBeUndefined();
    expect(await take([full, mine])).toBe(0);
    expect(await events.markedUntil('full 1', AT + 59), 'those of others stay').toBeDefined();
    const both = await Promise.all([take([mine]), take([mine]), take([mine])]);
    expect(both.filter((list) => list === 0)).toHaveLength(1);
    expect(await take([mine, full], AT + 60)).toBeUndefined();
  });

  test('sweeping deletes what has expired and nothing else', async () => {
    const { actions, events, allTenants, hunts } = store();
    const mine = door();
    const { games, soloGames, hints, finds } = store().tenant(`${mine}:1`);
    for (const board of ['played typed', 'unplayed']) await hunts.keep(`${mine} ${board}`, [], AT - 61 * DAY);
    await finds.add({ person: 'p2', channel: 'c', board: `${mine} played`, solution: 'a', foundAt: AT });
    const { soloGame } = store().allPeople;
    const game = { version: 0, people: ['p1'], now: AT };
    await actions.put('swept', 'x', AT + 1);
    await actions.put('kept', 'x', AT + 2);
    await events.mark('swept', AT, AT + 1);
    await events.mark('kept', AT, AT + 2);
    await games.save('swept', { ...game, state: 1, expiresAt: AT + 1 });
    await games.save('kept', { ...game, state: 2, expiresAt: AT + 2 });
    await soloGames.save('p1', { board: 'swept', state: 1, version: 0, now: AT, expiresAt: AT + 1 });
    await soloGames.save('p1', { board: 'kept', state: 2, version: 0, now: AT, expiresAt: AT + 2 });
    await hints.record('p1', '2026-11-20 ab', ['start'], { at: AT - 399 * DAY });
    await hints.record('p1', '2025-10-01 ab', ['start'], { at: AT - 401 * DAY });
    // More than one statement deletes.
    const many = Array.from({ length: 501 }, (_, nth) => `swept ${nth}`);
    await Promise.all(many.map((key) => events.mark(key, AT, AT + 1)));
    await allTenants.deleteExpired(AT + 1, '1999-01-01');
    const left = await Promise.all(many.map((key) => events.markedUntil(key, 0)));
    expect(left.filter((until) => until !== undefined)).toEqual([]);
    // Asked as of long ago, so that only rows which are really gone are missing.
    expect(await actions.get('swept', 0)).toBeUndefined();
    expect(await events.markedUntil('swept', 0)).toBeUndefined();
    expect(await games.get('swept', 0)).toBeUndefined();
    expect(await soloGame(mine, 'p1', 'swept', 0)).toBeUndefined();
    expect(await soloGame(mine, 'p1', 'kept', 0)).toMatchObject({ state: 2, version: 1 });
    expect(await actions.get('kept', 0)).toBe('x');
    expect(await hunts.get(`${mine} unplayed`)).toBeUndefined();
    expect(await hunts.get(`${mine} played typed`)).toBeDefined();
    expect(await events.markedUntil('kept', 0)).toBeDefined();
    expect(await games.get('kept', 0)).toEqual({ state: 2, version: 1 });
    expect(await store().allPeople.counts(mine, 'p1')).toMatchObject([{ games: 1, hints: 1 }]);
  });

  test('places in a line are given out once, one after the other, however many ask at once', async () => {
    const line = door();
    const { pace } = store();
    const began = performance.now();
    const ends = await Promise.all(Array.from({ length: 20 }, () => pace.reserve(line, 10 / 3)));
    const took = performance.now() - began;
    // Time goes on between two queries, so that the end comes nearer.
    const sorted = ends.sort((a, b) => a - b);
    for (const [index, end] of sorted.entries()) {
      expect(end).toBeLessThanOrEqual((index + 1) * 300 + 1);
      expect(end).toBeGreaterThan((index + 1) * 300 - took - 1);
    }
    await expectPlace(20, () => pace.reserve(door(), 50));
  });

  test('a full line gives out no more places', async () => {
    const line = door();
    const { pace } = store();
    const taken = await Promise.all(Array.from({ length: 20 }, () => pace.reserveUpTo(5, line, 0.01)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(5);
  });

  test('pauses of a line do not add up, and shorten nothing', async () => {
    const line = door();
    const { pace } = store();
    await expectPlace(600_200, async () => {
      for (let times = 0; times < 7; times++) await pace.pause(line, 600_000);
      await pace.pause(line, 1_000);
      return pace.reserve(line, 5);
    });
    expect(await pace.reserveUpTo(25, line, 5)).toBe(false);
  });

  test('a pause of more than an hour lasts one', async () => {
    const line = door();
    const { pace } = store();
    await pace.pause(line, 2 * HOUR);
    expect(await pace.reserveUpTo(25, line, 5)).toBe(false);
  });

  test('a line of an hour gets no longer, and does not start again', async () => {
    const line = door();
    const { pace } = store();
    await pace.reserve(line, 1 / 1800);
    await pace.reserve(line, 1 / 1799);
    for (let times = 0; times < 2; times++) expect(await pace.reserve(line, 1 / 10)).toBe(HOUR);
    expect(await pace.reserveUpTo(25, line, 5)).toBe(false);
  });

  test('a line that a wrong clock made too long starts again', async () => {
    const line = door();
    const { pace } = store();
    await expectPlace(3_660_000, () => pace.reserve(line, 1 / (61 * 60)));
    await expectPlace(1_000, () => pace.reserve(line, 1));
  });
}

/** Time may go on within the query, too. */
async function expectPlace(milliseconds: number, reserve: () => Promise<number>): Promise<void> {
  const began = performance.now();
  const ahead = await reserve();
  expect(ahead).toBeLessThanOrEqual(milliseconds + 1);
  expect(ahead).toBeGreaterThan(milliseconds - (performance.now() - began) - 1);
}
