/** What `play` stores and counts, where `transcripts/results.txt` can't say it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import { parseMoves } from '../../src/play/game.ts';
import { playSoloGame } from '../../src/players/solo-games.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { ALL_HINT_POINTS, hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { makeTestPoster } from '../fakes/poster.ts';
import { house, OTHER_SIDES, SIDES, WORDS } from '../fakes/small-board.ts';
import { resultIn } from '../fakes/stored.ts';
import { actionOf, buttons } from '../reply/look.ts';

const THREE = 'play bfjmcg,gkdhln,nbp';
const TWO = 'play bfjmcg,gkdhlnbp';
/** When the day's board came out, in New York. */
const OUT = Date.parse('2026-11-20T08:00:00Z');

let world: TestApp;
beforeEach(async () => {
  const poster = makeTestPoster();
  world = await makeTestApp({ words: WORDS, house, posterOf: () => poster });
});
afterEach(() => world.close());

const result = (person = '5', date: PuzzleDate = TODAY) =>
  resultIn(world.store, 'web:local', person, 'general', date);
/** The board of an answer that is a game. */
const boardOf = ({ blocks: [block] }: Reply) => {
  if (block?.kind !== 'game') throw new Error('no game was opened');
  return block.options;
};

test('stores the result in numbers, and no word with it or in the log', async () => {
  await say(world.app, THREE);
  expect(await result()).toMatchObject({
    ...{ person: '5', words: 3, letters: 15, hints: 0, solvedAt: NOON, sinceOpening: NOON - OUT },
    ...{ path: { sides: [3, 3, 3, 3] } },
  });
  expect(await result('6')).toBeUndefined();
  const [stored] = await world.store.allPeople.export('web', '5');
  expect(JSON.stringify(stored?.results)).not.toMatch(/bfjm|gkdh/i);
  expect(stored?.soloGames).toHaveLength(1);
  expect(JSON.stringify(world.logged)).not.toMatch(/bfjm|gkdh/i);
});

/** Somebody who opens all that is hidden in their answers. */
const READER = { ...someone(), opens: 'all' } as const;

test('counts the hint steps seen before in any tenant of the door', async () => {
  await say(world.app, 'hint start');
  await say(world.app, 'hint start');
  await say(world.app, 'hint count', someone({}, { tenant: 'web:elsewhere' }));
  await say(world.app, 'hint lengths sides:bcd-fgh-jkl-mnp');
  await say(world.app, 'hint masked', someone({ id: '6' }));
  await say(world.app, 'hint first', { ...someone({}, { tenant: 'slack:T1' }), door: 'slack' });
  await say(world.app, 'hint first date:yesterday');
  const points = hintPoints(['start', 'count', 'lengths']);
  expect(opened(await say(world.app, THREE))).toContain(`15 letters and ${points} hint points.`);
  expect(await result()).toMatchObject({ hints: points });
  await say(world.app, 'reveal open', someone({ id: '6' }));
  await say(world.app, TWO, someone({ id: '6' }));
  expect(await result('6')).toMatchObject({ words: 2, hints: ALL_HINT_POINTS, afterSolution: true });
});

test.each([
  ['solve date:today', ALL_HINT_POINTS],
  ['solve bcd-fgh-jkl-mnp', ALL_HINT_POINTS],
  ['solve pnm-dcb-hgf-jkl exclude:bfjm', ALL_HINT_POINTS],
  ['solve bcd-fgh-jkl-mnr', 0],
  ['next bfjmcg everyday', hintPoints(['count', 'first'])],
  ['next bfjmcg bcd-fgh-jkl-mnp everyday', hintPoints(['count', 'first'])],
  ['next bfjm', ALL_HINT_POINTS],
  ['next nbp', 0],
  ['words', 0],
  ['check bfjm', 0],
])('after %s, %i hints count', async (line, hints) => {
  await say(world.app, line, READER);
  await say(world.app, TWO);
  expect(await result()).toMatchObject({ hints });
});

test.each(['solve', 'reveal open'])(
  'after %s in the thread of a made board, all hints count there',
  async (line) => {
    await say(world.app, `board make ${OTHER_SIDES} name:Tea`);
    await say(world.app, line, { ...READER, where: { ...READER.where, thread: 'own-1' } });
    const solved = opened(await say(world.app, `${TWO} sides:bcd-fgh-jkn-lmp`));
    expect(solved).toContain('Par is 9.\n');
    const [{ hints } = expect.fail('no result')] = await world.store
      .tenant('web:local')
      .madeBoards.results('general', OTHER_SIDES);
    expect(hints).toBe(ALL_HINT_POINTS);
  },
);

