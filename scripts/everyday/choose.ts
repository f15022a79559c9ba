/**
 * Makes src/wordlists/everyday.txt, the words that nine of ten adults know, by `npm run build:everyday`.
 * It is committed, because the frequencies it is made from are 15 MB: npm gets them into a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYDAY_FILE } from '../../src/wordlists/build.ts';
import { type BaseForm, basesOf } from '../clues/forms.ts';
import type { Kind } from '../clues/wordnet.ts';
import { FREQUENCY_PACKAGES, formScoreOf, readSources, type Sources, scoreOf } from './model.ts';

/** The least score of a known word, unless it was judged otherwise. */
const MIN_KNOWN_SCORE = 0.5;
/** The least score of a form of a known word that people use. */
const MIN_FORM_SCORE = 0;
/** A word of this score is known though it looks like a form of one that isn't, such as winches. */
const KNOWN_BY_ITSELF = 1.5;
/** A form that is this many times more common than its base is a word of its own. */
const OWN_WORD_RATIO = 1.5;

/** The words judged by hand whose score says something else: a list of those that are known and of those that are not. */
const [, KNOWN_BY_HAND, UNKNOWN_BY_HAND] = readFileSync(new URL('./judged.txt', import.meta.url), 'utf8')
  .split(/^#.*$/m)
  .map((words) => new Set(words.split(/\s+/)));

function everydayWords(sources: Sources): string[] {
  const { listings } = sources;
  const scores = new Map(listings.keys().map((word) => [word, scoreOf(word, sources)]));
  const score = (word: string) => scores.get(word) ?? Number.NEGATIVE_INFINITY;
  return [...listings.keys()].filter(isEveryday).sort();

  function isEveryday(word: string): boolean {
    return judgementOf(word, sources) ?? isProbable(word);
  }

  function isProbable(word: string): boolean {
    const base = baseOf(word, sources, score);
    if (base === undefined) return score(word) >= MIN_KNOWN_SCORE;
    if (isEveryday(base.base)) return formScoreOf(word, base, sources) >= MIN_FORM_SCORE;
    return judgementOf(base.base, sources) !== false && score(word) >= KNOWN_BY_ITSELF;
  }
}

/** New words count as judged. */
function judgementOf(word: string, { listings }: Sources): boolean | undefined {
  if (UNKNOWN_BY_HAND!.has(word)) return false;
  return KNOWN_BY_HAND!.has(word) || listings.get(word)?.modern === true || undefined;
}

/** The kinds of a form, in order of preference. */
const KINDS: readonly Kind[] = ['verb', 'noun', 'adj'];

/** The commonest word that a word is a form of; undefined for words of their own. */
function baseOf(
  word: string,
  { listings, senses }: Sources,
  score: (word: string) => number,
): BaseForm | undefined {
  const isOf = (one: string, kind: Kind) => senses.get(one)?.some((sense) => sense.kind === kind) ?? false;
  const [best] = basesOf(word)
    .filter(({ base, kind }) => {
      // A backpacker is no comparative.
      if (kind === 'adj' && (isOf(word, 'noun') || !isOf(base, 'adj'))) return false;
      const listing = listings.get(base);
      return listing !== undefined && (listing.level > 0 || listing.long || listing.modern);
    })
    .sort(
      (a, b) =>
        Number(isOf(b.base, b.kind)) - Number(isOf(a.base, a.kind)) ||
        score(b.base) - score(a.base) ||
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
    );
  return best !== undefined && score(best.base) > score(word) - OWN_WORD_RATIO ? best : undefined;
}

using folder = mkdtempDisposableSync(join(tmpdir(), 'letterboxed-frequencies-'));
const packages = Object.entries(FREQUENCY_PACKAGES).map(([name, version]) => `${name}@${version}`);
execFileSync('npm', ['install', '--prefix', folder.path, '--no-audit', '--ignore-scripts', ...packages]);
const words = everydayWords(readSources(join(folder.path, 'node_modules')));
writeFileSync(EVERYDAY_FILE, `${words.join('\n')}\n`);
console.log(`everyday words: ${words.length}`);
