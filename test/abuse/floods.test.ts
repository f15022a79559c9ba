import { expect, it } from 'vitest';
import type { AskerRef } from '../../src/reply/model/action.ts';
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
