/** Makes src/dispatch/wishes.bin, which says how likely wishes are, from lines in test/dispatch: run by `npm run build:wishes`. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { COMMANDS } from '../commands/index.ts';
import { UserError } from '../src/core/errors.ts';
import { splitWords } from '../src/core/text.ts';
import { isCalled, type Options } from '../src/dispatch/contract.ts';
import { tokenize } from '../src/dispatch/tokens.ts';
import { readTokens } from '../src/dispatch/typed-options.ts';
import { FEATURES, useModel, wishesFile } from '../src/dispatch/wish-model.ts';
import { MOVE_KEY, placedValue, type WishRow, wishRows } from '../src/dispatch/wish-table.ts';
import { valuesOf } from '../src/dispatch/wish-values.ts';
import { tokensOf } from '../src/dispatch/wish-words.ts';
import { featuresOf } from '../src/dispatch/wishes.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { readMeant } from '../test/dispatch/wishes.ts';

const ROUNDS = 200;
const RATE = 0.5;
/** How much a large weight costs: with less, the model knows its lines by heart. */
const DECAY = 2e-4;
/** Weights are bytes; with fewer values, they take less space. */
const MOST = 63;
/** Of a word that can be played, so many lines have to have it before it is known. */
const MIN_LINES = 3;

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const rows = [...wishRows.values()];

const lines = ['wishes.txt', 'spoken.txt']
  .flatMap((file) => readMeant(new URL(`../test/dispatch/${file}`, import.meta.url)))
  .map(({ line, meant }) => ({ line, meant, tokens: tokensOf(line, isWord) }));
const words = knownWords();
// The values of a line depend on which words are known.
useModel(packed([], new Float64Array()));
const examples = lines.flatMap(({ line, meant, tokens }) => {
  const keys = [...new Set(meant.flatMap((one) => keyOf(one) ?? []))];
  const named = valuesOf(line, tokens, COMMANDS, isWord);
  // What is meant first counts most.
  const total = keys.reduce((sum, _, at) => sum + 1 / (at + 1), 0);
  const shares = keys.map((key, at) => [key, 1 / (at + 1) / total] as const);
  return keys.length === 0 ? [] : [{ features: featuresOf(line, named), shares }];
});
const keys = [...new Set(examples.flatMap(({ shares }) => shares.map(([key]) => key)))];
const bytes = packed(keys, learned());
writeFileSync(wishesFile(), bytes);
console.log(`${examples.length} lines, ${words.length} words, ${keys.length} wishes, ${bytes.length} bytes`);

function packed(keys: readonly string[], weights: Float64Array): Buffer {
  const most = weights.reduce((high, weight) => Math.max(high, Math.abs(weight)), 0);
  const head = Buffer.from(`${[most / MOST, ...keys].join(';')}\n${words.join(' ')}\n`);
  const body = Int8Array.from(weights, (weight) => Math.round((MOST * weight) / most));
  return brotliCompressSync(Buffer.concat([head, Buffer.from(body.buffer)]));
}

/** Words that are hardly ever played or asked about; a word that can be played counts only if several lines have it. */
function knownWords(): string[] {
  const counts = new Map<string, { said: number; named: number }>();
  for (const { meant, tokens } of lines) {
    const named = meant.flatMap(namedIn);
    for (const word of new Set(tokens.map((token) => token.word))) {
      const count = counts.get(word) ?? { said: 0, named: 0 };
      count[named.includes(word.replace('-', '')) ? 'named' : 'said'] += 1;
      counts.set(word, count);
    }
  }
  return [...counts].flatMap(([word, { said, named }]) =>
    said > 3 * named && said >= (isWord(word) ? MIN_LINES : 1) ? [word] : [],
  );
}

/** The words, letters and sides of a command. */
function namedIn(meant: string): string[] {
  const options = readMeaning(meant.replace(/^move /, 'play '))?.options ?? {};
  const named = ['words', 'sides', 'starts', 'ends'].map((name) => String(options[name] ?? ''));
  return [...named.flatMap(splitWords), ...String(options.uses ?? '')];
}

/** The key of the row that a command is an instance of; empty for no wish. */
function keyOf(meant: string): string | undefined {
  if (/^sentence\b/.test(meant)) return '';
  if (/^(?:friendly|say)\b/.test(meant)) return meant.replace(/^friendly$/, 'say friendly');
  if (/^move /.test(meant)) return MOVE_KEY;
  const { command, options } = readMeaning(meant) ?? {};
  if (options === undefined) return undefined;
  const isInstance = ({ action }: WishRow) => {
    if (action === undefined || action.command !== command) return false;
    const isTaken = ([name, value]: [string, unknown]) =>
      isPlace(action.options[name]) || action.options[name] === String(value);
    const isGiven = ([name, own]: [string, unknown]) =>
      isPlace(own) || (name === 'typed' && 'ask' in options) || options[name] !== undefined;
    return Object.entries(options).every(isTaken) && Object.entries(action.options).every(isGiven);
  };
  // Such as the row of "solution:off" rather than that of a time.
  const openOf = ({ action }: WishRow) =>
    Object.values(action?.options ?? {}).filter((own) => isPlace(own)).length;
  return rows.filter(isInstance).sort((a, b) => openOf(a) - openOf(b))[0]?.key;
}

function isPlace(option: unknown): boolean {
  return placedValue(option) !== undefined;
}

function readMeaning(meant: string): { command: string; options: Options } | undefined {
  const [name, ...typed] = tokenize(meant);
  const command = COMMANDS.find((one) => isCalled(one, name!.value));
  if (command === undefined) return undefined;
  try {
    return { command: command.name, options: readTokens(command, typed, isWord) };
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Multinomial logistic regression, by steps along the whole gradient that shrink for each weight (AdaGrad). */
function learned(): Float64Array {
  const size = keys.length;
  const places = new Map(keys.map((key, at) => [key, at]));
  const uses = new Uint32Array(FEATURES + 1);
  for (const { features } of examples) for (const feature of features) uses[feature]! += 1;
  const found = new Float64Array((FEATURES + 1) * size);
  const squares = new Float64Array(found.length).fill(1e-8);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(found.length);
    for (const { features, shares } of examples) {
      // What one line alone has tells nothing.
      const own = [...features.filter((feature) => uses[feature]! > 1), FEATURES];
      const sums = new Float64Array(size);
      for (const feature of own) for (let at = 0; at < size; at++) sums[at]! += found[feature * size + at]!;
      const top = Math.max(...sums);
      const odds = sums.map((sum) => Math.exp(sum - top));
      const all = odds.reduce((sum, one) => sum + one, 0);
      const errors = odds.map((one) => one / all);
      for (const [key, share] of shares) errors[places.get(key)!]! -= share;
      for (const feature of own)
        for (let at = 0; at < size; at++) gradient[feature * size + at]! += errors[at]! / examples.length;
    }
    for (let at = 0; at < found.length; at++) {
      const slope = gradient[at]! + (at < FEATURES * size ? DECAY * found[at]! : 0);
      squares[at]! += slope * slope;
      found[at]! -= (RATE * slope) / Math.sqrt(squares[at]!);
    }
  }
  return found;
}
