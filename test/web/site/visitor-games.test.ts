import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMoves } from '../../../src/play/game.ts';
import { addDays, spanOf } from '../../../src/puzzle/calendar.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { hintNumber } from '../../../src/reply/replies/hint-steps.ts';
import { resultLine, solvedLine } from '../../../src/reply/replies/result-line.ts';
import { compileLexicon, loadLexicon } from '../../../src/solver/lexicon.ts';
import { DownloadPending } from '../../../src/web/site/download.ts';
import {
  boardOfDay,
  boardOfSides,
  FIRST_DAY,
  helpVisitor,
  type PublicBoard,
  playAsVisitor,
  Site,
  type VisitorMoves,
  type VisitorServices,
} from '../../../src/web/site/site.ts';
import { makeTestApp, type TestApp, TODAY } from '../../fakes/app.ts';
import { chargedIn, house, SIDES, WORDS } from '../../fakes/small-board.ts';

/** As a shared result names it. */
const BOARD = { name: 'today', date: TODAY };
const LINK = 'https://example.org/?board=bcd-fgh-jkl-mnp';
const PAST = Array.from({ length: 40 }, (_, days) => addDays(TODAY, -days - 1));
let test: TestApp;
let world: VisitorServices;
let today: PublicBoard;
beforeAll(async () => {
  test = await makeTestApp({ words: WORDS });
  const { clock, work, puzzles } = test.app;
  world = {
    clock,
    work,
    puzzles: {
      wordSource: (puzzle) => puzzles.wordSource(puzzle),
      houseOf: async (date) => ({ ...house(date), par: 5 }),
      houseDays: async () => PAST,
    },
  };
  today = await boardOfDay('today', undefined, world);
});
afterAll(() => test.close());

const play = (moves: string, made: Omit<VisitorMoves, 'moves'> = {}, board = today) =>
  playAsVisitor(world, board, { moves: parseMoves(moves)!, ...made }, LINK);

it('plays from what the browser has kept, to a result that says nothing about the words', async () => {
  const first = await play('bfjmcg.');
  expect(first.game).toMatchObject({ words: ['bfjmcg'], word: 'g', version: 0 });
  const { saved } = first;
  expect((await play('kdhlm.', { saved })).game).toMatchObject({
    words: ['bfjmcg'],
    refused: 'GKDHLM is not in the word list.',
  });
  const last = await play('kdhlnbp.', { saved });
  expect(last).toMatchObject({
    game: {
      solved: {
        title: '2 words. It can’t be done in fewer.',
        lines: ['14 letters.', 'Par is 5: you beat it.'],
        score: { points: 100, title: 'Legend' },
        hunt: { found: 1, of: 3 },
        untilNext: spanOf(TODAY).to - world.clock.now(),
        counts: false,
        share: `${resultLine(BOARD, { words: 2, hints: 0 })}\n🟦🟧⬜⬜⬜ Legend\n${LINK}`,
      },
    },
    days: [TODAY, ...PAST],
  });
});

it('praises nobody for a solution that was shown to them', async () => {
  const { game } = await play('bfjmcg.kdhlnbp.', { isShown: true });
  expect(game.solved).toMatchObject({ title: 'Solved in 2 words', lines: ['14 letters.', 'Par is 5.'] });
  expect(game.solved?.share).toContain(`${solvedLine(BOARD, 2)} · all hints\n`);
  const helped = await play('bfjmcg.kdhlnbp.', { hints: 2 });
  expect(helped.game.solved?.share).toContain(`${solvedLine(BOARD, 2)} · some hints\n`);
});

it('begins a new game where what was kept is of another board, or can not have been played', async () => {
  const { saved } = await play('bfjmcg.');
  const other = await boardOfSides('abc-def-ghi', world);
  expect((await play('', { saved }, other)).game.words).toEqual([]);
  const [one, next] = SIDES.split(' ').map((side) => side[0]!);
  const word = `${`${one}${next}`.repeat(31)}${one}`;
  const claim = (words: number) => ({
    saved: { version: 1, sides: SIDES.split(' '), words: Array(words).fill(word), word: one },
  });
  expect((await play('', claim(40))).game.words).toEqual([]);
  expect((await play('', claim(3))).game.words).toEqual([word, word, word]);
});

