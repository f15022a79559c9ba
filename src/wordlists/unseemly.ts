import { isUnwelcome } from '../solver/unwelcome.ts';

/** Slurs and crude words by their beginnings; each was looked at in our list for harmless words that begin alike. */
const BEGINNINGS = [
  'arsehole',
  'asshole',
  'bitch',
  'bollock',
  'bugger',
  'bullshit',
  'chinam',
  'cunt',
  'darkie',
  'dildo',
  'ejaculat',
  'fagg',
  'fart',
  'fellat',
  'fuck',
  'golliwog',
  'gollywog',
  'halfbreed',
  'hardass',
  'honkie',
  'horseshit',
  'incest',
  'jigaboo',
  'kaffir',
  'lezzi',
  'merde',
  'mongoloid',
  'motherfuck',
  'mulatto',
  'negress',
  'negro',
  'niggard',
  'nigger',
  'nigga',
  'nympho',
  'octoroon',
  'orgasm',
  'paedophil',
  'pedophil',
  'penis',
  'piccaninn',
  'pickaninn',
  'pimp',
  'pisse',
  'pissi',
  'poofter',
  'porn',
  'pussies',
  'quadroon',
  'redskin',
  'retarde',
  'shit',
  'sodom',
  'shylock',
  'slut',
  'spastic',
  'twat',
  'vagina',
  'wank',
  'wetback',
  'whore',
] as const;
/** Words that are crude or a slur as they stand, and harmless words begin with them. */
const WHOLE: ReadonlySet<string> = new Set(
  [
    'abo abos anal anus anuses arse arses ass asses boche boches boner boners boob boobs boong boongs',
    'chink chinks clit clits clitoris cock cocks coolie coolies coon coons dago dagoes dagos darky dick dicks',
    'dyke dykes fag fags goy goyim gyp gypped gyps haole haoles hebe hebes homo homos honky hooker hookers japs',
    'jewed jewing kike kikes kraut krauts lesbo lesbos lez lezzes nance nances paki piss poof poofs prick pricks',
    'pube pubes pussy quim rectum retard retards sambo sambos semen sheeny shiksa shiksas spic spics spick spicks',
    'spik spiks tit tits titties titty wog wogs wop wops yid yids',
  ].flatMap((line) => line.split(' ')),
);
/** Harmless words that begin like those. */
const HARMLESS =
  /^(?:chinamp|farth|fartl|negron|penist|pimpern|pimpl|retarder|shita|shittah|shittim|shitz|twattl)/;
const CRUDE = new RegExp(`^(?:${BEGINNINGS.join('|')})`);

/**
 * Words that are right to play, and that we don't put forward where there is another: slurs, crude words,
 * and those that no board of ours is built around either.
 */
export function isUnseemly(word: string): boolean {
  if (WHOLE.has(word) || isUnwelcome(word)) return true;
  return CRUDE.test(word) && !HARMLESS.test(word);
}
