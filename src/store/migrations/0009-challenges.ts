import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Boards that people make for a channel, and what others reached on them. */
export const addChallenges: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  const end = sql.raw(engine === 'sqlite' ? 'strict, without rowid' : '');
  await sql`
    create table challenge (
      tenant ${text} not null,
      channel ${text} not null,
      board ${text} not null,
      sides ${text} not null,
      name ${text} not null,
      appraisal ${text} not null,
      made_by ${text},
      made_at ${whole} not null,
      closed_at ${whole},
      expires_at ${whole} not null,
      posted ${text},
      thread ${text},
      posting_until ${whole},
      constraint challenge_key primary key (tenant, channel, board)
    ) ${end}`.execute(db);
  await sql`
    create table challenge_result (
      tenant ${text} not null,
      channel ${text} not null,
      board ${text} not null,
      person ${text} not null,
      words ${whole} not null,
      letters ${whole} not null,
      hints ${whole} not null,
      solved_at ${whole} not null,
      constraint challenge_result_key primary key (tenant, channel, board, person)
    ) ${end}`.execute(db);
  await sql`create index challenge_made_by on challenge (made_by)`.execute(db);
  await sql`create index challenge_expires on challenge (expires_at)`.execute(db);
  await sql`create index challenge_posting on challenge (posting_until) where posting_until is not null`.execute(
    db,
  );
  await sql`create index challenge_result_person on challenge_result (person)`.execute(db);
};
