import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database } from '../schema.ts';
import { formatJson, isRanked, isShown, parseJson, type TenantRows } from './rows.ts';

export type ChannelResults = ReturnType<typeof channelResultsTable>;

type Row = Database['result'];
type Converted = 'path' | 'reported' | 'afterSolution' | 'late' | 'message' | 'solution' | 'replaced';

export interface Result extends Readonly<Omit<Row, 'tenant' | Converted>> {
  readonly path?: AnonymizedPath;
  /** Set if the person only said how many words they took: nobody has checked it. */
  readonly reported?: true;
  /** Set if the person, or everybody in the channel, had seen a solution of the board before. */
  readonly afterSolution?: true;
  /** The platform's id of the message that the result was read from. */
  readonly message?: string;
  /** A checksum of the words, to tell different solutions of a day's board apart. */
  readonly solution?: string;
  /** Set if the day has another board in this channel now: the result stays the person's, but is not ranked. */
  readonly replaced?: true;
  /**
   * Set if it came to its channel after the day was closed there, such as one that was shared a day later: it is listed behind
   * those of the day, and counts for nothing else in the channel.
   */
  readonly late?: true;
}

/** A result and the tenant in which it was entered. */
export type PlacedResult = Result & { readonly tenant: string };

/**
 * The path of a solution over its board, for the picture of a shared result. The sides and the letters of each side
 * are shuffled, so that no word can be read from it.
 */
export interface AnonymizedPath {
  /** The number of letters of each side. */
  readonly sides: readonly number[];
  /** The spots of each word. */
  readonly words: readonly (readonly number[])[];
}

/** The parts of a result for comparing and summing. */
export type DayScore = Pick<
  Result,
  'date' | 'words' | 'letters' | 'hints' | 'solvedAt' | 'sinceOpening' | 'reported' | 'afterSolution'
>;

/** Results kept for one person in one tenant: thirteen years of days in one channel. */
const MAX_RESULTS = 5_000;
/** More letters than any result has, so that a result without that number comes last. */
const UNKNOWN_LETTERS = 1_000_000;

/**
 * Sorts a person's results of a day, best first, exactly as `bestFirst` does. Among reported results, it does not matter
 * whether a solution was seen before.
 */
export function rankOf(table: 'result' | 'excluded') {
  const row = sql.raw(table);
  return sql`${row}.since_opening is null, ${row}.reported, (1 - ${row}.reported) * ${row}.after_solution, ${row}.words,
    case ${row}.letters when 0 then ${sql.lit(UNKNOWN_LETTERS)} else ${row}.letters end,
    ${row}.hints, ${row}.solved_at`;
}

const pathSchema = v.object({ sides: v.array(v.number()), words: v.array(v.array(v.number())) });

export function resultOf({
  tenant: _,
  path,
  reported,
  afterSolution,
  replaced,
  late,
  message,
  solution,
  ...row
}: Row): Result {
  return {
    ...row,
    replaced: replaced === 1 ? true : undefined,
    late: late === 1 ? true : undefined,
    path: path === null ? undefined : v.parse(pathSchema, parseJson(path)),
    ...scoreFlags({ reported, afterSolution }),
    message: message ?? undefined,
    solution: solution ?? undefined,
  };
}

type ScoreFlag = 'reported' | 'afterSolution';

/** A row's flags as properties of a result: true or missing. */
export function scoreFlags({
  reported,
  afterSolution,
}: Pick<Row, ScoreFlag>): Readonly<Record<ScoreFlag, true | undefined>> {
  return {
    reported: reported === 1 ? true : undefined,
    afterSolution: afterSolution === 1 ? true : undefined,
  };
}

export function resultsTable(rows: TenantRows) {
  return {
    /**
     * Stores the result, unless `rankOf` ranks the stored one of the same board as high or higher. If the message of a reported
     * result changes, the result changes with it. What came before the closing never gives way to what came after it. Beyond
     * `MAX_RESULTS`, results of boards solved after their day are deleted first, and then the oldest. The database compares, so
     * that of two simultaneous results the better one stays. True if it was stored.
     */
    async record({ person, channel, date, board, ...result }: Result): Promise<boolean> {
      const reached = {
        ...result,
        replaced: 0 as const,
        late: result.late ? (1 as const) : (0 as const),
        path: formatJson(result.path),
        reported: result.reported ? (1 as const) : (0 as const),
        afterSolution: result.afterSolution ? (1 as const) : (0 as const),
        message: result.message ?? null,
        solution: result.solution ?? null,
      };
      const mayReplace = sql<SqlBool>`excluded.late <= result.late and ((${rankOf('excluded')}) < (${rankOf('result')})
        or (result.reported = 1 and excluded.message = result.message))`;
      const isStored = await rows.put('result', { person, channel, date, board }, reached, mayReplace);
      const order = sql`since_opening is null, solved_at desc`;
      if (isStored) await rows.deleteBeyond('result', { person }, order, MAX_RESULTS);
      return isStored;
    },

    /** The number of days with a result of the person. */
    async days(person: string): Promise<number> {
      const { days } = await rows
        .select('result', { person })
        .select(({ fn }) => fn.count<number>('date').distinct().as('days'))
        .executeTakeFirstOrThrow();
      return days;
    },

    /** The dates of a person's results in one channel, in order. */
    async datesIn(person: string, channel: string): Promise<PuzzleDate[]> {
      const dates = rows.select('result', { person, channel }).select('date').distinct().orderBy('date');
      return (await dates.execute()).map(({ date }) => date);
    },
  };
}

