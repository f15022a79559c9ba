import type { Db } from '../schema.ts';
import { erasePerson, type PersonExport, SqlPeople } from './people.ts';
import { type Result, resultOf } from './results.ts';
import { isAt } from './rows.ts';

/** What is stored about a person in all tenants of a door. */
export interface AllPeople {
  /** By tenant. */
  export(door: string, person: string): Promise<PersonExport[]>;
  erase(door: string, person: string): Promise<void>;
  /** The tenants in which something of a person is stored. */
  tenantsOf(door: string, person: string): Promise<string[]>;
  /** A person's results, by tenant and date. */
  resultsOf(door: string, person: string): Promise<Result[]>;
  /**
   * The hints that a person has seen: those of a day's puzzle, and those of typed boards whose key has this
   * length. Boards that play the same have different keys of one length.
   */
  seenHints(
    door: string,
    person: string,
    date: string,
    boardKeyLength: number,
  ): Promise<{ puzzle: string; step: string }[]>;
  /** Whether a person stays off the leaderboards of any tenant of the door. */
  isHidden(door: string, person: string): Promise<boolean>;
}

export class SqlAllPeople implements AllPeople {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async export(door: string, person: string): Promise<PersonExport[]> {
    const tenants = await tenantsOf(this.#db, door, person);
    const exports = [];
    for (const tenant of tenants) exports.push(await new SqlPeople(this.#db, tenant).export(person));
    return exports.filter((found) => found !== undefined);
  }

  erase(door: string, person: string): Promise<void> {
    return this.#db.transaction().execute(async (transaction) => {
      for (const tenant of await tenantsOf(transaction, door, person)) {
        await erasePerson(transaction, tenant, person);
      }
    });
  }

  tenantsOf(door: string, person: string): Promise<string[]> {
    return tenantsOf(this.#db, door, person);
  }

  async resultsOf(door: string, person: string): Promise<Result[]> {
    const rows = await this.#db
      .selectFrom('result')
      .selectAll()
      .where('person', '=', person)
      .where(isAt(door))
      .orderBy('tenant')
      .orderBy('date')
      .orderBy('channel')
      .execute();
    return rows.map(resultOf);
  }

  seenHints(
    door: string,
    person: string,
    date: string,
    boardKeyLength: number,
  ): Promise<{ puzzle: string; step: string }[]> {
    return this.#db
      .selectFrom('hint')
      .select(['puzzle', 'step'])
      .distinct()
      .where('person', '=', person)
      .where(isAt(door))
      .where((where) =>
        where.or([
          where('puzzle', '=', date),
          where(({ fn }) => fn<number>('length', ['puzzle']), '=', boardKeyLength),
        ]),
      )
      .orderBy('puzzle')
      .orderBy('step')
      .execute();
  }

  async isHidden(door: string, person: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('person')
      .select('hidden')
      .where('person', '=', person)
      .where(isAt(door))
      .where('hidden', '=', 1)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }
}

/** The tenants of a door in which anything of a person is stored. */
async function tenantsOf(db: Db, door: string, person: string): Promise<string[]> {
  const tenants = new Set<string>();
  for (const table of ['hint', 'result', 'person', 'gamePerson', 'soloGame'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('tenant')
      .distinct()
      .where('person', '=', person)
      .where(isAt(door))
      .execute();
    for (const { tenant } of rows) tenants.add(tenant);
  }
  const typed = await db
    .selectFrom('handBoard')
    .select('tenant')
    .distinct()
    .where('typedBy', '=', person)
    .where(isAt(door))
    .execute();
  const set = await db
    .selectFrom('subscription')
    .select('tenant')
    .distinct()
    .where('setBy', '=', person)
    .where(isAt(door))
    .execute();
  for (const { tenant } of [...typed, ...set]) tenants.add(tenant);
  return [...tenants].sort();
}
