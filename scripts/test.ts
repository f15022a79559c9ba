/**
 * `npm test`: types, lint and all tests, on a PostgreSQL of their own if it is installed. `npm test -- ROOM`, to run while working: the tests whose paths have that room as a
 * word, such as `solver` or `discord`, without those that start processes or a browser. A path, such as `test/daily`, runs
 * all in it.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const asked = process.argv.slice(2);
const isRoom = (one: string) => /^[\w-]+$/.test(one) && !one.startsWith('-');
const tests = globSync('test/**/*.test.ts');
/** Like vitest, it takes a name that is no room as part of a path. */
const filesOf = (room: string) => {
  const found = tests.filter((file) => new RegExp(`[/-]${room}[/.-]`).test(file));
  return found.length > 0 ? found : [room];
};
const isWhole = asked.length === 0;
const POSTGRES = `${import.meta.dirname}/test-postgres.sh`;
/** An empty TEST_DATABASE_URL keeps the tests from starting one. */
const startsPostgres =
  isWhole &&
  process.env.TEST_DATABASE_URL === undefined &&
  spawnSync(POSTGRES, ['check'], { stdio: 'ignore' }).status === 0;
const commands = [
  ...(isWhole ? [[process.execPath, `${import.meta.dirname}/check.ts`]] : []),
  [
    ...(startsPostgres ? [POSTGRES, 'run'] : []),
    process.execPath,
    `${import.meta.dirname}/../node_modules/vitest/vitest.mjs`,
    'run',
    ...asked.flatMap((one) => (isRoom(one) ? filesOf(one) : [one])),
  ],
];
for (const [program = '', ...typed] of commands) {
  const env = { ...process.env, ...(asked.some(isRoom) && { QUICK: '1' }) };
  const { status } = spawnSync(program, typed, { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status !== 0) break;
}
