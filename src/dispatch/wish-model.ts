import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * How likely a line of free text means each wish, such as a hint: a linear model over its words, learned from a few thousand
 * lines by `npm run build:wishes`.
 */
interface WishModel {
  /** The keys of the rows in wish-table.ts; an empty one stands for no wish. */
  readonly keys: readonly string[];
  readonly scale: number;
  readonly words: ReadonlySet<string>;
  /** For each feature its weight for each key, then the same for a feature that all lines have. */
  readonly weights: Int8Array;
}

/** Features are told apart by a hash of so many values: some share one, in a file that stays small. */
export const FEATURES = 16_384;
export const wishesFile = () => fileURLToPath(import.meta.resolve('#wishes'));

let model: WishModel | undefined;

/** The model is loaded with the first line that needs it, as most commands need no decompression. */
const modelOnce = () => (model ??= useModel(readFileSync(wishesFile())));

/** Uses the model of a file: a line with the scale of the weights and the keys, parted by `;`, a line with the words, and the weights. */
export function useModel(file: Uint8Array): WishModel {
  const bytes = process.getBuiltinModule('node:zlib').brotliDecompressSync(file);
  const first = bytes.indexOf('\n');
  const second = bytes.indexOf('\n', first + 1);
  const [scale, ...keys] = bytes.toString('utf8', 0, first).split(';');
  const words = bytes.toString('utf8', first + 1, second).split(' ');
  const weights = new Int8Array(bytes.subarray(second + 1));
  model = { keys, scale: Number(scale), words: new Set(words), weights };
  return model;
}

/** The words of ordinary talk in the learned lines. Any other word of a line may be played, or asked about. */
export function knownWords(): ReadonlySet<string> {
  return modelOnce().words;
}

/** FNV-1a, folded to the number of features. */
export function hashOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (const character of feature) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash ^ (hash >>> 15)) & (FEATURES - 1);
}

/** How likely a line means each key, in proportion to the others. */
export function oddsOf(features: readonly number[]): ReadonlyMap<string, number> {
  const { keys, scale, weights } = modelOnce();
  const all = [...features, FEATURES];
  const sumOf = (at: number) => all.reduce((sum, feature) => sum + weights[feature * keys.length + at]!, 0);
  return new Map(keys.map((key, at) => [key, Math.exp(sumOf(at) * scale)]));
}
