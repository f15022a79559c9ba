import { type CreateTableBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { StoreError } from '../core/errors.ts';
import type { DatabaseEngine, Db } from './schema.ts';

/** One step of the schema. After a release it is never edited, and can't be undone: a later migration corrects an earlier one. */
export type Migration = (db: Kysely<unknown>, engine: DatabaseEngine) => Promise<void>;

/** The tables that `Database` describes, with the names that they have in the database. */
const makeTables: Migration = async (db, engine) => {
  const make = tableMaker(db, engine);

  await make('puzzle', 'date source', { text: 'puzzle', whole: 'kept_at' });
  await make('fetch_log', 'key', { text: 'outcome', whole: 'tries last_attempt next_allowed' });
  await make('verdict', 'word', { text: 'date', whole: 'letters accepted' });
  await make('action', 'key', { text: 'action owner?', whole: 'expires_at' });
  await make('processed_event', 'key', { whole: 'expires_at' });
  await make('application', 'door', { text: 'id' });
  await make('probe', 'key', { whole: 'written' });
  await make('pace', 'line', { whole: 'ends_at' });

  await make('removed_tenant', 'tenant', { whole: 'removed_at' });
  await make('organization', 'tenant', { text: 'id' });
  await make('installation', 'tenant', { text: 'encrypted' });
  await make('subscription', 'tenant channel', {
    text: 'settings set_by? state reason?',
    whole: 'version set_at since until? notified_at? plan_at?',
  });
  await make('hand_board', 'tenant channel date', {
    text: 'puzzle typed_by?',
    whole: 'typed_at reported',
  });

  await make('person', 'tenant person', { whole: 'hidden listed calm in_summaries' });
  await make('comparison', 'tenant person other', { whole: 'agreed at' });
  await make('hint', 'tenant person puzzle step', { whole: 'at card' });
  await make('result', 'tenant person channel date board', {
    text: 'path? message? solution?',
    whole: 'words letters hints solved_at since_opening? reported after_solution replaced late',
  });
  await make('other_result', 'tenant person channel game date', { whole: 'score at' });
  await make('solo_game', 'tenant person board', {
    text: 'state channel?',
    whole: 'version played_at expires_at',
  });
  await make('game', 'tenant thread', { text: 'state', whole: 'version expires_at' });
  await make('game_person', 'tenant thread person');
  await make('hunt', 'board', { text: 'solutions', whole: 'made_at' });
  await make('find', 'tenant channel board solution person', { whole: 'found_at' });

  await makeDeliveryTables(db, make);

  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  await index('solo_game_channel', 'solo_game', ['tenant', 'channel', 'board', 'expires_at']);
  // Streaks need the dates of all puzzles, which are stored with their dictionaries: this index contains no puzzles.
  await index('puzzle_kept', 'puzzle', ['source', 'date', 'kept_at']);
  await index('subscription_plan', 'subscription', ['plan_at']);
  // This index holds all that sums of a channel need: looking up each row takes five times as long.
  const summed = 'since_opening replaced late reported after_solution words letters hints solved_at';
  await index('result_place', 'result', ['tenant', 'channel', 'date', 'person', ...namesIn(summed)]);
  await index('other_result_place', 'other_result', ['tenant', 'channel', 'date', 'game', 'score']);
  await index('organization_id', 'organization', ['id']);
  await index('action_owner', 'action', ['owner', 'expires_at']);
  await index('hint_at', 'hint', ['at']);
  // Hints of days, nearly all of them, are kept longer: their `puzzle` begins with a date, a typed board's with a letter.
  await db.schema
    .createIndex('hint_typed')
    .on('hint')
    .column('at')
    .where(sql<SqlBool>`puzzle >= 'a'`)
    .execute();
  await index('hint_puzzle', 'hint', ['tenant', 'puzzle', 'step']);
  // A person is looked up across all tenants of a door when they ask what is stored, or to be forgotten.
  for (const table of 'hint other_result person comparison solo_game game_person find'.split(' '))
    await index(`${table}_person`, table, ['person']);
  await index('result_person', 'result', ['person', 'date']);
  for (const table of ['action', 'processed_event', 'game', 'solo_game'])
    await index(`${table}_expires`, table, ['expires_at']);
};

/** The tables of deliveries, boards that people make, and fingerprints. */
async function makeDeliveryTables(db: Kysely<unknown>, make: ReturnType<typeof tableMaker>): Promise<void> {
  await make('delivery', 'tenant channel date kind', {
    text: 'door state owner? record? reason? detail?',
    whole: 'due_at next_at priority claims failures begun woken opens_at? opened_at? done_at?',
  });
  // Claims read this index in order; finished rows, nearly all of them, are not in it.
  await db.schema
    .createIndex('delivery_ready')
    .on('delivery')
    .columns(['door', 'priority desc', 'next_at'])
    .where(sql<SqlBool>`state in ('due', 'sending')`)
    .execute();
  await db.schema.createIndex('delivery_date').on('delivery').column('date').execute();

  // For what is stored about a person in all tenants: the channel of a reminder is the person's.
  await db.schema
    .createIndex('delivery_reminder')
    .on('delivery')
    .column('channel')
    .where(sql<SqlBool>`kind = 'reminder'`)
    .execute();

  await make('made_board', 'tenant channel board', {
    text: 'sides name note? appraisal made_by? posted? thread?',
    whole: 'made_at closed_at? expires_at',
  });
  await make('made_board_result', 'tenant channel board person', {
    whole: 'words letters hints solved_at after_solution',
  });
  await db.schema.createIndex('made_board_made_by').on('made_board').column('made_by').execute();
  await db.schema.createIndex('made_board_expires').on('made_board').column('expires_at').execute();
  await db.schema.createIndex('made_board_result_person').on('made_board_result').column('person').execute();

  await make('fingerprint', 'key', { text: 'value?', whole: 'restored_until?' });
  await sql`insert into fingerprint (key) values ('store'), ('plans')`.execute(db);
}

/** Names of columns, with spaces between them. One that ends in `?` may be null. */
interface Columns {
  readonly text?: string;
  readonly whole?: string;
}

/** Makes a table with a key of texts. */
function tableMaker(db: Kysely<unknown>, engine: DatabaseEngine) {
  // Collation "C" compares bytes, as SQLite does, independently of the server's locale.
  const textType = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  const wholeType = engine === 'postgres' ? sql`bigint` : sql`integer`;
  return async (name: string, key: string, { text = '', whole = '' }: Columns = {}) => {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    const add = (column: string, type: typeof textType) => {
      const isOptional = column.endsWith('?');
      const plain = isOptional ? column.slice(0, -1) : column;
      table = table.addColumn(plain, type, (builder) => (isOptional ? builder : builder.notNull()));
    };
    for (const column of [...namesIn(key), ...namesIn(text)]) add(column, textType);
    for (const column of namesIn(whole)) add(column, wholeType);
    table = table.addPrimaryKeyConstraint(`${name}_key`, namesIn(key) as [string, ...string[]]);
    if (engine === 'sqlite') table = table.modifyEnd(sql`strict, without rowid`);
    await table.execute();
  };
}

function namesIn(columns: string): string[] {
  return columns.split(' ').filter((name) => name !== '');
}

/** Migrations in order. A database's version is the number of migrations applied to it. */
export const MIGRATIONS: readonly Migration[] = [makeTables];

/**
 * A checksum of the tables and columns that the first migration makes, which its test computes. Until the first release, that
 * migration is changed in place, and a database that was made before can't be used any more. Later migrations don't change it.
 */
export const FIRST_SCHEMA = 'fdbf5a6c';

/** The key of PostgreSQL's advisory lock: an arbitrary number that no other program may use in the same database. */
const ADVISORY_LOCK_KEY = 7_303_014_001;

/**
 * Migrates the database to this program's version, in one transaction under a lock: of two processes that start at
 * the same time, one migrates, and the other waits and finds nothing left to do.
 */
export async function migrate(db: Db, engine: DatabaseEngine, migrations = MIGRATIONS): Promise<void> {
  // The plugin that translates names to snake_case is left out: migrations use the database's names.
  await (db.withoutPlugins() as Kysely<unknown>).transaction().execute(async (transaction) => {
    // SQLite is locked already, since its transactions begin with BEGIN IMMEDIATE.
    if (engine === 'postgres') {
      // A process waits as long as another one migrates.
      await sql`set local lock_timeout = 0`.execute(transaction);
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK_KEY})`.execute(transaction);
    }
    const { version, schema } = await readVersion(transaction);
    if (schema !== FIRST_SCHEMA || version > migrations.length) {
      throw new StoreError('store.version', describeOtherVersion(version, migrations.length));
    }
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) await migration(transaction, engine);
    await sql`update schema_version set version = ${migrations.length}`.execute(transaction);
  });
}

/** Tells the operator about a database that this program can't use. */
export function describeOtherVersion(version: number, known: number): string {
  return (
    `Another version of the bot made or upgraded the database: it is at version ${version}, and this program knows only up to ` +
    `${known}. Start that version, restore a backup made before the upgrade, or, to begin with an empty database, ` +
    'move all files whose names begin with letterboxed.db away or set DATABASE_URL to another one.'
  );
}

interface Version {
  readonly version: number;
  readonly schema: string;
}

async function readVersion(transaction: Transaction<unknown>): Promise<Version> {
  await sql`create table if not exists schema_version (version integer not null, "schema" text not null)`.execute(
    transaction,
  );
  const { rows } = await sql<Version>`select * from schema_version`.execute(transaction);
  if (rows[0] !== undefined) return rows[0];
  await sql`insert into schema_version values (0, ${FIRST_SCHEMA})`.execute(transaction);
  return { version: 0, schema: FIRST_SCHEMA };
}

/** The version of a database, 0 for a new one, and whether its first migration is ours. Changes nothing. */
export async function versionOf(db: Db): Promise<{ readonly version: number; readonly isOurs: boolean }> {
  const plain = db.withoutPlugins() as Kysely<unknown>;
  const tables = await plain.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return { version: 0, isOurs: true };
  const { rows } = await sql<Version>`select * from schema_version`.execute(plain);
  const { version, schema } = rows[0]!;
  return { version, isOurs: schema === FIRST_SCHEMA };
}
