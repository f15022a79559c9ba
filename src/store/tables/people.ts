import type { Db } from '../schema.ts';
import type { HandBoard } from './hand-boards.ts';
import { type Result, SqlResults } from './results.ts';
import { parseJson } from './rows.ts';

export interface People {
  isHidden(person: string): Promise<boolean>;
  setHidden(person: string, hidden: boolean): Promise<void>;
  /** All that is stored about them here; undefined if there is nothing. */
  export(person: string): Promise<PersonExport | undefined>;
  erase(person: string): Promise<void>;
}

export interface PersonExport {
  readonly tenant: string;
  readonly hidden: boolean;
  readonly hints: readonly { readonly puzzle: string; readonly step: string; readonly at: number }[];
  readonly results: readonly Result[];
  readonly boards: readonly Omit<HandBoard, 'typedBy'>[];
  readonly settings: readonly { readonly channel: string; readonly at: number }[];
  readonly games: readonly { readonly thread: string; readonly state: unknown }[];
  readonly soloGames: readonly { readonly board: string; readonly state: unknown; readonly at: number }[];
}

export class SqlPeople implements People {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  isHidden(person: string): Promise<boolean> {
    return isHidden(this.#db, this.#tenant, person);
  }

  async setHidden(person: string, hidden: boolean): Promise<void> {
    const flag = { hidden: hidden ? 1 : 0 } as const;
    await this.#db
      .insertInto('person')
      .values({ tenant: this.#tenant, person, ...flag })
      .onConflict((conflict) => conflict.columns(['tenant', 'person']).doUpdateSet(flag))
      .execute();
  }

  async export(person: string): Promise<PersonExport | undefined> {
    const whole = await exportPerson(this.#db, this.#tenant, person);
    const { tenant: _, hidden, ...lists } = whole;
    const isKnown = hidden || Object.values(lists).some(({ length }) => length > 0);
    return isKnown ? whole : undefined;
  }

  erase(person: string): Promise<void> {
    return this.#db.transaction().execute((transaction) => erasePerson(transaction, this.#tenant, person));
  }
}

async function isHidden(db: Db, tenant: string, person: string): Promise<boolean> {
  const row = await db
    .selectFrom('person')
    .select('hidden')
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .executeTakeFirst();
  return row?.hidden === 1;
}

async function exportPerson(db: Db, tenant: string, person: string): Promise<PersonExport> {
  const hints = await db
    .selectFrom('hint')
    .select(['puzzle', 'step', 'at'])
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .orderBy('at')
    .orderBy('puzzle')
    .orderBy('step')
    .execute();
  const boards = await db
    .selectFrom('handBoard')
    .select(['channel', 'date', 'puzzle', 'typedAt'])
    .where('tenant', '=', tenant)
    .where('typedBy', '=', person)
    .orderBy('typedAt')
    .orderBy('channel')
    .orderBy('date')
    .execute();
  const settings = await db
    .selectFrom('subscription')
    .select(['channel', 'setAt as at'])
    .where('tenant', '=', tenant)
    .where('setBy', '=', person)
    .orderBy('channel')
    .execute();
  const games = await gamesOf(db, tenant, person).select(['game.thread', 'game.state']).execute();
  const soloGames = await db
    .selectFrom('soloGame')
    .select(['board', 'state', 'playedAt as at'])
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .orderBy('playedAt')
    .orderBy('board')
    .execute();
  return {
    tenant,
    hidden: await isHidden(db, tenant, person),
    hints,
    results: await new SqlResults(db, tenant).ofPerson(person),
    boards: boards.map((board) => ({ ...board, puzzle: parseJson(board.puzzle) })),
    settings,
    games: games.map((game) => ({ ...game, state: parseJson(game.state) })),
    soloGames: soloGames.map((game) => ({ ...game, state: parseJson(game.state) })),
  };
}

/**
 * What others rely on stays without the name: a board they typed, settings they made. A game under way
 * ends, since its state tells who played what.
 */
export async function erasePerson(db: Db, tenant: string, person: string): Promise<void> {
  const games = await gamesOf(db, tenant, person).select('game.thread').execute();
  for (const { thread } of games) {
    for (const table of ['game', 'gamePerson'] as const) {
      await db.deleteFrom(table).where('tenant', '=', tenant).where('thread', '=', thread).execute();
    }
  }
  for (const table of ['hint', 'result', 'person', 'gamePerson', 'soloGame'] as const) {
    await db.deleteFrom(table).where('tenant', '=', tenant).where('person', '=', person).execute();
  }
  await db
    .updateTable('handBoard')
    .set({ typedBy: null })
    .where('tenant', '=', tenant)
    .where('typedBy', '=', person)
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
