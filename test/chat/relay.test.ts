/** A relay where a platform lets its message be edited no more; every-door/shared.test.ts plays one. */

import { afterEach, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { type Place, type World, world } from '../fakes/world.ts';

const EDIT = 'PATCH /channels/:channel/messages/:message';

let made: World;
afterEach(() => made.close());

async function begin(door: 'discord' | 'slack'): Promise<Place> {
  made = await world({ doors: [door] });
  const place = made.places[0]!;
  await place.ask('ada', 'relay start');
  return place;
}
const inThread = async (place: Place) =>
  (await place.messages()).filter(({ where }) => where === 'thread').map(({ text }) => text);

test('on Discord each word is one edit; past the cap on edits of old messages it goes on in a fresh one', async () => {
  const place = await begin('discord');
  const { discord } = made.discord!;
  await place.ask('ada', 'relay bfjmcg');
  expect(discord.requestsTo(EDIT)).toHaveLength(1);
  made.clock.time += 2 * HOUR;
  discord.fault({ on: EDIT, what: { retryAfter: 600 } });
  await place.ask('ben', 'relay gkdhln');
  expect((await inThread(place)).map((text) => text.includes('GKDHLN'))).toEqual([false, true]);
  await place.ask('ada', 'relay nbp');
  expect((await inThread(place)).at(-1)).toContain('Relay solved in 3 words');
});

test.each([
  ['slowed down, it waits, and shows the last state', { kind: 'ratelimited', retryAfter: 1 }, 1],
  ['refused, it goes on in a fresh message', { kind: 'error', error: 'edit_window_closed' }, 2],
] as const)('on Slack, where edits are %s', async (_, fault, messages) => {
  const place = await begin('slack');
  made.slack!.fake.faults.inject({ ...fault, method: 'chat.update' });
  await place.ask('ben', 'relay bfjmcg');
  const shown = await inThread(place);
  expect(shown).toHaveLength(messages);
  expect(shown.at(-1)).toContain('BFJMCG');
});
