/** Nothing that the terminal prints before a board is solved gives away what its hints would be charged for. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../fakes/folder.ts';
import { PseudoTerminal } from '../../fakes/pseudo-terminal.ts';
import { chargedIn, SIDES, WORDS } from '../../fakes/small-board.ts';
import { run } from './run.ts';

const folder = makeFolder();
const WORDS_FILE = join(folder, 'words.txt');
writeFileSync(WORDS_FILE, WORDS.map(({ word }) => word).join('\n'));
const SETTINGS = { DATA_DIR: join(folder, 'data'), PUZZLE_SOURCE: 'off', WORDS_FILE };

const LINES = [
  ...['today', 'thread', 'stats', 'leaderboard', 'board', 'play', 'share', 'hunt', 'hunt hint:word'],
  ...['review', 'review bfj', 'check bfj', 'play bfj'],
];

test('as text or data, on the full screen, and with flags before the command', async () => {
  const letterboxed = (line: string) => run(line.split(' '), { settings: SETTINGS });
  // Again and again: at 3 AM in New York another day begins, which has no board yet.
  const setBoard = () => letterboxed(`set ${SIDES}`);
  for (const line of LINES) {
    await setBoard();
    for (const typed of [line, `--json ${line}`]) {
      const { out, err } = await letterboxed(typed);
      expect(out + err, typed).not.toBe('');
      expect({ typed, charged: chargedIn(out + err, ['bfj']) }).toEqual({ typed, charged: [] });
    }
  }
  await setBoard();
  const played = new PseudoTerminal(`"${process.execPath}" bin/letterboxed.js play`, { settings: SETTINGS });
  await played.until('^C quit');
  played.type('bfj\r');
  await played.until('BFJ is not in the word list.');
  const shown = played.screen.text;
  played.type('\u0003');
  await played.ended();
  expect(chargedIn(shown + played.screen.lines, ['bfj'])).toEqual([]);
  // So that it would be seen.
  await setBoard();
  const { out } = await letterboxed('hint first');
  expect(chargedIn(out)).not.toEqual([]);
});
