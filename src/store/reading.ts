import type { Store } from './store.ts';
import type { TenantStore } from './tables/tenant.ts';

/** The queries that only read, by their names. What shows something gets no other query. */
type Reads =
  | 'boards'
  | 'byDay'
  | 'counts'
  | 'get'
  | 'hasRegulars'
  | 'hiddenAmong'
  | 'holidaysOf'
  | 'isHidden'
  | 'kept'
  | 'list'
  | 'missing'
  | 'ofChannel'
  | 'ofDay'
  | 'ofThread'
  | 'results'
  | 'resultsOf'
  | 'scoresIn'
  | 'scoresOf'
  | 'seen'
  | 'sums';

type Reading<Tables> = {
  readonly [Name in keyof Tables as Tables[Name] extends string | ((...given: never[]) => unknown)
    ? never
    : Name]: Pick<Tables[Name], Extract<keyof Tables[Name], Reads>>;
};

/** A store without a way to write. */
export type ReadingStore = Reading<Store> & {
  tenant(tenant: string): Reading<TenantStore>;
};
