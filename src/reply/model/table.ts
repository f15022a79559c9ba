import type { Cell, Line, Table } from './types.ts';

/** A cell that is a person: only the platform knows how long the name is. */
export function isPerson(cell: Cell): cell is { readonly person: string } {
  return typeof cell === 'object' && 'person' in cell;
}

/** @example cellText(2.25) // '2.3' */
export function cellText(cell: Exclude<Cell, { readonly person: string }>): string {
  return typeof cell === 'number' ? String(Math.round(cell * 10) / 10) : cell;
}

/**
 * The table as lines of text, its heading first, aligned with spaces for letters of one width: numbers to the right.
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

/** The columns of numbers as a table, and the other cells of each row, such as a person and their title. */
export function splitPeople(table: Table): { readonly numbers: Table; readonly people: readonly Cell[][] } {
  const numbersIn = <Item>(row: readonly Item[]) =>
    row.filter((_, column) => table.columns[column]!.isNumber);
  return {
    numbers: { ...table, columns: numbersIn(table.columns), rows: table.rows.map(numbersIn) },
    people: table.rows.map((row) => row.filter((_, column) => !table.columns[column]!.isNumber)),
  };
}

/**
 * The table as sentences, one for each row, for places without columns.
 *
 * @example tableLines(table)[0] // ['1', ' · ', { person: 'ann' }, ' · ', 'Days 2']
 */
export function tableLines({ columns, rows }: Table): Line[] {
  return rows.map((row) =>
    row.flatMap((cell, column) => {
      if (cell === '') return [];
      const { label, isNumber } = columns[column]!;
      const isLabelled = isNumber && column > 0;
      const piece = isPerson(cell) ? cell : isLabelled ? `${label} ${cellText(cell)}` : cellText(cell);
      return column === 0 ? [piece] : [' · ', piece];
    }),
  );
}
