/** Pulls rarely seen features towards 0. */
const RIDGE = 1;
const ROUNDS = 12;

/** One word: its features by number, how often it was seen, how often accepted. */
export interface Row {
  readonly features: readonly [index: number, value: number][];
  accepted: number;
  seen: number;
}

/** Newton's method for logistic regression: a dozen rounds settle it. */
export function solve(rows: readonly Row[], size: number): number[] {
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight) => -RIDGE * weight);
    const curvature = weights.map((_, at) => weights.map((__, column) => (at === column ? RIDGE : 0)));
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
