import type { Database, Db } from '../schema.ts';
import type { Subscription, Subscriptions } from '../types.ts';
import { parseJson } from './json.ts';
import { isUpdated } from './rows.ts';

export function makePlaces(db: Db, tenant: string): Subscriptions {
  const rows = () => db.selectFrom('subscription').selectAll().where('tenant', '=', tenant);
  const update = (channel: string) =>
    db.updateTable('subscription').where('tenant', '=', tenant).where('channel', '=', channel);

  return {
    async get(channel) {
      const row = await rows().where('channel', '=', channel).executeTakeFirst();
      return row && placeOf(row);
    },

    async list() {
      return (await rows().orderBy('channel').execute()).map(placeOf);
    },

    async save(channel, settings, { version, by, at }) {
      const saved = { settings: JSON.stringify(settings), version: version + 1, setBy: by, setAt: at };
      const row =
        version === 0
          ? await db
              .insertInto('subscription')
              .values({ tenant, channel, ...saved, state: 'active', reason: null, until: null, toldAt: null })
              .onConflict((conflict) => conflict.doNothing())
              .returningAll()
              .executeTakeFirst()
          : await update(channel).set(saved).where('version', '=', version).returningAll().executeTakeFirst();
      return row && placeOf(row);
    },

    async setState(channel, { state, reason = null, until = null }) {
      const result = await update(channel)
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

    async reactivate(channel) {
      const woken = { state: 'active', until: null } as const;
      return isUpdated(await update(channel).set(woken).where('state', '=', 'resting').executeTakeFirst());
    },

    async posted(channel) {
      await update(channel).set({ reason: null, toldAt: null }).where('state', '=', 'active').execute();
    },

    async claimNotice(channel, at) {
      return isUpdated(
        await update(channel).set({ toldAt: at }).where('toldAt', 'is', null).executeTakeFirst(),
      );
    },
  };
}

export function placeOf(row: Database['subscription']): Subscription {
  return { ...row, settings: parseJson(row.settings) };
}