test('reveal says its price first, and counts as having seen all hints of that board and no other', async () => {
  const { allPeople } = world.store;
  for (const line of ['reveal', 'reveal bcd-fgh-jkl-mnp']) {
    const price = await say(world.app, line);
    expect(opened(price)).toContain(`all hints: ${ALL_HINT_POINTS} hint points`);
    expect(price.blocks.some(({ kind }) => kind === 'spoiler')).toBe(false);
  }
  expect(await allPeople.seenOn('web', '5', TODAY)).toEqual([]);
  const shown = await press(world.app, buttons(await say(world.app, 'reveal'))[0]!.action);
  expect(shown.blocks).toContainEqual(expect.objectContaining({ kind: 'spoiler', open: true }));
  expect(await allPeople.seenOn('web', '5', TODAY)).toEqual(['solution']);
  expect(await allPeople.seenOn('web', '5', '2026-11-19')).toEqual([]);
});

test('reveal has no price where nothing is lost: once solved, once seen, and on boards that do not count', async () => {
  const isShown = async (line: string, person: string) =>
    (await say(world.app, line, someone({ id: person }))).title.startsWith('Solution');
  expect(await isShown('reveal bcd-fgh-jkl-mnr', '5')).toBe(true);
  await say(world.app, TWO);
  expect([await isShown('reveal', '5'), await isShown('reveal', '6')]).toEqual([true, false]);
  await say(world.app, 'reveal open', someone({ id: '6' }));
  expect(await isShown('reveal', '6')).toBe(true);
  await say(world.app, `board make ${OTHER_SIDES} name:Tea`);
  const tea = async () => (await say(world.app, 'reveal', someone({}, { thread: 'own-1' }))).title;
  expect(await tea()).toMatch(/^Show the solution/);
  await say(world.app, 'board make bcdb fgh jkl mnp name:Other');
  const other = async () => (await say(world.app, 'reveal bcdb fgh jkl mnp', someone({ id: '7' }))).title;
  expect(await other()).toMatch(/^Show the solution/);
  world.clock.time += 30 * 24 * HOUR;
  expect(await other()).toMatch(/^Solution/);
});

test('measures the time from the opening of the channel’s thread if there was one', async () => {
  await sendStep(world.store, { step: 'opening' }, NOON - HOUR / 2);
  expect(opened(await say(world.app, THREE))).toContain('30 minutes after the board was posted.');
  expect(await result()).toMatchObject({ sinceOpening: HOUR / 2 });
});

test('praises nothing after the day’s thread has shown the solution', async () => {
  const said = async (id: string) => opened(await say(world.app, TWO, someone({ id })));
  await sendStep(world.store, { step: 'opening' }, NOON - HOUR);
  expect(await said('5')).toContain('Brilliant!');
  await sendStep(world.store, { step: 'solution' }, NOON + HOUR);
  world.clock.time = NOON + 2 * HOUR;
  expect(await said('6')).toContain('You solved it!');
  const game = async (id: string) => opened(await say(world.app, 'play', someone({ id })));
  expect([await game('5'), await game('6')]).toEqual([
    expect.stringContaining('Brilliant!'),
    expect.stringContaining('You solved it!'),
  ]);
});

test('counts a result up to the last moment of its day', async () => {
  world.clock.time = OUT + 24 * HOUR - 1;
  await say(world.app, THREE);
  expect(await result()).toMatchObject({ sinceOpening: 24 * HOUR - 1 });
  world.clock.time += 1;
  await say(world.app, 'play bfjmcg gkdhlnbp date:yesterday', someone({ id: '6' }));
  expect(await result('6')).toMatchObject({ sinceOpening: null });
});

test('opens the game without words, as the button under the board does', async () => {
  const reply = await press(world.app, actionOf(await say(world.app, 'today'), 'Play'));
  expect(reply).toMatchObject({ title: 'Your game: Nov 20, 2026', audience: 'asker' });
  expect(opened(reply)).toContain('No words yet.');
  expect(boardOf(reply)).toEqual({ date: TODAY });
  expect(boardOf(await say(world.app, 'play date:yesterday'))).toEqual({ date: '2026-11-19' });
  expect(boardOf(await say(world.app, 'play bcd fgh jkl mnp'))).toEqual({ sides: 'bcd-fgh-jkl-mnp' });
  expect(await result()).toBeUndefined();
});

