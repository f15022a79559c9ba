import { type SqlBool, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { formatJson, isRanked, isShown, parseJson, type TenantRows } from './rows.ts';

export interface StoredMadeBoard
  extends Readonly<Omit<Database['madeBoard'], 'tenant' | 'appraisal' | 'posted'>> {
  readonly appraisal: unknown;
  readonly posted: unknown;
}

export interface MadeBoardResult
  extends Readonly<Omit<Database['madeBoardResult'], 'tenant' | 'afterSolution'>> {
  readonly afterSolution?: true | undefined;
}
export type RankedMadeBoardResult = MadeBoardResult & { readonly rank: number };

/** A board with the number of people who have solved it and are not hidden. */
export type ListedMadeBoard = StoredMadeBoard & { readonly solvers: number };

export const MAX_MADE_BOARDS = 100;
export const MAX_MADE_BOARD_RESULTS = 1_000;

export function madeBoardsTable(rows: TenantRows) {
  const current = (channel: string, now: number) =>
    rows.select('madeBoard', { channel }).selectAll().where('expiresAt', '>', now);

  /** Deletes the results on a board, and the solutions that people found in its hunt. */
  async function deletePlayed(channel: string, board: string): Promise<void> {
    await rows.delete('madeBoardResult', { channel, board }).execute();
    await rows.delete('find', { channel, board }).execute();
  }

  async function remove(channel: string, board: string): Promise<boolean> {
    const removed = await rows.delete('madeBoard', { channel, board }).returning('board').executeTakeFirst();
    await deletePlayed(channel, board);
    return removed !== undefined;
  }

  return {
    /** False if the channel has that board already. Beyond `MAX_MADE_BOARDS` in a channel, the oldest are deleted. */
    async add({ appraisal, posted, ...madeBoard }: StoredMadeBoard): Promise<boolean> {
      const json = { appraisal: JSON.stringify(appraisal), posted: formatJson(posted ?? undefined) };
      const { channel, board, ...values } = madeBoard;
      // A new board may replace an expired one.
      const isExpired = sql<SqlBool>`made_board.expires_at <= ${values.madeAt}`;
      if (!(await rows.put('madeBoard', { channel, board }, { ...values, ...json }, isExpired))) return false;
      // The results of the expired board that it replaces.
      await deletePlayed(channel, board);
      const newestFirst = sql`made_at desc, board`;
      const deleted = await rows.deleteBeyond('madeBoard', { channel }, newestFirst, MAX_MADE_BOARDS);
      for (const old of deleted) await deletePlayed(channel, old.board);
      return true;
    },

    async get(channel: string, board: string, now: number): Promise<StoredMadeBoard | undefined> {
      const row = await current(channel, now).where('board', '=', board).executeTakeFirst();
      return row && madeBoardOf(row);
    },

    async ofThread(channel: string, thread: string, now: number): Promise<StoredMadeBoard | undefined> {
      const row = await current(channel, now).where('thread', '=', thread).executeTakeFirst();
      return row && madeBoardOf(row);
    },

    /** The boards of a channel, newest first. */
    async ofChannel(channel: string, now: number): Promise<ListedMadeBoard[]> {
      const listed = await current(channel, now)
        .select(
          sql<number>`(
            select count(*) from made_board_result
            where made_board_result.tenant = made_board.tenant and made_board_result.channel = made_board.channel
              and made_board_result.board = made_board.board and ${isShown('madeBoardResult')}
          )`.as('solvers'),
        )
        .orderBy('madeAt', 'desc')
        .orderBy('board')
        .limit(MAX_MADE_BOARDS)
        .execute();
      return listed.map(({ solvers, ...row }) => ({ ...madeBoardOf(row), solvers }));
    },

    async recordPosted(channel: string, board: string, posted: object, thread: string | null): Promise<void> {
      const changes = { posted: JSON.stringify(posted), thread };
      await rows.update('madeBoard', { channel, board }).set(changes).execute();
    },

    /** False if it is closed already. */
    close: (channel: string, board: string, closedAt: number): Promise<boolean> =>
      rows.change('madeBoard', { channel, board }, { closedAt }, (open) =>
        open.where('closedAt', 'is', null),
      ),

    /** Deletes a board with its results. False if there is none. */
    remove,

    /**
     * Stores a result if it is better than the stored one: made before the solution was seen, then with fewer words, fewer
     * letters, fewer hints, or earlier. True if stored. Beyond `MAX_MADE_BOARD_RESULTS` of a board, the worst are deleted.
     */
    async record(result: MadeBoardResult): Promise<boolean> {
      const { channel, board, words, letters, hints, solvedAt } = result;
      const afterSolution = result.afterSolution ? (1 as const) : (0 as const);
      const key = { channel, board, person: result.person };
      const values = { words, letters, hints, solvedAt, afterSolution };
      const isBetter = sql<SqlBool>`(${orderOf('excluded')}) < (${orderOf('made_board_result')})`;
      if (!(await rows.put('madeBoardResult', key, values, isBetter))) return false;
      const order = sql`${orderOf('made_board_result')}, person`;
      await rows.deleteBeyond('madeBoardResult', { channel, board }, order, MAX_MADE_BOARD_RESULTS);
      return true;
    },

    async resultOf(channel: string, board: string, person: string): Promise<MadeBoardResult | undefined> {
      const one = rows.select('madeBoardResult', { channel, board, person });
      const row = await one.selectAll().executeTakeFirst();
      return row && resultOf(row);
    },

    /** The people who solved it and are shown, but not ranked, since they are calm; in order of their ids. */
    async calmSolvers(channel: string, board: string): Promise<string[]> {
      const people = await rows
        .select('madeBoardResult', { channel, board })
        .where(isShown('madeBoardResult'))
        .where(({ not }) => not(isRanked('madeBoardResult')))
        .select('person')
        .orderBy('person')
        .execute();
      return people.map(({ person }) => person);
    },

    /** The results of people who are ranked, best first. Equal results share a rank. */
    async results(channel: string, board: string): Promise<RankedMadeBoardResult[]> {
      const results = await rows
        .select('madeBoardResult', { channel, board })
        .selectAll()
        .select(sql<number>`rank() over (order by ${orderOf('made_board_result')})`.as('rank'))
        .where(isRanked('madeBoardResult'))
        .orderBy('rank')
        .orderBy('person')
        .limit(MAX_MADE_BOARD_RESULTS)
        .execute();
      return results.map(({ rank, ...row }) => ({ ...resultOf(row), rank }));
    },
  };
}

function orderOf(table: 'excluded' | 'made_board_result') {
  const row = sql.raw(table);
  return sql`${row}.after_solution, ${row}.words, ${row}.letters, ${row}.hints, ${row}.solved_at`;
}

function resultOf({ tenant: _, afterSolution, ...row }: Database['madeBoardResult']): MadeBoardResult {
  return { ...row, afterSolution: afterSolution === 1 ? true : undefined };
}

function madeBoardOf({ tenant: _, ...row }: Database['madeBoard']): StoredMadeBoard {
  return { ...row, appraisal: parseJson(row.appraisal), posted: parseJson(row.posted) };
}
