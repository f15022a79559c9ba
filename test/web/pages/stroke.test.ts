import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { generate } from '../../../src/solver/generate.ts';
import { findPlayable } from '../../../src/solver/playable.ts';
import { readStroke } from '../../../src/web/board/stroke.js';
import { boardView } from '../../../src/web/board/view.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { sample } from '../../fakes/sample.ts';
import { drawOver, type Hand, type Sample, someHand } from './hand.ts';

/** Widths of pages, and of the box on them. */
const WIDTHS = { 320: 304, 390: 374, 768: 480, 1280: 480 } as const;
const STEADY: Hand = { speed: 500, aim: 0, bow: 0, overshoot: 0, pauses: 0, pause: 0, tremble: 0, rounding: 0, overlap: 0, isEven: true, rate: 60 }; // biome-ignore format: one line reads better

function drawing(sides: string, box: number) {
  const view = boardView(parseBoard(sides));
  const spots = view.sides.flatMap((side) => side.spots);
  const scale = box / view.size;
  const placeOf = (name: string, part: 'at' | 'dot' = 'dot') => {
    const { x, y } = spots.find(({ letter }) => letter === name)![part];
    return { x: x * scale, y: y * scale };
  };
  return {
    placeOf,
    /** The letters of a stroke in pixels. */
    read(samples: readonly Sample[], { isOver = true, open = ~0, joined = 0 } = {}) {
      const scaled = samples.map(({ x, y, time }) => ({ x: x / scale, y: y / scale, time }));
      const { letters, near } = readStroke(
        scaled,
        { targets: spots, gap: view.gap, open, joined },
        { isOver },
      );
      return { word: letters.map((spot) => spots[spot]!.letter).join(''), near: spots[near]?.letter };
    },
  };
}

describe('words as they are drawn', () => {
  const lexicon = readLexicon();
  const boards = Array.from({ length: 12 }, (_, seed) => {
    const { board } = generate(lexicon, { seed: `drawn:${seed}` });
    const words = findPlayable(board, lexicon).filter(({ tier }) => tier === 'everyday');
    return { sides: board.sides.join(' '), words: words.map(({ word }) => word) };
  });
  const ways = (['finger', 'mouse'] as const).flatMap((device) =>
    (['at', 'dot'] as const).flatMap((part) =>
      ([320, 390, 768, 1280] as const).map((width) => [device, part, width] as const),
    ),
  );

  it.each(ways)('by %s over each letter’s “%s”, on a page of %i pixels', (device, part, width) => {
    const random = new Random(`${process.env.HAND_SEED ?? 'hand'}:${device}:${part}:${width}`);
    const share = () => random.next() / 2 ** 32;
    const wrong: string[] = [];
    const words = sample(1000, 40);
    for (let count = 0; count < words; count++) {
      const board = boards[random.below(boards.length)]!;
      const word = board.words[random.below(board.words.length)]!;
      const { placeOf, read } = drawing(board.sides, WIDTHS[width]);
      const places = Array.from(word, (letter) => placeOf(letter, part));
      const drawn = read(drawOver(places, someHand(device, share), share)).word;
      if (drawn !== word) wrong.push(`${word} became ${drawn}`);
    }
    const right = (100 * (words - wrong.length)) / words;
    if (words > 100) console.log(`${device} ${part} ${width}: ${right} % right. ${wrong.join(', ')}`);
    expect(right, wrong.join(', ')).toBeGreaterThanOrEqual(97);
  });
});

