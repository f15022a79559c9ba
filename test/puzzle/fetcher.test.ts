import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { addDays, dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { type FakeNewspaper, json, payload, startNewspaper, status } from '../fakes/newspaper.ts';
import {
  HERE,
  makePuzzleFixture,
  NOON,
  newRepository,
  PAST_DAYS,
  TODAY,
  typedBoard,
  USER_AGENT,
} from './fixture.ts';

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'a puzzle',
    (error) => error.code ?? error,
  );
const dateIn = (path = '') => /(\d{4}-\d\d-\d\d)\.json$/.exec(path)?.[1];

let newspaper: FakeNewspaper;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());
beforeEach(() => {
  newspaper.requests.length = 0;
  newspaper.play((response, request, url) => json(payload(dateIn(request.url)!))(response, request, url));
});

describe('at most one good fetch a day', () => {
  test('fifty channels ask at the same moment: one request, with our user agent', async () => {
    const { service, slept, repository } = await makePuzzleFixture(newspaper);
    const channels = Array.from({ length: 50 }, (_, index) => ({ tenant: `discord:${index}`, channel: '1' }));
    const puzzles = await Promise.all(channels.map((channel) => service.puzzleOf(TODAY, channel)));
    expect(new Set(puzzles.map(({ source }) => source))).toEqual(new Set(['newspaper']));
    expect(newspaper.requests).toEqual([
      { path: `/svc/letter-boxed/v1/${TODAY}.json`, userAgent: USER_AGENT },
    ]);
    expect(slept).toEqual([]);
    // Who looked just before it was kept asks for nothing either.
    expect(await repository.claimFetch(TODAY, NOON, NOON + MINUTE, 9)).toBeUndefined();
    expect(USER_AGENT).toMatch(/^letterboxed-bot\/.*\(\+https:\/\/.*\)$/);
  });

  test('five processes over one store ask at the same moment: one request, all get the puzzle', async () => {
    const repository = await newRepository();
    const processes = Array.from({ length: 5 }, () => makePuzzleFixture(newspaper, { repository }));
    const services = (await Promise.all(processes)).map(({ service }) => service);
    const puzzles = await Promise.all(services.map((service) => service.puzzleOf(TODAY, HERE)));
    expect(puzzles.map(({ board }) => board.letters)).toEqual(Array(5).fill('pamentrilocs'));
    expect(newspaper.requests).toHaveLength(1);
  });

  test('a restart asks nothing again; the stored copy stays, whatever the newspaper says later', async () => {
    const repository = await newRepository();
    await (await makePuzzleFixture(newspaper, { repository })).service.puzzleOf(TODAY, HERE);
    newspaper.play(json(payload(TODAY, { sides: ['ABC', 'DEF', 'GHI', 'JKL'], dictionary: undefined })));
    const { service, clock } = await makePuzzleFixture(newspaper, { repository });
    for (clock.now = NOON; clock.now < spanOf(TODAY).to; clock.now += MINUTE) {
      expect((await service.puzzleOf(TODAY, HERE)).board.letters).toBe('pamentrilocs');
    }
    expect(newspaper.requests).toHaveLength(1);
  });

  test('nobody has the puzzle before it is stored', async () => {
    const memory = await newRepository();
    const keepPuzzle = async (puzzle: Puzzle) => {
      await new Promise((resolve) => setImmediate(resolve));
      await memory.keepPuzzle(puzzle);
    };
    // Otherwise another process would look for it in vain.
    const noteFetch: typeof memory.noteFetch = async (entry) => {
      expect(await memory.days('newspaper')).toHaveLength(1);
      await memory.noteFetch(entry);
    };
    const repository = { ...memory, keepPuzzle, noteFetch };
    await (await makePuzzleFixture(newspaper, { repository })).service.puzzleOf(TODAY, HERE);
    expect(await memory.days('newspaper')).toHaveLength(1);
  });

  test('after a process died while it fetched, the next one waits for the end of its claim, then fetches', async () => {
    const { service, repository, clock } = await makePuzzleFixture(newspaper);
    await repository.claimFetch(TODAY, clock.now, clock.now + MINUTE, 9);
    expect(await code(service.puzzleOf(TODAY, HERE))).toBe('puzzle.asking');
    expect(newspaper.requests).toHaveLength(0);
    clock.now += MINUTE;
    expect((await service.puzzleOf(TODAY, HERE)).source).toBe('newspaper');
    expect(newspaper.requests).toHaveLength(1);
  });
});

