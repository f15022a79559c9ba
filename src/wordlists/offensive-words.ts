import { isAvoided } from '../solver/avoided-words.ts';

/** Beginnings of slurs and crude words. Each was checked in our list for harmless words with the same beginning. */
const BEGINNINGS =
  `anilinct anilingu arsehole asshole badass ballock bewhor bitch blowjob bollock brainfart bugger bullshit
  chickenshit chinam clitor cocksuck cocktease cunnili cunt darkie dickhead dildo ejaculat fagg fart fellat
  fuck gippo golliwog gollywog gypp halfbreed hardass honkie horseshit hottentot incest jiveass jigaboo kaffir
  lezzi merde mongoloid motherfuck mulatt necrophil negress negro nigga niggard nigger nympho octoroon orgasm
  paedophil pederast pedophil penis piccaninn pickaninn pikey pimp pissant pisse pissi poofter poontang poov
  porn pussies quadroon redskin renigg retarde scrot shegetz shiks shit shylock slut smegma sodom sonsofbitch
  sparrowfart spastic twat vagina vulva wank wetback whor wigga wigger`.split(/\s+/);
/** Slurs and crude words that are listed whole, since harmless words begin with them. */
const WHOLE: ReadonlySet<string> = new Set(
  `abo abos anal anus anuses arse arsed arses ass asses boche boches boner boners boob boobs boong boongs
  chink chinkie chinkies chinks chinky clit clits cock cocks coolie coolies coon coons dago dagoes dagos darkey
  darkeys darky dick dicks dyke dykes fag fagot fagots fags goy goyim gyp gyps haole haoles hebe hebes homo homos
  honky hooker hookers japs jew jewed jewie jewies jewing jews kike kikes kraut krauts lesbo lesbos lez lezzes
  merkin merkins midget midgets minge minges mong mongs nance nances paki piss poof poofs prick pricks pube pubes
  punani pussy quim rectum retard retards sambo sambos semen sheeny spic spics spick spicks spik spiks tit tits
  titties titty trannies tranny wog wogs wop wops yid yids`.split(/\s+/),
);
/** Beginnings of harmless words among those, and among the words that no board is built around. */
const HARMLESS = new RegExp(
  `^(?:${`chinamp crapaud crape crapie craping craple crapshoot crapul crapy farth fartl lynchet lynchpin negron
  nymphole penist pimpern pimpl pissasph pissoir rapeseed retarder shita shittah shittim shitz slavered slaverer
  slavering spermac spermop squawbush squawroot turdi turdo turdu twattl whorl whort`
    .split(/\s+/)
    .join('|')})`,
);
const CRUDE = new RegExp(`^(?:${BEGINNINGS.join('|')})`);

/**
 * Words that are right to play but are shown after others: slurs, crude words, and the words that no
 * generated board is built around.
 */
export function isOffensive(word: string): boolean {
  if (WHOLE.has(word)) return true;
  return (CRUDE.test(word) || isAvoided(word)) && !HARMLESS.test(word);
}
