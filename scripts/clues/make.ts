import { readListings } from '../../src/wordlists/build.ts';
import { clueOf } from './choose.ts';
import { readSenses } from './wordnet.ts';

/** Of words that fewer people know, those that films have so often get a clue: more would make the site too large. */
const MIN_COUNT = 8;

/** The clues of everyday words and of others that are common enough; solutions rarely have rarer ones. */
export function makeClues(): ReadonlyMap<string, string> {
  const senses = readSenses();
  const clues = new Map<string, string>();
  for (const [word, listing] of [...readListings()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (listing.count < MIN_COUNT && !listing.everyday) continue;
    const clue = clueOf(word, senses);
    if (clue !== undefined) clues.set(word, clue);
  }
  return clues;
}
