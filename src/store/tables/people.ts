import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { personChannel } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database, Db } from '../schema.ts';
import { CARDS, type HintCard, leaveGame, type WithoutPerson } from './games.ts';
import { type DayScore, type PlacedResult, rankOf, flagsOf as resultFlagsOf, resultOf } from './results.ts';
import { ALL_ROWS, inScope, type Page, parseJson, TenantRows } from './rows.ts';

type PersonTable = Parameters<TenantRows['select']>[0];
type NameOf<Table extends keyof Database> = keyof Database[Table] & string;

/** A column that identifies people, and how its rows are exported, and treated when somebody is forgotten. */
interface PersonColumn {
  readonly table: PersonTable;
  readonly column: string;
  /** How the column's value is made from a person's id, unless it is the id itself. */
  readonly key?: (person: string) => string;
  /** The columns that an export contains. */
  readonly shows: readonly string[];
  /** The order of the rows in an export, which stays the same. */
  readonly order: readonly string[];
  readonly read?: (row: never) => object;
  /** Set if others rely on the rows: when somebody is forgotten, the rows stay without the name. */
  readonly staysWithoutName?: true;
  /** The column with the person's own words, which are removed with the name. */
  readonly words?: string;
}

/** Lets the compiler check the names of columns. */
function personColumn<Table extends PersonTable>(
  column: PersonColumn & {
    readonly table: Table;
    readonly column: NameOf<Table>;
    readonly shows: readonly (NameOf<Table> | `${NameOf<Table>} as at`)[];
    readonly order: readonly NameOf<Table>[];
  },
): PersonColumn {
  return column;
}

const withState = (row: { readonly state: string }) => ({ ...row, state: parseJson(row.state) });

/**
 * Every column that identifies people, in the order of an export. Exporting, counting and erasing follow from it. Three
 * tables have rules of their own: `person`, whose row is shown as two flags, and `game` with `gamePerson`, since the state
 * of a game says who played what.
 */
const PERSON_COLUMNS = {
  hints: personColumn({
    table: 'hint',
    column: 'person',
    shows: ['puzzle', 'step', 'at', 'card'],
    order: ['at', 'puzzle', 'step'],
  }),
  results: personColumn({
    table: 'result',
    column: 'person',
    shows: [
      ...(['tenant', 'person', 'channel', 'date', 'board', 'words', 'letters', 'hints'] as const),
      ...([
        'solvedAt',
        'replaced',
        'sinceOpening',
        'path',
        'reported',
        'afterSolution',
        'message',
        'solution',
      ] as const),
    ],
    order: ['date', 'channel', 'board'],
    read: resultOf,
  }),
  /** Boards they typed for a channel. */
  boards: personColumn({
    table: 'handBoard',
    column: 'typedBy',
    shows: ['channel', 'date', 'puzzle', 'typedAt'],
    order: ['typedAt', 'channel', 'date'],
    read: (row: { readonly puzzle: string }) => ({ ...row, puzzle: parseJson(row.puzzle) }),
    staysWithoutName: true,
  }),
  settings: personColumn({
    table: 'subscription',
    column: 'setBy',
    shows: ['channel', 'setAt as at'],
    order: ['channel'],
    staysWithoutName: true,
  }),
  games: personColumn({ table: 'gamePerson', column: 'person', shows: ['thread'], order: ['thread'] }),
  soloGames: personColumn({
    table: 'soloGame',
    column: 'person',
    shows: ['board', 'state', 'playedAt as at'],
    order: ['playedAt', 'board'],
    read: withState,
  }),
  /** Boards they made for a channel. */
  madeBoards: personColumn({
    table: 'madeBoard',
    column: 'madeBy',
    shows: ['channel', 'sides', 'name', 'note', 'madeAt as at'],
    order: ['madeAt', 'channel', 'board'],
    staysWithoutName: true,
    words: 'note',
  }),
  madeBoardResults: personColumn({
    table: 'madeBoardResult',
    column: 'person',
    shows: ['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt'],
    order: ['solvedAt', 'channel', 'board'],
  }),
  reminders: personColumn({
    table: 'reminder',
    column: 'person',
    shows: ['channel', 'at', 'zone', 'setAt', 'nextAt', 'state'],
    order: ['channel'],
  }),
  /** Reminders that were sent, by the date of their puzzle. */
  reminded: personColumn({
    table: 'delivery',
    column: 'channel',
    key: personChannel,
    shows: ['date', 'state', 'doneAt as at'],
    order: ['date'],
  }),
  finds: personColumn({
    table: 'find',
    column: 'person',
    shows: ['channel', 'board', 'solution', 'foundAt as at'],
    order: ['foundAt', 'channel', 'board', 'solution'],
  }),
} as const satisfies Record<string, PersonColumn>;

