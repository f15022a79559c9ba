import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How likely each wish is: a linear model over the words of a line, learned from a few thousand lines by `npm run build:wishes`. */
interface Model {
  /** The rows of the table of wishes, as they are written there. */
  readonly rows: readonly string[];
  readonly scale: number;
  /** The words of the lines, but those that are played or asked about. */
  readonly words: ReadonlySet<string>;
  /** For each feature its weight for each row, then the same for a feature that all lines have. */
  readonly weights: Int8Array;
}

/** Features are told apart by a hash of so many values. */
export const FEATURES = 16_384;
export const wishesFile = () => fileURLToPath(import.meta.resolve('#wishes'));

let model: Model | undefined;

/** The file is a line with the scale of the weights and the rows, parted by `;`, a line with the words, and the weights. */
function readModel(bytes: Uint8Array): Model {
  const first = bytes.indexOf(10);
  const second = bytes.indexOf(10, first + 1);
  const textOf = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const [scale, ...rows] = textOf(0, first).split(';');
  return {
    rows,
    scale: Number(scale),
    words: new Set(textOf(first + 1, second).split(' ')),
    weights: new Int8Array(bytes.subarray(second + 1)),
  };
}

function readOnce(): Model {
  // Loaded with the first such line, as most commands need no decompression.
  model ??= readModel(process.getBuiltinModule('node:zlib').brotliDecompressSync(readFileSync(wishesFile())));
  return model;
}

export function knownWords(): ReadonlySet<string> {
  return readOnce().words;
}

/** FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (FEATURES - 1);
}

/** How likely a line means each row, in proportion to the others; an empty row stands for no wish. */
export function oddsOf(features: readonly number[]): ReadonlyMap<string, number> {
  const { rows, scale, weights } = readOnce();
  const all = [...features, FEATURES];
  const sumOf = (at: number) => all.reduce((sum, feature) => sum + weights[feature * rows.length + at]!, 0);
  return new Map(rows.map((row, at) => [row, Math.exp(sumOf(at) * scale)]));
}
