/** What messages of the daily thread say of what comes, and what changes them. When they come is in days.txt. */
import { expect, test } from 'vitest';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { NEW_YORK } from './ground.ts';
import { live, read } from './script.ts';

/** A channel whose day was opened at eight. */
async function opened(more = '') {
  const here = await live(NEW_YORK(20, 7));
  await here.ask(`daily on ${more}`);
  await here.at(NEW_YORK(20, 8));
  return here;
}

test('the message of a day that is over invites nobody, and what follows the thread tells what comes next', async () => {
  const here = await opened('lengths:13:00');
  await here.at(NEW_YORK(20, 12));
  await here.ask('daily count:15:00');
  await here.at(NEW_YORK(20, 13));
  for (const text of [here.opening(), ...here.thread()]) expect(text).not.toContain('20:00 UTC');
  expect(here.thread().at(-1)).toMatch(/The solution at .*01:00 UTC/);
  await here.at(NEW_YORK(21, 8));
  const [yesterday] = here.openings();
  expect(read(yesterday!.reply)).toContain('The day of this board is over.');
  expect(read(yesterday!.reply)).toContain('[Solution]');
  expect(read(yesterday!.reply)).not.toMatch(/On until|Thread:/);
});

test('a thread that is left loses its buttons of the day once the platform answers', async () => {
  const here = await opened();
  // The second day of a pause, in which the thread stays.
  await here.ask('daily pause');
  for (const day of [21, 22]) await here.at(NEW_YORK(day, 9));
  expect(here.opening()).toContain('[Check]');
  const { edit } = here.platform;
  await here.ask('daily off');
  here.platform.edit = () => Promise.reject(new PostFailure('later', 'the platform asks to wait'));
  await here.at(NEW_YORK(22, 10));
  here.platform.edit = edit;
  await here.at(NEW_YORK(22, 11));
  expect(here.opening()).toContain('[Solution]');
  expect(here.thread()).toHaveLength(1);
});

test.each(['daily off', 'daily pause'])('%s silences the hunt’s card', async (line) => {
  const here = await opened('steps:none');
  await here.ask(line);
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 9));
  expect(here.thread()).toEqual([]);
  await here.ask('daily on');
  await here.ask('play bfjm,mcgkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 10));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 2 of 3')]);
});

test('a thread has its hunt’s card though the board was solved before it was opened', async () => {
  const here = await live(NEW_YORK(20, 7));
  await here.ask('daily on steps:none');
  await here.ask('play bfjmcg,gkdhlnbp', 'ann');
  await here.at(NEW_YORK(20, 8));
  await here.at(NEW_YORK(20, 8, 1));
  expect(here.thread()).toEqual([expect.stringContaining('This channel found 1 of 3')]);
});

test('a board that is typed in too late changes nothing', async () => {
  const here = await opened();
  const boards = () => here.store.tenant('web:local').boards.state('general');
  const before = await boards();
  expect(read(await here.ask('set bcd fgh jkn lmp'))).toMatch(/^Too late to change the board/);
  expect(await boards()).toEqual(before);
});

test('a change that moves a step beyond the end of its board says so', async () => {
  const here = await opened('count:off solution:22:00');
  here.clock.time = NEW_YORK(20, 21, 30);
  const answer = read(await here.ask('daily opening:22:30'));
  expect(answer).toContain('The solution will come 19 hours after the board is over: 2026-11-22 03:00 UTC.');
  await here.at(NEW_YORK(20, 22));
  expect(here.thread()).toHaveLength(1);
  // There, every board is over in the afternoon.
  expect(read(await here.ask('daily zone:Tokyo opening:08:00'))).not.toContain('after the board is over');
});
