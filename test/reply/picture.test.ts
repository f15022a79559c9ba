import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { factsAbout } from '../../src/reply/model/facts.ts';
import { pictureOf } from '../../src/reply/model/named-board.ts';
import type { Picture } from '../../src/reply/model/types.ts';
import { altText, drawBoard } from '../../src/reply/picture/drawing.ts';
import { distance, type Layout, layoutOf, type Point, routesOf } from '../../src/reply/picture/layout.ts';
import { pathOf, pathOfEntries } from '../../src/reply/picture/path.ts';
import { makePictures, renderPng } from '../../src/reply/picture/pictures.ts';
import { captionOf, makeSvg, WORD_LOOKS } from '../../src/reply/picture/svg.ts';
import { solutionReply } from '../../src/reply/replies/reveal.ts';
import { LIMITS, MAX_SPOTS_WITH_REPEATS, makeBoard, parseBoard } from '../../src/solver/board.ts';
import fc from '../fakes/fast-check.ts';
import { smallPng } from '../fakes/pictures.ts';
import { sample } from '../fakes/sample.ts';
import { spellings } from '../solver/brute.ts';
import { randomCase } from '../solver/random-boards.ts';
import { asker, DAY } from './look.ts';
import { searchOf } from './setting.ts';

export const BOARD = parseBoard('ozu nri lfa mbt');

/** Any board that is allowed, with any letters; large boards have each letter once. */
export const boards = fc
  .array(fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 12 }), {
    minLength: LIMITS.sides.least,
    maxLength: LIMITS.sides.most,
  })
  .filter(
    (sides) => sides.join('').length >= LIMITS.spots.least && sides.join('').length <= LIMITS.spots.most,
  )
  .map((sides) => makeBoard(sides.join('').length > MAX_SPOTS_WITH_REPEATS ? distinct(sides) : sides));

function distinct(sides: readonly string[]): string[] {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  return sides.map(({ length }) => alphabet.splice(0, length).join(''));
}

/** A board and a path of one to five words over it. */
export const paths = fc
  .tuple(boards, fc.array(fc.array(fc.nat(), { minLength: 3, maxLength: 9 }), { minLength: 1, maxLength: 5 }))
  .map(([board, choices]): Required<Pick<Picture, 'board' | 'path'>> => {
    let spot = 0;
    const words = choices.map((steps) => {
      const word = [spot];
      for (const step of steps) {
        const open = [...board.sideOf.keys()].filter((other) => board.sideOf[other] !== board.sideOf[spot]);
        spot = open[step % open.length]!;
        word.push(spot);
      }
      return word;
    });
    return { board, path: words };
  });

/** How far a point lies outside the box; below 0 inside. */
export function roomOutside({ corners }: Layout, point: Point): number {
  return Math.max(
    ...corners.map((from, index) => {
      const to = corners[(index + 1) % corners.length]!;
      const cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
      return -cross / distance(from, to);
    }),
  );
}

