import { expect, it } from 'vitest';
import { DAY } from '../../../src/core/clock.ts';
import { addDays, spanOf } from '../../../src/puzzle/calendar.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { HINTS } from '../../../src/reply/replies/hint-steps.ts';
import { resultLine, resultLineWithoutHints } from '../../../src/reply/replies/result-line.ts';
import { compileLexicon, loadLexicon } from '../../../src/solver/lexicon.ts';
import { DownloadPending } from '../../../src/web/site/download.ts';
import { FIRST_DAY, Site } from '../../../src/web/site/site.ts';
import { NOON, TODAY } from '../../fakes/app.ts';
import { chargedIn, house, SIDES, WORDS } from '../../fakes/small-board.ts';

/** As a shared result names it. */
const BOARD = { name: 'today', date: TODAY };
const ADDRESS = 'https://example.org/';
const LINK = `${ADDRESS}?board=bcd-fgh-jkl-mnp&day=${TODAY}`;
const lexicon = loadLexicon(compileLexicon(WORDS));
const siteOf = (options: Partial<ConstructorParameters<typeof Site>[0]> = {}) =>
  new Site({
    lexicon: () => lexicon,
    everyday: () => lexicon,
    house: (date) => ({ ...house(date), par: 5 }),
    now: () => NOON,
    address: ADDRESS,
    ...options,
  });
const site = siteOf();
const play = (moves: string, made = {}, asked: Readonly<Record<string, string>> = {}) =>
  site.play(asked, { moves, ...made });

it('keeps that a word was taken back, or the game begun again: then nothing is praised as a first try', async () => {
  const savedAfter = async (moves: string) => (await play(moves)).saved;
  expect(await savedAfter('bfjx<mcg.')).not.toHaveProperty('again');
  expect(await savedAfter('bfjmcg.kdhlnbp.')).not.toHaveProperty('again');
  for (const moves of ['bfjmcg.<', 'bfjmcg.0', 'bfjmcg.<.kdhlnbp.'])
    expect(await savedAfter(moves), moves).toHaveProperty('again', true);
  const saved = await savedAfter('bfjmcg.kdhlnbp.');
  const later = await play('0', { saved });
  expect((await play('bfj', { saved: later.saved })).saved).toHaveProperty('again', true);
});

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
        title: 'Legend',
        lines: ['Brilliant!', '2 words, 14 letters.', 'It can’t be done in fewer words.'],
        points: 100,
        hunt: { found: 1, of: 3 },
        untilNext: spanOf(TODAY).to - NOON,
        counts: false,
        share: `${resultLine(BOARD, { words: 2, hints: 0 })}\n🟦🟧⬜⬜⬜ Legend\n${LINK}`,
      },
    },
  });
  expect(last.days?.slice(0, 3)).toEqual([TODAY, addDays(TODAY, -1), addDays(TODAY, -2)]);
  expect(last.days?.at(-1)).toBe(FIRST_DAY);
});

it('counts a streak by all days that had a board, in later years, too', async () => {
  const years = siteOf({ now: () => NOON + 3 * 365 * DAY });
  const { days } = await years.play({}, { moves: 'bfjmcg.kdhlnbp.' });
  expect(days).toEqual(await years.archive());
});

it('praises nobody for a solution that was shown to them', async () => {
  const { game } = await play('bfjmcg.kdhlnbp.', { isShown: true });
  expect(game.solved).toMatchObject({
    title: 'Solved',
    points: undefined,
    lines: ['2 words, 14 letters.'],
  });
  expect(game.solved?.share).toContain(`${resultLineWithoutHints(BOARD, 2)} · after the solution\n`);
});

it('charges the hints that were taken, not as many of the first ones', async () => {
  const solvedAfter = async (...taken: string[]) => (await play('bfjmcg.kdhlnbp.', { taken })).game.solved;
  expect((await solvedAfter('start'))?.points).toBe(100 - HINTS.start.weight);
  const { points, share } = (await solvedAfter('first'))!;
  expect(points).toBe(100 - HINTS.first.weight);
  expect(share).toContain(`${resultLine(BOARD, { words: 2, hints: HINTS.first.weight })}\n`);
});

