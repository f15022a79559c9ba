import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import { parseMoves } from '../../src/play/moves.ts';
import { SoloGames } from '../../src/players/solo/solo-games.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { ALL_HINT_POINTS, HINT_STEPS, hintPoints } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, NOON, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house, WORDS } from '../fakes/small-board.ts';

/** What a whole solution counts. */

const THREE = 'play bfjmcg,gkdhln,nbp';
const TWO = 'play bfjmcg,gkdhlnbp';
/** When the day's board came out, in New York. */
const OUT = Date.parse('2026-11-20T08:00:00Z');

let world: TestApp;
beforeEach(async () => {
  world = await makeTestApp({ words: WORDS, house });
});
afterEach(() => world.close());

const result = (person = '5', date: PuzzleDate = TODAY) =>
  world.store.tenant('web:local').results.get(person, 'general', date);
const facts = (reply: Reply) =>
  Object.fromEntries(
    reply.blocks.flatMap((block) =>
      block.kind === 'facts' ? block.facts.map(({ label, value }) => [label, value]) : [],
    ),
  );
const cardOf = ({ blocks: [block] }: Reply) => {
  if (block?.kind !== 'game') throw new Error('no game was opened');
  return block.card;
};
const labels = (reply: Reply) =>
  reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons.map(({ label }) => label) : []));

describe('play', () => {
  test('records a solution, for the person alone', async () => {
    const reply = await say(world.app, THREE);
    expect(reply).toMatchObject({ title: 'Solved in 3 words: Friday, November 20, 2026', audience: 'asker' });
    expect(facts(reply)).toEqual({
      Words: '3',
      Letters: '15',
      'Hint points': 'none',
      Streak: '1 day',
    });
    expect(opened(reply)).toContain('Letter Boxed, November 20 · 3 words · no hints');
    expect(labels(reply)).toEqual([
      'Share',
      'My stats',
      'Leaderboard',
      'See other solutions',
      'Share only the line',
      'Share squares',
      'Share notation (reveals letters)',
    ]);
    expect(await result()).toMatchObject({
      person: '5',
      words: 3,
      letters: 15,
      hints: 0,
      solvedAt: NOON,
      sinceOpening: NOON - OUT,
      lengths: [6, 6, 3],
      path: { sides: [3, 3, 3, 3] },
    });
    expect(await result('6')).toBeUndefined();
  });

  test('stores no word with the result, and logs none', async () => {
    await say(world.app, TWO);
    const [stored] = await world.store.allPeople.export('web', '5');
    expect(JSON.stringify(stored?.results)).not.toMatch(/bfjm|gkdh/i);
    expect(stored?.soloGames).toHaveLength(1);
    expect(JSON.stringify(world.logged)).not.toMatch(/bfjm|gkdh/i);
  });

  test('counts the hint steps seen before in any tenant of the door', async () => {
    await say(world.app, 'hint start');
    await say(world.app, 'hint start');
    await say(world.app, 'hint count', someone({}, { tenant: 'web:elsewhere' }));
    await say(world.app, 'hint lengths sides:bcd-fgh-jkl-mnp');
    await say(world.app, 'hint masked', someone({ id: '6' }));
    await say(world.app, 'hint first', { ...someone(), door: 'slack', where: { tenant: 'slack:T1', channel: 'C', direct: false } }); // biome-ignore format: one line reads better
    await say(world.app, 'hint first date:yesterday');
    // Start letters, words needed and word lengths: 1, 1 and 2.
    expect(facts(await say(world.app, THREE))['Hint points']).toBe('4');
    expect(await result()).toMatchObject({ hints: 4 });
    await say(world.app, 'reveal');
    await say(world.app, TWO);
    expect(await result()).toMatchObject({ words: 2, hints: ALL_HINT_POINTS });
  });

  test.each([
    ['solve date:today', ALL_HINT_POINTS],
    ['solve bcd-fgh-jkl-mnp', ALL_HINT_POINTS],
    ['solve pnm-dcb-hgf-jkl exclude:bfjm', ALL_HINT_POINTS],
    ['solve bcd-fgh-jkl-mnr', 0],
    ['next bfjm', hintPoints(['count', 'first'])],
    ['next bfjm bcd-fgh-jkl-mnp', hintPoints(['count', 'first'])],
    ['next nbp', 0],
    ['words', 0],
    ['check bfjm', 0],
  ])('after %s, %i hints count', async (line, hints) => {
    await say(world.app, line);
    await say(world.app, TWO);
    expect(await result()).toMatchObject({ hints });
  });

  test('gives the next unseen hint after `next`', async () => {
    await say(world.app, 'next bfjm');
    expect((await say(world.app, 'hint')).title).toContain(`Hint 1 of ${HINT_STEPS.length}`);
  });

  test('measures the time from the opening of the channel’s thread if there was one', async () => {
    const step = { tenant: 'web:local', channel: 'general', date: TODAY, step: 'opening' };
    await sendStep(world.store, step, NOON - HOUR / 2);
    expect(facts(await say(world.app, THREE)).Time).toBe('30 minutes after the board was posted');
    expect(await result()).toMatchObject({ sinceOpening: HOUR / 2 });
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
    const today = await say(world.app, 'today');
    const button = today.blocks
      .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
      .find(({ label }) => label === 'Play');
    const reply = await press(world.app, button!.action);
    expect(reply).toMatchObject({ title: 'Your game: Friday, November 20, 2026', audience: 'asker' });
    expect(cardOf(reply)).toMatchObject({ words: [], word: '', options: { date: TODAY } });
    expect(cardOf(await say(world.app, 'play date:yesterday')).options).toEqual({ date: '2026-11-19' });
    expect(cardOf(await say(world.app, 'play bcd fgh jkl mnp')).options).toEqual({
      sides: 'bcd-fgh-jkl-mnp',
    });
    expect(await result()).toBeUndefined();
  });

  test('leaves the game at the words of a solution, and as it was after words that are none', async () => {
    const games = new SoloGames(world.app);
    await games.play(someone(), { options: {}, moves: parseMoves('bf')! });
    await say(world.app, 'play bfjmcg');
    expect(cardOf(await say(world.app, 'play'))).toMatchObject({ words: [], word: 'bf' });
    await say(world.app, TWO);
    const card = cardOf(await say(world.app, 'play'));
    expect(card).toMatchObject({ words: ['bfjmcg', 'gkdhlnbp'], solved: { counts: true } });
    await games.play(someone(), { options: {}, moves: parseMoves('0')! });
    expect((await say(world.app, TWO)).title).toBe('Solved in 2 words: Friday, November 20, 2026');
  });

  test('hides a person in a new tenant who is hidden in another', async () => {
    const away = someone({}, { tenant: 'web:elsewhere' });
    await say(world.app, 'privacy hide', away);
    await say(world.app, THREE);
    expect(await world.store.tenant('web:local').people.isHidden('5')).toBe(true);
    await say(world.app, 'privacy unhide');
    await say(world.app, TWO);
    expect(await world.store.tenant('web:local').people.isHidden('5')).toBe(false);
  });
});
