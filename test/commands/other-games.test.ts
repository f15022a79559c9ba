/** Results of other daily games: pasted by whom they are of, or named by the Wordle app, in one leaderboard. */

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import type { Asker, ChosenMessage } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { readOtherGames } from '../../src/players/other-games.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { exportOf } from '../fakes/stored.ts';
import { actionOf, buttons, labels } from '../reply/look.ts';

/** The puzzles of November 20, 2026, a Friday. */
const SHARED = {
  wordle: 'Wordle 1,980 3/6*\n\n⬛🟨⬛⬛⬛\n🟨🟩⬛⬛🟩\n🟩🟩🟩🟩🟩',
  connections: 'Connections\nPuzzle #1258\n🟨🟨🟨🟨\n🟩🟩🟩🟦\n🟩🟩🟩🟩\n🟦🟦🟦🟦\n🟪🟪🟪🟪',
  strands: 'Strands #992\n“In the woods”\n🔵💡🔵🟡\n🔵💡🔵🔵',
  mini: 'I solved the 11/20/2026 New York Times Mini Crossword in 1:02! https://www.nytimes.com/crosswords/game/mini',
  quordle: '🙂 Daily Quordle 1761\n6️⃣5️⃣\n9️⃣4️⃣\nmerriam-webster.com/games/quordle',
  octordle: 'Daily Octordle #1761\n8️⃣4️⃣\n5️⃣🕛\n🕚🔟\n6️⃣7️⃣\nScore: 63',
  worldle: '#Worldle #1764 (20.11.2026) X/6 (97%)\n🟩🟩🟩🟩🟨↘️',
  queens: 'Queens #934\n0:41 👑\nlnkd.in/queens.',
  tango: 'Tango #774 | 1:59 and flawless',
  zip: 'Zip #613 | 0:09 🏁\nWith no backtracks',
  bee: 'I just hit Good Start on Spelling Bee.\nhttps://www.nytimes.com/puzzles/spelling-bee',
} as const;
const SCORES = { wordle: 3, connections: 1, strands: 2, mini: 62, quordle: 24, octordle: 63, worldle: 7, queens: 41, tango: 119, zip: 9, bee: 8 }; // biome-ignore format: one line reads better

