import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import type { ClosingContext } from '../../src/daily/delivery/messages.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { dayReviews } from '../../src/players/reviews.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { dayGameKey } from '../../src/puzzle/types.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Block } from '../../src/reply/model/types.ts';
import { solutionChecksum } from '../../src/reply/replies/chosen-solutions.ts';
import { parseBoard } from '../../src/solver/board.ts';
import type { Find } from '../../src/store/tables/games.ts';
import { KEPT_MS } from '../../src/store/tables/tenants.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house } from '../fakes/small-board.ts';
import { dayOf, type Month, openMonth, resultOf } from './made-up.ts';

const DATE: PuzzleDate = '2026-11-18';
const CHANNEL = 'general';

let world: Month;
let shared: ReturnType<typeof dayReviews>;
beforeAll(async () => {
  world = await openMonth();
  shared = dayReviews(world.app);
});
afterAll(() => world.close());

async function review(
  tenant: string,
  change: Partial<ClosingContext> = {},
  reviews = shared,
): Promise<readonly Block[]> {
  const day = {
    tenant,
    channel: CHANNEL,
    date: DATE,
    puzzle: house(DATE),
    now: spanOf(DATE).to,
    months: [],
    heard: [],
    settings: DEFAULT_SETTINGS,
  };
  return (await reviews.closing({ ...day, ...change })).blocks;
}

const NAMELESS = { ...DEFAULT_SETTINGS, names: false };

const textOf = (blocks: readonly Block[]) => plainText({ title: '', blocks }, { pictures: 'alt' }).trim();
const openText = (blocks: readonly Block[]) =>
  plainText({ title: '', blocks }, { pictures: 'alt', reveal: true }).trim();

const two = ['bfjmcg', 'gkdhlnbp'];
const ann = resultOf(DATE, { person: 'ann', channel: CHANNEL, letters: 14, solution: solutionChecksum(two) });

