import { type Kind, linesOf } from './wordnet.ts';

/** A word that another one is made from, and how its clue becomes the other's. */
export interface Origin {
  readonly base: string;
  readonly kinds: readonly Kind[];
  readonly say: (clue: string) => string;
}

/**
 * Each line: an ending or a beginning, what the base has instead (`-` for nothing), the kinds of the base, and the clue, with
 * … for the clue of the base.
 */
const RULES = linesOf(new URL('./derived.txt', import.meta.url)).map((line) => {
  const [affix = '', instead = '', kinds = '', text = ''] = line.split('\t');
  const say = (clue: string) => text.replace('…', () => clue);
  const ends = instead.split(' ').map((end) => end.replace('-', ''));
  return { affix, letters: affix.replace('-', ''), ends, kinds: kinds.split(' ') as Kind[], say };
});

/** The words that a word may be made from, whether they exist or not; the ones with the longest endings first. */
export function originsOf(word: string): Origin[] {
  const origins: Origin[] = [];
  const doubled = /([bdfgklmnprstvz])\1$/;
  for (const { affix, letters, ends, kinds, say } of RULES) {
    if (affix.endsWith('-')) {
      if (word.startsWith(letters)) origins.push({ base: word.slice(letters.length), kinds, say });
    } else if (word.endsWith(letters) && word.length - letters.length >= 2) {
      const cut = word.slice(0, -letters.length);
      for (const end of ends) origins.push({ base: cut + end, kinds, say });
      if (doubled.test(cut)) origins.push({ base: cut.slice(0, -1), kinds, say });
    }
  }
  return origins.filter(({ base }) => base !== word && base.length >= 3);
}
