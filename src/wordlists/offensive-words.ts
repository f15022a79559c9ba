/**
 * Decides which words the program never suggests: as an answer of the house, in a hint, on a path, in a title or as an
 * example. `check` and `play` judge them like any other word. The lists of the npm packages cuss (MIT) and naughty-words (CC
 * BY 4.0) and the words that WordNet marks as slurs or obscene were searched for our words; a test checks that none of the
 * first two is left out without a reason.
 */

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
/** Slurs and crude words listed whole, since harmless words begin with them. */
const WHOLE_WORDS: ReadonlySet<string> = new Set(
  `abo abos anal anus anuses arse arsed arses ass asses bint bints boche boches bohunk bohunks
  boner boners boob boobs boong boongs bosche bosches bubbies bubby bunghole bungholes butthead buttheads chav
  chavs chink chinkie chinkies chinks chinky clit clits cock cocks coolie coolies coon coons cum cumming cums dago
  dagoes dagos darkey darkeys darky dick dicks dyke dykes dyking fag fagot fagots fags fannies fanny feck fecking
  frigged frigging gimp gimps gippies gippy gipsies gipsy goy goyim gyp gyps gypsies gypsy haole
  haoles hebe hebes homo homos honky hoochie hoochies hooker hookers hussies hussy japs jew jewed jewie jewies
  jewing jews kanaka kanakas kike kikes kraut krauts lesbo lesbos lez lezz lezzes limey limeys lubra lubras merkin
  merkins mick micks midget midgets minge minger mingers minges minging mong mongs munt munter munters munts nance
  nances nonce nonces nookie nookies nooky ofay ofays orgies orgy paki piss pommie pommies pommy ponce ponced
  ponces poncey poncing poonce poonced poonces pooncing poof poofs prick pricks pube pubes punaani punani pussy quim raping rectum reffo reffos retard
  retards rimming sambo sambos semen sheeny skank skanks skanky slapper slappers spic spick spicks spics spik
  spiks taig taigs tit tits titties titty trannies tranny twink twinks whitey whiteys whities wog wogs wop wops
  yid yids`.split(/\s+/),
);
/** Beginnings of harmless words that would match. */
const HARMLESS = new RegExp(
  `^(?:${`chinamp crapaud crape crapie craping craple crapshoot crapul crapy cumshaw farth fartl lynchet lynchpin nazir negron nymphole penist pimpern pimpl
  rapeseed retarder shita shittah shittim shitz slavered slaverer slavering spermac spermop
  squawbush squawk squawroot turdi turdo turdu twattl whorl whort`
    .split(/\s+/)
    .join('|')})`,
);
/** Beginnings of words about violence and about what hurts people. `hasCrudePart` does not look for them. */
const HURTFUL =
  `bastard behead crap cripple cums enslave genital genocid gook jackass massacre masturbat midget molest nymphoman
  pornograph prostitut rape rapist slave sperm squaw suicid terroris tortur turd lynch`.split(/\s+/);
const CRUDE_BEGINNING = new RegExp(`^(?:${[...BEGINNINGS, ...HURTFUL].join('|')})`);

/** Slurs, crude words and hurtful ones, which the name or note of a board that somebody makes may not contain. */
export function isCrude(word: string): boolean {
  return WHOLE_WORDS.has(word) || (CRUDE_BEGINNING.test(word) && !HARMLESS.test(word));
}

/**
 * Words that are offensive without being crude: nobody wants to read them in front of colleagues. Listed by the reason;
 * beginnings end in a star.
 */
