import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The application at a platform, such as Discord, whose servers the rows of that platform are about. */
export const addApplications: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const end = sql.raw(engine === 'sqlite' ? 'strict, without rowid' : '');
  await sql`
    create table application (
      door ${text} not null,
      id ${text} not null,
      constraint application_key primary key (door)
    ) ${end}`.execute(db);
};
