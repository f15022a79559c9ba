import { ALWAYS_DOUBLES } from './forms.ts';
import { type Kind, linesOf } from './wordnet.ts';

/** A word that another one is made from, and how its clue becomes the other's. */
export interface Origin {
  readonly base: string;
  readonly kinds: readonly Kind[];
  /** With … for the clue of the base, and …s, …ing or …ed for that of a form of it. */
  readonly text: string;
}

/**
 * Each line: an ending or a beginning, what the base has instead (`-` for nothing), the kinds of the base, and the text.
 */
const RULES = linesOf(new URL('./derived.txt', import.meta.url)).map((line) => {
  const [affix = '', instead = '', kinds = '', text = ''] = line.split('\t');
  const ends = instead.split(' ').map((end) => end.replace('-', ''));
  return { affix, letters: affix.replace('-', ''), ends, kinds: kinds.split(' ') as Kind[], text };
});

/** The words that a word may be made from, whether they exist or not; the ones with the longest endings first. */
export function originsOf(word: string): Origin[] {
  const origins: Origin[] = [];
  const doubled = /([bdfgklmnprstvz])\1$/;
  for (const { affix, letters, ends, kinds, text } of RULES) {
    if (affix.endsWith('-')) {
      if (word.startsWith(letters)) origins.push({ base: word.slice(letters.length), kinds, text });
    } else if (word.endsWith(letters) && word.length - letters.length >= 2) {
      const cut = word.slice(0, -letters.length);
      // Of stop, stopper is made, not stoper: no peter comes of pet.
      const isSingle = /^[aeiou]/.test(letters) && ALWAYS_DOUBLES.test(cut);
      for (const end of ends) if (end !== '' || !isSingle) origins.push({ base: cut + end, kinds, text });
      if (doubled.test(cut)) origins.push({ base: cut.slice(0, -1), kinds, text });
    }
  }
  return origins.filter(({ base }) => base !== word && base.length >= 3);
}
