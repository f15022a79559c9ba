import { afterAll, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { Puzzle } from '../../src/puzzle/types.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { formOf, opened, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

test('shows which words are right, which rule a wrong one breaks and where, and the letters left', async () => {
  const text = unopened(await say(app, `check bfjm,mcf,nope ${SIDES}`));
  expect(text).toContain('1 of 3 words works');
  expect(text).toContain('✓ BFJM');
  expect(text).toContain('✗ MCF fits the board, but it is not in the word list.');
  expect(text).toContain('✗ NOPE has O, which is not on this board.');
  expect(text).toContain('Letters left: C D G H K L N P\nWords still needed: 1 or more');
});

test('names a word once, though it was typed twice', async () => {
  const title = async (line: string) => (await say(app, line)).title;
  expect(await title(`check bfjm bfjm sides:"${SIDES}"`)).toBe('1 of 2 words works');
  expect(await title(`check nope nope sides:"${SIDES}"`)).toBe('NOPE doesn’t work');
});

test("the day's board without sides; solved is solved", async () => {
  expect((await say(app, 'check bfjmcg gkdhlnbp')).title).toBe('Solved in 2 words');
  expect(unopened(await say(app, 'check bfjm date:yesterday'))).toContain('Thursday, November 19, 2026');
});

test('asks for missing words in a form that keeps the board', () => {
  const form = formOf(
    makeDispatcher(app, { commands: COMMANDS }).prepareLine(`check sides:"${SIDES}"`, someone()),
  );
  expect(form.fields.map(({ name }) => name)).toEqual(['words']);
  expect(form.action.options).toEqual({ sides: SIDES });
});

test("the day's own dictionary decides where it is known", async () => {
  const dictionary = [
    { word: 'gjb', obscure: false },
    { word: 'bfjm', obscure: true },
  ];
  const known = await makeTestApp({
    words: WORDS,
    house: (date): Puzzle => ({ ...house(date), dictionary }),
  });
  const text = opened(await say(known.app, 'check gjb,bfjm'));
  expect(text).toContain('GJB and BFJM fit. 7 letters left');
  expect(text).not.toContain('may judge rare words differently');
  expect(opened(await say(known.app, 'check bfjmcg'))).toContain('not in the word list');
  expect(unopened(await say(known.app, 'hint words:bfjmcg'))).toContain('not in the word list');
  await known.close();
});

test('quotes typed words escaped and shortened', async () => {
  const text = unopened(
    await say(app, `check words:"@everyone <script>alert(1)</script> ||${'x'.repeat(40)}||" ${SIDES}`),
  );
  expect(text).toContain('"@everyone" has "@", which is not on this board');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(150);
});