/** What it does, the board, the box's width, its word, which letters may follow and which it goes on from, and its samples. */
const MISREAD = readFileSync(new URL('misread-strokes.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

describe('a stroke that was misread once', () => {
  it.each(MISREAD.map((line) => line.split('\t')))('%s', (...line) => {
    const [, sides = '', box, word, open, joined, points = ''] = line;
    const samples = points.split(' ').map((point): Sample => {
      const [x, y, time] = point.split(',').map(Number) as [number, number, number];
      return { x, y, time };
    });
    const options = open === '' ? {} : { open: Number(open), joined: Number(joined) };
    expect(drawing(sides, Number(box)).read(samples, options).word).toBe(word);
  });
});

describe('a stroke', () => {
  const { placeOf, read } = drawing('bcd fgh jkl mnp', 364);
  const half = () => 0.5;
  const over = (letters: string, hand: Partial<Hand> = {}) =>
    drawOver(
      Array.from(letters, (letter) => placeOf(letter)),
      { ...STEADY, ...hand },
      half,
    );
  /** Goes on where a stroke has ended, after a while. */
  const then = (samples: readonly Sample[], after: number, more: readonly Sample[]) => {
    const end = samples.at(-1)!;
    return [...samples, ...more.map((one) => ({ ...one, time: end.time + after + one.time }))];
  };

  it('takes a letter where it turns, and the one where it ends only when it is over', () => {
    expect(read(over('bjf')).word).toBe('bjf');
    expect(read(over('bjf'), { isOver: false }).word).toBe('bj');
  });

  it('takes none that it passes', () => {
    // From letter to letter, a finger comes within some pixels of C, of D and of G.
    const places = ['b', 'h'].map((letter) => placeOf(letter, 'at'));
    expect(read(drawOver(places, STEADY, half)).word).toBe('bh');
    const steep = ['d', 'h'].map((letter) => placeOf(letter, 'at'));
    expect(read(drawOver(steep, STEADY, half)).word).toBe('dh');
  });

  it('takes the letter where it rests', () => {
    const rested = then(over('bj'), 300, over('j'));
    expect(read(rested, { isOver: false }).word).toBe('bj');
  });

  it('goes there and back again for a word like DAD', () => {
    expect(read(over('bjb')).word).toBe('bjb');
    expect(read(over('bjbk')).word).toBe('bjbk');
  });

  it('takes a letter back when it goes back over the last leg after a while, and all before it then', () => {
    expect(read(then(over('bjf'), 900, over('fj'))).word).toBe('bj');
    expect(read(then(over('bjf'), 900, over('fjg'))).word).toBe('bjg');
    expect(read(then(over('bjf'), 900, over('fjb'))).word).toBe('b');
  });

  it('takes no letter back where a slow hand waits on every letter', () => {
    const waited = then(then(over('bj'), 1000, over('jf')), 1000, over('fj'));
    expect(read(waited).word).toBe('bjfj');
  });

  it('takes no letter back when it ends on the way back', () => {
    const [b, j] = [placeOf('b'), placeOf('j')];
    const back = { x: j.x + (b.x - j.x) * 0.4, y: j.y + (b.y - j.y) * 0.4 };
    expect(read(drawOver([b, j, back], STEADY, half)).word).toBe('bj');
  });

  it('takes a letter back at once when it goes back only a part of the way, and on to another one', () => {
    const [j, f] = [placeOf('j'), placeOf('f')];
    const middle = { x: (j.x + f.x) / 2, y: (j.y + f.y) / 2 };
    const places = [placeOf('b'), j, f, middle, placeOf('d')];
    expect(read(drawOver(places, STEADY, half)).word).toBe('bjd');
  });

  it('begins on the letter that the word ends on, or on one that may come next', () => {
    const [b, j] = [1, 1 << 6];
    expect(read(over('bj'), { open: ~0b111, joined: b }).word).toBe('j');
    expect(read(over('jf'), { open: ~0b111, joined: b }).word).toBe('jf');
    expect(read(over('j'), { open: ~0b111, joined: j }).word).toBe('');
  });

  it('says which letter its end is near, whether that may follow or not', () => {
    expect(read(over('bc'), { isOver: false })).toEqual({ word: 'b', near: 'c' });
    const away = drawOver([placeOf('b'), { x: 182, y: 182 }], STEADY, half);
    expect(read(away)).toEqual({ word: 'b', near: undefined });
  });

  it('is read however rarely or often the browser tells of it, and whatever the time is', () => {
    const rare = Array.from('bjfmcg', (letter, time) => ({ ...placeOf(letter), time }));
    expect(read(rare).word).toBe('bjfmcg');
    expect(read(over('bjfmcg', { rate: 1000 })).word).toBe('bjfmcg');
    expect(read(over('bjfmcg').map((one) => ({ ...one, time: 0 }))).word).toBe('bjfmcg');
  });

  it('is nothing where there are no letters', () => {
    expect(read([])).toEqual({ word: '', near: undefined });
    expect(read([{ x: 182, y: 182, time: 0 }])).toEqual({ word: '', near: undefined });
  });
});
