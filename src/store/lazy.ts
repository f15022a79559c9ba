import type { DatabaseEngine } from './schema.ts';
import type { Store } from './store.ts';
import type { TenantStore } from './tables/tenants.ts';

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * A store that is opened by the first question it is asked, for programs that mostly need none. `close` closes
 * what was opened. An opening that failed fails every question after it, too.
 *
 * @example const store = lazyStore('sqlite', () => openStore({ dataDir: 'data' }));
 */
export function lazyStore(engine: DatabaseEngine, open: () => Promise<Store>): Store {
  let opening: Promise<Store> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  const asking =
    (find: (store: Store) => object, name: string): Method =>
    async (...given) => {
      const part = find(await opened());
      return (Reflect.get(part, name) as Method).apply(part, given);
    };
  /** The parts of a store, and of a tenant's, have nothing but methods that answer with a promise. */
  const partOf = (find: (store: Store) => object): object =>
    new Proxy({}, { get: (_, name) => (typeof name === 'string' ? asking(find, name) : undefined) });

  const tenantOf = (tenant: string): TenantStore => {
    const whole = (store: Store) => store.tenant(tenant);
    return new Proxy({ tenant } as TenantStore, {
      get(target, name) {
        if (typeof name !== 'string' || name === 'tenant') return Reflect.get(target, name);
        if (TENANT_METHODS.includes(name)) return asking(whole, name);
        return partOf((store) => Reflect.get(whole(store), name) as object);
      },
    });
  };

  const own = {
    engine,
    tenant: tenantOf,
    ping: asking((store) => store, 'ping'),
    backup: asking((store) => store, 'backup'),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
  return new Proxy(own as unknown as Store, {
    get: (target, name) =>
      typeof name !== 'string' || Object.hasOwn(own, name)
        ? Reflect.get(target, name)
        : partOf((store) => Reflect.get(store, name) as object),
  });
}

const TENANT_METHODS: readonly string[] = [
  'markRemoved',
  'markPresent',
  'erase',
] satisfies (keyof TenantStore)[];
