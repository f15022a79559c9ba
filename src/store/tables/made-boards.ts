import { type SqlBool, sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import { formatJson, isUpdated, MOST_DELETED, parseJson } from './rows.ts';

/** A board that somebody made for a channel. */
export interface StoredMadeBoard {
  readonly channel: string;
  /** The same for boards that play the same; a channel has each of them once. */
  readonly board: string;
  /** As they were typed, with hyphens. */
  readonly sides: string;
  readonly name: string;
  /** What was found out about the board. */
  readonly appraisal: unknown;
  /** Null when they asked to be forgotten. */
  readonly madeBy: string | null;
  readonly madeAt: number;
  readonly closedAt: number | null;
  readonly expiresAt: number;
  /** The platform's ids of its message, as far as it was posted. */
  readonly posted: unknown;
  /** The id that requests from its thread have. */
  readonly thread: string | null;
}

export interface MadeBoardResult {
  readonly channel: string;
  readonly board: string;
  readonly person: string;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
}

/** With the number of people who have solved it and are not hidden. */
export type ListedMadeBoard = StoredMadeBoard & { readonly solvers: number };

export interface MadeBoards {
  /** False if the channel has that board. Of more than `MOST_MADE_BOARDS` of a channel, the oldest are deleted. */
  add(madeBoard: StoredMadeBoard): Promise<boolean>;
  get(channel: string, board: string, now: number): Promise<StoredMadeBoard | undefined>;
  /** Those of a channel, the newest first. */
  ofChannel(channel: string, now: number): Promise<ListedMadeBoard[]>;
  /** The one that a thread belongs to. */
  ofThread(channel: string, thread: string, now: number): Promise<StoredMadeBoard | undefined>;
  notePosted(channel: string, board: string, posted: object, thread: string | null): Promise<void>;
  /** False if it is closed already. */
  close(channel: string, board: string, at: number): Promise<boolean>;
  /** Deletes it with its results. False if there is none. */
  remove(channel: string, board: string): Promise<boolean>;
  /**
   * Stores a result, unless the stored one is as good: fewer words, then fewer letters, then fewer hints, then the
   * earlier one. True if it was stored. Of more than `MOST_MADE_BOARD_RESULTS` of a board, the last are deleted.
   */
  record(result: MadeBoardResult): Promise<boolean>;
  resultOf(channel: string, board: string, person: string): Promise<MadeBoardResult | undefined>;
  /** Of the people who are not hidden, the best first. */
  results(channel: string, board: string): Promise<MadeBoardResult[]>;
}

export const MOST_MADE_BOARDS = 100;
export const MOST_MADE_BOARD_RESULTS = 1_000;

const RESULT_COLUMNS = ['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt'] as const;

export class SqlMadeBoards implements MadeBoards {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async add({ appraisal, posted, ...madeBoard }: StoredMadeBoard): Promise<boolean> {
    const values = {
      ...madeBoard,
      appraisal: JSON.stringify(appraisal),
      posted: formatJson(posted ?? undefined),
    };
    const added = await this.#db
      .insertInto('madeBoard')
      .values({ tenant: this.#tenant, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant', 'channel', 'board'])
          .doUpdateSet(values)
          // A new one may take the place of one whose time is over.
          .where('madeBoard.expiresAt', '<=', madeBoard.madeAt),
      )
      .returning('board')
      .executeTakeFirst();
    if (added === undefined) return false;
    // Those of a board whose time was over.
    await this.#deleteResults(madeBoard.channel, madeBoard.board);
    await this.#deleteOldest(madeBoard.channel);
    return true;
  }

  async get(channel: string, board: string, now: number): Promise<StoredMadeBoard | undefined> {
    const row = await this.#current(channel, now).where('board', '=', board).executeTakeFirst();
    return row && madeBoardOf(row);
  }

  async ofThread(channel: string, thread: string, now: number): Promise<StoredMadeBoard | undefined> {
    const row = await this.#current(channel, now).where('thread', '=', thread).executeTakeFirst();
    return row && madeBoardOf(row);
  }

  async ofChannel(channel: string, now: number): Promise<ListedMadeBoard[]> {
    const rows = await this.#current(channel, now)
      .select(
        sql<number>`(
          select count(*) from made_board_result as reached
          left join person on person.tenant = reached.tenant and person.person = reached.person
          where reached.tenant = made_board.tenant and reached.channel = made_board.channel
            and reached.board = made_board.board and coalesce(person.hidden, 0) = 0
        )`.as('solvers'),
      )
      .orderBy('madeAt', 'desc')
      .orderBy('board')
      .limit(MOST_MADE_BOARDS)
      .execute();
    return rows.map(({ solvers, ...row }) => ({ ...madeBoardOf(row), solvers: Number(solvers) }));
  }

  async notePosted(channel: string, board: string, posted: object, thread: string | null): Promise<void> {
    await this.#update(channel, board)
      .set({ posted: JSON.stringify(posted), thread })
      .execute();
  }

  async close(channel: string, board: string, at: number): Promise<boolean> {
    const closed = await this.#update(channel, board)
      .set({ closedAt: at })
      .where('closedAt', 'is', null)
      .executeTakeFirst();
    return isUpdated(closed);
  }

  async remove(channel: string, board: string): Promise<boolean> {
    const removed = await this.#db
      .deleteFrom('madeBoard')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('board', '=', board)
      .returning('board')
      .executeTakeFirst();
    await this.#deleteResults(channel, board);
    return removed !== undefined;
  }

  async record(result: MadeBoardResult): Promise<boolean> {
    const { words, letters, hints, solvedAt } = result;
    const kept = await this.#db
      .insertInto('madeBoardResult')
      .values({ tenant: this.#tenant, ...result })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant', 'channel', 'board', 'person'])
          .doUpdateSet({ words, letters, hints, solvedAt })
          .where(
            sql<SqlBool>`(excluded.words, excluded.letters, excluded.hints, excluded.solved_at)
              < (made_board_result.words, made_board_result.letters, made_board_result.hints, made_board_result.solved_at)`,
          ),
      )
      .returning('board')
      .executeTakeFirst();
    if (kept !== undefined) await this.#deleteLast(result.channel, result.board);
    return kept !== undefined;
  }

  async resultOf(channel: string, board: string, person: string): Promise<MadeBoardResult | undefined> {
    return this.#results(channel, board).where('madeBoardResult.person', '=', person).executeTakeFirst();
  }

  async results(channel: string, board: string): Promise<MadeBoardResult[]> {
    return this.#ranked(channel, board)
      .leftJoin('person', (join) =>
        join
          .onRef('person.tenant', '=', 'madeBoardResult.tenant')
          .onRef('person.person', '=', 'madeBoardResult.person'),
      )
      .where(sql<SqlBool>`coalesce(person.hidden, 0) = 0`)
      .limit(MOST_MADE_BOARD_RESULTS)
      .execute();
  }

  #current(channel: string, now: number) {
    return this.#db
      .selectFrom('madeBoard')
      .selectAll()
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('expiresAt', '>', now);
  }

  #update(channel: string, board: string) {
    return this.#db
      .updateTable('madeBoard')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('board', '=', board);
  }

  #results(channel: string, board: string) {
    return this.#db
      .selectFrom('madeBoardResult')
      .select(RESULT_COLUMNS.map((column) => `madeBoardResult.${column}` as const))
      .where('madeBoardResult.tenant', '=', this.#tenant)
      .where('madeBoardResult.channel', '=', channel)
      .where('madeBoardResult.board', '=', board);
  }

  #ranked(channel: string, board: string) {
    return this.#results(channel, board)
      .orderBy('madeBoardResult.words')
      .orderBy('madeBoardResult.letters')
      .orderBy('madeBoardResult.hints')
      .orderBy('madeBoardResult.solvedAt')
      .orderBy('madeBoardResult.person');
  }

  async #deleteResults(channel: string, board: string): Promise<void> {
    await this.#db
      .deleteFrom('madeBoardResult')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .where('board', '=', board)
      .execute();
  }

  async #deleteOldest(channel: string): Promise<void> {
    const old = await this.#db
      .selectFrom('madeBoard')
      .select('board')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel)
      .orderBy('madeAt', 'desc')
      .orderBy('board')
      .limit(MOST_DELETED)
      .offset(MOST_MADE_BOARDS)
      .execute();
    for (const { board } of old) await this.remove(channel, board);
  }

  async #deleteLast(channel: string, board: string): Promise<void> {
    const last = await this.#ranked(channel, board)
      .limit(MOST_DELETED)
      .offset(MOST_MADE_BOARD_RESULTS)
      .execute();
    for (const { person } of last) {
      await this.#db
        .deleteFrom('madeBoardResult')
        .where('tenant', '=', this.#tenant)
        .where('channel', '=', channel)
        .where('board', '=', board)
        .where('person', '=', person)
        .execute();
    }
  }
}

export function madeBoardOf({ tenant: _, ...row }: Database['madeBoard']): StoredMadeBoard {
  return { ...row, appraisal: parseJson(row.appraisal), posted: parseJson(row.posted) };
}
