/** Hooks around what the daily thread awaits, at which a process is killed or stands still. */

import type { Poster } from '../../src/dispatch/poster.ts';
import type { Store } from '../../src/store/store.ts';

/** Called around every await of the posting path, with its name. */
export type Hook = (point: string) => void | Promise<void>;

/** A store that calls the hook before and after everything the daily thread asks of it. */
export function hookedStore(store: Store, hook: Hook): Store {
  return {
    ...store,
    puzzles: hooked('puzzles', store.puzzles, hook),
    allTenants: hooked('allTenants', store.allTenants, hook),
    allDeliveries: hooked('allDeliveries', store.allDeliveries, hook),
    allReminders: hooked('allReminders', store.allReminders, hook),
    allPeople: hooked('allPeople', store.allPeople, hook),
    tenant(tenant) {
      const share = store.tenant(tenant);
      return {
        ...share,
        subscriptions: hooked('subscriptions', share.subscriptions, hook),
        deliveries: hooked('deliveries', share.deliveries, hook),
        reminders: hooked('reminders', share.reminders, hook),
      };
    },
  };
}

/** The same for a door: around each of its methods. */
export function hookedPoster(poster: Poster, hook: Hook): Poster {
  return hooked('poster', poster, hook);
}

function hooked<T extends object>(name: string, target: T, hook: Hook): T {
  return new Proxy(target, {
    get(object, property, receiver) {
      const value = Reflect.get(object, property, receiver);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        await hook(`before ${name}.${String(property)}`);
        const result = await value.apply(object, args);
        await hook(`after ${name}.${String(property)}`);
        return result;
      };
    },
  });
}
