import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { Picture } from '../../../src/reply/model/types.ts';
import { pathOf } from '../../../src/reply/picture/layout.ts';
import { makePictures } from '../../../src/reply/picture/pictures.ts';
import { makeSvg } from '../../../src/reply/picture/svg.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { BOARD } from './boards.ts';

describe('pictures', () => {
  function counting(fail = () => false) {
    const drawn: string[] = [];
    const render = async (picture: Picture) => {
      const svg = makeSvg(picture);
      drawn.push(svg);
      if (fail()) throw new Error('no memory');
      return Buffer.from(svg);
    };
    return { drawn, render };
  }

  test('draws a picture once, also for simultaneous requests', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render);
    const [one, two] = await Promise.all([
      pictures.png({ board: BOARD }),
      pictures.png({ board: parseBoard('OZU-NRI-LFA-MBT'), letters: true }),
    ]);
    expect(one).toBe(two);
    await pictures.png({ board: BOARD });
    expect(drawn).toHaveLength(1);
    await pictures.png({ board: BOARD, letters: false });
    await pictures.png({ board: BOARD, path: pathOf(BOARD, ['forum']) });
    expect(drawn).toHaveLength(3);
    await pictures.png({ board: BOARD, dark: true });
    await pictures.png({ board: BOARD, path: pathOf(BOARD, ['forum']), captioned: true });
    expect(drawn).toHaveLength(5);
  });

  test('draws a state of a game once for all who come to it, and keeps the others', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render, 1);
    await pictures.png({ board: BOARD });
    const states = ['f', 'fo', 'for', 'fo'].map((word) => ({
      board: BOARD,
      path: pathOf(BOARD, [word]),
      passing: true,
    }));
    for (const state of states) await pictures.png(state);
    await pictures.png({ board: BOARD });
    expect(drawn).toHaveLength(4);
  });

  test('caches a limited number, those used last', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render, 2);
    const [a, b, c] = ['a bc de', 'f gh ij', 'k lm no'].map((sides) => ({ board: parseBoard(sides) }));
    for (const picture of [a, b, a, c, a]) await pictures.png(picture!);
    expect(drawn).toHaveLength(3);
    await pictures.png(b!);
    expect(drawn).toHaveLength(4);
  });

  test('finishes more simultaneous drawings than it caches', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render, 2);
    const boards = ['a bc de', 'f gh ij', 'k lm no', 'p qr st'].map((sides) => parseBoard(sides));
    const files = await Promise.all(boards.map((board) => pictures.png({ board })));
    expect(files.map(String)).toEqual(drawn);
  });

  test('refused to one person is drawn for those who asked at the same time', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(async (picture, asker) => {
      await setImmediate();
      if (asker?.person === 'greedy') throw new UserError('work.queue', 'There is too much to draw.');
      return render(picture);
    });
    const channel = { tenant: 'discord:1', channel: 'c' };
    const asked = [{ door: 'discord' as const, person: 'greedy', channel }, undefined, undefined].map(
      (asker) => pictures.png({ board: BOARD }, asker),
    );
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(drawn).toHaveLength(1);
  });

  test('draws a picture again after a failure', async () => {
    let failing = true;
    const { drawn, render } = counting(() => failing);
    const pictures = makePictures(render);
    await expect(pictures.png({ board: BOARD })).rejects.toThrow('no memory');
    failing = false;
    await expect(pictures.png({ board: BOARD })).resolves.toBeInstanceOf(Buffer);
    expect(drawn).toHaveLength(2);
  });
});
