/**
 * A person who hides is named nowhere that others look, whatever they did before and do afterwards; one who is calm, only among
 * the people who also solved a board.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { HOUR } from '../../src/core/clock.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import type { Asker } from '../../src/dispatch/contract.ts';
import { dayReviews } from '../../src/players/reviews.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import fc from '../fakes/fast-check.ts';
import { makeTestPoster, type TestPoster } from '../fakes/poster.ts';
import { sample } from '../fakes/sample.ts';
import { house, OTHER_SIDES, WORDS } from '../fakes/small-board.ts';

const PEOPLE = ['person-ann', 'person-bob', 'person-cleo', 'person-dan', 'person-eve'];
const BOARDS = [OTHER_SIDES, 'bcdb fgh jkl mnp'];
const SOLUTIONS = ['bfjmcg,gkdhlnbp', 'bfjmcg,gkdhln,nbp'];
/** The number of days in the week before on which a regular solved. */
const REGULAR = 3;

let world: TestApp;
let poster: TestPoster;
let tenants = 0;
beforeAll(async () => {
  world = await makeTestApp({
    words: WORDS,
    house,
    posterOf: (door) => (door === 'web' ? poster : undefined),
    limits: { boardsPerPerson: 100, boardsPerChannel: 100 },
  });
});
afterAll(() => world.close());

const solved = fc.record({
  person: fc.constantFrom(...PEOPLE),
  back: fc.nat({ max: 4 }),
  solution: fc.constantFrom(...SOLUTIONS, '2 words'),
});
const made = fc.record({
  board: fc.constantFrom(...BOARDS),
  maker: fc.constantFrom(...PEOPLE),
  solvers: fc.subarray(PEOPLE),
  isClosed: fc.boolean(),
});
const choices = fc.record({
  results: fc.array(solved, { minLength: 4, maxLength: 12 }),
  boards: fc.uniqueArray(made, { selector: ({ board }) => board, maxLength: 2 }),
  listed: fc.subarray(PEOPLE, { minLength: 2 }),
  hidden: fc.subarray(PEOPLE, { minLength: 1 }),
  calm: fc.subarray(PEOPLE),
  /** People who hide or are calm before they do anything here, and people who choose so in another server. */
  early: fc.boolean(),
  elsewhere: fc.boolean(),
});
type Choices = typeof choices extends fc.Arbitrary<infer Made> ? Made : never;

/** A channel of its own in which people do all this, and what others then see of it. */
async function live({ results, boards, listed, hidden, calm, early, elsewhere }: Choices) {
  const number = tenants++;
  const tenant = `web:t${number}`;
  poster = makeTestPoster();
  // What is stored about a person holds on all of a platform, so each run has people of its own.
  const id = (person: string) => `${person}-${number}-`;
  const as = (person: string, where: Partial<Asker['where']> = {}): Asker =>
    someone({ id: id(person), mayManage: false }, { tenant, ...where });
  const tell = (person: string, line: string, where?: Partial<Asker['where']>) =>
    say(world.app, line, as(person, where));
  const hide = async () => {
    const at = elsewhere ? { tenant: `${tenant}elsewhere` } : {};
    for (const person of hidden) await tell(person, 'privacy hide', at);
    for (const person of calm) await tell(person, 'calm on', at);
  };
  if (early) await hide();
  for (const { person, back, solution } of results.toSorted((a, b) => b.back - a.back)) {
    const date = addDays(TODAY, -back);
    world.clock.time = spanOf(date).from + 5 * HOUR;
    await tell(person, solution.includes(',') ? `play ${solution}` : `record ${solution}`);
  }
  world.clock.time = NOON;
  for (const person of listed) await tell(person, 'missing join');
  for (const { board, maker, solvers } of boards) {
    await tell(maker, `board make ${board}`);
    const sides = board.replaceAll(' ', '-');
    for (const solver of solvers) await tell(solver, `play ${SOLUTIONS[0]} sides:${sides}`);
  }
  if (!early) {
    // What was posted before stays: only what comes later may not name them.
    poster = makeTestPoster();
    await hide();
  }
  return { tenant, id, tell };
}

/** Somebody is named wherever people can be, so that the test can't pass because nobody was. */
const EVERYWHERE: Choices = {
  results: ['person-ann', 'person-bob', 'person-dan'].flatMap((person) =>
    [1, 2, 3].map((back) => ({ person, back, solution: 'bfjmcg,gkdhlnbp' })),
  ),
  boards: [
    { board: OTHER_SIDES, maker: 'person-ann', solvers: ['person-bob', 'person-cleo'], isClosed: true },
    { board: BOARDS[1]!, maker: 'person-bob', solvers: ['person-ann'], isClosed: false },
  ],
  listed: ['person-ann', 'person-bob'],
  hidden: ['person-bob'],
  calm: ['person-dan'],
  early: false,
  elsewhere: false,
};

