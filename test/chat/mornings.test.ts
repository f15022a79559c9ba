/** Thirty mornings of a channel of twelve people, as they read them. `npm run test:long` prints them. */

import { expect, onTestFinished, test } from 'vitest';
import { HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { Random } from '../../src/core/random.ts';
import { addDays, spanOf, weekdayOf } from '../../src/puzzle/calendar.ts';
import { REMARK_REPEAT_DAYS } from '../../src/puzzle/remark.ts';
import { boardKey, type Puzzle } from '../../src/puzzle/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { type Place, world } from '../fakes/world.ts';
import { resultOf } from '../players/made-up.ts';

/** A Monday. */
const FIRST: PuzzleDate = '2026-11-02';
const MORNINGS = sample(30, 16);
const PEOPLE = 'ada ben cleo dan eve finn gus hal ida jo kim lou'.split(' ');
/** Days by their number: on some nobody plays, on one the best two have the same result, on one a single person plays. */
const NOBODY = [0, 5, 6, 20];
const TIE = 2;
const ALONE = 8;
/** The channel is switched off on these. */
const OFF = [10, 11];

/** Results of a day; the first in the list play on most days. */
function resultsOn(day: number, { date, board }: Puzzle, random: Random) {
  const people = PEOPLE.filter((_, index) => random.below(14) > index);
  const playing = NOBODY.includes(day) ? [] : day === ALONE ? ['cleo'] : people;
  return playing.map((person, index) => {
    const isTied = day === TIE && index < 2;
    const words = isTied ? 2 : 2 + random.below(5);
    const after = isTied ? 9 * HOUR : (10 + random.below(9)) * HOUR;
    return resultOf(date, { person, words, letters: 8 * words, after, board: boardKey(board.sides) });
  });
}

/** What is said besides title, buttons, times and source. */
async function saidBy(place: Place, since: ReadonlySet<string>): Promise<string[] | undefined> {
  const posted = (await place.messages()).filter(
    ({ id, text }) => !since.has(id) && text.includes('On until'),
  );
  expect(posted.length).toBeLessThan(2);
  if (IS_LONG) console.log(`${posted[0]?.text ?? 'Nothing: it is switched off.'}\n`);
  return posted[0]?.text.split('\n').filter((line) => !/^\[|^Thread|On until|^\w+day, /.test(line));
}

test('mornings say nothing twice in twenty days, and of a day only what happened', async () => {
  const made = await world({ doors: ['web'], lexicon: readLexicon() });
  onTestFinished(() => made.close());
  const place = made.places[0]!;
  const random = new Random('mornings');
  const mornings: (string[] | undefined)[] = [];
  const opensAt = (day: number) => spanOf(addDays(FIRST, day)).from + 5 * HOUR;
  await made.at(opensAt(0) - HOUR);
  await place.ask('ada', 'daily on');
  for (let day = 0; day < MORNINGS; day++) {
    if (day === OFF[0]) await place.ask('ada', 'daily off');
    if (day === OFF.at(-1)! + 1) await place.ask('ada', 'daily on');
    const before = new Set((await place.messages()).map(({ id }) => id));
    await made.at(opensAt(day));
    await made.at(opensAt(day) + MINUTE);
    mornings.push(await saidBy(place, before));
    const puzzle = await made.app.puzzles.puzzleOf(addDays(FIRST, day), place.ref);
    const { results } = made.store.tenant(place.ref.tenant);
    if (!OFF.includes(day)) for (const result of resultsOn(day, puzzle, random)) await results.record(result);
  }

  for (const [day, lines] of mornings.entries()) {
    expect(lines === undefined, `day ${day}`).toBe(OFF.includes(day));
    const lately = mornings.slice(Math.max(0, day - REMARK_REPEAT_DAYS), day).flatMap((some) => some ?? []);
    for (const line of lines ?? []) expect(lately, `day ${day}`).not.toContain(line);
    const [yesterday = '', ...more] = (lines ?? []).filter((line) => line.startsWith('Yesterday: '));
    expect(more).toEqual([]);
    const played = day > 0 && ![...NOBODY, ...OFF].includes(day - 1);
    if (lines !== undefined) expect(yesterday !== '', `day ${day}`).toBe(played);
    const isMonday = weekdayOf(addDays(FIRST, day)) === 1;
    expect(lines?.some((line) => line.startsWith('Last week: ')) ?? false).toBe(isMonday && day > 0);
    expect(lately.join('').split('!').length - 1).toBeLessThan(2);
  }
  const after = (day: number) => mornings[day + 1]!.join(' ');
  expect(after(TIE).split('👑')).toHaveLength(3);
  expect(after(ALONE)).toMatch(/Yesterday: 👑 @cleo \d words?(?: |$)/);
  expect(after(4)).toContain('4-day streak');
  expect(after(7)).not.toContain('streak');
});
