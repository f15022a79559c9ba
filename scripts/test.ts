/**
 * `npm test`: types, lint and all tests, on a PostgreSQL of their own if it is installed. `npm test -- ROOM`, to run while
 * working: the tests whose paths have that room as a word, such as `solver` or `discord`, without those that start processes
 * or a browser. A path, such as `test/daily`, runs all in it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const asked = process.argv.slice(2);
const isRoom = (one: string) => /^[\w-]+$/.test(one) && !one.startsWith('-');
const files = globSync('test/**/*.test.ts');
/** Like vitest, it takes a name that is no room as part of a path. */
const filesOf = (room: string) => {
  const found = files.filter((file) => new RegExp(`[/-]${room}[/.-]`).test(file));
  return found.length > 0 ? found : [room];
};
const isWhole = asked.length === 0;
const POSTGRES = `${import.meta.dirname}/test-postgres.sh`;
/** Compiled code (`test/worker.ts`). Node.js adds about a thousand files in a run, and deletes none. */
const COMPILED = `${import.meta.dirname}/../node_modules/.cache/letterboxed-tests`;
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
  ...asked.flatMap((one) => (isRoom(one) ? filesOf(one) : [one])),
];
if (isWhole && existsSync(COMPILED) && readdirSync(COMPILED, { recursive: true }).length > MAX_COMPILED_FILES)
  rmSync(COMPILED, { recursive: true });
const env = { ...process.env, ...(asked.some(isRoom) && { QUICK: '1' }) };
const checking = isWhole ? check() : undefined;
const tests = spawn(program, typed, { env, stdio: 'inherit' });
const [status] = await once(tests, 'close');
process.exitCode = status ?? 1;
const found = await checking;
if (found !== undefined) {
  console.error(`${found}\n     npm run check failed, see above`);
  process.exitCode = 1;
}

/** Beside the tests, in the time in which those wait for processes. What it says if it fails; that is the last that is printed. */
async function check(): Promise<string | undefined> {
  const child = spawn(process.execPath, [`${import.meta.dirname}/check.ts`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data));
  const [status] = await once(child, 'close');
  return status === 0 ? undefined : said;
}
