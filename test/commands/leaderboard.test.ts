import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { parseMoves } from '../../src/play/game.ts';
import { playSoloGame } from '../../src/players/solo-games.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { ChannelSource, Source } from '../../src/puzzle/types.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { FakePaper } from '../daily/fakes.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';
import { sharedTenant } from '../fakes/stored.ts';
import { dayOf, resultOf } from '../players/made-up.ts';
import { buttons } from '../reply/look.ts';

/** Leaderboards, where `transcripts/results.txt` can't say it. */

const { app, store, close } = await makeTestApp();
afterAll(close);

const tablesOf = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));
/** Its table as text, one space between two cells. */
const rows = (reply: Reply) =>
  (opened(reply).match(/^ *\d+ {2}.*$/gm) ?? []).map((row) => row.trim().replace(/ +/g, ' '));
const person = (id: string) => someone({ id }, { tenant: 'web:many' });

test('has pages, with the asker’s own row on each, and people as platforms can name them', async () => {
  const { results } = store.tenant('web:many');
  for (let index = 0; index < 25; index++)
    await results.record(resultOf(dayOf(0), { person: `p${index}`, after: index }));
  const first = await say(app, 'leaderboard', person('x'));
  expect(tablesOf(first)[0]!.rows.flat()).toContainEqual({ person: 'p0' });
  expect(rows(first)).toHaveLength(10);
  expect(opened(first)).toContain('Places 1 to 10 of 25.');
  const last = await say(app, 'leaderboard page:3', person('x'));
  expect(rows(last).map((row) => row.split(' ')[0])).toEqual(['21', '22', '23', '24', '25']);
  expect(rows(await say(app, 'leaderboard', person('p21'))).slice(10)).toEqual(['22 @p21 1 2 12 0']);
  expect(rows(await say(app, 'leaderboard page:3', person('p21')))).toHaveLength(5);
  const more = buttons(first).find(({ label }) => label === 'More')!;
  expect(rows(await press(app, more.action, person('x')))[0]).toMatch(/^11 @p10 /);
});

test('of all time asks for a month of results at a time, since one query of years would hold up everybody', async () => {
  const years = someone({ id: 'ann' }, { tenant: 'web:years' });
  const { results, channelResults } = sharedTenant(store, 'web:years');
  for (const days of [0, -31, -400, -1_800]) await results.record(resultOf(dayOf(days)));
  await results.record(resultOf(dayOf(-1_799), { person: 'ben', words: 3 }));
  const sums = vi.spyOn(channelResults, 'sums');
  expect(rows(await say(app, 'leaderboard all', years))).toEqual(['1 @ann 4 2 12 0', '2 @ben 1 3 12 0']);
  const longest = sums.mock.calls.map(([, from, to]) => from < TODAY && to > addDays(from, 30));
  expect([longest.length > 1, longest.includes(true)]).toEqual([true, false]);
});

