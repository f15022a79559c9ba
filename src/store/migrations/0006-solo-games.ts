import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Boards that people are playing by themselves, one row for each person and board. */
export const addSoloGames: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  const end = sql.raw(engine === 'sqlite' ? 'strict, without rowid' : '');
  await sql`
    create table solo_game (
      tenant ${text} not null,
      person ${text} not null,
      board ${text} not null,
      state ${text} not null,
      version ${whole} not null,
      played_at ${whole} not null,
      expires_at ${whole} not null,
      constraint solo_game_key primary key (tenant, person, board)
    ) ${end}`.execute(db);
  await sql`create index solo_game_person on solo_game (person)`.execute(db);
  await sql`create index solo_game_expires on solo_game (expires_at)`.execute(db);
};
