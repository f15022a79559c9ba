/** `npm run check`: types, lint and exports that nobody uses, side by side, so that two cores have something to do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const CHECKS = [
  ['tsc --noEmit --checkers 1', 'tsc --noEmit --checkers 1 -p src/web'],
  ['biome check --error-on-warnings .', 'knip --include exports,types,files'],
];

/** Whether all passed; stops at the first one that fails. */
async function run(commands: readonly string[]): Promise<boolean> {
  for (const command of commands) {
    const [status] = await once(spawn(command, { shell: true, stdio: 'inherit' }), 'close');
    if (status !== 0) return false;
  }
  return true;
}

const passed = await Promise.all(CHECKS.map(run));
if (passed.includes(false)) process.exitCode = 1;
