import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../bare-environment.ts';
import { BotProcess } from '../bot-process.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong } from '../fakes/sample.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const TSC = resolve('node_modules/.bin/tsc');

/** What a module of ours loads at its start: modules of ours, and other packages by name. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';/gm,
  );
  for (const [, name] of imports) {
    if (name!.startsWith('.')) loadedBy(join(dirname(file), name!), loaded);
    else loaded.add(name!);
  }
  return loaded;
}

/**
 * What the package needs, in the versions of our own lock: whatever is published tomorrow would else decide whether the
 * test passes. npm has kept them since our own `npm ci`.
 */
function lockOf(archive: string, dependencies: Readonly<Record<string, string>>): object {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { readonly dev?: boolean }>;
  };
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const { version, bin, engines, dependencies: own } = manifest;
  return {
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { dependencies },
      [`node_modules/${manifest.name}`]: {
        version,
        resolved: `file:${archive}`,
        dependencies: own,
        bin,
        engines,
      },
      ...Object.fromEntries(needed),
    },
  };
}

describe('the npm package', () => {
  it('runs nothing when it is installed', () => {
    const atInstall = ['preinstall', 'install', 'postinstall'].filter((name) => name in manifest.scripts);
    expect(atInstall).toEqual([]);
    expect(manifest.scripts.prepack).toBe('node scripts/compile.ts');
  });

  it('compiles what it exports and what its programs load', () => {
    const { files } = JSON.parse(readFileSync('tsconfig.package.json', 'utf8'));
    const named = [manifest.exports['./solver'].types, manifest.exports['./solver'].default].map(
      (path: string) => path.replace('./dist/', '').replace(/(\.d)?\.[jt]s$/, '.ts'),
    );
    const loaded = readdirSync('bin').flatMap((name) =>
      [...readFileSync(join('bin', name), 'utf8').matchAll(/importProgram\('([^']+)'\)/g)].map(
        ([, module]) => `src/${module}.ts`,
      ),
    );
    expect(loaded).toHaveLength(2);
    expect(files).toEqual(expect.arrayContaining([...named, ...loaded]));
  });

  it('has a solver that loads no other package', () => {
    const loaded = [...loadedBy('packages/solver/index.ts')];
    expect(loaded.length).toBeGreaterThan(15);
    expect(loaded.filter((name) => !/^(?:src|packages)\//.test(name) && !name.startsWith('node:'))).toEqual(
      [],
    );
  });
});

/** Packing and installing take a quarter of a minute of processor time. */
describe('the npm package in an empty folder', onlyLong, () => {
  const folder = makeFolder();
  const installed = join(folder, 'node_modules/letterboxed-bot');
  const run = (command: string, typed: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    execFileSync(command, typed, {
      cwd: folder,
      env: { ...bareEnvironment(), ...settings },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  beforeAll(() => {
    execFileSync('npm', ['pack', '--pack-destination', folder], { stdio: 'pipe' });
    const [archive] = readdirSync(folder);
    const dependencies = { [manifest.name]: `file:${archive}` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockOf(archive!, dependencies)));
    // With what the machine needs for its network, such as certificates, and without the settings of our own `npm run`.
    const ours = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: Object.fromEntries(ours),
      stdio: 'pipe',
      timeout: 300_000,
    });
  }, 600_000);
  afterAll(() => rmSync('dist', { recursive: true }));

  it('has the program compiled, the word list and the clues, and no sources, tests or scripts', () => {
    expect(
      readdirSync(installed)
        .filter((name) => name !== 'node_modules')
        .toSorted(),
    ).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'NOTICE',
        'README.md',
        'bin',
        'build',
        'dist',
        'docs',
        'package.json',
        'src',
      ].toSorted(),
    );
    expect(readdirSync(join(installed, 'src'), { recursive: true }).toSorted()).toEqual([
      'dispatch',
      join('dispatch', 'wishes.bin'),
      'puzzle',
      join('puzzle', 'house-schedule.txt'),
      'wordlists',
      join('wordlists', 'clues.bin'),
    ]);
    expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual(['commands', 'packages', 'src']);
    expect(readdirSync(join(installed, 'build'))).toEqual(['lexicon.bin', 'site']);
    const sources = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.ts$/.test(name) && !/\.d\.ts$/.test(name),
    );
    expect(sources).toEqual([]);
    const pages = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(?!web\/site\/).*\.(js|css|html)$/.test(name),
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((name) => !existsSync(join(installed, 'dist/src', name)))).toEqual([]);
  });

  it('solves a board by npx', () => {
    const answer = JSON.parse(run('npx', ['letterboxed-bot', 'solve', '--json', 'tub pxi snq oja']));
    expect(answer.shortest[0].words).toEqual(['juxtaposition', 'niqab']);
  });

  it('opens the local chat with its page, and the site, and stops in order', async () => {
    const settings = { PUZZLE_SOURCE: 'house', WEB_PORT: '0', PORT: '0', PUBLIC_URL: 'https://example.org' };
    const bot = new BotProcess(settings, undefined, [], join(installed, 'bin/start.js'));
    const { url } = await bot.said(/The local chat is open/);
    const { port } = await bot.said(/^health: /);
    for (const start of [`${url}`, `http://127.0.0.1:${port}`]) {
      const page = await (await fetch(start)).text();
      const loaded = [...page.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map((match) => match[1]!);
      expect(loaded.length).toBeGreaterThan(2);
      for (const file of loaded) expect((await fetch(new URL(file, start))).status, file).toBe(200);
    }
    bot.kill('SIGTERM');
    expect(await bot.ended()).toBe(0);
  });

  it('solves a board in a typed program of five lines', () => {
    const program = `import { loadWords, makeSearch, parseBoard, type Solution, walkBoard } from 'letterboxed-bot/solver';
const board = parseBoard('tub pxi snq oja');
const search = makeSearch(board, walkBoard(board, await loadWords()));
const best: Solution[] = search.solutions('shortest').take(1).toArray();
console.log(search.fewest, best[0]?.words.join(' '));
`;
    writeFileSync(join(folder, 'solve.ts'), program);
    const options = ['--strict', '--module', 'nodenext', '--target', 'esnext', '--types', '', '--noEmit'];
    expect(run(TSC, [...options, 'solve.ts'])).toBe('');
    expect(run(process.execPath, ['solve.ts'])).toBe('2 juxtaposition niqab\n');
    // The same program with a mistake in its types.
    writeFileSync(join(folder, 'wrong.ts'), program.replace('Solution[]', 'number[]'));
    const { status, stdout } = spawnSync(TSC, [...options, 'wrong.ts'], { cwd: folder, encoding: 'utf8' });
    expect({ status, names: /TS2322/.test(stdout) }).toEqual({ status: 1, names: true });
  });
});
