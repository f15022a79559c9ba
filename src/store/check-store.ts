import { statSync } from 'node:fs';
import { type Dialect, sql } from 'kysely';
import { StoreError } from '../core/errors.ts';
import {
  integrityProblems,
  openDatabase,
  repairIndexes,
  SqliteHealth,
  sqliteDialect,
} from './engines/sqlite.ts';
import { MIGRATIONS, migrate, versionOf } from './migrations.ts';
import { type Db, DELIVERY_STATES, SUBSCRIPTION_STATES } from './schema.ts';
import { kyselyOf } from './store.ts';
import { type KeyedTable, keyOf, parseJson } from './tables/rows.ts';

/** A column that holds JSON, and the check that its readers make. */
export interface StoredColumn {
  readonly table: KeyedTable;
  readonly column: string;
  readonly isReadable: (value: unknown) => boolean;
  /** How to repair an unreadable value: delete its row, or empty the column. Left out if only a person can decide. */
  readonly repair?: 'delete' | 'empty';
}

/** Something wrong with a database. Sentences are made where it is shown. */
export type Problem =
  | { readonly code: 'file'; readonly details: readonly string[] }
  /** Made by a version from before the first release. */
  | { readonly code: 'earlier' }
  | { readonly code: 'newer'; readonly version: number; readonly known: number }
  | { readonly code: 'missing'; readonly details: readonly string[] }
  | {
      readonly code: 'unreadable';
      readonly table: string;
      readonly column: string;
      readonly rows: number;
      readonly example: string;
    }
  | { readonly code: 'state'; readonly table: string; readonly rows: number }
  /** Channels in which something is due that was not planned. Only who knows their settings can tell: the caller adds it. */
  | { readonly code: 'unplanned'; readonly rows: number; readonly example: string };

export interface Finding {
  readonly problem: Problem;
  /** `possible`: a check with `repairs` would make it. */
  readonly repair: 'done' | 'possible' | 'none';
}

export interface StoreCheck {
  readonly found: readonly Finding[];
  /** The schema's version, and the one that the bot's next start migrates it to. */
  readonly version: number | undefined;
  readonly known: number;
  /** How many rows with JSON were read. */
  readonly rows: number;
}

export interface CheckOptions {
  readonly columns: readonly StoredColumn[];
  readonly repairs: boolean;
}

/** The schema's version in this program. */
const CURRENT_VERSION = MIGRATIONS.length;
/** Rows read at a time. */
const ROWS_PER_PAGE = 500;
/** The check reports errors in SQLite's own words. */
const unexplained = (error: unknown) => error;

/**
 * Checks whether a database is intact: the file, the schema, its JSON and its states. It never migrates, and changes
 * nothing without `repairs`. The bot may be running.
 */
export async function checkStore(
  place: { readonly file: string } | { readonly dialect: Dialect },
  options: CheckOptions,
): Promise<StoreCheck> {
  if ('file' in place) return checkFile(place.file, options);
  return new ContentCheck(kyselyOf(place.dialect), options).run();
}

async function checkFile(file: string, options: CheckOptions): Promise<StoreCheck> {
  if (statSync(file).size === 0) return damaged(['it is empty (0 bytes)']);
  try {
    const database = openDatabase(file);
    const problems = integrityProblems(database);
    const isRepaired = problems.length > 0 && options.repairs && repairIndexes(database, problems);
    const db = kyselyOf(sqliteDialect(database, unexplained));
    // A damaged file may still answer queries, which proves nothing.
    if (problems.length > 0 && !isRepaired) {
      await db.destroy();
      return damaged(problems);
    }
    const { found, ...checked } = await new ContentCheck(db, options).run();
    const repaired: Finding[] = isRepaired
      ? [{ problem: { code: 'file', details: problems }, repair: 'done' }]
      : [];
    return { found: [...repaired, ...found], ...checked };
  } catch (error) {
    const explained = new SqliteHealth(file).explain(error);
    if (explained instanceof StoreError && explained.code === 'store.damaged')
      return damaged([(error as Error).message]);
    throw explained;
  }
}

/** The result for a file whose contents are not worth checking. */
function damaged(details: readonly string[]): StoreCheck {
  return {
    version: undefined,
    known: CURRENT_VERSION,
    rows: 0,
    found: [{ problem: { code: 'file', details }, repair: 'none' }],
  };
}

