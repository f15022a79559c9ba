import { isAvoided } from '../solver/familiar.ts';

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

/** Digits and signs that people write for letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Whether a short text has such a word: with accents, digits for letters, letters repeated or set apart, or inside of
 * a word that is in no list. Harmless words that contain one, such as "classic", are none.
 *
 * @example hasOffensiveWord('Classic cocktails', isWord) // false
 */
export function hasOffensiveWord(text: string, isWord: (word: string) => boolean): boolean {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[013457@$!]/g, (sign) => LOOKALIKES[sign]!);
  const words = plain.split(/[^a-z]+/).filter((word) => word !== '');
  return [...words, ...apart(words)].some((word) => {
    const single = word.replace(/(.)\1+/g, '$1');
    if (isOffensive(word) || isOffensive(single)) return true;
    return !isWord(word) && [word, single].some((one) => CRUDE_INSIDE.test(one));
  });
}

const CRUDE_INSIDE = new RegExp(BEGINNINGS.join('|'));

/** Single letters in a row, as one word. */
function apart(words: readonly string[]): string[] {
  return words
    .map((word) => (word.length === 1 ? word : ' '))
    .join('')
    .split(' ')
    .filter((word) => word.length >= SHORTEST);
}
