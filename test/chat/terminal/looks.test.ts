/** What people see in the terminal, as text: `vitest run looks --update` writes the files in expected/ again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PIPE, replyText, type Screen } from '../../../src/chat/terminal/screen.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

const BOARD = 'ozu nri lfa mbt';

const TERMINAL: Screen = { columns: 80, hasColor: true, isTerminal: true };
// biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are made of.
const SEQUENCES = /\u001b\[\d+m/g;

let world: TestApp;
beforeAll(async () => {
  world = await makeTestApp({
    house: (date) => ({ date, source: 'house', board: parseBoard(BOARD), par: 3 }),
  });
  await say(world.app, 'play forum,mobilization', asker());
  for (const step of ['start', 'count']) await say(world.app, `hint ${BOARD} step:${step}`, asker());
});
afterAll(() => world.close());

test.each([
  ['solve', `solve ${BOARD}`],
  ['hint', `hint ${BOARD} step:masked shown:start,count`],
  ['check', `check forum,mozart,mobilization ${BOARD}`],
  ['stats', 'stats'],
])(
  '%s on a terminal of 80 columns, and the same without colour, or lines that are broken in a pipe',
  async (name, line) => {
    const reply = await say(world.app, line, asker());
    const look = (screen: Screen) => withoutHintNumbers(replyText(reply, { reveal: true, screen }));
    const shown = look(TERMINAL);
    await expect(`=== ${line}\n\n${shown.replaceAll('\u001b', '␛')}\n`).toMatchFileSnapshot(
      `expected/${name}.txt`,
    );
    const plain = look({ ...TERMINAL, hasColor: false });
    expect(plain).toBe(shown.replace(SEQUENCES, ''));
    const words = (text: string) => text.replace(/\s+/g, ' ');
    expect(words(look(PIPE))).toBe(words(plain));
    expect(look(PIPE).split('\n').length).toBeLessThanOrEqual(plain.split('\n').length);
  },
);

function asker() {
  const where = { tenant: 'terminal:local', channel: 'terminal', direct: true };
  return { ...someone(), door: 'terminal' as const, where };
}