describe('the layout of a board', () => {
  test('nothing is clipped and no letters touch each other or the box, on any board', () => {
    fc.assert(
      fc.property(boards, (board) => {
        const layout = layoutOf(board);
        const half = layout.letterSize / 2;
        for (const { x, y } of layout.letters) {
          expect(Math.min(x, y) - half).toBeGreaterThan(20);
          expect(Math.max(x, y) + half).toBeLessThan(layout.size - 20);
        }
        layout.letters.forEach((letter, index) => {
          const nearest = Math.min(
            ...layout.letters.slice(index + 1).map((other) => distance(letter, other)),
          );
          expect(nearest).toBeGreaterThan(layout.letterSize * 0.95);
          const nearestSpot = Math.min(...layout.spots.map((spot) => distance(letter, spot)));
          expect(nearestSpot).toBeGreaterThan(layout.letterSize / 2 + layout.spotRadius + 4);
          expect(roomOutside(layout, letter)).toBeGreaterThan(layout.letterSize * 0.5);
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe('words as paths', () => {
  test('a word is the spots of its letters', () => {
    expect(pathOf(BOARD, ['fun', 'NIT'])).toEqual([[7, 2, 3]]);
    expect(pathOf(BOARD, ['fun', 'NOT'])).toEqual([
      [7, 2, 3],
      [3, 0, 11],
    ]);
    expect(pathOf(BOARD, [])).toEqual([]);
  });

  test('ends before the first word that cannot be played', () => {
    expect(pathOf(BOARD, ['forum', 'nit'])).toHaveLength(1);
    expect(pathOf(BOARD, ['xyz'])).toEqual([]);
  });

  test('is one of the ways to spell the words, and of these the one that touches the most spots', () => {
    for (let seed = 0; seed < 150; seed++) {
      const { board, entries } = randomCase(seed);
      for (const { word } of entries.slice(0, 6)) {
        const ways = spellings(board.sides, word);
        const found = pathOf(board, [word]);
        if (ways.length === 0) expect(found).toEqual([]);
        else {
          expect(ways).toContainEqual(found[0]);
          expect(new Set(found[0]).size).toBe(Math.max(...ways.map((way) => new Set(way).size)));
        }
      }
    }
  });

  test('words that follow start on the very spot where the one before ended, where letters repeat', () => {
    const board = makeBoard(['aab', 'bca', 'cdd']);
    const words = pathOf(board, ['abacad', 'dabcdc']);
    expect(words).toHaveLength(2);
    expect(words[1]![0]).toBe(words[0]!.at(-1));
    expect(new Set(words.flat()).size).toBe(board.letters.length);
  });
});

test('words that were entered go over the spots that were tapped, if no other way touches more', () => {
  const board = makeBoard(['abc', 'dea', 'fgh']);
  expect(pathOfEntries(board, ['Afd'])).toEqual([[0, 6, 3]]);
  expect(pathOfEntries(board, ['fFc'])).toEqual([[6, 5, 2]]);
  expect(new Set(pathOfEntries(board, ['AfA']).flat()).size).toBe(3);
});

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
      pictures.png({ board: parseBoard('OZU-NRI-LFA-MBT'), moving: true }),
    ]);
    expect(one).toBe(two);
    await pictures.png({ board: BOARD });
    expect(drawn).toHaveLength(1);
    await pictures.png({ board: BOARD, path: pathOf(BOARD, ['forum']) });
    await pictures.png({ board: BOARD, path: pathOf(BOARD, ['mob']) });
    expect(drawn).toHaveLength(3);
  });

  test('finishes more simultaneous drawings than it caches', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(render);
    const asked = Array.from({ length: 60 }, (_, spot) =>
      pictures.png({ board: BOARD, path: [[spot % 8, spot >> 3]] }),
    );
    const files = await Promise.all(asked);
    expect(files.map(String)).toEqual(drawn);
  });

  test('refused to one person is drawn for those who asked at the same time', async () => {
    const { drawn, render } = counting();
    const pictures = makePictures(async (picture, asker) => {
      await setImmediate();
      if (asker?.who.id === 'greedy') throw new UserError('work.queue', 'There is too much to draw.');
      return render(picture);
    });
    const greedy = { who: { id: 'greedy' }, where: { tenant: 'discord:1', channel: 'c' } };
    const asked = [greedy, undefined, undefined].map((asker) => pictures.png({ board: BOARD }, asker));
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

  test('of a solved board has its rank and points above it, and the week below', async () => {
    const path = pathOf(BOARD, ['forum']);
    const week = [{ name: 'Friday', is: 'begun' }, { name: 'Saturday', is: 'solved' }] as const; // biome-ignore format: one line reads better
    const shown = { board: BOARD, path };
    const ending = { title: 'Legend', points: 100, week };
    const [plain, solved, brief] = [
      shown,
      { ...shown, ending },
      { ...shown, ending: { title: 'You did it' } },
    ];
    const sizes = await Promise.all(
      [plain, solved, brief].map(async (one) => sizeOf(await renderPng(makeSvg(one)))),
    );
    expect(sizes).toEqual([[800, 800], [800, 996], [800, 912]]); // biome-ignore format: one line reads better
    expect(altText(BOARD, solved)).toMatch(
      /^Legend, 100 of 100 points\. Letter Boxed board.* Solved in the last seven days: Saturday\.$/,
    );
  });

  test('shows the letters in the bundled font, whatever fonts the machine has', async () => {
    const seen = new Set<string>();
    const letters = sample('abcdefghijklmnopqrstuvwxyz', 'imwy');
    for (const letter of letters) {
      const png = await smallPng(letter, 'ab', 'cd', 'ef');
      seen.add(png.toString('base64'));
    }
    expect(seen.size).toBe(letters.length);
  });
});

test('all that pictures consist of is where it was', async () => {
  const path = pathOf(BOARD, ['forum', 'mob', 'bat', 'tan']);
  const week = (['none', 'begun', 'solved'] as const).map((is, nth) => ({ name: 'MTW'[nth]!, is }));
  const shown: Readonly<Record<string, Picture>> = {
    'a board to play, of which two letters are unsure': { board: BOARD, wide: true, unsure: [0, 7] },
    'a path with its words': { board: BOARD, path, captioned: true, dark: true },
    'a path that is drawn again and again': { board: BOARD, path: path.slice(0, 2), moving: true },
    'two paths without letters': {
      board: makeBoard(['ab', 'cd', 'ef']),
      path: [[0, 2, 0]],
      letters: false,
      beside: [{ board: makeBoard(['a', 'b', 'c', 'd', 'e']), path: [[0, 4, 0, 4]] }],
    },
    'an ending': { board: BOARD, path: path.slice(0, 1), ending: { title: 'Legend', points: 70, week } },
    'an ending without points': {
      board: BOARD,
      ending: { title: 'You did it'.repeat(3), week: week.slice(1) },
    },
  };
  const drawn = Object.entries(shown).map(
    ([name, picture]) =>
      `=== ${name}\n${makeSvg(picture).replaceAll('><', '>\n<')}\n\n${drawBoard(picture)}\n`,
  );
  await expect(drawn.join('\n')).toMatchFileSnapshot('picture/expected.txt');
});

describe('the board in characters', () => {
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
    expect(altText(BOARD, { path: [] })).toBe(altText(BOARD));
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

describe('a path over the board', () => {
  test('lines and numbers stay inside the box, and so off the letters', () => {
    fc.assert(
      fc.property(paths, ({ board, path }) => {
        const layout = layoutOf(board);
        for (const { legs, badge } of routesOf(layout, path)) {
          expect(roomOutside(layout, badge)).toBeLessThan(0.01);
          for (const { bend } of legs) expect(roomOutside(layout, bend)).toBeLessThan(0.01);
        }
      }),
    );
  });

  test('each word has its own colour and dashes, up to eight', () => {
    expect(new Set(WORD_LOOKS.map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(WORD_LOOKS.map(({ dashes }) => dashes)).size).toBe(8);
    for (const { colour, onDark } of WORD_LOOKS) {
      expect(contrast(colour, '#ffffff')).toBeGreaterThan(4.5);
      expect(contrast(onDark, '#25262b')).toBeGreaterThan(4.5);
    }
  });

  test('of very many steps the first words are drawn', () => {
    const sides = makeBoard(['aeist', 'aeist', 'aeist']);
    const word = 'seateateateateateateateateateateateateas';
    const numbers = (words: readonly string[]) =>
      [...makeSvg({ board: sides, path: pathOf(sides, words), letters: false }).matchAll(/>(\d+)<\/text>/g)]
        .length;
    expect(numbers(Array.from({ length: 48 }, () => word))).toBe(4);
    expect(numbers(['seats', 'seats', 'seats', 'seats', 'seats', 'seats'])).toBe(6);
  });
});

function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const textsIn = (svg: string) => [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text!);

describe('the caption of a picture', () => {
  test('of any words has all of them, in order and within the picture', () => {
    fc.assert(
      fc.property(paths, ({ board, path }) => {
        const picture = { board, path, captioned: true };
        const { words, height, fontSize } = captionOf(picture, path.length, 800)!;
        expect(words.map(({ index }) => index)).toEqual(path.map((_, index) => index));
        for (const { text, x, y } of words) {
          const half = (text.length * fontSize * 0.74) / 2;
          expect(x - half).toBeGreaterThanOrEqual(40);
          expect(x + half).toBeLessThanOrEqual(760);
          expect(y + fontSize / 2).toBeLessThanOrEqual(height);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('is only in pictures that are hidden, and in no text that is read before', () => {
    const open = pictureOf(BOARD, { words: ['forum'] });
    const hidden = pictureOf(BOARD, { words: ['forum'], spoiler: factsAbout({ board: BOARD }, 'solution') });
    expect(open.kind === 'picture' && open.picture.captioned).toBeUndefined();
    expect(hidden).toMatchObject({ spoiler: true, picture: { captioned: true } });
    expect(hidden.kind === 'picture' && hidden.alt).not.toMatch(/forum/i);
  });

  test('names the solution that is listed first', () => {
    const request = { namedBoard: DAY, search: searchOf(), isListExact: true, audience: asker };
    const official = { words: ['bfjm', 'mcgkdhlnbp'], source: 'house' } as const;
    for (const reply of [solutionReply(request), solutionReply({ ...request, official })]) {
      const [first] = reply.blocks.flatMap((block) => (block.kind === 'spoiler' ? [block.hidden[0]] : []));
      const [svg] = reply.blocks.flatMap((block) =>
        block.kind === 'picture' ? [makeSvg(block.picture)] : [],
      );
      const named = textsIn(svg!)
        .filter((text) => /^\d \w/.test(text))
        .map((text) => text.slice(2));
      expect(JSON.stringify(first)).toContain(named.join(' – '));
    }
  });
});
