import { expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { LIMITS } from '../../src/config/limits.ts';
import { MINUTE } from '../../src/core/clock.ts';
import type { AskerRef } from '../../src/reply/model/action.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { WorkRefused } from '../../src/work/job.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { makeTestPoster } from '../fakes/poster.ts';
import { house, WORDS } from '../fakes/small-board.ts';

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

it('nobody posts more messages in a day with one command than the limits allow', async () => {
  const poster = makeTestPoster();
  const { app, clock, close } = await makeTestApp({ words: WORDS, house, posterOf: () => poster });
  const most = Math.max(LIMITS.relaysPerPerson, LIMITS.racesPerPerson, LIMITS.boardsPerPerson);
  for (const { name, examples } of COMMANDS) {
    const before = poster.messages.length;
    for (const line of examples) {
      for (let times = 0; times <= most; times++) {
        clock.time += MINUTE;
        await say(app, line, someone({ id: name }));
      }
    }
    const posted = poster.messages.length - before;
    expect(posted, `${name}: see refuseTooMany`).toBeLessThanOrEqual(most);
  }
  expect(poster.messages.length).toBeGreaterThan(0);
  await close();
});
