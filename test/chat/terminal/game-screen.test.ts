/** The parts of the game on the full screen, without a terminal. */
import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { gameScreen, keysOf } from '../../../src/chat/terminal/game-screen.ts';
import { playGame } from '../../../src/chat/terminal/play-game.ts';
import { FullScreen, PIPE, widthOf } from '../../../src/chat/terminal/screen.ts';
import type { App, Options } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { MAX_MOVES, type Move } from '../../../src/play/game.ts';
import { HINT_STEPS } from '../../../src/reply/model/facts.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { drawLines } from '../../../src/reply/picture/drawing.ts';
import { makeBoard, parseBoard } from '../../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import fc from '../../fakes/fast-check.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { TerminalScreen } from '../../fakes/terminal-screen.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

function gameAfter(sides: string, typed: string) {
  const board = parseBoard(sides);
  const moves = Array.from(typed, (letter) => ({ kind: 'letter' as const, letter }));
  const judge = () => {
    throw new Error('no word is entered here');
  };
  const state = playMoves({ board, saved: undefined, input: { moves }, judge });
  return { namedBoard: namedBoardOf(board), state, isElsewhere: false };
}

/** Boards of every shape, each letter once. */
const boards = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 8 })
  .filter((lengths) => lengths.reduce((sum, length) => sum + length, 0) <= 26)
  .filter((lengths) => lengths.reduce((sum, length) => sum + length, 0) >= 4)
  .map((lengths) => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    return makeBoard(lengths.map((length) => letters.splice(0, length).join('')));
  });

describe('a board in lines', () => {
  test('has every spot and letter in a place of its own, whatever its shape', () => {
    fc.assert(
      fc.property(boards, fc.integer({ min: 19, max: 31 }), (board, rows) => {
        const cells = drawLines(board, [], { rows, columns: 2 * rows }).flat();
        expect(cells.filter(({ is }) => is === 'spot')).toHaveLength(board.letters.length);
        expect(cells.filter(({ is }) => is === 'letter')).toHaveLength(board.letters.length);
      }),
      { numRuns: 50 },
    );
  });

  test('draws the word being entered apart from those before', () => {
    const board = parseBoard('ozu nri lfa mbt');
    const kinds = (isLastCurrent: boolean) => {
      const path = [
        [7, 0],
        [0, 4],
      ];
      return new Set(
        drawLines(board, path, { rows: 19, columns: 38, isLastCurrent })
          .flat()
          .map(({ is }) => is),
      );
    };
    expect(kinds(true)).toContain('current');
    expect(kinds(false)).not.toContain('current');
    expect(kinds(false)).toContain('played');
  });
});

describe('the screen of a game', () => {
  const game = gameAfter('ozu nri lfa mbt', 'fo');

  test('is never wider or higher than the terminal, whatever its size', () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 20, max: 200 }),
      rows: fc.integer({ min: 3, max: 80 }),
    });
    fc.assert(
      fc.property(sizes, fc.boolean(), fc.boolean(), (size, isHelpOpen, hasColor) => {
        const lines = gameScreen({ game, isHelpOpen, note: 'long '.repeat(50) }, size, { ...PIPE, hasColor });
        if (size.columns >= 60 && size.rows >= 20) expect(lines.length).toBeLessThanOrEqual(size.rows);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(size.columns);
      }),
      { numRuns: 50 },
    );
  });
});

describe('keys', () => {
  test('are taken apart, with escape sequences as one key each', () => {
    expect(keysOf('fU\u001b[A\u001bOP\u001b[3~\r\n\u007f\u0015\t?é')).toEqual([
      { kind: 'letter', letter: 'f' },
      { kind: 'letter', letter: 'u' },
      ...['other', 'other', 'other', 'enter', 'back', 'clear', 'hint', 'help', 'other'].map((kind) => ({
        kind,
      })),
    ]);
    expect(keysOf('\u001b')).toEqual([{ kind: 'close' }]);
    expect(keysOf('\u0003')).toEqual([{ kind: 'quit' }]);
  });
});

