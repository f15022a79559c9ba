import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';

const MODULE = pathToFileURL('src/core/relative-imports.ts');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'relative imports-'));
  writeFileSync(join(folder, 'sum.cjs'), "module.exports = 1 + require('./one.cjs');\n");
  writeFileSync(join(folder, 'one.cjs'), 'module.exports = 1;\n');
  writeFileSync(join(folder, 'main.mjs'), "import { EOL } from 'node:os';\nimport sum from './sum.cjs';\n");
  writeFileSync(join(folder, 'lost.mjs'), "import './nowhere.mjs';\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Imports a file of the folder; returns what Node still had to look for, one a line. */
function lookedFor(name: string) {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        console.log(specifier);
        return next(specifier, context);
      },
    });
    const { resolveRelativeImports } = await import('${MODULE}');
    resolveRelativeImports();
    await import('${pathToFileURL(join(folder, name))}');`;
  const typed = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, typed, {
    encoding: 'utf8',
    env: bareEnvironment(),
  });
  return { status, looked: stdout.trim().split('\n'), stderr };
}

it('resolves relative imports by their address, and leaves packages and what is required to Node', () => {
  const { status, looked, stderr } = lookedFor('main.mjs');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(looked).toEqual(expect.arrayContaining(['node:os', './one.cjs']));
  expect(looked).not.toContain('./sum.cjs');
});

it('still says which file is missing', () => {
  const { status, stderr } = lookedFor('lost.mjs');
  expect(status).toBe(1);
  expect(stderr).toContain('nowhere.mjs');
});
