/**
 * Remarks by their kind. Each names one of its words: the board has all letters of that word, and yet nobody can play it. In
 * the text, `…` is the word, and `a …` becomes `an …` where it must. What depends on the date, such as weekdays, is left out,
 * and so are words that are only people’s names: somebody in the channel may have one.
 */
export const CAGED: Readonly<Record<string, readonly [text: string, words: string]>> = {
  animal: [
    'A … is in the box and can’t get out.',
    `tiger lion panda zebra camel koala horse goat badger beaver donkey jaguar
    leopard monkey panther puma rhino skunk weasel wolf fox bear hare lynx mole bison
    coyote elephant hedgehog hamster antelope crocodile walrus chimp`,
  ],
  bird: [
    'A … sits in the box and can’t fly away.',
    `heron eagle robin raven swan duck crow finch crane stork pigeon pelican penguin
    turkey vulture falcon hawk owl dove quail canary flamingo magpie ostrich peacock pheasant toucan wren
    nightingale blackbird kingfisher`,
  ],
  fish: [
    'A … swims round and round in the box.',
    `shark whale trout salmon tuna carp dolphin seal squid octopus lobster crab shrimp pike perch cod sardine
    piranha goldfish swordfish stingray anchovy clam oyster turtle`,
  ],
  insect: [
    'There is a … in the box. Better leave it there.',
    `spider hornet wasp mosquito moth flea tick bedbug scorpion tarantula cricket centipede cobra viper python
    termite locust roach slug`,
  ],
  dog: [
    'A … is in the box, and nobody can take it for a walk.',
    `beagle boxer spaniel corgi husky labrador dachshund pointer hound pug
    retriever greyhound chihuahua`,
  ],
  fruit: [
    'Somebody left a … in the box, and it won’t come out.',
    `lemon melon mango peach pear plum banana grape lime orange papaya apricot coconut kiwi fig date olive
    nectarine tangerine clementine pomegranate avocado`,
  ],
  vegetable: [
    'There is a … in the box, but the cook can’t get at it.',
    `onion potato radish turnip tomato pumpkin lentil cucumber parsnip
    artichoke cauliflower pea bean`,
  ],
  dessert: [
    'For dessert, … is in the box and out of reach.',
    `pie cake sorbet gelato trifle tart sundae brownie custard tiramisu sherbet candy
    nougat fudge meringue marzipan caramel strudel chocolate`,
  ],
  dish: [
    'On the menu: …. The waiter got lost.',
    `pasta stew soup lasagna chili burger taco omelet sushi ramen salad gumbo goulash
    ravioli kebab falafel pancakes dumplings meatloaf chowder steak roast`,
  ],
  drink: [
    '… is in the box, and nobody can pour it.',
    'cocoa tea juice milk cider lemonade water soda mocha milkshake punch tonic',
  ],
  spice: [
    'Pass the …? It is in the box and won’t come out.',
    'salt cumin basil thyme oregano paprika nutmeg ginger garlic mustard parsley sage mint',
  ],
  cheese: [
    'There is … in the box, and the fridge is locked.',
    'brie gouda feta edam parmesan gruyere stilton yogurt cream bacon ham salami',
  ],
  country: [
    'All of … is here, but the border is closed.',
    `france spain italy germany poland norway sweden denmark ireland iceland portugal austria belgium canada mexico
    brazil peru chile cuba jamaica japan india china nepal kenya egypt ghana mali oman vietnam thailand
    malta cyprus ecuador bolivia uruguay panama tonga samoa fiji latvia estonia finland hungary romania croatia angola
    madagascar luxembourg`,
  ],
  state: [
    'All of … is here, and there is no way to get to it.',
    `texas maine ohio utah idaho iowa kansas nevada oregon florida alabama alaska arizona montana delaware
    vermont wyoming colorado michigan indiana nebraska maryland louisiana california`,
  ],
  city: [
    'All roads lead to …, but not on these sides.',
    `rome paris london berlin madrid lisbon dublin prague oslo athens cairo delhi tokyo kyoto seoul lima boston
    chicago denver miami houston portland orlando toronto montreal sydney melbourne geneva milan venice
    florence naples moscow hamburg cologne munich zurich bern istanbul`,
  ],
  landscape: [
    'There is a … in the box, and no way across.',
    'canyon desert river ocean glacier jungle swamp mountain gorge marsh moat ravine',
  ],
  instrument: [
    'There is a … in the box that nobody can play.',
    `piano violin flute guitar trumpet trombone tuba banjo harp horn drum organ oboe clarinet bugle
    ukulele harmonica mandolin saxophone tambourine lute lyre viola`,
  ],
  sport: [
    '… is in the box, but it can’t be played today.',
    `golf rugby hockey polo cricket badminton poker bridge dominoes
    croquet darts bingo bowling solitaire`,
  ],
  color: [
    '… is in the box, and it won’t come out in the wash.',
    'orange purple violet indigo crimson scarlet pink brown beige ivory turquoise lavender magenta cyan gold',
  ],
  space: [
    '… is in the box, light-years out of reach.',
    'saturn mars venus jupiter uranus neptune mercury pluto orion sirius polaris andromeda titan europa ceres vega rigel',
  ],
  treasure: [
    'There is a … in the box, and nobody can dig it out.',
    'ruby diamond pearl opal topaz emerald garnet treasure medal trophy crown dinosaur bone',
  ],
  tree: [
    'A … has its roots in this box. It isn’t going anywhere.',
    'maple oak pine cedar birch elm poplar sequoia spruce fir palm baobab hazel alder larch',
  ],
  flower: [
    'A … blooms in the box, and nobody can pick it.',
    `tulip rose daisy lily orchid pansy lilac iris violet dahlia carnation marigold sunflower
    geranium begonia crocus peony petunia magnolia snowdrop`,
  ],
  vehicle: [
    'There is a … in the box, stuck in traffic.',
    'taxi truck bus van train tram car bike tractor limousine ambulance minivan motorbike wagon sedan trailer',
  ],
  boat: [
    'A … is in the box, high and dry.',
    'canoe boat yacht kayak raft tanker submarine dinghy gondola trawler cruiser barge lifeboat',
  ],
  clothes: [
    'A … is packed in the box, and nobody can put it on.',
    `shirt coat jacket sweater skirt scarf hat cap glove sock sandal kimono poncho tuxedo cardigan raincoat
    blazer bikini apron parka turban beret tunic`,
  ],
  tool: [
    'A … is in this toolbox, and the lid is stuck.',
    'wrench chisel saw shovel spade rake crowbar sander screwdriver nail screw file lathe anvil',
  ],
  kitchen: [
    'The … is in the drawer, and the drawer is stuck.',
    'fork knife ladle whisk spatula grater sieve pencil stapler ruler eraser corkscrew tape glue key',
  ],
  furniture: [
    'A … is in the box, and it won’t fit through the door.',
    'sofa couch table chair bed desk wardrobe cupboard cabinet armchair bench cradle',
  ],
  job: [
    'The … is in the box and can’t see you today.',
    `dentist doctor lawyer baker barber tailor plumber teacher banker butcher surgeon notary dean judge mayor
    optician mechanic carpenter psychiatrist electrician`,
  ],
  monster: [
    'There is a … in the box. Luckily, it can’t get out.',
    'dragon monster witch vampire werewolf ghost goblin giant ogre zombie demon phantom pirate cyclops hydra kraken',
  ],
  myth: [
    '… is in the box, and not amused.',
    'zeus hera athena hermes ares hades poseidon odin thor loki juno mars minerva neptune cupid hercules medusa',
  ],
  weather: [
    'The forecast: …, but it stays in the box.',
    'thunder lightning rain snow hail storm fog mist frost tornado cyclone sunshine',
  ],
  dance: [
    'Nobody dances the … here: the sides are in the way.',
    'tango waltz polka rumba samba salsa mambo foxtrot quickstep charleston conga twist macarena bolero cancan hula limbo',
  ],
  music: [
    '… is in the box, if you listen closely.',
    'blues rock soul techno opera gospel ragtime disco metal country swing grunge folk punk funk muzak',
  ],
  subject: [
    'No … today: it is in the box and stays there.',
    'algebra biology chemistry physics history geometry calculus latin math homework gym yoga housework ironing',
  ],
  number: [
    '… is in the box, but you can’t count on it.',
    'seven four five six eight nine eleven twelve twenty thirty forty fifty sixty hundred thousand',
  ],
  shape: [
    'There is a … in this square.',
    'circle triangle oval cube sphere cone pentagon hexagon octagon rhombus cylinder spiral pyramid rectangle parabola',
  ],
  building: [
    'A … is in the box, and its gate is shut.',
    'castle church tower temple palace museum barn stable stadium factory theater hospital cathedral fort mansion',
  ],
  money: [
    'There is a … in the box, and nobody can spend it.',
    'dime cent nickel peso ruble franc pound euro yen coin florin ducat guilder fortune',
  ],
  royalty: [
    'The … is in the box and receives no visitors.',
    'king prince duke earl baron count emperor sultan knight pharaoh czar',
  ],
  feeling: [
    'There is … in the box. You may feel it, but not play it.',
    'joy pride love envy anger fear delight wonder hunger boredom doubt courage nostalgia trust mirth',
  ],
  language: [
    '… is in the box, but it isn’t spoken here.',
    'english latin french spanish german italian hindi arabic turkish danish dutch polish welsh icelandic zulu',
  ],
  greek: [
    '… is in the box, and it’s all Greek to the sides.',
    'alpha beta delta epsilon zeta theta iota lambda omicron sigma upsilon omega plato homer aristotle euclid',
  ],
  unit: [
    'A … is in the box, and it won’t go the distance.',
    'mile meter yard inch furlong kilometer fathom league marathon sprint relay triathlon parsec',
  ],
  gadget: [
    'The … is in the box and doesn’t respond.',
    'laptop modem router printer tablet camera phone radio robot toaster remote keyboard computer television microwave',
  ],
  stage: [
    '… is in the box, waiting for an entrance.',
    'hamlet macbeth romeo juliet ophelia faust figaro tosca aida iago banquo lear prospero',
  ],
  baggage: [
    'A … was packed in this box, and it won’t come out.',
    'suitcase blanket towel tent lantern backpack parcel basket bucket trunk map',
  ],
  agency: ['The … is in the box. You have seen nothing.', 'fbi cia nsa mafia spy secret agent police'],
  signal: ['… is in the box: no signal here.', 'wifi radar sonar bluetooth morse gps sos'],
  long: [
    'The letters of … are all here, on the wrong sides.',
    `midnight holiday birthday children distance champion breakfast candlelight carnival universe paradise sandwich starlight
    daylight sunlight friendly neighbor original platinum romantic fountain discovery adventure orchestra
    telescope astronaut harmony yesterday calendar luncheon chandelier trampoline playground newspaper dictionary alphabet
    handwriting jackpot quickly journey rainbow whisper daydream solution algorithm education
    dialogue authentic formula duplicate blackout background copyright`,
  ],
};