function terminal() {
  const screen = new TerminalScreen(80, 24);
  const modes: boolean[] = [];
  const input = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
    setEncoding() {},
    resume() {},
    pause() {},
  });
  const write = (text: string) => screen.write(text);
  const output = Object.assign(new EventEmitter(), { write, columns: 80, rows: 24 });
  return { screen, modes, input, output, full: new FullScreen(input as never, output as never) };
}

/** Begins a game on the full screen, in this process. */
async function play(options: Options, world: TestApp, app: App = world.app) {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { input, output, screen } = terminal();
  const playing = playGame(
    { ...someone(), command: 'play', options },
    {
      app,
      dispatcher: makeDispatcher(app, { commands: COMMANDS }),
      screen: PIPE,
      input: input as never,
      output: output as never,
    },
  );
  await expect.poll(() => input.listenerCount('data')).toBe(1);
  return {
    screen,
    type: (keys: string) => input.emit('data', keys),
    resize(columns: number, rows: number) {
      for (const one of [screen, output]) Object.assign(one, { columns, rows });
      output.emit('resize');
    },
    /** Leaves the game by a key, or as the terminal is closed. @returns what is printed then */
    async leave(key?: string) {
      input.emit(key === undefined ? 'end' : 'data', key);
      expect(await playing).toBe(0);
      const text = printed.mock.calls.join('\n');
      printed.mockRestore();
      return text;
    },
  };
}

test('a game is played to the end by keys, screen by screen', async () => {
  const world = await makeTestApp();
  const { screen, type, resize, leave } = await play({ sides: 'ozu nri lfa mbt' }, world);
  const seen: string[] = [];
  let before: readonly string[] = [];
  // The rows that have changed, by their numbers; those of the board only once.
  const boards = new Set<string>();
  const press = async (what: string, keys: string, ...texts: string[]) => {
    type(keys);
    for (const text of texts) await expect.poll(() => screen.text).toContain(text);
    const rows = Array.from(withoutHintNumbers(screen.text).split('\n'), (row, at) =>
      `${String(at + 1).padStart(2)}│${row}`.trimEnd(),
    );
    const changed = rows.filter((row) => !before.includes(row) && !boards.has(row));
    seen.push(`=== ${what}\n${changed.join('\n')}\n`);
    for (const row of rows) if (/[⢸⠤]/.test(row)) boards.add(row);
    before = rows;
  };
  await press('A new game', '', 'No words yet', '^C quit');
  await press('Typed letters light up', 'fo', 'FO');
  await press('O and Z are on one side', 'z', 'Z is on the same side.');
  await press('No such letter', 'k', 'K is not on this board.');
  await press('A word that is none', 'f\r', 'FOF is not in the word list');
  await press('Backspace', '\u007f\u007f\u007f', 'No words yet');
  await press('A word', 'forum\r', 'FORUM – M…');
  await press('Asked before the first hint', '\t', 'Press Tab once more for a hint');
  await press('Another key', 'r', 'MR');
  await press('Asked again', '\u007f\t', 'Press Tab once more for a hint');
  await press('A hint', '\t', 'Hint 1 of', 'It takes');
  await press('And a little more', '\t', 'Hint 2 of');
  await press('Help', '?', 'Type letters to make a word.', 'your game is kept');
  await press('Undo of a word, which closes help', '\u007f', 'FORUM', 'Left: O Z U');
  await press('Clear', '\u0015', 'No words yet');
  await press('Solved, with keys that were typed ahead', 'forum\rmobilization\r', 'Solved in 2 words');
  await press('Asked before it starts over', '\u0012', 'Press Ctrl-R once more');
  await press('Started over', '\u0012', 'No words yet');
  await press('Asked also about letters that came at once', 'fo\u0012', 'Press Ctrl-R once more', 'FO');
  await press('Started over again', '\u0012', 'No words yet');
  await press('Half of it', 'forum\r', 'FORUM – M…');
  resize(60, 20);
  await press('On a small screen', '', 'FORUM – M…', '? help  ^C quit');
  await press('Help on a small screen', '?', 'your game is kept');
  await press('Closed', '\u001b', 'FORUM – M…');
  resize(59, 20);
  await press('On too small a screen', '', '60 columns and 20 rows; here are 59');
  seen.push(`=== Left\n${await leave('\u0003')}\n`);
  const again = await play({ sides: 'ozu nri lfa mbt' }, world);
  again.type('\t'.repeat(2 * HINT_STEPS.length));
  await expect.poll(() => again.screen.text).toContain('The solution: ');
  again.type('mobilization\r\t');
  await expect.poll(() => again.screen.text).toContain('Solved in 2 words');
  seen.push(`=== Left after the end\n${await again.leave('\u0003')}\n`);
  const unsolvable = await play({ sides: 'qx zj vk w' }, world);
  unsolvable.type('\t\t');
  await expect.poll(() => unsolvable.screen.text).toContain('so there is no hint');
  await unsolvable.leave();
  await expect(seen.join('\n')).toMatchFileSnapshot('expected/game.txt');
  await world.close();
});

