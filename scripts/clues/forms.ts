import { type Kind, linesOf } from './wordnet.ts';

export interface BaseForm {
  readonly base: string;
  readonly kind: Kind;
  /** What the form is called in a clue. */
  readonly form: string;
}

/** WordNet's rules, each as `ending:ending of the base`. */
const RULES: readonly { readonly kind: Kind; readonly form: string; readonly endings: string }[] = [
  {
    kind: 'noun',
    form: 'plural',
    endings: 's: ses:s xes:x zes:z ches:ch shes:sh oes:o ies:y men:man ves:f ives:ife',
  },
  { kind: 'verb', form: 'he, she or it', endings: 's: ies:y es:' },
  { kind: 'verb', form: 'past', endings: 'ed:e ed: ied:y' },
  { kind: 'verb', form: '-ing form', endings: 'ing:e ing: ying:ie' },
  { kind: 'adj', form: 'comparative', endings: 'er: er:e ier:y' },
  { kind: 'adj', form: 'superlative', endings: 'est: est:e iest:y' },
];
const ENDINGS = RULES.flatMap(({ kind, form, endings }) =>
  endings.split(' ').map((rule) => {
    const [ending = '', instead = ''] = rule.split(':');
    return { kind, form, ending, instead };
  }),
);
/** Endings before which a last consonant is doubled, as in `planned`. */
const DOUBLING = /([bdfgklmnprstvz])\1(ed|ing|er|est)$/;
/** Words of one syllable whose last consonant is always doubled before them. */
const ALWAYS_DOUBLES = /^(?:qu|[^aeiouy])*[aeiou][bdfgklmnprtvz]$/;
/** Words that take -es, and those of them that never take -s, as stomachs and photos do. */
const TAKES_ES = /(?:s|x|z|ch|sh|o)$/;
const NEVER_S = /(?:s|x|z|sh)$/;

/** The package has none of WordNet's lists of exceptions. Each line: what the form is called, the base, its forms. */
export const IRREGULAR: ReadonlyMap<string, BaseForm> = new Map(
  linesOf(new URL('./irregular.txt', import.meta.url)).flatMap((line) => {
    const [form = '', base = '', ...forms] = line.split(' ');
    const { kind } = RULES.find((rule) => rule.form === form)!;
    return forms.map((one): [string, BaseForm] => [one, { base, kind, form }]);
  }),
);

/** The words that a word may be a form of, whether they exist or not. */
export function basesOf(word: string): BaseForm[] {
  const irregular = IRREGULAR.get(word);
  const bases = irregular === undefined ? [] : [irregular];
  const single = word.replace(DOUBLING, '$1$2');
  for (const spelling of single === word ? [word] : [word, single]) {
    for (const { kind, form, ending, instead } of ENDINGS) {
      if (!spelling.endsWith(ending)) continue;
      const base = spelling.slice(0, spelling.length - ending.length) + instead;
      if (base.length < 2 || base === word) continue;
      if (instead === '' && isMisspelled(base, ending, spelling !== word)) continue;
      // Copping is no form of cope.
      if (instead === 'e' && spelling !== word) continue;
      bases.push({ base, kind, form });
    }
  }
  return bases;
}

/** Locales is no form of local, saltiness none of saltines, and wining none of win: that is winning. */
function isMisspelled(base: string, ending: string, isDoubled: boolean): boolean {
  if (ending === 'es') return !TAKES_ES.test(base);
  if (ending === 's') return NEVER_S.test(base);
  return /^(?:ed|ing|er|est)$/.test(ending) && ALWAYS_DOUBLES.test(base) && !isDoubled;
}

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
const DERIVED = linesOf(new URL('./derived.txt', import.meta.url)).map((line) => {
  const [affix = '', instead = '', kinds = '', text = ''] = line.split('\t');
  const ends = instead.split(' ').map((end) => end.replace('-', ''));
  return { affix, letters: affix.replace('-', ''), ends, kinds: kinds.split(' ') as Kind[], text };
});

/** The words that a word may be made from, whether they exist or not; the ones with the longest endings first. */
export function originsOf(word: string): Origin[] {
  const origins: Origin[] = [];
  const doubled = /([bdfgklmnprstvz])\1$/;
  for (const { affix, letters, ends, kinds, text } of DERIVED) {
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
