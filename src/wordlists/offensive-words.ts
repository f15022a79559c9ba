import { AVOIDED } from '../solver/difficulty.ts';

/**
 * Beginnings of slurs and crude words. Each was checked in our list for harmless words with the same beginning. They are
 * written out rather than as digests, so that people can review them, and since short words are guessed from digests.
 */
const BEGINNINGS =
  `anilinct anilingu arsehole asshole badass ballock bestialit bewhor bitch blackfellow blowjob bollock brainfart
  bugger bullshit bumsucker catamit chickenshit chinam clitor cocksuck cocktease coital coition coitus
  cunnili cunt darkie dickhead diddicoi diddicoy didicoi didicoy dildo douchebag ejaculat erotic fagg fart
  felch fellat fuck gippo golliwog gollywog gypp halfbreed hardass honkey honkie horseshit
  hottentot incest jigaboo jiveass kaffir kafir knobhead ladyboy lezzi merde miscegen mongolism mongoloid
  motherfuck mulatt nazi necrophil negress negro nigga niggard nigger nympho octoroon onanis orgasm orgiast
  paedophil peckerwood pederast pedophil penis phallic piccaninn pickaninn pikey pillock pimp pissant pisse pissi
  poofter poontang poov porn pussies quadroon redskin renigg retarde schvartze schwartze scrot sexploit sexpot
  sheeney sheenie shegetz shiks shit shtup shylock slut smegma sodom sonsofbitch sparrowfart spastic
  tosser trannie twat vagina vulva wank wetback whor wigga wigger zoophil`.split(/\s+/);
/** Slurs and crude words that are listed whole, since harmless words begin with them. */
const WHOLE: ReadonlySet<string> = new Set(
  `abo abos anal anus anuses arse arsed arses ass asses bint bints boche boches bohunk bohunks
  boner boners boob boobs boong boongs bosche bosches bubbies bubby bunghole bungholes butthead buttheads chav
  chavs chink chinkie chinkies chinks chinky clit clits cock cocks coolie coolies coon coons cum cumming cums dago
  dagoes dagos darkey darkeys darky dick dicks dyke dykes dyking fag fagot fagots fags fannies fanny feck fecking
  frigged frigging gimp gimps gippies gippy gipsies gipsy goy goyim gyp gyps gypsies gypsy haole
  haoles hebe hebes homo homos honky hoochie hoochies hooker hookers hussies hussy japs jew jewed jewie jewies
  jewing jews kanaka kanakas kike kikes kraut krauts lesbo lesbos lez lezzes limey limeys lubra lubras merkin
  merkins mick micks midget midgets minge minger mingers minges minging mong mongs munt munter munters munts nance
  nances nonce nonces nookie nookies nooky ofay ofays orgies orgy paki piss pommie pommies pommy ponce ponced
  ponces poncey poncing poof poofs prick pricks pube pubes punani pussy quim raping rectum reffo reffos retard
  retards rimming sambo sambos semen sheeny skank skanks skanky slapper slappers spic spick spicks spics spik
  spiks taig taigs tit tits titties titty trannies tranny twink twinks whitey whiteys whities wog wogs wop wops
  yid yids`.split(/\s+/),
);
/**
 * Beginnings of harmless words that would match, here or among the words that no board is built around. Words for what
 * people are don't offend.
 */
const HARMLESS = new RegExp(
  `^(?:${`bisexual chinamp crapaud crape crapie craping craple crapshoot crapul crapy cumshaw farth fartl heterosexual
  homophob homosexual lesbian lynchet lynchpin nazir negron nymphole penist pimpern pimpl pissasph pissoir
  rapeseed retarder sexist sexual shita shittah shittim shitz slavered slaverer slavering spermac spermop
  squawbush squawroot transsexual transvestite turdi turdo turdu twattl whorl whort`
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
  return (CRUDE.test(word) || AVOIDED.test(word)) && !HARMLESS.test(word);
}

const CRUDE_ALONE = new RegExp(`^(?:${BEGINNINGS.join('|')})(?:s|es|ed|er|ers|ing|y)?$`);

/** Whether letters spell a slur or a crude word from their first to their last, perhaps with an ending. */
export function spellsCrudeWord(letters: string): boolean {
  return WHOLE.has(letters) || CRUDE_ALONE.test(letters);
}

const CRUDE_INSIDE = new RegExp(BEGINNINGS.join('|'));

/** Whether there is a crude word anywhere in these letters. There is one in many a harmless word. */
export function hasCrudePart(letters: string): boolean {
  return CRUDE_INSIDE.test(letters);
}

/** Letters of the shortest listed word. */
const SHORTEST = 3;

/**
 * Whether letters that people see side by side spell such a word, wherever it begins and ends.
 *
 * @example spellsOffensive('ozunri') // false
 */
export function spellsOffensive(letters: string): boolean {
  for (let start = 0; start + SHORTEST <= letters.length; start++) {
    for (let end = start + SHORTEST; end <= letters.length; end++) {
      if (isOffensive(letters.slice(start, end))) return true;
    }
  }
  return false;
}
