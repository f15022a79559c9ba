import type { Db } from '../schema.ts';
import type { Games } from '../types.ts';

export function makeGames(db: Db, tenant: string): Games {
  return {
    async get(thread, now) {
      const row = await db
        .selectFrom('game')
        .select(['state', 'version', 'expiresAt'])
        .where('tenant', '=', tenant)
        .where('thread', '=', thread)
        .where('expiresAt', '>', now)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const players = await db
        .selectFrom('gamePerson')
        .select('person')
        .where('tenant', '=', tenant)
        .where('thread', '=', thread)
        .orderBy('person')
        .execute();
      return { thread, ...row, state: JSON.parse(row.state), people: players.map(({ person }) => person) };
    },

    save: (thread, { state, version, people, expiresAt, now }) =>
      db.transaction().execute(async (transaction) => {
        const saved = { state: JSON.stringify(state), version: version + 1, expiresAt };
        const row =
          version === 0
            ? await transaction
                .insertInto('game')
                .values({ tenant, thread, ...saved })
                .onConflict((conflict) =>
                  conflict
                    .columns(['tenant', 'thread'])
                    .doUpdateSet(saved)
                    // A new game may take the place of one whose time is over.
                    .where('game.expiresAt', '<=', now),
                )
                .returning('version')
                .executeTakeFirst()
            : await transaction
                .updateTable('game')
                .set(saved)
                .where('tenant', '=', tenant)
                .where('thread', '=', thread)
                .where('version', '=', version)
                .where('expiresAt', '>', now)
                .returning('version')
                .executeTakeFirst();
        if (row === undefined) return undefined;
        await transaction
          .deleteFrom('gamePerson')
          .where('tenant', '=', tenant)
          .where('thread', '=', thread)
          .execute();
        const players = [...new Set(people)].sort();
        if (players.length > 0) {
          await transaction
            .insertInto('gamePerson')
            .values(players.map((person) => ({ tenant, thread, person })))
            .execute();
        }
        return { thread, state, version: row.version, people: players, expiresAt };
      }),

    async end(thread) {
      await db.transaction().execute(async (transaction) => {
        for (const table of ['game', 'gamePerson'] as const) {
          await transaction
            .deleteFrom(table)
            .where('tenant', '=', tenant)
            .where('thread', '=', thread)
            .execute();
        }
      });
    },
  };
}
