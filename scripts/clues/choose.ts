/** Makes src/wordlists/clues.bin from WordNet. It is committed, because WordNet is 35 MB: run by `npm run build:clues`. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { readListings } from '../../src/wordlists/build.ts';
import { CLUES_FILE, clueBlocks, joinClues } from '../../src/wordlists/clues.ts';
import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { originsOf } from './derived.ts';
import { basesOf } from './forms.ts';
import { type Kind, linesOf, readSenses, type Sense } from './wordnet.ts';

type Senses = ReadonlyMap<string, readonly Sense[]>;

/** Of words that fewer people know, those that films have so often get a clue: more would make the site too large. */
const MIN_COUNT = 8;

/** The clues of everyday words and of others that are common enough; solutions rarely have rarer ones. */
export function makeClues(): ReadonlyMap<string, string> {
  const senses = readSenses();
  const clues = new Map<string, string>();
  for (const [word, listing] of [...readListings()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (listing.count < MIN_COUNT && !listing.everyday) continue;
    const clue = clueOf(word, senses);
    if (clue !== undefined) clues.set(word, clue);
  }
  return clues;
}

/** Longer definitions are cut between two words. */
const MAX_CLUE_LENGTH = 110;
/** The beginning that two words may share, as a share of the shorter one. */
const MAX_SHARED_BEGINNING = 0.6;
/** Words of three letters that are too common to tell anything about a longer word that has them in it. */
const SMALL_WORD =
  /^(?:the|and|for|not|but|out|one|two|who|use|any|are|has|its|was|all|can|may|own|off|you|our|his|her|how|new)$/;
/** Subjects of definitions that a hint in a chat avoids, besides the words of `isOffensive`. */
const UNWELCOME =
  /\b(?:sex|sexes|copulat\w*|coitus|coital|intercourse|erotic\w*|lust\w*|nud(?:e|ity)|naked|arous\w*|genitals?|testi\w+|breasts?|buttocks?|excre\w*|f(?:a?e)ces|f(?:a?e)cal|urin\w*|defecat\w*|vomit\w*|semen|incest\w*|abortion|heroin|cocaine|marijuana|cannabis|offensive|derogat\w*|disparag\w*|vulgar\w*|obscen\w*|slurs?|negroid|caucasian|dark-skinned|(?:black|white) (?:person|people|man|woman|men|women|race)|human races?|homosexual\w*|nazis?|hitler)\b/i;

/** Meanings that are rarer than the commonest one by more than this factor are passed over: they would mislead. */
const MAX_RARITY_RATIO = 20;

/**
 * The clue of a word: its commonest meaning that doesn't give it away, else another word for it, else the meaning of the
 * word that it is made from, its own meaning with gaps, or those of its two parts; undefined when there is none.
 *
 * @example clueOf('wolves', senses) // 'any of various predatory carnivorous canine mammals (plural)'
 */
export function clueOf(word: string, senses: Senses): string | undefined {
  if (isOffensive(word)) return;
  return (
    BY_HAND.get(word) ??
    meaningOf(word, senses, [word]) ??
    gappedOf(word, senses, 1, 3) ??
    originOf(word, senses) ??
    gappedOf(word, senses, 2, 2) ??
    formByHand(word) ??
    partsOf(word, senses)
  );
}

/** For words that WordNet lacks, above all those that have no meaning of their own, such as whereas. */
const BY_HAND: ReadonlyMap<string, string> = new Map(
  linesOf(new URL('./by-hand.txt', import.meta.url)).map((line) => line.split('\t') as [string, string]),
);

function formByHand(word: string): string | undefined {
  const known = formsOf(word).find(({ base }) => BY_HAND.has(base));
  return known?.say(BY_HAND.get(known.base)!);
}

/** @param hidden what the clue may not give away, the word among it */
function meaningOf(word: string, senses: Senses, hidden: readonly string[]): string | undefined {
  const usual = usualMeaningsOf(word, senses);
  for (const textOf of [definitionIn, synonymIn]) {
    for (const { sense, base, say } of usual) {
      const text = textOf(sense, [...hidden, base]);
      if (text !== undefined) return say(text);
    }
  }
}

/** Two steps at most, as for unhappily: unhappy, happy. */
const MAX_ORIGIN_STEPS = 2;

function originOf(
  word: string,
  senses: Senses,
  hidden: readonly string[] = [word],
  steps = MAX_ORIGIN_STEPS,
): string | undefined {
  const origins = originsOf(word).filter(({ base }) => !isOffensive(base));
  for (const { base, kinds, say } of origins) {
    if (BY_HAND.has(base)) return say(BY_HAND.get(base)!);
    for (const kind of kinds) {
      const known = (senses.get(base) ?? []).filter((sense) => sense.kind === kind);
      const clue = meaningOf(base, new Map([[base, known]]), [...hidden, base]);
      if (clue !== undefined) return say(clue);
    }
  }
  if (steps <= 1) return;
  for (const { base, say } of [...origins, ...formsOf(word)]) {
    const clue = originOf(base, senses, [...hidden, base], steps - 1);
    if (clue !== undefined) return say(clue);
  }
}

/** Words that say nothing by themselves, as in "in a bold manner". */
const EMPTY =
  /^(?:where|when|which|manner|quality|being|state|having|with|that|from|into|this|such|used|some|someone|something|characteri[sz]ed|relating|pertaining|someone|person|like|made|make|more|most|very|according)$/;
/** The word's meaning with gaps in place of what would give it away. @param told the fewest words that tell something */
function gappedOf(word: string, senses: Senses, maxGaps: number, told: number): string | undefined {
  for (const { sense, base, say } of usualMeaningsOf(word, senses)) {
    const hidden = [word, base];
    let gaps = 0;
    const text = shorten(sense.definition)?.replace(/[a-z]+(?:-[a-z]+)*/gi, (token) => {
      const isTelling = token.split('-').some((part) => tells(part, hidden));
      if (isTelling) gaps++;
      return isTelling ? '…' : token;
    });
    const telling = (text?.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((token) => !EMPTY.test(token));
    if (text !== undefined && gaps <= maxGaps && telling.length >= told && !tells(text, hidden))
      return say(text);
  }
}

const SHORTEST_PART = 3;
/** Characters of the meaning of each part. */
const MAX_PART_LENGTH = 50;

/** A compound as the meanings of its two words. */
function partsOf(word: string, senses: Senses): string | undefined {
  for (const { base, say } of readingsOf(word)) {
    for (let at = SHORTEST_PART; at <= base.length - SHORTEST_PART; at++) {
      const parts = [base.slice(0, at), base.slice(at)];
      if (parts.some(isOffensive)) continue;
      const clues = parts.map((part) => meaningOf(part, senses, [word, base, ...parts]));
      if (clues.every((clue) => clue !== undefined))
        return say(`two words in one: ${clues.map((clue) => cut(clue, MAX_PART_LENGTH)).join(' + ')}`);
    }
  }
}

/** A word, and how its clue becomes that of the word that is looked up. */
interface Reading {
  readonly base: string;
  /** Any if undefined. */
  readonly kind?: Kind;
  readonly say: (clue: string) => string;
}

/** The word itself, and the words that it may be a form of. */
function readingsOf(word: string): Reading[] {
  return [{ base: word, say: (clue) => clue }, ...formsOf(word)];
}

function formsOf(word: string): Reading[] {
  return basesOf(word).map(({ base, kind, form }) => ({ base, kind, say: (clue) => `${clue} (${form})` }));
}

/** The word's own meanings, then the meanings of words that it is a form of, each without rare ones. */
function usualMeaningsOf(word: string, senses: Senses) {
  const [own = [], ...others] = readingsOf(word).map(({ base, kind, say }) =>
    (isOffensive(base) ? [] : (senses.get(base) ?? []))
      .filter((sense) => kind === undefined || sense.kind === kind)
      .map((sense) => ({ sense, base, say })),
  );
  const meanings = [...own, ...others.flat().sort((a, b) => b.sense.count - a.sense.count)];
  const commonest = Math.max(0, ...meanings.map(({ sense }) => sense.count));
  return meanings.filter(
    ({ sense }) => sense.count * MAX_RARITY_RATIO >= commonest && !UNWELCOME.test(sense.definition),
  );
}

function definitionIn({ definition }: Sense, hidden: readonly string[]): string | undefined {
  const withoutBrackets = definition.replace(/\s*\([^)]*\)/g, '');
  return [shorten(definition), shorten(withoutBrackets)].find(
    (text) => text?.includes(' ') && !tells(text, hidden),
  );
}

function synonymIn({ synonyms }: Sense, hidden: readonly string[]): string | undefined {
  const synonym = synonyms.find((one) => !tells(one, hidden));
  return synonym === undefined ? undefined : `another word for ${synonym}`;
}

function tells(text: string, hidden: readonly string[]): boolean {
  const tokens = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return tokens.some((token) => isOffensive(token) || hidden.some((word) => isRelated(token, word)));
}

/** The first part of a definition, as one line. */
function shorten(definition: string): string | undefined {
  const [first = '', second] = definition
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[`']/g, '’')
    .split(/\s*[;:]\s*/);
  // A part in brackets alone says where the word is used, not what it means.
  const text = /^\([^)]*\)$/.test(first) && second !== undefined ? `${first} ${second}` : first;
  if (/[^ -~’]/.test(text)) return undefined;
  return cut(text, MAX_CLUE_LENGTH);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, text.lastIndexOf(' ', longest)).replace(/[ ,(]+$/, '')} …`;
}

/** True when one word gives the other away: they begin alike, or one contains the other. */
export function isRelated(token: string, word: string): boolean {
  if (token === word) return true;
  if (token.length < 3 || SMALL_WORD.test(token)) return false;
  const base = token.replace(/(?:s|es|ed|ing|er)$/, '');
  if (base.length >= 3 && base !== token && isRelated(base, word)) return true;
  if (token.length === 3) return word.startsWith(token) || word.endsWith(token);
  if (word.includes(token) || token.includes(word)) return true;
  let shared = 0;
  while (shared < token.length && token[shared] === word[shared]) shared++;
  return shared >= Math.max(4, Math.ceil(MAX_SHARED_BEGINNING * Math.min(token.length, word.length)));
}

if (import.meta.main) {
  const clues = makeClues();
  const file = joinClues(
    clueBlocks(clues).map(({ first, text }) => ({ first, bytes: brotliCompressSync(text) })),
  );
  writeFileSync(CLUES_FILE, file);
  console.log(`clues built: ${clues.size} words, ${file.length} bytes`);
}
