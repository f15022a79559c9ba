import { basesOf, IRREGULAR } from './forms.ts';
import type { Kind, Sense } from './wordnet.ts';

type Senses = ReadonlyMap<string, readonly Sense[]>;

/** Where a noun ends that stands before it: `a canopy made of canvas`. */
const AFTER_NOUN =
  /^(?:of|that|which|who|whom|whose|where|when|above|below|behind|before|after|as|at|by|for|from|in|into|on|to|with|without|over|under|between|against|about|than|like|through|around|during|near|having|using|consisting|used|made|usually|often|especially|is|are|was|not|you|they|he|she|it)$/;
const UNCHANGED =
  /^(?:out|over|re|up|be|broad|fore)?(?:put|cut|set|hit|shut|let|cost|cast|spread|split|hurt|quit|rid|read|shed|thrust|burst|bid|slit)$/;
/** Participles that the list has for verbs whose past is regular, such as shown. */
const ONLY_PARTICIPLE = /(?:wn|proven|riven|shorn|swollen)$/;
/** Last consonants that are doubled, in words of one syllable and in others that end with a stress. */
const DOUBLES = /^(?:(?:qu|[^aeiouy])*[aeiou][bdfgklmnprtvz]|.*(?:mit|fer|pel|rol|cur|gin|get|cap))$/;
const NEVER_DOUBLES = /^(?:offer|suffer|differ|limit|vomit|target|budget|develop)$/;

const irregulars = (form: string) =>
  new Map([...IRREGULAR].toReversed().flatMap(([one, of]) => (of.form === form ? [[of.base, one]] : [])));
const PLURALS: ReadonlyMap<string, string> = irregulars('plural');
const PASTS: ReadonlyMap<string, string> = irregulars('past');

function withS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|[^aeiou]o)$/.test(word) ? `${word}es` : `${word}s`;
}

export function pluralOf(noun: string): string {
  const known = PLURALS.get(noun);
  if (known !== undefined) return known;
  if (/(?:series|species)$/.test(noun)) return noun;
  if (/(?:^|[^u])man$/.test(noun) && !/(?:ger|ro|sha|hu|cay|talis)man$/.test(noun))
    return `${noun.slice(0, -2)}en`;
  if (/(?:kni|wi|li)fe$/.test(noun)) return `${noun.slice(0, -2)}ves`;
  if (/(?:wol|shel|sel|hal|cal|lea|loa|thie|el)f$/.test(noun)) return `${noun.slice(0, -1)}ves`;
  return withS(noun);
}

