/**
 * Decides which words the program never suggests: as an answer of the house, in a hint, on a path, in a title or as an
 * example. `check` and `play` judge them like any other word. The lists of the npm packages cuss (MIT) and naughty-words (CC
 * BY 4.0) and the words that WordNet marks as slurs or obscene were searched for our words; a test checks that none of the
 * first two is left out without a reason. They are written out, since short words are guessed from digests.
 */

/**
 * A list of `word`, `beginning*` of words, `*beginning*` that is also looked for inside letters that are no word, and `!beginning*` of
 * harmless words that would match. Each beginning was checked in our word list.
 */
function listed(text: string) {
  const entries = text.split(/\s+/);
  const matching = (kind: RegExp) =>
    entries.filter((entry) => kind.test(entry)).map((entry) => entry.replace(/[*!]/g, ''));
  const words = new Set(entries);
  const begins = new RegExp(`^(?:${matching(/^[^!].*\*$/).join('|')})`);
  const harmless = new RegExp(`^(?:${[...matching(/^!/), '$'].join('|')})`);
  return {
    has: (word: string) => words.has(word) || (begins.test(word) && !harmless.test(word)),
    inside: new RegExp(matching(/^\*/).join('|')),
    anywhere: new RegExp(matching(/^[^!]/).join('|')),
  };
}

