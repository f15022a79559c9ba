import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { Dispatcher } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { replyOf, unopened } from '../fakes/ask.ts';

const { app, clock, close } = await makeTestApp();
afterAll(close);

let dispatcher: Dispatcher;
beforeEach(() => {
  clock.time += 60_000;
  dispatcher = makeDispatcher(app, { commands: COMMANDS });
});

const isRefused = (line: string) => dispatcher.prepareLine(line, someone()).kind === 'refusal';
/** A button of a list, which turns its page. */
const turnPage = (page: number) =>
  dispatcher.prepare({ ...someone(), command: 'solve', options: { date: '2026-11-20', page } });

describe('somebody who tries the bot out', () => {
  const lines = ['today', ...HINT_STEPS.map((step) => `hint ${step}`), 'check forum', 'reveal'];

  it('is never refused two seconds apart, however long they go on', () => {
    const refused: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (const line of [...lines, 'solve', 'words', 'next forum']) {
        if (isRefused(line)) refused.push(line);
        clock.time += 2_000;
      }
    }
    expect(refused).toEqual([]);
  });

  it('may open every hint at once, after a few other commands', () => {
    expect(['today', 'solve', 'words', ...lines, 'help', 'stats'].filter(isRefused)).toEqual([]);
  });
});

describe('somebody who floods the bot', () => {
  it('gets 20 searches in half a minute, or 40 pages of one', () => {
    const searches = Array.from({ length: 50 }, () => isRefused('solve')).filter((refused) => !refused);
    expect(searches).toHaveLength(20);
    clock.time += 30_000;
    const pages = Array.from({ length: 50 }, (_, page) => turnPage(page + 2).kind === 'answer');
    expect(pages.filter(Boolean)).toHaveLength(40);
  });
});

it('a channel as a whole gets 120 searches in half a minute', async () => {
  const ask = (person: number) => dispatcher.prepareLine('solve', someone({ id: `p${person}` }));
  const asked = Array.from({ length: 150 }, (_, person) => ask(person));
  expect(asked.filter(({ kind }) => kind !== 'refusal')).toHaveLength(120);
  expect(unopened(await replyOf(asked.at(-1)!))).toContain('Too many commands at once in this channel.');
});
