/** Where a chain stands: on a spot, with some spots (and required words) covered. */
export interface State {
  readonly spot: number;
  readonly mask: number;
}

/**
 * With repeated letters one chain of words may be walked in several ways, so it stands in several states
 * at once. A state that covers no more than another on the same spot can never do better, and goes.
 */
export function prune(states: readonly State[]): State[] {
  if (states.length < 2) return [...states];
  return states.filter(
    (state, index) =>
      !states.some(
        (other, at) =>
          at !== index &&
          other.spot === state.spot &&
          (other.mask | state.mask) === other.mask &&
          (other.mask !== state.mask || at < index),
      ),
  );
}
