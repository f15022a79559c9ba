/** Beginnings of words that the list rightly has, but that no board of ours is built around. */
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
/** Harmless words that begin like those. */
const WELCOME = ['farth', 'fartl', 'pimpern', 'pimpl', 'squawk'] as const;

export function isUnwelcome(word: string): boolean {
  return (
    BEGINNINGS.some((begin) => word.startsWith(begin)) && !WELCOME.some((begin) => word.startsWith(begin))
  );
}