test('asks before it shows other solutions of typed sides that are a day’s', async () => {
  const others = async (sides: string) => {
    const solved = await say(world.app, `${TWO} sides:${sides.replaceAll(' ', '-')}`);
    return opened(await press(world.app, actionOf(solved, 'See other solutions')));
  };
  expect(await others(SIDES)).toContain(`all hints: ${ALL_HINT_POINTS} hint points.`);
  expect(await others(OTHER_SIDES)).toContain('BFJM – MCGKDHLNBP');
});

test('leaves the game at the words of a solution, and as it was after words that are none', async () => {
  await playSoloGame(someone(), world.app, { options: {}, moves: parseMoves('bf')! });
  await say(world.app, 'play bfjmcg');
  expect(opened(await say(world.app, 'play'))).toContain('\nBF\nLeft: ');
  await say(world.app, TWO);
  const game = await say(world.app, 'play');
  expect(opened(game)).toContain('\nBFJMCG – GKDHLNBP\n');
  expect(buttons(game).map(({ label }) => label)).toContain('Share');
  await playSoloGame(someone(), world.app, { options: {}, moves: parseMoves('0')! });
  expect((await say(world.app, TWO)).title).toBe('Solved in 2 words: Nov 20, 2026');
});

test('hides a person in a new tenant who is hidden in another', async () => {
  await say(world.app, 'privacy hide', someone({}, { tenant: 'web:elsewhere' }));
  expect(opened(await say(world.app, 'missing join'))).toContain('But you hide from leaderboards');
  await playSoloGame(someone(), world.app, { options: {}, moves: parseMoves('b')! });
  const { people } = world.store.tenant('web:local');
  expect(await people.isHidden('5')).toBe(true);
  await say(world.app, 'privacy unhide');
  await say(world.app, TWO);
  expect(await people.isHidden('5')).toBe(false);
});

test('plays words that are typed alone after those of the game, and solves the board with them', async () => {
  expect(opened(await say(world.app, 'BFJMCG'))).toContain('\nBFJMCG – G…\nLeft: ');
  expect(opened(await say(world.app, 'play'))).toContain('\nBFJMCG – G…\nLeft: ');
  expect((await say(world.app, 'gkdhlnbp!')).title).toBe('Solved in 2 words: Nov 20, 2026');
  expect(await result()).toMatchObject({ words: 2 });
  // A solved game begins again.
  expect(opened(await say(world.app, 'bfjm'))).toContain('\nBFJM – M…\nLeft: ');
});

test('takes a word back in one’s own game, or in the relay of the thread, when that is typed alone', async () => {
  await say(world.app, 'bfjm');
  const there = someone({}, { thread: 'thread-1' });
  await say(world.app, 'relay start', there);
  await say(world.app, 'bfjmcg', there);
  expect(opened(await say(world.app, 'undo', there))).toContain('Letters left: B C D F');
  expect(opened(await say(world.app, 'play'))).toContain('\nBFJM – M…\n');
  expect(opened(await say(world.app, 'undo'))).toContain('No words yet.');
});

test('says why a word that is typed alone does not fit, and leaves the game as it is', async () => {
  await say(world.app, 'bfjmcg');
  const wrong = await say(world.app, 'nbp');
  expect(wrong.title).toBe('BFJMCG works, NBP doesn’t');
  expect(opened(wrong)).toContain('NBP has to start with G, the last letter of the word before.');
  expect(buttons(wrong).map(({ label }) => label)).toEqual([
    'Play',
    'Hint from here: hardest letters (1 point)',
  ]);
  expect(opened(await say(world.app, 'play'))).toContain('\nBFJMCG – G…\nLeft: ');
});

test('plays words that others read only once a button is pressed', async () => {
  const asker = { ...someone(), isPublicLine: true };
  const offer = await say(world.app, 'bfjmcg', asker);
  expect(offer.audience).toBe('asker');
  expect(buttons(offer).map(({ label }) => label)).toEqual(['Play BFJMCG']);
  expect(opened(await say(world.app, 'play'))).toContain('No words yet.');
  expect(opened(await press(world.app, actionOf(offer, 'Play BFJMCG')))).toContain('\nBFJMCG – G…\nLeft: ');
});
