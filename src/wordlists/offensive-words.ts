import { isUnwelcome } from '../solver/unwelcome.ts';

/** Slurs and crude words by their beginnings; each was looked at in our list for harmless words that begin alike. */
const BEGINNINGS =
  `anilinct anilingu arsehole asshole badass ballock bewhor bitch blowjob bollock brainfart bugger bullshit
  chickenshit chinam clitor cocksuck cocktease cunnili cunt darkie dickhead dildo ejaculat fagg fart fellat
  fuck gippo golliwog gollywog gypp halfbreed hardass honkie horseshit hottentot incest jiveass jigaboo kaffir
  lezzi merde mongoloid motherfuck mulatt necrophil negress negro nigga niggard nigger nympho octoroon orgasm
  paedophil pederast pedophil penis piccaninn pickaninn pikey pimp pissant pisse pissi poofter poontang poov
  porn pussies quadroon redskin renigg retarde scrot shegetz shiks shit shylock slut smegma sodom sonsofbitch
  sparrowfart spastic twat vagina vulva wank wetback whor wigga wigger`.split(/\s+/);
/** Words that are crude or a slur as they stand, and harmless words begin with them. */
const WHOLE: ReadonlySet<string> = new Set(
  `abo abos anal anus anuses arse arsed arses ass asses boche boches boner boners boob boobs boong boongs
  chink chinkie chinkies chinks chinky clit clits cock cocks coolie coolies coon coons dago dagoes dagos darkey
  darkeys darky dick dicks dyke dykes fag fagot fagots fags goy goyim gyp gyps haole haoles hebe hebes homo homos
  honky hooker hookers japs jew jewed jewie jewies jewing jews kike kikes kraut krauts lesbo lesbos lez lezzes
  merkin merkins midget midgets minge minges mong mongs nance nances paki piss poof poofs prick pricks pube pubes
  punani pussy quim rectum retard retards sambo sambos semen sheeny spic spics spick spicks spik spiks tit tits
  titties titty trannies tranny wog wogs wop wops yid yids`.split(/\s+/),
);
/** Harmless words that begin like those, or like those that no board is built around. */
const HARMLESS = new RegExp(
  `^(?:${`chinamp crapaud crape crapie craping craple crapshoot crapul crapy farth fartl lynchet lynchpin negron
  nymphole penist pimpern pimpl pissasph pissoir rapeseed retarder shita shittah shittim shitz slavered slaverer
  slavering spermac spermop squawbush squawroot turdi turdo turdu twattl whorl whort`
    .split(/\s+/)
    .join('|')})`,
);
const CRUDE = new RegExp(`^(?:${BEGINNINGS.join('|')})`);

/**
 * Words that are right to play, and that we don't put forward where there is another: slurs, crude words,
 * and those that no board of ours is built around either.
 */
export function isOffensive(word: string): boolean {
  if (WHOLE.has(word)) return true;
  return (CRUDE.test(word) || isUnwelcome(word)) && !HARMLESS.test(word);
}
