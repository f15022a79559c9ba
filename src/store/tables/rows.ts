import type { UpdateResult } from 'kysely';

/** Rows in one statement: well below what either engine takes in parameters, for our widest table. */
const CHUNK = 500;

export function* chunksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
}

/** Whether an update of one row found it. */
export function isUpdated({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows === 1n;
}