describe('the review of a day', () => {
  test('crowns the best, and says the streak, how many solutions were found, and one left to find', async () => {
    const bob = { ...ann, person: 'bob', words: 3, letters: 15, hints: 1, solution: 'other' };
    const eve = { ...ann, person: 'eve', letters: 0, reported: true } as const;
    const { solution: _, ...reported } = eve;
    const before = resultOf(addDays(DATE, -1), { person: 'bob', channel: CHANNEL });
    const late = resultOf(DATE, { person: 'zoe', channel: CHANNEL, words: 1, after: 30 * 3_600_000 });
    const blocks = await review(await world.tenantWith([ann, bob, reported, before, late]));
    expect(textOf(blocks)).toBe(
      [
        '3 people solved it.',
        '👑 @ann: 2 words, 14 letters, no hints. Legend.',
        '2. @bob: 3 words, 15 letters, 1 hint point. Architect.',
        '3. @eve: 2 words, no hints, self-reported',
        'The streak here is 2 days.',
        '2 different solutions were found.',
        '',
        'The answer, the hardest letters and a solution left to find: (hidden)',
      ].join('\n'),
    );
    expect(openText(blocks)).toMatch(/The answer: BFJMCG – GKDHLNBP, one of \d+ in 2 words\n/);
    expect(openText(blocks)).toMatch(/Left to find: (?!BFJMCG – GKDHLNBP)[A-Z]+( – [A-Z]+)*/);
  });

  test('crowns everybody who is first, and without names shows equal results once', async () => {
    const level = Array.from({ length: 7 }, (_, index) => ({ ...ann, person: `p${index}` }));
    const next = { ...ann, person: 'zoe', hints: 1 };
    const tenant = await world.tenantWith([...level, next]);
    const named = textOf(await review(tenant));
    expect(named.match(/👑 @/g)).toHaveLength(5);
    expect(named).toContain('\nAnd 3 others.\n');
    const unnamed = textOf(await review(tenant, { settings: NAMELESS }));
    expect(unnamed).toContain(
      '👑 2 words, 14 letters, no hints. Legend.\n8. 2 words, 14 letters, 1 hint point. Virtuoso.\n',
    );
  });

  test('counts who plays calm among those who solved it', async () => {
    const tenant = await world.tenantWith([ann, { ...ann, person: 'eve' }]);
    await world.store.tenant(tenant).people.choose('eve', { calm: true });
    expect(textOf(await review(tenant))).toMatch(/^2 people solved it\.\n👑 @ann/);
  });

  test('crowns nobody for a result after the solution', async () => {
    const seen = { ...ann, afterSolution: true } as const;
    const text = textOf(await review(await world.tenantWith([seen])));
    expect(text).toContain('One person solved it.\n1. @ann: 2 words, 14 letters, after the solution\n');
    // One day is no streak.
    expect(text).not.toContain('streak');
  });

  test('does not call the bot’s pick for a typed board the answer', async () => {
    const { official: _, ...typed } = house(DATE);
    const blocks = await review(await world.tenantWith([ann]), { puzzle: { ...typed, source: 'hand' } });
    expect(textOf(blocks)).toContain('My pick, the hardest letters and a solution left to find: (hidden)');
    expect(openText(blocks)).toMatch(/My pick: [A-Z]+ – [A-Z]+, one of \d+ in 2 words\n/);
    expect(openText(blocks)).not.toMatch(/answer/i);
  });

  test('gives no title to a result of another board than the day’s', async () => {
    const ofOther = { ...ann, person: 'bob', board: 'abc def ghi jkl' };
    const lines = textOf(await review(await world.tenantWith([ann, ofOther]))).split('\n');
    expect(lines).toContain('👑 @ann: 2 words, 14 letters, no hints. Legend.');
    expect(lines).toContain('👑 @bob: 2 words, 14 letters, no hints');
  });

  test('is one friendly sentence and the hidden answer where nobody solved the board', async () => {
    const blocks = await review(await world.tenantWith([]));
    expect(textOf(blocks)).toBe('No results this time.\n\nThe answer and the hardest letters: (hidden)');
    expect(openText(blocks)).toMatch(
      /The answer: BFJMCG – GKDHLNBP, one of \d+ in 2 words\n\s+The hardest letters: ([A-Z], )*[A-Z] and [A-Z]$/,
    );
    const board = parseBoard('ozu nri lfa mbt');
    const other = await review(await world.tenantWith([]), { puzzle: { ...house(DATE), board } });
    expect(openText(other)).not.toContain('BFJMCG');
    const early = await review(await world.tenantWith([]), { now: spanOf(DATE).to - 1 });
    expect(openText(early)).toBe('No results this time.');
  });

  test('tells nothing of the board while its puzzle is on, and never shows a letter in pictures', async () => {
    const path = { sides: [3, 3, 3, 3], words: [[0, 3, 6]] };
    const tenant = await world.tenantWith([{ ...ann, path }]);
    const now = spanOf(DATE).to - 1;
    const early = await review(tenant, { now });
    expect(openText(early)).not.toMatch(/answer|BFJMCG/i);
    expect(early.map(({ kind }) => kind)).toEqual(['text']);
    expect(textOf(early)).not.toContain('Legend');
    const [, picture] = await review(tenant);
    expect(picture).toMatchObject({
      kind: 'picture',
      picture: { letters: false, board: { letters: 'abcdefghijkl' } },
    });
  });

  test('draws the paths of three different solutions side by side, the best first', async () => {
    const path = (spot: number) => ({ sides: [3, 3, 3, 3], words: [[spot, 3, 6]] });
    const results = [0, 1, 1, 2, 4].map((spot, index) => ({
      ...ann,
      person: `p${index}`,
      words: 2 + spot,
      solution: String(spot),
      path: path(spot),
    }));
    const withTheBestSolution = {
      ...results[0]!,
      person: 'last',
      hints: 9,
      solvedAt: results[0]!.solvedAt + 1,
    };
    const [, block] = await review(
      await world.tenantWith([
        ...results,
        withTheBestSolution,
        { ...withTheBestSolution, person: 'late', words: 9 },
      ]),
    );
    const picture = block?.kind === 'picture' ? block.picture : undefined;
    expect([picture?.path, ...(picture?.beside ?? []).map((other) => other.path)]).toEqual(
      [0, 1, 2].map((spot) => path(spot).words),
    );
  });

  /** People with the solutions that they found on a day's board. */
  async function withFinds(date: PuzzleDate, found: Readonly<Record<string, string>>, hidden?: string[]) {
    const results = Object.entries(found).map(([person, solution]) => {
      const words = solution.split(' ');
      return resultOf(date, {
        person,
        channel: CHANNEL,
        words: words.length,
        letters: 14,
        hints: 1,
        solution: solutionChecksum(words),
      });
    });
    const tenant = await world.tenantWith(results, hidden);
    const board = dayGameKey(house(date));
    await world.store.hunts.keep(board, [two], 0);
    for (const [person, solution] of Object.entries(found))
      await addFind(tenant, { person, board, solution, foundAt: spanOf(date).from });
    return tenant;
  }
  const addFind = (tenant: string, find: Omit<Find, 'channel'>) =>
    world.store.tenant(tenant).finds.add({ channel: CHANNEL, ...find });

  test('says behind the spoiler who thought of which word, and never of whom hides', async () => {
    const found = { ann: 'bfjmcg gkdhln nbp', bob: 'bfjmcg gkdhln nbp', cat: 'bfjm mcgkdhlnbp' };
    const heard = [
      'par',
      'answer',
      'different',
      'quick start',
      'all at once',
      'all with hints',
      'fewest words',
    ];
    const blocks = await review(await withFinds(DATE, found), { heard });
    expect(textOf(blocks)).not.toMatch(/BFJM|MCGK/);
    expect(textOf(blocks)).toContain('The answer, who thought of what and the hardest letters: (hidden)');
    expect(openText(blocks)).toMatch(
      /The answer: .*\n\s+(Only @cat thought of MCGKDHLNBP|Two of you (opened|finished) with (BFJMCG|NBP)|@ann and @bob had the same idea: BFJMCG – GKDHLN – NBP|The longest word was MCGKDHLNBP, by @cat)\.\n/,
    );
    const unseen = await review(await withFinds(DATE, { ...found, dan: 'bfjm mcgkdhlnbp' }, ['cat', 'dan']), {
      heard,
    });
    expect(openText(unseen)).not.toMatch(/@cat|@dan|MCGK/);
    // That nobody found it would be false.
    const hides = openText(
      await review(await withFinds(DATE, { ann: 'bfjm mcgkdhlnbp', eve: two.join(' ') }, ['eve'])),
    );
    expect(hides).toMatch(/This channel found 0 of 1 in the hunt, and 1 other solution\./);
    expect(hides).not.toMatch(/nobody/i);
  });

  test('counts from the opening, and who was first by their first solution', async () => {
    const { from } = spanOf(DATE);
    const heard = ['different', 'no hint', 'par', 'answer', 'one letter apart', 'same minute', 'thought of'];
    // Her best result came when she had solved the board for long.
    const best = { ...ann, ...resultOf(DATE, { person: 'ann', channel: CHANNEL, after: 60 * MINUTE }) };
    const bob = resultOf(DATE, { person: 'bob', channel: CHANNEL, after: 9 * MINUTE });
    const tenant = await world.tenantWith([best, bob]);
    const board = dayGameKey(house(DATE));
    await world.store.hunts.keep(board, [two], 0);
    await addFind(tenant, {
      person: 'ann',
      board,
      solution: 'bfjm mcg gkdhlnbp',
      foundAt: from + 7 * MINUTE,
    });
    const opened = { tenant, channel: CHANNEL, date: DATE, step: 'opening' };
    await sendStep(world.store, opened, from + 2 * MINUTE);
    const first = '@ann was first, 5 minutes after the opening.';
    expect(textOf(await review(tenant, { heard }))).toContain(first);
    const early = await world.tenantWith([{ ...bob, sinceOpening: 9 * MINUTE }, best]);
    await sendStep(world.store, { ...opened, tenant: early }, from + 30 * MINUTE);
    expect(textOf(await review(early, { heard }))).not.toContain('after the opening');
  });

  test('names the rarest word that one person found in a month, of days that are over', async () => {
    const tenant = await withFinds(DATE, { ann: 'bfjmcg gkdhlnbp', bob: 'bfjmcg gkdhln nbp' });
    const text = async (now: number) => openText(await review(tenant, { now, months: [DATE] }));
    const rarest = /solved, by [\s\S]*The rarest word of the month:\s+GKDHLNBP, on November 18, by @ann\./;
    expect(await text(spanOf(DATE).to)).toMatch(rarest);
    expect(await text(spanOf(DATE).to - 1)).not.toContain('rarest');
    const unnamed = await review(tenant, { months: [DATE], settings: NAMELESS });
    expect(openText(unnamed)).toContain('GKDHLNBP, on November 18.');
    expect(textOf(unnamed)).not.toContain('GKDHLNBP');
    // A word that two people found, or one after the day.
    const board = dayGameKey(house(DATE));
    await addFind(tenant, { person: 'eve', board, solution: 'bfjm mcgkdhlnbp', foundAt: spanOf(DATE).to });
    expect(await text(spanOf(DATE).to)).toMatch(rarest);
    await addFind(tenant, {
      person: 'bob',
      board,
      solution: 'bfjmcg gkdhlnbp',
      foundAt: spanOf(DATE).to - 1,
    });
    expect(await text(spanOf(DATE).to)).toMatch(/month:\s+GKDHLN, on November 18, by @bob\./);
    // Finds of its first day are deleted.
    expect(await text(spanOf(dayOf(-15)).from + KEPT_MS.finds)).not.toContain('rarest');
  });

  test('goes on without its hidden part when the search fails', async () => {
    const broken = { run: () => Promise.reject(new Error('busy')) };
    const tools = { ...world.app, work: broken as unknown as typeof world.app.work };
    const tenant = await world.tenantWith([ann]);
    expect(textOf(await review(tenant, {}, dayReviews(tools)))).toContain('👑 @ann');
    expect(world.logged.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });

  test('says how the months went that it is asked for, each to its end', async () => {
    const date: PuzzleDate = '2026-11-30';
    const results = [ann, resultOf(date, { person: 'bob', channel: CHANNEL })];
    const text = textOf(
      await review(await world.tenantWith(results), { date: '2026-11-28', months: ['2026-11-28'] }),
    );
    expect(text).toMatch(/November 2026: 2 of \d+ boards were solved, by 2 people\./);
    expect(text).toContain('···█··· 15–21');
    expect(text).not.toContain('Hardest');
  });

  test('says once that there are no results, in a month without any, too', async () => {
    const months = { date: '2026-11-28', months: ['2026-10-31', '2026-11-28'] } as const;
    const text = textOf(await review(await world.tenantWith([]), months));
    expect(text).toContain('No results this time.');
    expect(text).not.toMatch(/2026|results here/);
  });

  test('names the hardest day of a month, of those that several people solved', async () => {
    const of = (date: PuzzleDate, ...words: number[]) =>
      words.map((number, at) => resultOf(date, { person: `p${at}`, channel: CHANNEL, words: number }));
    const results = [...of(DATE, 3, 4), ...of('2026-11-19', 4, 5), ...of('2026-11-20', 9)];
    const month = { date: '2026-11-28', months: ['2026-11-28'], now: spanOf('2026-11-28').to } as const;
    const text = async (some: typeof results, now = month.now) =>
      textOf(await review(await world.tenantWith(some), { ...month, now }));
    expect(await text(results)).toContain(
      'Hardest day: November 19, with 4.5 words on average. Only @p0 did it in 4.\n',
    );
    // It would tell how few words the board of a day that is on takes.
    expect(await text(results, spanOf('2026-11-19').to - 1)).not.toContain('Hardest');
    // A calm person may have done it in 4, too.
    const calm = await world.tenantWith([
      ...results,
      resultOf('2026-11-19', { person: 'eve', channel: CHANNEL, words: 4 }),
    ]);
    await world.store.tenant(calm).people.choose('eve', { calm: true });
    expect(textOf(await review(calm, month))).toContain('November 19, with 4.5 words on average.\n');
    expect(await text([...of(DATE, 3, 4), ...of('2026-11-19', 5, 5)])).toContain(
      'with 5 words on average.\n',
    );
    const after = of('2026-11-19', 4, 5).map((one) => ({ ...one, afterSolution: true as const }));
    expect(await text([...of(DATE, 3, 4), ...after])).toContain('with 4.5 words on average.\n');
    expect(await text(results.filter(({ date }) => date !== DATE))).not.toContain('Hardest');
    const level = await text([...of(DATE, 3, 4), ...of('2026-11-19', 4, 3)]);
    expect(level).not.toContain('Hardest');
    expect(level).toContain('Most on one day: 2 people, 2 times.\n');
  });

  test('ranks the days of a month that came after the solution last, and says how many they are', async () => {
    const month = Array.from({ length: 30 }, (_, day) => addDays('2026-11-01', day));
    const results = [
      ...month.slice(1).map((date) => resultOf(date, { person: 'ada', channel: CHANNEL, words: 4 })),
      ...month.map((date, day) =>
        resultOf(date, { person: 'eve', channel: CHANNEL, afterSolution: day < 27 ? true : undefined }),
      ),
    ];
    const until = { date: '2026-11-30', months: ['2026-11-30'] } as const;
    const tenant = await world.tenantWith(results);
    expect(textOf(await review(tenant, until))).toContain(
      '👑 @ada: 29 days\n2. @eve: 30 days, 27 after the solution\n',
    );
    const nameless = textOf(await review(tenant, { ...until, settings: NAMELESS }));
    expect(nameless).toContain('\n👑 29 days\n\n');
    const after = textOf(await review(await world.tenantWith(results.slice(29, 50)), until));
    expect(after).toContain('\n1. @eve: 21 days, 21 after the solution\n');
  });

  test('counts the longest streak of a month with the freeze that was used in it, and no other', async () => {
    const days = Array.from({ length: 20 }, (_, day) => addDays('2026-11-01', day)).toSpliced(10, 2);
    const first = ['bob', 'cleo'].map((person) => resultOf(days[0]!, { person, channel: CHANNEL }));
    const results = [...first, ...days.map((date) => resultOf(date, { channel: CHANNEL }))];
    const tenant = await world.tenantWith(results);
    const text = textOf(await review(tenant, { date: '2026-11-30', months: ['2026-11-30'] }));
    // A day that a freeze saved is within it.
    expect(text).toMatch(/boards were solved, by .*\. The longest streak here was 10 days\./);
    expect(text).toContain('█▃▃▃▃▃▃ 1–7');
    expect(text).toContain('Most on one day: 3 people, on November 1.\n');
  });
});

test('names the leaders of the week after a Sunday: only some of many who share the first ranks, none who hides', async () => {
  const solved = (person: string, day: number) => resultOf(dayOf(day), { person, channel: CHANNEL });
  const lineOf = async (tenant: string, day = 6) => {
    const [line] = textOf(await review(tenant, { date: dayOf(day), now: 0 })).split('\n');
    return line;
  };
  const results = [
    solved('ann', 0),
    solved('ann', 1),
    solved('bob', 1),
    solved('cleo', 1),
    solved('dan', -1),
  ];
  const few = await world.tenantWith(results, ['cleo']);
  const week = 'Best of the week: 1. @ann (2 days), 2. @bob (1 day)';
  expect(await lineOf(few)).toBe(`No results this time. ${week}.`);
  const { results: stored } = world.store.tenant(few);
  await stored.record({ ...solved('eve', 6), words: 9 });
  expect(await lineOf(few)).toBe(`One person solved it. ${week}, 3. @eve (1 day).`);
  await stored.record({ ...solved('fay', 6), words: 10 });
  expect(await lineOf(few)).toBe(`2 people solved it. ${week}, 3. @eve (1 day).`);
  expect(await lineOf(few, 5)).not.toContain('week');
  const many = await world.tenantWith(Array.from({ length: 30 }, (_, person) => solved(`p${person}`, 5)));
  expect((await lineOf(many))?.match(/@/g)).toHaveLength(5);
});

describe('where weekends have no thread', () => {
  const settings = { ...DEFAULT_SETTINGS, weekends: false };
  /** There, each board opens on the day after its date. */
  const inKolkata = { ...settings, zone: 'Asia/Kolkata' };
  const solvedOn = (date: PuzzleDate) => resultOf(date, { person: 'ann', channel: CHANNEL });

  test.each([
    ['New York', settings, '2026-11-20', '2026-11-23'],
    ['Kolkata', inKolkata, '2026-11-19', '2026-11-22'],
  ] as const)('they break no streak in %s', async (_, settings, before, after) => {
    const tenant = await world.tenantWith([solvedOn(before), solvedOn(after)]);
    expect(textOf(await review(tenant, { date: after, settings }))).toContain('streak here is 2 days');
  });

  test.each([
    ['New York', settings, '2026-11-20', '2026-11-19'],
    ['Kolkata', inKolkata, '2026-11-22', '2026-11-19'],
  ] as const)('the last thread of a week in %s names its leaders', async (_, settings, last, other) => {
    const tenant = await world.tenantWith([solvedOn('2026-11-18')]);
    expect(textOf(await review(tenant, { date: last, settings }))).toContain('Best of the week');
    expect(textOf(await review(tenant, { date: other, settings }))).not.toContain('Best of the week');
  });
});
