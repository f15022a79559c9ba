import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pictureOf } from '../../../src/reply/model/subject.ts';
import { captionOf } from '../../../src/reply/picture/caption.ts';
import { pathOf } from '../../../src/reply/picture/path.ts';
import { makeSvg } from '../../../src/reply/picture/svg.ts';
import { solutionReply } from '../../../src/reply/replies/solution.ts';
import { asker, DAY } from '../look.ts';
import { searchOf } from '../setting.ts';
import { BOARD, paths } from './boards.ts';

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
    const hidden = pictureOf(BOARD, { words: ['forum'], spoiler: true });
    expect(open.kind === 'picture' && open.picture.captioned).toBeUndefined();
    expect(hidden).toMatchObject({ spoiler: true, picture: { captioned: true } });
    expect(hidden.kind === 'picture' && hidden.alt).not.toMatch(/forum/i);
  });

  test('names the solution that is listed first', () => {
    const request = { subject: DAY, search: searchOf(), certain: true, audience: asker };
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
