import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { botEnvironment } from '../bare-environment.ts';
import { makeFolder } from '../fakes/folder.ts';
import { needs } from '../fakes/needs.ts';

it('bin/letterboxed.js starts the bot with the word start, as npx does from a package', () => {
  const { stderr } = spawnSync(process.execPath, ['bin/letterboxed.js', 'start', '--help'], {
    encoding: 'utf8',
    env: botEnvironment(),
  });
  expect(stderr).toMatch(/^npm start: runs the bot\./);
});

/** The machine's own Node, if it is one that can't run this. */
const OLD = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  try {
    return Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'])) < 24;
  } catch {
    return false;
  }
});
const oldNeeded = needs('a Node in /usr that is older than 24', OLD !== undefined);

describe('under a Node that is too old', oldNeeded, () => {
  it.each(['start', 'letterboxed'])('bin/%s.js says in one line what is needed', (name) => {
    const { status, stdout, stderr } = spawnSync(OLD!, [`bin/${name}.js`, 'solve'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('needs Node 24 or newer');
    expect(stderr).toContain('Run "npm ci" here');
  });

  it('is not advised to run npm ci where the package is installed', () => {
    const folder = makeFolder();
    cpSync('bin', join(folder, 'bin'), { recursive: true });
    cpSync('src/wordlists/clues.bin', join(folder, 'src/wordlists/clues.bin'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const { stderr } = spawnSync(OLD!, [join(folder, 'bin/letterboxed.js'), 'solve'], { encoding: 'utf8' });
    expect(stderr).toMatch(/needs Node 24 or newer; this is [\d.]+\. Install it from nodejs\.org\.\n$/);
  });
});
