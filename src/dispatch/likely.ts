import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LineValues } from './wish-values.ts';

/** How likely each wish is: a linear model over the words of a line, learned from a few thousand lines by `npm run build:wishes`. */
interface Model {
  /** The rows of the table of wishes, as they are written there. */
  readonly rows: readonly string[];
  readonly scale: number;
  /** For each feature its weight for each row, then the same for a feature that all lines have. */
  readonly weights: Int8Array;
}

/** Features are told apart by a hash of so many values. */
export const FEATURES = 4096;
export const wishesFile = () => fileURLToPath(import.meta.resolve('#wishes'));

let model: Model | undefined;

/** The file is a line with the scale of the weights and the rows, parted by `;`, and the weights. */
function readModel(bytes: Uint8Array): Model {
  const end = bytes.indexOf(10);
  const [scale, ...rows] = new TextDecoder().decode(bytes.subarray(0, end)).split(';');
  return {
    rows,
    scale: Number(scale),
    weights: new Int8Array(bytes.subarray(end + 1)),
  };
}

/** What a line is judged by: its words and their parts, pairs of words, and the kinds of values in it. */
export function featuresOf(
  line: string,
  { rest, words: typed, values, sureness }: LineValues,
): readonly number[] {
  const meanings = rest.map(({ meaning }) => meaning);
  const words = typed.flatMap((word) => word.match(/[\p{L}\d]+/gu) ?? []);
  const features = [
    ...meanings,
    ...meanings.slice(1).map((meaning, at) => `${meanings[at]} ${meaning}`),
    ...Object.keys(values).filter((name) => name !== 'M'),
    ...(values.W === undefined ? [] : [`W${sureness}`]),
    ...words.map((word) => `w${word}`),
    ...words.flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => `c${`<${word}>`.slice(at, at + 4)}`),
    ),
    `1${words[0]}`,
    `n${Math.min(4, Math.floor(words.length / 3))}`,
    /\?\s*$/.test(line) ? '?' : '.',
  ];
  return [...new Set(features.map(hashOf))];
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (FEATURES - 1);
}

function readOnce(): Model {
  // Loaded with the first such line, as most commands need no decompression.
  model ??= readModel(process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(wishesFile())));
  return model;
}

/** How likely a line means each row, in proportion to the others; an empty row stands for no wish. */
export function oddsOf(features: readonly number[]): ReadonlyMap<string, number> {
  const { rows, scale, weights } = readOnce();
  const all = [...features, FEATURES];
  const sumOf = (at: number) => all.reduce((sum, feature) => sum + weights[feature * rows.length + at]!, 0);
  return new Map(rows.map((row, at) => [row, Math.exp(sumOf(at) * scale)]));
}
