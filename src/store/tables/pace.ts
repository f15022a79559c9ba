import { type SqlBool, sql } from 'kysely';
import type { DatabaseEngine, Db } from '../schema.ts';

/** Microseconds. No line is longer, so what the server's clock wrote before it was set back does not count. */
const LONGEST = 15 * 60 * 1_000_000;

/** Rates that all processes of a database share. Time is the database's own. */
export function paceTable(db: Db, engine: DatabaseEngine) {
  const now =
    engine === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`;

  /** Where a line ends now. */
  const end = sql<number>`case when pace.ends_at between ${now} and ${now} + ${sql.lit(LONGEST)}
    then pace.ends_at else ${now} end`;
  const take = (line: string, takes: number, longest: number) =>
    db
      .insertInto('pace')
      .values({ line, endsAt: sql<number>`${now} + ${sql.lit(takes)}` })
      .onConflict((conflict) =>
        conflict
          .column('line')
          .doUpdateSet({ endsAt: sql<number>`${end} + ${sql.lit(takes)}` })
          .where(sql<SqlBool>`${end} <= ${now} + ${sql.lit(longest - takes)}`),
      )
      .returning(sql<number>`ends_at - ${now}`.as('ahead'))
      .executeTakeFirst();

  return {
    /**
     * Takes the next places in a line.
     *
     * @returns milliseconds until the end of the last of them
     */
    async reserve(line: string, places: number, perSecond: number): Promise<number> {
      const takes = Math.round((places * 1_000_000) / perSecond);
      const taken = await take(line, takes, 2 * LONGEST + takes);
      return taken!.ahead / 1_000;
    },

    /** Takes the next place, unless as many are waiting. */
    async reserveUpTo(most: number, line: string, perSecond: number): Promise<boolean> {
      const takes = Math.round(1_000_000 / perSecond);
      return (await take(line, takes, most * takes)) !== undefined;
    },
  };
}