test('shows the words and titles of a day once its thread has told how many words it takes, or the day is over', async () => {
  const small = await makeTestApp({ words: WORDS, house });
  const { results, channelResults } = small.store.tenant('web:local');
  const solved = { channel: 'general', letters: 14, after: 3_600_000 };
  await results.record(resultOf(TODAY, { ...solved, person: 'ann' }));
  await results.record(resultOf(TODAY, { ...solved, person: 'ben', words: 3, letters: 16, after: 60_000 }));
  await results.record(resultOf(TODAY, { ...solved, person: 'cleo', afterSolution: true }));
  await results.record(resultOf(TODAY, { ...solved, person: 'dan', reported: true, afterSolution: true }));
  await results.record(resultOf(TODAY, { ...solved, person: 'eve', late: true, afterSolution: true }));
  const shown = async (line: string) => rows(await say(small.app, line));
  const untitled = [
    '1 @ann 2 14 0',
    '2 @ben 3 16 0',
    '3 @cleo 2 14 0 after the solution',
    '4 @dan 2 14 0 after the solution, self-reported',
    '5 @eve 2 14 0 after the solution, late',
  ];
  const titled = ['1 @ann Legend 2 14 0', '2 @ben Architect 3 16 0', ...untitled.slice(2)];
  const early = opened(await say(small.app, 'leaderboard day'));
  for (const name of ['ann', 'ben', 'cleo', 'dan', 'eve'])
    expect(early).toMatch(new RegExp(`@${name} +solved\n`));
  expect(early).not.toMatch(/\d.*@|@.*\d/);
  // The order of ranks would tell that he needed more.
  for (const line of ['leaderboard day', 'leaderboard week', 'leaderboard review'])
    expect(opened(await say(small.app, line)), line).toMatch(/@ben.*@ann/s);
  // Averages would tell them, too: alone, or by their difference from those of the day before.
  await results.record(resultOf(addDays(TODAY, -1), { ...solved, person: 'ben' }));
  for (const period of ['week', 'month', 'all']) {
    const [ben, ...others] = await shown(`leaderboard ${period}`);
    expect(ben).toBe('1 @ben 2 2 14 0');
    expect(others.join()).toMatch(/@ann 1 – – –.*@cleo 1 – – – 1 after/);
  }
  await sendStep(small.store, { step: 'count' }, NOON - 1);
  expect(await shown('leaderboard day')).toEqual(titled);
  expect(tablesOf(await say(small.app, 'leaderboard day'))[0]!.caption).not.toContain('Averages');
  expect((await shown('leaderboard week')).slice(0, 2)).toEqual(['1 @ben 2 2.5 15 0', '2 @ann 1 2 14 0']);
  small.clock.time += DAY;
  expect(await shown('leaderboard day date:yesterday')).toEqual(titled);
  // Results of a board that the day no longer has are not ranked, and those of another one have no title.
  await channelResults.setBoard('general', TODAY, 'other');
  expect(await shown('leaderboard day date:yesterday')).toEqual([]);
  await small.close();
});

test('in a day’s thread, which far east is open while the next board is on, means that day, as missing does', async () => {
  const { app, store, close } = await makeTestApp({ words: WORDS, house });
  await sendStep(store, { date: addDays(TODAY, -1), step: 'opening' }, NOON - DAY);
  const there = someone({}, { thread: DAY_THREAD.thread! });
  for (const [line, date] of [
    ['leaderboard day', 'November 19'],
    ['missing', 'November 19'],
    ['leaderboard day date:today', 'November 20'],
  ] as const) {
    expect((await say(app, line, there)).title, line).toContain(date);
    expect((await say(app, line)).title, line).toContain('November 20');
  }
  await close();
});

let world: TestApp;
const HOUSE: ChannelSource = { source: 'house', otherwise: 'house' };
const NEWSPAPER: ChannelSource = { source: 'newspaper', otherwise: 'nothing' };
beforeAll(async () => {
  world = await makeTestApp({
    words: WORDS,
    house,
    source: 'newspaper',
  });
  const { subscriptions } = world.store.tenant(someone().where.tenant);
  const saved = { version: 0, by: 'manager', at: 0, stateIfNew: 'off' } as const;
  for (const channel of ['home', 'paper', 'quiet', 'third']) {
    const source = channel === 'home' ? HOUSE : NEWSPAPER;
    await subscriptions.save(channel, { ...DEFAULT_SETTINGS, ...source }, saved);
  }
});
afterAll(() => world.close());

const before = (days: number) => addDays(TODAY, -days);
const inChannel = (channel: string) => {
  const asker = someone({ id: 'ann' });
  return { ...asker, where: { ...asker.where, channel } };
};
const ask = async (channel: string, line = 'archive') =>
  opened(await say(world.app, line, inChannel(channel)));

