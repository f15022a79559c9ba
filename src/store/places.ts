import { parseJson } from './json.ts';
import { isUpdated } from './rows.ts';
import type { Database, Db } from './schema.ts';
import type { Place, Places } from './types.ts';

export function makePlaces(db: Db, tenant: string): Places {
  const rows = () => db.selectFrom('place').selectAll().where('tenant', '=', tenant);
  const update = (place: string) =>
    db.updateTable('place').where('tenant', '=', tenant).where('place', '=', place);

  return {
    async get(place) {
      const row = await rows().where('place', '=', place).executeTakeFirst();
      return row && placeOf(row);
    },

    async list() {
      return (await rows().orderBy('place').execute()).map(placeOf);
    },

    async save(place, settings, { version, by, at }) {
      const saved = { settings: JSON.stringify(settings), version: version + 1, setBy: by, setAt: at };
      const row =
        version === 0
          ? await db
              .insertInto('place')
              .values({ tenant, place, ...saved, state: 'active', reason: null, until: null, toldAt: null })
              .onConflict((conflict) => conflict.doNothing())
              .returningAll()
              .executeTakeFirst()
          : await update(place).set(saved).where('version', '=', version).returningAll().executeTakeFirst();
      return row && placeOf(row);
    },

    async setState(place, { state, reason = null, until = null }) {
      const result = await update(place)
        .set((row) => ({
          state,
          reason,
          until,
          toldAt: row
            .case()
            .when(
              row.and([row('state', 'in', [state, 'active']), row('reason', 'is not distinct from', reason)]),
            )
            .then(row.ref('toldAt'))
            .else(null)
            .end(),
        }))
        .executeTakeFirst();
      return isUpdated(result);
    },

    async wake(place) {
      const woken = { state: 'active', until: null } as const;
      return isUpdated(await update(place).set(woken).where('state', '=', 'resting').executeTakeFirst());
    },

    async posted(place) {
      await update(place).set({ reason: null, toldAt: null }).where('state', '=', 'active').execute();
    },

    async claimTelling(place, at) {
      return isUpdated(
        await update(place).set({ toldAt: at }).where('toldAt', 'is', null).executeTakeFirst(),
      );
    },
  };
}

export function placeOf(row: Database['place']): Place {
  return { ...row, settings: parseJson(row.settings) };
}
