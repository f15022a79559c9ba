/**
 * Fits the likelihood model on a folder of past days and writes its weights: `npm run fit -- FOLDER`.
 * Deterministic. Prints the quality table for each part of the year with weights that were fitted on the other parts.
 */
import { writeFileSync } from 'node:fs';
import { compileLexicon, fromByte, loadLexicon, toByte } from '../src/solver/lexicon.ts';
import { findPlayable } from '../src/solver/playable.ts';
import type { PlayableWord } from '../src/solver/types.ts';
import { featuresOf, likelihoodOf, readListings, type Weights } from '../src/wordlists/build.ts';
import { addDay, formatMetrics, makeMetrics, type PastDay, readDays } from './evaluate.ts';

const WEIGHTS_FILE = new URL('../src/wordlists/weights.json', import.meta.url);
const FOLDS = 4;
/** Pulls rarely seen features towards 0. */
const RIDGE_PENALTY = 1;
const NEWTON_ROUNDS = 12;

interface Outcome {
  readonly day: PastDay;
  readonly words: readonly PlayableWord[];
}

const listings = readListings();
const lexicon = loadLexicon(
  compileLexicon([...listings.keys()].map((word) => ({ word, likelihood: 0.5, tier: 'wide' as const }))),
);
const names: string[] = [];
const indexOf = new Map<string, number>();
const featureRows = new Map<string, readonly [number, number][]>();

const days = readDays(process.argv[2]);
console.log(
  `${days.length} days from ${days[0]!.date} to ${days.at(-1)!.date}, ${listings.size} words known`,
);
const outcomes = days.map(
  (day): Outcome => ({
    day,
    words: findPlayable(day.board, lexicon),
  }),
);

for (const { words } of outcomes) for (const { word } of words) rowOf(word);

const held = makeMetrics();
for (let fold = 0; fold < FOLDS; fold++) {
  const isHeld = (index: number) => Math.floor((index * FOLDS) / days.length) === fold;
  const fitted = nameWeights(solve(gather(outcomes.filter((_, index) => !isHeld(index))), names.length));
  for (const { day, words } of outcomes.filter((_, index) => isHeld(index))) {
    addDay(
      held,
      day,
      words.map((known) => withEstimate(known, fitted)),
    );
  }
}
console.log(
  `\n${formatMetrics(held, `each of ${FOLDS} parts measured with weights fitted on the others`)}\n`,
);

const weights = nameWeights(solve(gather(outcomes), names.length));
writeFileSync(WEIGHTS_FILE, `${JSON.stringify(weights, null, 2)}\n`);
console.log(
  `${names.length} weights written to src/wordlists/weights.json; run "npm run build:lexicon" next`,
);

function nameWeights(weights: readonly number[]): Weights {
  const named = names.map((name, index): [string, number] => [name, Number(weights[index]!.toFixed(3))]);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The words with the likelihood that these weights give them. */
function withEstimate({ word, length, tier, walks }: PlayableWord, weights: Weights): PlayableWord {
  const exact = likelihoodOf(featuresOf(word, listings.get(word)!, listings), weights);
  return { word, length, tier, walks, likelihood: fromByte(toByte(exact)) };
}

/** One row for each word, with how often it was playable and how often it was accepted. */
function gather(part: readonly Outcome[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { day, words } of part) {
    for (const { word } of words) {
      const row = rows.get(word) ?? { features: rowOf(word), accepted: 0, seen: 0 };
      row.seen++;
      if (day.dictionary.has(word)) row.accepted++;
      rows.set(word, row);
    }
  }
  return [...rows.values()];
}

function rowOf(word: string): readonly [number, number][] {
  const known = featureRows.get(word);
  if (known !== undefined) return known;
  const row = [...featuresOf(word, listings.get(word)!, listings)].map(([name, value]): [number, number] => {
    if (!indexOf.has(name)) indexOf.set(name, names.push(name) - 1);
    return [indexOf.get(name)!, value];
  });
  featureRows.set(word, row);
  return row;
}

/** One word: its features by number, how often it was seen, how often accepted. */
interface Row {
  readonly features: readonly [index: number, value: number][];
  accepted: number;
  seen: number;
}

/** Newton's method for logistic regression: a dozen rounds settle it. */
function solve(rows: readonly Row[], size: number): number[] {
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < NEWTON_ROUNDS; round++) {
    const gradient = weights.map((weight) => -RIDGE_PENALTY * weight);
    const curvature = weights.map((_, at) =>
      weights.map((__, column) => (at === column ? RIDGE_PENALTY : 0)),
    );
    for (const { features, accepted, seen } of rows) {
      const p = predict(features, weights);
      for (const [i, x] of features) {
        gradient[i]! += x * (accepted - seen * p);
        for (const [j, y] of features) curvature[i]![j]! += seen * p * (1 - p) * x * y;
      }
    }
    const step = solveLinear(curvature, gradient);
    weights = weights.map((weight, index) => weight + step[index]!);
  }
  return weights;
}

function predict(features: Row['features'], weights: readonly number[]): number {
  let sum = 0;
  for (const [index, value] of features) sum += (weights[index] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Gaussian elimination with pivoting. */
function solveLinear(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      if (factor !== 0)
        for (let at = column; at <= size; at++) rows[row]![at]! -= factor * rows[column]![at]!;
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}
