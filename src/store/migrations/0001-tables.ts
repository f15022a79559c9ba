import { type CreateTableBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { DatabaseEngine } from '../schema.ts';
import type { Migration } from './migration.ts';

export const makeTables: Migration = async (db, engine) => {
  const make = tableMaker(db, engine);

  await make('puzzle', ['date', 'source'], { text: ['puzzle'], whole: ['kept_at'] });
  await make('fetch_log', ['key'], { text: ['outcome'], whole: ['tries', 'last_attempt', 'next_allowed'] });
  await make('verdict', ['word'], { text: ['date'], whole: ['letters', 'accepted'] });
  await make('action', ['key'], { text: ['action'], whole: ['expires_at'] });
  await make('seen_event', ['key'], { whole: ['expires_at'] });

  await make('removed_tenant', ['tenant'], { whole: ['removed_at'] });
  await make('installation', ['tenant'], { text: ['sealed'], whole: ['at'] });
  await make('place', ['tenant', 'place'], {
    text: ['settings', 'set_by?', 'state', 'reason?'],
    whole: ['version', 'set_at', 'until?', 'told_at?'],
  });
  await make('delivery', ['tenant', 'place', 'date', 'step'], {
    text: ['door', 'state', 'owner?', 'posted?', 'reason?', 'detail?'],
    whole: ['due_at', 'next_at', 'urgency', 'attempts', 'outcome_unknown', 'done_at?'],
  });
  await make('hand_board', ['tenant', 'place', 'date'], {
    text: ['puzzle', 'typed_by?'],
    whole: ['typed_at', 'reported'],
  });
  await make('hint', ['tenant', 'person', 'puzzle', 'step'], { whole: ['at'] });
  await make('result', ['tenant', 'person', 'place', 'date'], {
    text: ['lengths'],
    whole: ['words', 'letters', 'hints', 'solved_at', 'since_opening?'],
  });
  await make('person', ['tenant', 'person'], { whole: ['hidden'] });
  await make('game', ['tenant', 'thread'], { text: ['state'], whole: ['version', 'expires_at'] });
  await make('game_person', ['tenant', 'thread', 'person'], {});

  // Claims walk this one in order; finished rows, which are nearly all, are not in it.
  await db.schema
    .createIndex('delivery_ready')
    .on('delivery')
    .columns(['door', 'urgency desc', 'next_at'])
    .where(sql<SqlBool>`state in ('due', 'sending')`)
    .execute();
  await db.schema.createIndex('delivery_date').on('delivery').column('date').execute();
  await db.schema.createIndex('result_place').on('result').columns(['tenant', 'place', 'date']).execute();
  // A person is looked for across all tenants of a door when they ask what is stored, or to be forgotten.
  for (const table of ['hint', 'result', 'person', 'game_person']) {
    await db.schema.createIndex(`${table}_person`).on(table).column('person').execute();
  }
  for (const table of ['action', 'seen_event', 'game']) {
    await db.schema.createIndex(`${table}_expires`).on(table).column('expires_at').execute();
  }
};

/** A name that ends in `?` may be null. */
interface Columns {
  readonly text?: readonly string[];
  readonly whole?: readonly string[];
}

function tableMaker(db: Kysely<unknown>, engine: DatabaseEngine) {
  // Collation "C" compares bytes, as SQLite does, whatever the locale of the server.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  const whole = engine === 'postgres' ? sql`bigint` : sql`integer`;
  return async (name: string, key: readonly string[], columns: Columns) => {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    const add = (column: string, type: typeof text) => {
      const isOptional = column.endsWith('?');
      const plain = isOptional ? column.slice(0, -1) : column;
      table = table.addColumn(plain, type, (builder) => (isOptional ? builder : builder.notNull()));
    };
    for (const column of [...key, ...(columns.text ?? [])]) add(column, text);
    for (const column of columns.whole ?? []) add(column, whole);
    table = table.addPrimaryKeyConstraint(`${name}_key`, [...key] as [string, ...string[]]);
    if (engine === 'sqlite') table = table.modifyEnd(sql`strict, without rowid`);
    await table.execute();
  };
}
