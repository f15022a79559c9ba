import type { Store, TenantStore } from '../../store/types.ts';

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

/** The same store, with the time of everything that is asked of it told, by the part it was asked of. */
export function timedStore(store: Store, onStored: OnStored, timer = () => performance.now()): Store {
  const timed = <Part extends object>(part: Part, name: string): Part =>
    new Proxy(part, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? tell(value.bind(target), name) : value;
      },
    });

  function tell(method: (...given: unknown[]) => unknown, name: string) {
    return (...given: unknown[]): unknown => {
      const began = timer();
      const done = (outcome: 'done' | 'failed') => onStored(name, outcome, timer() - began);
      const result = method(...given);
      if (result instanceof Promise) {
        result.then(
          () => done('done'),
          () => done('failed'),
        );
      }
      return result;
    };
  }

  /** The whole, with those of its parts timed. */
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
