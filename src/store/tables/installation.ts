import type { Db } from '../schema.ts';
import type { Installation } from '../types.ts';
import { markRemoved } from './removed.ts';

export function makeInstallation(db: Db, tenant: string): Installation {
  return {
    async get() {
      const row = await db
        .selectFrom('installation')
        .select('sealed')
        .where('tenant', '=', tenant)
        .executeTakeFirst();
      return row?.sealed;
    },

    async put(sealed, at) {
      await db
        .insertInto('installation')
        .values({ tenant, sealed, at })
        .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ sealed, at }))
        .execute();
    },

    lose: (sealed, at) =>
      db.transaction().execute(async (transaction) => {
        const [deleted] = await transaction
          .deleteFrom('installation')
          .where('tenant', '=', tenant)
          .where('sealed', '=', sealed)
          .execute();
        if (deleted?.numDeletedRows !== 1n) return false;
        await markRemoved(transaction, tenant, at);
        return true;
      }),
  };
}
