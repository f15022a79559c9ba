/** The message of a day in its channel, which changes while people play and when its settings change. */

import { afterEach, describe, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/core/clock.ts';
import { addWords } from '../../src/players/solo-games.ts';
import { hookedPoster } from '../daily/hooks.ts';
import { someone } from '../fakes/app.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { onlyLong } from '../fakes/sample.ts';
import { newYork, type Place, WORLD_DOORS, type World, world } from '../fakes/world.ts';

let made: World;
afterEach(() => made.close());

/** A channel in which Ben solved Thursday's board, and whose thread of Friday is open. */
async function open(door: (typeof WORLD_DOORS)[number]): Promise<Place> {
  made = await world({ doors: [door] });
  const place = made.places[0]!;
  await made.at(newYork(19, 7));
  await place.ask('ada', 'daily on');
  await made.at(newYork(19, 8));
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  await made.at(newYork(20, 8));
  return place;
}
const after = (minutes: number) => made.at(made.clock.time + minutes * MINUTE);
const postOf = async (place: Place) =>
  (await place.messages())
    .map(({ text }) => text)
    .findLast((text) => text.includes('Friday, November 20') && text.includes('On until'))!;

describe.each(WORLD_DOORS)('on %s', (door) => {
  /** What doors have no part in. */
  const once = door === 'discord' ? {} : onlyLong;

  test('says who plays and who solved it, a minute later and in one change', async () => {
    const place = await open(door);
    expect(await postOf(place)).toContain('Yesterday: ');
    expect(await postOf(place)).not.toMatch(/playing|solved\./);
    await place.ask('ben', 'play bfjm mcgkdhlnbp');
    await place.ask('ben', 'play bfjmcg gkdhlnbp');
    await made.at(made.clock.time + 20 * SECOND);
    expect(await postOf(place)).not.toMatch(/playing|solved\./);
    await after(1);
    expect(await postOf(place)).toContain('1 solved.');
    await place.ask('cleo', 'play bfjm mcgkdhlnbp');
    await after(1);
    expect(await postOf(place)).toContain('2 solved.');
    expect(await postOf(place)).not.toContain('playing');
  });

  test('keeps what it says of yesterday when the settings change, and says it in a test', once, async () => {
    const place = await open(door);
    await place.ask('cleo', 'play bfjmcg gkdhlnbp');
    await place.ask('ada', 'daily count:15:00');
    expect(await postOf(place)).toMatch(/Yesterday: .* 2 words/);
    expect(await postOf(place)).toContain('1 solved.');
    expect((await place.ask('ada', 'daily test')).text).toMatch(/Yesterday: .* 2 words/);
    await place.ask('ada', 'daily lines:board');
    expect(await postOf(place)).not.toMatch(/Yesterday|playing/);
  });
});

test.each([
  ['discord', '123456789012345678', '123456789012345678'],
  ['slack', '<!subteam^S0123ABC|@team>', 'S0123ABC'],
] as const)('on %s, keeps its mention when it changes', async (door, typed, id) => {
  made = await world({ doors: [door] });
  const place = made.places[0]!;
  await made.at(newYork(20, 7));
  await place.ask('ada', `daily on ping:${typed}`);
  await made.at(newYork(20, 8));
  expect(await postOf(place)).toContain(id);
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  await after(1);
  expect(await postOf(place)).toMatch(RegExp(`${id}[^]*1 solved`));
  await place.ask('ada', 'daily count:off');
  expect(await postOf(place)).not.toContain('words needed');
  expect(await postOf(place)).toContain(id);
  await made.at(newYork(21, 8));
  const texts = (await place.messages()).map(({ text }) => text);
  expect(texts.find((text) => text.includes('The day of this board is over'))).toContain(id);
});

test('a test of the daily thread says nothing of a thread that was long ago', async () => {
  const place = await open('web');
  await place.ask('cleo', 'play bfjmcg gkdhlnbp');
  made.clock.time += 60 * DAY;
  expect((await place.ask('ada', 'daily test')).text).not.toContain('2 words');
});

test('a day that is closed during a change does not look open again', async () => {
  const place = await open('web');
  await place.ask('cleo', 'play bfjm mcgkdhlnbp');
  expect(await postOf(place)).toBeDefined();
  made.clock.time += MINUTE;
  const closing = { ...place.ref, date: '2026-11-20', step: 'closing' } as const;
  const close = async (point: string) => {
    if (point === 'after poster.edit') await sendStep(made.app.store, closing, made.clock.time);
  };
  const poster = hookedPoster(made.app.posterOf('web')!, close);
  const process = made.begin({ owner: 'slow', posters: [poster] });
  await process.runDue();
  await process.stop();
  expect(await postOf(place)).toBeUndefined();
});

test('shows the last state on Discord after it has refused changes of an old message', async () => {
  const place = await open('discord');
  made.discord!.discord.threads.oldEdits = 1;
  await made.at(newYork(20, 10));
  await place.ask('ben', 'play bfjmcg gkdhlnbp');
  await after(3);
  await place.ask('cleo', 'play bfjmcg gkdhlnbp');
  await after(3);
  expect(await postOf(place)).toContain('1 solved.');
  for (let minutes = 0; minutes < 80; minutes += 20) await after(20);
  expect(await postOf(place)).toContain('2 solved.');
});

test('counts who began, and does not change a day that is over', async () => {
  const place = await open('web');
  const play = (id: string, words: string) => addWords(someone({ id }), made.app, {}, [words]);
  await play('cleo', 'bfjm');
  await after(1);
  expect(await postOf(place)).toContain('1 playing.');
  await play('cleo', 'mcgkdhlnbp');
  await play('ben', 'bfjm');
  await after(1);
  expect(await postOf(place)).toContain('1 playing, 1 solved.');
  // Nor while the channel is paused.
  await place.ask('ada', 'daily pause');
  await play('dan', 'bfjm');
  await after(2);
  expect(await postOf(place)).toContain('1 playing, 1 solved.');
  await place.ask('ada', 'daily on');
  await made.at(newYork(21, 8));
  await after(2);
  const over = (await place.messages()).filter(({ text }) => text.includes('The day of this board is over.'));
  expect(over.map(({ text }) => /playing|solved\./.test(text))).toEqual([false, false]);
});
