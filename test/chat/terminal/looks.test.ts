/** What people see in the terminal, as text: `vitest run looks --update` writes the files in expected/ again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PIPE, replyText, type Screen } from '../../../src/chat/terminal/screen.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { withoutHintNumbers } from '../../reply/look.ts';

const BOARD = 'ozu nri lfa mbt';

const LOOKS: Readonly<Record<string, Screen>> = {
  'on a terminal of 80 columns': { columns: 80, hasColor: true, isTerminal: true },
  'without colour': { columns: 80, hasColor: false, isTerminal: true },
  'in a pipe': PIPE,
};

let world: TestApp;
beforeAll(async () => {
  world = await makeTestApp({
    house: (date) => ({ date, source: 'house', board: parseBoard(BOARD), par: 3 }),
  });
  await say(world.app, 'play forum,mobilization', asker());
});
afterAll(() => world.close());

test.each([
  ['solve', `solve ${BOARD}`],
  ['hint', `hint ${BOARD} step:masked shown:start,count`],
  ['check', `check forum,mozart,mobilization ${BOARD}`],
  ['stats', 'stats'],
])('%s, in colour, without and in a pipe', async (name, line) => {
  const reply = await say(world.app, line, asker());
  const looks = Object.entries(LOOKS).map(([look, screen]) => {
    const text = replyText(reply, { reveal: true, screen }).replaceAll('\u001b', '␛');
    return `=== ${line}, ${look}\n\n${text}\n`;
  });
  await expect(withoutHintNumbers(looks.join('\n'))).toMatchFileSnapshot(`expected/${name}.txt`);
});

function asker() {
  const where = { tenant: 'terminal:local', channel: 'terminal', direct: true };
  return { ...someone(), door: 'terminal' as const, where };
}
