import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { actionOfSeen } from '../../src/dispatch/seen-board.ts';
import type { Action, Block, Reply } from '../../src/reply/model/types.ts';
import { renderPng } from '../../src/reply/picture/pictures.ts';
import type { SeenBoard } from '../../src/vision/board-from-pixels.ts';
import { afterFile } from '../fakes/after-file.ts';
import { makeTestApp, NOON, someone, TODAY } from '../fakes/app.ts';
import { formOf, opened, press, replyOf } from '../fakes/ask.ts';
import { DAY_THREAD, sendStep } from '../fakes/day-thread.ts';
import { smallPng } from '../fakes/pictures.ts';

const { app, close } = await makeTestApp();
afterFile(close);
const asker = someone();
const { board: today } = await app.puzzles.puzzleOf(TODAY, asker.where);

/** Sides as they are seen in a picture; a letter followed by a question mark may be another one. */
function seen(...sides: readonly string[]): SeenBoard {
  return {
    sides: sides.map((side) =>
      Array.from(side.matchAll(/([a-z])(\??)/g), ([, letter, mark]) => ({
        letter: letter!,
        certainty: mark === '?' ? 0.2 : 0.9,
      })),
    ),
  };
}

const EMPTY = await renderPng(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>',
);
const send = (bytes: Uint8Array) =>
  replyOf(makeDispatcher(app, { commands: COMMANDS }).preparePicture(async () => bytes, asker));

function buttonsOf({ blocks }: Reply): Record<string, Action> {
  const buttons = blocks.flatMap((block: Block) => (block.kind === 'buttons' ? block.buttons : []));
  return Object.fromEntries(buttons.map(({ label, action }) => [label, action]));
}

