import { lookAhead } from '../daily/place-news.ts';
import { type NextPost, nextPost } from '../daily/plan.ts';
import { parseStored } from '../daily/settings.ts';
import type { DeliveryState, Place, Store } from '../store/types.ts';

export interface FleetOutlook {
  /** Places whose thread is on, and those that are paused or rest. */
  readonly places: number;
  readonly still: number;
  /** The first post in any of them. */
  readonly next: (NextPost & Pick<Place, 'tenant' | 'place'>) | undefined;
}

/** How many places there are and what is posted next, with few queries however many they are. */
export async function outlook(store: Store, now: number): Promise<FleetOutlook> {
  const places = await store.fleet.places();
  const states = new Map<string, DeliveryState>();
  const next = await lookAhead(now, {
    async load(date) {
      const steps = await store.fleet.steps(date);
      for (const step of steps) states.set(keyOf(step, step.date, step.step), step.state);
      return steps.length > 0;
    },
    look: () => firstOf(places, states, now),
  });
  const active = places.filter(({ state }) => state === 'active').length;
  return { places: active, still: places.length - active, next };
}

function firstOf(
  places: readonly Place[],
  states: ReadonlyMap<string, DeliveryState>,
  now: number,
): FleetOutlook['next'] {
  let next: FleetOutlook['next'];
  for (const place of places) {
    const post = nextPost({
      now,
      place: { ...place, settings: parseStored(place.settings) },
      stateOf: (date, step) => states.get(keyOf(place, date, step)),
    });
    if (post !== undefined && post.at < (next?.at ?? Number.POSITIVE_INFINITY)) {
      next = { ...post, tenant: place.tenant, place: place.place };
    }
  }
  return next;
}

function keyOf({ tenant, place }: Pick<Place, 'tenant' | 'place'>, date: string, step: string): string {
  return `${tenant}\n${place}\n${date}\n${step}`;
}
