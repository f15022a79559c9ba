/** Where a chain stands: on a node, with what is still needed. */
export interface State {
  readonly node: number;
  readonly need: number;
}

/** Where chains begin: on any node with everything needed, or after the words already played. */
export type Start = readonly State[] | 'anywhere';