/** People who hid in another server, of whom one only makes a board here, and one only solves it. */
const ELSEWHERE: Choices = {
  ...EVERYWHERE,
  boards: [{ board: OTHER_SIDES, maker: 'person-eve', solvers: ['person-cleo'], isClosed: false }],
  hidden: ['person-bob', 'person-cleo', 'person-eve'],
  early: true,
  elsewhere: true,
};

test('hidden people appear nowhere: standings, reviews, missing, boards, shares and exports of others', async () => {
  await fc.assert(
    fc.asyncProperty(choices, async (chosen) => {
      const { results, boards, listed, hidden } = chosen;
      // A maker is named on a board, which ranks nobody.
      const calm = chosen.calm.filter((person) => boards.every(({ maker }) => maker !== person));
      const { tenant, id, tell } = await live({ ...chosen, calm });
      const shown: Record<string, string> = {};
      const see = async (line: string, who = 'observer') => {
        const reply: Reply = await tell(who, line);
        shown[`${who}: ${line}`] = JSON.stringify(reply);
        return opened(reply);
      };
      const shownPeople = PEOPLE.filter((person) => !hidden.includes(person));
      const visible = shownPeople.filter((person) => !calm.includes(person));
      const solvers = new Set(results.map(({ person }) => person));
      const expectNamed = (text: string, people: Iterable<string>) => {
        for (const person of people) expect(text).toContain(`@${id(person)}`);
      };
      const everyone = await see('leaderboard all');
      expectNamed(
        everyone,
        visible.filter((person) => solvers.has(person)),
      );
      const solvedOn = (back: number) =>
        shownPeople.filter((person) => results.some((one) => one.person === person && one.back === back));
      expectNamed(await see('leaderboard day'), solvedOn(0));
      for (const line of ['leaderboard week', 'leaderboard month', 'leaderboard review']) await see(line);
      const days = (person: string) =>
        new Set(results.flatMap((one) => (one.person === person && one.back > 0 ? [one.back] : []))).size;
      const isDone = (person: string) => results.some((one) => one.person === person && one.back === 0);
      const missing = visible.filter(
        (person) => listed.includes(person) && days(person) >= REGULAR && !isDone(person),
      );
      expectNamed(await see('missing'), missing);
      const list = await see('board list');
      expectNamed(list, new Set(boards.map(({ maker }) => maker).filter((maker) => visible.includes(maker))));
      for (const { board, maker, solvers, isClosed } of boards) {
        const sides = board.replaceAll(' ', '-');
        expectNamed(
          await see(`board standings sides:${sides}`),
          solvers.filter((one) => visible.includes(one)),
        );
        const marked = solvers.filter((one) => shownPeople.includes(one) && calm.includes(one));
        expectNamed(
          shown[`observer: board standings sides:${sides}`]!.replaceAll('{"person":"', '@'),
          marked,
        );
        if (isClosed) await see(`board close sides:${sides}`, maker);
      }
      // Once, as some take long.
      const lines = chosen === EVERYWHERE ? COMMANDS.flatMap(({ examples }) => examples) : [];
      for (const line of lines) await see(line);
      const [other = 'observer'] = visible;
      for (const line of ['share', 'share notation', 'stats', 'privacy export', `play ${SOLUTIONS[1]}`])
        await see(line, other);
      for (const date of [TODAY, addDays(TODAY, -1)]) {
        const day = { tenant, channel: 'general', date, puzzle: house(date), now: spanOf('2026-12-01').from };
        const { blocks } = await dayReviews(world.app).closing({
          ...day,
          settings: DEFAULT_SETTINGS,
          heard: [],
          months: [TODAY],
        });
        shown[`closing of ${date}`] = JSON.stringify(blocks);
        for (const person of solvedOn(date === TODAY ? 0 : 1).filter((one) => calm.includes(one)))
          expect(shown[`closing of ${date}`]).toContain(id(person));
      }
      shown.posted = JSON.stringify([poster.openings, poster.posts, poster.edits]);
      for (const [what, text] of Object.entries(shown))
        for (const [people, searched] of [
          [hidden, text],
          [calm, text.replaceAll(/\["Also solved: ".*?\]/g, '')],
        ] as const)
          for (const person of people) expect(searched, what).not.toContain(id(person));
    }),
    { numRuns: sample(50, 2), examples: [[EVERYWHERE], [ELSEWHERE]] },
  );
});
