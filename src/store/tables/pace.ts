import { sql } from 'kysely';
import type { DatabaseEngine, Db } from '../schema.ts';

/** Microseconds. No line is longer, so what the server's clock wrote before it was set back does not count. */
const LONGEST = 15 * 60 * 1_000_000;

/** Rates that all processes of a database share. Time is the database's own. */
export function paceTable(db: Db, engine: DatabaseEngine) {
  const now =
    engine === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`;

  return {
    /**
     * Takes the next places in a line.
     *
     * @returns milliseconds until the end of the last of them
     */
    async reserve(line: string, places: number, perSecond: number): Promise<number> {
      const takes = sql.lit(Math.round((places * 1_000_000) / perSecond));
      const { ahead } = await db
        .insertInto('pace')
        .values({ line, endsAt: sql<number>`${now} + ${takes}` })
        .onConflict((conflict) =>
          conflict.column('line').doUpdateSet({
            endsAt: sql<number>`case when pace.ends_at between ${now} and ${now} + ${sql.lit(LONGEST)}
              then pace.ends_at else ${now} end + ${takes}`,
          }),
        )
        .returning(sql<number>`ends_at - ${now}`.as('ahead'))
        .executeTakeFirstOrThrow();
      return ahead / 1_000;
    },
  };
}
