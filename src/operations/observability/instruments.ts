import { type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';
import type { TenantStore } from '../../store/tables/tenant.ts';

export type OnStored = (part: string, outcome: 'done' | 'failed', milliseconds: number) => void;

/** What of the store is timed, each under its name. */
const PARTS = [
  'puzzles',
  'fetches',
  'verdicts',
  'actions',
  'events',
  'allTenants',
  'allDeliveries',
  'allPeople',
  'allReminders',
  'applications',
] as const satisfies readonly (keyof Store)[];
/** The same of a tenant's store. */
const TENANT_PARTS = [
  'subscriptions',
  'deliveries',
  'boards',
  'hints',
  'results',
  'channelResults',
  'people',
  'games',
  'soloGames',
  'madeBoards',
  'reminders',
  'holidays',
  'installation',
] as const satisfies readonly (keyof TenantStore)[];

/** The same store, reporting how long each call took and how it ended, by the part of the store. */
export function timedStore(store: Store, onStored: OnStored, timer = () => performance.now()): Store {
  const tenantOf = (tenant: string): TenantStore => withTimedParts(store.tenant(tenant), TENANT_PARTS);
  return withTimedParts({ ...store, tenant: tenantOf }, PARTS);

  function withTimedParts<Whole extends object>(whole: Whole, names: readonly string[]): Whole {
    return new Proxy(whole, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        return typeof property === 'string' && names.includes(property)
          ? timedPart(value as object, property)
          : value;
      },
    });
  }

  function timedPart<Part extends object>(part: Part, name: string): Part {
    return new Proxy(part, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? timedMethod(value.bind(target), name) : value;
      },
    });
  }

  function timedMethod(method: (...args: unknown[]) => unknown, name: string) {
    return (...args: unknown[]): unknown => {
      const began = timer();
      const done = (outcome: 'done' | 'failed') => onStored(name, outcome, timer() - began);
      const result = method(...args);
      if (result instanceof Promise) {
        result.then(
          () => done('done'),
          () => done('failed'),
        );
      }
      return result;
    };
  }
}

/** The same poster, reporting each time that the platform asks to slow down. */
export function countedPoster(poster: Poster, onLimited: (door: string) => void): Poster {
  const counted =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await method.apply(poster, args);
      } catch (error) {
        const isLimit =
          error instanceof PostFailure && error.kind === 'later' && error.retryAfter !== undefined;
        if (isLimit) onLimited(poster.door);
        throw error;
      }
    };
  return {
    door: poster.door,
    isPrivateInChannel: poster.isPrivateInChannel ?? false,
    open: counted(poster.open),
    post: counted(poster.post),
    postPrivately: counted(poster.postPrivately),
    find: counted(poster.find),
    archive: counted(poster.archive),
    edit: counted(poster.edit),
    missingRequirements: counted(poster.missingRequirements),
    notify: counted(poster.notify),
  };
}
