import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { doorOf, personChannel, privateTenant } from '../../core/channel-ref.ts';
import type { Database, Db } from '../schema.ts';
import { leaveGame, type WithoutPerson } from './games.ts';
import { IS_REMINDER } from './reminders.ts';
import { resultOf } from './results.ts';
import { inScope, type Page, parseJson, type TenantRows } from './rows.ts';
import { conversationKey } from './short-lived.ts';

type PersonTable = Parameters<TenantRows['select']>[0];
type NameOf<Table extends keyof Database> = keyof Database[Table] & string;

/** A column that identifies people, and how its rows are exported, and treated when somebody is forgotten. */
interface PersonColumn {
  readonly table: PersonTable;
  readonly column: string;
  /** How the column's value is made from a person's id, unless it is the id itself. */
  readonly key?: (person: string) => string;
  /** A further condition, if not every row with this value is about the person. */
  readonly only?: RawBuilder<SqlBool>;
  /** The columns that an export contains; all of them, if left out. */
  readonly shows?: readonly string[];
  /** The columns that sort the rows of an export, so that its pages do not overlap. */
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
    readonly shows?: readonly (NameOf<Table> | `${NameOf<Table>} as at`)[];
    readonly order: readonly NameOf<Table>[];
  },
): PersonColumn {
  return column;
}

const withState = (row: { readonly state: string }) => ({ ...row, state: parseJson(row.state) });

/**
 * Every column that identifies people, in the order of an export. Exporting, counting and erasing follow from it. Three
 * tables have rules of their own: `person`, whose row is shown as choices, and `game` with `gamePerson`, since the state
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
    shows: ['board', 'channel', 'state', 'playedAt as at'],
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
    shows: ['channel', 'board', 'person', 'words', 'letters', 'hints', 'solvedAt', 'afterSolution'],
    order: ['solvedAt', 'channel', 'board'],
  }),
  reminders: personColumn({
    table: 'delivery',
    column: 'channel',
    key: personChannel,
    only: IS_REMINDER,
    shows: ['detail', 'dueAt', 'state', 'record'],
    order: ['date'],
    read: ({ detail, record, ...times }: { readonly detail: string; readonly record: string | null }) => {
      const { person: _, ...setting } = parseJson(detail) as object & { readonly person: string };
      return { ...setting, ...times, ...(parseJson(record) as object | undefined) };
    },
  }),
  /** Whom they agreed to be compared with, or refused. */
  comparisons: personColumn({
    table: 'comparison',
    column: 'person',
    shows: ['other', 'agreed', 'at'],
    order: ['at', 'other'],
  }),
  otherResults: personColumn({
    table: 'otherResult',
    column: 'person',
    shows: ['channel', 'game', 'date', 'score', 'at'],
    order: ['date', 'game', 'channel'],
  }),
  finds: personColumn({
    table: 'find',
    column: 'person',
    shows: ['channel', 'board', 'solution', 'foundAt as at'],
    order: ['foundAt', 'channel', 'board', 'solution'],
  }),
} as const satisfies Record<string, PersonColumn>;

export type PersonKind = keyof typeof PERSON_COLUMNS;
const PERSON_KINDS = Object.keys(PERSON_COLUMNS) as PersonKind[];

/** What a person chose for themselves in a tenant. */
export interface Choices {
  readonly hidden: boolean;
  readonly listed: boolean;
  readonly calm: boolean;
  readonly inSummaries: boolean;
}

/** One page of a person's stored data, grouped by kind. */
export type PersonExport = Readonly<Record<Exclude<PersonKind, 'games' | 'soloGames'>, readonly object[]>> &
  Choices & {
    readonly tenant: string;
    readonly games: readonly { readonly thread: string; readonly state: unknown }[];
    readonly soloGames: readonly (Pick<Database['soloGame'], 'board' | 'channel'> & {
      readonly state: unknown;
      readonly at: number;
    })[];
  };

/** How many rows of each kind are stored about somebody. */
export type PersonCounts = Readonly<Record<PersonKind, number>> & Choices;

export async function choicesOf(rows: TenantRows, person: string): Promise<Choices> {
  const row = await rows.select('person', { person }).selectAll().executeTakeFirst();
  return {
    hidden: row?.hidden === 1,
    listed: row?.listed === 1,
    calm: row?.calm === 1,
    inSummaries: row?.inSummaries === 1,
  };
}

