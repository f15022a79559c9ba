import { sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import type { ChallengeResult } from './challenges.ts';
import type { HandBoard } from './hand-boards.ts';
import { deleteReminded, personChannel, type Reminder } from './reminders.ts';
import { type Result, SqlResults } from './results.ts';
import { type Page, parseJson, WHOLE } from './rows.ts';

export interface People {
  isHidden(person: string): Promise<boolean>;
  setHidden(person: string, hidden: boolean): Promise<void>;
  isListed(person: string): Promise<boolean>;
  /** Agrees to be named by `missing`, or takes that back. */
  setListed(person: string, listed: boolean): Promise<void>;
  /** How much is stored about them here; undefined if there is nothing. */
  counts(person: string): Promise<PersonCounts | undefined>;
  /** A page of what is stored about them here, the rows of all kinds counted together; undefined if there is nothing. */
  export(person: string, page?: Page): Promise<PersonExport | undefined>;
  erase(person: string): Promise<void>;
}

export interface PersonExport {
  readonly tenant: string;
  readonly hidden: boolean;
  readonly listed: boolean;
  readonly hints: readonly { readonly puzzle: string; readonly step: string; readonly at: number }[];
  readonly results: readonly Result[];
  readonly boards: readonly Omit<HandBoard, 'typedBy'>[];
  readonly settings: readonly { readonly channel: string; readonly at: number }[];
  readonly games: readonly { readonly thread: string; readonly state: unknown }[];
  readonly soloGames: readonly { readonly board: string; readonly state: unknown; readonly at: number }[];
  /** Boards they made for a channel. */
  readonly challenges: readonly {
    readonly channel: string;
    readonly sides: string;
    readonly name: string;
    readonly at: number;
  }[];
  readonly challengeResults: readonly ChallengeResult[];
  readonly reminders: readonly Omit<Reminder, 'tenant' | 'person'>[];
  /** Reminders that were sent, by the date of their puzzle. */
  readonly reminded: readonly { readonly date: string; readonly state: string; readonly at: number | null }[];
  readonly holidays: readonly { readonly date: string }[];
}

/** In the order of an export. */
const PERSON_KINDS = [
  'hints',
  'results',
  'boards',
  'settings',
  'games',
  'soloGames',
  'challenges',
  'challengeResults',
  'reminders',
  'reminded',
  'holidays',
] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];
/** The column of each table that names the person. */
const COLUMNS = {
  hints: ['hint', 'person'],
  results: ['result', 'person'],
  boards: ['handBoard', 'typedBy'],
  settings: ['subscription', 'setBy'],
  games: ['gamePerson', 'person'],
  soloGames: ['soloGame', 'person'],
  challenges: ['challenge', 'madeBy'],
  challengeResults: ['challengeResult', 'person'],
  reminders: ['reminder', 'person'],
  reminded: ['delivery', 'channel'],
  holidays: ['holiday', 'person'],
} as const satisfies Record<PersonKind, readonly [keyof Database, string]>;

/** How many rows of each kind are stored about somebody. */
export type PersonCounts = Readonly<Record<PersonKind, number>> & {
  readonly hidden: boolean;
  readonly listed: boolean;
};