/** Words that a whole side can spell. No solution contains them, since their letters share a side. */
export const SIDE_WORDS =
  `ace act age ago aid aim air ale ant ape apt arc are arm art ash ask ate bad bag ban bar bat
  bay bed beg bet bid big bin bit bow box boy bud bug bun bus but buy cab can cap car cat cop cow cry cub cup
  cut dab day den dew did dig dim dip doe dog dot dry due dug ear eat elf elk elm end era fan far fat fax fed
  few fig fin fit fix fly fog for fox fry fun fur gap gas gel gem get gin got gum gut guy gym had ham has hat
  hay hem hen her hid him hip his hit hog hop hot how hub hug hum hut ice ink ion ivy jam jar jaw jet job jog
  joy jug keg key kid kin kit lab lap law lay led leg let lid lie lip lit log lot low mad man map mat may men
  met mix mob mop mud mug nap net new nod nor not now nut oak oar oat odd off oil old one orb our out owl own
  pad pal pan paw pay pea peg pen pet pie pig pin pit pod pot pro pub pug put ram ran rap rat raw ray red rib
  rid rig rim rob rod rot row rub rug rum run rye sad sap sat saw say sea set sew she shy sip sir sit six ski
  sky sly son sow soy spa spy sun tab tag tan tap tar tax tea ten the tie tin tip toe ton top toy try tub tug
  two use van vat vet vow war was wax way web wet who why wig win wit wok won yak yam yes yet you zip zoo`
    .toUpperCase()
    .split(/\s+/);
