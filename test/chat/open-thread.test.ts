/** What people do between the moment a new board is out and the moment its thread opens: the day before has the open one. */

import { afterEach, expect, test } from 'vitest';
import { newYork, type Place, type World, world } from '../fakes/world.ts';

const DOORS = ['discord', 'slack'] as const;

let made: World;
afterEach(() => made.close());

/** Where boards open at 8:00 in a zone, on the morning of November 21 in New York. */
async function open(door: (typeof DOORS)[number], zone: string): Promise<Place> {
  made = await world({ doors: [door] });
  const place = made.places[0]!;
  await made.at(newYork(20, 7));
  await place.ask('ada', `daily on zone:${zone}`);
  await made.at(newYork(20, 8));
  await made.at(newYork(20, 22));
  return place;
}

test.each(DOORS)('on %s, what is typed in the open thread is about its board', async (door) => {
  const place = await open(door, 'Asia/Kolkata');
  const opening = (await place.messages()).find(({ text }) => text.startsWith('Friday'))!;
  expect(opening.text).toContain('November 20');
  await made.at(newYork(21, 6));
  const textOf = async (line: string, thread?: typeof opening) => (await place.ask('ben', line, thread)).text;
  for (const line of ['check bfjmcg', 'hint', 'record bfjmcg gkdhlnbp'])
    expect(await textOf(line, opening), line).toContain('November 20');
  expect(await textOf('today', opening)).toContain('November 21');
  expect(await textOf('check bfjmcg')).toContain('November 21');
  expect(await textOf('share', opening)).toContain('November 20');
});

test('a relay in the open thread goes on from the channel', async () => {
  const place = await open('slack', 'America/New_York');
  await made.at(newYork(21, 2));
  await place.ask('ada', 'relay start');
  await made.at(newYork(21, 3, 10));
  expect((await place.ask('ben', 'relay bfjmcg')).text).toContain('Word added');
  const inThread = (await place.messages()).filter(({ where }) => where === 'thread');
  expect(inThread.at(-1)!.text).toContain('BFJMCG');
});
