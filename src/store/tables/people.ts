import { type SelectQueryBuilder, sql } from 'kysely';
import { identityScope, isWholeDoor, privateTenant } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database, Db } from '../schema.ts';
import { CARDS, FIRST_BOARD_KEY, type HintCard, type WithoutPerson } from './games.ts';
import {
  type Choices,
  choicesOf,
  countsOf,
  erasePerson,
  exportOf,
  type PersonCounts,
  type PersonExport,
  partsOf,
  tenantsOf,
} from './personal-data.ts';
import { type DayScore, type PlacedResult, rankOf, resultOf, scoreFlags } from './results.ts';
import { ALL_ROWS, inScope, type Page, parseJson, TenantRows } from './rows.ts';

/** Where the board begins in the key of a day's board, see `hintsTable`: counted from 1, as `substr` does. */
const DATED_KEY_OFFSET = '2026-11-20 '.length + 1;

/** The most answers to keep of a person in one tenant, each about being compared with somebody. */
const MAX_COMPARISONS = 500;

interface SeenWhen {
  readonly date?: PuzzleDate | undefined;
  /** Leaves out what was shown from this moment on. */
  readonly before?: number | undefined;
}

export function peopleTable(rows: TenantRows) {
  async function peopleWith(
    flag: Readonly<Partial<Record<'hidden' | 'inSummaries', 1>>>,
    people: readonly string[],
  ): Promise<Set<string>> {
    if (people.length === 0) return new Set();
    const found = rows.select('person', flag).select('person').where('person', 'in', people);
    return new Set((await found.execute()).map(({ person }) => person));
  }

  return {
    /** Stores what a person chose, and leaves their other choices as they are. */
    async choose(person: string, choices: Partial<Choices>): Promise<void> {
      const flags = Object.entries(choices).map(([name, isChosen]) => [name, isChosen ? 1 : 0]);
      const chosen: Partial<Record<keyof Choices, 0 | 1>> = Object.fromEntries(flags);
      await rows
        .insert('person', { person, hidden: 0, listed: 0, calm: 0, inSummaries: 0, ...chosen })
        .onConflict((conflict) => conflict.columns(['tenant', 'person']).doUpdateSet(chosen))
        .execute();
    },

    isHidden: async (person: string): Promise<boolean> => (await choicesOf(rows, person)).hidden,

    /** Whether a person is ranked among others: neither hidden nor calm. */
    async isRanked(person: string): Promise<boolean> {
      const { hidden, calm } = await choicesOf(rows, person);
      return !hidden && !calm;
    },

    hiddenAmong: (people: readonly string[]): Promise<Set<string>> => peopleWith({ hidden: 1 }, people),

    /** The people among these whose results are taken from what another game's app posts. */
    inSummariesAmong: (people: readonly string[]): Promise<Set<string>> =>
      peopleWith({ inSummaries: 1 }, people),

    /** Stores whether a person agrees to be compared with somebody. True if nothing was stored about the two before. */
    async setComparison(
      person: string,
      other: string,
      said: Pick<Database['comparison'], 'agreed' | 'at'>,
    ): Promise<boolean> {
      const isNew = await rows.add('comparison', { person, other, ...said });
      if (!isNew) await rows.update('comparison', { person, other }).set(said).execute();
      // Kept first: refusals, whose `agreed` is 0, and of the rest the latest.
      else await rows.deleteBeyond('comparison', { person }, sql`agreed, at desc`, MAX_COMPARISONS);
      return isNew;
    },
  };
}

/** A person's best result of a day, with the board that it solved. */
export type ComparedScore = DayScore & Pick<Database['result'], 'board'>;

/**
 * A person's data in all tenants in which the id is theirs. A `scope` is any one of these tenants, or what `identityScope`
 * makes of it: `discord`, or a workspace of Slack.
 */
