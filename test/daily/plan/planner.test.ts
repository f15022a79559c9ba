import { expect, test } from 'vitest';
import { LOOK_BACK } from '../../../src/daily/plan/plan.ts';
import { Planner } from '../../../src/daily/plan/planner.ts';
import { Schedules } from '../../../src/daily/plan/schedule.ts';
import type { Store } from '../../../src/store/store.ts';
import { replaceMethods } from '../../fakes/replace-methods.ts';
import { beforeOpening, HOUR, MINUTE, makeGround, makeStore, OPENING, quiet, subscribe } from '../ground.ts';

/** A store whose planning can be made to fail, as when its server restarts. */
function failing(store: Store): { readonly store: Store; fail: (steps: readonly string[]) => boolean } {
  const made = {
    fail: (_: readonly string[]) => false,
    store: {
      ...store,
      allDeliveries: replaceMethods(store.allDeliveries, {
        plan: async (rows: Parameters<Store['allDeliveries']['plan']>[0]) => {
          if (made.fail(rows.map(({ step }) => step))) throw new Error('the server restarts');
          return store.allDeliveries.plan(rows);
        },
      }),
    },
  };
  return made;
}

test.each([
  ['openings', 'opening'],
  ['the steps that follow them', 'start'],
])('%s that could not be written down are planned again in the next minute', async (_, step) => {
  const trouble = failing(await makeStore());
  await subscribe(trouble.store, {}, { at: OPENING - HOUR });
  const ground = await makeGround(OPENING - MINUTE, { store: trouble.store });
  await ground.at(OPENING - MINUTE);
  let failed = 0;
  trouble.fail = (steps) => steps.includes(step) && failed++ === 0;
  await ground.at(OPENING).catch(() => {});
  expect(failed).toBe(1);
  await ground.until(OPENING + 2 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
});

test('the first minute of a hundred thousand channels is planned as every other', async () => {
  const store = await makeStore();
  await subscribe(store, {}, { at: OPENING - HOUR });
  const [one] = await store.allTenants.subscriptions();
  // More than can be passed as arguments to a function.
  const subscriptions = Array.from({ length: 130_000 }, (_, index) => ({ ...one!, channel: `c${index}` }));
  const planner = new Planner({
    log: quiet,
    schedules: new Schedules(),
    store: {
      ...store,
      allTenants: replaceMethods(store.allTenants, { subscriptions: async () => subscriptions }),
      allDeliveries: replaceMethods(store.allDeliveries, { plan: async (rows) => [...rows] }),
    },
  });
  expect((await planner.tick(OPENING)).planned).toHaveLength(subscriptions.length);
});

/** A store, and the dates whose rows were read from it. */
async function observed(): Promise<{ readonly store: Store; readonly read: string[] }> {
  const store = await makeStore();
  const read: string[] = [];
  const { allDeliveries } = store;
  const steps: typeof allDeliveries.steps = (date) => {
    read.push(date);
    return allDeliveries.steps(date);
  };
  return { store: { ...store, allDeliveries: replaceMethods(allDeliveries, { steps }) }, read };
}

test('a tick between two changes plans nothing and reads no rows', async () => {
  const { store, read } = await observed();
  const ground = await makeGround(OPENING - HOUR, { store });
  await subscribe(store, {}, { at: OPENING - 2 * HOUR });
  await ground.at(OPENING);
  await ground.at(OPENING + MINUTE);
  expect(await ground.daily.tick()).toMatchObject({ planned: [], channels: 1 });
  expect(read).not.toEqual([]);
  read.length = 0;
  await ground.until(OPENING + HOUR);
  expect(read).toEqual([]);
});

test('a clock that was years behind is followed by no more than the days after a downtime', async () => {
  const { store, read } = await observed();
  const ground = await makeGround(0, { store });
  await subscribe(store, {}, { at: OPENING - 2 * HOUR });
  await ground.at(0);
  read.length = 0;
  await ground.at(OPENING);
  expect(ground.platform.messages).toHaveLength(2);
  expect(new Set(read).size).toBeLessThanOrEqual(LOOK_BACK + 2);
});

test('a changed setting is seen at the next tick, no matter which process saved it', async () => {
  const ground = await beforeOpening();
  await ground.at(OPENING - HOUR);
  await subscribe(ground.store, { opening: '07:00' }, { at: OPENING - 2 * HOUR });
  await ground.at(OPENING - HOUR + MINUTE);
  expect(ground.platform.messages[0]?.reply.title).toContain('Friday, November 20');
});
