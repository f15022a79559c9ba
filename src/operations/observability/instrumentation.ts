import { type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';
import type { TenantStore } from '../../store/tables/tenant.ts';

export type OnStored = (part: string, outcome: 'done' | 'failed', milliseconds: number) => void;

const PARTS = ['puzzles', 'fetches', 'verdicts', 'actions', 'events', 'allTenants'] as const;
const TENANT_PARTS = [
  'subscriptions',
  'deliveries',
  'boards',
  'hints',
  'results',
  'people',
  'games',
  'installation',
] as const;

/** The same store, reporting how long each call took and how it ended, by the part of the store. */
export function timedStore(store: Store, onStored: OnStored, timer = () => performance.now()): Store {
  const timed = <Part extends object>(part: Part, name: string): Part =>
    new Proxy(part, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? measured(value.bind(target), name) : value;
      },
    });

  function measured(method: (...args: unknown[]) => unknown, name: string) {
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

  /** An object with the named parts timed. */
  const withTimed = <Whole extends object>(whole: Whole, names: readonly string[]): Whole =>
    new Proxy(whole, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        return typeof property === 'string' && names.includes(property)
          ? timed(value as object, property)
          : value;
      },
    });

  const tenantOf = (tenant: string): TenantStore => withTimed(store.tenant(tenant), TENANT_PARTS);
  return withTimed({ ...store, tenant: tenantOf }, PARTS);
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
    open: counted(poster.open),
    post: counted(poster.post),
    archive: counted(poster.archive),
    edit: counted(poster.edit),
    missingRequirements: counted(poster.missingRequirements),
    tell: counted(poster.tell),
  };
}
