import type { Kysely } from 'kysely';
import type { DatabaseEngine } from '../schema.ts';

/**
 * A step forward of the schema. It is never edited once released, and there is no way back: a later
 * migration corrects what an earlier one got wrong.
 */
export type Migration = (db: Kysely<unknown>, engine: DatabaseEngine) => Promise<void>;
