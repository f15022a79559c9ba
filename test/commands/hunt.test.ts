import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { huntIn } from '../../src/players/hunt.ts';
import { playSoloGame } from '../../src/players/solo-games.ts';
import { namedBoardOf } from '../../src/reply/model/named-board.ts';
import { plainText } from '../../src/reply/model/text.ts';
import { ALL_HINT_POINTS, HINTS } from '../../src/reply/replies/hint-steps.ts';
import { chainsTogether, huntReply, nothingFoundReply } from '../../src/reply/replies/hunt.ts';
import { solvedLines } from '../../src/reply/replies/solved.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house, OTHER_SIDES, SIDES, WORDS } from '../fakes/small-board.ts';
import { labels } from '../reply/look.ts';

/** All solutions of the small board that add no word to a shorter one. */
const [FIRST, OTHER, THIRD] = ['bfjmcg gkdhlnbp', 'bfjm mcgkdhlnbp', 'bfjmcg gkdhln nbp'] as const;

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const asker = someone();
const play = async (words: string, options = {}, who = asker) => {
  const { solved } = await playSoloGame(who, world.app, { options, words: words.split(' ') });
  return solved && solvedLines(solved).find((line) => line.includes('hunt'));
};
const ask = async (line = 'hunt', who: Parameters<typeof say>[2] = asker) =>
  opened(await say(world.app, line, who));