test('a long text that is pasted is played in jobs of as many moves as the browser’s board may send', async () => {
  const world = await makeTestApp({ words: WORDS, house });
  const asked: number[] = [];
  const { run } = world.app.work;
  const work = {
    run: (...given: Parameters<typeof run>) => {
      const [job, { input: made }] = given as unknown as [string, { input?: { moves: readonly Move[] } }];
      if (job === 'play' && made !== undefined) asked.push(made.moves.length);
      return run.apply(world.app.work, given);
    },
  };
  const { type, leave } = await play({}, world, { ...world.app, work } as never);
  type('b'.repeat(MAX_MOVES + 20));
  await expect.poll(() => asked.slice(-2)).toEqual([MAX_MOVES, 20]);
  await leave();
  await world.close();
});

describe('the full screen', () => {
  test('is given back after an error, and nothing listens any more', async () => {
    const { screen, modes, input, output, full } = terminal();
    const listening = process.listenerCount('exit') + process.listenerCount('SIGTERM');
    const crash = full.run(async () => {
      expect(screen).toMatchObject({ isFull: true, isCursorShown: false });
      throw new Error('a fault in the game');
    });
    await expect(crash).rejects.toThrow('a fault in the game');
    expect(screen).toMatchObject({ isFull: false, isCursorShown: true });
    expect(modes).toEqual([true, false]);
    expect([...input.eventNames(), ...output.eventNames()]).toEqual([]);
    expect(process.listenerCount('exit') + process.listenerCount('SIGTERM')).toBe(listening);
  });

  test('is given back when the process exits in the middle of a game', async () => {
    const { screen, modes, input, full } = terminal();
    const exits = process.listeners('exit');
    const playing = full.run(() => full.next());
    for (const listener of process.listeners('exit'))
      if (!exits.includes(listener)) listener.call(process, 1);
    expect(screen).toMatchObject({ isFull: false, isCursorShown: true });
    expect(modes).toEqual([true, false]);
    // Nothing was typed: what waits ends with the process.
    input.emit('data', '');
    expect(await Promise.race([playing, Promise.resolve('still waiting')])).toBe('still waiting');
  });

  test('tells what was typed, the size, and that nothing more can be typed', async () => {
    const { screen, input, output, full } = terminal();
    await full.run(async () => {
      input.emit('data', 'fo');
      input.emit('data', 'r');
      expect(await full.next()).toBe('for');
      Object.assign(output, { columns: 100, rows: 30 });
      output.emit('resize');
      expect(await full.next()).toBe('');
      expect(full.size).toEqual({ columns: 100, rows: 30 });
      full.draw(['one', 'two']);
      full.draw(['three']);
      expect(screen.text).toBe('three');
      input.emit('end');
      expect(await full.next()).toBeUndefined();
    });
  });
});
