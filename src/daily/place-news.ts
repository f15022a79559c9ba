import { addDays, dateAt } from '../puzzle/calendar.ts';
import type { Place, Store } from '../store/types.ts';
import { type NextPost, nextPost } from './plan.ts';
import { parseStored } from './settings.ts';
import type { Spot } from './types.ts';

/** What will be posted next in a place, and when; undefined where nothing will. */
export async function nextPostIn(
  store: Store,
  { tenant, channel }: Spot,
  now: number,
): Promise<NextPost | undefined> {
  const { places } = store.tenant(tenant);
  const place = await places.get(channel);
  return place && nextPostOf(store, place, now);
}

export async function nextPostOf(store: Store, place: Place, now: number): Promise<NextPost | undefined> {
  const { deliveries } = store.tenant(place.tenant);
  const today = dateAt(now);
  const rows = [
    ...(await deliveries.ofDay(place.place, addDays(today, -1))),
    ...(await deliveries.ofDay(place.place, today)),
  ];
  const states = new Map(rows.map(({ date, step, state }) => [`${date} ${step}`, state]));
  return nextPost({
    now,
    place: { ...place, settings: parseStored(place.settings) },
    stateOf: (date, step) => states.get(`${date} ${step}`),
  });
}
