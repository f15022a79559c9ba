import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { renderReply } from '../../src/chat/discord/render.ts';
import type { Dispatcher } from '../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import type { AskerRef } from '../../src/reply/model/action.ts';
import { HINT_STEPS } from '../../src/reply/model/facts.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { pathOf } from '../../src/reply/picture/path.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { WorkRefused } from '../../src/work/job.ts';
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

  it('gets no more searches by typing pages, each of which may be of another board', () => {
    const typed = Array.from({ length: 50 }, (_, page) => isRefused(`solve page:${page + 2}`));
    expect(typed.filter((refused) => !refused)).toHaveLength(20);
  });
});

it('a channel as a whole gets 120 searches in half a minute', async () => {
  const ask = (person: number) => dispatcher.prepareLine('solve', someone({ id: `p${person}` }));
  const asked = Array.from({ length: 150 }, (_, person) => ask(person));
  expect(asked.filter(({ kind }) => kind !== 'refusal')).toHaveLength(120);
  expect(unopened(await replyOf(asked.at(-1)!))).toContain('Too many commands at once in this channel.');
});

const BOARD = parseBoard('ozu nri lfa mbt');

function askerOf(person: string): AskerRef {
  return { who: { id: person }, where: { tenant: 'discord:1', channel: `of ${person}` } };
}

it('somebody who asks for many pictures has ten wait at most, and others wait for one of them', async () => {
  const { app, close } = await makeTestApp({ workers: 1 });
  const drawn: string[] = [];
  const draw = (person: string) =>
    app.work.draw({ board: BOARD }, askerOf(person)).then(
      () => drawn.push(person),
      (error: unknown) => error,
    );
  const hostile = Array.from({ length: 14 }, () => draw('hostile'));
  const ordinary = draw('ordinary');
  await ordinary;
  expect(drawn.length).toBeLessThanOrEqual(3);
  const refused = (await Promise.all(hostile)).filter((one) => one instanceof WorkRefused);
  // On a busy machine, some of those that wait are refused later on, because the queue is slow.
  expect(refused.map(({ code }) => code).filter((code) => code !== 'work.queue')).toEqual(
    Array(4).fill('work.person'),
  );
  await close();
});

it('an answer for which no picture can be drawn shows the board in characters, and nothing that was hidden', async () => {
  const reply: Reply = {
    title: 'Today’s board',
    blocks: [
      { kind: 'picture', picture: { board: BOARD }, alt: 'The board' },
      {
        kind: 'picture',
        picture: { board: BOARD, path: pathOf(BOARD, ['forum']) },
        alt: 'Hidden',
        spoiler: true,
      },
    ],
    audience: 'asker',
  };
  const pictures = { png: () => Promise.reject(new WorkRefused('person', 1_000)) };
  const pack = async () => '';
  const { body, files } = await renderReply(reply, { pack, pictures }, { asker: askerOf('anybody') });
  expect(files).toEqual([]);
  const shown = JSON.stringify(body);
  for (const letter of BOARD.letters) expect(shown).toContain(letter.toUpperCase());
  expect(shown).not.toContain('FORUM');
  // What the bot posts by itself is tried again later instead.
  await expect(renderReply(reply, { pack, pictures })).rejects.toThrow(WorkRefused);
});
