/** Makes src/wordlists/clues.bin from WordNet. It is committed, because WordNet is 35 MB: run by `npm run build:clues`. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { readListings } from '../../src/wordlists/build.ts';
import { clueBlocks, cluesFile, joinClues } from '../../src/wordlists/clues.ts';
import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { basesOf, originsOf } from './forms.ts';
import { inflect, pluralOf, SUBJECT, verbFormOf } from './inflect.ts';
import { type Kind, linesOf, readSenses, type Sense } from './wordnet.ts';

type Senses = ReadonlyMap<string, readonly Sense[]>;

/** Of words that fewer people know, those that films have so often get a clue: more would make the site too large. */
const MIN_COUNT = 12;

/** The clues of everyday words and of others that are common enough; solutions rarely have rarer ones. */
export function makeClues(): ReadonlyMap<string, string> {
  const listings = readListings();
  const senses = byUse(readSenses(), (word) => listings.get(word)?.count ?? 0);
  const clues = new Map<string, string>();
  for (const [word, listing] of [...listings].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (listing.count < MIN_COUNT && !listing.everyday) continue;
    const clue = clueOf(word, senses);
    if (clue !== undefined) clues.set(word, clue);
  }
  return clues;
}

/** Longer clues are passed over, or end before a clause. */
const MAX_CLUE_LENGTH = 80;
/** A shorter definition tells little: an example goes with it where there is room. */
const MIN_DEFINITION_LENGTH = 40;
/** The beginning that two words may share, as a share of the shorter one. */
const MAX_SHARED_BEGINNING = 0.6;
/** Words of three letters that are too common to tell anything about a longer word that has them in it. */
const SMALL_WORD =
  /^(?:the|and|for|not|but|out|one|two|who|use|any|are|has|its|was|all|can|may|own|off|you|our|his|her|how|new)$/;
/** Subjects of definitions that a hint in a chat avoids, besides the words of `isOffensive`. */
const UNWELCOME =
  /\b(?:sex(?:es|ual|ually|uality)?|copulat\w*|coitus|coital|intercourse|erotic\w*|lust\w*|nud(?:e|ity)|naked|arous\w*|genitals?|testi\w+|breasts?|buttocks?|excre\w*|f(?:a?e)ces|f(?:a?e)cal|urin\w*|defecat\w*|vomit\w*|semen|incest\w*|abortion|heroin|cocaine|marijuana|cannabis|offensive|derogat\w*|disparag\w*|vulgar\w*|obscen\w*|slurs?|negroid|caucasian|dark-skinned|(?:black|white) (?:person|people|man|woman|men|women|race)|human races?|homosexual\w*|nazis?|hitler|racial|foreskins?|immigrants?|adulter\w+|communists?|epilep\w+)\b/i;

/** Meanings that are rarer than the commonest one by more than this factor are passed over: they would mislead. */
const MAX_RARITY_RATIO = 3;
/** A word's own meanings yield to those of words that it is a form of only if they are much rarer: forms count as the base. */
const MAX_RARITY_RATIO_OF_OWN = 20;
/** Nouns found more rarely, such as the bricks that are coping, yield to verbs that are found more often. */
const MIN_COUNT_OF_OWN = 3;

/**
 * The clue of a word: by hand, else its commonest meaning that doesn't give it away, else an example with a gap for it or
 * another word for it, else the meaning of the word that it is made from, or its own meaning with gaps; undefined when there
 * is none.
 *
 * @example clueOf('wolves', senses) // 'predatory carnivorous canine mammals'
 */
function clueOf(word: string, senses: Senses): string | undefined {
  if (isOffensive(word)) return;
  return (
    BY_HAND.get(word) ??
    formByHand(word, senses, false) ??
    meaningOf(word, senses, [word]) ??
    gappedOf(word, senses, 1, 2) ??
    originOf(word, senses) ??
    synonymOf(usualMeaningsOf(word, senses), senses, [word], 0) ??
    gappedOf(word, senses, 2, 2) ??
    gappedOf(word, senses, 1, 1, ['verb']) ??
    formByHand(word, senses, true)
  );
}

/** For words that WordNet lacks, above all those that have no meaning of their own, such as whereas. */
const BY_HAND: ReadonlyMap<string, string> = new Map(
  linesOf(new URL('./by-hand.txt', import.meta.url)).map((line) => line.split('\t') as [string, string]),
);

