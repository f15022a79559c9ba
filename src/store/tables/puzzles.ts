import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import type { Database, Db } from '../schema.ts';
import { addRow, chunksOf, parseJson, putRow, type TenantRows } from './rows.ts';

export interface NewPuzzle {
  readonly date: PuzzleDate;
  readonly source: string;
  readonly puzzle: unknown;
  readonly at: number;
}

/**
 * Every letter pressed in a game needs the same few puzzles and verdicts. They are read again after a minute, since other
 * processes may change them.
 */
const CACHE_OPTIONS = { max: 16, ttl: MINUTE } as const;

interface Remembered {
  readonly text: string;
  readonly puzzle: object;
  readonly readAt: number;
}

/** Puzzles from the newspaper, and those that the bot makes itself (the house's), which all tenants share. */
export function puzzlesTable(db: Db) {
  const ofSource = (source: string) => db.selectFrom('puzzle').where('source', '=', source);
  const remembered = new LRUCache<string, Remembered>({ max: CACHE_OPTIONS.max });

  return {
    /** The same object as before while its text is the same, so that its readers check it only once. */
    async get(date: PuzzleDate, source: string): Promise<unknown> {
      const key = `${date} ${source}`;
      const known = remembered.get(key);
      const now = performance.now();
      if (known !== undefined && now < known.readAt + CACHE_OPTIONS.ttl) return known.puzzle;
      const row = await ofSource(source).where('date', '=', date).select('puzzle').executeTakeFirst();
      const text = row?.puzzle;
      const puzzle = text === known?.text ? known?.puzzle : parseJson(text);
      if (text !== undefined && typeof puzzle === 'object' && puzzle !== null)
        remembered.set(key, { text, puzzle, readAt: now });
      return puzzle;
    },

    /** The first copy of a date and source stays: a puzzle that was shown never changes. */
    async keep({ date, source, puzzle, at }: NewPuzzle): Promise<void> {
      await addRow(db, 'puzzle', { date, source, puzzle: JSON.stringify(puzzle), keptAt: at });
    },

    /** Overwrites an unreadable copy. */
    async replace({ date, source, puzzle, at }: NewPuzzle): Promise<void> {
      remembered.delete(`${date} ${source}`);
      await db
        .updateTable('puzzle')
        .set({ puzzle: JSON.stringify(puzzle), keptAt: at })
        .where('date', '=', date)
        .where('source', '=', source)
        .execute();
    },

    /** The dates of a source's puzzles, oldest first, each with the moment it was stored, which may be long after the date. */
    kept: (source: string): Promise<{ date: PuzzleDate; at: number }[]> =>
      ofSource(source).select(['date', 'keptAt as at']).orderBy('date').execute(),
  };
}

export type HandBoard = Readonly<Omit<Database['handBoard'], 'tenant' | 'puzzle' | 'reported'>> & {
  readonly puzzle: unknown;
};

/** Boards kept for one person in one tenant: enough for a year without the newspaper. */
const MAX_HAND_BOARDS = 400;