describe('a pasted result', () => {
  test.each(Object.entries(SHARED))('of %s is read', (game, text) => {
    const one = { game, date: TODAY, score: SCORES[game as keyof typeof SCORES] };
    expect(readOtherGames(`Morning!\r\n${text.replaceAll('\n', '\r\n')}`, NOON)).toEqual({
      read: [one],
      otherDays: [],
    });
  });

  test('is read as Slack names its emoji, behind marks, and with other games in one message', () => {
    const named = { '8️⃣': 'eight', '7️⃣': 'seven', '🔟': 'keycap_ten', '🕚': 'clock11', '🕛': 'clock12', '🟨': 'large_yellow_square', '🟩': 'large_green_square', '🟦': 'large_blue_square', '🟪': 'large_purple_square', '6️⃣': 'six', '5️⃣': 'five', '9️⃣': 'nine', '4️⃣': 'four', '💡': 'bulb', '🔵': 'large_blue_circle', '🟡': 'large_yellow_circle' }; // biome-ignore format: one line reads better
    const { connections, octordle, quordle, strands } = SHARED;
    const text = Object.entries(named).reduce(
      (left, [emoji, name]) => left.replaceAll(emoji, `:${name}:`),
      [`||${connections}||`, quordle, octordle, strands, `*${SHARED.wordle}*`].join('\n\n'),
    );
    expect(text).toContain(':large_purple_square:');
    const { read } = readOtherGames(text, NOON);
    expect(Object.fromEntries(read.map(({ game, score }) => [game, score]))).toEqual({
      wordle: 3,
      connections: 1,
      strands: 2,
      quordle: 24,
      octordle: 63,
    });
  });

  test.each(Object.entries(SHARED))('of %s is read after record, also in one line', async (_, text) => {
    expect((await say(world.app, `record ${text}`)).title).toBe('Added to this channel’s other games');
    const again = await say(world.app, `record ${text.replaceAll(/\s+/g, ' ')}`);
    expect(opened(again)).toContain('you have a result of that day');
  });

  test.each([
    ['a lost game of Connections', `Connections\nPuzzle #1258\n🟨🟨🟨🟨\n${'🟩🟩🟩🟦\n'.repeat(4)}`, 4],
    ['Connections with spaces', SHARED.connections.replaceAll(/(?<=[🟨🟩🟦🟪])(?=[🟨🟩🟦🟪])/gu, ' '), 1],
    ['Quordle without a word', SHARED.quordle.replace('9️⃣', '🟥'), 25],
    ['an hour for the Mini', SHARED.mini.replace('1:02', '1:00:02'), 3602],
    ['a round number of Wordle', 'Wordle 1.980 🎉 1/6', 1],
  ])('is read: %s', (_, text, score) => {
    expect(readOtherGames(text, NOON).read).toMatchObject([{ score }]);
  });

  test.each([
    ['what others wrote', '> Wordle 1,980 1/6'],
    ['what was struck out', '~~Wordle 1,980 1/6~~'],
    ['a score that no game has', 'Wordle 1,980 0/6 Wordle 1,980 7/6 Wordle 1,980 3/7'],
    ['a number of 400 digits', `Wordle ${'1'.repeat(400)} 3/6`],
    ['a time of 400 digits', `Queens #934 | ${'1'.repeat(400)}:00`],
    ['digits that go on', 'Wordle 1,980,000 3/6 Queens #934 | 0:411'],
    ['an unfinished game of Connections', 'Connections\nPuzzle #1258\n🟨🟨🟨🟨\n🟩🟩🟩🟦'],
    ['more mistakes than Connections allows', `${SHARED.connections}\n${'🟩🟩🟩🟦\n'.repeat(3)}`],
    ['Strands without its spangram', 'Strands #992\n“In the woods”\n🔵💡🔵🔵'],
    [
      'prose',
      'My Wordle took 3/6 guesses, and Queens 0:41. Spelling Bee was Good; I just hit Fine on Spelling Bee',
    ],
  ])('is not read: %s', (_, text) => {
    expect(readOtherGames(text, NOON)).toEqual({ read: [], otherDays: [] });
  });

  test('of the future or of long ago is not of these days', () => {
    const dates = (number: number) => {
      const { read, otherDays } = readOtherGames(`Wordle ${number} 3/6`, NOON);
      return [...read.map(() => 'these'), ...otherDays.map(() => 'other')];
    };
    expect([1972, 1973, 1981, 1982].map(dates)).toEqual([['other'], ['these'], ['these'], ['other']]);
    expect(readOtherGames(SHARED.mini.replace('11/20/2026', '99/99/2099'), NOON).otherDays).toHaveLength(1);
  });

  test('without a day is of the puzzle that was on when it was written', () => {
    const dates = (at: number) => readOtherGames(SHARED.bee, at).read.map(({ date }) => date);
    // It changes at 3 in New York.
    expect([7, 8].map((hour) => dates(Date.UTC(2026, 10, 20, hour, 30)))).toEqual([
      [addDays(TODAY, -1)],
      [TODAY],
    ]);
  });

  test.each([
    ['lines', `${SHARED.connections}\n`.repeat(10_000)],
    ['squares', `Connections\nPuzzle #1258\n${'🟨'.repeat(100_000)}`],
    ['almost Octordle', `Daily Octordle #1761\n${`${'x'.repeat(20)}\n`.repeat(10_000)}`],
    ['beginnings', 'Strands #992\n“'.repeat(10_000)],
    ['invisible characters', `Wordle 1,980${'\u202E\u200B'.repeat(100_000)} 3/6`],
    ['half emoji', 'Strands #992\n\uD83D'.repeat(10_000)],
  ])('is read within a bound, whatever it repeats: %s', (_, text) => {
    expect(readOtherGames(text, NOON).read.length).toBeLessThanOrEqual(1);
  });

  test('is read with invisible characters in it, and shown without them', async () => {
    const reply = await say(world.app, `record "Wordle\u200E 1,\u202E980 3/6"`);
    expect(opened(reply)).toContain('Wordle, November 20: 3/6');
    expect(opened(reply)).not.toMatch(/[\u200E\u202E]/);
  });
});