/** Clues that gaps or whole sentences are in can't be put into a form. */
const NO_FORM = /…|^what\b|, for one$|\b(?:it|you|your|he|she|they|we|there)\b/i;

/** @param isNamed whether the form may be named in brackets where the clue can't be put into it */
function formByHand(word: string, senses: Senses, isNamed: boolean): string | undefined {
  for (const { base, kind, form } of basesOf(word)) {
    const clue = BY_HAND.get(base) ?? '…';
    // What a glaze is does not tell what glazing is.
    if (clue.includes('…') || clue.startsWith('to ') !== (kind === 'verb')) continue;
    // The bit that is a small piece is no past of bite, and broads are not wide.
    if (countOf(word, senses) > countOf(base, senses, kind)) continue;
    const usual = senses.get(base)?.[0]?.kind;
    if (kind === 'noun' ? usual === 'adj' : kind === 'adj' && (usual ?? kind) !== kind) continue;
    const isFixed = kind !== 'verb' && NO_FORM.test(clue.replace(SUBJECT, ''));
    const inflected = isFixed ? undefined : inflect(clue, kind, form, senses);
    // The clue of an adjective has no other form.
    const isSaid = inflected !== undefined || isNamed || kind === 'adj';
    if (!isSaid || tells(inflected ?? clue, [word, base])) continue;
    return inflected ?? `${clue.replace(/^to /, '')} (${form})`;
  }
}

/** How often a word's commonest meaning of a kind, or of any, was found in WordNet's tagged texts. */
function countOf(word: string, senses: Senses, kind?: Kind): number {
  const known = (senses.get(word) ?? []).filter((sense) => kind === undefined || sense.kind === kind);
  return Math.max(0, ...known.map(({ count }) => count));
}

/** @param hidden what the clue may not give away, the word among it */
function meaningOf(word: string, senses: Senses, hidden: readonly string[]): string | undefined {
  const usual = usualMeaningsOf(word, senses);
  const known = definitionOf(usual, hidden);
  if (known === undefined) {
    const examples = usual.map(({ sense, base }) => exampleIn(sense, word, [...hidden, base]));
    return examples.find((example) => example !== undefined) ?? synonymOf(usual, senses, hidden, 1);
  }
  const { text, sense, base } = known;
  if (text.length >= MIN_DEFINITION_LENGTH) return text;
  const example = exampleIn(sense, word, [...hidden, base]);
  const both = `${text}: ${example}`;
  return example === undefined || both.length > MAX_CLUE_LENGTH ? text : both;
}

function definitionOf(usual: readonly Meaning[], hidden: readonly string[]) {
  for (const meaning of usual) {
    const text = definitionIn(meaning, hidden);
    if (text !== undefined) return { text, ...meaning };
  }
}

