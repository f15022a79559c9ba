import { type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database, DatabaseEngine, Db } from '../schema.ts';
import { addRow, isRanked, isShown, parseJson, TenantRows } from './rows.ts';

interface SavedGame {
  readonly state: unknown;
  /** The version that was read, 0 for a new game. */
  readonly version: number;
  /** Who has played in it, so that they can be forgotten. */
  readonly people: readonly string[];
  readonly now: number;
  readonly expiresAt: number;
}

/** Games that several people play, one for each thread. */
export function gamesTable(rows: TenantRows) {
  return {
    async get(
      thread: string,
      now: number,
    ): Promise<{ readonly state: unknown; readonly version: number } | undefined> {
      const game = rows.select('game', { thread }).select(['state', 'version']).where('expiresAt', '>', now);
      const row = await game.executeTakeFirst();
      return row && { ...row, state: parseJson(row.state) };
    },

    /** Saves over the version that was read; false if somebody else saved first. */
    save(thread: string, { state, version, people, now, expiresAt }: SavedGame): Promise<boolean> {
      const saved = { state: JSON.stringify(state), version: version + 1, expiresAt };
      return rows.transaction(async (within) => {
        if (!(await saveVersion(within, 'game', { thread }, saved, now))) return false;
        await within.delete('gamePerson', { thread }).execute();
        const players = Array.from(new Set(people), (person) => ({ thread, person }));
        if (players.length > 0) await within.insert('gamePerson', ...players).execute();
        return true;
      });
    },
  };
}

/**
 * Saves a game over the version before this one. A first version may replace an expired game. False if somebody else saved
 * first.
 */
function saveVersion(
  rows: TenantRows,
  table: 'game' | 'soloGame',
  key: { readonly thread: string } | { readonly person: string; readonly board: string },
  saved: Pick<Database['game'], 'state' | 'version' | 'expiresAt'>,
  now: number,
): Promise<boolean> {
  // Both tables have the columns that are used here.
  const games = table as 'game';
  const isExpired = sql<SqlBool>`${sql.ref(`${games}.expiresAt`)} <= ${now}`;
  if (saved.version === 1) return rows.put(games, key as { thread: string }, saved, isExpired);
  const before = { ...key, version: saved.version - 1 };
  return rows.change(games, before, saved, (some) => some.where(({ not }) => not(isExpired)));
}

/** The rest of a game's state without a person, since it says who played what; undefined if nothing is left. */
export type WithoutPerson = (state: unknown, person: string) => object | undefined;

/** Removes a person from a game's state, or deletes a game without others; `erasePerson` deletes their `gamePerson` row. */
export async function leaveGame(
  rows: TenantRows,
  { thread, person }: { readonly thread: string; readonly person: string },
  withoutPerson: WithoutPerson,
): Promise<void> {
  for (;;) {
    const game = await rows.select('game', { thread }).select(['state', 'version']).executeTakeFirst();
    const state = game && withoutPerson(parseJson(game.state), person);
    if (game === undefined || state === undefined) {
      await rows.delete('game', { thread }).execute();
      await rows.delete('gamePerson', { thread }).execute();
      return;
    }
    const { version } = game;
    const left = { state: JSON.stringify(state), version: version + 1 };
    // If not, somebody moved in the meantime.
    if (await rows.change('game', { thread, version }, left)) return;
  }
}

interface SavedMove extends Omit<SavedGame, 'people'> {
  readonly board: string;
  /** Where the move was made; left out in private messages. */
  readonly channel?: string | null | undefined;
}

/** Games kept for a person in one tenant: enough for the days of a month, and more boards. */
export const MAX_SOLO_GAMES = 50;

export function soloGamesTable(rows: TenantRows, engine: DatabaseEngine) {
  return {
    /** How many people play a day's board in a channel and have no result of it there; hidden people are left out. */
    async playing(channel: string, board: string, date: PuzzleDate, now: number): Promise<number> {
      const { people } = await rows
        .select('soloGame', { channel, board })
        .leftJoin('result', (join) =>
          join
            .onRef('result.tenant', '=', 'soloGame.tenant')
            .onRef('result.channel', '=', 'soloGame.channel')
            .onRef('result.person', '=', 'soloGame.person')
            .on('result.date', '=', date)
            .on('result.replaced', '=', 0),
        )
        .where('soloGame.expiresAt', '>', now)
        .where('result.date', 'is', null)
        .where(isShown('soloGame'))
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .executeTakeFirstOrThrow();
      return people;
    },

    /**
     * Saves over the version that `allPeople.soloGame` read, 0 for a new game. False if it was saved elsewhere in the meantime.
     * Beyond `MAX_SOLO_GAMES` games, the one played longest ago is deleted.
     */
    save(
      person: string,
      { board, channel = null, state, version, now, expiresAt }: SavedMove,
    ): Promise<boolean> {
      const saved = { channel, state: JSON.stringify(state), version: version + 1, playedAt: now, expiresAt };
      const write = async (within: TenantRows) => {
        const isSaved = await saveVersion(within, 'soloGame', { person, board }, saved, now);
        if (isSaved && version === 0)
          await within.deleteBeyond('soloGame', { person }, sql`played_at desc, board`, MAX_SOLO_GAMES);
        return isSaved;
      };
      return withoutSync(rows.db, engine, (db) => {
        const unsynced = new TenantRows(db, rows.tenant);
        return version === 0 ? unsynced.transaction(write) : write(unsynced);
      });
    },
  };
}

