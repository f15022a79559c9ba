/**
 * Fits the likelihood model on a folder of past days and writes its weights: `npm run fit -- FOLDER`.
 * Deterministic. Prints the quality table for each part of the year with weights that were fitted on the other parts.
 */
import { writeFileSync } from 'node:fs';
import { compileLexicon, fromByte, loadLexicon, toByte } from '../src/solver/lexicon.ts';
import { findPlayable } from '../src/solver/playable.ts';
import type { PlayableWord } from '../src/solver/types.ts';
import { featuresOf, likelihoodOf, readListings, type Weights } from '../src/wordlists/build.ts';
import { formatQuality, type PastDay, qualityOf, readDays } from './evaluate.ts';

const WEIGHTS_FILE = new URL('../src/wordlists/weights.json', import.meta.url);
const FOLDS = 4;
/** Pulls rarely seen features towards 0. */
const RIDGE_PENALTY = 1;
const NEWTON_ROUNDS = 12;

interface PlayedDay {
  readonly day: PastDay;
  readonly words: readonly PlayableWord[];
}

const listings = readListings();
const lexicon = loadLexicon(
  compileLexicon([...listings.keys()].map((word) => ({ word, likelihood: 0.5, tier: 'wide' as const }))),
);
const days = readDays(process.argv[2]);
console.log(
  `${days.length} days from ${days[0]!.date} to ${days.at(-1)!.date}, ${listings.size} words known`,
);
const played = days.map((day): PlayedDay => ({ day, words: findPlayable(day.board, lexicon) }));
const features = new Map(
  played
    .flatMap(({ words }) => words)
    .map(({ word }) => [word, featuresOf(word, listings.get(word)!, listings)]),
);
const names = [...new Set(features.values().flatMap((some) => some.keys()))];

const held = Array.from({ length: FOLDS }, (_, fold) => {
  const isHeld = (_: PlayedDay, index: number) => Math.floor((index * FOLDS) / days.length) === fold;
  const weights = fit(played.filter((day, index) => !isHeld(day, index)));
  return played.filter(isHeld).map(({ day, words }) => {
    const estimated = words.map((known) => ({ ...known, likelihood: estimate(known.word, weights) }));
    return qualityOf(day, estimated);
  });
});
console.log(
  `\n${formatQuality(held.flat(), `each of ${FOLDS} parts measured with weights fitted on the others`)}\n`,
);
writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fit(played), null, 2)}\n`);
console.log(
  `${names.length} weights written to src/wordlists/weights.json; run "npm run build:lexicon" next`,
);

/** The likelihood that these weights give a word, as the word list has it. */
function estimate(word: string, weights: Weights): number {
  return fromByte(toByte(likelihoodOf(features.get(word)!, weights)));
}

/** Newton's method for logistic regression: a dozen rounds settle it. */
function fit(part: readonly PlayedDay[]): Weights {
  const rows = rowsOf(part);
  let weights = names.map(() => 0);
  for (let round = 0; round < NEWTON_ROUNDS; round++) {
    const gradient = weights.map((weight) => -RIDGE_PENALTY * weight);
    const curvature = weights.map((_, at) =>
      weights.map((__, column) => (at === column ? RIDGE_PENALTY : 0)),
    );
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
  const named = names.map((name, index): [string, number] => [name, Number(weights[index]!.toFixed(3))]);
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One word: its features by number, on how many days it was playable, and on how many accepted. */
interface Row {
  readonly values: readonly [index: number, value: number][];
  accepted: number;
  seen: number;
}

function rowsOf(part: readonly PlayedDay[]): Row[] {
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const rows = new Map<string, Row>();
  for (const { day, words } of part) {
    for (const { word } of words) {
      const values = Array.from(features.get(word)!, ([name, value]): [number, number] => [
        indexOf.get(name)!,
        value,
      ]);
      const row = rows.get(word) ?? { values, accepted: 0, seen: 0 };
      row.seen++;
      if (day.dictionary.has(word)) row.accepted++;
      rows.set(word, row);
    }
  }
  return [...rows.values()];
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
