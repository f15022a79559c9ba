import { describe, expect, test } from 'vitest';
import { factsAbout } from '../../../src/reply/model/facts.ts';
import { pictureOf } from '../../../src/reply/model/named-board.ts';
import { distance, layoutOf, pathOf, routesOf } from '../../../src/reply/picture/layout.ts';
import { captionOf, makeSvg, WORD_LOOKS } from '../../../src/reply/picture/svg.ts';
import { solutionReply } from '../../../src/reply/replies/reveal.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import fc from '../../fakes/fast-check.ts';
import { asker, DAY } from '../look.ts';
import { searchOf } from '../setting.ts';
import { BOARD, paths, roomOutside } from './boards.ts';

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

  test('steps between the same two spots are drawn apart', () => {
    const routes = routesOf(layoutOf(BOARD), {
      words: [
        [0, 3, 0],
        [0, 3, 6],
      ],
    });
    const bends = routes
      .flatMap(({ legs }) => legs)
      .slice(0, 3)
      .map(({ bend }) => bend);
    bends.forEach((bend, index) => {
      bends.slice(index + 1).forEach((other) => {
        expect(distance(bend, other)).toBeGreaterThan(8);
      });
    });
  });

  test('each word has its own number, colour and dashes, up to eight', () => {
    expect(new Set(WORD_LOOKS.map(({ colour }) => colour)).size).toBe(8);
    expect(new Set(WORD_LOOKS.map(({ dashes }) => dashes)).size).toBe(8);
    for (const { colour, onDark } of WORD_LOOKS) {
      expect(contrast(colour, '#ffffff')).toBeGreaterThan(4.5);
      expect(contrast(onDark, '#25262b')).toBeGreaterThan(4.5);
    }
    const svg = makeSvg({ board: BOARD, path: pathOf(BOARD, ['forum', 'mart', 'tan']) });
    for (const word of [1, 2, 3]) expect(svg).toContain(`>${word}</text>`);
  });

  test('others are drawn beside it, on cards of their own', () => {
    const [one, other] = [['forum', 'mart'], ['tan']].map((words) => pathOf(BOARD, words));
    const alone = makeSvg({ board: BOARD, path: one! });
    const both = makeSvg({ board: BOARD, path: one!, beside: [{ board: BOARD, path: other! }] });
    const sizeOf = (svg: string) => /width="(\d+)" height="(\d+)"/.exec(svg)!.slice(1).map(Number);
    expect(sizeOf(both)).toEqual([2 * sizeOf(alone)[0]! + 24, sizeOf(alone)[1]]);
    expect(sizeOf(makeSvg({ board: BOARD, path: one!, letters: false }))).toEqual(sizeOf(both));
    expect(both.match(/>2<\/text>/g)).toHaveLength(1);
    expect(both.match(/>1<\/text>/g)).toHaveLength(2);
  });

  test('a word of one letter so far has no number', () => {
    expect(makeSvg({ board: BOARD, path: { words: [[3]] }, letters: false })).not.toContain('</text>');
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

  test('without letters there is none in the picture', () => {
    const svg = makeSvg({ board: BOARD, path: pathOf(BOARD, ['forum']), letters: false });
    const shown = [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text);
    expect(shown).toEqual(['1']);
    const withLetters = makeSvg({ board: BOARD });
    expect([...withLetters.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text).join('')).toBe(
      'OZUNRILFAMBT',
    );
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
  test('names the words of the path with their numbers, below the board', () => {
    const path = pathOf(BOARD, ['forum', 'mob']);
    const svg = makeSvg({ board: BOARD, path, captioned: true });
    expect(textsIn(svg).slice(-2)).toEqual(['1 FORUM', '2 MOB']);
    expect(textsIn(makeSvg({ board: BOARD, path })).join(' ')).not.toContain('FORUM');
    expect(textsIn(makeSvg({ board: BOARD, path, captioned: true, letters: false }))).toEqual(['1', '2']);
    expect(Number(/ height="(\d+)" viewBox/.exec(svg)?.[1])).toBeGreaterThan(800);
  });

  test('of any words has all of them, in order and within the picture', () => {
    fc.assert(
      fc.property(paths, ({ board, path }) => {
        const picture = { board, path, captioned: true };
        const { words, height, fontSize } = captionOf(picture, path.words.length, 800)!;
        expect(words.map(({ index }) => index)).toEqual(path.words.map((_, index) => index));
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

test('a picture for a dark page has other colours and the same lines', () => {
  const path = pathOf(BOARD, ['forum', 'mob']);
  const [light, dark] = [false, true].map((dark) => makeSvg({ board: BOARD, path, dark }));
  const withoutColours = (svg: string) => svg.replaceAll(/#[0-9a-f]{6}/g, '');
  expect(withoutColours(dark!)).toBe(withoutColours(light!));
  const colours = (svg: string) => new Set(svg.match(/#[0-9a-f]{6}/g));
  expect([...colours(dark!)].filter((colour) => colours(light!).has(colour))).toEqual([]);
});