it('begins a new game where what was kept is of another board, or can not have been played', async () => {
  const { saved } = await play('bfjmcg.');
  expect((await play('', { saved }, { board: 'abc-def-ghi' })).game.words).toEqual([]);
  const [one, next] = SIDES.split(' ').map((side) => side[0]!);
  const word = `${`${one}${next}`.repeat(31)}${one}`;
  const claim = (words: number) => ({
    saved: { version: 1, sides: SIDES.split(' '), words: Array(words).fill(word), word: one },
  });
  expect((await play('', claim(40))).game.words).toEqual([]);
  expect((await play('', claim(3))).game.words).toEqual([word, word, word]);
});

it('helps with one hint after the other, and the solution', async () => {
  expect(await site.help({}, { ask: 'hint', words: [] })).toMatchObject({
    title: expect.stringContaining('Hint 1 of'),
    shown: HINT_STEPS[0],
  });
  const onwards = { ask: 'hint', words: ['bfjmcg'], shown: 'count', taken: 'count' } as const;
  expect(await site.help({}, onwards)).toMatchObject({
    title: expect.stringContaining('Hint 2 of'),
    shown: 'count,hardest',
  });
  // The last one is as much help as the solution.
  for (const [index] of HINT_STEPS.entries()) {
    const shown = HINT_STEPS.slice(0, index).join();
    const given = await site.help({}, { ask: 'hint', words: [], shown });
    expect(given.isAll).toBe(index === HINT_STEPS.length - 1);
  }
  const solution = await site.help({}, { ask: 'reveal', words: [] });
  expect(JSON.stringify(solution)).toContain('BFJMCG');
});

it('keeps to the sides that an address names for a day, whatever this version makes of it', async () => {
  expect(await site.board({ day: TODAY, board: SIDES })).toEqual(await site.board({}));
  const asked = { day: TODAY, board: 'abc-def-ghi' };
  const { day, title, par, view } = await site.board(asked);
  expect([day, title, par]).toEqual([TODAY, 'Friday, November 20, 2026', undefined]);
  expect(view.sides.map(({ spots }) => spots.map(({ letter }) => letter).join(''))).toEqual([
    'abc',
    'def',
    'ghi',
  ]);
});

it('keeps the par of a board that somebody shared, and counts down to no board after the day', async () => {
  const asked = { board: SIDES, par: '8' };
  expect((await site.board(asked)).par).toBe(8);
  const [shared, late] = await Promise.all(
    [asked, { day: addDays(TODAY, -1) }].map((one) => play('bfjmcg.kdhlnbp.', {}, one)),
  );
  expect(shared!.game.solved!.share).toMatch(/\?board=bcd-fgh-jkl-mnp&par=8$/);
  expect(late!.game.solved!.untilNext).toBeUndefined();
});

it('has no board of a day to come, nor of what is no board', async () => {
  await expect(site.board({ day: '2026-11-21' })).rejects.toMatchObject({ code: 'date.to-come' });
  await expect(site.board({ board: 'a-b-c' })).rejects.toThrow('A board has 4 to 26');
});

it('the archive of the site goes back to its first day', async () => {
  const early = siteOf({ now: () => Date.parse('2026-01-03T17:00Z') });
  expect(await early.archive()).toEqual(['2026-01-03', '2026-01-02', FIRST_DAY]);
});

it('the worker of the site tells its page nothing that the hints would charge for', async () => {
  const asked = { board: SIDES };
  const told = [await site.board(asked)] as object[];
  for (const moves of ['', 'b', 'bfj.', 'gkdh.']) told.push(await site.play(asked, { moves }));
  expect(chargedIn(JSON.stringify(told), ['bfj', 'gkdh'])).toEqual([]);
  expect(chargedIn(JSON.stringify(await site.help(asked, { ask: 'hint', words: ['bfjm'] })))).not.toEqual([]);
});

it('judges everyday words before the whole list is there, and waits with the others', async () => {
  const everyday = loadLexicon(compileLexicon(WORDS.filter(({ tier }) => tier === 'everyday')));
  const loading = siteOf({
    lexicon: () => {
      throw new DownloadPending(Promise.resolve());
    },
    everyday: () => everyday,
  });
  const asked = { board: SIDES };
  const { game, saved } = await loading.play(asked, { moves: 'bfjmcg.' });
  expect(game.words).toEqual(['bfjmcg']);
  await expect(loading.play(asked, { saved, moves: 'kdhlnbp.' })).rejects.toThrow(DownloadPending);
  // A rare word goes on from M, so that it is no dead end.
  await expect(loading.play(asked, { moves: 'bfjm.' })).rejects.toThrow(DownloadPending);
  await expect(loading.play(asked, { moves: 'gkdhlnbp.' })).rejects.toThrow(DownloadPending);
});
