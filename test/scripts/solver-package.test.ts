import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodePicture } from '../../src/reply/picture/decode.ts';
import { bareEnvironment } from '../bare-environment.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';

/** How each runtime on the search path runs a file, also a second Node: the package promises Node 20.16, Deno and Bun. */
const RUNTIMES = [
  ['node'],
  ['deno', 'run', '--allow-all', '--node-modules-dir=manual'],
  ['bun', 'run'],
].flatMap(([name = '', ...typed]) => programsNamed(name).map((program) => [program, ...typed] as const));

function programsNamed(name: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).filter((file) => existsSync(file));
  return [...new Set(found.map((file) => realpathSync(file)))];
}

const MOST_BYTES = 24 * 1024;
const MOST_PICTURE_BYTES = 24 * 1024;
const readme = readFileSync('packages/solver/README.md', 'utf8');
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]!);

/** The example that editors show for the package. */
function exampleOfModule(): string {
  const [, example = ''] =
    /@example\n([^@]*?)\*\//s.exec(readFileSync('packages/solver/index.ts', 'utf8')) ?? [];
  return example.replaceAll(/^ \* ?/gm, '');
}

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
    // TypeScript with `moduleResolution: node`, the default for CommonJS before version 7, reads no exports.
    const { types, default: main } = manifest.exports['.'];
    expect([manifest.types, manifest.main]).toEqual([types, main]);
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
    expect(readme).toContain(`The code is at most ${MOST_BYTES / 1_024} KB compressed`);
    // Bundlers for browsers find the list by this form alone, and refuse imports of Node.
    expect(code.toString().match(/.{0,30}\bimport\b.{0,10}/g)).toEqual([
      expect.stringMatching(/new URL\([`'"]\.\/words\.bin\.gz[`'"],import\.meta\.url\)/),
    ]);
  });

  it('reads the board in a picture by a module of its own', async () => {
    const file = join(installed, 'dist/picture.js');
    expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThanOrEqual(MOST_PICTURE_BYTES);
    const { boardFromPixels } = await import(pathToFileURL(file).href);
    const { sides } = boardFromPixels(await decodePicture(readFileSync('test/fakes/board.png')));
    expect(
      sides
        .flat()
        .map(({ letter }: { letter: string }) => letter)
        .join(''),
    ).toBe('ozunrilfambt');
    expect(boardFromPixels({ data: new Uint8Array(4), width: 1, height: 1 })).toBeUndefined();
  });

  it('has examples that strict TypeScript accepts, without the types of a browser or of Node', () => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const files = [...examples, exampleOfModule()].map((example, index) => {
      const name = `example${index}.ts`;
      writeFileSync(
        join(folder, name),
        `declare const console: { log(...values: unknown[]): void };\n${example}`,
      );
      return name;
    });
    const strict = ['--strict', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'esnext'];
    const options = [...strict, '--lib', 'esnext', '--types', '', '--noEmit'];
    const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), [...options, ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('says in a sentence what is wrong with an argument', async () => {
    const solver = await import(pathToFileURL(join(installed, 'dist/index.js')).href);
    const words = await solver.loadWords();
    const board = solver.makeBoard(['OZU', 'nri', 'lfa', 'mbt']);
    expect(board).toEqual(solver.parseBoard('ozu nri lfa mbt'));
    const search = solver.makeSearch(board, solver.walkBoard(board, words));
    const wrong: (() => unknown)[] = [
      () => solver.parseBoard(['ozu']),
      () => solver.makeBoard('ozu nri lfa mbt'),
      () => solver.compileLexicon('forum'),
      () => solver.compileLexicon(['fo']),
      () => solver.compileLexicon([null]),
      () => solver.compileLexicon([{ word: 'forum', likelihood: 2 }]),
      () => solver.compileLexicon([{ word: 'forum', tier: 'rare' }]),
      () => solver.walkBoard(board, ['forum']),
      () => solver.walkBoard('ozu nri lfa mbt', words),
      () => solver.findPlayable(board),
      () => solver.makeSearch(board, words),
      () => solver.makeSearch(board, ['forum']),
      () => solver.makeSearch(board, solver.walkBoard(board, words), { played: 'forum' }),
      ...[{ exclude: [1] }, { tier: 'rare' }, { maxWords: Infinity }, { maxWords: 'two' }].map(
        (options) => () => solver.makeSearch(board, solver.walkBoard(board, words), options),
      ),
      () => [...search.solutions('best')],
      () => search.count('2'),
      () => solver.checkWords(board, 'forum', search, () => true),
      () => solver.checkWords(board, ['forum'], search),
      () => solver.checkWords(board, ['forum'], search, async () => false),
      () => solver.generate(words),
      () => solver.generate(words, { seed: 'tea', difficulty: 1 }),
      () => solver.startLetters(board),
      () => solver.hardestLetters(),
      () => solver.edgeLetters({}),
      () => solver.edgeLetters(search.after(['forum'])),
      () => solver.explainFilter(board, []),
      () => solver.explainFilter(board, words, { exclude: 'forum' }),
    ];
    for (const call of wrong) {
      expect(call, String(call)).toThrow(solver.UserError);
      expect(call, String(call)).toThrow(/^.{20,}\.$/);
    }
  });

  it('ends every list by itself', async () => {
    const { loadWords, makeSearch, parseBoard, walkBoard } = await import(
      pathToFileURL(join(installed, 'dist/index.js')).href
    );
    const board = parseBoard('jli cud btk asr');
    const search = makeSearch(board, walkBoard(board, await loadWords()));
    const lengths = (listing?: object) =>
      [...search.solutions('shortest', listing)].map(
        (solution: { words: string[] }) => solution.words.length,
      );
    expect(new Set(lengths())).toEqual(new Set([2, 3]));
    expect(lengths({ upTo: 4 })).toHaveLength(10_000);
    expect(lengths({ limit: 3 })).toEqual([2, 2, 2]);
    expect([...search.solutions('safest')].length).toBeLessThanOrEqual(10_000);
  });

  it('runs the examples of its module and its README in every runtime, and counts there as here on repeated letters', async () => {
    const solver = await import(pathToFileURL(join(installed, 'dist/index.js')).href);
    const board = solver.parseBoard('tea ton sir lde');
    const search = solver.makeSearch(board, solver.walkBoard(board, await solver.loadWords()));
    const repeats = `import { loadWords, makeSearch, parseBoard, walkBoard } from 'letterboxed-solver';
      const board = parseBoard('tea ton sir lde');
      const search = makeSearch(board, walkBoard(board, await loadWords()));
      console.log(search.fewest, Number(search.count(search.fewest)));`;
    const wanted = [
      ...['2 22', 'forum mobilization', 'multiform mobilization'],
      `${search.fewest} ${search.count(search.fewest)}`,
    ];
    const ofReadme = sample(examples, examples.slice(0, 1));
    for (const example of ofReadme) {
      const said = Array.from(example.matchAll(/^(?:.*;)?\s*\/\/ (.+)$/gm), ([, text]) => text!);
      expect(said.length).toBeGreaterThan(0);
      wanted.push(...said);
    }
    // In one process for each runtime, which loads the word list.
    const run = [exampleOfModule(), repeats, ...ofReadme].map((program, index) => {
      writeFileSync(join(folder, `example${index}.mjs`), program);
      return `await import('./example${index}.mjs');\n`;
    });
    writeFileSync(join(folder, 'examples.mjs'), run.join(''));
    expect(RUNTIMES.length).toBeGreaterThan(0);
    for (const [program, ...typed] of sample(RUNTIMES, RUNTIMES.slice(0, 1))) {
      const printed = execFileSync(program, [...typed, join(folder, 'examples.mjs')], {
        cwd: folder,
        env: bareEnvironment(),
        encoding: 'utf8',
      });
      expect(printed.trim().split('\n'), program).toEqual(wanted);
    }
  });
});
