import type { Store } from '../../../src/store/types.ts';

/** What each part of the contract is given: an opened store, and names that no other test uses. */
export interface Ground {
  readonly store: () => Store;
  /** A door of this test's own, so that queries over the fleet see this test's rows only. */
  readonly door: () => string;
}

export function makeGround(store: () => Store): Ground {
  let doors = 0;
  return {
    store,
    door() {
      // Doors are letters only: 0, 1, 2 … 26 become a, b, c … ba.
      const letters = (doors++)
        .toString(26)
        .replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 26)));
      return `door${letters}`;
    },
  };
}
