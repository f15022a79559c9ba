import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import * as v from 'valibot';
import { type ChannelRef, identityScope, isWholeDoor } from '../../core/channel-ref.ts';
import {
  type Database,
  type DatabaseEngine,
  type Db,
  type Reason,
  reasonSchema,
  TENANT_KEYS,
  type TenantTable,
} from '../schema.ts';

/** Values of some columns of a table. */
type Columns<Table extends keyof Database> = {
  readonly [Column in keyof Database[Table]]?: NonNullable<Database[Table][Column]>;
};
type NewRow<Table extends TenantTable> = Omit<Database[Table], 'tenant'>;
type Update<Table extends TenantTable> = UpdateQueryBuilder<Database, Table, Table, UpdateResult>;

/**
 * The rows of one tenant. Every query of a tenant's tables begins here, so that it can't see or touch another tenant's
 * rows.
 *
 * @example rows.select('result', { person }).selectAll().execute()
 */
export class TenantRows {
  readonly db: Db;
  readonly tenant: string;

  constructor(db: Db, tenant: string) {
    this.db = db;
    this.tenant = tenant;
  }

  // Kysely can't infer the columns of a table that is a parameter: each cast states what it would infer.

  select<Table extends TenantTable>(table: Table, columns: Columns<Table> = {}) {
    return this.#where(
      this.db.selectFrom(table as TenantTable),
      table,
      columns,
    ) as unknown as SelectQueryBuilder<Database, Table, unknown>;
  }

  update<Table extends TenantTable>(table: Table, columns: Columns<Table>) {
    return this.#where(this.db.updateTable(table as TenantTable), table, columns) as unknown as Update<Table>;
  }

  delete<Table extends TenantTable>(table: Table, columns: Columns<Table>) {
    return this.#where(
      this.db.deleteFrom(table as TenantTable),
      table,
      columns,
    ) as unknown as DeleteQueryBuilder<Database, Table, DeleteResult>;
  }

  /** Takes at least one row. */
  insert<Table extends TenantTable>(table: Table, ...rows: readonly NewRow<Table>[]) {
    const values = rows.map((row) => ({ ...row, tenant: this.tenant }));
    return this.db.insertInto(table as TenantTable).values(values as never) as unknown as InsertQueryBuilder<
      Database,
      Table,
      InsertResult
    >;
  }

  /** See `putRow`. */
  put<Table extends TenantTable, Key extends Columns<Table>>(
    table: Table,
    key: Key,
    values: Omit<Values<Table, Key>, 'tenant'>,
    where?: RawBuilder<SqlBool>,
  ): Promise<boolean> {
    return putRow(this.db, table as TenantTable, { ...key, tenant: this.tenant }, values as never, where);
  }

  /** See `addRow`. */
  add<Table extends TenantTable>(table: Table, row: NewRow<Table>): Promise<boolean> {
    return addRow(this.db, table as TenantTable, { ...row, tenant: this.tenant } as never);
  }

  /** Changes one row. False if no row has these columns, or if `which` leaves it out. */
  async change<Table extends TenantTable>(
    table: Table,
    columns: Columns<Table>,
    changed: Partial<NewRow<Table>>,
    which: (rows: Update<Table>) => Update<Table> = (rows) => rows,
  ): Promise<boolean> {
    return isUpdated(
      await which(this.update(table, columns))
        .set(changed as never)
        .executeTakeFirstOrThrow(),
    );
  }

  deleteBeyond<Table extends TenantTable>(
    table: Table,
    columns: Columns<Table>,
    order: RawBuilder<unknown>,
    most: number,
  ): Promise<KeyOf<Table>[]> {
    return deleteBeyond(this.db, table, { ...columns, tenant: this.tenant }, order, most);
  }

  transaction<Result>(act: (rows: TenantRows) => Promise<Result>): Promise<Result> {
    return this.db.transaction().execute((transaction) => act(new TenantRows(transaction, this.tenant)));
  }

  #where(query: Filtered, table: string, columns: object) {
    let narrowed = query.where(`${table}.tenant`, '=', this.tenant);
    for (const [column, value] of Object.entries(columns))
      narrowed = narrowed.where(`${table}.${column}`, '=', value);
    return narrowed;
  }
}

interface Filtered {
  where(column: string, operator: '=', value: unknown): Filtered;
}

/** The columns of a table besides a key. */
type Values<Table extends keyof Database, Key> = {
  readonly [Column in Exclude<keyof Database[Table], keyof Key>]:
    | Database[Table][Column]
    | RawBuilder<Database[Table][Column]>;
};

/**
 * Inserts a row, or updates the row with this key. False if that one does not meet the condition: its columns are named with their
 * table there, and those of the new row with `excluded`.
 */
