import { describe, expect, test } from 'vitest';
import {
  NO_BREAK_MARK,
  PIPE,
  Progress,
  type Screen,
  screenOf,
  styled,
  widthOf,
  wrap,
} from '../../../src/chat/terminal/screen.ts';
import fc from '../../fakes/fast-check.ts';

const COLORED: Screen = { columns: 80, hasColor: true, isTerminal: true };
const narrow = (columns: number): Screen => ({ columns, hasColor: false, isTerminal: true });

describe('a line', () => {
  test('is broken between words only, and is no wider than the screen unless one word is', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '–', '●'), minLength: 1, maxLength: 12 });
    const line = fc.tuple(fc.nat(6), fc.array(word, { minLength: 1, maxLength: 20 }));
    fc.assert(
      fc.property(line, fc.integer({ min: 20, max: 60 }), ([indent, words], columns) => {
        const text = ' '.repeat(indent) + words.join(' ');
        const wrapped = wrap(text, narrow(columns));
        expect(wrapped.split(/\s+/).filter((one) => one !== '')).toEqual(words);
        for (const one of wrapped.split('\n')) expect(widthOf(one)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('goes on below its beginning, in a list too', () => {
    expect(wrap('  name   what it is for', narrow(16))).toBe('  name   what it\n         is for');
    expect(wrap('→ More: solve page:2', narrow(10))).toBe('→ More:\n  solve\n  page:2');
  });

  test('keeps a command whole where there is room for it', () => {
    const command = `solve${NO_BREAK_MARK}page:2`;
    expect(wrap(`→ Show me more: ${command}`, narrow(20))).toBe('→ Show me more:\n  solve page:2');
    expect(wrap(`→ More: ${command}`, narrow(10))).toBe('→ More:\n  solve\n  page:2');
  });

  test('is as wide as its letters, whatever their style', () => {
    const bold = styled('bold', 'forum', COLORED);
    expect(widthOf(bold)).toBe(5);
    expect(wrap(`${bold} ${bold}`, { ...COLORED, columns: 11 })).toBe(`${bold} ${bold}`);
    expect(widthOf('🟦🟦')).toBe(4);
  });

  test('is not wrapped in a pipe', () => {
    expect(wrap('word '.repeat(100), PIPE)).toBe('word '.repeat(100));
  });
});

describe('a screen', () => {
  const terminal = (columns: number) => ({
    isTTY: true,
    columns,
    getColorDepth: (environment: object = {}) => ('NO_COLOR' in environment ? 1 : 8),
  });
  const pipe = { ...terminal(0), isTTY: false };

  test.each([
    ['a terminal', terminal(120), {}, { columns: 120, hasColor: true, isTerminal: true }],
    ['a terminal of unknown width', terminal(0), {}, { columns: 80, hasColor: true, isTerminal: true }],
    ['NO_COLOR', terminal(80), { NO_COLOR: '1' }, { columns: 80, hasColor: false, isTerminal: true }],
    ['a pipe', pipe, {}, { hasColor: false, isTerminal: false }],
    ['FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, { hasColor: true, isTerminal: false }],
    ['both', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, { hasColor: false, isTerminal: false }],
    ['FORCE_COLOR=0', pipe, { FORCE_COLOR: '0' }, { hasColor: false, isTerminal: false }],
  ])('of %s', (_, stream, environment, expected) => {
    expect(screenOf(stream as never, environment)).toEqual(expected);
  });
});

describe('progress', () => {
  const world = (screen: Screen) => {
    const written: string[] = [];
    const clock = { time: 0 };
    const progress = new Progress(
      screen,
      (text) => written.push(text),
      () => clock.time,
    );
    return { written, clock, progress };
  };

  test('is shown after half a second, when it has changed, and is taken away', () => {
    const { written, clock, progress } = world(COLORED);
    // Before the search, somebody takes their time to type an answer.
    for (clock.time = 60_000; clock.time <= 61_100; clock.time += 10)
      progress.show((seconds) => `${seconds} s`);
    progress.clear();
    progress.clear();
    expect(written).toEqual(['\r\u001b[K0 s', '\r\u001b[K1 s', '\r\u001b[K']);
  });

  test('is shown on a terminal only, and never wider', () => {
    const piped = world(PIPE);
    for (piped.clock.time of [0, 5000]) piped.progress.show(() => 'far');
    piped.progress.clear();
    expect(piped.written).toEqual([]);
    const small = world(narrow(20));
    for (small.clock.time of [0, 5000]) small.progress.show(() => 'x'.repeat(50));
    expect(small.written).toEqual([`\r\u001b[K${'x'.repeat(19)}`]);
  });
});
