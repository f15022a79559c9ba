import { identityScope } from '../core/channel-ref.ts';
import type { Store } from '../store/store.ts';

/**
 * Takes a person off the leaderboards, or puts them back: in this tenant and in all others at the door
 * where something of theirs is stored.
 */
export async function setHiddenEverywhere(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { tenant, person }: { readonly tenant: string; readonly person: string },
  hidden: boolean,
): Promise<void> {
  for (const one of new Set([tenant, ...(await store.allPeople.tenantsOf(identityScope(tenant), person))])) {
    await store.tenant(one).people.setHidden(person, hidden);
  }
}

/** Copies the choice of a person who hides in another tenant, when they enter their first result or make a board here. */
export async function inheritHiding(
  store: Pick<Store, 'tenant' | 'allPeople'>,
  { tenant, person }: { readonly tenant: string; readonly person: string },
): Promise<void> {
  if (!(await store.allPeople.isHidden(identityScope(tenant), person))) return;
  const { people, results } = store.tenant(tenant);
  if (!(await results.has(person))) await people.setHidden(person, true);
}
