import { sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database } from '../schema.ts';
import { isRanked, type TenantRows } from './rows.ts';

/** A person's result of another daily game. */
export type OtherResult = Readonly<Omit<Database['otherResult'], 'tenant'>>;

/** Results of other games kept for one person in one tenant: the latest stay. */
export const MAX_OTHER_RESULTS = 2_000;

/** A person's results of one game in a period. `firsts`: on these days, others played too and nobody was better. */
export interface OtherSums {
  readonly person: string;
  readonly game: string;
  readonly results: number;
  readonly score: number;
  readonly firsts: number;
}

export function otherResultsTable(rows: TenantRows) {
  return {
    /**
     * Adds a result. One that is there stays, so that nobody improves theirs afterwards, unless the new one is
     * confirmed by the game itself. True if it was stored.
     */
    async add(result: OtherResult, { isConfirmed = false } = {}): Promise<boolean> {
      const { score, at } = result;
      const stored = await rows
        .insert('otherResult', result)
        .onConflict((conflict) => {
          const known = conflict.columns(['tenant', 'person', 'channel', 'game', 'date']);
          return isConfirmed ? known.doUpdateSet({ score, at }) : known.doNothing();
        })
        .returning('date')
        .executeTakeFirst();
      if (stored !== undefined)
        await rows.deleteBeyond('otherResult', { person: result.person }, sql`date desc`, MAX_OTHER_RESULTS);
      return stored !== undefined;
    },

    /** The first and the last day of a channel's results; undefined if there are none. */
    async span(channel: string): Promise<{ readonly from: PuzzleDate; readonly to: PuzzleDate } | undefined> {
      // Both ends of the index; for two aggregates in one query, SQLite would read all of it.
      const end = (order: 'asc' | 'desc') =>
        rows
          .select('otherResult', { channel })
          .select('date')
          .orderBy('date', order)
          .limit(1)
          .executeTakeFirst();
      const [first, last] = [await end('asc'), await end('desc')];
      return first && last && { from: first.date, to: last.date };
    },

    /** The results of everybody who is ranked in a channel. Both dates are included. */
    async sums(channel: string, from: PuzzleDate, to: PuzzleDate): Promise<OtherSums[]> {
      const placed = rows
        .select('otherResult', { channel })
        .where('otherResult.date', '>=', from)
        .where('otherResult.date', '<=', to)
        .where(isRanked('otherResult'))
        .select(['otherResult.person', 'otherResult.game', 'otherResult.score'])
        .select(sql<number>`min(score) over (partition by date, game)`.as('best'))
        .select(sql<number>`count(*) over (partition by date, game)`.as('players'));
      const { rows: sums } = await sql<OtherSums>`
        select person, game, count(*) as results, cast(sum(score) as bigint) as score,
          cast(sum(case when score = best and players > 1 then 1 else 0 end) as bigint) as firsts
        from (${placed}) as placed group by person, game order by person, game`.execute(rows.db);
      return sums;
    },
  };
}