/** Slurs, crude words, and words about violence and about what hurts people. */
const CRUDE = listed(
  `abo abos anal *anilinct* *anilingu* anus anuses arse arsed *arsehole* arses ass asses *asshole* *badass* *ballock* bastard*
    behead* *bestialit* *bewhor* bint bints *bitch* *blackfellow* *blowjob* boche boches bohunk bohunks *bollock* boner boners
    boob boobs boong boongs bosche bosches *brainfart* bubbies bubby *bugger* *bullshit* *bumsucker* bunghole bungholes butthead
    buttheads *catamit* chav chavs *chickenshit* *chinam* chink chinkie chinkies chinks chinky clit *clitor* clits cock cocks
    *cocksuck* *cocktease* *coital* *coition* *coitus* coolie coolies coon coons crap* cripple* cum cumming cums* *cunnili*
    *cunt* dago dagoes dagos darkey darkeys *darkie* darky dick *dickhead* dicks *diddicoi* *diddicoy* *didicoi* *didicoy*
    *dildo* *douchebag* dyke dykes dyking *ejaculat* enslave* *erotic* fag *fagg* fagot fagots fags fannies fanny *fart* feck
    fecking *felch* *fellat* frigged frigging *fuck* genital* genocid* gimp gimps gippies *gippo* gippy gipsies gipsy *golliwog*
    *gollywog* gook* goy goyim gyp *gypp* gyps gypsies gypsy *halfbreed* haole haoles *hardass* hebe hebes homo homos *honkey*
    *honkie* honky hoochie hoochies hooker hookers *horseshit* *hottentot* hussies hussy *incest* jackass* japs jew jewed jewie
    jewies jewing jews *jigaboo* *jiveass* *kaffir* *kafir* kanaka kanakas kike kikes *knobhead* kraut krauts *ladyboy* lesbo
    lesbos lez lezz lezzes *lezzi* limey limeys lubra lubras lynch* massacre* masturbat* *merde* merkin merkins mick micks
    midget* milf milfs minge minger mingers minges minging *miscegen* molest* mong *mongolism* *mongoloid* mongs *motherfuck*
    *mulatt* munt munter munters munts nance nances *nazi* *necrophil* *negress* *negro* *nigga* *nigger* nonce nonces nookie
    nookies nooky *nympho* *octoroon* ofay ofays *onanis* *orgasm* *orgiast* orgies orgy *paedophil* paki *peckerwood*
    *pederast* *pedophil* *penis* *phallic* *piccaninn* *pickaninn* *pikey* *pillock* *pimp* piss *pissant* *pisse* *pissi*
    pommie pommies pommy ponce ponced ponces poncey poncing poof poofs *poofter* poonce poonced poonces pooncing *poontang*
    *poov* *porn* prick pricks prostitut* pube pubes punaani punani *pussies* pussy *quadroon* quim rape* raping rapist* rectum
    *redskin* reffo reffos *renigg* retard *retarde* retards rimming sambo sambos *schvartze* *schwartze* *scrot* semen
    *sexploit* *sexpot* *sheeney* *sheenie* sheeny *shegetz* *shiks* *shit* *shtup* *shylock* skank skanks skanky slapper
    slappers slave* *slut* *smegma* *sodom* *sonsofbitch* *sparrowfart* *spastic* sperm* spic spick spicks spics spik spiks
    squaw* suicid* taig taigs terroris* tit tits titties titty tortur* *tosser* *trannie* tranny turd* *twat* twink twinks
    *vagina* *vulva* *wank* *wetback* whitey whiteys whities *whor* *wigga* *wigger* wog wogs wop wops yid yids *zoophil*
    !chinamp* !crapaud* !crape* !crapie* !craping* !craple* !crapshoot* !crapul* !crapy* !cumshaw* !farth* !fartl* !lynchet*
    !lynchpin* !nazir* !negron* !nymphole* !penist* !pimpern* !pimpl* !rapeseed* !retarder* !shita* !shittah* !shittim* !shitz*
    !slavered* !slaverer* !slavering* !spermac* !spermop* !squawbush* !squawk* !squawroot* !turdi* !turdo* !turdu* !twattl*
    !whorl* !whort*`,
);
/** Words that are offensive without being crude: nobody wants to read them in front of colleagues. */
const UNWELCOME = listed(
  `apartheid autoerot* bampot* barf barfed barfing barfs bazoom* bestial* bimbo* blacks boink* bondage bonk bonked bonking
    bonks boobie* boonga boongas bordello* breasts brothel* bufty busty butch butt buttock* butts cathouse* chode clansm*
    clanswom* cockfight* condom condoms cooly cooter* coprophil* copulat* cracka cretin* crotch crotches cuckold* cybersex
    dammit damn damndest damned damnedest damning damns diarrh* dike dikes dimwit* dink dinks dirtbag* dominatri* dong dongs
    doodoo douch* enema enemas erection* eunuch* excrement* excret* faecal faeces fathead* fatso* fecal feces flatulen* floozie*
    floozy fondl* foreskin* fornicat* fubar fugly gigolo* ginzo* goddam* gonorrh* gora goras greaseball* greaser* gringo* grope*
    groping hairyback* halfwit* harlot* hell hells heroin hillbill* hoe hoer* hoes holocaust* homoerot* honkers hooters hori
    horis hornie* horny humping hymen hymens illegals imbecil* incontinen* intercourse jihad* kinkie* kinky labia laxativ*
    lecher* lewd* libid* lovemaking lowlife* lunatic* lust lusted lustful* lusting lusts masochis* menstru* meth moron* mzungu*
    nigers nipple nipples nips nob nobs nude nudes* nudie nudies nudism nudist* nudity numbskull* nymphet* orgast* paederast*
    pantie* panty pecker* pee peed peeing peepshow* pees penile perv pervert* pervs pervy phlegm picaninny playboy* playgirl*
    pogrom* poo poon poop* poos promiscu* prurien* pubic puke puked pukes puking pus queer* racis* randier randiest randy
    raunch* ravish* redleg* redneck* sadis* scrog scum scumb* scummy sex sexed sexes sexie* sexily sexiness sexing sexless
    sexpert* sext sexting sexts sexy shag shagge* shagging shags shat sissie* sissified sissy slanty sleazeba* slimeball* smut
    smuts smutty sniggers snot snots snotty squarehead* stripper* striptease* strumpet* suck sucked sucker suckers sucking sucks
    swastik* swinger* syphil* tampon tampons teat teats teste testes testic* testis threesome* titillat* topless tramps tribad*
    trollop* tush tushie* tushy urin* uterus vag vags venereal vibrator vibrators voyeur* weenie weenies wench wenches whites
    wino winos wuss* !fondly* !scumbl* !scumber*`,
);
/** Words about sexuality and other private matters: they offend nobody, but no board is built around them. */
const PRIVATE = listed(
  `abortion* bisexual* cleavage* heterosexual* homophob* homosexual* lesbian* seduc* sexis* sexual* transsexual* transvestite*`,
);

/** Slurs, crude words and hurtful ones, which the name or note of a board that somebody makes may not contain. */
export const isCrude = CRUDE.has;

/** Words that people may play, but that the program itself never suggests, and lists after others. */
export function isOffensive(word: string): boolean {
  return CRUDE.has(word) || UNWELCOME.has(word);
}

/** Whether the program may build a board around a word, or point it out among the words that people found. */
export function isSuitable(word: string): boolean {
  return !isOffensive(word) && !PRIVATE.has(word);
}

/**
 * Whether a typed name's word, if it is none of the list, has a crude beginning in it anywhere. Not for words: many harmless
 * ones do.
 */
export function hasCrudePart(letters: string): boolean {
  return CRUDE.inside.test(letters);
}

/**
 * Whether letters that people see side by side spell a word that `isCrude` refuses, starting anywhere.
 *
 * @example spellsCrude('ozunri') // false
 */
export function spellsCrude(letters: string): boolean {
  return CRUDE.anywhere.test(letters);
}
