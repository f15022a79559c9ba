/**
 * Fits the likelihood model on a folder of past days and writes its weights: `npm run fit -- FOLDER`.
 * Deterministic. Prints the quality table for each part of the year with weights that were fitted on the other parts.
 */
import { writeFileSync } from 'node:fs';
import { compileLexicon, fromByte, loadLexicon, toByte } from '../src/solver/lexicon.ts';
import { findPlayable } from '../src/solver/playable.ts';
import type { PlayableWord } from '../src/solver/types.ts';
import { featuresOf, likelihoodOf, readListings, type Weights } from '../src/wordlists/build.ts';
import { type PastDay, printQuality, qualityOf, readDays } from './evaluate.ts';

const WEIGHTS_FILE = new URL('../src/wordlists/weights.json', import.meta.url);
const FOLDS = 4;
/** Pulls rarely seen features towards 0. */
const RIDGE_PENALTY = 1;
const NEWTON_ROUNDS = 12;

interface PlayedDay extends PastDay {
  readonly words: readonly PlayableWord[];
}

const listings = readListings();
const lexicon = loadLexicon(
  compileLexicon([...listings.keys()].map((word) => ({ word, likelihood: 0.5, tier: 'wide' as const }))),
);
const days = readDays(process.argv[2]);
console.log(`${days.length} days, ${days[0]!.date} to ${days.at(-1)!.date}, ${listings.size} words known`);
const played = days.map((day): PlayedDay => ({ ...day, words: findPlayable(day.board, lexicon) }));
const features = new Map(
  played
    .flatMap(({ words }) => words)
    .map(({ word }) => [word, featuresOf(word, listings.get(word)!, listings)]),
);
const names = [...new Set(features.values().flatMap((some) => some.keys()))].sort();

const held = Array.from({ length: FOLDS }, (_, fold) => {
  const isHeld = (_: PlayedDay, index: number) => Math.floor((index * FOLDS) / days.length) === fold;
  const weights = fit(played.filter((day, index) => !isHeld(day, index)));
  // As the word list has it.
  const estimate = (word: string) => fromByte(toByte(likelihoodOf(features.get(word)!, weights)));
  return played.filter(isHeld).map((day) =>
    qualityOf(
      day,
      day.words.map((known) => ({ ...known, likelihood: estimate(known.word) })),
    ),
  );
});
printQuality(held.flat(), `each of ${FOLDS} parts measured with weights fitted on the others`);
writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fit(played), null, 2)}\n`);
console.log(
  `${names.length} weights written to src/wordlists/weights.json; run "npm run build:lexicon" next`,
);

/** Newton's method for logistic regression: a dozen rounds settle it. */
function fit(part: readonly PlayedDay[]): Weights {
  const rows = rowsOf(part);
  let weights = names.map(() => 0);
  for (let round = 0; round < NEWTON_ROUNDS; round++) {
    const gradient = weights.map((weight) => -RIDGE_PENALTY * weight);
    const curvature = names.map((_, row) => names.map((__, column) => (row === column ? RIDGE_PENALTY : 0)));
    for (const { values, accepted, seen } of rows) {
      const sum = values.reduce((all, [index, value]) => all + weights[index]! * value, 0);
      const p = 1 / (1 + Math.exp(-sum));
      for (const [i, x] of values) {
        gradient[i]! += x * (accepted - seen * p);
        for (const [j, y] of values) curvature[i]![j]! += seen * p * (1 - p) * x * y;
      }
    }
    const step = solveLinear(curvature, gradient);
    weights = weights.map((weight, index) => weight + step[index]!);
  }
  return Object.fromEntries(names.map((name, index) => [name, Number(weights[index]!.toFixed(3))]));
}

/** Each word's features by number, on how many days it was playable, and on how many accepted. */
function rowsOf(part: readonly PlayedDay[]) {
  const seen = part.flatMap(({ dictionary, words }) =>
    words.map(({ word }) => ({ word, isAccepted: dictionary.has(word) })),
  );
  return Array.from(
    Map.groupBy(seen, ({ word }) => word),
    ([word, days]) => ({
      values: Array.from(features.get(word)!, ([name, value]) => [names.indexOf(name), value] as const),
      accepted: days.filter(({ isAccepted }) => isAccepted).length,
      seen: days.length,
    }),
  );
}

/** Gaussian elimination, without pivoting: the curvature is positive definite. */
function solveLinear(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  for (const [column, pivot] of rows.entries()) {
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[column]! / pivot[column]!;
      for (let at = column; at < row.length; at++) row[at]! -= factor * pivot[at]!;
    }
  }
  return rows.map((row, index) => row.at(-1)! / row[index]!);
}
