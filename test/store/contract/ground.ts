import type { Reason } from '../../../src/store/schema.ts';
import type { Store } from '../../../src/store/store.ts';

/** What each part of the contract is given: an opened store, and names that no other test uses. */
export interface Ground {
  readonly store: () => Store;
  /** A door of this test's own, so that queries over all tenants see this test's rows only. */
  readonly door: () => string;
}

export function makeGround(store: () => Store): Ground {
  let doors = 0;
  return {
    store,
    door() {
      // Doors are letters only. In base 25 no name holds a z, so a test may append one to get a near miss.
      const letters = (doors++)
        .toString(25)
        .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 25)));
      return `door${letters}`;
    },
  };
}

/** Any reason will do for the store. This one differs from others by its text. */
export function because(text: string): Reason {
  return { code: 'other', text };
}
