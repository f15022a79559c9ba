import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { type BaseForm, basesOf } from './forms.ts';
import type { Sense } from './wordnet.ts';

type Senses = ReadonlyMap<string, readonly Sense[]>;

/** Longer definitions are cut between two words. */
const LONGEST = 110;
/** The beginning that two words may share, as a share of the shorter one. */
const SHARED = 0.6;
/** Words of three letters that are too common to tell anything about a longer word that has them in it. */
const SMALL_WORDS = new Set(
  'the and for not but out one two who use any are has its was all can may own off you our his her how new'.split(
    ' ',
  ),
);
/** Subjects of definitions that a hint in a chat avoids, besides the words of `isOffensive`. */
const UNWELCOME =
  /\b(?:sex|sexes|copulat\w*|coitus|coital|intercourse|erotic\w*|lust\w*|nud(?:e|ity)|naked|arous\w*|genitals?|testi\w+|breasts?|buttocks?|excre\w*|f(?:a?e)ces|f(?:a?e)cal|urin\w*|defecat\w*|vomit\w*|semen|incest\w*|abortion|heroin|cocaine|marijuana|cannabis|offensive|derogat\w*|disparag\w*|vulgar\w*|obscen\w*|slurs?|negroid|caucasian|dark-skinned|(?:black|white) (?:person|people|man|woman|men|women|race)|human races?|homosexual\w*|nazis?|hitler)\b/i;

/** A meaning this many times rarer than the commonest one is passed over: it would mislead. */
const RARER = 20;

/**
 * The clue of a word: its commonest meaning that doesn't give it away, else another word for it; undefined when there
 * is neither.
 *
 * @example clueOf('wolves', senses) // 'any of various predatory carnivorous canine mammals (plural)'
 */
export function clueOf(word: string, senses: Senses): string | undefined {
  if (isOffensive(word)) return;
  const candidates = meaningsOf(word, senses);
  const commonest = Math.max(0, ...candidates.map(({ sense }) => sense.count));
  const usual = candidates.filter(
    ({ sense }) => sense.count * RARER >= commonest && !UNWELCOME.test(sense.definition),
  );
  for (const textOf of [definitionIn, synonymIn]) {
    for (const { sense, base } of usual) {
      const text = textOf(sense, base === undefined ? [word] : [word, base.base]);
      if (text !== undefined) return base === undefined ? text : `${text} (${base.form})`;
    }
  }
  return;
}

interface Meaning {
  readonly sense: Sense;
  /** Set when the word is a form of another one. */
  readonly base?: BaseForm;
}

/** The word's own meanings, then the meanings of words that it is a form of. */
function meaningsOf(word: string, senses: Senses): Meaning[] {
  const own = (senses.get(word) ?? []).map((sense) => ({ sense }));
  const others = basesOf(word)
    .filter(({ base }) => !isOffensive(base))
    .flatMap((base) =>
      (senses.get(base.base) ?? [])
        .filter(({ kind }) => kind === base.kind)
        .map((sense) => ({ sense, base })),
    );
  return [...own, ...others.sort((a, b) => b.sense.count - a.sense.count)];
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
  return text.length <= LONGEST
    ? text
    : `${text.slice(0, text.lastIndexOf(' ', LONGEST)).replace(/[ ,(]+$/, '')} …`;
}

/** True when one word gives the other away: they begin alike, or one contains the other. */
export function isRelated(token: string, word: string): boolean {
  if (token === word) return true;
  if (token.length < 3 || SMALL_WORDS.has(token)) return false;
  const base = token.replace(/(?:s|es|ed|ing|er)$/, '');
  if (base.length >= 3 && base !== token && isRelated(base, word)) return true;
  if (token.length === 3) return word.startsWith(token) || word.endsWith(token);
  if (word.includes(token) || token.includes(word)) return true;
  let shared = 0;
  while (shared < token.length && token[shared] === word[shared]) shared++;
  return shared >= Math.max(4, Math.ceil(SHARED * Math.min(token.length, word.length)));
}
