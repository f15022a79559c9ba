import { lookAhead } from '../../daily/plan/next-post.ts';
import { type NextPost, nextPost } from '../../daily/plan/plan.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import type { DeliveryState, Store, Subscription } from '../../store/types.ts';

export interface FleetOutlook {
  /** Places whose thread is on, and those that are paused or rest. */
  readonly places: number;
  readonly still: number;
  /** The first post in any of them. */
  readonly next: (NextPost & Pick<Subscription, 'tenant' | 'channel'>) | undefined;
}

/** How many places there are and what is posted next, with few queries however many they are. */
export async function outlook(store: Store, now: number): Promise<FleetOutlook> {
  const subscriptions = await store.allTenants.subscriptions();
  const states = new Map<string, DeliveryState>();
  const next = await lookAhead(now, {
    async load(date) {
      const steps = await store.allTenants.steps(date);
      for (const step of steps) states.set(keyOf(step, step.date, step.step), step.state);
      return steps.length > 0;
    },
    look: () => firstOf(subscriptions, states, now),
  });
  const active = subscriptions.filter(({ state }) => state === 'active').length;
  return { places: active, still: subscriptions.length - active, next };
}

function firstOf(
  subscriptions: readonly Subscription[],
  states: ReadonlyMap<string, DeliveryState>,
  now: number,
): FleetOutlook['next'] {
  let next: FleetOutlook['next'];
  for (const subscription of subscriptions) {
    const post = nextPost({
      now,
      subscription: { ...subscription, settings: parseStored(subscription.settings) },
      stateOf: (date, step) => states.get(keyOf(subscription, date, step)),
    });
    if (post !== undefined && post.at < (next?.at ?? Number.POSITIVE_INFINITY)) {
      next = { ...post, tenant: subscription.tenant, channel: subscription.channel };
    }
  }
  return next;
}

function keyOf(
  { tenant, channel }: Pick<Subscription, 'tenant' | 'channel'>,
  date: string,
  step: string,
): string {
  return `${tenant}\n${channel}\n${date}\n${step}`;
}
