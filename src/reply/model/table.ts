import type { Cell, Line, Table } from './types.ts';

/** A person's cell stands alone: only the platform knows how long their name is. */
export function isPerson(cell: Cell): cell is { readonly person: string } {
  return typeof cell === 'object' && 'person' in cell;
}

/** @example cellText(2.25) // '2.3' */
export function cellText(cell: Exclude<Cell, { readonly person: string }>): string {
  return typeof cell === 'number' ? String(Math.round(cell * 10) / 10) : cell;
}

/**
 * The table as lines of equal columns, its heading first, for letters of one width. Columns of numbers end where their
 * heading ends.
 *
 * @param textOf how a cell is shown
 * @param gap between two columns
 */
export function alignedRows(table: Table, textOf: (cell: Cell) => string, gap = '  '): string[] {
  const rows = [table.columns.map(({ label }) => label), ...table.rows.map((row) => row.map(textOf))];
  const widths = table.columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((text, column) =>
        table.columns[column]!.isNumber ? text.padStart(widths[column]!) : text.padEnd(widths[column]!),
      )
      .join(gap)
      .trimEnd(),
  );
}

/** The same table without the columns whose cells are people, and those cells apart. */
export function splitPeople(table: Table): { readonly rest: Table; readonly people: readonly Cell[][] } {
  const isOfPeople = table.columns.map((_, column) => table.rows.some((row) => isPerson(row[column]!)));
  const without = <Item>(row: readonly Item[]) => row.filter((_, column) => !isOfPeople[column]);
  return {
    rest: { ...table, columns: without(table.columns), rows: table.rows.map(without) },
    people: table.rows.map((row) => row.filter((_, column) => isOfPeople[column])),
  };
}

/**
 * The table as sentences of their own, one for each row, where there are no columns.
 *
 * @example tableLines(table)[0] // ['1', ' · ', { person: 'ann' }, ' · ', 'Days 2']
 */
export function tableLines({ columns, rows }: Table): Line[] {
  return rows.map((row) =>
    row.flatMap((cell, column) => {
      const { label } = columns[column]!;
      const isTold = column === 0 || isPerson(cell);
      const piece = isPerson(cell) ? cell : isTold ? cellText(cell) : `${label} ${cellText(cell)}`;
      return column === 0 ? [piece] : [' · ', piece];
    }),
  );
}