const WORDLE_APP = '1211781489931452447';
let world: TestApp;
beforeEach(async () => {
  await world?.close();
  world = await makeTestApp({ words: WORDS, house });
});
afterAll(() => world.close());

const TENANT = 'discord:1';
const on = (id: string, door: Asker['door'] = 'discord'): Asker => ({
  ...someone({ id, mayManage: false }, { tenant: door === 'discord' ? TENANT : 'web:local' }),
  door,
});
async function choose(id: string, text: string, change: Partial<ChosenMessage> = {}, door?: Asker['door']) {
  const message = { id: 'm1', author: id, text, at: world.clock.time - HOUR, ...change };
  const dispatcher = makeDispatcher(world.app, { commands: COMMANDS });
  const prepared = dispatcher.prepare({ ...on(id, door), message, command: 'record', options: {} });
  if (prepared.kind !== 'answer') throw new Error(`prepared as ${prepared.kind}`);
  const reply = await prepared.run();
  expect(reply.audience).toBe('asker');
  return reply;
}
const resultsOf = async (person: string, tenant = TENANT) =>
  (await exportOf(world.store, tenant, person))?.otherResults ?? [];
const board = (id: string, line = 'leaderboard games') => say(world.app, line, on(id));
const rows = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : []));
const SUMMARY = `**Your group is on a 9 day streak!** 🔥 Here are yesterday's results:
👑 3/6: <@11> <@12>
4/6: <@!13> @Somebody
X/6: <@14>`;
const bySummary = (id: string, text = SUMMARY, change: Partial<ChosenMessage> = {}, door?: Asker['door']) =>
  choose(id, text, { author: WORDLE_APP, ...change }, door);

