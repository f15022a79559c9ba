import { type SqlBool, sql, type UpdateResult } from 'kysely';

/** Rows in one statement: well below what either engine takes in parameters, for our widest table. */
const CHUNK = 500;

export function* chunksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
}

/** Whether an update of one row found it. */
export function isUpdated({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows === 1n;
}

/** The condition that the tenant of a row belongs to a door. */
export function isAt(door: string) {
  const prefix = `${door}:`;
  return sql<SqlBool>`substr(${sql.ref('tenant')}, 1, ${sql.lit(prefix.length)}) = ${prefix}`;
}

/**
 * JSON as a column holds it; null stands for undefined. Text that is no JSON comes back as it is: the reader's
 * schema then refuses it, and the other rows of the query can still be read.
 */
export function parseJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function formatJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