/** A day's thread in a channel, with the board that it was opened with. */
async function openThread(channel: string, date: PuzzleDate, source: Source, sides: string[]): Promise<void> {
  const { store } = world;
  const at = spanOf(date).from;
  if (source !== 'hand') {
    const puzzle = { date, source, board: makeBoard(sides) };
    await store.puzzles.keep({ date, source, puzzle, at });
  }
  await sendStep(store, { channel, date, step: 'opening' }, at, {
    message: '1',
    puzzle: { date, source, sides },
  });
}

describe('archive', () => {
  test('lists the newspaper’s days only where the channel had them', async () => {
    await openThread('paper', before(1), 'newspaper', ['bcd', 'fgh', 'jkl', 'mnp']);
    expect(await ask('paper')).toContain('Thursday, November 19, 2026 · not played yet');
    for (const channel of ['quiet', 'home']) expect(await ask(channel)).not.toContain('November 19');
    // Later, when the thread is forgotten, other people's results show it.
    const { store } = world;
    const { tenant } = inChannel('paper').where;
    await store.tenant(tenant).results.record(resultOf(before(1), { channel: 'paper', person: 'zoe' }));
    await store.allTenants.deleteExpired(0, TODAY);
    expect(await ask('paper')).toContain('Thursday, November 19, 2026 · not played yet');
  });

  test('lists the house’s days where the house is the source, a week on a page', async () => {
    const { store, app } = world;
    for (let days = 1; days <= 16; days++) {
      const date = before(days);
      const puzzle = { date, source: 'house', board: makeBoard(['bcd', 'fgh', 'jkl', 'mnp']) };
      // The last was made only later, by somebody who asked for it.
      const at = days === 16 ? app.clock.now() : spanOf(date).from;
      await store.puzzles.keep({ date, source: 'house', puzzle, at });
    }
    const first = await say(app, 'archive', inChannel('home'));
    expect(opened(first)).toContain('Days 1 to 7 of 15.');
    expect(opened(first)).toContain('[More]');
    expect(first.replaces).toBe(false);
    const last = await say(app, 'archive 3', inChannel('home'));
    expect(opened(last)).toMatch(/November 5, 2026 · not played yet\n\nDay 15 of 15\./);
    expect(last.replaces).toBe(true);
    expect(await ask('home', 'archive 9999')).toContain('Day 15 of 15.');
  });

  test('has the board that people solved on a day, whatever the source of the channel is since', async () => {
    const newspaper = new FakePaper({ board: makeBoard(OTHER_SIDES.split(' ')) });
    const { app, clock, close } = await makeTestApp({ words: WORDS, house, source: 'newspaper', newspaper });
    const manager = someone({ id: 'boss', mayManage: true });
    const type = async (line: string, who = someone()) => opened(await say(app, line, who));
    for (const source of ['house', 'newspaper', 'house']) {
      await type(`daily source:${source}`, manager);
      await type('play bfjmcg gkdhlnbp');
      clock.time += DAY;
    }
    const solved = /November 22, .*2 words.*\nS.*November 21, .*2 words.*\nF.*November 20, .*2 words/;
    expect(await type('archive')).toMatch(solved);
    await type('daily source:newspaper', manager);
    expect(await type('archive')).toMatch(solved);
    expect(newspaper.asked).toHaveLength(1);
    await close();
  });

  test('marks a game that is started, but not one of another channel’s board of that day', async () => {
    const { app } = world;
    const date = before(1);
    await openThread('other', date, 'newspaper', ['bcd', 'fgh', 'jkl', 'mnp']);
    const asker = { ...inChannel('other'), who: { id: 'eve', mayManage: false } };
    await playSoloGame(asker, app, { options: { date }, moves: parseMoves('bfjm')! });
    expect(opened(await say(app, 'archive', asker))).toContain('November 19, 2026 · started');
    await openThread('third', date, 'hand', ['abc', 'def', 'ghi', 'jkl']);
    const there = { ...asker, where: { ...asker.where, channel: 'third' } };
    expect(opened(await say(app, 'archive', there))).toContain('November 19, 2026 · not played yet');
  });
});
