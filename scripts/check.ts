/** `npm run check`: types, lint and exports that nobody uses, side by side, so that two cores have something to do. */
import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

/** What was found last time, by the contents of the files: unchanged ones are not checked again. */
const KNOWN = 'node_modules/.cache/letterboxed-check';
/** Biome remembers nothing itself. This file has the hash of all files for which it passed. */
const LINTED = `${KNOWN}/biome`;
const files = hashOfFiles();
const isLinted = existsSync(LINTED) && readFileSync(LINTED, 'utf8') === files;
const CHECKS = [
  [
    `tsc --noEmit --checkers 1 --incremental --tsBuildInfoFile ${KNOWN}/program.json`,
    `tsc --noEmit --checkers 1 -p src/web --incremental --tsBuildInfoFile ${KNOWN}/web.json`,
  ],
  [
    ...(isLinted ? [] : ['biome check --error-on-warnings .']),
    `knip --include exports,types,files --cache --cache-location ${KNOWN}/knip`,
  ],
];

/** Whether all passed; stops at the first one that fails. */
async function run(commands: readonly string[]): Promise<boolean> {
  for (const command of commands) {
    const [status] = await once(spawn(command, { shell: true, stdio: 'inherit' }), 'close');
    if (status !== 0) return false;
  }
  return true;
}

/** Of the names and contents of the files that Git does not ignore, Biome's version in package-lock.json among them. */
function hashOfFiles(): string | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const names = stdout.split('\0').filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
  return hash('sha256', names.map((name) => `${name}\0${hash('sha256', readFileSync(name))}`).join('\0'));
}

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;
else if (files !== undefined && hashOfFiles() === files) writeFileSync(LINTED, files);
