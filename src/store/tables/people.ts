import { sql } from 'kysely';
import type { Database, Db } from '../schema.ts';
import {
  countOf,
  gamesOf,
  PERSON_KINDS,
  type PersonKind,
  type PersonRows,
  rowsOf,
  type Whose,
} from './person-rows.ts';
import { deleteReminded } from './reminders.ts';
import { type Page, WHOLE } from './rows.ts';

export interface People {
  isHidden(person: string): Promise<boolean>;
  setHidden(person: string, hidden: boolean): Promise<void>;
  /** Those of some people who are hidden. */
  hiddenAmong(people: readonly string[]): Promise<Set<string>>;
  isListed(person: string): Promise<boolean>;
  /** Agrees to be named by `missing`, or takes that back. */
  setListed(person: string, listed: boolean): Promise<void>;
  /** How much is stored about them here; undefined if there is nothing. */
  counts(person: string): Promise<PersonCounts | undefined>;
  /** A page of what is stored about them here, the rows of all kinds counted together; undefined if there is nothing. */
  export(person: string, page?: Page): Promise<PersonExport | undefined>;
  erase(person: string): Promise<void>;
}

export type PersonExport = PersonRows & {
  readonly tenant: string;
  readonly hidden: boolean;
  readonly listed: boolean;
};

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

  async hiddenAmong(people: readonly string[]): Promise<Set<string>> {
    if (people.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('person')
      .select('person')
      .where('tenant', '=', this.#tenant)
      .where('person', 'in', people)
      .where('hidden', '=', 1)
      .execute();
    return new Set(rows.map(({ person }) => person));
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
      counts[kind] = await countOf(this.#whose(person), kind);
      isAny ||= counts[kind] > 0;
    }
    return isAny ? counts : undefined;
  }

  async export(person: string, { offset, limit }: Page = WHOLE): Promise<PersonExport | undefined> {
    const counts = await this.counts(person);
    if (counts === undefined) return undefined;
    let skip = offset;
    let room = limit;
    const kinds = await rowsOf(this.#whose(person), (kind) => {
      const page = { offset: skip, limit: Math.max(0, Math.min(room, counts[kind] - skip)) };
      skip = Math.max(0, skip - counts[kind]);
      room -= page.limit;
      return page;
    });
    return { tenant: this.#tenant, hidden: counts.hidden, listed: counts.listed, ...kinds };
  }

  #whose(person: string): Whose {
    return { db: this.#db, tenant: this.#tenant, person };
  }

  erase(person: string): Promise<void> {
    return this.#db.transaction().execute((transaction) => erasePerson(transaction, this.#tenant, person));
  }
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

/** Tables of what others rely on, and the columns that name who made it. */
export const MADE_BY = [
  ['handBoard', 'typedBy'],
  ['challenge', 'madeBy'],
  ['subscription', 'setBy'],
] as const satisfies readonly (readonly [keyof Database, string])[];

/**
 * What others rely on stays without the name: a board they typed or made, settings they made. A game under way
 * ends, since its state tells who played what.
 */
export async function erasePerson(db: Db, tenant: string, person: string): Promise<void> {
  const games = await gamesOf({ db, tenant, person }).select('game.thread').execute();
  for (const { thread } of games) {
    for (const table of ['game', 'gamePerson'] as const) {
      await db.deleteFrom(table).where('tenant', '=', tenant).where('thread', '=', thread).execute();
    }
  }
  for (const table of PERSON_TABLES) {
    await db.deleteFrom(table).where('tenant', '=', tenant).where('person', '=', person).execute();
  }
  await deleteReminded(db, tenant, person);
  for (const [table, column] of MADE_BY) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = null
      where tenant = ${tenant} and ${sql.ref(column)} = ${person}`.execute(db);
  }
}
