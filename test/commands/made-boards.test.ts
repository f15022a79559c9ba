/** Boards that people make, where `transcripts/made-boards.txt` can't say it: what the poster is given, crashes, many boards. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { type Posted, PostFailure } from '../../src/dispatch/poster.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { DAY_THREAD, deliverDue, sendStep } from '../fakes/day-thread.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { labels } from '../reply/look.ts';

let world: TestApp;
let poster: TestPoster;
beforeEach(async () => {
  poster = makeTestPoster();
  world = await makeTestApp({ words: WORDS, house, posterOf: () => poster });
});
afterEach(() => world.close());

const tell = (line: string, who: object = {}) => say(world.app, line, someone({ id: 'ann', ...who }));
const deliver = () => deliverDue(world.app, poster);
const stored = () => world.store.tenant('web:local').madeBoards;
const MAKE = `board make ${OTHER_SIDES} name:Tea`;

test('a post mentions nobody and gives nothing away', async () => {
  await tell(MAKE);
  expect(poster.openings).toMatchObject([{ threadName: 'Tea', ping: null, outcomeUnknown: false }]);
  expect(JSON.stringify(poster.openings[0]!.reply)).not.toMatch(/bfjmcg|everyday words solve/i);
});

test('its name is suggested, except where a board is made', async () => {
  await tell(MAKE);
  const suggested = (action: string) =>
    makeDispatcher(world.app, { commands: COMMANDS }).complete('name', 'te', {
      ...someone(),
      command: 'board',
      options: { do: action },
    });
  expect([await suggested('remove'), await suggested('make')]).toEqual([['Tea'], []]);
});

test.each([
  [{ mayPost: false }, 'you may not write in this channel'],
  [{ mayOpenThreads: false }, 'you may not open one in this channel'],
])('nothing is posted for people with %j', async (rights, why) => {
  expect(opened(await tell(MAKE, rights))).toContain(why);
  expect(poster.openings).toEqual([]);
});

test.each([
  [['refused'], 2 * MINUTE, [false, false]],
  [['unknown'], 2 * MINUTE, [false, true]],
  [['refused', 'unknown'], 2 * HOUR, [false, false, true]],
] as const)(
  'a post that failed (%s) is looked for first if it may be there',
  async (kinds, pause, unknown) => {
    poster.failures.post.push(...kinds.map((kind) => new PostFailure(kind, 'no')));
    await tell(MAKE);
    await tell(MAKE, { id: 'bob' });
    expect(poster.openings).toHaveLength(1);
    for (const _ of kinds.slice(1)) {
      world.clock.time += pause;
      await tell(MAKE);
    }
    world.clock.time += pause;
    expect(opened(await tell(MAKE))).toContain('in the channel now');
    expect(new Set(poster.openings.map(({ key }) => key)).size).toBe(1);
    expect(poster.openings.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual(unknown);
  },
);

test('a post that took so long that another process has sent it is no failure', async () => {
  const { open } = poster;
  poster.open = async (post) => {
    poster.open = open;
    world.clock.time += 2 * MINUTE;
    await deliver();
    return open(post);
  };
  expect(opened(await tell(MAKE))).toContain('I don’t know yet if it was posted');
});

test('a board whose time is over is not posted any more', async () => {
  poster.failures.post.push(new PostFailure('refused', 'no'));
  await tell(MAKE);
  world.clock.time += 30 * DAY;
  await tell(MAKE);
  expect(poster.openings).toHaveLength(1);
});

test.each(['remove tea sure:true', 'close tea'])('a post is not tried again after board %s', async (line) => {
  poster.failures.post.push(new PostFailure('unknown', 'no answer'));
  await tell(MAKE);
  await tell(`board ${line}`);
  world.clock.time += 2 * MINUTE;
  await deliver();
  expect(poster.openings).toHaveLength(1);
});

test('a post cut off between the message and the thread is continued by the next process, once', async () => {
  const { open } = poster;
  const row = () => stored().get('general', OTHER_SIDES, world.clock.now());
  world.expectErrors('preparing a post failed');
  poster.open = async (post) => {
    await post.record({ message: 'm1' });
    throw new Error('the process was killed here');
  };
  await tell(MAKE);
  expect(await row()).toMatchObject({ posted: { message: 'm1' }, thread: 'm1' });
  const known: (Posted | undefined)[] = [];
  poster.open = async (post) => {
    known.push(post.posted);
    return open(post);
  };
  await deliver();
  expect(known).toEqual([]);
  world.clock.time += 2 * MINUTE;
  await Promise.all([deliver(), deliver()]);
  expect(known).toEqual([{ message: 'm1' }]);
  expect(await row()).toMatchObject({ thread: 'own-1' });
  await deliver();
  expect(known).toHaveLength(1);
});

test('a board is closed though the message of another one can’t be changed', async () => {
  await tell(MAKE);
  await tell('board make bcdb fgh jkl mnp name:Other');
  poster.edit = async (_, { message }, reply) => {
    if (message !== 'o1') throw new PostFailure('later', 'slow down');
    poster.edits.push({ message, reply });
  };
  world.clock.time += 30 * DAY;
  await deliver();
  expect(poster.edits).toMatchObject([{ message: 'o1' }]);
  const closed = async () =>
    (await stored().ofChannel('general', world.clock.now())).map((one) => one.closedAt !== null);
  expect((await closed()).sort()).toEqual([false, true]);
  world.clock.time += DAY;
  await deliver();
  expect(await closed()).toEqual([true, true]);
});

test('a board whose message does not show at first that somebody has closed it shows that later', async () => {
  await tell(MAKE);
  const { edit } = poster;
  poster.edit = () => Promise.reject(new PostFailure('unknown', 'no answer'));
  await tell('board close name:Tea');
  await deliver();
  world.clock.time += MINUTE;
  await deliver();
  poster.edit = edit;
  world.clock.time += MINUTE;
  await deliver();
  expect(poster.edits).toMatchObject([{ message: 'o1' }]);
  world.clock.time += 31 * DAY;
  await deliver();
  expect(poster.edits).toHaveLength(1);
});

test('a board is not closed at the end of an earlier one with the same sides', async () => {
  await tell(MAKE);
  // Nothing ran at the end of that one.
  world.clock.time += 61 * DAY;
  await tell(MAKE);
  await deliver();
  expect(poster.edits).toEqual([]);
  expect(await stored().get('general', OTHER_SIDES, world.clock.now())).toMatchObject({ closedAt: null });
});

test('a result is shared again where its board was removed and made again', async () => {
  const sides = `sides:${OTHER_SIDES.replaceAll(' ', '-')}`;
  const share = async () => {
    await tell(MAKE);
    await tell(`play bfjmcg,gkdhlnbp ${sides}`);
    return opened(await tell(`share ${sides}`));
  };
  const first = await share();
  await tell('board remove Tea sure');
  world.clock.time += HOUR;
  expect(await share()).toBe(first);
  expect(poster.posts).toHaveLength(2);
});

test('a board whose thread is still open in another channel of the server can’t be made, until it is closed', async () => {
  const at = { channel: 'random', date: '2026-11-18' } as const;
  await world.store.tenant('web:local').subscriptions.save('random', {}, { version: 0, by: 'ann', at: 1 });
  const puzzle = { date: at.date, source: 'house', sides: OTHER_SIDES.split(' ') };
  const posted: Posted & { puzzle: object } = { ...DAY_THREAD, puzzle };
  await sendStep(world.store, { ...at, step: 'opening' }, world.clock.now(), posted);
  const make = async () => opened(await tell('board make pml nkj hgf bcd name:Tea'));
  expect(await make()).toContain('the board of a day');
  expect(
    await world.app.puzzles.dayOf({ sides: puzzle.sides }, { tenant: 'web:1', channel: 'general' }),
  ).toBe(undefined);
  await sendStep(world.store, { ...at, step: 'closing' }, world.clock.now());
  expect(await make()).toContain('You made Tea');
});

test.each([
  ['that has become a day’s', `set ${OTHER_SIDES.split(' ').reverse().join(' ')}`],
  ['whose solutions solve the day’s', 'today'],
])('a board %s is closed without them', async (_, line) => {
  await tell(MAKE);
  const sides = `sides:${OTHER_SIDES.replaceAll(' ', '-')}`;
  await tell(`play bfjmcg,gkdhlnbp ${sides}`);
  await tell(`hint count ${sides}`, { id: 'bob' });
  await tell(`play bfjmcg,gkdhlnbp ${sides}`, { id: 'bob' });
  await tell(line, { mayManage: true });
  await tell('board close tea');
  const shown = JSON.stringify(poster.edits.at(-1)!.reply);
  expect(shown).toContain('Closed: Tea');
  expect(shown).toMatch(/1\..*ann.*2\..*bob/);
  expect(shown).not.toMatch(/gkdhlnbp|solutions left to find/i);
  expect(shown.includes('This channel found')).toBe(line === 'today');
});

test('boards are listed from the newest on, a page at a time, each to be played', async () => {
  await tell(MAKE);
  const [{ solvers: _, ...first } = expect.fail('nothing stored')] = await stored().ofChannel(
    'general',
    world.clock.now(),
  );
  for (let number = 1; number <= 5; number++)
    await stored().add({
      ...first,
      board: `b${number}`,
      name: `Tea ${number}`,
      madeAt: first.madeAt + number,
    });
  const reply = await tell('boards');
  expect(opened(reply)).toMatch(/Tea 5.*Tea 4.*Tea 3.*Tea 2.*Boards 1 to 4 of 6/s);
  expect(opened(reply)).not.toContain('Tea 1 ');
  expect(labels(reply)).toEqual([
    'Play Tea 5',
    'Play Tea 4',
    'Play Tea 3',
    'Play Tea 2',
    'More',
    'Make a board',
  ]);
  await tell('board close tea');
  expect(opened(await tell('board list page:2'))).toMatch(/Tea 1.*Tea by.*closed/s);
});
