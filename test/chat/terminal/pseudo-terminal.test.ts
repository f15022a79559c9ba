/** The game as a person plays it: keys into a real terminal, and what is on the screen after them. */

import { afterEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../fakes/folder.ts';
import { PseudoTerminal } from '../../fakes/pseudo-terminal.ts';
import { sample } from '../../fakes/sample.ts';
import { run } from './run.ts';

const folder = makeFolder();
const SETTINGS = { DATA_DIR: folder, PUZZLE_SOURCE: 'house' };
const BIN = `"${process.execPath}" bin/letterboxed.js`;
/** What a shell needs to find its terminal as it was. */
const AFTER = 'echo "exit $?"; stty -a | grep -o -- "-\\?icanon\\|-\\?echo\\b" | xargs echo left with';
const UNHARMED = 'left with icanon echo';

let terminal: PseudoTerminal;
function open(command: string, settings = {}): PseudoTerminal {
  terminal = new PseudoTerminal(`${command}; ${AFTER}`, { settings: { ...SETTINGS, ...settings } });
  return terminal;
}
afterEach(() => terminal.kill());

describe('a game on the full screen', () => {
  test('goes on where it was left, fits the window, needs no colour, and ends with a signal', async () => {
    const { screen } = open(`${BIN} play ozu nri lfa mbt`);
    await terminal.until('^C quit');
    terminal.type('forum\r');
    await terminal.until('FORUM – M…');
    expect(screen.isCursorShown).toBe(false);
    expect(screen.styles).toContain('33');
    terminal.type('\u0003');
    await terminal.until(UNHARMED);
    expect(screen).toMatchObject({ isFull: false, isCursorShown: true });
    expect(screen.lines).toContain('exit 0\n');
    open(`sh -c 'echo pid $$; exec ${BIN} play ozu nri lfa mbt'`, { NO_COLOR: '1' });
    await terminal.until('FORUM – M…');
    expect(terminal.screen.text).toContain('M ◉');
    terminal.resize(70, 19);
    await terminal.until('The game needs 60 columns and 20 rows; here are 70 and 19.');
    terminal.resize(100, 40);
    await terminal.until('FORUM – M…', '^C quit');
    expect(terminal.screen.styles).toEqual(new Set());
    const pid = Number(/pid (\d+)/.exec(terminal.screen.lines)![1]);
    process.kill(pid, 'SIGTERM');
    await terminal.until(UNHARMED);
    expect(terminal.screen).toMatchObject({ isFull: false, isCursorShown: true });
    expect(terminal.screen.lines).toContain('exit 143\n');
  });
});

describe('a terminal', () => {
  test('is needed to play without words, and one whose cursor can be moved', async () => {
    const { screen } = open(`${BIN} play`, { TERM: 'dumb' });
    await terminal.until(UNHARMED);
    expect(screen.lines).toMatch(/To play the board, run this in a terminal[\s\S]*exit 2\n/);
    const settings = { ...SETTINGS, FORCE_COLOR: '1' };
    for (const typed of sample([['play'], ['play', 'ozu nri lfa mbt']], [['play', 'ozu nri lfa mbt']])) {
      const { code, out, err } = await run(typed, { settings });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toBe(
        'To play the board, run this in a terminal. Here you can enter a solution, like: npm run -s letterboxed -- play forum,mozart\n',
      );
    }
  });
});
