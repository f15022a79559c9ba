import { expect, it } from 'vitest';
import { renderReply } from '../../src/chat/discord/render.ts';
import type { AskerRef } from '../../src/reply/model/action.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { pathOf } from '../../src/reply/picture/path.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { WorkRefused } from '../../src/work/job.ts';
import { makeTestApp } from '../fakes/app.ts';

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