export async function putRow<Table extends keyof Database, Key extends Columns<Table>>(
  db: Db,
  table: Table,
  key: Key,
  values: Values<Table, Key>,
  where = sql<SqlBool>`true`,
): Promise<boolean> {
  const putting = db
    // Kysely can't type a query of any table, so it is typed as one of them.
    .insertInto(table as 'probe')
    .values({ ...key, ...values } as never)
    .onConflict((conflict) =>
      conflict
        .columns(Object.keys(key) as never)
        .doUpdateSet(values as never)
        .where(where),
    );
  return (await putting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n;
}

/** Inserts a row unless one with its key is there. True if it was inserted. */
export async function addRow<Table extends keyof Database>(
  db: Db,
  table: Table,
  row: Database[Table],
): Promise<boolean> {
  const adding = db.insertInto(table as 'probe').values(row as never);
  const added = await adding.onConflict((conflict) => conflict.doNothing()).executeTakeFirstOrThrow();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Rows in one statement: well below the parameter limits of both engines, for our widest table. */
const ROWS_PER_STATEMENT = 500;

/** A part of a list of rows: at most `limit`, after the first `offset`. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}
export const ALL_ROWS: Page = { offset: 0, limit: 1_000_000 };

/** The most rows beyond a limit that one write deletes: there are more only after the limit was lowered. */
const MAX_DELETED_PER_WRITE = 200;

/** The primary keys of the tables whose surplus or expired rows are deleted. */
const KEYS = {
  ...TENANT_KEYS,
  action: ['key'],
  processedEvent: ['key'],
  fetchLog: ['key'],
  hunt: ['board'],
  puzzle: ['date', 'source'],
} as const;

export type KeyedTable = keyof typeof KEYS;

function keyOf(table: KeyedTable): string[] {
  return table in TENANT_KEYS ? ['tenant', ...KEYS[table]] : [...KEYS[table]];
}

type KeyOf<Table extends KeyedTable> = Pick<
  Database[Table],
  (typeof KEYS)[Table][number] & keyof Database[Table]
>;

/** Of the rows with these columns, keeps the first `most` in an order and deletes the others. Returns the keys of those. */
export async function deleteBeyond<Table extends KeyedTable>(
  db: Db,
  table: Table,
  columns: object,
  order: RawBuilder<unknown>,
  most: number,
): Promise<KeyOf<Table>[]> {
  const conditions = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const beyond = sql`${sql.join(conditions, sql` and `)} order by ${order}
    limit ${sql.lit(MAX_DELETED_PER_WRITE)} offset ${sql.lit(most)}`;
  return (await deleteSelected(db, table, beyond)).rows as KeyOf<Table>[];
}

/** @param selection the end of a query for the rows, after its `where` */
function deleteSelected(db: Db, table: KeyedTable, selection: RawBuilder<unknown>) {
  const columns = sql.join(keyOf(table).map((name) => sql.ref(name)));
  return sql`delete from ${sql.table(table)} where (${columns}) in
    (select ${columns} from ${sql.table(table)} where ${selection}) returning ${columns}`.execute(db);
}

/** Deletes rows in small statements, with other queries and the event loop in between. */
export async function deleteInChunks(
  db: Db,
  table: KeyedTable,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const some = sql`${condition} limit ${sql.lit(ROWS_PER_STATEMENT)}`;
  while ((await deleteSelected(db, table, some)).rows.length === ROWS_PER_STATEMENT);
}

export function* chunksOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
}

/**
 * A list as a table with the column `value`, in one parameter, so that the text of a statement does not depend on the list's
 * length. The column holds JSON: `value ->> 0` is the first part of a value that is a list, as text in PostgreSQL.
 */
export function valuesOf(engine: DatabaseEngine, values: readonly unknown[]): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  return engine === 'postgres'
    ? sql`jsonb_array_elements(${json}::jsonb) as list(value)`
    : sql`json_each(${json})`;
}

/** The condition that a row belongs to one of these channels. */
export function inChannels(engine: DatabaseEngine, channels: readonly ChannelRef[]): RawBuilder<SqlBool> {
  const pairs = valuesOf(
    engine,
    channels.map(({ tenant, channel }) => [tenant, channel]),
  );
  return sql`(tenant, channel) in (select value ->> 0, value ->> 1 from ${pairs})`;
}

/** The condition that the person of a table's row does not hide. They may be calm: then they are counted, but not ranked. */
export function isShown(table: keyof Database): RawBuilder<SqlBool> {
  return withoutPeople(table, sql`person.hidden = 1`);
}

/** The condition that the person of a table's row is ranked and named with others: they neither hide nor are calm. */
export function isRanked(table: keyof Database): RawBuilder<SqlBool> {
  return withoutPeople(table, sql`(person.hidden = 1 or person.calm = 1)`);
}

function withoutPeople(table: keyof Database, flags: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`not exists (select 1 from person where person.tenant = ${sql.ref(`${table}.tenant`)}
    and person.person = ${sql.ref(`${table}.person`)} and ${flags})`;
}

export function isUpdated({ numUpdatedRows }: UpdateResult): boolean {
  return numUpdatedRows === 1n;
}

/** The condition that the bot was not removed from a row's tenant. */
export const IS_PRESENT = sql<SqlBool>`tenant not in (select tenant from removed_tenant)`;

/** The condition that a row belongs to the scope of a tenant, see `identityScope`. */
export function inScope(tenant: string) {
  const scope = identityScope(tenant);
  if (!isWholeDoor(scope))
    return sql<SqlBool>`(${sql.ref('tenant')} = ${scope} or ${sql.ref('tenant')} in (
      select other.tenant from organization as own join organization as other on other.id = own.id
      where own.tenant = ${scope}))`;
  const prefix = `${scope}:`;
  return sql<SqlBool>`substr(${sql.ref('tenant')}, 1, ${sql.lit(prefix.length)}) = ${prefix}`;
}

/**
 * Parses a column with JSON; null becomes undefined. Text that is no JSON is returned as it is: the reader's schema then
 * refuses it, and the query's other rows can still be read.
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

/** The text of a column. Equal reasons give equal texts: keys are in the order of the schema. */
export function formatReason(reason: Reason): string {
  return JSON.stringify(v.parse(reasonSchema, reason));
}

/** Reads a column. Text that is no reason is kept as it is, so that every row stays readable. */
export function parseReason(stored: string | null): Reason | null {
  if (stored === null) return null;
  try {
    return v.parse(reasonSchema, JSON.parse(stored));
  } catch {
    return { code: 'other', text: stored };
  }
}