/** The length of a date and a space, after which the key of a board begins. */
const DATED_KEY_OFFSET = '2026-11-20 '.length + 1;

export type PersonKind = keyof typeof PERSON_COLUMNS;
const PERSON_KINDS = Object.keys(PERSON_COLUMNS) as PersonKind[];

interface Flags {
  readonly hidden: boolean;
  readonly listed: boolean;
}

/** One page of a person's stored data, grouped by kind. */
export type PersonExport = Readonly<Record<Exclude<PersonKind, 'games' | 'soloGames'>, readonly object[]>> &
  Flags & {
    readonly tenant: string;
    readonly games: readonly { readonly thread: string; readonly state: unknown }[];
    readonly soloGames: readonly { readonly board: string; readonly state: unknown; readonly at: number }[];
  };

/** How many rows of each kind are stored about somebody. */
export type PersonCounts = Readonly<Record<PersonKind, number>> & Flags;

export function peopleTable(rows: TenantRows) {
  async function setFlag(
    person: string,
    flag: Partial<Pick<Database['person'], 'hidden' | 'listed'>>,
  ): Promise<void> {
    await rows
      .insert('person', { person, hidden: 0, listed: 0, ...flag })
      .onConflict((conflict) => conflict.columns(['tenant', 'person']).doUpdateSet(flag))
      .execute();
  }

  return {
    isHidden: async (person: string): Promise<boolean> => (await flagsOf(rows, person)).hidden,
    setHidden: (person: string, hidden: boolean): Promise<void> =>
      setFlag(person, { hidden: hidden ? 1 : 0 }),

    /** The hidden people among these. */
    async hiddenAmong(people: readonly string[]): Promise<Set<string>> {
      if (people.length === 0) return new Set();
      const hidden = await rows
        .select('person', { hidden: 1 })
        .select('person')
        .where('person', 'in', people)
        .execute();
      return new Set(hidden.map(({ person }) => person));
    },

    isListed: async (person: string): Promise<boolean> => (await flagsOf(rows, person)).listed,
    /** Agrees to be named by `missing`, or withdraws that. */
    setListed: (person: string, listed: boolean): Promise<void> =>
      setFlag(person, { listed: listed ? 1 : 0 }),

    /** A page of a person's data in this tenant, counting the rows of all kinds together; undefined if there is none. */
    export: (person: string, page: Page = ALL_ROWS): Promise<PersonExport | undefined> =>
      exportOf(rows, person, page),

    async erase(person: string): Promise<void> {
      await rows.transaction((within) => erasePerson(within, person));
    },
  };
}

async function flagsOf(rows: TenantRows, person: string): Promise<Flags> {
  const row = await rows.select('person', { person }).select(['hidden', 'listed']).executeTakeFirst();
  return { hidden: row?.hidden === 1, listed: row?.listed === 1 };
}

