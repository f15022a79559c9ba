/**
 * Makes the program and its Node one file, by Node's own tool: `npm run executable -- letterboxed`. The Node that runs this
 * has to embed a file system (26.9 or newer), and becomes the Node inside; everything runs from that file system, and
 * nothing is unpacked. On macOS the file has to be signed afterwards.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempDisposableSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { SOURCE_PACKAGES } from '../src/wordlists/build.ts';
import { shippedPackages } from './sbom.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Worker threads can't see the embedded files, so everything but what `makeWorker` bundles runs on one thread. Node is called with
 * the name of a script where the set-up starts the bot.
 */
const MAIN = `process.env.WORKERS = '0';
const isBot = process.argv[2] === 'start' || process.argv[2]?.endsWith('start.js') === true;
if (isBot) process.argv.splice(2, 1);
import(isBot ? './bin/start.js' : './bin/letterboxed.js');
`;

const [output] = process.argv.slice(2);
if (output === undefined) {
  console.error('Name the file to be made: npm run executable -- letterboxed');
  process.exit(2);
}
execFileSync(process.execPath, [join(ROOT, 'scripts/compile.ts')], { stdio: 'inherit' });
using folder = mkdtempDisposableSync(join(tmpdir(), 'letterboxed-executable-'));
const main = join(folder.path, 'main.cjs');
const config = join(folder.path, 'config.json');
writeFileSync(main, MAIN);
const worker = join(folder.path, 'worker.js');
writeFileSync(worker, await makeWorker());
const options = {
  main,
  output,
  useVfs: true,
  disableExperimentalSEAWarning: true,
  assets: { ...assets(), 'dist/src/work/worker.js': worker },
};
writeFileSync(config, JSON.stringify(options));
execFileSync(process.execPath, ['--build-sea', config], { stdio: 'inherit' });
console.log(`${output}: ${Math.round(statSync(output).size / 1e6)} MB`);

/** The worker that reads the pictures that people send, with all modules that it needs. */
async function makeWorker(): Promise<string> {
  const bundled = await rolldown({
    input: join(ROOT, 'src/work/worker.ts'),
    platform: 'node',
    tsconfig: false,
    plugins: [
      {
        name: 'jobs',
        transform: (code) => code.replace('import(start.module)', "import('../reply/picture/pictures.ts')"),
      },
    ],
  });
  const { output } = await bundled.generate({ codeSplitting: false });
  await bundled.close();
  const [{ code }] = output;
  if (code.includes('start.module')) throw new Error('src/work/worker.ts loads its jobs in another way');
  return code;
}

/** The files of the npm package and of the packages that it needs, without packages that only made the word list. */
function assets(): Record<string, string> {
  const packages = shippedPackages()
    .filter(({ name }) => !SOURCE_PACKAGES.some((one) => one === name))
    .map(({ path }) => path);
  // Their notices must go with every copy of the word list.
  const notices = SOURCE_PACKAGES.flatMap((name) =>
    globSync(`node_modules/${name}/{license,Copyright,package.json}`, { cwd: ROOT }),
  );
  const single = [
    ...notices,
    'package.json',
    'LICENSE',
    'NOTICE',
    'build/lexicon.bin',
    'build/site/**',
    'src/dispatch/wishes.bin',
    'src/puzzle/house-schedule.txt',
    'src/wordlists/clues.bin',
    'docs/*.md',
    'docs/pictures/phone-*.jpg',
  ];
  const files = globSync([...['bin', 'dist', ...packages].map((path) => `${path}/**`), ...single], {
    cwd: ROOT,
    exclude: (file) => /\.(?:[cm]?ts|map|flow)$/.test(file),
  }).filter((file) => statSync(join(ROOT, file)).isFile());
  // Beside the program, above it, or where npm's package of Node has it.
  const [nodeLicence] = globSync(['LICENSE', '../LICENSE', '../node_modules/node-*/LICENSE'], {
    cwd: dirname(process.execPath),
  }).map((file) => join(dirname(process.execPath), file));
  if (nodeLicence === undefined)
    throw new Error(`${process.execPath} came without Node's LICENSE, which goes into the file`);
  const ours = files.map((file) => [file.replaceAll('\\', '/'), join(ROOT, file)]);
  return Object.fromEntries([...ours, ['LICENSE-Node', nodeLicence]]);
}