describe('a picture of a board', () => {
  it('is solved if all of its letters are sure', async () => {
    const reply = await send(await smallPng('ozu', 'nri', 'lfa', 'mbt'));
    expect(reply).toMatchObject({ title: 'Solutions: OZU NRI LFA MBT', audience: 'asker' });
    expect(opened(reply)).toContain('FORUM – MOBILIZATION');
  });

  it('is shown first, with a question mark at each letter that may be another one', async () => {
    const action = await actionOfSeen(seen('oz?u', 'nri', 'lfa', 'mbt?'), asker.where, app.puzzles);
    const reply = await press(app, action);
    expect(opened(reply)).toContain('I’m not sure of 2 letters, with a question mark: OZ?U NRI LFA MBT?.');
    expect(opened(reply)).not.toContain('FORUM');
    expect(reply.blocks[0]).toMatchObject({ kind: 'picture', picture: { unsure: [1, 11] } });
    const { Right: right, 'Change letters': change } = buttonsOf(reply);
    expect((await press(app, right!)).title).toBe('Solutions: OZU NRI LFA MBT');
    const form = formOf(makeDispatcher(app, { commands: COMMANDS }).prepare({ ...asker, ...change! }));
    expect(form.fields).toMatchObject([{ name: 'sides', value: 'ozu-nri-lfa-mbt' }]);
    const { command, options } = form.action;
    const changed = await press(app, { command, options: { ...options, sides: 'osu nri lfa mbt' } });
    expect(changed.title).toBe('Solutions: OSU NRI LFA MBT');
    expect(Object.values(buttonsOf(changed)).flatMap((next) => Object.keys(next.options))).not.toContain(
      'seen',
    );
  });

  it('opens the form in the thread of a made board, too', () => {
    const where = { ...asker.where, thread: 'some thread' };
    const prepared = makeDispatcher(app, { commands: COMMANDS }).prepare({
      ...asker,
      where,
      command: 'solve',
      options: { seen: 'ozu-nri-lfa-mbt' },
    });
    expect(prepared).toMatchObject({ kind: 'form' });
    expect('instead' in prepared).toBe(false);
  });

  it('is the board of the day if ten letters are on the same sides, in any order of the sides', async () => {
    const [top, right, bottom, left] = today.sides as [string, string, string, string];
    const other = 'qxzjvkw'.split('').filter((letter) => !today.letters.includes(letter));
    const misread = [`${other[0]}${left.slice(1)}`, `${other[1]}?${top.slice(1)}`, right, bottom];
    const day = { command: 'solve', options: { date: TODAY } };
    expect(await actionOfSeen(seen(...misread), asker.where, app.puzzles)).toEqual(day);
    const third = [misread[0]!, misread[1]!, `${other[2]}?${right.slice(1)}`, bottom];
    expect(await actionOfSeen(seen(...third), asker.where, app.puzzles)).toMatchObject({
      options: { sides: expect.any(String), unsure: '3,6' },
    });
    const larger = today.sides.map((side, index) => side + other[index % other.length]);
    expect(await actionOfSeen(seen(...larger), asker.where, app.puzzles)).not.toEqual(day);
    // It counts as that board.
    const reply = await send(await smallPng(left, top, right, bottom));
    expect(reply.reveals?.[0] ?? reply.blocks.find((block) => 'reveals' in block)).toBeDefined();
    expect(reply.title).toBe('Solutions: Friday, November 20, 2026');
  });

  it('is solved by its sides if it is the board of the day in another channel alone', async () => {
    const there = { tenant: asker.where.tenant, channel: 'there' };
    const manager = someone({ mayManage: true }, there);
    await replyOf(makeDispatcher(app, { commands: COMMANDS }).prepareLine('set tub pxi snq oja', manager));
    const puzzle = await app.puzzles.puzzleOf(TODAY, there);
    await sendStep(app.store, { ...there, date: TODAY, step: 'opening' }, NOON, { ...DAY_THREAD, puzzle });
    const picture = seen('tub', 'pxi', 'snq', 'oja');
    const inChannel = async (where: ChannelRef) => (await actionOfSeen(picture, where, app.puzzles)).options;
    expect(await inChannel(there)).toEqual({ date: TODAY });
    expect(await inChannel(asker.where)).toEqual({ sides: 'tub-pxi-snq-oja' });
  });

  it.each([
    ['a text', Buffer.from('ozu nri lfa mbt'), 'I can’t read that file'],
    ['a picture of something else', EMPTY, 'I see no board in that picture'],
  ])('is refused in a sentence if it is %s', async (_, bytes, sentence) => {
    const reply = await send(bytes);
    expect(opened(reply)).toContain(sentence);
    expect(reply.audience).toBe('asker');
  });

  it('is loaded with seven others at most, of which two are of one person', async () => {
    // Each picture is read in a worker of its own, which takes a tenth of a second.
    const see = vi.spyOn(app.work, 'see').mockResolvedValue(seen('ozu', 'nri', 'lfa', 'mbt'));
    onTestFinished(() => see.mockRestore());
    const { preparePicture } = makeDispatcher(app, { commands: COMMANDS });
    const { promise: loading, resolve } = Promise.withResolvers<Buffer>();
    let loads = 0;
    const ask = (id: string) =>
      replyOf(
        preparePicture(
          () => {
            loads++;
            return loading;
          },
          someone({ id }, { channel: id }),
        ),
      );
    const people = ['ann', 'ann', 'ann', ...Array.from({ length: 7 }, (_, at) => `other ${at}`)];
    const asked = people.map(ask);
    const texts = () => Promise.all(asked.map(async (reply) => opened((await reply)!)));
    await expect.poll(() => loads).toBe(8);
    resolve(EMPTY);
    const busy = (await texts()).map((text) => text.includes('I’m reading other pictures'));
    expect(busy).toEqual([false, false, true, false, false, false, false, false, false, true]);
    expect(opened((await ask('ann'))!)).toContain('Solutions: OZU NRI LFA MBT');
  });

  it('counts in the rate limit as typing its board does', async () => {
    const see = vi.spyOn(app.work, 'see').mockResolvedValue(seen('ozu', 'nri', 'lfa', 'mbt'));
    onTestFinished(() => see.mockRestore());
    const { prepareLine, preparePicture } = makeDispatcher(app, { commands: COMMANDS });
    const picture = () => preparePicture(async () => EMPTY, someone({ id: 'ann' }));
    for (const prepare of [picture, () => prepareLine('solve ozu nri lfa mbt', someone({ id: 'ben' }))]) {
      const titles: string[] = [];
      for (let times = 0; times < 21; times++) titles.push((await replyOf(prepare())).title);
      expect(titles.lastIndexOf('Solutions: OZU NRI LFA MBT')).toBe(19);
    }
  });
});
