/**
 * Makes dist, the program as the npm package has it, and the site: `npm pack` and `npm publish` run this first. Types are
 * checked by `npm run check`, not here.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';

process.chdir(`${import.meta.dirname}/..`);
execFileSync(process.execPath, ['scripts/site.ts'], { stdio: 'inherit' });
// What was compiled before may have come from files that are gone.
rmSync('dist', { recursive: true, force: true });
// Only the solver's library has types, for other people's programs.
for (const project of ['tsconfig.package.json', 'tsconfig.solver.json'])
  execFileSync('node_modules/.bin/tsc', ['-p', project], { stdio: 'inherit' });
// Browsers get these as they are.
for (const folder of ['src/web/board', 'src/web/pages', 'src/web/chat'])
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (file) => !file.endsWith('.ts') });