describe('results of other games', () => {
  test('are of whoever wrote the message, one of a game and day, which nobody improves', async () => {
    expect(opened(await choose('11', SHARED.wordle))).toContain('Wordle, November 20: 3/6');
    expect((await choose('12', SHARED.wordle, { author: '11' })).title).toBe('This message isn’t yours');
    const again = await choose('11', SHARED.wordle.replace('3/6', '1/6'));
    expect(again.title).toBe('Nothing added');
    const both = await choose('11', `${SHARED.wordle}\n${SHARED.connections}`);
    expect(both.title).toBe('Added to this channel’s other games');
    expect(await resultsOf('11')).toMatchObject([
      { game: 'connections' },
      { game: 'wordle', date: TODAY, score: 3 },
    ]);
    expect(await resultsOf('12')).toEqual([]);
  });

  test('come to one table, which shows no word, and which nobody is on who hides or is calm', async () => {
    await choose('11', `${SHARED.wordle}\n\n${SHARED.queens}\n\n${SHARED.strands}`);
    await choose('12', `${SHARED.wordle.replace('3/6', '5/6')}\n\n${SHARED.queens.replace('0:41', '0:40')}`);
    await choose('13', SHARED.wordle);
    const shown = await board('11');
    expect(shown.audience).toBe('everyone');
    expect(rows(shown)).toEqual([
      [1, { person: '11' }, 1, 3],
      [2, { person: '12' }, 1, 2],
      [3, { person: '13' }, 1, 1],
    ]);
    expect(opened(shown)).toContain('Wordle: @11 3, @13 3, @12 5');
    expect(opened(shown)).toContain('Queens: @12 0:40, @11 0:41');
    expect(opened(shown)).not.toContain('woods');
    await say(world.app, 'privacy hide', on('11'));
    await say(world.app, 'calm on', on('13'));
    expect(rows(await board('12'))).toEqual([[1, { person: '12' }, 0, 2]]);
    expect(opened(await choose('11', SHARED.zip))).toContain('only you see them');
    expect(opened(await board('12'))).not.toContain('@11');
    await say(world.app, 'privacy unhide', on('11'));
    expect(opened(await board('12'))).toContain('@11');
  });

  test('are named to who asks for another game, with the command that each door has', async () => {
    const said = opened(await say(world.app, 'can you do wordle', on('11', 'web')));
    expect(said).toContain('type record and paste it');
  });

  test('are of a period and a channel', async () => {
    await choose('11', SHARED.wordle);
    world.clock.time += 7 * DAY;
    await choose('11', 'Wordle 1,987 2/6');
    expect(opened(await board('11'))).toContain('Wordle: @11 2');
    expect(opened(await board('11', 'leaderboard games last week'))).toContain('Wordle: @11 3');
    expect(opened(await board('11', 'leaderboard games month'))).toContain('Wordle: @11 2.5');
    // Periods are summed in parts.
    const { otherResults } = world.store.tenant(TENANT);
    const { channel } = on('11').where;
    for (let back = 30; back < 100; back++)
      for (const person of ['11', '12'])
        await otherResults.add({
          person,
          channel,
          game: 'zip',
          date: addDays(TODAY, -back),
          score: 9,
          at: 0,
        });
    expect(rows(await board('11', 'leaderboard games all'))).toEqual([
      [1, { person: '11' }, 70, 72],
      [2, { person: '12' }, 70, 70],
    ]);
    expect(opened(await board('11', 'leaderboard games all'))).toContain('Zip: @11 0:09, @12 0:09');
    const week = buttons(await board('11')).find(({ label }) => label === 'The week before')!;
    expect(opened(await press(world.app, week.action, on('12')))).toContain('Wordle: @11 3');
    const elsewhere = { ...on('11'), where: { ...on('11').where, channel: 'other' } };
    const empty = await say(world.app, 'leaderboard games all', elsewhere);
    expect([empty.audience, rows(empty)]).toEqual(['asker', []]);
  });

  test('stand beside a result of Letter Boxed in the same message', async () => {
    const reply = opened(
      await choose('11', `Letter Boxed, November 20 · 2 words · no hints\n${SHARED.wordle}`),
    );
    expect(reply).toContain('Added to your results');
    expect(reply).toContain('Wordle, November 20: 3/6');
  });

  test('keep nothing from counting that is a result of the board in the same message, and call nothing else a mistake', async () => {
    const solved = await choose('11', `||BFJMCG – GKDHLNBP||\n${SHARED.wordle}`);
    expect(solved.title).toContain('Solved in 2 words');
    expect(opened(solved)).toContain('Wordle, November 20: 3/6');
    for (const other of ['||BFJMCG – GKDH||', '||SNOW||', 'Letter Boxed next?'])
      expect((await choose('12', `${other}\n${SHARED.wordle}`)).title).toMatch(/^(Added|Nothing added)/);
    expect(await resultsOf('12')).toHaveLength(1);
  });
});

