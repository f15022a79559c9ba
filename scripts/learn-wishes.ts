/** Makes src/dispatch/wishes.bin, which says how likely wishes are, from lines in test/dispatch: run by `npm run build:wishes`. */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { COMMANDS } from '../commands/index.ts';
import { UserError } from '../src/core/errors.ts';
import { type Command, isCalled, type Options } from '../src/dispatch/contract.ts';
import { FEATURES, featuresOf, wishesFile } from '../src/dispatch/likely.ts';
import { readTokens, type Token, tokenize } from '../src/dispatch/tokens.ts';
import { valuesOf } from '../src/dispatch/wish-values.ts';
import { isValue, type Row, tokensOf, wishRows } from '../src/dispatch/wish-words.ts';
import { readLexicon } from '../src/wordlists/load.ts';
import { readMeant } from '../test/dispatch/wishes.ts';

const ROUNDS = 300;
const RATE = 0.5;
/** How much a large weight costs: with less, the model knows its lines by heart. */
const DECAY = 2e-4;
/** Weights are bytes. */
const MOST = 127;

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const rows = [...wishRows.values()];

const examples = ['wishes.txt', 'spoken.txt']
  .flatMap((file) => readMeant(new URL(`../test/dispatch/${file}`, import.meta.url)))
  .flatMap(({ line, meant }) => {
    const keys = [...new Set(meant.flatMap((one) => keyOf(one) ?? []))];
    const tokens = tokensOf(line, isWord);
    const named = valuesOf(line, tokens, COMMANDS, isWord);
    // What is meant first counts most.
    const total = keys.reduce((sum, _, at) => sum + 1 / (at + 1), 0);
    const shares = keys.map((key, at) => [key, 1 / (at + 1) / total] as const);
    return keys.length === 0 ? [] : [{ features: featuresOf(line, named), shares }];
  });
const keys = [...new Set(examples.flatMap(({ shares }) => shares.map(([key]) => key)))];
const weights = learned();
const most = weights.reduce((high, weight) => Math.max(high, Math.abs(weight)), 0);
const head = Buffer.from(`${[most / MOST, ...keys].join(';')}\n`);
const body = Int8Array.from(weights, (weight) => Math.round((MOST * weight) / most));
const bytes = brotliCompressSync(Buffer.concat([head, Buffer.from(body.buffer)]));
writeFileSync(wishesFile(), bytes);
console.log(`${examples.length} lines, ${keys.length} wishes, ${bytes.length} bytes`);

/** The key of the row that a command is an instance of; empty for no wish. */
function keyOf(meant: string): string | undefined {
  if (/^sentence\b/.test(meant)) return '';
  if (/^(?:friendly|say)\b/.test(meant)) return meant.replace(/^friendly$/, 'say friendly');
  if (/^move /.test(meant)) return 'play words:W typed:yes';
  const [name, ...typed] = tokenize(meant);
  const declared = COMMANDS.find((one) => isCalled(one, name!.value));
  if (declared === undefined) return undefined;
  const { name: command } = declared;
  const options = optionsOf(declared, typed);
  if (options === undefined) return undefined;
  const isInstance = ({ action }: Row) => {
    if (action?.command !== command) return false;
    const isTaken = ([name, value]: [string, unknown]) =>
      isValue(String(action.options[name])) || action.options[name] === String(value);
    const isGiven = ([name, own]: [string, unknown]) =>
      isValue(String(own)) || (name === 'typed' && 'ask' in options) || options[name] !== undefined;
    return Object.entries(options).every(isTaken) && Object.entries(action.options).every(isGiven);
  };
  // Such as the row of "solution:off" rather than that of a time.
  const openOf = ({ action }: Row) =>
    Object.values(action?.options ?? {}).filter((own) => isValue(String(own))).length;
  return rows.filter(isInstance).sort((a, b) => openOf(a) - openOf(b))[0]?.key;
}

function optionsOf(command: Command, typed: readonly Token[]): Options | undefined {
  try {
    return readTokens(command, typed, isWord);
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
