/** The name that was probably meant; undefined when none is near. Swapped neighbours count as one slip. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const text = typed.slice(0, 40).toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    const slips = text.length > 1 && name.startsWith(text) ? 0 : distance(text, name);
    if (slips < least) [best, least] = [name, slips];
  }
  return best;
}

function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let slips = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, rows[i - 2]![j - 2]! + 1);
      row.push(slips);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
