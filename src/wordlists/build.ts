import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileLexicon } from '../solver/lexicon.ts';
import { featuresOf, likelihoodOf, tierOfListing, type Weights } from './likelihood.ts';
import { LEXICON_FILE } from './load.ts';
import { MODERN_FILE, readListings, SOURCE_PACKAGES } from './sources.ts';

const WEIGHTS_URL = new URL('./weights.json', import.meta.url);
/** The files that the compiled list depends on besides the packages. When one changes, it is built again. */
const INGREDIENTS = [
  WEIGHTS_URL,
  MODERN_FILE,
  new URL('./likelihood.ts', import.meta.url),
  new URL('./sources.ts', import.meta.url),
  new URL('../solver/lexicon.ts', import.meta.url),
];

/** Compiles the word list unless it is there already and nothing it is made of has changed. */
export function buildLexicon(file: string = LEXICON_FILE): { built: boolean; words?: number } {
  const stamp = fingerprint();
  const stampFile = `${file}.stamp`;
  if (existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp)
    return { built: false };
  const weights: Weights = JSON.parse(readFileSync(WEIGHTS_URL, 'utf8'));
  const listings = readListings();
  const entries = [...listings].map(([word, listing]) => ({
    word,
    likelihood: likelihoodOf(featuresOf(word, listing, listings), weights),
    tier: tierOfListing(listing),
  }));
  mkdirSync(dirname(file), { recursive: true });
  // Renaming makes sure that a program that starts meanwhile never reads half a file.
  writeFileSync(`${file}.new`, compileLexicon(entries));
  renameSync(`${file}.new`, file);
  writeFileSync(stampFile, stamp);
  return { built: true, words: entries.length };
}

function fingerprint(): string {
  const require = createRequire(import.meta.url);
  const hash = createHash('sha256');
  for (const name of SOURCE_PACKAGES) hash.update(`${name}@${versionOf(require, name)}\n`);
  for (const file of INGREDIENTS) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** Some packages don't export their package.json, so it is looked up by path. */
function versionOf(require: NodeJS.Require, name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    const file = `${folder}/${name}/package.json`;
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version;
  }
  throw new Error(`The package ${name} is not installed. Run "npm ci".`);
}
