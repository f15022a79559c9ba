import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { Picture } from '../../../src/reply/model/types.ts';
import { altText, drawBoard } from '../../../src/reply/picture/drawing.ts';
import { pathOf } from '../../../src/reply/picture/layout.ts';
import { makePictures, renderPng } from '../../../src/reply/picture/pictures.ts';
import { makeSvg } from '../../../src/reply/picture/svg.ts';
import { makeBoard, parseBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { sample } from '../../fakes/sample.ts';
import { BOARD, boards, paths } from './boards.ts';

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

  test('tells a board to play from the same board that fills its card', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render);
    for (const wide of [false, true, false]) await pictures.png({ board: BOARD, wide });
    expect(drawn).toHaveLength(2);
  });

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

describe('the picture file', () => {
  const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

  test('is a PNG of 800×800 and at most 200 KB, on the busiest boards too', async () => {
    const pictures: Picture[] = [{ board: BOARD }, ...fc.sample(paths, { numRuns: sample(6, 2), seed: 7 })];
    for (const picture of pictures) {
      const png = await renderPng(makeSvg(picture));
      expect(sizeOf(png)).toEqual([800, 800]);
      expect(png.length).toBeLessThanOrEqual(200 * 1024);
    }
  });

  test('of a board to play is lower than it is wide, with the same board in its middle', async () => {
    const board = { board: BOARD };
    const [square, wide] = [makeSvg(board), makeSvg({ ...board, wide: true })];
    expect(sizeOf(await renderPng(wide))).toEqual([1120, 800]);
    const drawn = (svg: string) => /<polygon.*<\/text>/s.exec(svg)![0];
    expect(drawn(wide)).toBe(drawn(square));
    expect(wide).toContain('<g transform="translate(160 0)">');
  });

  test('shows the letters in the bundled font, whatever fonts the machine has', async () => {
    const seen = new Set<string>();
    const letters = sample('abcdefghijklmnopqrstuvwxyz', 'imwy');
    for (const letter of letters) {
      const png = await renderPng(makeSvg({ board: makeBoard([`${letter}`, 'ab', 'cd', 'ef']) }));
      seen.add(png.toString('base64'));
    }
    expect(seen.size).toBe(letters.length);
  });
});

describe('the board in characters', () => {
  test('a box of four sides', () => {
    expect(drawBoard({ board: BOARD, path: pathOf(BOARD, ['forum']) })).toBe(
      [
        '    O   Z   U',
        '  ┌─●───○───●─┐',
        'M ●           ○ N',
        '  │           │',
        'B ○           ● R',
        '  │           │',
        'T ○           ○ I',
        '  └─○───●───○─┘',
        '    L   F   A',
        '',
        '1  FORUM',
      ].join('\n'),
    );
  });

  test('every letter and every spot of any board is there, and letters only when asked for', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const drawing = drawBoard({ board });
        const letters = (drawing.match(/[A-Z]/g) ?? []).sort().join('');
        expect(letters).toBe([...board.letters.toUpperCase()].sort().join(''));
        expect(drawing.match(/○/g)).toHaveLength(board.letters.length);
        expect(drawing).not.toMatch(/ $/m);
        expect(drawBoard({ board, letters: false })).not.toMatch(/[A-Z]/);
      }),
    );
  });
});

describe('alt text', () => {
  test('spells the sides', () => {
    expect(altText(BOARD)).toBe('Letter Boxed board. Top: O Z U; right: N R I; bottom: L F A; left: M B T.');
    expect(altText(parseBoard('ab c d'))).toBe('Letter Boxed board. Side 1: A B; side 2: C; side 3: D.');
  });

  test('never says which words are drawn', () => {
    const path = pathOf(BOARD, ['forum', 'mart']);
    expect(altText(BOARD, { path })).not.toMatch(/forum|mart/i);
    expect(altText(BOARD, { path, letters: false })).toBe(
      'A path across the board with 4 sides, without its letters.',
    );
  });
});