describe('the hunt for the solutions of a board', () => {
  test('shows nothing of them to somebody who has not solved it', async () => {
    const shown = await ask('hunt hint:word');
    expect(shown).toContain('The hunt is for 3 solutions of this board.');
    for (const { word } of WORDS) expect(shown.toLowerCase()).not.toContain(word);
    await play(FIRST, {}, someone({ id: '6' }));
    expect(await ask('hunt hint:word')).toBe(shown);
  });

  test('counts each solution once, wherever it is played', async () => {
    expect(await play(FIRST)).toBe('The hunt: 1 of 3 found.');
    const elsewhere = someone({}, { channel: 'random' });
    expect(await play(FIRST, {}, elsewhere)).toBe('You found this solution before. The hunt: 1 of 3 found.');
    // A closing before the end of the day has listed none as left to find.
    await sendStep(world.store, { channel: 'random', step: 'closing' }, world.clock.time);
    world.clock.time += SECOND;
    expect(await play(OTHER, {}, elsewhere)).toBe('The hunt: 2 of 3 found.');
    expect(await ask()).toContain(
      '2 of 3 found: Hunter.\n\nB: BFJMCG – GKDHLNBP; BFJM – MCGKDHLNBP (1 left)',
    );
    await play(THIRD);
    expect(await ask()).toContain('3 of 3 found: Complete.');
    expect(await ask('hunt', someone({ id: '6' }))).toContain('Once you have solved');
  });

  test('counts none that the thread has shown to everybody, unless it was found before', async () => {
    await play(FIRST, {}, someone({ id: '6' }));
    await sendStep(world.store, { step: 'solution' }, world.clock.time);
    world.clock.time += SECOND;
    expect(await play(FIRST)).toBe(
      'This solution was shown before, so it is no find. The hunt: 0 of 3 found.',
    );
    expect(await play(FIRST, {}, someone({ id: '6' }))).toContain('You found this solution before.');
    const finds = await world.store.tenant('web:local').finds.ofBoard('general', `${TODAY} bcd-fgh-jkl-mnp`);
    expect(finds.map(({ person }) => person)).toEqual(['6']);
    expect(await play(FIRST, {}, someone({ id: '7' }, { channel: 'random' }))).toBe(
      'The hunt: 1 of 3 found.',
    );
  });

  test('counts none that the asker alone was shown', async () => {
    await ask('reveal open');
    const read = vi.spyOn(world.store.allPeople, 'factsSeen');
    expect(await play(FIRST)).toBe(
      'This solution was shown before, so it is no find. The hunt: 0 of 3 found.',
    );
    // The result and the find have one look at what was shown.
    expect(read).toHaveBeenCalledTimes(1);
    expect(await play(FIRST, {}, someone({ id: '6' }))).toBe('The hunt: 1 of 3 found.');
  });

  test('counts one that two processes record at once for one', async () => {
    const both = await Promise.all([play(FIRST), play(FIRST)]);
    expect(both.filter((line) => line === 'The hunt: 1 of 3 found.')).toHaveLength(1);
    expect(await ask()).toContain('1 of 3 found');
  });

  test('counts other solutions apart, and says nothing of a board that nobody hunts on', async () => {
    const words = 'bfjmcg gkdhln nbp'.split(' ');
    await world.store.hunts.keep(`${TODAY} ${SIDES.replaceAll(' ', '-')}`, [FIRST.split(' ')], 0);
    expect(await play(words.join(' '))).toBe('The hunt: 0 of 1 found, and 1 besides.');
    expect(await play(FIRST)).toBe('The hunt: 1 of 1 found, and 1 besides.');
    expect(await play(FIRST, { sides: SIDES })).toBeUndefined();
    expect(await ask(`hunt sides:"${SIDES}"`)).toContain('The hunt is on the board of a day');
  });

  test('keeps nobody from solving a board whose solutions can’t be listed', async () => {
    const run = world.app.work.run.bind(world.app.work) as (...given: unknown[]) => Promise<never>;
    vi.spyOn(world.app.work, 'run').mockImplementation((...given) =>
      given[0] === 'huntSolutions' ? Promise.reject(new Error('too long')) : run(...given),
    );
    expect(await play(FIRST)).toBeUndefined();
  });

  test('counts no solution that was shown, where its result is brought', async () => {
    const elsewhere = someone({}, { channel: 'random' });
    await ask('reveal open', { ...elsewhere, opens: 'all' });
    await play(FIRST, {}, elsewhere);
    await say(world.app, 'share');
    expect(await world.store.tenant('web:local').channelResults.ofDay('general', TODAY)).toHaveLength(1);
    expect(await world.store.tenant('web:local').finds.ofDay('general', TODAY)).toEqual([]);
  });

  test('stays the same when dictionaries teach other words', async () => {
    await play(FIRST);
    await world.store.verdicts.keep(TODAY, new Map([['mcgkdhlnbp', false]]));
    expect(await play(THIRD)).toBe('The hunt: 2 of 3 found.');
  });

  test('lists on each board what can be played there, though people typed the same sides elsewhere', async () => {
    await world.close();
    const dictionary = WORDS.filter(({ word }) => word !== 'mcgkdhlnbp').map(({ word }) => ({
      word,
      obscure: false,
    }));
    world = await makeTestApp({ words: WORDS, house: (date) => ({ ...house(date), dictionary }) });
    const typist = someone({ mayManage: true }, { channel: 'typed' });
    await say(world.app, `set ${SIDES}`, typist);
    expect(await play(FIRST, {}, typist)).toBe('The hunt: 1 of 3 found.');
    // What was found counts on.
    expect(await play(THIRD)).toBe('The hunt: 2 of 2 found.');
    // Once the dictionary is known, it says for everybody what there is to find.
    expect(await play(OTHER, {}, typist)).toBe('The hunt: 2 of 2 found, and 1 besides.');
  });

  test('has hints that cost what the hints of the board do, once, and give nothing more away', async () => {
    await play(FIRST);
    expect(await ask('hunt hint:letter')).toContain('You know all first letters.');
    // Letters at which solutions are left are letters to begin with.
    expect(await ask()).toContain('If you beat your result, the new one has 2 hint points.');
    const hinted = await ask('hunt hint:word');
    expect(hinted).toContain('The first word of one that you have not found: BFJM.');
    expect(hinted).not.toContain('MCGK');
    expect(hinted).toContain('If you beat your result, the new one has 7 hint points.');
    expect(await ask('hunt hint:word')).toContain('If you beat your result, the new one has 7 hint points.');
    expect(labels(await say(world.app, 'hunt'))).toContain('A first word (no more points)');
    expect(await ask('hunt hint:Letter')).toContain('You know all first letters.');
    world.clock.time += DAY;
    // Nothing that comes after the day replaces a result of it, but a result that came after it.
    const yesterday = await say(world.app, 'hunt yesterday');
    expect(labels(yesterday)).toContain('A first word');
    expect(opened(yesterday)).not.toContain('points');
    const late = someone({ id: '6' });
    await play(FIRST, { date: TODAY }, late);
    expect(labels(await say(world.app, 'hunt yesterday', late))).toContain('A first word (5 hint points)');
    world.clock.time -= DAY;
    expect(await ask('hunt hint:wrod')).toContain('Did you mean word?');
    await play(THIRD);
    await play(OTHER);
    expect(await ask('hunt hint:word')).toContain('You’ve found all of them.');
    expect(labels(await say(world.app, 'hunt'))).toEqual(['Play']);
  });

  test('is kept for 60 days, and erased with everything about a person', async () => {
    await play(FIRST);
    const sweep = (days: number) =>
      world.store.allTenants.deleteExpired(world.clock.time + days * DAY, TODAY);
    await sweep(59);
    expect(await ask()).toContain('1 of 3');
    await ask('privacy delete sure');
    expect(await ask()).toContain('Once you have solved');
    await play(OTHER);
    await sweep(60);
    expect(await ask()).toContain('Once you have solved');
  });

  test('keeps its list of solutions as long as there are finds, such as those of another channel', async () => {
    const { store, clock } = world;
    const sides = OTHER_SIDES.replaceAll(' ', '-');
    const elsewhere = someone({}, { channel: 'random' });
    await say(world.app, `board make ${OTHER_SIDES}`);
    await play(FIRST, { sides });
    clock.time += 40 * DAY;
    await say(world.app, `board make ${OTHER_SIDES}`, elsewhere);
    await play(OTHER, { sides }, elsewhere);
    const found = async (days: number) => {
      await store.allTenants.deleteExpired(clock.time + days * DAY, TODAY);
      const { tenant } = elsewhere.where;
      return (await huntIn(store, { tenant, channel: 'random' }, { board: OTHER_SIDES }))?.found;
    };
    expect(await found(25)).toEqual([OTHER]);
    await found(60);
    expect(await store.hunts.get(OTHER_SIDES)).toBeUndefined();
  });
});

