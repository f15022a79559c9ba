/** What the terminal answers when the time runs out: a limit of 0 ms, so that no machine is fast enough. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerWork } from '../../../src/answers/answer-work.ts';
import { readArguments } from '../../../src/chat/terminal/arguments.ts';
import { hint } from '../../../src/chat/terminal/data/hint.ts';
import { next } from '../../../src/chat/terminal/data/played.ts';
import { solveAsData } from '../../../src/chat/terminal/data/solve.ts';
import { EXIT } from '../../../src/chat/terminal/subcommand.ts';
import type { App } from '../../../src/dispatch/contract.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';

const SIDES = 'abcdef ghijkl mnop qrstu vwxyz';

let world: TestApp;
let app: App;
beforeAll(async () => {
  world = await makeTestApp();
  const { lexicon, clock, log } = world.app;
  app = { ...world.app, work: new AnswerWork({ lexicon, clock, log, workers: 0, patience: -1 }) };
});
afterAll(async () => {
  await app.work.close();
  await world.close();
});

const flags = (...typed: string[]) => readArguments('solve', ['limit', 'max-words', 'played'], typed);
const asking = (command: string, options: Record<string, string>) => ({
  ...someone(),
  command,
  options: { sides: SIDES, ...options },
});

test('solve gives as data what it has, and says that the time ran out', async () => {
  const answer = await solveAsData(asking('solve', {}), app, flags());
  const { cut, unproven, fewest } = answer.json() as Record<string, unknown> & {
    unproven: { words: string[] };
  };
  expect(answer.exit).toBe(EXIT.answered);
  expect(fewest).toBeNull();
  expect(cut).toContain('the time ran out');
  expect(new Set(unproven.words.join('')).size).toBe(26);
});

test('solve exits with a status of its own where the time ran out before anything was found', async () => {
  const answer = await solveAsData(asking('solve', {}), app, flags('--max-words', '3'));
  expect(answer.exit).toBe(EXIT.unknown);
});

test('hint count and next say so, too', async () => {
  const counted = await hint(asking('hint', { step: 'count' }), app, flags());
  expect(counted.json()).toMatchObject({ unproven: true, cut: expect.stringContaining('the time ran out') });
  const onwards = await next(asking('next', { words: 'fluvoxamines' }), app, flags('--limit', '2'));
  expect([...onwards.lines()].join('\n')).toContain('the time ran out');
});
