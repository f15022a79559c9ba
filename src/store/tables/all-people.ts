import { sql } from 'kysely';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Db } from '../schema.ts';
import {
  erasePerson,
  MADE_BY,
  PERSON_TABLES,
  type PersonCounts,
  type PersonExport,
  rowsIn,
  SqlPeople,
} from './people.ts';
import { type DayScore, type Result, rankOf, resultOf } from './result-row.ts';
import { isAt, type Page, WHOLE } from './rows.ts';

/** What is stored about a person in all tenants of a door. */
export interface AllPeople {
  /** How much is stored, by tenant. */
  counts(door: string, person: string): Promise<PersonCounts[]>;
  /** A page of it, by tenant, the rows of all tenants counted together. Empty after the last page. */
  export(door: string, person: string, page?: Page): Promise<PersonExport[]>;
  /** Nothing of it is left in the database's own files either, unless another process is reading them. */
  erase(door: string, person: string): Promise<void>;
  /** The tenants in which something of a person is stored. */
  tenantsOf(door: string, person: string): Promise<string[]>;
  /** A person's best result of each day, by date. A result on time is better than any late one. */
  scoresOf(door: string, person: string): Promise<DayScore[]>;
  /** A person's results of a date, by tenant and channel. */
  resultsOf(door: string, person: string, date: PuzzleDate): Promise<Result[]>;
  /**
   * The hints that a person has seen: those of a day's puzzle, and those of typed boards whose key has this
   * length. Boards that play the same have different keys of one length.
   */
  seenHints(
    door: string,
    person: string,
    puzzle: string,
    boardKeyLength: number,
  ): Promise<{ puzzle: string; step: string }[]>;
  /** The days off that a person announced in any tenant of the door, in order. */
  holidaysOf(door: string, person: string): Promise<PuzzleDate[]>;
  /** Takes back days off from a date on. How many there were. */
  endHolidays(door: string, person: string, from: PuzzleDate): Promise<number>;
  /** When a person last made a move or solved a board at the door; undefined if nothing of that is stored. */
  lastPlayed(door: string, person: string): Promise<number | undefined>;
  /** Whether a person stays off the leaderboards of any tenant of the door. */
  isHidden(door: string, person: string): Promise<boolean>;
}

export class SqlAllPeople implements AllPeople {
  readonly #db: Db;
  readonly #forget: () => void;

  /** @param forget removes what was deleted from the engine's own logs, too */
  constructor(db: Db, forget: () => void = () => {}) {
    this.#db = db;
    this.#forget = forget;
  }

  async counts(door: string, person: string): Promise<PersonCounts[]> {
    const counts = [];
    for (const tenant of await tenantsOf(this.#db, door, person))
      counts.push(await new SqlPeople(this.#db, tenant).counts(person));
    return counts.filter((found) => found !== undefined);
  }

  async export(door: string, person: string, { offset, limit }: Page = WHOLE): Promise<PersonExport[]> {
    const exports: PersonExport[] = [];
    let skip = offset;
    let room = limit;
    for (const tenant of await tenantsOf(this.#db, door, person)) {
      if (room <= 0) break;
      const people = new SqlPeople(this.#db, tenant);
      const counts = await people.counts(person);
      // A tenant counts as one row itself: of somebody who is only hidden there, there is no other.
      const rows = counts === undefined ? 0 : 1 + rowsIn(counts);
      const taken = Math.max(0, Math.min(room, rows - skip));
      if (taken > 0) {
        const limit = skip === 0 ? taken - 1 : taken;
        const part = await people.export(person, { offset: Math.max(0, skip - 1), limit });
        if (part !== undefined) exports.push(part);
      }
      room -= taken;
      skip = Math.max(0, skip - rows);
    }
    return exports;
  }

  async erase(door: string, person: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      for (const tenant of await tenantsOf(transaction, door, person)) {
        await erasePerson(transaction, tenant, person);
      }
    });
    this.#forget();
  }

  tenantsOf(door: string, person: string): Promise<string[]> {
    return tenantsOf(this.#db, door, person);
  }

  async scoresOf(door: string, person: string): Promise<DayScore[]> {
    const { rows } = await sql<Omit<DayScore, 'reported'> & { readonly reported: number }>`
      select date, words, letters, hints, solved_at, since_opening, reported from (
        select date, words, letters, hints, solved_at, since_opening, reported, row_number() over (
          partition by date order by since_opening is null, ${rankOf('result')}
        ) as place
        from result where person = ${person} and ${isAt(door)}
      ) as placed
      where place = 1 order by date`.execute(this.#db);
    return rows.map(({ reported, ...score }) => ({ ...score, ...(reported === 1 && { reported: true }) }));
  }

  async resultsOf(door: string, person: string, date: PuzzleDate): Promise<Result[]> {
    const rows = await this.#db
      .selectFrom('result')
      .selectAll()
      .where('person', '=', person)
      .where('date', '=', date)
      .where(isAt(door))
      .orderBy('tenant')
      .orderBy('channel')
      .execute();
    return rows.map(resultOf);
  }

  seenHints(
    door: string,
    person: string,
    puzzle: string,
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
          where('puzzle', '=', puzzle),
          where(({ fn }) => fn<number>('length', ['puzzle']), '=', boardKeyLength),
        ]),
      )
      .orderBy('puzzle')
      .orderBy('step')
      .execute();
  }

  async holidaysOf(door: string, person: string): Promise<PuzzleDate[]> {
    const rows = await this.#db
      .selectFrom('holiday')
      .select('date')
      .distinct()
      .where('person', '=', person)
      .where(isAt(door))
      .orderBy('date')
      .execute();
    return rows.map(({ date }) => date);
  }

  async endHolidays(door: string, person: string, from: PuzzleDate): Promise<number> {
    const ended = await this.#db
      .deleteFrom('holiday')
      .where('person', '=', person)
      .where(isAt(door))
      .where('date', '>=', from)
      .returning('date')
      .execute();
    return new Set(ended.map(({ date }) => date)).size;
  }

  async lastPlayed(door: string, person: string): Promise<number | undefined> {
    const [result] = await this.#db
      .selectFrom('result')
      .select(({ fn }) => fn.max('solvedAt').as('at'))
      .where('person', '=', person)
      .where(isAt(door))
      .execute();
    const [game] = await this.#db
      .selectFrom('soloGame')
      .select(({ fn }) => fn.max('playedAt').as('at'))
      .where('person', '=', person)
      .where(isAt(door))
      .execute();
    const moments = [result?.at, game?.at].filter((at) => at != null).map(Number);
    return moments.length === 0 ? undefined : Math.max(...moments);
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
  const columns = [...PERSON_TABLES.map((table) => [table, 'person'] as const), ...MADE_BY];
  for (const [table, column] of columns) {
    const { rows } = await sql<{ tenant: string }>`
      select distinct tenant from ${sql.table(table)}
      where ${sql.ref(column)} = ${person} and ${isAt(door)}`.execute(db);
    for (const { tenant } of rows) tenants.add(tenant);
  }
  return [...tenants].sort();
}