/** The condition for the rows of a kind that are about a person. */
function aboutPerson(person: string, { table, column, key }: PersonColumn) {
  return sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${key?.(person) ?? person}`;
}

async function countsOf(rows: TenantRows, person: string): Promise<PersonCounts | undefined> {
  const flags = await flagsOf(rows, person);
  const counts: Partial<Record<PersonKind, number>> = {};
  let isAny = flags.hidden || flags.listed;
  for (const kind of PERSON_KINDS) {
    const found = await rows
      .select(PERSON_COLUMNS[kind].table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where(aboutPerson(person, PERSON_COLUMNS[kind]))
      .executeTakeFirstOrThrow();
    counts[kind] = Number(found.rows);
    isAny ||= counts[kind] > 0;
  }
  return isAny ? { ...(counts as Record<PersonKind, number>), ...flags } : undefined;
}

async function exportOf(
  rows: TenantRows,
  person: string,
  { offset, limit }: Page,
): Promise<PersonExport | undefined> {
  const counts = await countsOf(rows, person);
  if (counts === undefined) return undefined;
  let skip = offset;
  let room = limit;
  const kinds: Partial<Record<PersonKind, readonly object[]>> = {};
  for (const kind of PERSON_KINDS) {
    const page = { offset: skip, limit: Math.max(0, Math.min(room, counts[kind] - skip)) };
    skip = Math.max(0, skip - counts[kind]);
    room -= page.limit;
    kinds[kind] = await pageOf(rows, person, PERSON_COLUMNS[kind], page);
  }
  kinds.games = await withStates(rows, kinds.games as readonly { readonly thread: string }[]);
  const { hidden, listed } = counts;
  return { tenant: rows.tenant, hidden, listed, ...(kinds as Omit<PersonExport, 'tenant' | keyof Flags>) };
}

async function pageOf(
  rows: TenantRows,
  person: string,
  column: PersonColumn,
  { offset, limit }: Page,
): Promise<object[]> {
  let query = rows
    .select(column.table)
    .select(column.shows as never)
    .where(aboutPerson(person, column));
  for (const name of column.order) query = query.orderBy(name as never);
  const found = await query.limit(limit).offset(offset).execute();
  return column.read === undefined ? found : (found as never[]).map(column.read);
}

async function withStates(
  rows: TenantRows,
  games: readonly { readonly thread: string }[],
): Promise<object[]> {
  const states = [];
  for (const { thread } of games) {
    const row = await rows.select('game', { thread }).select('state').executeTakeFirst();
    if (row !== undefined) states.push({ thread, state: parseJson(row.state) });
  }
  return states;
}

/** Returns the games that continue without the person. */
async function erasePerson(
  rows: TenantRows,
  person: string,
  withoutPerson: WithoutPerson = () => undefined,
): Promise<string[]> {
  const games = await rows.select('gamePerson', { person }).select('thread').execute();
  const left: string[] = [];
  for (const { thread } of games)
    if (await leaveGame(rows, { thread, person }, withoutPerson)) left.push(thread);
  await rows.delete('person', { person }).execute();
  for (const kind of PERSON_KINDS) {
    const column: PersonColumn = PERSON_COLUMNS[kind];
    const { table, column: name, staysWithoutName, words } = column;
    await (staysWithoutName
      ? rows
          .update(table, {})
          .set({ [name]: null, ...(words !== undefined && { [words]: null }) })
          .where(aboutPerson(person, column))
          .execute()
      : rows.delete(table, {}).where(aboutPerson(person, column)).execute());
  }
  return left;
}

/**
 * A person's data in all tenants where the id is theirs, see `identityScope`.
 *
 * @param forget removes what was deleted from the engine's own logs, too
 */
export function allPeopleTable(db: Db, forget: () => void = () => {}) {
  const rowsOf = (tenant: string) => new TenantRows(db, tenant);

  function about<Table extends 'find' | 'hint' | 'person' | 'result' | 'soloGame'>(
    table: Table,
    scope: string,
    person: string,
  ) {
    const rows = db.selectFrom(table as 'result').where('person', '=', person);
    return rows.where(inScope(scope)) as unknown as SelectQueryBuilder<Database, Table, unknown>;
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
    async export(scope: string, person: string, { offset, limit }: Page = ALL_ROWS): Promise<PersonExport[]> {
      const exports: PersonExport[] = [];
      let skip = offset;
      let room = limit;
      for (const tenant of await tenantsOf(db, scope, person)) {
        if (room <= 0) break;
        const counts = await countsOf(rowsOf(tenant), person);
        // A tenant counts as one row itself: somebody who is only hidden there has no other.
        const rows = counts === undefined ? 0 : 1 + rowsIn(counts);
        const taken = Math.max(0, Math.min(room, rows - skip));
        if (taken > 0) {
          const limit = skip === 0 ? taken - 1 : taken;
          const part = await exportOf(rowsOf(tenant), person, { offset: Math.max(0, skip - 1), limit });
          if (part !== undefined) exports.push(part);
        }
        room -= taken;
        skip = Math.max(0, skip - rows);
      }
      return exports;
    },

    /**
     * Erases the data, including the database's own log, unless another process is reading it. Returns the games that
     * continue without the person.
     */
    async erase(
      scope: string,
      person: string,
      withoutPerson?: WithoutPerson,
    ): Promise<{ readonly tenant: string; readonly thread: string }[]> {
      const left = await db.transaction().execute(async (transaction) => {
        const games = [];
        for (const tenant of await tenantsOf(transaction, scope, person)) {
          const threads = await erasePerson(new TenantRows(transaction, tenant), person, withoutPerson);
          games.push(...threads.map((thread) => ({ tenant, thread })));
        }
        return games;
      });
      forget();
      return left;
    },

    /** The tenants that store something about a person. */
    tenantsOf: (scope: string, person: string): Promise<string[]> => tenantsOf(db, scope, person),

    /** A person's best result of each day, by date. A result on time is better than any late one. */
    async scoresOf(scope: string, person: string): Promise<DayScore[]> {
      type Row = Omit<DayScore, 'reported' | 'afterSolution'> & Parameters<typeof resultFlagsOf>[0];
      const { rows } = await sql<Row>`
        select date, words, letters, hints, solved_at, since_opening, reported, after_solution from (
          select date, words, letters, hints, solved_at, since_opening, reported, after_solution, row_number() over (
            partition by date order by ${rankOf('result')}
          ) as place
          from result where person = ${person} and ${inScope(scope)}
        ) as placed
        where place = 1 order by date`.execute(db);
      return rows.map((score) => ({ ...score, ...resultFlagsOf(score) }));
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
     * The hints and solutions of a board that a person was shown, each once: of the board as typed, and as a day's board, of
     * the given day or of any.
     */
    async factsSeen(
      scope: string,
      person: string,
      board: string,
      date?: PuzzleDate,
    ): Promise<{ step: string; card: HintCard }[]> {
      const shown = await about('hint', scope, person)
        .select(({ fn }) => ['step', fn.max('card').as('card')])
        .where((where) =>
          where.or([
            where('puzzle', '=', board),
            date === undefined
              ? where(sql<string>`substr(puzzle, ${sql.lit(DATED_KEY_OFFSET)})`, '=', board)
              : where('puzzle', '=', `${date} ${board}`),
          ]),
        )
        .groupBy('step')
        .orderBy('step')
        .execute();
      return shown.map(({ step, card }) => ({ step, card: CARDS[Number(card)] ?? 'none' }));
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

    /** Brings a person's game to the tenant in which it goes on. An older one that is there ends. */
    async moveSoloGame(
      { tenant, to }: { readonly tenant: string; readonly to: string },
      person: string,
      board: string,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const [from, there] = [new TenantRows(transaction, tenant), new TenantRows(transaction, to)];
        const game = from.select('soloGame', { person, board }).select('board');
        // Another process may have moved it.
        await there
          .delete('soloGame', { person, board })
          .where(({ exists }) => exists(game))
          .execute();
        await from
          .update('soloGame', { person, board })
          .set({ tenant: to } as never)
          .execute();
      });
    },

    /** The boards of a person's games. */
    async soloGameBoards(scope: string, person: string, now: number): Promise<string[]> {
      const games = about('soloGame', scope, person)
        .select('board')
        .where('expiresAt', '>', now)
        .distinct()
        .orderBy('board');
      return (await games.execute()).map(({ board }) => board);
    },

    /** When a person last made a move or solved a board at the door; undefined if neither is stored. */
    async lastPlayed(scope: string, person: string): Promise<number | undefined> {
      const [result] = await about('result', scope, person)
        .select(({ fn }) => fn.max('solvedAt').as('at'))
        .execute();
      const [game] = await about('soloGame', scope, person)
        .select(({ fn }) => fn.max('playedAt').as('at'))
        .execute();
      const moments = [result?.at, game?.at].filter((at) => at != null).map(Number);
      return moments.length === 0 ? undefined : Math.max(...moments);
    },

    /** Whether a person stays off the leaderboards of any tenant of the door. */
    async isHidden(scope: string, person: string): Promise<boolean> {
      const hidden = about('person', scope, person).select('hidden').where('hidden', '=', 1);
      return (await hidden.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

function rowsIn(counts: PersonCounts): number {
  return PERSON_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** The tenants of a door that store anything about a person. */
async function tenantsOf(db: Db, scope: string, person: string): Promise<string[]> {
  const tenants = new Set<string>();
  const columns: PersonColumn[] = Object.values(PERSON_COLUMNS);
  // Deliveries have no index by person and need none: everybody who was reminded has a reminder.
  const ids = columns
    .filter(({ key }) => key === undefined)
    .map(({ table, column }) => [table, column] as const);
  for (const [table, column] of [...ids, ['person', 'person'] as const]) {
    const { rows } = await sql<{ tenant: string }>`
      select distinct tenant from ${sql.table(table)}
      where ${sql.ref(column)} = ${person} and ${inScope(scope)}`.execute(db);
    for (const { tenant } of rows) tenants.add(tenant);
  }
  return [...tenants].sort();
}
