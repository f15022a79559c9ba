import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Db } from '../schema.ts';
import { MOST_DELETED, parseJson, type TenantRows } from './rows.ts';

const solutionsSchema = v.array(v.array(v.string()));

/** Boards that are remembered: more than people hunt on at a time. */
const REMEMBERED = 100;

/** The solutions that can be found on a board, the same for everybody. */
export function huntsTable(db: Db) {
  /** They never change. */
  const remembered = new LRUCache<string, readonly (readonly string[])[]>({ max: REMEMBERED });

  async function get(board: string): Promise<readonly (readonly string[])[] | undefined> {
    const known = remembered.get(board);
    if (known !== undefined) return known;
    const row = await db.selectFrom('hunt').select('solutions').where('board', '=', board).executeTakeFirst();
    const solutions = row && v.parse(solutionsSchema, parseJson(row.solutions));
    if (solutions !== undefined) remembered.set(board, solutions);
    return solutions;
  }

  return {
    get,

    /** Returns the solutions that are stored: the first ones kept stay. */
    async keep(board: string, solutions: readonly (readonly string[])[], madeAt: number) {
      await db
        .insertInto('hunt')
        .values({ board, solutions: JSON.stringify(solutions), madeAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await get(board)) ?? solutions;
    },
  };
}

/** A solution that somebody found in a channel. */
export interface Find {
  readonly person: string;
  readonly channel: string;
  readonly board: string;
  /** Its words, with spaces between. */
  readonly solution: string;
  readonly foundAt: number;
}

/** Finds kept of one person in one tenant: more than are made in the days for which they are kept. */
const MOST_FINDS = 2_000;
/** Finds of a channel that are looked at. */
const MOST_READ = 5_000;

export function findsTable(rows: TenantRows) {
  /** Earliest first, without people who hide. */
  const shown = (channel: string) =>
    rows
      .select('find', { channel })
      .select(['person', 'channel', 'board', 'solution', 'foundAt'])
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('person')
              .select('person.person')
              .whereRef('person.tenant', '=', 'find.tenant')
              .whereRef('person.person', '=', 'find.person')
              .where('person.hidden', '=', 1),
          ),
        ),
      )
      .orderBy('foundAt')
      .orderBy('person')
      .limit(MOST_READ);

  return {
    /** False if the person had found it there before. Beyond `MOST_FINDS`, the oldest are deleted. */
    async add(find: Find): Promise<boolean> {
      const added = await rows
        .insert('find', find)
        .onConflict((conflict) => conflict.doNothing())
        .returning('person')
        .executeTakeFirst();
      if (added === undefined) return false;
      const { person } = find;
      const old = await rows
        .select('find', { person })
        .select(['channel', 'board', 'solution'])
        .orderBy('foundAt', 'desc')
        .limit(MOST_DELETED)
        .offset(MOST_FINDS)
        .execute();
      for (const key of old) await rows.delete('find', { person, ...key }).execute();
      return true;
    },

    /** Finds on a board, by everybody who does not hide. */
    ofBoard: (channel: string, board: string): Promise<Find[]> =>
      shown(channel).where('board', '=', board).execute(),

    /** Finds on the boards with names from `from` up to `before`: the names of days' boards begin with their dates. */
    between: (channel: string, from: string, before: string): Promise<Find[]> =>
      shown(channel).where('board', '>=', from).where('board', '<', before).execute(),
  };
}
