import { type RawBuilder, type SqlBool, sql, type UpdateResult } from 'kysely';
import type { Database, Db } from '../schema.ts';

/** Rows in one statement: well below what either engine takes in parameters, for our widest table. */
const CHUNK = 500;

/** Which rows of a list: at most `limit`, after the first `offset`. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}
export const WHOLE: Page = { offset: 0, limit: 1_000_000 };

/** Rows beyond a bound that are deleted together with one that is written: more are there only after the bound was lowered. */
export const MOST_DELETED = 200;

/** Deletes rows in small statements, between which other queries and the event loop have their turn. */
export async function deleteInChunks<Table extends keyof Database & string>(
  db: Db,
  table: Table,
  key: readonly (keyof Database[Table] & string)[],
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${columns}) in
      (select ${columns} from ${sql.table(table)} where ${condition} limit ${sql.lit(CHUNK)})`.execute(db);
    if (numAffectedRows < BigInt(CHUNK)) return;
  }
}

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
