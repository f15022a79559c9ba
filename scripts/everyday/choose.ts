import { readFileSync } from 'node:fs';
import { basesOf } from '../clues/forms.ts';
import { type Sources, scoreOf, shareOf } from './model.ts';

/** From this score on, a word is known unless it was judged otherwise. */
const KNOWN = 0.5;
/**
 * A form of a known word is usual from this score on: it needs less, since whoever knows a word knows its forms. Comparatives
 * are made of any adjective and said of few, of long ones hardly ever.
 */
const USUAL = -1.5;
/** Forms that are rarer beside their base, in two of films, web pages and books, are odd ones such as educations. */
const USUAL_SHARE = 0.003;
/** Unless films have them so often: canned is rare only beside can. */
const USUAL_COUNT = 7;
const USUAL_COMPARISON = 0.5;
const USUAL_LONG_COMPARISON = 3;
/** A word of this score is known though it looks like a form of one that isn't, such as winches. */
const KNOWN_BY_ITSELF = 1.5;
/** A form is less common than its base; this much more common, it is a word of its own. */
const OWN_WORD = 1.5;

/** The words judged by hand whose score says something else: a list of those that are known and of those that are not. */
const [, KNOWN_BY_HAND, UNKNOWN_BY_HAND] = readFileSync(new URL('./judged.txt', import.meta.url), 'utf8')
  .split(/^#.*$/m)
  .map((words) => new Set(words.split(/\s+/)));

/** In alphabetical order. */
export function everydayWords(sources: Sources): string[] {
  const { listings } = sources;
  const scores = new Map(listings.keys().map((word) => [word, scoreOf(word, sources)]));
  const score = (word: string) => scores.get(word) ?? Number.NEGATIVE_INFINITY;
  const isKnown = (word: string) => {
    if (UNKNOWN_BY_HAND!.has(word)) return false;
    return KNOWN_BY_HAND!.has(word) || listings.get(word)?.modern === true || score(word) >= KNOWN;
  };
  const isEveryday = (word: string) => {
    const base = baseOf(word, sources, score);
    if (base === undefined || KNOWN_BY_HAND!.has(word) || UNKNOWN_BY_HAND!.has(word)) return isKnown(word);
    if (!isKnown(base)) return !UNKNOWN_BY_HAND!.has(base) && score(word) >= KNOWN_BY_ITSELF;
    if (!/(?:er|est)$/.test(word)) return score(word) >= USUAL && isUsual(word, base, sources);
    return score(word) >= (isLong(base) ? USUAL_LONG_COMPARISON : USUAL_COMPARISON);
  };
  return [...listings.keys()].filter(isEveryday).sort();
}

function isUsual(form: string, base: string, sources: Sources): boolean {
  const { count } = sources.listings.get(form)!;
  if (count === 0 && !sources.web.has(form)) return false;
  return count >= USUAL_COUNT || shareOf(form, base, sources) >= USUAL_SHARE;
}

/** Two syllables or more, of which the last is not one that takes -er, as in happy, simple and narrow. */
function isLong(adjective: string): boolean {
  return /[aeiouy]+[^aeiouy]+[aeiouy]/.test(adjective.replace(/e$/, '')) && !/(?:y|le|ow)$/.test(adjective);
}

/** The commonest word that a word is a form of; undefined for words of their own. */
function baseOf(
  word: string,
  { listings, senses }: Sources,
  score: (word: string) => number,
): string | undefined {
  const isNoun = senses.get(word)?.some(({ kind }) => kind === 'noun');
  const bases = basesOf(word)
    // A backpacker is no comparative.
    .filter(
      ({ base, kind }) => kind !== 'adj' || (!isNoun && senses.get(base)?.some((one) => one.kind === 'adj')),
    )
    .map(({ base }) => base)
    .filter((base) => {
      const listing = listings.get(base);
      return (
        base.length >= 3 && listing !== undefined && (listing.level > 0 || listing.long || listing.modern)
      );
    });
  const [best] = bases.sort((a, b) => score(b) - score(a));
  return best !== undefined && score(best) > score(word) - OWN_WORD ? best : undefined;
}