export function rowsIn(counts: PersonCounts): number {
  return PERSON_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

export class SqlPeople implements People {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async isHidden(person: string): Promise<boolean> {
    return (await flagsOf(this.#db, this.#tenant, person)).hidden;
  }

  setHidden(person: string, hidden: boolean): Promise<void> {
    return this.#setFlag(person, { hidden: hidden ? 1 : 0 });
  }

  async isListed(person: string): Promise<boolean> {
    return (await flagsOf(this.#db, this.#tenant, person)).listed;
  }

  setListed(person: string, listed: boolean): Promise<void> {
    return this.#setFlag(person, { listed: listed ? 1 : 0 });
  }

  async #setFlag(
    person: string,
    flag: Partial<Pick<Database['person'], 'hidden' | 'listed'>>,
  ): Promise<void> {
    await this.#db
      .insertInto('person')
      .values({ tenant: this.#tenant, person, hidden: 0, listed: 0, ...flag })
      .onConflict((conflict) => conflict.columns(['tenant', 'person']).doUpdateSet(flag))
      .execute();
  }

  async counts(person: string): Promise<PersonCounts | undefined> {
    const flags = await flagsOf(this.#db, this.#tenant, person);
    const counts = { ...flags } as { -readonly [Key in keyof PersonCounts]: PersonCounts[Key] };
    let isAny = flags.hidden || flags.listed;
    for (const kind of PERSON_KINDS) {
      counts[kind] = await countOf(this.#db, this.#tenant, person, kind);
      isAny ||= counts[kind] > 0;
    }
    return isAny ? counts : undefined;
  }

  async export(person: string, { offset, limit }: Page = WHOLE): Promise<PersonExport | undefined> {
    const counts = await this.counts(person);
    if (counts === undefined) return undefined;
    let skip = offset;
    let room = limit;
    const kinds = await exportPerson(this.#db, this.#tenant, person, (kind) => {
      const page = { offset: skip, limit: Math.max(0, Math.min(room, counts[kind] - skip)) };
      skip = Math.max(0, skip - counts[kind]);
      room -= page.limit;
      return page;
    });
    return { tenant: this.#tenant, hidden: counts.hidden, listed: counts.listed, ...kinds };
  }

  erase(person: string): Promise<void> {
    return this.#db.transaction().execute((transaction) => erasePerson(transaction, this.#tenant, person));
  }
}

async function countOf(db: Db, tenant: string, person: string, kind: PersonKind): Promise<number> {
  const [table, column] = COLUMNS[kind];
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}
    where tenant = ${tenant} and ${sql.ref(column)} = ${keyOf(kind, person)}`.execute(db);
  return Number(rows[0]?.rows ?? 0);
}

/** What the column of a kind holds of somebody. */
function keyOf(kind: PersonKind, person: string): string {
  return kind === 'reminded' ? personChannel(person) : person;
}

async function flagsOf(
  db: Db,
  tenant: string,
  person: string,
): Promise<{ readonly hidden: boolean; readonly listed: boolean }> {
  const row = await db
    .selectFrom('person')
    .select(['hidden', 'listed'])
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .executeTakeFirst();
  return { hidden: row?.hidden === 1, listed: row?.listed === 1 };
}

async function exportPerson(
  db: Db,
  tenant: string,
  person: string,
  pageOf: (kind: PersonKind) => Page,
): Promise<Omit<PersonExport, 'tenant' | 'hidden' | 'listed'>> {
  const hints = pageOf('hints');
  const results = pageOf('results');
  const boards = pageOf('boards');
  const settings = pageOf('settings');
  const games = pageOf('games');
  const soloGames = pageOf('soloGames');
  const challenges = pageOf('challenges');
  const challengeResults = pageOf('challengeResults');
  const others = await remindersOf(db, tenant, person, pageOf);
  return {
    hints: await db
      .selectFrom('hint')
      .select(['puzzle', 'step', 'at'])
      .where('tenant', '=', tenant)
      .where('person', '=', person)
      .orderBy('at')
      .orderBy('puzzle')
      .orderBy('step')
      .limit(hints.limit)
      .offset(hints.offset)
      .execute(),
    results: await new SqlResults(db, tenant).ofPerson(person, results),
    boards: await boardsOf(db, tenant, person, boards),
    settings: await db
      .selectFrom('subscription')
      .select(['channel', 'setAt as at'])
      .where('tenant', '=', tenant)
      .where('setBy', '=', person)
      .orderBy('channel')
      .limit(settings.limit)
      .offset(settings.offset)
      .execute(),
    games: parsed(
      await gamesOf(db, tenant, person)
        .select(['game.thread', 'game.state'])
        .limit(games.limit)
        .offset(games.offset)
        .execute(),
    ),
    soloGames: parsed(
      await db
        .selectFrom('soloGame')
        .select(['board', 'state', 'playedAt as at'])
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .orderBy('playedAt')
        .orderBy('board')
        .limit(soloGames.limit)
        .offset(soloGames.offset)
        .execute(),
    ),
    challenges: await db
      .selectFrom('challenge')
      .select(['channel', 'sides', 'name', 'madeAt as at'])
      .where('tenant', '=', tenant)
      .where('madeBy', '=', person)
      .orderBy('madeAt')
      .orderBy('channel')
      .orderBy('board')
      .limit(challenges.limit)
      .offset(challenges.offset)
      .execute(),
    challengeResults: await db
      .selectFrom('challengeResult')
      .select(['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt'])
      .where('tenant', '=', tenant)
      .where('person', '=', person)
      .orderBy('solvedAt')
      .orderBy('channel')
      .orderBy('board')
      .limit(challengeResults.limit)
      .offset(challengeResults.offset)
      .execute(),
    ...others,
  };
}

async function remindersOf(
  db: Db,
  tenant: string,
  person: string,
  pageOf: (kind: PersonKind) => Page,
): Promise<Pick<PersonExport, 'reminders' | 'reminded' | 'holidays'>> {
  const reminders = pageOf('reminders');
  const reminded = pageOf('reminded');
  const holidays = pageOf('holidays');
  return {
    reminders: await db
      .selectFrom('reminder')
      .select(['channel', 'at', 'zone', 'setAt', 'nextAt', 'state'])
      .where('tenant', '=', tenant)
      .where('person', '=', person)
      .limit(reminders.limit)
      .offset(reminders.offset)
      .execute(),
    reminded: await db
      .selectFrom('delivery')
      .select(['date', 'state', 'doneAt as at'])
      .where('tenant', '=', tenant)
      .where('channel', '=', personChannel(person))
      .orderBy('date')
      .limit(reminded.limit)
      .offset(reminded.offset)
      .execute(),
    holidays: await db
      .selectFrom('holiday')
      .select('date')
      .where('tenant', '=', tenant)
      .where('person', '=', person)
      .orderBy('date')
      .limit(holidays.limit)
      .offset(holidays.offset)
      .execute(),
  };
}

async function boardsOf(db: Db, tenant: string, person: string, { limit, offset }: Page) {
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
}

function parsed<Row extends { readonly state: string }>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, state: parseJson(row.state) }));
}

/** Tables whose rows belong to one person. */
export const PERSON_TABLES = [
  'hint',
  'result',
  'person',
  'gamePerson',
  'soloGame',
  'challengeResult',
  'reminder',
  'holiday',
] as const satisfies readonly (keyof Database)[];

/**
 * What others rely on stays without the name: a board they typed or made, settings they made. A game under way
 * ends, since its state tells who played what.
 */
export async function erasePerson(db: Db, tenant: string, person: string): Promise<void> {
  const games = await gamesOf(db, tenant, person).select('game.thread').execute();
  for (const { thread } of games) {
    for (const table of ['game', 'gamePerson'] as const) {
      await db.deleteFrom(table).where('tenant', '=', tenant).where('thread', '=', thread).execute();
    }
  }
  for (const table of PERSON_TABLES) {
    await db.deleteFrom(table).where('tenant', '=', tenant).where('person', '=', person).execute();
  }
  await deleteReminded(db, tenant, person);
  await db
    .updateTable('handBoard')
    .set({ typedBy: null })
    .where('tenant', '=', tenant)
    .where('typedBy', '=', person)
    .execute();
  await db
    .updateTable('challenge')
    .set({ madeBy: null })
    .where('tenant', '=', tenant)
    .where('madeBy', '=', person)
    .execute();
  await db
    .updateTable('subscription')
    .set({ setBy: null })
    .where('tenant', '=', tenant)
    .where('setBy', '=', person)
    .execute();
}

function gamesOf(db: Db, tenant: string, person: string) {
  return db
    .selectFrom('game')
    .innerJoin('gamePerson', (join) =>
      join.onRef('gamePerson.tenant', '=', 'game.tenant').onRef('gamePerson.thread', '=', 'game.thread'),
    )
    .where('game.tenant', '=', tenant)
    .where('gamePerson.person', '=', person)
    .orderBy('game.thread');
}
