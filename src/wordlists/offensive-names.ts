import { skeletonOf } from './confusables.ts';
import { OFFENSIVE_LANGUAGES, offensiveIn } from './offensive-list.ts';
import { hasCrudePart, isCrude } from './offensive-words.ts';

/** Signs that are written in place of letters. */
const SIGNS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '!': 'i',
};

/** Names of people, places, animals and books that a list of words would refuse. */
const NAMES = new RegExp(
  `(?<!\\p{L})(?:${`ashita atwater bitche clitheroe cockburn ignazia ignazio karpenisi kinoshita lesbos lightwater lynchburg
  matsushita middelfart miyashita montenegro morishita nazim nazira penistone peniscola scunthorpe slutsk supaporn takeshita
  wankel yamashita yoshito yoshitomi dick.tracy dick.van.dyke maine.coons? moby.dick rio.?negro`
    .split(/\s+/)
    .join('|')})(?!\\p{L})`,
  'gu',
);

/** Languages that are written without spaces, or with endings. */
const UNSPACED: readonly string[] = ['ja', 'ko', 'th', 'zh'];
/** Shorter words in the Latin alphabet are too often a name, or a word of another language. */
const MIN_FOREIGN_LENGTH = 4;
/** English words of two letters. Word lists of the game begin with three. */
const SHORT_WORDS: ReadonlySet<string> = new Set(
  `a i ad am an as at be by do go ha he hi ho if in is it me my no of oh ok on or ox pi so to up us we`.split(
    ' ',
  ),
);

const REPEATED = /(.)\1+/gu;

/**
 * The words of `offensive-list`, which has many languages, as skeletons without the separators between the words of a phrase.
 * `isCrude` and `hasCrudePart` know English words alone, by their beginnings.
 */
interface Listed {
  readonly english: ReadonlySet<string>;
  /** Words of all languages with spaces, English too. Not found inside other words. */
  readonly spaced: ReadonlySet<string>;
  readonly phrases: ReadonlySet<string>;
  readonly unspaced: readonly string[];
}

let cached: Listed | undefined;

function readList(): Listed {
  const joined = (words: readonly string[]) => words.map((word) => wordsOf(skeletonOf(word)).join(''));
  const spaced = OFFENSIVE_LANGUAGES.filter((language) => !UNSPACED.includes(language));
  const all = spaced.flatMap(offensiveIn);
  return {
    english: new Set(joined(offensiveIn('en'))),
    spaced: new Set(joined(all).filter((word) => word.length >= MIN_FOREIGN_LENGTH || /[^a-z]/.test(word))),
    phrases: new Set(joined(all.filter((word) => word.includes(' ')))),
    unspaced: joined(
      OFFENSIVE_LANGUAGES.filter((language) => UNSPACED.includes(language)).flatMap(offensiveIn),
    ),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
}

/**
 * Whether people would read a slur or a crude word in a short text, including look-alike letters, digits for letters,
 * repeated or separated letters, words in parts, and words inside a word that no list has. Harmless words that contain one,
 * such as "classic", don't count.
 *
 * @param isWord whether a dictionary has a word: those that it has are harmless unless they are crude or listed in English
 * @example hasOffensiveWord('Classic cocktails', isWord) // false
 */
export function hasOffensiveWord(text: string, isWord: (word: string) => boolean): boolean {
  cached ??= readList();
  const listed = cached;
  const { unspaced } = listed;
  const plain = skeletonOf(text)
    .replace(/[013457]|!(?=\p{L})/gu, (sign) => SIGNS[sign]!)
    .replace(NAMES, ' , ');
  const words = wordsOf(plain);
  const whole = words.join('');
  if (unspaced.some((word) => whole.includes(word))) return true;
  if (words.some((word) => isOffensiveAlone(word, isWord, listed))) return true;
  return isOffensiveInParts(words, isWord, listed);
}

function isOffensiveAlone(
  word: string,
  isWord: (word: string) => boolean,
  { english, spaced }: Listed,
): boolean {
  const single = word.replace(REPEATED, '$1');
  if (isCrude(word) || english.has(word)) return true;
  if (isWord(word)) return false;
  // Of letters that people stretch, as in "shiiit", three or more stand for one or two.
  const stretched = [word, word.replace(/(.)\1{2,}/gu, '$1'), word.replace(/(.)\1{2,}/gu, '$1$1')];
  const isStretched = isCrude(single) || stretched.some((one) => spaced.has(one) || isCrude(one));
  return isStretched || hasCrudePart(word) || hasCrudePart(single);
}

/** No listed phrase has more letters, and nobody would read a word in more parts. */
const MAX_TOGETHER = 32;

/** Tries each run of two or more neighbours whose letters can be a listed word or phrase. */
function isOffensiveInParts(
  words: readonly string[],
  isWord: (word: string) => boolean,
  listed: Listed,
): boolean {
  const isHarmless = words.map((word) => isWord(word) || SHORT_WORDS.has(word));
  for (let start = 0; start < words.length; start++) {
    let together = words[start]!;
    let areHarmless = isHarmless[start]!;
    for (let end = start + 1; end < Math.min(words.length, start + MAX_TOGETHER); end++) {
      together += words[end]!;
      areHarmless &&= isHarmless[end]!;
      const single = together.replace(REPEATED, '$1');
      if (single.length > MAX_TOGETHER) break;
      if (isOffensiveTogether(together, single, areHarmless, isWord, listed)) return true;
    }
  }
  return false;
}

/** Separated parts make a crude word only if one of them is no word itself: "fu ck", but not "pen is". */
function isOffensiveTogether(
  together: string,
  single: string,
  areHarmless: boolean,
  isWord: (word: string) => boolean,
  { spaced, phrases }: Listed,
): boolean {
  if (phrases.has(together)) return true;
  if (areHarmless) return false;
  const isForeign = !isWord(together) && (spaced.has(together) || spaced.has(single));
  return isForeign || isCrude(together) || isCrude(single);
}
