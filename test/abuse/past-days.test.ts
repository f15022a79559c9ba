import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { type FakeNewspaper, json, payload, startNewspaper } from '../fakes/newspaper.ts';
import { makePuzzleFixture, TODAY } from '../puzzle/fixture.ts';

let newspaper: FakeNewspaper;
beforeAll(async () => {
  newspaper = await startNewspaper();
});
afterAll(() => newspaper[Symbol.asyncDispose]());
beforeEach(() => {
  newspaper.requests.length = 0;
  newspaper.play((response, request, url) => {
    const [, date = ''] = /(\d{4}-\d\d-\d\d)\.json$/.exec(request.url ?? '') ?? [];
    json(payload(date))(response, request, url);
  });
});

it('no server can use up the past days of all others, and a stored day costs nothing', async () => {
  const { service, clock } = makePuzzleFixture(newspaper);
  const ask = (tenant: string, days: number) =>
    service.puzzleOf(addDays(TODAY, -days), { tenant, channel: 'c' }).then(
      () => 'a puzzle',
      ({ message }: Error) => message,
    );
  const greedy: string[] = [];
  for (let days = 2; days < 32; days += 2) greedy.push(await ask('discord:greedy', days));
  expect(greedy.filter((answer) => answer === 'a puzzle')).toHaveLength(4);
  expect(greedy.at(-1)).toContain('its share of past days today. Try again after 3:00 AM New York time');
  expect(await ask('discord:other', 102)).toBe('a puzzle');
  expect(await ask('slack:T1', 104)).toBe('a puzzle');
  // Stored by now, it is there for everybody.
  expect(await ask('discord:greedy', 102)).toBe('a puzzle');
  expect(newspaper.requests).toHaveLength(6);
  clock.now = spanOf(TODAY).to;
  expect(await ask('discord:greedy', 200)).toBe('a puzzle');
});
