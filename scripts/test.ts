/**
 * `npm test`: types, lint and all tests. `npm test -- ROOM`, to run while working: the tests whose paths name that room, such
 * as `solver` or `discord`, without those that start processes or a browser. A path, such as `test/daily`, runs all in it.
 */
import { spawnSync } from 'node:child_process';

const asked = process.argv.slice(2);
const isRoom = asked.some((one) => !one.startsWith('test/') && !one.startsWith('-'));
const commands = [
  ...(asked.length === 0 ? [['check.ts']] : []),
  ['../node_modules/vitest/vitest.mjs', 'run', ...asked],
];
for (const [program = '', ...typed] of commands) {
  const env = { ...process.env, ...(isRoom && { QUICK: '1' }) };
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${program}`, ...typed], {
    env,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
  if (status !== 0) break;
}