describe('the summary of the Wordle app', () => {
  const take = (id: string, summaries: 'on' | 'off') =>
    press(world.app, { command: 'record', options: { summaries } }, on(id));

  test('counts for people who switched it on, and for nobody else, whoever chooses it', async () => {
    await take('12', 'on');
    await take('14', 'on');
    const reply = await bySummary('99');
    expect(opened(reply)).toContain('of people who take part: 2.');
    expect(opened(reply)).not.toContain('@12');
    const yesterday = { game: 'wordle', date: '2026-11-19' };
    expect(await resultsOf('12')).toMatchObject([{ ...yesterday, score: 3 }]);
    expect(await resultsOf('14')).toMatchObject([{ ...yesterday, score: 7 }]);
    for (const other of ['11', '13', '99'])
      expect(await exportOf(world.store, TENANT, other)).toBeUndefined();
  });

  test('corrects what was pasted, and is not corrected by it', async () => {
    await choose('11', 'Wordle 1,979 1/6');
    await take('11', 'on');
    await bySummary('11');
    await choose('11', 'Wordle 1,979 2/6', { id: 'm2' });
    // A platform’s clock may be wrong: this puzzle is not on yet.
    await choose('11', 'Wordle 2,009 2/6', { id: 'm3', at: world.clock.time + 30 * DAY });
    expect(await resultsOf('11')).toMatchObject([{ score: 3 }]);
  });

  test('no longer counts for somebody who switched it off, or was erased', async () => {
    for (const id of ['11', '12']) await take(id, 'on');
    const stored = await say(world.app, 'privacy', on('11'));
    expect(opened(stored)).toContain('Wordle’s daily results: taken for you');
    const off = await press(world.app, actionOf(stored, 'Don’t take my Wordle results'), on('11'));
    expect(labels(off)).toContain('Take my Wordle results');
    expect(opened(await say(world.app, 'privacy', on('11')))).not.toContain('taken for you');
    await world.store.tenant('discord:2').people.choose('11', { inSummaries: true });
    await take('11', 'off');
    expect(await world.store.tenant('discord:2').people.inSummariesAmong(['11'])).toEqual(new Set());
    await say(world.app, 'privacy delete sure', on('12'));
    expect(opened(await bySummary('13'))).toContain('Nobody in it takes part');
    expect([await resultsOf('11'), await resultsOf('12')]).toEqual([[], []]);
  });

  test('counts in the server where somebody switched it on, and only from the app itself', async () => {
    await press(
      world.app,
      { command: 'record', options: { summaries: 'on' } },
      {
        ...on('11'),
        where: { ...on('11').where, tenant: 'discord:2' },
      },
    );
    await bySummary('13');
    await take('12', 'on');
    await choose('12', SUMMARY);
    await choose('13', SUMMARY, { author: '12' });
    await bySummary('12', SUMMARY, {}, 'web');
    expect([await resultsOf('11'), await resultsOf('12')]).toEqual([[], []]);
    expect(await resultsOf('12', 'web:local')).toEqual([]);
  });

  test('keeps somebody hidden who hid in another server', async () => {
    for (const id of ['11', '12'])
      await say(world.app, 'privacy hide', { ...on(id), where: { ...on(id).where, tenant: 'discord:2' } });
    await choose('12', SHARED.wordle);
    await take('11', 'on');
    await bySummary('11');
    expect(await resultsOf('11')).toHaveLength(1);
    expect(rows(await board('12'))).toEqual([]);
  });

  test('is read within a bound, in one line too, and the first mention counts', async () => {
    for (const id of ['11', '12']) await take(id, 'on');
    await bySummary('99', `3/6: <@11> 4/6: <@12> <@11> ${'5/6: <@12> '.repeat(10_000)}`);
    expect(await resultsOf('11')).toMatchObject([{ score: 3 }]);
    expect(await resultsOf('12')).toMatchObject([{ score: 4 }]);
    const wide = `3/6: ${Array.from({ length: 2_000 }, (_, index) => `<@${index + 100}>`).join('')}`;
    expect(opened(await bySummary('99', wide))).toContain('Nobody in it takes part');
  });

  test('is offered where the Wordle app posts', async () => {
    await choose('11', SHARED.wordle);
    for (const [door, says] of [
      ['slack', true],
      ['web', false],
    ] as const)
      expect(opened(await say(world.app, 'leaderboard games', on('11', door))).includes('choose “Add')).toBe(
        says,
      );
    const labelsFor = async (asker: Asker) => labels(await say(world.app, 'leaderboard games', asker));
    expect(await labelsFor(on('11'))).toContain('Take my Wordle results');
    expect(await labelsFor(on('11', 'web'))).not.toContain('Take my Wordle results');
    expect(await labelsFor({ ...on('11'), where: { ...on('11').where, direct: true } })).not.toContain(
      'Take my Wordle results',
    );
  });
});
