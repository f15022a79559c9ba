/** Milliseconds that work takes, the median of some times one after the other. */
export function medianTime(times: number, work: () => unknown): number {
  const taken = Array.from({ length: times }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return quantile(taken, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
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