export function handBoardsTable(rows: TenantRows) {
  return {
    /**
     * Replaces an earlier one, and allows a disagreement to be reported again. Beyond `MAX_HAND_BOARDS` by one person, the
     * oldest are deleted.
     */
    async put({ channel, date, puzzle, typedBy, typedAt }: HandBoard): Promise<void> {
      const board = { puzzle: JSON.stringify(puzzle), typedBy, typedAt, reported: 0 } as const;
      await rows.put('handBoard', { channel, date }, board);
      const order = sql`typed_at desc, channel, date`;
      if (typedBy !== null) await rows.deleteBeyond('handBoard', { typedBy }, order, MAX_HAND_BOARDS);
    },

    async ofDates(dates: readonly PuzzleDate[]): Promise<HandBoard[]> {
      const found = await rows
        .select('handBoard')
        .where('date', 'in', dates)
        .select(['channel', 'date', 'puzzle', 'typedBy', 'typedAt'])
        .orderBy('date')
        .orderBy('channel')
        .execute();
      return found.map((row) => ({ ...row, puzzle: parseJson(row.puzzle) }));
    },

    /** The dates of a channel's boards, each with the moment at which its board was typed. */
    days: (channel: string): Promise<{ date: PuzzleDate; at: number }[]> =>
      rows.select('handBoard', { channel }).select(['date', 'typedAt as at']).execute(),

    /** The number of a channel's boards, and when the last was typed: both together differ after every change. */
    state: (channel: string): Promise<{ boards: number; lastTypedAt: number | null }> =>
      rows
        .select('handBoard', { channel })
        .select(({ fn }) => [
          fn.countAll<number>().as('boards'),
          fn.max<number | null>('typedAt').as('lastTypedAt'),
        ])
        .executeTakeFirstOrThrow(),

    /** Deletes a board; false if there is none. */
    async remove(channel: string, date: PuzzleDate): Promise<boolean> {
      const { numDeletedRows } = await rows.delete('handBoard', { channel, date }).executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    /** True for one caller only: the one to report that a fetched board disagrees. */
    claimReport: (channel: string, date: PuzzleDate): Promise<boolean> =>
      rows.change('handBoard', { channel, date, reported: 0 }, { reported: 1 }),
  };
}

/** What limits requests to the newspaper, for one key, such as a puzzle's date. `FetchKey` in src/puzzle lists the keys. */
export type FetchEntry = Readonly<Database['fetchLog']>;

/** Milliseconds between the clocks of an installation's machines. */
export const MAX_CLOCK_DIFFERENCE_MS = 10 * MINUTE;

export function fetchesTable(db: Db) {
  return {
    get: (key: string): Promise<FetchEntry | undefined> =>
      db.selectFrom('fetchLog').selectAll().where('key', '=', key).executeTakeFirst(),

    /**
     * Atomic across all processes: if there is no entry, or if its `nextAllowed` is not after `now` and its `tries` are
     * below `maxTries`, the entry counts one more try, becomes `asking` until `until`, and is returned. A wait that began in the
     * future was recorded by a wrong clock, and does not count.
     */
    claim: (key: string, now: number, until: number, maxTries: number): Promise<FetchEntry | undefined> =>
      db
        .insertInto('fetchLog')
        .values({ key, tries: 1, lastAttempt: now, outcome: 'asking', nextAllowed: until })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet((row) => ({
              tries: row('fetchLog.tries', '+', 1),
              lastAttempt: now,
              outcome: 'asking',
              nextAllowed: until,
            }))
            .where((where) =>
              where.or([
                where('fetchLog.nextAllowed', '<=', now),
                where('fetchLog.lastAttempt', '>', now + MAX_CLOCK_DIFFERENCE_MS),
              ]),
            )
            .where('fetchLog.tries', '<', maxTries),
        )
        .returningAll()
        .executeTakeFirst(),

    async note({ key, ...entry }: FetchEntry): Promise<void> {
      await putRow(db, 'fetchLog', { key }, entry);
    },
  };
}

/** Verdicts on words from the dictionaries of days: accepted or not. */
export function verdictsTable(db: Db) {
  const remembered = new LRUCache<string, ReadonlyMap<string, boolean>>(CACHE_OPTIONS);

  return {
    /**
     * Verdicts on words made of these letters only. With a date, rejections from that day on are left out: a word that was
     * right in the morning stays right. Reads every row.
     */
    async madeOf(letters: string, before?: PuzzleDate): Promise<ReadonlyMap<string, boolean>> {
      const key = `${letters} ${before}`;
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const others = ALL_LETTERS & ~lettersOf(letters);
      const rows = await db
        .selectFrom('verdict')
        .select(['word', 'accepted'])
        .where(sql<SqlBool>`${sql.ref('letters')} & ${others} = 0`)
        .$if(before !== undefined, (query) =>
          query.where((where) => where.or([where('accepted', '=', 1), where('date', '<', before!)])),
        )
        .execute();
      const verdicts = new Map(rows.map(({ word, accepted }) => [word, accepted === 1]));
      remembered.set(key, verdicts);
      return verdicts;
    },

    /** Stores all of them or none; if two days differ, the later one wins. */
    async keep(date: PuzzleDate, verdicts: ReadonlyMap<string, boolean>): Promise<void> {
      // Sorted, so that two processes can't deadlock.
      const rows = Array.from(verdicts, ([word, accepted]) => ({
        word,
        letters: lettersOf(word),
        accepted: accepted ? (1 as const) : (0 as const),
        date,
      })).sort((a, b) => (a.word < b.word ? -1 : 1));
      await db.transaction().execute(async (transaction) => {
        for (const values of chunksOf(rows)) {
          // A day has thousands of words, so requests are answered in between.
          await setImmediate();
          await transaction
            .insertInto('verdict')
            .values(values)
            .onConflict((conflict) =>
              conflict
                .column('word')
                .doUpdateSet((row) => ({ accepted: row.ref('excluded.accepted'), date }))
                .where('verdict.date', '<=', date),
            )
            .execute();
        }
      });
      remembered.clear();
    },
  };
}

const ALL_LETTERS = 2 ** 26 - 1;

/** A bit for each letter: a word can be made of some letters if it has no other bit than theirs. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index) - 97;
    if (letter < 0 || letter > 25) throw new Error(`a verdict is about words of a to z, not "${text}"`);
    bits |= 1 << letter;
  }
  return bits;
}
