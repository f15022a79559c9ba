/**
 * `npm test`: types, lint and all tests, on a PostgreSQL of their own if it is installed. `npm test -- ROOM`, to run while
 * working: the tests whose paths have that room as a word, such as `solver` or `discord`, without those that start processes
 * or a browser. A path, such as `test/daily`, runs all in it.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';

const asked = process.argv.slice(2);
const isRoom = (one: string) => /^\w[\w-]*$/.test(one);
const files = globSync('test/**/*.test.ts');
/** Like vitest, it takes a name that is no room as part of a path. */
const filters = asked.flatMap((one) => {
  const inRoom = files.filter((file) => isRoom(one) && new RegExp(`[/-]${one}[/.-]`).test(file));
  return inRoom.length > 0 ? inRoom : [one];
});
const isWhole = asked.length === 0;
const POSTGRES = `${import.meta.dirname}/test-postgres.sh`;
/** Compiled code (`test/worker.ts`), which outlives `npm ci`. Node.js adds about a thousand files in a run, and deletes none. */
const COMPILED = `${import.meta.dirname}/../.cache/compiled`;
const MAX_COMPILED_FILES = 20_000;
/** An empty TEST_DATABASE_URL keeps the tests from starting one. */
const startsPostgres =
  isWhole &&
  process.env.TEST_DATABASE_URL === undefined &&
  spawnSync(POSTGRES, ['check'], { stdio: 'ignore' }).status === 0;
const [program = '', ...typed] = [
  ...(startsPostgres ? [POSTGRES, 'run'] : []),
  process.execPath,
  `${import.meta.dirname}/../node_modules/vitest/vitest.mjs`,
  'run',
  ...filters,
];
if (isWhole && existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > MAX_COMPILED_FILES)
  rmSync(COMPILED, { recursive: true });
const env = { ...process.env, ...(asked.some(isRoom) && { QUICK: '1' }) };
const checking = isWhole ? check() : undefined;
const [status] = await once(spawn(program, typed, { env, stdio: 'inherit' }), 'close');
process.exitCode = status ?? 1;
const problems = await checking;
if (problems !== undefined) {
  console.error(`${problems}\n     npm run check failed, see above`);
  process.exitCode = 1;
}

/** Runs beside the tests, in the time in which those wait for processes. @returns what it printed, if it failed */
async function check(): Promise<string | undefined> {
  // The compiler is a Go program: without collecting its garbage, it takes a third less time, and a tenth more memory.
  const env = { ...process.env, GOGC: 'off' };
  const run = promisify(execFile)(process.execPath, ['--run', 'check'], { env, maxBuffer: 2 ** 26 });
  setPriority(run.child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
  return run.then(
    () => undefined,
    ({ stdout, stderr }) => stdout + stderr,
  );
}