describe('after failures', () => {
  test('six hours of outage, asked every minute: back off, then every quarter of an hour, then good again', async () => {
    newspaper.play(status(404));
    const { service, clock, logged } = await makePuzzleFixture(newspaper);
    const { from, to } = spanOf(TODAY);
    const end = from + 6 * HOUR;
    for (clock.now = from; clock.now < end; clock.now += MINUTE) await code(service.puzzleOf(TODAY, HERE));
    // Six hours of quarters, drawn out by a tenth on average and up to the next minute, and four early ones.
    expect(logged.length).toBeGreaterThan(22);
    expect(logged.length).toBeLessThanOrEqual(28);
    expect(newspaper.requests).toHaveLength(2 * logged.length);
    expect(logged.every(({ fields }) => (fields.requests as number) <= 3)).toBe(true);

    newspaper.play(json(payload(addDays(TODAY, 1))));
    clock.now = to;
    expect((await service.puzzleOf(addDays(TODAY, 1), HERE)).date).toBe('2026-11-21');
  });

  test('pauses grow from half a minute to a quarter of an hour', async () => {
    newspaper.play(status(403));
    const { service, clock, logged } = await makePuzzleFixture(newspaper);
    const pauses: number[] = [];
    for (let round = 0; round < 7; round++) {
      await code(service.puzzleOf(TODAY, HERE));
      const next = Date.parse(logged.at(-1)?.fields.next as string);
      pauses.push((next - clock.now) / MINUTE);
      clock.now = next - 1;
      await code(service.puzzleOf(TODAY, HERE));
      expect(logged).toHaveLength(round + 1);
      clock.now = next;
    }
    expect(pauses).toEqual([0.55, 1.1, 2.2, 5.5, 16.5, 16.5, 16.5]);
    expect(newspaper.requests).toHaveLength(7);
  });

  test('somebody who asks again ends a pause, but no sooner than five minutes after the last request', async () => {
    newspaper.play(status(403));
    const { service, clock } = await makePuzzleFixture(newspaper);
    // The pauses have grown to a quarter of an hour by then.
    for (let round = 0; round < 6; round++) {
      clock.now += 20 * MINUTE;
      await code(service.puzzleOf(TODAY, HERE));
    }
    const askAgain = async () => {
      await service.allowRetry(TODAY);
      await code(service.puzzleOf(TODAY, HERE));
    };
    clock.now += 5 * MINUTE - 1;
    await askAgain();
    expect(newspaper.requests).toHaveLength(6);
    clock.now += 1;
    await askAgain();
    expect(newspaper.requests).toHaveLength(7);
  });

  test('only the first round of a day sends a failed request again', async () => {
    newspaper.play(status(500));
    const { service, clock, logged } = await makePuzzleFixture(newspaper);
    for (let round = 0; round < 3; round++) {
      await code(service.puzzleOf(TODAY, HERE));
      clock.now += 60 * MINUTE;
    }
    expect(logged.map(({ fields }) => fields.requests)).toEqual([3, 2, 2]);
  });

  test('Retry-After holds for every day of the newspaper, over a restart and over the rollover', async () => {
    newspaper.play(status(429, { 'retry-after': String(20 * 3_600) }));
    const { service, repository } = await makePuzzleFixture(newspaper);
    await code(service.puzzleOf(TODAY, HERE));
    expect(await code(service.puzzleOf('2026-11-19', HERE))).toBe('puzzle.slow-down');
    const later = await makePuzzleFixture(newspaper, { repository, clock: { now: NOON + 19 * 3_600_000 } });
    expect(await code(later.service.puzzleOf('2026-11-21', HERE))).toBe('puzzle.slow-down');
    expect(newspaper.requests).toHaveLength(1);
    later.clock.now = NOON + 23 * 3_600_000;
    await code(later.service.puzzleOf('2026-11-21', HERE));
    expect(newspaper.requests).toHaveLength(2);
  });
});

test.each([
  ['wait', 'a year', 365 * 24, status(429, { 'retry-after': '3600' })],
  ['pause after a failure', 'some hours', 6, status(503)],
])('a %s that was noted by a clock %s ahead is ignored', async (_, __, hours, answer) => {
  newspaper.play(answer);
  const { service, clock } = await makePuzzleFixture(newspaper, { clock: { now: NOON + hours * HOUR } });
  expect(await code(service.puzzleOf(dateAt(clock.now), HERE))).not.toBe('a puzzle');
  newspaper.play(json(payload(TODAY)));
  clock.now = NOON;
  expect(await code(service.puzzleOf(TODAY, HERE))).toBe('a puzzle');
});

