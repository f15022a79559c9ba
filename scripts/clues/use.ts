import { pluralOf, verbFormOf } from './inflect.ts';
import type { Kind, Sense } from './wordnet.ts';

type Senses = ReadonlyMap<string, readonly Sense[]>;

/**
 * Puts first, for words that WordNet's tagged texts lack, the kind that their forms show: of abort, which is mostly aborted or
 * aborting, the meanings of the verb.
 */
export function byUse(senses: Senses, countOf: (word: string) => number): Senses {
  return new Map(
    [...senses].map(([word, known]) => {
      const kinds = new Set(known.map(({ kind }) => kind));
      if (kinds.size === 1 || known.some(({ count }) => count > 0)) return [word, known];
      const usual = kindInUse(word, countOf);
      return [
        word,
        [...known.filter(({ kind }) => kind === usual), ...known.filter(({ kind }) => kind !== usual)],
      ];
    }),
  );
}

function kindInUse(word: string, countOf: (word: string) => number): Kind {
  const asVerb = countOf(verbFormOf(word, '-ing form')) + countOf(verbFormOf(word, 'past'));
  const asAdjective = countOf(`${word}ly`) + countOf(`${word.replace(/e$/, '')}er`) + countOf(`${word}ness`);
  const asNoun = countOf(pluralOf(word));
  if (asVerb > asNoun && asVerb > asAdjective && asVerb * 4 > countOf(word)) return 'verb';
  return asAdjective > asNoun ? 'adj' : 'noun';
}
