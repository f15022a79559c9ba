import type { Lexicon } from '../../src/solver/lexicon.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { isSuitable } from '../../src/wordlists/offensive-words.ts';
import { basesOf, originsOf } from '../clues/forms.ts';
import { linesOf, linesOfDict } from '../clues/wordnet.ts';

export interface ScheduleWord {
  readonly word: string;
  /** Times counted in film subtitles. */
  readonly count: number;
  /** The shortest listed word that it is formed from: words of one family have the same. */
  readonly family: string;
  /** Whether it names a thing that can be seen, such as a tiger or a candle. */
  readonly vivid: boolean;
}

/** Words that films have more rarely are known to most people, but delight few of them. */
const MIN_COUNT = 12;
/** Few words begin or end so, so that all everyday ones are needed. */
const RARE_ENDS = /^[jkqvxyz]|[vxz]$/;

/** The familiar words without British spellings, and without those of unwanted.txt. */
export function scheduleWords(lexicon: Lexicon): ScheduleWord[] {
  const listings = readListings();
  const unwanted = readUnwanted();
  const vivid = vividWords();
  return [...lexicon.entries()].flatMap(({ word, tier, likelihood }) => {
    if (tier !== 'everyday' || /(.)\1/.test(word)) return [];
    const { count, foreign } = listings.get(word)!;
    const isKnown = RARE_ENDS.test(word) ? likelihood >= 0.9 : likelihood >= 0.99 && count >= MIN_COUNT;
    if (!isKnown || foreign || unwanted(word) || !isSuitable(word)) return [];
    return [
      {
        word,
        count,
        family: familyOf(word, (one) => listings.get(one)?.everyday ?? false),
        vivid: [
          word,
          ...basesOf(word)
            .filter(({ form }) => form === 'plural')
            .map(({ base }) => base),
        ].some((one) => vivid.has(one)),
      },
    ];
  });
}

function readUnwanted(): (word: string) => boolean {
  const entries = linesOf(new URL('./unwanted.txt', import.meta.url))
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/));
  const whole = new Set(entries.filter((entry) => !entry.endsWith('*')));
  const beginnings = new Set(
    entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)),
  );
  return (word) =>
    whole.has(word) ||
    Array.from(word, (_, at) => word.slice(0, at + 1)).some((start) => beginnings.has(start));
}

/** @example familyOf('gardeners', isListed) // 'garden' */
export function familyOf(word: string, isListed: (word: string) => boolean): string {
  const bases = [...basesOf(word), ...originsOf(word)]
    .map(({ base }) => base)
    .filter((base) => base.length >= 3 && base !== word && base.length < word.length + 1 && isListed(base));
  const [shortest] = bases.toSorted((a, b) => a.length - b.length);
  return shortest === undefined ? word : familyOf(shortest, isListed);
}

/** WordNet's files of animals, artifacts, food, objects, people, phenomena, plants and substances. */
const VIVID_FILES = ['05', '06', '13', '17', '18', '19', '20', '27'];

/** Words whose commonest meaning is in one of these files. */
function vividWords(): ReadonlySet<string> {
  const best = new Map<string, { count: number; isVivid: boolean }>();
  for (const line of linesOfDict('index.sense')) {
    const [key = '', , order, count] = line.split(' ');
    const [word = '', place = ''] = key.split('%');
    const [kind, file = ''] = place.split(':');
    // Of meanings that were never counted, the first one is the commonest.
    const weight = Number(count) + (order === '1' ? 0.5 : 0);
    if (weight <= (best.get(word)?.count ?? 0)) continue;
    best.set(word, { count: weight, isVivid: kind === '1' && VIVID_FILES.includes(file) });
  }
  return new Set(best.entries().flatMap(([word, { isVivid }]) => (isVivid ? [word] : [])));
}
