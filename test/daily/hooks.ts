/** Hooks around what the daily thread awaits, at which a process is killed or stands still. */

import type { Poster } from '../../src/dispatch/poster.ts';
import type { Store } from '../../src/store/store.ts';

/** Called around every await of the posting path, with its name. */
export type Hook = (point: string) => void | Promise<void>;

/** A store that calls the hook before and after everything that is asked of its tables. */
export function hookedStore(store: Store, hook: Hook): Store {
  return { ...tablesHooked(store, hook), tenant: (tenant) => tablesHooked(store.tenant(tenant), hook) };
}

function tablesHooked<Tables extends object>(tables: Tables, hook: Hook): Tables {
  const hookedOnes = Object.entries(tables).map(([name, table]) => [
    name,
    typeof table === 'object' && table !== null ? hooked(name, table, hook) : table,
  ]);
  return { ...tables, ...Object.fromEntries(hookedOnes) };
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
