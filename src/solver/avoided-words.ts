/** Beginnings of words that are right to play, but that no generated board is built around. */
const BEGINNINGS = [
  'bastard',
  'behead',
  'bisexual',
  'crap',
  'cripple',
  'enslave',
  'fart',
  'genital',
  'genocid',
  'gook',
  'heterosexual',
  'homophob',
  'homosexual',
  'jackass',
  'lesbian',
  'lynch',
  'massacre',
  'masturbat',
  'midget',
  'molest',
  'necrophil',
  'nymphoman',
  'pimp',
  'pornograph',
  'prostitut',
  'rape',
  'rapist',
  'sexist',
  'sexual',
  'slave',
  'sperm',
  'squaw',
  'suicid',
  'terroris',
  'tortur',
  'transsexual',
  'transvestite',
  'turd',
] as const;
/** Beginnings of harmless words among those. */
const HARMLESS = ['farth', 'fartl', 'pimpern', 'pimpl', 'squawk'] as const;

/** As one expression: a list of words is asked about word by word, and most are unlike any beginning. */
const AVOIDED = new RegExp(`^(?!${HARMLESS.join('|')})(?:${BEGINNINGS.join('|')})`);

export function isAvoided(word: string): boolean {
  return AVOIDED.test(word);
}