describe('other days', () => {
  test('a day still to come is never asked for, not a millisecond early', async () => {
    const { service, clock } = await makePuzzleFixture(newspaper);
    clock.now = spanOf('2026-11-21').from - 1;
    expect(await code(service.puzzleOf('2026-11-21', HERE))).toBe('date.to-come');
    expect(await code(service.puzzleOf('2030-01-01', HERE))).toBe('date.to-come');
    expect(newspaper.requests).toHaveLength(0);
    clock.now++;
    expect((await service.puzzleOf('2026-11-21', HERE)).date).toBe('2026-11-21');
  });

  test('a past day is asked for once, and never by the page, which only has today', async () => {
    const { service, repository, clock } = await makePuzzleFixture(newspaper);
    expect((await service.puzzleOf('2026-11-18', HERE)).date).toBe('2026-11-18');
    expect(
      (await (await makePuzzleFixture(newspaper, { repository })).service.puzzleOf('2026-11-18', HERE)).date,
    ).toBe('2026-11-18');
    newspaper.play(status(404), json({}));
    expect(await code(service.puzzleOf('2001-01-01', HERE))).toBe('puzzle.missing');
    clock.now += 60 * MINUTE;
    expect(await code(service.puzzleOf('2001-01-01', HERE))).toBe('puzzle.missing');
    expect(newspaper.requests.map(({ path }) => dateIn(path))).toEqual(['2026-11-18', '2001-01-01']);
    // After another failure, it is asked for again on the same day.
    newspaper.play(status(403));
    expect(await code(service.puzzleOf('2001-01-02', HERE))).toBe('puzzle.refused');
    clock.now += 60 * MINUTE;
    newspaper.play(json(payload('2001-01-02')));
    expect((await service.puzzleOf('2001-01-02', HERE)).date).toBe('2001-01-02');
  });

  test('past days are limited to a number a day, for all tenants together', async () => {
    const { service, clock } = await makePuzzleFixture(newspaper);
    const { pastDays } = PAST_DAYS;
    const days = Array.from(
      { length: pastDays + 5 },
      (_, index): PuzzleDate => addDays(TODAY, -2 * index - 2),
    );
    const codes: string[] = [];
    for (const [index, day] of days.entries())
      codes.push(await code(service.puzzleOf(day, { ...HERE, tenant: `discord:${index}` })));
    expect(codes.filter((each) => each === 'a puzzle')).toHaveLength(pastDays);
    expect(codes.slice(pastDays)).toEqual(Array(5).fill('puzzle.enough'));
    expect(newspaper.requests).toHaveLength(pastDays);
    expect(await code(service.puzzleOf(TODAY, HERE))).toBe('a puzzle');
    clock.now = spanOf(TODAY).to;
    expect(await code(service.puzzleOf(days.at(-1)!, HERE))).toBe('a puzzle');
    // A refusal was no try: this is the first, whose failed request is sent again.
    newspaper.play(status(502));
    newspaper.requests.length = 0;
    await code(service.puzzleOf(days.at(-2)!, HERE));
    expect(newspaper.requests).toHaveLength(2);
  });

  test('no tenant can use up the past days of all others, and a stored day costs nothing', async () => {
    const channelSource = { source: 'newspaper', otherwise: 'house' } as const;
    const { service, repository } = await makePuzzleFixture(newspaper, { channelSource });
    const ask = (tenant: string, days: number) =>
      service.puzzleOf(addDays(TODAY, -days), { ...HERE, tenant }).then(
        () => 'a puzzle',
        ({ message }: Error) => message,
      );
    const greedy: string[] = [];
    for (let days = 2; days < 32; days += 2) greedy.push(await ask('discord:greedy', days));
    expect(greedy.filter((answer) => answer === 'a puzzle')).toHaveLength(PAST_DAYS.pastDaysPerTenant);
    // The name of a private tenant has a person's id.
    expect(await repository.fetchLog(`past:${TODAY}:discord:greedy`)).toBeUndefined();
    const { board } = typedBoard(['abc', 'def', 'ghi', 'jkl']);
    await repository.keepPuzzle({ date: addDays(TODAY, -30), source: 'house', board });
    for (const answer of [greedy.at(-1), await ask('discord:greedy', 30)])
      expect(answer).toContain('its share of past days today. Try again after 3:00 AM New York time');
    expect(await ask('discord:other', 102)).toBe('a puzzle');
    expect(await ask('discord:greedy', 102)).toBe('a puzzle');
  });
});
