/** Threads, where every-door/shared.test.ts does not see them: relays and made boards that the platform hinders, and a day's open thread. */
import { afterEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { deliverDue } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { OTHER_SIDES } from '../fakes/small-board.ts';
import { newYork, PLATFORMS, type Place, type Platform, type World, world } from '../fakes/world.ts';
import { run } from './terminal/run.ts';

const EDIT = 'PATCH /channels/:channel/messages/:message';
const POSTS = 'POST /channels/:channel/messages';
const THREADS = 'POST /channels/:channel/messages/:message/threads';

let made: World | undefined;
afterEach(async () => {
  await made?.close();
  made = undefined;
});

async function open(door: Platform): Promise<{ here: World; place: Place }> {
  made = await world({ doors: [door] });
  return { here: made, place: made.places[0]! };
}
const inThread = async (place: Place) =>
  (await place.messages()).filter(({ where }) => where === 'thread').map(({ text }) => text);

describe('a relay', () => {
  test('goes on in its message although Discord’s answers to its posts were lost', async () => {
    const { here, place } = await open('discord');
    here.discord!.discord.fault({ on: POSTS, what: 'lose', times: 2 });
    expect((await place.ask('ada', 'relay start')).text).toContain('Relay started in the thread');
    await place.ask('ben', 'relay bfjmcg');
    expect(await inThread(place)).toEqual([expect.stringContaining('BFJMCG')]);
  });

  test('on Discord is one edit for each word; past the cap on edits of old messages it goes on in a fresh one', async () => {
    const { here, place } = await open('discord');
    await place.ask('ada', 'relay start');
    const { discord } = here.discord!;
    await place.ask('ada', 'relay bfjmcg');
    expect(await inThread(place)).toHaveLength(1);
    expect(discord.requestsTo(EDIT)).toHaveLength(1);
    here.clock.time += 2 * HOUR;
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
    const { here, place } = await open('slack');
    await place.ask('ada', 'relay start');
    here.slack!.fake.faults.inject({ ...fault, method: 'chat.update' });
    await place.ask('ben', 'relay bfjmcg');
    const shown = await inThread(place);
    expect(shown).toHaveLength(messages);
    expect(shown.at(-1)).toContain('BFJMCG');
  });
});

test('a race can be joined although Discord’s answer to its post was lost', async () => {
  const { here, place } = await open('discord');
  here.discord!.discord.fault({ on: POSTS, what: 'lose' });
  expect((await place.ask('ada', 'race')).text).toContain('You’re in the race');
  const [message] = await place.messages();
  expect((await message!.press('ben', 'Join')).text).toContain('You’re in the race');
  expect((await place.messages()).map(({ text }) => text)).toEqual([expect.stringMatching(/ada.*ben/)]);
});

/** What people do between the moment a new board is out and the moment its thread opens: the day before has the open one. */
describe('the open thread of a day', () => {
  /** Where boards open at 8:00 in a zone. */
  async function openDay(door: Platform, zone: string) {
    const opened = await open(door);
    await opened.here.at(newYork(20, 7));
    await opened.place.ask('ada', `daily on zone:${zone}`);
    await opened.here.at(newYork(20, 8));
    await opened.here.at(newYork(20, 22));
    return opened;
  }

  test.each(PLATFORMS)('on %s, what is typed in it is about its board', async (door) => {
    const { here, place } = await openDay(door, 'Asia/Kolkata');
    const opening = (await place.messages()).find(({ text }) => text.startsWith('Friday'))!;
    expect(opening.text).toContain('November 20');
    await here.at(newYork(21, 6));
    const textOf = async (line: string, thread?: typeof opening) =>
      (await place.ask('ben', line, thread)).text;
    for (const line of ['check bfjmcg', 'hint', 'record bfjmcg gkdhlnbp'])
      expect(await textOf(line, opening), line).toContain('November 20');
    expect(await textOf('today', opening)).toContain('November 21');
    expect(await textOf('check bfjmcg')).toContain('November 21');
    expect(await textOf('share', opening)).toContain('November 20');
    // Once the next thread is open, this one is closed, where that can be.
    await here.at(newYork(21, 22));
    if (door === 'slack') expect(await textOf('check bfjmcg', opening)).toContain('November 21');
  });
});

describe('a board that somebody makes', () => {
  test('has neither its post nor its thread twice after a process was killed between them', async () => {
    const { here, place } = await open('discord');
    const { discord, channel, door } = here.discord!;
    const make = async () =>
      (await place.ask('ada', `board make sides:"${OTHER_SIDES}" name:"Tea time"`)).text;
    const posted = () => discord.world.messagesOf(channel.id);
    const threads = () => [...discord.world.channels.values()].filter((one) => one.parent_id === channel.id);
    discord.fault({ on: THREADS, what: { status: 500 }, times: 20 });
    expect(await make()).toContain('I couldn’t open a thread');
    expect(posted()).toHaveLength(1);
    expect(threads()).toEqual([]);
    discord.clearFaults();
    here.clock.time += 3 * MINUTE;
    const deliver = () => deliverDue(here.app, door.poster);
    await Promise.all([deliver(), deliver()]);
    expect(posted()).toHaveLength(1);
    expect(threads()).toMatchObject([{ id: posted()[0]!.id, name: 'Tea time' }]);
    expect(await make()).toContain('already: Tea time');
  });

  test('is the answer in the terminal, and stays in the list', async () => {
    const folder = makeFolder();
    const ask = (...typed: string[]) => run(typed, { settings: { DATA_DIR: folder } });
    const board = await ask('board', 'make', 'ozu', 'nri', 'lfa', 'mbt', 'name:Tea time');
    expect(board).toMatchObject({ code: 0, err: '' });
    expect(board.out).toMatch(/^Challenge: Tea time\n.*Par: \d words\nDifficulty: [a-z]+/s);
    expect((await ask('boards')).out).toMatch(/Tea time by @terminal: OZU NRI LFA MBT · par \d/);
    expect((await ask('board', 'remove', 'tea time', 'sure')).out).toContain('Tea time is removed');
  });
});
