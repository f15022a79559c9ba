/** Boards that people make, where every-door/shared.test.ts does not make one: in the terminal, and after a kill. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { deliverDue } from '../fakes/deliver-due.ts';
import { OTHER_SIDES } from '../fakes/small-board.ts';
import { world } from '../fakes/world.ts';
import { run } from './terminal/run.ts';

const THREADS = 'POST /channels/:channel/messages/:message/threads';

test('a process that is killed between the post and the thread doubles neither', async () => {
  const made = await world({ doors: ['discord'] });
  const place = made.places[0]!;
  const { discord, channel, door } = made.discord!;
  const make = async () => (await place.ask('ada', `board make sides:"${OTHER_SIDES}" name:"Tea time"`)).text;
  const posted = () => discord.world.messagesOf(channel.id);
  const threads = () => [...discord.world.channels.values()].filter((one) => one.parent_id === channel.id);
  discord.fault({ on: THREADS, what: { status: 500 }, times: 20 });
  expect(await make()).toContain('I couldn’t open a thread');
  expect(posted()).toHaveLength(1);
  expect(threads()).toEqual([]);
  discord.clearFaults();
  made.clock.time += 3 * MINUTE;
  const deliver = () => deliverDue(made.app, door.poster);
  await Promise.all([deliver(), deliver()]);
  expect(posted()).toHaveLength(1);
  expect(threads()).toMatchObject([{ id: posted()[0]!.id, name: 'Tea time' }]);
  expect(await make()).toContain('already: Tea time');
  await made.close();
});

test('in the terminal the board is the answer, and stays in the list', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-board-'));
  const settings = { DATA_DIR: folder };
  const made = await run(['board', 'make', 'ozu', 'nri', 'lfa', 'mbt', 'name:Tea time'], { settings });
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(/^Challenge: Tea time\n.*Par: 5 words\nDifficulty: medium/s);
  expect((await run(['boards'], { settings })).out).toContain(
    'Tea time by @terminal: OZU NRI LFA MBT · par 5',
  );
  expect((await run(['board', 'remove', 'tea time', 'sure'], { settings })).out).toContain(
    'Tea time is removed',
  );
  rmSync(folder, { recursive: true, force: true });
});