it('helps with one hint after the other, and the solution', async () => {
  expect(await helpVisitor(world, today, { ask: 'hint', words: [] })).toMatchObject({
    title: expect.stringContaining(hintNumber('start')),
    shown: 'start',
  });
  const onwards = { ask: 'hint', words: ['bfjmcg'], shown: 'count', taken: 'start,count' } as const;
  expect(await helpVisitor(world, today, onwards)).toMatchObject({
    title: expect.stringContaining(hintNumber('hardest')),
    shown: 'count,hardest',
  });
  // The last one is as much help as the solution.
  for (const [index] of HINT_STEPS.entries()) {
    const shown = HINT_STEPS.slice(0, index).join();
    const given = await helpVisitor(world, today, { ask: 'hint', words: [], shown });
    expect(given.isAll).toBe(index === HINT_STEPS.length - 1);
  }
  const solution = await helpVisitor(world, today, { ask: 'reveal', words: [] });
  expect(JSON.stringify(solution)).toContain('BFJMCG');
});

it('keeps to the sides that an address names for a day, whatever this version makes of it', async () => {
  const same = await boardOfDay('today', SIDES, world);
  expect(same).toEqual(today);
  const { namedBoard, par, until } = await boardOfDay('today', 'abc-def-ghi', world);
  expect(namedBoard).toMatchObject({ date: TODAY, name: 'Friday, November 20, 2026' });
  expect(namedBoard.board.sides).toEqual(['abc', 'def', 'ghi']);
  expect([par, until]).toEqual([undefined, today.until]);
});

it('has no board of a day to come, nor of what is no board', async () => {
  await expect(boardOfDay('2026-11-21', undefined, world)).rejects.toMatchObject({ code: 'date.to-come' });
  await expect(boardOfSides('a-b-c', world)).rejects.toThrow('A board has 4 to 26');
});

it('the archive of the site goes back to its first day', async () => {
  const site = new Site({
    lexicon: () => loadLexicon(compileLexicon(WORDS)),
    everyday: () => loadLexicon(compileLexicon(WORDS)),
    days: () => () => undefined,
    now: () => Date.parse('2026-01-03T17:00Z'),
    address: 'https://example.org/',
  });
  expect(await site.archive()).toEqual(['2026-01-03', '2026-01-02', FIRST_DAY]);
});

it('the worker of the site tells its page nothing that the hints would charge for', async () => {
  const lexicon = loadLexicon(compileLexicon(WORDS));
  const site = new Site({
    lexicon: () => lexicon,
    everyday: () => lexicon,
    days: () => () => undefined,
    now: Date.now,
    address: 'https://example.org/',
  });
  const asked = { board: SIDES };
  const told = [await site.board(asked)] as object[];
  for (const moves of ['', 'b', 'bfj.', 'gkdh.']) told.push(await site.play(asked, { moves }));
  expect(chargedIn(JSON.stringify(told), ['bfj', 'gkdh'])).toEqual([]);
  expect(chargedIn(JSON.stringify(await site.help(asked, { ask: 'hint', words: ['bfjm'] })))).not.toEqual([]);
});

it('judges everyday words before the whole list is there, and waits with the others', async () => {
  const everyday = loadLexicon(compileLexicon(WORDS.filter(({ tier }) => tier === 'everyday')));
  const site = new Site({
    lexicon: () => {
      throw new DownloadPending(Promise.resolve());
    },
    everyday: () => everyday,
    days: () => () => undefined,
    now: Date.now,
    address: 'https://example.org/',
  });
  const asked = { board: SIDES };
  const { game, saved } = await site.play(asked, { moves: 'bfjmcg.' });
  expect(game.words).toEqual(['bfjmcg']);
  await expect(site.play(asked, { saved, moves: 'kdhlnbp.' })).rejects.toThrow(DownloadPending);
});