export function allPeopleTable(db: Db, clearLog: () => Promise<void>) {
  const rowsOf = (tenant: string) => new TenantRows(db, tenant);

  /** A person's rows of a table. The casts are those of `TenantRows`. */
  function about<Table extends 'comparison' | 'find' | 'hint' | 'person' | 'result' | 'soloGame'>(
    table: Table,
    scope: string,
    person: string,
  ) {
    const rows = db.selectFrom(table as 'result').where('person', '=', person);
    return rows.where(inScope(scope)) as unknown as SelectQueryBuilder<Database, Table, unknown>;
  }

  async function hasFlag(scope: string, person: string, flag: 'hidden' | 'calm'): Promise<boolean> {
    const set = about('person', scope, person).select('person').where(flag, '=', 1);
    return (await set.limit(1).executeTakeFirst()) !== undefined;
  }

  return {
    /** How many rows of each kind are stored, by tenant. */
    async counts(scope: string, person: string): Promise<PersonCounts[]> {
      const counts = [];
      for (const tenant of await tenantsOf(db, scope, person))
        counts.push(await countsOf(rowsOf(tenant), person));
      return counts.filter((found) => found !== undefined);
    },

    /** A page of the data, by tenant, counting the rows of all tenants together. Empty after the last page. */
    async export(scope: string, person: string, page: Page = ALL_ROWS): Promise<PersonExport[]> {
      const partOf = partsOf(page);
      const exports = [];
      for (const tenant of await tenantsOf(db, scope, person))
        exports.push(await exportOf(rowsOf(tenant), person, partOf));
      return exports.filter((found) => found !== undefined);
    },

    /**
     * Erases the data, including the database's own log, unless another process is reading it. Returns the games that
     * the person was in, of which some are erased, too.
     */
    async erase(
      scope: string,
      person: string,
      withoutPerson?: WithoutPerson,
    ): Promise<{ readonly tenant: string; readonly thread: string }[]> {
      const left = await db.transaction().execute(async (transaction) => {
        const games = [];
        const tenants = new Set(await tenantsOf(transaction, scope, person));
        // The person's private conversations may store something without their name, such as a relay that nobody has played in. On
        // Slack, such rows belong to the workspace, and expire; its settings may name the person.
        const own = identityScope(scope);
        tenants.add(isWholeDoor(own) ? privateTenant(own, person) : own);
        for (const tenant of tenants) {
          const threads = await erasePerson(new TenantRows(transaction, tenant), person, withoutPerson);
          games.push(...threads.map((thread) => ({ tenant, thread })));
        }
        return games;
      });
      await clearLog();
      return left;
    },

    tenantsOf: (scope: string, person: string): Promise<string[]> => tenantsOf(db, scope, person),

    /**
     * A person's best result of each day, by date, also one of a board that was replaced. One solved on its day is better
     * than any solved after it.
     */
    async scoresOf(scope: string, person: string): Promise<ComparedScore[]> {
      const { rows } = await sql<Pick<Database['result'], keyof ComparedScore>>`
        select date, board, words, letters, hints, solved_at, since_opening, reported, after_solution from (
          select date, board, words, letters, hints, solved_at, since_opening, reported, after_solution, row_number() over (
            partition by date order by ${rankOf('result')}
          ) as place
          from result where person = ${person} and ${inScope(scope)}
        ) as placed
        where place = 1 order by date`.execute(db);
      return rows.map((score) => ({ ...score, ...scoreFlags(score) }));
    },

    /** The dates of boards that were typed in the channels in which a person has results, each with the moment of typing. */
    async typedDays(
      scope: string,
      person: string,
    ): Promise<{ readonly date: PuzzleDate; readonly at: number }[]> {
      const { rows } = await sql<{ date: PuzzleDate; at: number }>`
        select date, typed_at as at from hand_board where (tenant, channel) in (
          select tenant, channel from result where person = ${person} and ${inScope(scope)}
        )`.execute(db);
      return rows;
    },

    /** A person's results of a date, by tenant and channel. */
    async resultsOf(scope: string, person: string, date: PuzzleDate): Promise<PlacedResult[]> {
      const rows = await about('result', scope, person)
        .selectAll()
        .where('date', '=', date)
        .orderBy('tenant')
        .orderBy('channel')
        .orderBy('board')
        .execute();
      return rows.map((row) => ({ ...resultOf(row), tenant: row.tenant }));
    },

    /** Whether a person agreed to be compared with somebody, and in which tenant that is stored; undefined if they said nothing. */
    async comparison(
      scope: string,
      person: string,
      other: string,
    ): Promise<{ readonly tenant: string; readonly isAgreed: boolean } | undefined> {
      const said = about('comparison', scope, person).select(['tenant', 'agreed']).where('other', '=', other);
      // A refusal in any tenant counts for all: its `agreed` is 0.
      const row = await said.orderBy('agreed').limit(1).executeTakeFirst();
      return row && { tenant: row.tenant, isAgreed: row.agreed === 1 };
    },

    /** A person's solutions of the boards of days before one, whose keys begin with the date. */
    findsBefore: (scope: string, person: string, date: PuzzleDate) =>
      about('find', scope, person).select(['board', 'solution']).where('board', '<', date).execute(),

    /** The solutions of a board that a person found, the earliest first. */
    async findsOf(scope: string, person: string, board: string): Promise<string[]> {
      const found = await about('find', scope, person)
        .select('solution')
        .where('board', '=', board)
        .groupBy('solution')
        .orderBy(({ fn }) => fn.min('foundAt'))
        .orderBy('solution')
        .execute();
      return found.map(({ solution }) => solution);
    },

    /**
     * The hints and solutions of a board that a person was shown, each with its card. They were shown for the board as typed,
     * or as that of a day: of `date`, if given. The keys are those of `hintsTable`, `BOARD` and `DATE BOARD`; dates sort first.
     */
    async factsSeen(
      scope: string,
      person: string,
      board: string,
      { date, before = Number.MAX_SAFE_INTEGER }: SeenWhen = {},
    ): Promise<ReadonlyMap<string, HintCard>> {
      const shown = await about('hint', scope, person)
        .select(({ fn }) => ['step', fn.max('card').as('card')])
        .where('at', '<', before)
        .where((where) =>
          where.or([
            where('puzzle', '=', board),
            date === undefined
              ? where.and([
                  where('puzzle', '<', FIRST_BOARD_KEY),
                  where(sql<string>`substr(puzzle, ${sql.lit(DATED_KEY_OFFSET)})`, '=', board),
                ])
              : where('puzzle', '=', `${date} ${board}`),
          ]),
        )
        .groupBy('step')
        .execute();
      return new Map(shown.map(({ step, card }) => [step, CARDS[card] ?? 'none']));
    },

    /** The steps of all boards of a day that a person was shown, in the order in which they saw them. */
    async seenOn(scope: string, person: string, date: PuzzleDate): Promise<string[]> {
      const seen = await about('hint', scope, person)
        .select(({ fn }) => ['step', fn.min('at').as('first')])
        // `!` is the next character after a space.
        .where('puzzle', '>=', `${date} `)
        .where('puzzle', '<', `${date}!`)
        .groupBy('step')
        .orderBy('first')
        .orderBy('step')
        .execute();
      return seen.map(({ step }) => step);
    },

    /** The days, from a date on, of whose boards a person was shown something. */
    async datesOfHints(scope: string, person: string, since: PuzzleDate): Promise<PuzzleDate[]> {
      const dates = await about('hint', scope, person)
        .select(sql<PuzzleDate>`substr(puzzle, 1, ${sql.lit(since.length)})`.as('date'))
        .where('puzzle', '>=', since)
        .where('puzzle', '<', FIRST_BOARD_KEY)
        .distinct()
        .execute();
      return dates.map(({ date }) => date).sort();
    },

    /** A person's game of a board, in whichever tenant they made its last move. */
    async soloGame(
      scope: string,
      person: string,
      board: string,
      now: number,
    ): Promise<(Pick<Database['soloGame'], 'tenant' | 'version'> & { state: unknown }) | undefined> {
      const row = await about('soloGame', scope, person)
        .select(['tenant', 'state', 'version'])
        .where('board', '=', board)
        .where('expiresAt', '>', now)
        .orderBy('playedAt', 'desc')
        .orderBy('tenant')
        .limit(1)
        .executeTakeFirst();
      return row && { ...row, state: parseJson(row.state) };
    },

    /** Moves a person's game to another tenant, in which it goes on. An older game on the board there is deleted. */
    async moveSoloGame(
      { tenant, to }: { readonly tenant: string; readonly to: string },
      person: string,
      board: string,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const [from, there] = [new TenantRows(transaction, tenant), new TenantRows(transaction, to)];
        const game = from.select('soloGame', { person, board }).select('board');
        // Nothing is deleted for a game that another process has moved.
        await there
          .delete('soloGame', { person, board })
          .where(({ exists }) => exists(game))
          .execute();
        await from.update('soloGame', { person, board }).set({ tenant: to }).execute();
      });
    },

    async soloGameBoards(scope: string, person: string, now: number): Promise<string[]> {
      const games = about('soloGame', scope, person)
        .select('board')
        .where('expiresAt', '>', now)
        .distinct()
        .orderBy('board');
      return (await games.execute()).map(({ board }) => board);
    },

    /** When a person last made a move or solved a board in the scope; undefined if neither is stored. */
    async lastPlayed(scope: string, person: string): Promise<number | undefined> {
      const [result] = await about('result', scope, person)
        .select(({ fn }) => fn.max('solvedAt').as('at'))
        .execute();
      const [game] = await about('soloGame', scope, person)
        .select(({ fn }) => fn.max('playedAt').as('at'))
        .execute();
      const moments = [result?.at, game?.at].filter((at) => at != null);
      return moments.length === 0 ? undefined : Math.max(...moments);
    },

    /** Whether a person is hidden, or calm, in any tenant of the scope. */
    isHidden: (scope: string, person: string): Promise<boolean> => hasFlag(scope, person, 'hidden'),
    isCalm: (scope: string, person: string): Promise<boolean> => hasFlag(scope, person, 'calm'),
  };
}
