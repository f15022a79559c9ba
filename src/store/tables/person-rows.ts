import { sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import { personChannel } from './reminders.ts';
import { SqlResults } from './results.ts';
import { type Page, parseJson } from './rows.ts';

/** A person of a tenant. */
export interface Whose {
  readonly db: Db;
  readonly tenant: string;
  readonly person: string;
}

/** One kind of what is stored about a person. */
interface Kind {
  /** The table whose rows are counted, and its column that names the person. */
  readonly counted: readonly [keyof Database, string];
  /** What that column holds, if not the person's id. */
  key?(person: string): string;
  /** A page of them, in an order that stays. */
  rows(whose: Whose, page: Page): Promise<readonly object[]>;
}

/** In the order of an export. */
const PERSON_ROWS = {
  hints: {
    counted: ['hint', 'person'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('hint')
        .select(['puzzle', 'step', 'at'])
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('at')
        .orderBy('puzzle')
        .orderBy('step')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  results: {
    counted: ['result', 'person'],
    rows: ({ db, tenant, person }, page) => new SqlResults(db, tenant).ofPerson(person, page),
  },
  /** Boards they typed for a channel. */
  boards: {
    counted: ['handBoard', 'typedBy'],
    async rows({ db, tenant, person }, { limit, offset }) {
      const boards = await db
        .selectFrom('handBoard')
        .select(['channel', 'date', 'puzzle', 'typedAt'])
        .where('tenant', '=', tenant)
        .where('typedBy', '=', person)
        .orderBy('typedAt')
        .orderBy('channel')
        .orderBy('date')
        .limit(limit)
        .offset(offset)
        .execute();
      return boards.map((board) => ({ ...board, puzzle: parseJson(board.puzzle) }));
    },
  },
  settings: {
    counted: ['subscription', 'setBy'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('subscription')
        .select(['channel', 'setAt as at'])
        .where('tenant', '=', tenant)
        .where('setBy', '=', person)
        .orderBy('channel')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  games: {
    counted: ['gamePerson', 'person'],
    rows: async (whose, { limit, offset }) =>
      parsed(
        await gamesOf(whose).select(['game.thread', 'game.state']).limit(limit).offset(offset).execute(),
      ),
  },
  soloGames: {
    counted: ['soloGame', 'person'],
    rows: async ({ db, tenant, person }, { limit, offset }) =>
      parsed(
        await db
          .selectFrom('soloGame')
          .select(['board', 'state', 'playedAt as at'])
          .where('tenant', '=', tenant)
          .where('person', '=', person)
          .orderBy('playedAt')
          .orderBy('board')
          .limit(limit)
          .offset(offset)
          .execute(),
      ),
  },
  /** Boards they made for a channel. */
  madeBoards: {
    counted: ['challenge', 'madeBy'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('challenge')
        .select(['channel', 'sides', 'name', 'madeAt as at'])
        .where('tenant', '=', tenant)
        .where('madeBy', '=', person)
        .orderBy('madeAt')
        .orderBy('channel')
        .orderBy('board')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  madeBoardResults: {
    counted: ['challengeResult', 'person'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('challengeResult')
        .select(['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt'])
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('solvedAt')
        .orderBy('channel')
        .orderBy('board')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  reminders: {
    counted: ['reminder', 'person'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('reminder')
        .select(['channel', 'at', 'zone', 'setAt', 'nextAt', 'state'])
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('channel')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  /** Reminders that were sent, by the date of their puzzle. */
  reminded: {
    counted: ['delivery', 'channel'],
    key: personChannel,
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('delivery')
        .select(['date', 'state', 'doneAt as at'])
        .where('tenant', '=', tenant)
        .where('channel', '=', personChannel(person))
        .orderBy('date')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
  holidays: {
    counted: ['holiday', 'person'],
    rows: ({ db, tenant, person }, { limit, offset }) =>
      db
        .selectFrom('holiday')
        .select('date')
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('date')
        .limit(limit)
        .offset(offset)
        .execute(),
  },
} as const satisfies Record<string, Kind>;

export type PersonKind = keyof typeof PERSON_ROWS;
export const PERSON_KINDS = Object.keys(PERSON_ROWS) as PersonKind[];

export type PersonRows = {
  readonly [Name in PersonKind]: Awaited<ReturnType<(typeof PERSON_ROWS)[Name]['rows']>>;
};

export async function countOf({ db, tenant, person }: Whose, name: PersonKind): Promise<number> {
  const { counted, key }: Kind = PERSON_ROWS[name];
  const [table, column] = counted;
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}
    where tenant = ${tenant} and ${sql.ref(column)} = ${key?.(person) ?? person}`.execute(db);
  return Number(rows[0]?.rows ?? 0);
}

export async function rowsOf(whose: Whose, pageOf: (name: PersonKind) => Page): Promise<PersonRows> {
  const rows: Partial<Record<PersonKind, readonly object[]>> = {};
  for (const name of PERSON_KINDS) rows[name] = await PERSON_ROWS[name].rows(whose, pageOf(name));
  return rows as PersonRows;
}

/** The games in a thread in which somebody has played. */
export function gamesOf({ db, tenant, person }: Whose) {
  return db
    .selectFrom('game')
    .innerJoin('gamePerson', (join) =>
      join.onRef('gamePerson.tenant', '=', 'game.tenant').onRef('gamePerson.thread', '=', 'game.thread'),
    )
    .where('game.tenant', '=', tenant)
    .where('gamePerson.person', '=', person)
    .orderBy('game.thread');
}

function parsed<Row extends { readonly state: string }>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, state: parseJson(row.state) }));
}
