/** What the terminal answers when the time runs out: a limit of 0 ms, so that no machine is fast enough. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../../src/dispatch/contract.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import type { TerminalFlags } from '../../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';

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