/** Asks for *regulars*: people who agreed to be named and solved on at least `days` days of the span. */
export interface RegularsQuery {
  readonly channel: string;
  readonly from: PuzzleDate;
  readonly to: PuzzleDate;
  readonly days: number;
}

export interface MissingQuery extends RegularsQuery {
  readonly date: PuzzleDate;
  readonly limit: number;
}

/** A channel's day on which somebody solved its board, and not late. */
export interface DaySums {
  readonly date: PuzzleDate;
  /** The number of people who are not hidden. */
  readonly people: number;
  /** How many of them are not calm, and the words that these took together. */
  readonly ranked: number;
  readonly words: number;
}

export interface ResultSums {
  readonly person: string;
  readonly days: number;
  /** Days whose result was only reported. */
  readonly reported: number;
  /** Other days, whose result came after the solution was seen. */
  readonly afterSolution: number;
  /** Days whose result says how many letters it took. */
  readonly counted: number;
  readonly words: number;
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
}

/** The results of everybody in a channel. Spans of dates include both ends. */
export function channelResultsTable(rows: TenantRows) {
  /** The results that a channel knows: of its board, solved on the day, by people who are not hidden. Some are late. */
  const shown = (channel: string, from: PuzzleDate | RawBuilder<PuzzleDate>, to: PuzzleDate) =>
    rows
      .select('result', { channel })
      .where('result.date', '>=', from)
      .where('result.date', '<=', to)
      .where('result.sinceOpening', 'is not', null)
      .where('result.replaced', '=', 0)
      .where(isShown('result'));

  /** Of these, the results that are listed with their ranks: not those of calm people. */
  const ranked = (channel: string, from: PuzzleDate, to: PuzzleDate) =>
    shown(channel, from, to).where(isRanked('result'));

  /** Of these, the results that count there: they came before the day was closed. */
  const counting = (channel: string, from: PuzzleDate, to: PuzzleDate) =>
    ranked(channel, from, to).where('result.late', '=', 0);

  /** Begins with the people who joined the list: they are fewer than all results of some days. */
  const regulars = ({ channel, from, to, days }: RegularsQuery) =>
    rows
      .select('person', { listed: 1 })
      .select('person.person')
      .where(
        counting(channel, from, to)
          .where(sql<SqlBool>`result.person = person.person`)
          .select(({ fn }) => fn.countAll<number>().as('days')),
        '>=',
        days,
      )
      .orderBy('person.person');

  return {
    /** The results that a channel lists on a date, with those that came late. */
    async ofDay(channel: string, date: PuzzleDate): Promise<Result[]> {
      const results = ranked(channel, date, date).selectAll('result').orderBy('result.person');
      return (await results.execute()).map(resultOf);
    },

    /** The calm people who solved a board of these days, by id: others learn nothing else of their results. */
    async calmSolvers(channel: string, from: PuzzleDate, to = from): Promise<string[]> {
      const people = await shown(channel, from, to)
        .where('result.late', '=', 0)
        .where(({ not }) => not(isRanked('result')))
        .select('result.person')
        .distinct()
        .orderBy('result.person')
        .execute();
      return people.map(({ person }) => person);
    },

    /** Records that the channel's day now has this board: only results on it are ranked. */
    async setBoard(channel: string, date: PuzzleDate, board: string): Promise<void> {
      const replaced = sql<0 | 1>`case when board = ${board} then 0 else 1 end`;
      const people = rows.select('result', { channel, date }).select('person');
      await rows
        .update('result', { channel, date })
        .set({ replaced })
        .where('replaced', '!=', replaced)
        // For SQLite's planner: it assumes that a tenant has ten rows, and would read all of them instead of these people's.
        .where('person', 'in', people.where('replaced', '!=', replaced))
        .execute();
    },

    /** The board of a day by the results of people who solved it on the day; undefined if there are none. */
    async boardOf(channel: string, date: PuzzleDate): Promise<string | undefined> {
      const onTheDay = rows
        .select('result', { channel, date, replaced: 0 })
        .where('sinceOpening', 'is not', null);
      return (await onTheDay.select('board').limit(1).executeTakeFirst())?.board;
    },

    /** How many people solved, on the day, a board that the day no longer has. */
    async ofReplaced(channel: string, date: PuzzleDate): Promise<number> {
      const { people } = await rows
        .select('result', { channel, date, replaced: 1 })
        .where('sinceOpening', 'is not', null)
        .select(({ fn }) => fn.count<number>('person').distinct().as('people'))
        .executeTakeFirstOrThrow();
      return people;
    },

    span: (channel: string) => spanIn(rows, 'result', channel),

    /** A channel's leaderboard: sums for each person who is ranked. Late results are left out. */
    sums: (channel: string, from: PuzzleDate, to: PuzzleDate): Promise<ResultSums[]> =>
      counting(channel, from, to)
        .select(['result.person', sumOf('days', '1')])
        .select([sumOf('reported'), sumOf('afterSolution', '(1 - reported) * after_solution')])
        .select([sumOf('counted', 'case when letters > 0 then 1 else 0 end')])
        .select([sumOf('words'), sumOf('letters'), sumOf('hints'), sumOf('solvedAt', 'solved_at')])
        .groupBy('result.person')
        .orderBy('result.person')
        .execute(),

    /** The dates up to one on which anybody solved the board and was not late, in order. */
    async datesIn(channel: string, to: PuzzleDate): Promise<PuzzleDate[]> {
      const next = (from: RawBuilder<PuzzleDate>) =>
        shown(channel, from, to)
          .where('result.late', '=', 0)
          .select('result.date')
          .orderBy('result.date')
          .limit(1);
      // Skips from date to date by the index, since each has many rows. `date!` is after the date and before the next one.
      const { rows: found } = await sql<{ date: PuzzleDate }>`
        with recursive found(date) as (
          select (${next(sql`''`)})
          union all
          select (${next(sql`found.date || '!'`)}) from found where found.date is not null
        )
        select date from found where date is not null`.execute(rows.db);
      return found.map(({ date }) => date);
    },

    /** Sums for each day on which anybody solved the board, by date. Late results are left out. */
    byDay: (channel: string, from: PuzzleDate, to: PuzzleDate): Promise<DaySums[]> =>
      shown(channel, from, to)
        .where('result.late', '=', 0)
        .leftJoin('person as calm', (join) =>
          join
            .onRef('calm.tenant', '=', 'result.tenant')
            .onRef('calm.person', '=', 'result.person')
            .on('calm.calm', '=', 1),
        )
        .select(['result.date', sumOf('people', '1')])
        .select([
          sumOf('ranked', 'case when calm.person is null then 1 else 0 end'),
          sumOf('words', 'case when calm.person is null then words else 0 end'),
        ])
        .groupBy('result.date')
        .orderBy('result.date')
        .execute(),

    /** Regulars without a result of a date anywhere in this tenant, and neither hidden nor calm. By id, at most `limit`. */
    async missing({ date, limit, ...query }: MissingQuery): Promise<string[]> {
      const missing = await regulars(query)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('result as solved')
                .select('solved.date')
                .whereRef('solved.tenant', '=', 'person.tenant')
                .whereRef('solved.person', '=', 'person.person')
                .where('solved.date', '=', date)
                .where('solved.replaced', '=', 0),
            ),
          ),
        )
        .limit(limit)
        .execute();
      return missing.map(({ person }) => person);
    },

    /** Whether there are any regulars, with or without a result of the date. */
    async hasRegulars(query: RegularsQuery): Promise<boolean> {
      return (await regulars(query).limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** The first and the last day of a channel's results; undefined if there are none. */
async function spanIn(
  rows: TenantRows,
  table: 'result' | 'otherResult',
  channel: string,
): Promise<{ readonly from: PuzzleDate; readonly to: PuzzleDate } | undefined> {
  // Both ends of the index; for two aggregates in one query, SQLite would read all of it.
  const end = (order: 'asc' | 'desc') =>
    rows
      // Both tables have the columns that are used here.
      .select(table as 'result', { channel })
      .select('date')
      .orderBy('date', order)
      .limit(1)
      .executeTakeFirst();
  const [first, last] = [await end('asc'), await end('desc')];
  return first && last && { from: first.date, to: last.date };
}

/** The sum of integers is a decimal in PostgreSQL, and its driver returns decimals as text. */
function sumOf<Name extends string>(name: Name, column: string = name) {
  return sql<number>`cast(sum(${sql.raw(column)}) as bigint)`.as(name);
}

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
      const { score, at, ...key } = result;
      const isStored = isConfirmed
        ? await rows.put('otherResult', key, { score, at })
        : await rows.add('otherResult', result);
      if (isStored)
        await rows.deleteBeyond('otherResult', { person: result.person }, sql`date desc`, MAX_OTHER_RESULTS);
      return isStored;
    },

    span: (channel: string) => spanIn(rows, 'otherResult', channel),

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