/** Checks the contents of a database whose file is sound. */
class ContentCheck {
  readonly #db: Db;
  readonly #options: CheckOptions;
  readonly #found: Finding[] = [];
  #rows = 0;

  constructor(db: Db, options: CheckOptions) {
    this.#db = db;
    this.#options = options;
  }

  async run(): Promise<StoreCheck> {
    try {
      const { version, isEarlier } = await versionOf(this.#db);
      if (isEarlier) {
        this.#add({ code: 'earlier' }, 'none');
        return { found: this.#found, version: undefined, known: CURRENT_VERSION, rows: 0 };
      }
      if (version > CURRENT_VERSION) this.#add({ code: 'newer', version, known: CURRENT_VERSION }, 'none');
      // Older versions have other tables; the next start of the bot migrates them.
      if (version === CURRENT_VERSION) await this.#checkContents();
      return { found: this.#found, version, known: CURRENT_VERSION, rows: this.#rows };
    } finally {
      await this.#db.destroy();
    }
  }

  async #checkContents(): Promise<void> {
    const missing = await this.#missing();
    if (missing.length > 0) return this.#add({ code: 'missing', details: missing }, 'none');
    for (const column of this.#options.columns) await this.#checkColumn(column);
    await this.#checkStates();
  }

  #add(problem: Problem, repair: Finding['repair']): void {
    this.#found.push({ problem, repair });
  }

  /** Tables and columns that are missing, compared with a new database of this version. */
  async #missing(): Promise<string[]> {
    const fresh = kyselyOf(sqliteDialect(openDatabase(':memory:'), unexplained));
    try {
      await migrate(fresh, 'sqlite');
      const wanted = await columnsOf(fresh);
      const there = await columnsOf(this.#db);
      return [...wanted].filter((name) => !there.has(name));
    } finally {
      await fresh.destroy();
    }
  }

  async #checkColumn(stored: StoredColumn): Promise<void> {
    const { table, column, isReadable, repair } = stored;
    const key = keyOf(table);
    const unreadable: Readonly<Record<string, unknown>>[] = [];
    const names = sql.join([...key, column].map((name) => sql.ref(name)));
    const order = sql.join(key.map((name) => sql.ref(name)));
    for (let offset = 0; ; offset += ROWS_PER_PAGE) {
      const { rows } = await sql<Record<string, unknown>>`
        select ${names} from ${sql.table(table)} where ${sql.ref(column)} is not null
        order by ${order} limit ${sql.lit(ROWS_PER_PAGE)} offset ${sql.lit(offset)}`.execute(this.#db);
      this.#rows += rows.length;
      unreadable.push(...rows.filter((row) => !isReadable(parseJson(String(row[column])))));
      if (rows.length < ROWS_PER_PAGE) break;
    }
    const [first] = unreadable;
    if (first === undefined) return;
    const isRepaired = repair !== undefined && this.#options.repairs;
    if (isRepaired) for (const row of unreadable) await this.#repairRow(stored, row);
    const example = key.map((name) => first[name]).join(' ');
    const problem = { code: 'unreadable', table, column, rows: unreadable.length, example } as const;
    this.#add(problem, isRepaired ? 'done' : repair === undefined ? 'none' : 'possible');
  }

  /** Changes the row only if it is still as it was read: the bot may have written it since. */
  async #repairRow(
    { table, column, repair }: StoredColumn,
    row: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const conditions = [...keyOf(table), column].map((name) => sql`${sql.ref(name)} = ${row[name]}`);
    const where = sql.join(conditions, sql` and `);
    const statement =
      repair === 'delete'
        ? sql`delete from ${sql.table(table)} where ${where}`
        : sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${where}`;
    await statement.execute(this.#db);
  }

  async #checkStates(): Promise<void> {
    const tables = [
      ['subscription', SUBSCRIPTION_STATES],
      ['delivery', DELIVERY_STATES],
    ] as const;
    for (const [table, states] of tables) {
      const known = sql.join([...states]);
      const counted = await sql<{ rows: number }>`
        select count(*) as rows from ${sql.table(table)} where state not in (${known})`.execute(this.#db);
      const { rows } = counted.rows[0]!;
      if (rows > 0) this.#add({ code: 'state', table, rows }, 'none');
    }
  }
}

async function columnsOf(db: Db): Promise<Set<string>> {
  const tables = await db.withoutPlugins().introspection.getTables();
  return new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)));
}
