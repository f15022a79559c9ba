import type { DatabaseSync } from 'node:sqlite';

/** Messages of one check. A file that is damaged in many places is damaged. */
const MOST = 20;

/** What SQLite finds wrong with a file and its indexes; nothing when it is intact. */
export function integrityProblems(database: DatabaseSync): string[] {
  const found = database.prepare(`pragma integrity_check(${MOST})`).all() as { integrity_check: string }[];
  const keys = database.prepare('pragma foreign_key_check').all() as { table: string; parent: string }[];
  return [
    ...found.map((row) => row.integrity_check).filter((message) => message !== 'ok'),
    ...keys.map(({ table, parent }) => `a row of ${table} names a row that ${parent} does not have`),
  ];
}

/** Indexes can be made again from their tables. Returns whether that was all. */
export function repairIndexes(database: DatabaseSync, problems: readonly string[]): boolean {
  if (!problems.every((message) => /\bindex\b/.test(message))) return false;
  database.exec('reindex');
  return integrityProblems(database).length === 0;
}
