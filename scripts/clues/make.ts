import { readListings, tierOfListing } from '../../src/wordlists/build.ts';
import { clueOf } from './choose.ts';
import { readSenses } from './wordnet.ts';

/** The clues of everyday words and of all words counted in subtitles; solutions rarely have others. */
export function makeClues(): ReadonlyMap<string, string> {
  const senses = readSenses();
  const clues = new Map<string, string>();
  for (const [word, listing] of [...readListings()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (listing.count === 0 && tierOfListing(listing) !== 'everyday') continue;
    const clue = clueOf(word, senses);
    if (clue !== undefined) clues.set(word, clue);
  }
  return clues;
}
