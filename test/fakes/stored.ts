/** What the store has of a person, as an export of their data says, and of a tenant. */
import { onTestFinished, vi } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import type { Store } from '../../src/store/store.ts';
import type { PersonExport } from '../../src/store/tables/personal-data.ts';
import type { Result } from '../../src/store/tables/results.ts';
import type { TenantStore } from '../../src/store/tables/tenants.ts';

type People = Pick<Store, 'allPeople'>;

/** Undefined if the tenant has nothing of them. */
export async function exportOf(
  { allPeople }: People,
  tenant: string,
  person: string,
): Promise<PersonExport | undefined> {
  // Those of other tenants of an organization come with it.
  return (await allPeople.export(tenant, person)).find((one) => one.tenant === tenant);
}

/** The steps of a puzzle that they have seen, in the order in which they saw them. */
export async function stepsSeen(
  store: People,
  tenant: string,
  person: string,
  puzzle: string,
): Promise<string[]> {
  const hints = ((await exportOf(store, tenant, person))?.hints ?? []) as { puzzle: string; step: string }[];
  return hints.filter((hint) => hint.puzzle === puzzle).map(({ step }) => step);
}

/** Their results, by date. */
export async function resultsOf(store: People, tenant: string, person: string): Promise<Result[]> {
  return [...((await exportOf(store, tenant, person))?.results ?? [])] as Result[];
}

/** Their result of a date in a channel. */
export async function resultIn(
  store: People,
  tenant: string,
  person: string,
  channel: string,
  date: PuzzleDate,
): Promise<Result | undefined> {
  const results = await resultsOf(store, tenant, person);
  return results.find((one) => one.channel === channel && one.date === date);
}

/** A tenant's part of a store, the same for everybody until the test ends, so that it can be spied on. */
export function sharedTenant(store: Store, name: string): TenantStore {
  const { tenant } = store;
  const shared = tenant(name);
  const spy = vi
    .spyOn(store, 'tenant')
    .mockImplementation((other) => (other === name ? shared : tenant(other)));
  onTestFinished(() => void spy.mockRestore());
  return shared;
}
