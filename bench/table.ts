/** Times of one thing over many inputs, as a row of a table. */
export interface Times {
  readonly median: number;
  readonly p99: number;
}

/** Runs the whole list once to warm up, then times each input separately. */
export function timeEach<Input>(
  inputs: readonly Input[],
  work: (input: Input) => unknown,
  warmUps = 3,
): Times {
  for (let round = 0; round < warmUps; round++) for (const input of inputs) work(input);
  const times = inputs
    .map((input) => {
      const began = performance.now();
      work(input);
      return performance.now() - began;
    })
    .sort((a, b) => a - b);
  return { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function milliseconds(time: number): string {
  return time < 10 ? time.toFixed(3) : time.toFixed(1);
}

export function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

export function heading(...cells: readonly string[]): void {
  row(...cells);
  row(...cells.map(() => '---'));
}