/** @param least how often the other word was found in WordNet's tagged texts */
function synonymOf(
  usual: readonly Meaning[],
  senses: Senses,
  hidden: readonly string[],
  least: number,
): string | undefined {
  for (const { sense, base, say } of usual) {
    const synonym = synonymIn(sense, [...hidden, base], senses, least);
    if (synonym !== undefined) return `another word for ${say(synonym).replace(/^to /, '')}`;
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
  for (const { base, kinds, text } of origins) {
    for (const kind of kinds) {
      // Who is teamed has no team: the verb's meanings all gave it away.
      if (text.startsWith('having') && senses.get(base)?.some((sense) => sense.kind === 'verb')) continue;
      const clue = meaningOfOrigin(base, kind, senses, [...hidden, base]);
      const said = clue && sayOrigin(text, clue, senses);
      if (said && said.length <= MAX_CLUE_LENGTH) return said;
    }
  }
  if (steps <= 1) return;
  for (const { base, kinds, text } of origins) {
    const clue = originOf(base, senses, [...hidden, base], steps - 1);
    // Only verbs can be done, and only they have forms.
    if (clue === undefined || !kinds.some((kind) => clue.startsWith('to ') === (kind === 'verb'))) continue;
    // Of what is unpardonable, nobody undoes a pardon.
    if (clue.startsWith('to undo this')) continue;
    const said = sayOrigin(text, clue, senses);
    if (said && said.length <= MAX_CLUE_LENGTH) return said;
  }
  for (const { base, kind, say } of formsOf(word, senses)) {
    const clue = originOf(base, senses, [...hidden, base], steps - 1);
    if (
      clue !== undefined &&
      clue.startsWith('to ') === (kind === 'verb') &&
      say(clue).length <= MAX_CLUE_LENGTH
    )
      return say(clue);
  }
}

function meaningOfOrigin(base: string, kind: Kind, senses: Senses, hidden: readonly string[]) {
  const byHand = BY_HAND.get(base) ?? '…';
  if (!NO_FORM.test(byHand) && byHand.startsWith('to ') === (kind === 'verb') && !tells(byHand, hidden))
    return byHand;
  const known = (senses.get(base) ?? []).filter((sense) => sense.kind === kind);
  const usual = usualMeaningsOf(base, new Map([[base, known]]));
  const synonym = synonymOf(usual, senses, hidden, 0)?.replace(
    /^another word for /,
    kind === 'verb' ? 'to ' : '',
  );
  return definitionOf(usual, hidden)?.text ?? synonym;
}

const FORM_OF_ENDING: Readonly<Record<string, string>> = { s: 'he, she or it', ing: '-ing form', ed: 'past' };

/** @param text as in `Origin` */
function sayOrigin(text: string, clue: string, senses: Senses): string | undefined {
  const [, ending = ''] = /…(s|ing|ed)?/.exec(text) ?? [];
  const said =
    ending === '' ? clue.replace(/^to /, '') : inflect(clue, 'verb', FORM_OF_ENDING[ending]!, senses);
  const origin = said && text.replace(/…(?:s|ing|ed)?/, () => said);
  return origin?.includes(') (') === true ? undefined : origin;
}

/** Words that say nothing by themselves, as in "in a bold manner". */
const EMPTY =
  /^(?:where|when|which|manner|quality|being|state|having|with|that|from|into|this|such|used|some|someone|something|characteri[sz]ed|relating|pertaining|someone|person|like|made|make|more|most|very|according)$/;
/**
 * The word's meaning with gaps in place of what would give it away.
 *
 * @param told the fewest words that tell something: one is enough for what is done, such as to water with a …
 */
function gappedOf(
  word: string,
  senses: Senses,
  maxGaps: number,
  told: number,
  kinds: readonly Kind[] = ['noun', 'verb', 'adj', 'adv'],
): string | undefined {
  for (const { sense, base, say } of usualMeaningsOf(word, senses)) {
    const hidden = [word, base];
    if (!kinds.includes(sense.kind)) continue;
    const [whole = '', ...shorter] = versionsOf(sense.definition, sense.kind);
    for (const version of say(whole).length > MAX_CLUE_LENGTH ? shorter : [whole]) {
      let gaps = 0;
      const text = version.replace(/[a-z]+(?:-[a-z]+)*/gi, (token) => {
        const isTelling = token.split('-').some((part) => tells(part, hidden));
        if (isTelling) gaps++;
        return isTelling ? '…' : token;
      });
      const said = say(text);
      const telling = (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((token) => !EMPTY.test(token));
      const isShort = said.length <= MAX_CLUE_LENGTH && gaps <= maxGaps && !/…,? …/.test(said);
      if (isShort && telling.length >= told && !tells(text, hidden)) return said;
    }
  }
}

/** A word that another one may be a form of, and how its clue becomes that of the form. */
interface Reading {
  readonly base: string;
  /** Any if undefined. */
  readonly kind?: Kind;
  readonly say: (clue: string) => string;
}

interface Meaning extends Reading {
  readonly sense: Sense;
}

function formsOf(word: string, senses: Senses): Reading[] {
  return basesOf(word)
    .filter(({ base, form }) => form !== 'comparative' || isOftenAdjective(senses.get(base)))
    .map(({ base, kind, form }) => ({
      base,
      kind,
      say: (clue) => inflect(clue, kind, form, senses) ?? `${clue.replace(/^to /, '')} (${form})`,
    }));
}

/** A gamer is not more game. */
function isOftenAdjective(known: readonly Sense[] = []): boolean {
  const adjective = known.find(({ kind }) => kind === 'adj');
  return adjective !== undefined && (adjective.count + 1) * MAX_RARITY_RATIO_OF_OWN > known[0]!.count;
}

/** The word's own meanings, then the meanings of words that it is a form of, each without rare ones. */
function usualMeaningsOf(word: string, senses: Senses): Meaning[] {
  const readings: Reading[] = [{ base: word, say: (clue) => clue }, ...formsOf(word, senses)];
  const [own = [], ...others] = readings.map(({ base, kind, say }) =>
    (isOffensive(base) ? [] : (senses.get(base) ?? []))
      .filter((sense) => kind === undefined || sense.kind === kind)
      .map((sense) => ({
        sense,
        base,
        say: (clue: string) => say(sense.kind === 'verb' && !clue.startsWith('to ') ? `to ${clue}` : clue),
      })),
  );
  const forms = others.flat().sort((a, b) => b.sense.count - a.sense.count);
  const countIn = (meanings: typeof own) => Math.max(0, ...meanings.map(({ sense }) => sense.count));
  const [ofOwn, ofForms] = [countIn(own), countIn(forms)];
  const isRare = ofOwn < MIN_COUNT_OF_OWN && own.every(({ sense }) => sense.kind === 'noun');
  const isYielding = isRare && forms[0]?.sense.kind === 'verb';
  const isOwn = isYielding ? ofOwn >= ofForms : ofOwn * MAX_RARITY_RATIO_OF_OWN >= ofForms;
  // One more of each, since a meaning found once is hardly commoner than one never found.
  const isUsual = (count: number, most: number, ratio: number) => (count + 1) * ratio >= most + 1;
  return [
    ...own.filter(({ sense }) => isUsual(sense.count, ofOwn, MAX_RARITY_RATIO) && isOwn),
    ...forms.filter(({ sense }) => isUsual(sense.count, ofForms, MAX_RARITY_RATIO)),
  ]
    .filter(({ sense }) => !UNWELCOME.test(sense.definition))
    .toSorted(
      (a, b) => Number(INFORMAL.test(a.sense.definition)) - Number(INFORMAL.test(b.sense.definition)),
    );
}

function definitionIn({ sense, base, say }: Meaning, hidden: readonly string[]): string | undefined {
  return versionsOf(sense.definition, sense.kind)
    .filter((text) => text.includes(' '))
    .map(say)
    .find((text) => text.length <= MAX_CLUE_LENGTH && !tells(text, [...hidden, base]));
}

/** Words of an example that tell something besides the gap. */
const MIN_TOLD = 2;
/** An example of the word itself, with a gap for it. */
function exampleIn({ examples }: Sense, word: string, hidden: readonly string[]): string | undefined {
  for (const example of examples) {
    const text = example
      .replace(/[`']/g, '’')
      .replace(new RegExp(`\\b${word}\\b`, 'i'), '…')
      .replace(
        /^(?:The|An?|He|She|They|His|Her|This|That|It|We|You|My|There|Don’t|What|Who|In|On|At)\b/,
        (first) => first.toLowerCase(),
      )
      .replace(/\s*\([^)]*\)/g, '')
      .replace(/[.;,]+$/, '');
    const told = (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((token) => !EMPTY.test(token));
    const isPlain =
      text.includes('…') && !/[^ -~’…]|\.\.|, …$|["(-]{2}|- | [A-Z][a-z]/.test(text) && !UNWELCOME.test(text);
    if (isPlain && told.length >= MIN_TOLD && text.length <= MAX_CLUE_LENGTH && !tells(text, hidden))
      return text;
  }
}

/** The other word that is found most often, no other spelling. */
function synonymIn(
  { synonyms }: Sense,
  hidden: readonly string[],
  senses: Senses,
  least: number,
): string | undefined {
  const american = (one: string) => one.replace(/is(?=[aei])/g, 'iz').replaceAll('our', 'or');
  // Of several words, such as get rid of, no count is known.
  const countOf = (one: string) =>
    one.includes(' ') ? 1 : (senses.get(one)?.reduce((sum, { count }) => sum + count, 0) ?? 0);
  return synonyms
    .filter((one) => countOf(one) >= least && !tells(`${one} ${american(one)}`, hidden))
    .toSorted((a, b) => countOf(b) - countOf(a))[0];
}

function tells(text: string, hidden: readonly string[]): boolean {
  const tokens = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return tokens.some((token) => isOffensive(token) || hidden.some((word) => isRelated(token, word)));
}

/** Where a definition may end: before one of these, or between two plurals. */
const CLAUSE =
  /, | (?=(?:that|which|who|whose|so|when|where|while|such|usually|especially|typically|often|as|with|having|forming|providing|containing|involving|causing|used|made|for|in|on|from) )|(?<=s) (?=(?:or|and) )/g;
/** Words that leave something open. */
const OPEN_END =
  / (?:or|and|the|an?|is|are|be|of|to|\w+ly|designed|intended|consisting|according|known|based|located|similar|due|able|capable|subject|given|used|made|marked|caused|characterized|relating|pertaining|involved|regarded|considered|part|kind|type|form|not|so|such|equal|in|on|at|for|with|by|from|as|specializes|far|\w+ing|related|said|but|if|regard|(?:who|that|which) \w+|been|have|has|had|might|can|could|would|will|may|being|that|defined|opposed|distinct|purporting to \w+|in such a way|different|so (?:\w+ and )?\w+)$/;
/** Further things that something is done to: control a function, process, or creation. */
const OBJECTS = /^,(?: [\w’-]+){1,2}(?:,(?: [\w’-]+){1,2})*,? (?:or|and) /;
/** Of a definition that is short enough without it, at least this share is left; of others, this many characters. */
const MIN_SHARE_LEFT = 0.5;
const MIN_LENGTH_LEFT = 25;

/** What a verb needs: place (something) where one cannot find it again. */
const OBJECT = /^((?:[a-z]+ ){1,3})\(((?:some|any)(?:thing|one|body)|money|(?:an?|the|one’s) [^)]*)\)/;
/** Before what people call so, among themselves or once: a head is no dome if anything else is. */
const INFORMAL =
  /^(?:informal|obsolete|slang|archaic|conventional|general)(?: or \w+)? (?:terms?|names?) for /;
/** Says of what a word is used, or how, instead of what it means. */
const USAGE =
  /^(?:extended meanings|primarily|of (?:persons|leaves|animals|plants)\b|of \w+$|used (?:of|in|to signify|to express)\b|especially\b|(?:an? )?quantifier)/;
/** The first part of a definition, as one line: without brackets, and then without the last clauses. */
function versionsOf(definition: string, kind: Kind): string[] {
  const [first = '', second] = definition
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[`']/g, '’')
    .replace(INFORMAL, '')
    .replace(/, ([\w’-]+(?: [\w’-]+)?),? etc\b\.?/g, ' or $1')
    .replace(/,? (?:or |and )?etc\b\.?|\be\.g\.,? /g, '')
    .replace(/,? of the (?:genus|family|order|class|phylum) [A-Z]\w+(?:(?: or|,) [A-Z]\w+)*/, '')
    .split(/\s*[;:]\s*/);
  // A part in brackets, or where something grows, is not all that the word means.
  const isAside = /^\([^)]*\)$/.test(first);
  const isPart = isAside || /^(?:native|cultivated|widely|found|grown)\b/.test(first);
  const text = !isPart || second === undefined ? first : isAside ? second : `${first}, ${second}`;
  if (/[^ -~’]/.test(text) || USAGE.test(text)) return [];
  const plain = (kind === 'verb' ? text.replace(OBJECT, '$1$2') : text)
    .replace(/\([^)]*\)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=,|$)/g, '')
    .trim();
  const least = plain.length > MAX_CLUE_LENGTH ? MIN_LENGTH_LEFT : plain.length * MIN_SHARE_LEFT;
  const shorter = [...plain.matchAll(CLAUSE)]
    .map(({ index }) => plain.slice(0, index))
    .filter((part) => part.length >= least && !OPEN_END.test(part))
    .filter((part) => kind !== 'verb' || !OBJECTS.test(plain.slice(part.length)));
  return [plain, ...shorter.reverse()];
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
  writeFileSync(cluesFile(), file);
  console.log(`clues built: ${clues.size} words, ${file.length} bytes`);
}

/**
 * Puts first, for words that WordNet's tagged texts lack, the kind that their forms show: of abort, which is mostly aborted or
 * aborting, the meanings of the verb.
 */
function byUse(senses: Senses, countOf: (word: string) => number): Senses {
  return new Map(
    [...senses].map(([word, known]) => {
      const kinds = new Set(known.map(({ kind }) => kind));
      if (kinds.size === 1 || known.some(({ count }) => count > 0)) return [word, known];
      const usual = kindInUse(word, countOf);
      return [
        word,
        [...known.filter(({ kind }) => kind === usual), ...known.filter(({ kind }) => kind !== usual)],
      ];
    }),
  );
}

function kindInUse(word: string, countOf: (word: string) => number): Kind {
  const asVerb = countOf(verbFormOf(word, '-ing form')) + countOf(verbFormOf(word, 'past'));
  const asAdjective = countOf(`${word}ly`) + countOf(`${word.replace(/e$/, '')}er`) + countOf(`${word}ness`);
  const asNoun = countOf(pluralOf(word));
  if (asVerb > asNoun && asVerb > asAdjective && asVerb * 4 > countOf(word)) return 'verb';
  return asAdjective > asNoun ? 'adj' : 'noun';
}
