/** Commands about a board and about the bot, where `transcripts/boards.txt` can't say it. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { shortSeed } from '../../commands/generate.ts';
import { COMMANDS } from '../../commands/index.ts';
import { offeredOptions } from '../../src/dispatch/contract.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import { boardKey, type Puzzle } from '../../src/puzzle/types.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { type GenerateOptions, generate } from '../../src/solver/generate.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, press, say, unopened } from '../fakes/ask.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { actionOf } from '../reply/look.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
const real = await makeTestApp();
afterAll(async () => {
  await close();
  await real.close();
});

test('about shows version, sources, credits and a privacy summary', async () => {
  const text = unopened(await say(app, 'about'));
  for (const part of [
    'Letter Boxed bot 0.0.0-test',
    'https://example.org/letterboxed',
    'Not made, endorsed or paid for by the newspaper',
    'SCOWL',
  ])
    expect(text).toContain(part);
  expect(text.split('Privacy: ')[1]?.match(/\./g)).toHaveLength(2);
  const without = unopened(await say({ ...app, about: { version: '1.0.0' } }, 'about'));
  expect(without).toContain('Letter Boxed bot 1.0.0');
  expect(without).not.toMatch(/https?:|Source and help/);
});

test('help names every command, and all options and examples of each', async () => {
  const first = await say(app, 'help');
  expect(unopened(first).match(/^\/letterboxed /gm)).toHaveLength(5);
  expect(unopened(first)).toContain('[All commands]');
  const all = unopened(await say(app, 'help all'));
  for (const { name, description, examples, options } of COMMANDS) {
    expect(all).toContain(`/letterboxed ${name} – ${description}`);
    const one = unopened(await say(app, `help ${name}`));
    const offered = offeredOptions({ options });
    const isLong = offered.length > 16;
    for (const option of offered)
      expect(one).toContain(isLong ? option.name : `${option.name} – ${option.description}`);
    expect(one.split('\n').length).toBeLessThanOrEqual(30);
    for (const example of examples) expect(one).toContain(`/letterboxed ${example}`);
  }
});

test('help finds a command by its other name, and the nearest one', async () => {
  expect((await say(app, 'help boards')).title).toBe('Help: board');
  expect(unopened(await say(app, 'help hin'))).toContain('Did you mean hint?');
  expect(unopened(await say(app, 'help xyzzy'))).toMatch(
    /There is no command "xyzzy"\.\n\nHelp: \/letterboxed help$/,
  );
  const onSlack = unopened(await say(app, 'help', { ...someone(), door: 'slack' }));
  expect(onSlack).toContain('Mention me there instead');
  expect(unopened(await say(app, 'help'))).not.toContain('Mention me');
});

test.each([
  ['today', { date: '2026-11-20' }],
  ['next bfjmcg everyday', { date: '2026-11-20', words: 'bfjmcg', everyday: true }],
  ['next bcdb fgh jk mnp bcdb bfjmcg', { sides: 'bcdb-fgh-jk-mnp-bcdb', words: 'bfjmcg' }],
])('%s is asked for again with its board and words', async (line, options) => {
  expect((await say(app, line)).rerun?.options).toEqual(options);
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
  onTestFinished(() => known.close());
  const text = opened(await say(known.app, 'check gjb,bfjm'));
  expect(text).toContain('GJB and BFJM fit. 7 letters left');
  expect(text).not.toContain('may judge rare words differently');
  expect(opened(await say(known.app, 'check bfjmcg'))).toContain('not in the word list');
  expect(unopened(await say(known.app, 'hint words:bfjmcg'))).toContain('not in the word list');
});

test('solve turns page after page of the same list, each by the button of the one before', async () => {
  const pages = new Set<string>();
  let reply = await say(real.app, 'solve ozu nri lfa mbt words:3');
  for (let page = 1; page <= 3; page++) {
    expect(reply.replaces ?? false).toBe(page > 1);
    pages.add(opened(reply).split('With 3 words:')[1]!.split('% =')[0]!);
    reply = await press(real.app, actionOf(reply, 'More'));
  }
  expect(pages.size).toBe(3);
  expect(unopened(reply)).toContain('Solutions 46 to 60.');
});

test('solve gives a board too large for the time a right answer and a plain word about it', async () => {
  // A limit that is over at once, so that no machine is fast enough.
  const hurried = await makeTestApp({ jobTimeout: -1 });
  onTestFinished(() => hurried.close());
  const reply = await say(hurried.app, 'solve abcdef ghijkl mnop qrstu vwxyz');
  expect(unopened(reply)).toMatch(/Fewest words: at least \d, at most \d/);
  const [, solution = ''] = /maybe not the shortest:\n {2}(.*)\s\(/.exec(opened(reply)) ?? [];
  expect(new Set(solution.replace(/[^A-Z]/g, '')).size).toBe(26);
  expect(opened(reply).match(/maybe not the shortest/g)).toHaveLength(1);
});

test('generate makes a new board each time, and the same one from the same seed', async () => {
  const [one, two] = [await say(real.app, 'generate'), await say(real.app, 'generate')];
  expect(one.title).not.toBe(two.title);
  expect(one.audience).toBe('everyone');
  expect(one.rerun!.options?.seed).toMatch(/^[bcdfghjkmnpqrstvwxz]{6}$/);
  expect((await press(real.app, one.rerun!)).title).toBe(one.title);
  const [tea, again] = [await say(real.app, 'generate seed:tea'), await say(real.app, 'generate seed:tea')];
  expect(tea.title).toBe(again.title);
  // Everybody sees the answer, and a seed may be any text.
  expect([one, tea].map((reply) => unopened(reply).includes('Seed: '))).toEqual([true, false]);
  expect(shortSeed('a')).toBe(shortSeed('a'));
  expect(new Set(Array.from({ length: 500 }, (_, index) => shortSeed(`${index}`))).size).toBe(500);
});

test('no typed seed makes a board of a day that is still to come', async () => {
  const { lexicon } = real.app;
  // Boards of another word list than ours are made from the seeds of their days.
  const otherList = {
    lexicon: { find: () => undefined },
    make: (options: GenerateOptions) => generate(lexicon, options),
  };
  for (const date of ['2026-11-21', '2026-11-22', '2026-11-28', '2026-11-29'] as const) {
    const { board, official } = housePuzzle(date, otherList);
    for (const seed of [`house:${date}`, `house1:${date}`, ` HOUSE:${date}`]) {
      const reply = await say(real.app, `generate hard seed:"${seed}"`);
      expect(reply.title).toMatch(/^New \w+ board: /);
      const [, sides = ''] = reply.title.toLowerCase().split(': ');
      expect(boardKey(sides.split(' ')), `${seed}: ${official}`).not.toBe(boardKey(board.sides));
    }
  }
});

test('generate makes a board of the difficulty and size asked for, with buttons', async () => {
  expect((await say(real.app, 'generate hard')).title).toMatch(/^New hard board/);
  expect((await say(real.app, 'generate sides:5 letters:2')).title).toMatch(/: (\w\w ?){5}$/);
  expect(unopened(await say(app, 'generate sides:9'))).toContain('Type a whole number from 3 to 8');
  expect(unopened(await say(app, 'generate sides:8 letters:6'))).toContain('A board has 4 to 26');
  const easy = await say(real.app, 'generate easy');
  expect((await press(real.app, actionOf(easy, 'Hint'))).title).toContain(`Hint 1 of ${HINT_STEPS.length}`);
  expect((await press(real.app, actionOf(easy, 'Another board'))).title).toMatch(/^New easy board/);
});
