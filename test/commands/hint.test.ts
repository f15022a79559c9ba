import { afterAll, expect, test } from 'vitest';
import { HINT_STEPS } from '../../src/solver/hints.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, store, clock, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);
const numberOf = ({ title }: { title: string }) => Number(/^Hint (\d)/.exec(title)?.[1]);

test('each person climbs the ladder on their own, day by day, and is told at its end', async () => {
  const anna = someone({ id: 'anna' });
  const numbers: number[] = [];
  for (const _ of HINT_STEPS) numbers.push(numberOf(await say(app, 'hint', anna)));
  expect(numbers).toEqual(HINT_STEPS.map((_, index) => index + 1));
  const more = await say(app, 'hint', anna);
  expect(numberOf(more)).toBe(HINT_STEPS.length);
  expect(unopened(more)).toContain('You have seen every hint of this board. /letterboxed reveal shows');
  expect(numberOf(await say(app, 'hint', someone({ id: 'ben' })))).toBe(1);
  expect(numberOf(await say(app, 'hint', someone({ id: 'anna' }, { tenant: 'web:elsewhere' })))).toBe(1);
  clock.time += 24 * 60 * 60_000;
  expect(numberOf(await say(app, 'hint', anna))).toBe(1);
  clock.time -= 24 * 60 * 60_000;
});

test('a step that is named counts as seen, and seeing it again does not', async () => {
  const cleo = someone({ id: 'cleo' });
  expect(numberOf(await say(app, 'hint count', cleo))).toBe(2);
  expect(numberOf(await say(app, 'hint count', cleo))).toBe(2);
  expect([await say(app, 'hint', cleo), await say(app, 'hint', cleo)].map(numberOf)).toEqual([1, 3]);
  expect((await store.tenant('web:local').hints.seen('cleo', '2026-11-20')).sort()).toEqual([
    'count',
    'hardest',
    'start',
  ]);
});

test('a board of one’s own has its own ladder', async () => {
  const dora = someone({ id: 'dora' });
  await say(app, `hint ${SIDES}`, dora);
  expect(numberOf(await say(app, 'hint sides:BCD-FGH-JKL-MNP', dora))).toBe(2);
  expect(numberOf(await say(app, 'hint', dora))).toBe(1);
});

test('it goes on from the words one has played', async () => {
  const reply = await say(app, 'hint first words:bfjm');
  expect(opened(reply)).toContain('Go on with MCGKDHLNBP.');
  expect(reply.again?.options).toEqual({ date: '2026-11-20', step: 'first', words: 'bfjm' });
});

test('it keeps to words most people know where that is asked for, step after step', async () => {
  const reply = await say(app, 'hint count everyday words:bfjmcg');
  expect(opened(reply)).toContain('2 more words can do it');
  expect(reply.again?.options).toEqual({
    date: '2026-11-20',
    step: 'count',
    words: 'bfjmcg',
    everyday: true,
  });
  const [next] = reply.blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
  expect(next?.action.options).toMatchObject({ step: 'hardest', everyday: true });
});

test('words that cannot be played are explained', async () => {
  expect(unopened(await say(app, 'hint words:bfjm,nbp'))).toContain(
    '"nbp" begins with n, but the word before it ends on m',
  );
  expect(unopened(await say(app, 'hint words:bcd'))).toContain('both are on the same side (bcd)');
});

test('a word we do not know may still have been taken by the game', async () => {
  const reply = await say(app, 'hint count words:gjb');
  expect(reply.title).toContain('going on from your words');
});

test('once solved there is nothing to hint at, and no step is used up', async () => {
  const ella = someone({ id: 'ella' });
  expect(opened(await say(app, 'hint words:bfjmcg,gkdhlnbp', ella))).toContain('the board is solved');
});

test('a board that no word solves is said to be one, and costs no hint', async () => {
  const fay = someone({ id: 'fay' });
  expect(opened(await say(app, 'hint zq xw vy', fay))).toContain('No solution of this board is known');
  expect(await store.tenant('web:local').hints.seen('fay', 'zq-xw-vy')).toEqual([]);
});

test('every button of every step leads somewhere', async () => {
  for (const step of HINT_STEPS) {
    const { blocks } = await say(app, `hint ${step}`);
    for (const block of blocks) {
      if (block.kind !== 'buttons') continue;
      for (const { action } of block.buttons.filter(({ action }) => action.command !== 'check'))
        expect((await press(app, action)).title).not.toBe('That did not work');
    }
  }
});

test('on a board too large for the time, each step tells of a solution that was found in a hurry', async () => {
  const real = await makeTestApp();
  const told: string[] = [];
  for (const step of HINT_STEPS) {
    const reply = await say(real.app, `hint ${step} abcdef ghijkl mnop qrstu vwxyz`);
    const [, hidden = ''] = /\n {2}(.*)/.exec(opened(reply)) ?? [];
    told.push(hidden);
    expect(unopened(reply)).toContain('the time ran out');
  }
  const [start, count, hardest, lengths, joint, masked, first] = told;
  expect(start).toMatch(/^A solution starts with [A-Z]\.$/);
  expect(count).toMatch(/^\d words can do it, perhaps fewer\.$/);
  expect(hardest).toMatch(/^Q: [\d,]+ words can use it$/);
  expect(lengths).toMatch(/^In order: \d+, then/);
  expect(joint).toMatch(/^The words join on [A-Z]/);
  expect(masked).toMatch(/^[A-Z]_[A-Z]/);
  expect(first).toMatch(new RegExp(`^Start with ${start?.at(-2)}`));
  await real.close();
});