/** The condition for the rows of a kind that are about a person. */
function aboutPerson(person: string, { table, column, key, only }: PersonColumn) {
  const isTheirs = sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${key?.(person) ?? person}`;
  return only === undefined ? isTheirs : sql<SqlBool>`${isTheirs} and ${only}`;
}

export async function countsOf(rows: TenantRows, person: string): Promise<PersonCounts | undefined> {
  const choices = await choicesOf(rows, person);
  const counts: Partial<Record<PersonKind, number>> = {};
  let isAny = Object.values(choices).includes(true);
  for (const kind of PERSON_KINDS) {
    const found = await rows
      .select(PERSON_COLUMNS[kind].table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where(aboutPerson(person, PERSON_COLUMNS[kind]))
      .executeTakeFirstOrThrow();
    counts[kind] = found.rows;
    isAny ||= counts[kind] > 0;
  }
  return isAny ? { ...choices, ...(counts as Record<PersonKind, number>) } : undefined;
}

/** Cuts a page out of lists that follow each other. The function that it returns takes a list's length and gives its part. */
export function partsOf({ offset, limit }: Page): (rows: number) => Page {
  let [skip, room] = [offset, limit];
  return (rows) => {
    const part = { offset: skip, limit: Math.max(0, Math.min(room, rows - skip)) };
    skip = Math.max(0, skip - rows);
    room -= part.limit;
    return part;
  };
}

/** @param partOf see `partsOf`: undefined is returned if no part of the page is in this tenant */
export async function exportOf(
  rows: TenantRows,
  person: string,
  partOf: ReturnType<typeof partsOf>,
): Promise<PersonExport | undefined> {
  const counts = await countsOf(rows, person);
  if (counts === undefined) return undefined;
  // A tenant counts as one row itself: somebody who is only hidden there has no other.
  let taken = partOf(1).limit;
  const kinds: Partial<Record<PersonKind, readonly object[]>> = {};
  for (const kind of PERSON_KINDS) {
    const part = partOf(counts[kind]);
    taken += part.limit;
    kinds[kind] = await pageOf(rows, person, PERSON_COLUMNS[kind], part);
  }
  if (taken === 0) return undefined;
  kinds.games = await withStates(rows, kinds.games as readonly { readonly thread: string }[]);
  // The lists take the places of their lengths, and the choices stay.
  return {
    tenant: rows.tenant,
    ...counts,
    ...(kinds as Omit<PersonExport, 'tenant' | keyof Choices>),
  };
}

async function pageOf(
  rows: TenantRows,
  person: string,
  column: PersonColumn,
  { offset, limit }: Page,
): Promise<object[]> {
  // The names are columns of the table: `personColumn` has let the compiler check them.
  let query = rows
    .select(column.table)
    .select((column.shows ?? []) as never)
    .$if(column.shows === undefined, (all) => all.selectAll())
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

/** Rows of a place rather than of a person. Those of private conversations are erased, too, since nobody else is there. */
const ROWS_OF_PLACES = ['game', 'gamePerson', 'madeBoardResult'] as const;

/** Returns the games that the person was in. */
export async function erasePerson(
  rows: TenantRows,
  person: string,
  withoutPerson: WithoutPerson = () => undefined,
): Promise<string[]> {
  const games = await rows.select('gamePerson', { person }).select('thread').execute();
  for (const { thread } of games) await leaveGame(rows, { thread, person }, withoutPerson);
  const isPrivate = isPrivateTo(rows.tenant, person);
  if (isPrivate) for (const table of ROWS_OF_PLACES) await rows.delete(table, {}).execute();
  await rows.delete('person', { person }).execute();
  await removeFromSettings(rows, person);
  for (const kind of PERSON_KINDS) {
    const column: PersonColumn = PERSON_COLUMNS[kind];
    const { table, column: name, staysWithoutName, words } = column;
    const about = aboutPerson(person, column);
    if (staysWithoutName && !isPrivate) {
      const own = await ownConversations(rows, table, about);
      const isOwn = sql<SqlBool>`channel in (${sql.join(own)})`;
      if (own.length > 0) await rows.delete(table, {}).where(about).where(isOwn).execute();
      const nameless = { [name]: null, ...(words !== undefined && { [words]: null }) };
      await rows.update(table, {}).set(nameless).where(about).execute();
    } else await rows.delete(table, {}).where(about).execute();
  }
  return games.map(({ thread }) => thread);
}

/** A channel's settings may name a person, as `ping` and `managers` do on Slack. */
async function removeFromSettings(rows: TenantRows, person: string): Promise<void> {
  const value = JSON.stringify(person);
  await rows
    .update('subscription', {})
    .set({ settings: sql<string>`replace(settings, ${value}, 'null')`, version: sql<number>`version + 1` })
    .where(sql<SqlBool>`replace(settings, ${value}, '') <> settings`)
    .execute();
}

/** Of the channels of these rows, those that `conversationKey` marks as the person's own: on Slack, no tenant is private. */
async function ownConversations(
  { db, tenant }: TenantRows,
  table: PersonTable,
  about: RawBuilder<SqlBool>,
): Promise<string[]> {
  const { rows } = await sql<{ channel: string }>`
    select distinct channel from ${sql.table(table)} where tenant = ${tenant} and ${about}`.execute(db);
  const channels = new Map(rows.map(({ channel }) => [conversationKey(tenant, channel), channel]));
  if (channels.size === 0) return [];
  const marks = db
    .selectFrom('processedEvent')
    .select('key')
    .where('key', 'in', [...channels.keys()]);
  return (await marks.execute()).flatMap(({ key }) => channels.get(key) ?? []);
}

function isPrivateTo(tenant: string, person: string): boolean {
  return tenant === privateTenant(doorOf(tenant), person);
}

/** The tenants within a scope (see `identityScope`) that store anything about a person. */
export async function tenantsOf(db: Db, scope: string, person: string): Promise<string[]> {
  const tenants = new Set<string>();
  const columns = [...Object.values(PERSON_COLUMNS), { table: 'person', column: 'person' }] as PersonColumn[];
  for (const column of columns) {
    const { rows } = await sql<{ tenant: string }>`
      select distinct tenant from ${sql.table(column.table)}
      where ${aboutPerson(person, column)} and ${inScope(scope)}`.execute(db);
    for (const { tenant } of rows) tenants.add(tenant);
  }
  return [...tenants].sort();
}