describe('a solution of one word', () => {
  const namedBoard = namedBoardOf(parseBoard(SIDES));

  test('is one that the hunt needs', () => {
    expect(plainText(nothingFoundReply(namedBoard, 1))).toContain(
      'The hunt is for 1 solution of this board.',
    );
  });

  const shownWith = (solutions: readonly string[][], hint?: 'word') =>
    huntReply({ solutions, finds: [FIRST], seen: [], namedBoard, hint });

  test('is revealed by its first word, at the price of all hints that are left', () => {
    expect(labels(shownWith([['bfjmcgkndhlp']]))).toContain(
      `A first word (${ALL_HINT_POINTS - HINTS.start.weight} hint points)`,
    );
    expect(shownWith([['bfjmcgkndhlp']], 'word').reveals[0]!.facts).toContain('solution');
  });

  test('is the last one that the hunt hints at', () => {
    const left = [['bfjmcgkndhlp'], OTHER.split(' ')];
    expect(labels(shownWith(left))).toContain('A first word (5 hint points)');
    const shown = shownWith(left, 'word');
    expect(plainText(shown)).toContain('you have not found: BFJM.');
    const [revealed] = shown.reveals;
    expect(revealed!.facts).not.toContain('solution');
    expect(revealed!.told).toEqual({ chains: [['bfjm']] });
  });
});

test('solutions with a word in common are shown together, each of them once', () => {
  const left = ['forum mobilization', 'furl lobotomization', 'unform mobilization', 'mobilization nubiform'];
  const shown = chainsTogether(
    [...left, 'artful lobotomization', 'oz zur rnil'].map((words) => words.split(' ')),
  );
  expect(shown).toEqual([
    'FORUM, UNFORM – MOBILIZATION',
    'FURL, ARTFUL – LOBOTOMIZATION',
    'MOBILIZATION – NUBIFORM',
    'OZ – ZUR – RNIL',
  ]);
  expect(
    chainsTogether([
      ['forum', 'mozart'],
      ['forum', 'mob'],
    ]),
  ).toEqual(['FORUM – MOZART, MOB']);
  // Solutions of one word have no other word that they could share.
  expect(chainsTogether([['abc'], ['forum', 'mob'], ['cba']])).toEqual(['ABC, CBA', 'FORUM – MOB']);
});
