/** The game as a person plays it: keys into a real terminal, and what is on the screen after them. */

import { afterEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../fakes/folder.ts';
import { PseudoTerminal, type PseudoTerminalOptions } from '../../fakes/pseudo-terminal.ts';
import { sample } from '../../fakes/sample.ts';
import { withoutHintNumbers } from '../../reply/look.ts';
import { run } from './run.ts';

const folder = makeFolder();
const SETTINGS = { DATA_DIR: folder, PUZZLE_SOURCE: 'house' };
const BIN = `"${process.execPath}" bin/letterboxed.js`;
/** What a shell needs to find its terminal as it was. */
const AFTER = 'echo "exit $?"; stty -a | grep -o -- "-\\?icanon\\|-\\?echo\\b" | xargs echo left with';
const UNHARMED = 'left with icanon echo';

let terminal: PseudoTerminal;
function open(command: string, { settings, ...size }: PseudoTerminalOptions = {}): PseudoTerminal {
  terminal = new PseudoTerminal(`${command}; ${AFTER}`, { ...size, settings: { ...SETTINGS, ...settings } });
  return terminal;
}
afterEach(() => terminal.kill());

describe('a game on the full screen', () => {
  test('is played to the end by keys, screen by screen', async () => {
    const { screen } = open(`${BIN} play ozu nri lfa mbt`);
    const seen: string[] = [];
    let before: readonly string[] = [];
    // The rows that have changed, by their numbers; those of the board only once.
    const boards = new Set<string>();
    const press = async (what: string, keys: string, ...texts: string[]) => {
      if (keys !== '') terminal.type(keys);
      await terminal.until(...texts);
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
    expect(screen.isCursorShown).toBe(false);
    expect(screen.styles).toContain('33');
    terminal.type('\u0003');
    await terminal.until(UNHARMED);
    expect(screen).toMatchObject({ isFull: false, isCursorShown: true });
    expect(screen.lines).toMatch(
      /FORUM[\s\S]*Your game is kept\. Go on with: \S.* play sides:ozu-nri-lfa-mbt[\s\S]*exit 0\n/,
    );
    await expect(seen.join('\n')).toMatchFileSnapshot('expected/game.txt');
  });

  test('goes on where it was left, fits the window, needs no colour, and ends with a signal', async () => {
    open(`sh -c 'echo pid $$; exec ${BIN} play ozu nri lfa mbt'`, { settings: { NO_COLOR: '1' } });
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

test('a crash gives the terminal back before it says what happened', async () => {
  const crash = "process.on('SIGUSR2', () => { throw new Error('made up by a test'); })";
  const { screen } = open(`sh -c 'echo pid $$; exec ${BIN} play ozu nri lfa mbt'`, {
    settings: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` },
  });
  await terminal.until('^C quit');
  process.kill(Number(/pid (\d+)/.exec(screen.lines)![1]), 'SIGUSR2');
  await terminal.until(UNHARMED);
  expect(screen).toMatchObject({ isFull: false, isCursorShown: true });
  expect(screen.lines).toMatch(/Error: made up by a test[\s\S]*exit 1\n/);
});

describe('a terminal', () => {
  test('is asked for the sides, and what it shows last is the answer', async () => {
    const { screen } = open(`${BIN} solve`);
    await terminal.until('Side 1 (Enter when done): ');
    terminal.type('ozu\rnri\rlfa\rmbt\r\r');
    await terminal.until(UNHARMED);
    const answer = screen.lines.slice(screen.lines.lastIndexOf('(Enter when done)'));
    expect(answer).toMatch(/OZU NRI LFA MBT[\s\S]*\n {2}FORUM – MOBILIZATION[\s\S]*exit 0\n/);
    expect(screen.styles).toContain('1');
    for (const line of answer.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('is needed to play without words, and one whose cursor can be moved', async () => {
    const { screen } = open(`${BIN} play`, { settings: { TERM: 'dumb' } });
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