/**
 * Writes without waiting for the disk, which would block SQLite's only thread at each move of each player. A power cut may
 * lose the writes of the last seconds; a crash of the program loses none.
 */
async function withoutSync<Result>(
  db: Db,
  engine: DatabaseEngine,
  write: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (engine !== 'sqlite') return write(db);
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await write(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

/**
 * On which card of hints a hint was shown: on none, on one that goes on from played words or has everyday words only, or on the
 * card of the whole board, which repeats its earlier hints. Of several, the last in this order is stored.
 */
export const CARDS = ['none', 'other', 'board'] as const;
export type HintCard = (typeof CARDS)[number];

interface SeenHints {
  readonly at: number;
  /** The most steps to keep of a person. */
  readonly most?: number;
  /**
   * If given, steps of this day and later ones are deleted last. Earlier days get no such protection: those of many
   * days would push out the steps of typed boards, whose hints could then be had again free.
   */
  readonly since?: PuzzleDate;
  readonly card?: HintCard | undefined;
}

/** Steps kept for a person in one tenant, unless the caller says otherwise: all steps and the solution of 100 boards. */
const MAX_HINTS = 1_000;
/** Boards' keys begin with a letter, and sort after all dates. */
export const FIRST_BOARD_KEY = 'a';
/** The condition of hints of typed sides. The engines choose the index of these only if the letter is written out. */
export const OF_TYPED_SIDES = sql<SqlBool>`puzzle >= ${sql.lit(FIRST_BOARD_KEY)}`;

/**
 * What a person was shown about a board: a hint's step, or its solution. One row for each, so that two simultaneous presses
 * add up instead of overwriting each other. `puzzle` is the board's key, for a day's board after the date and a space.
 */
export function hintsTable(rows: TenantRows) {
  return {
    async record(
      person: string,
      puzzle: string,
      steps: readonly string[],
      { at, most = MAX_HINTS, since, card: cardName = 'none' }: SeenHints,
    ): Promise<void> {
      if (steps.length === 0) return;
      const card = CARDS.indexOf(cardName);
      // Sorted, so that two answers at once can't deadlock.
      const { numInsertedOrUpdatedRows } = await rows
        .insert('hint', ...steps.toSorted().map((step) => ({ person, puzzle, step, at, card })))
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'person', 'puzzle', 'step'])
            .doUpdateSet({ card })
            .where('hint.card', '<', card),
        )
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) return;
      const isKeptLonger = sql`puzzle >= ${since ?? FIRST_BOARD_KEY} and puzzle < ${FIRST_BOARD_KEY}`;
      await rows.deleteBeyond('hint', { person }, sql`${isKeptLonger} desc, at desc, puzzle, step`, most);
    },
  };
}

const solutionsSchema = v.array(v.array(v.string()));

/** The solutions that can be found on a board, the same for everybody. */
export function huntsTable(db: Db) {
  async function get(board: string): Promise<readonly (readonly string[])[] | undefined> {
    const row = await db.selectFrom('hunt').select('solutions').where('board', '=', board).executeTakeFirst();
    return row && v.parse(solutionsSchema, parseJson(row.solutions));
  }

  return {
    get,

    /** Returns the stored solutions: the first ones stay. */
    async keep(board: string, solutions: readonly (readonly string[])[], madeAt: number) {
      await addRow(db, 'hunt', { board, solutions: JSON.stringify(solutions), madeAt });
      return (await get(board)) ?? solutions;
    },
  };
}

export type Find = Readonly<Omit<Database['find'], 'tenant'>>;

/** Finds kept for one person in one tenant: more than they can make in the days for which finds are kept. */
const MAX_FINDS = 2_000;
/** The most finds of a channel to read, of one day. */
const MAX_FINDS_READ = 5_000;

export function findsTable(rows: TenantRows) {
  /** Earliest first, without people who hide or are calm. */
  const shown = (channel: string) =>
    rows
      .select('find', { channel })
      .select(['person', 'channel', 'board', 'solution', 'foundAt'])
      .where(isRanked('find'))
      .orderBy('foundAt')
      .orderBy('person')
      .limit(MAX_FINDS_READ);

  return {
    /** False if the person had found it there before. Beyond `MAX_FINDS`, the oldest are deleted. */
    async add(find: Find): Promise<boolean> {
      if (!(await rows.add('find', find))) return false;
      await rows.deleteBeyond('find', { person: find.person }, sql`found_at desc`, MAX_FINDS);
      return true;
    },

    /** Finds on a board, without people who hide or are calm. */
    ofBoard: (channel: string, board: string): Promise<Find[]> =>
      shown(channel).where('board', '=', board).execute(),

    /** Finds on the boards of a day, whose names begin with its date and a space; `!` is the next character. */
    ofDay: (channel: string, date: PuzzleDate): Promise<Find[]> =>
      shown(channel).where('board', '>=', date).where('board', '<', `${date}!`).execute(),
  };
}
