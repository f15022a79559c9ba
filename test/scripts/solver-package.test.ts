import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';
import { makeFolder } from '../fakes/folder.ts';

/** The package promises Node 20; OTHER_NODE names a second program to run the examples with. */
const { OTHER_NODE } = process.env;
const NODES = [process.execPath, ...(OTHER_NODE === undefined ? [] : [OTHER_NODE])];
const MOST_BYTES = 24 * 1024;
const examples = [...readFileSync('packages/solver/README.md', 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  (match) => match[1]!,
);

const folder = makeFolder();
const installed = join(folder, 'node_modules/letterboxed-solver');

beforeAll(() => {
  execFileSync('npm', ['pack', './packages/solver', '--pack-destination', folder], { stdio: 'pipe' });
  const [archive] = readdirSync(folder);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive!), '--strip-components=1', '-C', installed]);
}, 120_000);

describe('the package letterboxed-solver', () => {
  it('has the version of the program, no dependency, and what its licences ask for', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
    expect(manifest.dependencies).toBeUndefined();
    expect(readdirSync(installed)).toEqual(
      expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', 'boards']),
    );
    expect(readFileSync(join(installed, 'dist/SCOWL-Copyright'), 'utf8')).toContain('Kevin Atkinson');
    // Editors show these to whoever calls the library.
    expect(readFileSync(join(installed, 'dist/types/src/solver/search.d.ts'), 'utf8')).toContain('/**');
  });

  it('is small, and loads nothing but its own list', () => {
    const code = readFileSync(join(installed, 'dist/index.js'));
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
    expect(code.toString().match(/\bimport\b[^.].{0,30}/g)).toEqual([
      expect.stringMatching(/^import\([`'"]node:fs\/promises/),
    ]);
  });

  it.each(examples.map((example, index) => [index + 1, example] as const))(
    'runs example %i of its README',
    (_, example) => {
      const file = join(folder, 'example.mjs');
      writeFileSync(file, example);
      const wanted = [...example.matchAll(/^(?:.*;)?\s*\/\/ (.+)$/gm)].map((match) => match[1]);
      expect(wanted.length).toBeGreaterThan(0);
      for (const node of NODES) {
        const printed = execFileSync(node, [file], { env: bareEnvironment(), encoding: 'utf8' });
        expect(printed.trim().split('\n'), node).toEqual(wanted);
      }
    },
  );
});
