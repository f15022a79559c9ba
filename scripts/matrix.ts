/**
 * `.ci/run matrix`: the tests on machines that differ in one thing each, such as another Node, no browser or the last seconds of
 * a year, and a line of counts for each of them. `.ci/run matrix clock` runs those whose names have that word. It needs
 * Debian's chromium, faketime and xvfb, and root for the cell of another user.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

interface Cell {
  readonly name: string;
  /** What these tests need of the machine, set for vitest alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** When its tests begin. */
  readonly at?: string;
  /** Only the tests in these paths; may end with options. */
  readonly paths?: readonly string[];
  readonly node?: () => string;
  readonly folder?: () => string;
  /** A command in front of vitest, such as one that changes the user. */
  readonly before?: readonly string[];
}

const [FAKETIME = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
/** Tests that read the clock of the system, themselves or by a program that they start. */
const TIMED = [
  ...['test/accidents', 'test/chat/terminal', 'test/daily', 'test/operations', 'test/players', 'test/puzzle'],
  ...['test/main.test', 'test/terminal.test', 'test/web/site/visitor-games'],
];
const BROWSER = ['test/chat/web', 'test/web/pages/browser.test.ts', 'test/web/site/site.test.ts'];
const WITHOUT = { TEST_DATABASE_URL: '', CHROMIUM: '' };

const CELLS: readonly Cell[] = [
  { name: 'as npm test runs here' },
  { name: 'no PostgreSQL and no browser', env: WITHOUT },
  { name: 'the newest Node', node: newestNode },
  { name: 'headless shell', env: { CHROMIUM: '/usr/bin/chromium-headless-shell' }, paths: BROWSER },
  { name: 'full Chromium', env: { CHROMIUM: '/usr/bin/chromium' }, paths: BROWSER },
  {
    name: 'Chromium with a head',
    env: { CHROMIUM: '/usr/bin/chromium', HEADED: '1' },
    // All windows share the pointer of their screen, so only one is open at a time.
    paths: [...BROWSER, '--maxWorkers=1'],
    before: ['xvfb-run', '--auto-servernum'],
  },
  { name: 'shuffled files', env: { SHUFFLE: String(Date.now() % 10_000) } },
  { name: 'time zone Pacific/Apia', env: { ...WITHOUT, TZ: 'Pacific/Apia' } },
  { name: 'LANG=C', env: { ...WITHOUT, LANG: 'C', LC_ALL: 'C' } },
  { name: 'another user, from a tarball', env: WITHOUT, folder: unpacked, before: asNobody() },
  clock('clock: 29 February 2028', '2028-02-29T12:00:00Z'),
  clock('clock: the end of a year', '2026-12-31T23:59:30Z'),
  clock('clock: the night that lacks an hour', '2027-03-14T06:59:30Z', 'America/New_York'),
  clock('clock: the night that has an hour twice', '2027-11-07T05:59:30Z', 'America/New_York'),
  ...Array.from({ length: 24 }, (_, hour) => {
    const time = `${String(hour).padStart(2, '0')}:30`;
    return clock(`clock at ${time}`, `2026-11-20T${time}:00Z`);
  }),
];

function clock(name: string, at: string, TZ = 'UTC'): Cell {
  return { name, at, env: { ...WITHOUT, TZ }, paths: TIMED };
}

/** A distance from the clock of this machine, so that processes that start one after another agree. */
function fakedClock(at: string): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  // What waits goes by the monotonic clock, which stays as it is.
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    DONT_FAKE_MONOTONIC: '1',
  };
}

const temporary = mkdtempSync(join(tmpdir(), 'letterboxed-matrix-'));

function newestNode(): string {
  const typed = ['install', '--prefix', temporary, '--no-audit', '--no-fund', 'node@latest'];
  execFileSync('npm', typed, { stdio: 'ignore' });
  return join(temporary, 'node_modules/node/bin');
}

/** A copy without a repository, for another user. */
function unpacked(): string {
  const folder = join(temporary, 'copy');
  mkdirSync(folder);
  chmodSync(temporary, 0o755);
  const copy = 'git archive HEAD | tar -x -C "$0" && cp -a node_modules build "$0"/ && chown -R nobody "$0"';
  execFileSync('sh', ['-c', copy, folder]);
  return folder;
}

function asNobody(): readonly string[] {
  const home = ['HOME=/tmp', 'TMPDIR=/tmp', 'npm_config_cache=/tmp/letterboxed-npm'];
  return process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--', 'env', ...home] : [];
}

function run(cell: Cell): boolean {
  const began = performance.now();
  const bin = cell.node?.() ?? join(process.execPath, '..');
  const cwd = cell.folder?.() ?? resolve(import.meta.dirname, '..');
  const vitest = [join(bin, 'node'), 'node_modules/vitest/vitest.mjs', 'run', ...(cell.paths ?? [])];
  const [program = '', ...typed] = [...(cell.before ?? []), ...vitest];
  const path = { PATH: `${bin}:${process.env.PATH}` };
  const env = { ...process.env, ...path, ...cell.env, ...(cell.at !== undefined && fakedClock(cell.at)) };
  const { stdout, status } = spawnSync(program, typed, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  });
  const lines = stripVTControlCharacters(stdout).split('\n');
  const said = (name: string) => lines.findLast((line) => line.trim().startsWith(name))?.trim() ?? '';
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${cell.name}: ${said('Tests').replace(/\s+/g, ' ')}; ${seconds} s`);
  for (const line of lines.filter((one) => /^ *(Skipped|FAIL) /.test(one))) console.log(`  ${line.trim()}`);
  return status === 0;
}

const [word] = process.argv.slice(2);
try {
  const results = CELLS.filter(({ name }) => word === undefined || name.includes(word)).map(run);
  if (results.length === 0 || results.includes(false)) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true });
}
