/** What stays in the record of a day that is on. */
import { afterEach, expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { readHintRecord, recordFacts, recordShownFacts } from '../../src/dispatch/hint-record.ts';
import { addDays, dateAt } from '../../src/puzzle/calendar.ts';
import { factsAbout, HINT_STEPS } from '../../src/reply/model/facts.ts';
import { ALL_HINT_POINTS } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';

let made: TestApp;
afterEach(() => made.close());

const BEN = someone({ id: 'ben' });
const ask = async (line: string) => opened(await say(made.app, line, { ...BEN, opens: 'all' }));
const counted = async () =>
  (await readHintRecord(BEN, made.app, { ...house(TODAY), date: dateAt(made.clock.time) })).countedSteps;
const result = (date = TODAY) => resultIn(made.store, BEN.where.tenant, 'ben', BEN.where.channel, date);

test('what was told of a day that is on outlives what is told of other days and boards afterwards', async () => {
  made = await makeTestApp({ words: WORDS, house, limits: { hintsPerPerson: 10 } });
  await ask('hint first');
  for (let day = 2; day < 40; day++) {
    made.clock.time += 1;
    const date = addDays(TODAY, -day);
    await recordFacts(BEN, made.app, [factsAbout({ board: house(date).board, date }, 'start', 'count')]);
    await recordFacts(BEN, made.app, [factsAbout({ board: { sides: ['a', 'b'.repeat(day)] } }, 'start')]);
  }
  expect(await counted()).toEqual(['first']);
  made.clock.time += 1;
  const board = { sides: ['a', 'b'.repeat(50)] };
  await recordFacts(BEN, made.app, [factsAbout({ board }, 'count')]);
  expect((await readHintRecord(BEN, made.app, { board })).countedSteps).toEqual(['count']);
  // What everybody may read costs nobody.
  const reply = { title: '', blocks: [], reveals: [factsAbout({ board }, 'solution')] };
  await recordShownFacts(BEN, made.app, { ...reply, audience: 'everyone' });
  expect((await readHintRecord(BEN, made.app, { board })).isSolutionSeen).toBe(false);
});

test('what was told of a day that is on leaves a mark when it is erased, until the day is over', async () => {
  made = await makeTestApp({ words: WORDS, house });
  await ask('hint first');
  await ask('privacy delete sure');
  expect(await ask('privacy')).toContain('Nothing is stored about you');
  await ask('play words:bfjmcg,gkdhlnbp');
  expect(await result()).toMatchObject({ hints: ALL_HINT_POINTS, afterSolution: true });
  made.clock.time += DAY;
  expect(await counted()).toEqual([]);
  made.clock.time -= DAY;
  expect(await counted()).toEqual(HINT_STEPS);
});

test('who was told nothing of the day erases without a mark', async () => {
  made = await makeTestApp({ words: WORDS, house });
  await recordFacts(BEN, made.app, [factsAbout({ ...house('2026-10-01'), date: '2026-10-01' }, 'first')]);
  await ask('privacy delete sure');
  await ask('play words:bfjmcg,gkdhlnbp');
  expect(await result()).toMatchObject({ hints: 0 });
  expect((await result())?.afterSolution).toBeFalsy();
});
