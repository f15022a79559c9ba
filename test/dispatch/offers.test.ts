/** What answers to people's own words say and offer. */
import { afterEach, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { FinishedCommand } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, press, replyOf, say } from '../fakes/ask.ts';
import { buttons } from '../reply/look.ts';
import { readMeant } from './wishes.ts';

let world: TestApp;
afterEach(() => world.close());

const WORDS = ['hint', 'thanks'].map((word) => ({ word, likelihood: 0.9, tier: 'everyday' as const }));
async function start(sides: string): Promise<void> {
  const house = (date: PuzzleDate) => ({
    date,
    source: 'house' as const,
    board: makeBoard(sides.split(' ')),
  });
  world = await makeTestApp({ words: WORDS, house });
}
const offered = async (line: string, asker = someone()) =>
  buttons(await say(world.app, line, asker)).map(({ label }) => label);

test('offers a wish that is a word of the board as two buttons, and else grants the wish', async () => {
  await start('hab icd nef tgj');
  expect(await offered('hint')).toEqual(['Play HINT', 'Hint']);
  expect((await say(world.app, '/letterboxed hint')).title).not.toContain('HINT');
  expect((await say(world.app, 'hint sides:abc-def-ghi-jkl')).title).not.toContain('HINT');
  expect((await say(world.app, 'thanks!')).title).toBe('Letter Boxed');
  const done: FinishedCommand[] = [];
  const dispatcher = makeDispatcher(world.app, { commands: COMMANDS, onDone: (one) => done.push(one) });
  await replyOf(dispatcher.prepareLine('hint', someone()));
  expect(done).toMatchObject([{ command: 'hint', outcome: 'answered' }]);
});

test('offers what changes a channel as a button that says what it does, and only to people who may', async () => {
  await start('bcd fgh jkm lnp');
  const line = 'post it every morning at 9 london time';
  expect(await offered(line, someone({ mayManage: true }))).toEqual([
    'Post a board here every day at 9:00 AM London time',
  ]);
  const refused = await say(world.app, line, someone({ mayManage: false }));
  expect(opened(refused)).toContain('Ask someone who manages this channel.');
  expect(buttons(refused)).toEqual([]);
});

test('names its reading where that was a guess, and offers three steps where nothing is understood', async () => {
  await start('bcd fgh jkm lnp');
  // Which lines are guesses is for the model.
  const isWord = (word: string) => world.app.lexicon.find(word) !== undefined;
  const lines = readMeant(new URL('spoken.txt', import.meta.url)).filter(({ line }) => /long|all/.test(line));
  const asked = lines.map(({ line }) => ({ line, ...readLine(line, COMMANDS, isWord) }));
  const guess = asked.find(
    ({ isGuess, command, offers }) => isGuess && command === 'words' && offers?.length,
  )!;
  const other = asked.find(({ isGuess, command }) => isGuess === false && command === 'words')!;
  const said = await say(world.app, guess.line);
  expect(opened(said)).toContain(`Read as: ${guess.label}`);
  const others = (guess.offers ?? []).map(({ label }) => label);
  expect(others.length).toBeGreaterThan(0);
  expect(buttons(said).map(({ label }) => label)).toEqual(expect.arrayContaining(others));
  expect(opened(await say(world.app, other.line))).not.toContain('Read as');
  expect(await offered('https://www.nytimes.com/puzzles/letter-boxed')).toEqual([
    'Hint',
    'Check a word',
    'Today’s board',
  ]);
});

test('reads a sentence in the field of help as a typed line, as Discord has no other place for one', async () => {
  await start('bcd fgh jkm lnp');
  const asked = { command: 'help', options: { command: 'what does par mean' } };
  expect(opened(await press(world.app, asked))).toContain('Par is a good number of words');
  const setting = { command: 'help', options: { command: 'post it every morning at 9' } };
  expect(buttons(await press(world.app, setting, someone({ mayManage: true })))).toMatchObject([
    { label: 'Post a board here every day at 9:00 AM' },
  ]);
});
