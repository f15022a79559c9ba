import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { board } from '../../../commands/board.ts';
import { check } from '../../../commands/check.ts';
import { solve } from '../../../commands/solve.ts';
import { fillForm } from '../../../src/chat/terminal/command.ts';
import { readArguments } from '../../../src/chat/terminal/contract.ts';
import { callOf } from '../../../src/core/program.ts';
import type { App, Command, Options } from '../../../src/dispatch/contract.ts';
import { formFor, missingOptions } from '../../../src/dispatch/options.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import type { TerminalFlags } from '../../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';

/** A person who types these lines one after the other. */
function typing(...lines: string[]) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return lines.shift() ?? '';
  };
  return { ask, questions };
}

const fill = (command: Command, ask: (question: string) => Promise<string>, options: Options = {}) =>
  fillForm(formFor(command, missingOptions(command, options), options), command, ask);

describe('what is missing', () => {
  test('asks for the sides one after the other', async () => {
    const { ask, questions } = typing('ozu', ' NRI ', 'lfa', 'mbt', '');
    expect(await fill(solve, ask)).toEqual({ sides: 'ozu nri lfa mbt' });
    expect(questions).toHaveLength(5);
    expect(questions[0]).toBe('Side 1 (Enter when done): ');
  });

  test('sides of one letter stay as they are', async () => {
    expect(await fill(solve, typing(...'ozunrilfambt').ask)).toEqual({ sides: 'o|z|u|n|r|i|l|f|a|m|b|t' });
  });

  test('the whole board can be typed at once', async () => {
    const { ask, questions } = typing('ozu-nri-lfa-mbt');
    expect(await fill(solve, ask)).toEqual({ sides: 'ozu nri lfa mbt' });
    expect(questions).toHaveLength(1);
  });

  test('asks for other options by their label', async () => {
    const { ask, questions } = typing('forum');
    expect(await fill(check, ask)).toEqual({ words: 'forum' });
    expect(questions).toEqual(['Words (Your words in order, separated by commas): ']);
  });

  test('leaves out what may be left empty', async () => {
    const { ask, questions } = typing('ozu-nri-lfa-mbt', '', 'Have fun');
    expect(await fill(board, ask, { do: 'make' })).toEqual({ sides: 'ozu nri lfa mbt', note: 'Have fun' });
    expect(questions).toHaveLength(3);
  });

  test('without an answer, the error says what is missing', async () => {
    await expect(fill(check, typing('').ask)).rejects.toThrow('Which words? Type them after check.');
    await expect(fill(solve, typing('').ask)).rejects.toThrow('The sides are missing');
  });
});

const days = (typed: string) => readArguments('daily', ['days'], ['--days', typed]).integer('days', 1, 366);

test('a whole number may be the least and the most that an option takes, and nothing beyond', () => {
  expect([days('1'), days('366')]).toEqual([1, 366]);
  for (const typed of ['0', '367', '1.5', 'all']) expect(() => days(typed)).toThrow('from 1 to 366');
});

test('commands are shown as they are typed: in a clone, installed, and by npx', () => {
  expect(callOf('file:///home/ada/letterboxed/src/a.ts', 'exec')).toBe('npm run -s letterboxed --');
  const installed = 'file:///usr/lib/node_modules/letterboxed-bot/dist/src/a.js';
  expect([callOf(installed, undefined), callOf(installed, 'exec')]).toEqual([
    'letterboxed',
    'npx letterboxed-bot',
  ]);
});

/** A limit of 0 ms, so that no machine is fast enough. */
describe('when the time runs out', () => {
  const SIDES = 'abcdef ghijkl mnop qrstu vwxyz';
  const CUT = expect.stringContaining('the time ran out');

  let world: TestApp;
  let app: App;
  beforeAll(async () => {
    world = await makeTestApp();
    const { lexicon, clock, log } = world.app;
    app = { ...world.app, work: new JobRunner({ lexicon, clock, log, workers: 0, jobTimeout: -1 }) };
  });
  afterAll(async () => {
    await app.work.close();
    await world.close();
  });

  const ask = (line: string, flags: TerminalFlags = {}) =>
    say(app, `${line} sides:"${SIDES}"`, { ...someone(), terminal: { asData: true, ...flags } });

  test('solve gives as data what it has, and says that the time ran out', async () => {
    const { data, notFound } = await ask('solve');
    expect(notFound).toBeUndefined();
    expect(data).toMatchObject({ fewest: null, cut: CUT });
    const { unproven } = data as { unproven: { words: string[] } };
    expect(new Set(unproven.words.join('')).size).toBe(26);
  });

  test('solve says that it is unknown where the time ran out before anything was found', async () => {
    expect((await ask('solve most:3')).notFound).toBe('unknown');
  });

  test('hint count and next say so, too', async () => {
    expect((await ask('hint count')).data).toMatchObject({ unproven: true, cut: CUT });
    expect((await ask('next fluvoxamines', { limit: 2 })).data).toMatchObject({ cut: CUT });
  });
});
