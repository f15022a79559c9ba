import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  mistakeText,
  NO_BREAK_MARK,
  PIPE,
  Progress,
  replyText,
  type Screen,
  screenOf,
  styled,
  widthOf,
  wrap,
} from '../../../src/chat/terminal/screen.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import fc from '../../fakes/fast-check.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

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
    const clock = { time: 0 };
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(performance, 'now').mockImplementation(() => clock.time);
    onTestFinished(() => void vi.restoreAllMocks());
    return { written: () => write.mock.calls.map(([text]) => text), clock, progress: new Progress(screen) };
  };

  test('is shown after half a second, when it has changed, and is taken away', () => {
    const { written, clock, progress } = world(COLORED);
    // Before the search, somebody takes their time to type an answer.
    let made = 0;
    for (clock.time = 60_000; clock.time <= 61_100; clock.time += 10)
      progress.show((seconds) => `${++made && seconds} s`);
    // Once in 200 ms.
    expect(made).toBe(4);
    progress.clear();
    progress.clear();
    expect(written()).toEqual(['\r\u001b[K0 s', '\r\u001b[K1 s', '\r\u001b[K']);
  });

  test('is shown on a terminal only, and never wider', () => {
    const piped = world(PIPE);
    for (piped.clock.time of [0, 5000]) piped.progress.show(() => 'far');
    piped.progress.clear();
    expect(piped.written()).toEqual([]);
    const small = world(narrow(20));
    for (small.clock.time of [0, 5000]) small.progress.show(() => 'x'.repeat(50));
    expect(small.written()).toEqual([`\r\u001b[K${'x'.repeat(19)}`]);
  });
});

describe('a reply', () => {
  const reply: Reply = {
    title: 'A \u001b[31mred\u0007 title\u202e',
    blocks: [
      { kind: 'text', lines: ['Typed: \u200b||x||', ['Try ', { command: 'hint step:count' }]] },
      { kind: 'spoiler', label: 'The first', hidden: ['FORUM'], reveals: undefined, open: true },
      { kind: 'buttons', buttons: [{ label: 'More', action: { command: 'solve', options: { page: 2 } } }] },
    ],
    audience: 'asker',
  };

  test('a reply, with nothing in it that a terminal would obey', () => {
    expect(replyText(reply, { reveal: false })).toBe(
      [
        'A \uFFFD[31mred\uFFFD title\uFFFD',
        'Typed: \uFFFD||x||\nTry npm run -s letterboxed -- hint step:count',
        'The first: (hidden)',
        '→ More: npm run -s letterboxed -- solve page:2',
        'Leave out --spoilers hide to see what is hidden.',
      ].join('\n\n'),
    );
  });

  test('revealed on demand', () => {
    expect(replyText(reply, { reveal: true })).toContain('The first:\n  FORUM');
    expect(replyText(reply, { reveal: true })).not.toContain('--spoilers');
  });

  test('a mistake is one line', () => {
    const blocks: Reply['blocks'] = [
      { kind: 'text', lines: ['No such\u0000 step.'] },
      { kind: 'note', line: ['More: ', { command: 'help' }] },
    ];
    expect(mistakeText({ title: 'Try it another way', blocks, audience: 'asker' })).toBe(
      'No such\uFFFD step.',
    );
    expect(mistakeText({ title: 'One moment, please.', blocks: [], audience: 'asker' })).toBe(
      'One moment, please.',
    );
  });
});

describe('a terminal', () => {
  const BOARD = 'ozu nri lfa mbt';

  // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are made of.
  const SEQUENCES = /\u001b\[\d+m/g;

  /** Answers as text: `vitest run screen --update` writes expected/screen.txt again. */
  let world: TestApp;
  beforeAll(async () => {
    world = await makeTestApp({
      house: (date) => ({ date, source: 'house', board: parseBoard(BOARD), par: 3 }),
    });
    await say(world.app, 'play forum,mobilization', asker());
    for (const step of ['start', 'count']) await say(world.app, `hint ${BOARD} step:${step}`, asker());
  });
  afterAll(() => world.close());

  test('of 80 columns shows these answers, and the same without colour, or with lines that are broken in a pipe', async () => {
    const session: string[] = [];
    for (const line of [
      `solve ${BOARD}`,
      `hint ${BOARD} step:masked shown:start,count`,
      `check forum,mozart,mobilization ${BOARD}`,
      'stats',
    ]) {
      const reply = await say(world.app, line, asker());
      const look = (screen: Screen) => withoutHintNumbers(replyText(reply, { reveal: true, screen }));
      const shown = look(COLORED);
      session.push(`=== ${line}\n\n${shown.replaceAll('\u001b', '␛')}\n`);
      const plain = look({ ...COLORED, hasColor: false });
      expect(plain).toBe(shown.replace(SEQUENCES, ''));
      const words = (text: string) => text.replace(/\s+/g, ' ');
      expect(words(look(PIPE))).toBe(words(plain));
      expect(look(PIPE).split('\n').length).toBeLessThanOrEqual(plain.split('\n').length);
    }
    await expect(session.join('\n')).toMatchFileSnapshot('expected/screen.txt');
  });

  function asker() {
    const where = { tenant: 'terminal:local', channel: 'terminal', direct: true };
    return { ...someone(), door: 'terminal' as const, where };
  }
});