const UNWELCOME = {
  /** Words in cuss or naughty-words, or marked by WordNet. */
  listed: `autoerot* bampot* barf barfed barfing barfs bazoom* bestial* boobie boobies boonga boongas brothel* butch butt
    butts chode clansman clansmen clanswoman clanswomen cockfight* condom condoms cooly cooter cooters coprophil* copulat*
    cracka crotch crotches cybersex dammit damn damndest damned damnedest damning damns dike dikes dink dinks dong dongs
    doodoo dominatri* douch* enema enemas erection erections eunuch* excrement* faeces fecal faecal
    fatso* feces flatulen* fondl* foreskin* fornicat* fubar fugly ginzo* goddam* gora goras greaseball* greaser greasers
    gringo* grope groped groper gropers gropes groping hairyback* heroin hillbill* hoe hoer hoers hoes homoerot* honkers
    hooters hori horis hornier horniest horny humping hymen hymens intercourse jihad* kinkier kinkiest kinky labia libid*
    lovemaking lust lusted lustful* lusting lusts masochis* meth milf milfs moron* mzungu* nips nob nobs nipple nipples
    nude nudes nudest nudie nudies nudism nudist* nudity nymphet* orgast* paederast* panties pantie panty pecker peckers
    pee peed peeing peepshow* pees penile perv pervert* pervs pervy playgirl* poo poon poop pooped pooping poops poos
    pubic puke puked pukes puking queer* racis* randier randiest randy redleg* redneck* sadis* sadist* scrog scum
    scumbag* scummy sex sexed sexes sexier sexiest sexily sexiness sexing sexless sexpert sexperts sexy shag shagged
    shagger shaggers shagging shags shat sissier sissies sissiest sissified sissy slimeball* smut smuts smutty sniggers
    squarehead* suck sucked sucker suckers sucking sucks swastik* swinger swingers syphil* teat teats teste testes testic*
    testis threesome* topless tribad* tush tushie tushies tushy uterus vag vags vibrator vibrators voyeur* weenie weenies
    wuss wusses wussier wussies wussiest wussy bondage bimbo* busty breasts blacks whites
    illegals hell hells bufty lezz nigers picaninny slanty`,
  /** Ours: insults for people, which the lists leave out. */
  insults: `dirtbag* dimwit* floozie* floozy harlot* lowlife* scumb* sleazeba* strumpet* trollop* wench wenches wino
    winos cretin* imbecil* lunatic* retards tramps halfwit* fathead* numbskull*`,
  /** Ours: sexual, or of what is sold as such. */
  sexual: `bonk bonked bonking bonks boink* cathouse* cuckold* gigolo* lecher* lewd* nooky playboy* promiscu* prurien* raunch*
    ravish* sext sexted sexting sexts stripper* striptease* titillat* venereal gonorrh* bordello*`,
  /** Ours: words about the body that nobody says at a table. */
  bodily: `buttock* diarrh* laxativ* phlegm snot snots snotty urin* incontinen* excret* menstru* tampon tampons pus`,
  /** Ours: killing and persecution. */
  violent: `holocaust* pogrom* apartheid`,
};
const UNWELCOME_WORDS: ReadonlySet<string> = new Set(wordsOfAll().filter((word) => !word.endsWith('*')));
const UNWELCOME_BEGINNINGS = new RegExp(
  `^(?:${wordsOfAll()
    .filter((word) => word.endsWith('*'))
    .map((word) => word.slice(0, -1))
    .join('|')})`,
);
/** Harmless words that begin so. */
const HARMLESS_BEGINNINGS = /^(?:fondly$|scumbl|scumber)/;

function wordsOfAll(): string[] {
  return Object.values(UNWELCOME).flatMap((words) => words.split(/\s+/));
}

/** Words that people may play, but that the program itself never suggests, and lists after others. */
export function isOffensive(word: string): boolean {
  if (isCrude(word) || UNWELCOME_WORDS.has(word)) return true;
  return UNWELCOME_BEGINNINGS.test(word) && !HARMLESS_BEGINNINGS.test(word);
}

/** Words about sexuality and other private matters: they offend nobody, but no board is built around them. */
const PRIVATE_TOPICS =
  /^(?:abortion|bisexual|heterosexual|homophob|homosexual|lesbian|sexis|sexual|seduc|cleavage|transsexual|transvestite)/;

/** Whether the program may build a board around a word, or point it out among the words that people found. */
export function isSuitable(word: string): boolean {
  return !isOffensive(word) && !PRIVATE_TOPICS.test(word);
}

const CRUDE_INSIDE = new RegExp(BEGINNINGS.join('|'));

/**
 * Whether a typed name's word, if it is none of the list, has a crude beginning in it anywhere. Not for words: many harmless
 * ones do. For letters that merely stand together, see `spellsCrude`.
 */
export function hasCrudePart(letters: string): boolean {
  return CRUDE_INSIDE.test(letters);
}

/** Letters of the shortest listed word. */
const MIN_LENGTH = 3;

/**
 * Whether letters that people see side by side spell a word that `isCrude` refuses, starting anywhere.
 *
 * @example spellsCrude('ozunri') // false
 */
export function spellsCrude(letters: string): boolean {
  for (let start = 0; start + MIN_LENGTH <= letters.length; start++) {
    for (let end = start + MIN_LENGTH; end <= letters.length; end++) {
      if (isCrude(letters.slice(start, end))) return true;
    }
  }
  return false;
}
