/** What a calm person is told themselves; what others are told of them is in hidden.test.ts. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { openSoloGame } from '../../src/players/solo-games.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { gameView } from '../../src/web/board/view.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { makeTestPoster } from '../fakes/poster.ts';
import { house, WORDS } from '../fakes/small-board.ts';

const TWO = 'play bfjmcg,gkdhlnbp';
const THREE = 'play bfjmcg,gkdhln,nbp';

let world: TestApp;
beforeAll(async () => {
  world = await makeTestApp({
    words: WORDS,
    house: (date) => ({ ...house(date), par: 3 }),
    posterOf: () => makeTestPoster(),
  });
});
afterAll(() => world.close());

/** What compares: each is said to a person who is not calm. */
const COMPARING = [
  /streak/i,
  /[Pp]ar is|is par/,
  /\d of 100|100\.$/m,
  /[Bb]etter than|\d(?:st|nd|rd|th) of \d/,
  /the only (?:solution|way)|none is shorter/,
  /[Ll]eaderboard/,
  /Legend|Virtuoso/,
  /Your new best/,
  /Hunter/,
  /Excellent|Brilliant|Superb|Beautifully|What a solve|Sharp|Outstanding/,
];

/** The answers to somebody who solves the board on several days, as one text, and the end of their game on a page. */
async function answersTo(id: string, isCalm: boolean) {
  const asker = someone({ id, mayManage: false });
  const tell = async (line: string) => JSON.stringify(await say(world.app, line, asker));
  if (isCalm) await tell('calm on');
  // A freeze saves the streak on the day before.
  for (let back = 12; back > 1; back--) {
    world.clock.time = spanOf(addDays(TODAY, -back)).from + 5 * HOUR;
    await tell(TWO);
  }
  world.clock.time = NOON;
  const told = [await tell('play'), await tell('record 4 words'), await tell(THREE), await tell(TWO)];
  const ending = gameView(await openSoloGame(asker, world.app, {})).solved!;
  for (const line of ['stats', 'archive', 'review', 'hunt', 'share', 'board standings'])
    told.push(await tell(line));
  return { told: told.join('\n'), ending, tell };
}

test('a calm person is told of no streak, rank, points, par or praise, in chats and on pages', async () => {
  // Somebody to be compared with.
  await say(world.app, THREE, someone({ id: 'other' }));
  const usual = await answersTo('usual', false);
  const calm = await answersTo('calm', true);
  for (const compares of COMPARING) {
    expect(usual.told, 'said to others').toMatch(compares);
    expect(calm.told).not.toMatch(compares);
  }
  expect(calm.told).toContain('You solved it! 14 letters and no hints.');
  expect(calm.told).toContain('On average');
  expect(usual.ending).toMatchObject({ title: 'Legend', points: 100, week: { streak: 12 } });
  expect(calm.ending).toMatchObject({ title: 'You did it', points: undefined, week: undefined });
  expect(calm.ending.lines).toEqual(['You solved it!', '2 words, 14 letters and no hints.']);

  await calm.tell('calm off');
  expect(await calm.tell('stats')).toMatch(/Streak/);
  expect(await calm.tell('leaderboard')).toContain('"calm"');
});