/** @param form as in `basesOf` */
export function verbFormOf(verb: string, form: string): string {
  const doubled = /[aei]c$/.test(verb)
    ? 'k'
    : DOUBLES.test(verb) && !NEVER_DOUBLES.test(verb)
      ? verb.at(-1)
      : '';
  const stem = `${verb}${doubled}`;
  if (form === 'he, she or it') return verb === 'be' ? 'is' : verb === 'have' ? 'has' : withS(verb);
  if (form === '-ing form') {
    if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
    return `${/[^eoy]e$/.test(verb) && verb.length > 2 ? verb.slice(0, -1) : stem}ing`;
  }
  const known = verb === 'have' ? 'had' : verb === 'be' ? 'was' : PASTS.get(verb);
  if (known !== undefined && !ONLY_PARTICIPLE.test(known)) return known;
  if (UNCHANGED.test(verb)) return verb;
  if (/e$/.test(verb)) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${stem}ed`;
}

/** How a sentence by hand begins that says what something does: it purrs, or it’s kissed. */
export const SUBJECT = /^(it|he|she)(’s)? /;

/**
 * The clue of a form, made of the clue of its base; undefined when the words don't show how.
 *
 * @example inflect('to squeeze or press together', 'verb', '-ing form', senses) // 'squeezing or pressing together'
 * @example inflect('a canopy made of canvas', 'noun', 'plural', senses) // 'canopies made of canvas'
 */
export function inflect(clue: string, kind: Kind, form: string, senses: Senses): string | undefined {
  const isMostly = (token: string, as: Kind) => senses.get(token)?.[0]?.kind === as;
  const is = (token: string, as: Kind) => senses.get(token)?.some((one) => one.kind === as) ?? false;
  const isVerb = (token: string) =>
    token !== 'like' && (/^(?:be|do|go|have)$/.test(token) || is(token, 'verb'));
  if (kind === 'verb' && clue.startsWith('to ')) return inflectVerb(clue.slice(3).split(' '));
  if (kind === 'noun' && form === 'plural') return inflectNoun(clue);
  return;

  function inflectVerb(tokens: readonly string[]): string | undefined {
    const said: string[] = [];
    let mayBeVerb = true;
    for (const [index, token] of tokens.entries()) {
      const bare = token.replace(/,$/, '');
      const before = tokens[index - 1] ?? '';
      const isJoint = /^(?:or|and)$/;
      if (mayBeVerb ? isVerb(bare) : isJoint.test(before) && isMostly(bare, 'verb')) {
        said.push(verbFormOf(bare, form) + token.slice(bare.length));
        mayBeVerb = token !== bare || isJoint.test(tokens[index + 1] ?? '');
      } else if (index === 0) return;
      // Whether it is a verb that comes after a comma is hard to tell: "look angry, wrinkle one’s forehead".
      else if (before.endsWith(',') && isVerb(bare)) break;
      else {
        said.push(token);
        mayBeVerb &&= isJoint.test(token);
      }
    }
    return said.join(' ').replace(/(?:,| or| and| usually| often)+$/, '');
  }
  function inflectNoun(text: string): string | undefined {
    const [start, , be] = SUBJECT.exec(text) ?? [];
    if (start !== undefined) {
      const [, ...said] = agreeing(`who ${be ? 'is ' : ''}${text.slice(start.length)}`.split(' '));
      return `they ${said.join(' ')}`.replace(/\b(?:its|his|her)\b/g, 'their');
    }
    if (/^any of (?:various|numerous|several) /.test(text)) return text.replace(/^any of \w+ /, '');
    const tokens = text
      .replace(
        /^(?:(?:a|an|the|any|one|each)\b(?! who\b|’) ?)?(?:of (?:various|numerous|several|the) ?)?/,
        '',
      )
      .replace(/^(?:someone|somebody|one)\b(?!’)/, 'person')
      .replace(/^something\b/, 'thing')
      .split(' ');
    const end = tokens.findIndex(
      (token, index) =>
        AFTER_NOUN.test(token) ||
        (tokens[index + 1] !== 'of' && isParticiple(token, tokens[index - 1])) ||
        /[,:;(]/.test(tokens[index - 1] ?? ''),
    );
    const noun = tokens.slice(0, end === -1 ? tokens.length : end);
    // A judge sits there: of judges, that is no noun any more.
    if (noun.some((token, index) => index > 0 && isVerbOf(token))) return;
    const hasArticle = /^(?:an?|the|any) /.test(text);
    const said = noun.map((token, index) => {
      const next = noun[index + 1];
      if (index > 0 && /^(?:a|an)$/.test(token)) return '';
      if (next !== undefined && (!/^(?:or|and)$/.test(next) || token.endsWith('ing'))) return token;
      const [, word = '', mark = ''] = /^([a-z-]+)(,?)$/.exec(token) ?? [];
      if (basesOf(word).some((one) => one.form === 'plural' && is(one.base, 'noun'))) return token;
      const last = word.split('-').at(-1) ?? '';
      const isLast = next === undefined && (hasArticle || isMostly(noun[index - 1] ?? '', 'adj'));
      const isNoun = isLast ? is(last, 'noun') : isMostly(last, 'noun');
      if (!isNoun) return next === undefined ? undefined : token;
      return word.slice(0, -last.length) + pluralOf(last) + mark;
    });
    if (said.length === 0 || said.includes(undefined)) return;
    return [...said.filter((one) => one !== ''), ...(end === -1 ? [] : agreeing(tokens.slice(end)))].join(
      ' ',
    );
  }
  function isVerbOf(token: string): boolean {
    return (
      token === 'has' ||
      basesOf(token).some((one) => one.form === 'he, she or it' && isMostly(one.base, 'verb'))
    );
  }
  function isParticiple(token: string, before: string | undefined): boolean {
    return (
      before !== undefined &&
      isMostly(before, 'noun') &&
      basesOf(token).some(
        (one) => one.kind === 'verb' && /past|ing/.test(one.form) && isMostly(one.base, 'verb'),
      ) &&
      !isMostly(token, 'noun')
    );
  }
  /** `who buys and sells`, said of several. */
  function agreeing(tokens: readonly string[]): string[] {
    const clause = tokens.findIndex((token) => /^(?:who|that|which)$/.test(token));
    const plain: Record<string, string> = { is: 'are', has: 'have', was: 'were', does: 'do', goes: 'go' };
    return tokens.map((token, index) => {
      if (token === 'its' && /^(?:that|who)$/.test(tokens[clause] ?? '')) return 'their';
      const before = tokens[index - 1] ?? '';
      const isVerb = index === clause + 1 || (index > clause && /^(?:or|and|who)$|,$/.test(before));
      if (clause === -1 || !isVerb) return token;
      if (plain[token] !== undefined) return plain[token];
      const bare = token.replace(/,$/, '');
      const base = basesOf(bare).find(
        (one) =>
          one.form === 'he, she or it' &&
          (index === clause + 1 ? is(one.base, 'verb') : isMostly(one.base, 'verb')),
      );
      return base === undefined ? token : base.base + token.slice(bare.length);
    });
  }
}
