/** `npm run check`: types, lint and exports that nobody uses, side by side, so that two cores have something to do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What was found last time, by the contents of the files: unchanged ones are not checked again. */
const KNOWN = 'node_modules/.cache/letterboxed-check';
const CHECKS = [
  [
    `tsc --noEmit --checkers 1 --incremental --tsBuildInfoFile ${KNOWN}/program.json`,
    `tsc --noEmit --checkers 1 -p src/web --incremental --tsBuildInfoFile ${KNOWN}/web.json`,
  ],
  [
    'biome check --error-on-warnings .',
    `knip --include exports,types,files --cache --cache-location ${KNOWN}/knip`,
  ],
];

/** The compiler is a Go program: without collecting its garbage, it takes a third less time, and a tenth more memory. */
const env = { ...process.env, GOGC: 'off' };

/** Whether all passed; stops at the first one that fails. */
async function run(commands: readonly string[]): Promise<boolean> {
  for (const command of commands) {
    const [status] = await once(spawn(command, { env, shell: true, stdio: 'inherit' }), 'close');
    if (status !== 0) return false;
  }
  return true;
}

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;
